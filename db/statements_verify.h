/* SPDX-License-Identifier: GPL-2.0-only */
/* The statements of db/verifications.h; db/statements.h takes them in. */
#ifndef EO_DB_STATEMENTS_VERIFY_H
#define EO_DB_STATEMENTS_VERIFY_H

#define EO_SQL_VERIFY_STATEMENTS(X)                                            \
	X(PUT_VERIFICATION,                                                    \
	  "INSERT INTO verification (tree, series, input, title, base,"        \
	  " version, revision, tool_version, sandbox, notes, verdict,"         \
	  " started, duration_ms)"                                             \
	  " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")                   \
	X(PUT_VERIFICATION_PATCH,                                              \
	  "INSERT INTO verification_patch (verification, n, subject, author,"  \
	  " version, diff_id, series, series_n)"                               \
	  " VALUES (?, ?, ?, ?, ?, ?, ?, ?)")                                  \
	X(PUT_VERIFICATION_CHECK,                                              \
	  "INSERT INTO verification_check (verification, patch, n, name,"      \
	  " verdict, reason, log, duration_ms)"                                \
	  " VALUES (?, ?, ?, ?, ?, ?, ?, ?)")                                  \
	X(PUT_VERIFICATION_WARNING,                                            \
	  "INSERT INTO verification_warning (verification, patch, n, tool,"    \
	  " comes, fingerprint, text) VALUES (?, ?, ?, ?, ?, ?, ?)")           \
	X(PUT_VERIFICATION_FINDING,                                            \
	  "INSERT INTO verification_finding (verification, patch, n,"          \
	  " finding, rule, file, function, fate, why)"                         \
	  " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)")                               \
	X(GET_WRITTEN_PATCHES,                                                 \
	  "SELECT p.series, p.n, p.diff FROM report_version_patch AS p"        \
	  " JOIN report_version AS v ON v.series = p.series"                   \
	  " WHERE v.root = ? ORDER BY p.series DESC, p.n")                     \
	X(GET_VERIFIED,                                                        \
	  "SELECT c.verdict, d.version, group_concat(CASE c.verdict"           \
	  "  WHEN 'pass' THEN c.name"                                          \
	  "  ELSE printf('%s (%s)', c.name, c.reason) END, ', ')"              \
	  " FROM report_verified AS d JOIN (SELECT * FROM"                     \
	  "  report_verification_check ORDER BY n) AS c"                       \
	  " ON c.verification = d.verification AND c.patch = d.patch"          \
	  " WHERE d.root = ? AND d.diff_id = ? AND c.verdict <> 'skipped'"     \
	  " GROUP BY c.verdict ORDER BY min(c.n)")                             \
	X(GET_VERIFIED_HEADS,                                                  \
	  "SELECT v.verification, v.input, v.base, v.version, v.revision,"     \
	  " v.sandbox, v.started, v.duration_ms, p.n, p.subject, p.author,"    \
	  " p.version, p.diff_id, coalesce(p.series, 0)"                       \
	  " FROM report_verified AS d JOIN report_verification AS v"           \
	  "  ON v.verification = d.verification"                               \
	  " JOIN report_verification_patch AS p"                               \
	  "  ON p.verification = d.verification AND p.n = d.patch"             \
	  " WHERE d.root = ?1 AND (d.diff_id = ?2 OR EXISTS (SELECT 1"         \
	  "  FROM report_verification_finding AS f"                            \
	  "  WHERE f.verification = d.verification AND f.patch = d.patch"      \
	  "  AND f.finding = ?3 AND f.fate IN ('proved', 'shape', 'hidden')))" \
	  " ORDER BY d.diff_id = ?2 DESC, v.verification DESC")                \
	X(GET_VERIFIED_CHECKS,                                                 \
	  "SELECT name, verdict, reason, log, duration_ms"                     \
	  " FROM report_verification_check"                                    \
	  " WHERE verification = ? AND patch = ? ORDER BY n")                  \
	X(GET_VERIFIED_WARNINGS,                                               \
	  "SELECT tool, comes, text FROM report_verification_warning"          \
	  " WHERE verification = ? AND patch = ? ORDER BY n")                  \
	X(GET_VERIFIED_FINDINGS,                                               \
	  "SELECT finding, rule, file, function, fate, why"                    \
	  " FROM report_verification_finding"                                  \
	  " WHERE verification = ? AND patch = ? ORDER BY n")

#endif
