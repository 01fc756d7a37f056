/* SPDX-License-Identifier: GPL-2.0-only */
/* The statements of db/series.h and db/evidence.h, for db/statements.h. */
#ifndef EO_DB_STATEMENTS_SERIES_H
#define EO_DB_STATEMENTS_SERIES_H

#define EO_SQL_SERIES_STATEMENTS(X)                                            \
	X(PUT_WRITING, "INSERT INTO writing (run, strategy, created)"          \
		       " VALUES (?, ?, ?)")                                    \
	X(PUT_SERIES,                                                          \
	  "INSERT INTO series (run, cover, created, writing, name, title,"     \
	  " version, rerolls, changes, range_diff, base, bundle)"              \
	  " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")                      \
	X(PUT_PATCH,                                                           \
	  "INSERT INTO patch (series, n, number, total, finding, file,"        \
	  " subject, body, diff, mail, strategy, fixes)"                       \
	  " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")                      \
	X(PUT_PATCH_ALSO,                                                      \
	  "INSERT OR IGNORE INTO patch_also (series, n, finding)"              \
	  " VALUES (?, ?, ?)")                                                 \
	X(PUT_PROPOSAL,                                                        \
	  "INSERT INTO proposal (writing, n, finding, name, text)"             \
	  " VALUES (?, ?, ?, ?, ?)")                                           \
	X(GET_SERIES,                                                          \
	  "SELECT series, run, cover, created, name, title, version, rerolls," \
	  " changes, range_diff, base FROM report_series WHERE run = ?"        \
	  " ORDER BY series")                                                  \
	X(GET_LAST_VERSION,                                                    \
	  "SELECT series, run, cover, created, name, title, version, rerolls," \
	  " changes, range_diff, base, bundle FROM report_version"             \
	  " WHERE root = ? AND name = ? ORDER BY series DESC LIMIT 1")         \
	X(GET_PATCHES,                                                         \
	  "SELECT number, total, finding, file, subject, body, diff, mail,"    \
	  " strategy, fixes FROM report_version_patch WHERE series = ?"        \
	  " ORDER BY n")                                                       \
	X(GET_PATCHES_ALSO,                                                    \
	  "SELECT n, finding FROM report_patch_also WHERE series = ?"          \
	  " ORDER BY n, finding")                                              \
	X(GET_EARLIER,                                                         \
	  "WITH RECURSIVE chain (id) AS (SELECT rerolls FROM report_version"   \
	  "  WHERE series = ? UNION SELECT v.rerolls FROM report_version AS v" \
	  "  JOIN chain AS c ON v.series = c.id)"                              \
	  " SELECT series, run, cover, created, name, title, version,"         \
	  " rerolls, changes, range_diff, base FROM report_version"            \
	  " WHERE series IN (SELECT id FROM chain) ORDER BY version DESC")     \
	X(GET_PROPOSALS,                                                       \
	  "SELECT finding, name, text FROM report_proposal WHERE run = ?"      \
	  " ORDER BY n")                                                       \
	X(GET_EVIDENCE,                                                        \
	  "SELECT workload, downside, metric, unit, n, before, after, change," \
	  " low, high, machine, kernel, config, distorting, verdict, common"   \
	  " FROM report_evidence WHERE finding = ? AND diff = ?")

#endif
