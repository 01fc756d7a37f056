/* SPDX-License-Identifier: GPL-2.0-only */
/* The statements of db/verifications.h; db/statements.h takes them in. */
#ifndef EO_DB_STATEMENTS_VERIFY_H
#define EO_DB_STATEMENTS_VERIFY_H

#define EO_SQL_VERIFY_STATEMENTS(X)                                           \
	X(PUT_VERIFICATION,                                                   \
	  "INSERT INTO verification (tree, series, input, title, base,"       \
	  " version, revision, tool_version, sandbox, notes, verdict,"        \
	  " started, duration_ms)"                                            \
	  " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")                  \
	X(PUT_VERIFICATION_PATCH,                                             \
	  "INSERT INTO verification_patch (verification, n, subject, author," \
	  " version, diff_id, series, series_n)"                              \
	  " VALUES (?, ?, ?, ?, ?, ?, ?, ?)")                                 \
	X(PUT_VERIFICATION_CHECK,                                             \
	  "INSERT INTO verification_check (verification, patch, n, name,"     \
	  " verdict, reason, log, duration_ms)"                               \
	  " VALUES (?, ?, ?, ?, ?, ?, ?, ?)")                                 \
	X(PUT_VERIFICATION_WARNING,                                           \
	  "INSERT INTO verification_warning (verification, patch, n, tool,"   \
	  " comes, fingerprint, text) VALUES (?, ?, ?, ?, ?, ?, ?)")          \
	X(PUT_VERIFICATION_FINDING,                                           \
	  "INSERT INTO verification_finding (verification, patch, n,"         \
	  " finding, rule, file, function, fate, why)"                        \
	  " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)")                              \
	X(GET_WRITTEN_PATCHES,                                                \
	  "SELECT p.series, p.n, p.diff FROM report_version_patch AS p"       \
	  " JOIN report_version AS v ON v.series = p.series"                  \
	  " WHERE v.root = ? ORDER BY p.series DESC, p.n")                    \
	X(GET_VERIFIED,                                                       \
	  "SELECT c.verdict, d.version, group_concat(CASE c.verdict"          \
	  "  WHEN 'pass' THEN c.name"                                         \
	  "  ELSE printf('%s (%s)', c.name, c.reason) END, ', ')"             \
	  " FROM report_verified AS d JOIN (SELECT * FROM"                    \
	  "  report_verification_check ORDER BY n) AS c"                      \
	  " ON c.verification = d.verification AND c.patch = d.patch"         \
	  " WHERE d.root = ? AND d.diff_id = ? AND c.verdict <> 'skipped'"    \
	  " GROUP BY c.verdict ORDER BY min(c.n)")

#endif
