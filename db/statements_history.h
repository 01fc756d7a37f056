/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The statements of db/history.h and db/profiles.h, and their part of the
 * JSON; db/statements.h takes them in.
 */
#ifndef EO_DB_STATEMENTS_HISTORY_H
#define EO_DB_STATEMENTS_HISTORY_H

#define EO_SQL_HISTORY_STATEMENTS(X)                                           \
	X(PUT_SCOPE_FILE, "INSERT OR IGNORE INTO scope_file (run, file)"       \
			  " VALUES (?, ?)")                                    \
	X(PUT_MOVED, "INSERT OR IGNORE INTO moved (finding, origin)"           \
		     " SELECT ?1, t.origin FROM thread AS t"                   \
		     " WHERE t.finding = ?2 AND t.origin <> ?1")               \
	X(PUT_CHANGES,                                                         \
	  "INSERT OR IGNORE INTO change (run, finding, last_run, status)"      \
	  " SELECT run, finding, last_run, status FROM compared"               \
	  " WHERE run = ?")                                                    \
	X(GET_STANDINGS,                                                       \
	  "SELECT f.id, f.status, f.last_run, f.suppressed_by,"                \
	  " f.suppressed_at, f.suppressed_reason, f.suppressed_date,"          \
	  " v.status, v.note, f.known, f.weight"                               \
	  " FROM report_finding AS f LEFT JOIN review AS v"                    \
	  " ON v.id = f.review"                                                \
	  " WHERE f.run = ? ORDER BY weight IS NULL, weight DESC, n")          \
	X(GET_STANDING,                                                        \
	  "SELECT f.id, f.status, f.last_run, f.suppressed_by,"                \
	  " f.suppressed_at, f.suppressed_reason, f.suppressed_date,"          \
	  " v.status, v.note, f.known, f.weight"                               \
	  " FROM report_finding AS f LEFT JOIN review AS v"                    \
	  " ON v.id = f.review"                                                \
	  " WHERE f.run = ?1 AND f.id = ?2")                                   \
	X(GET_ABSENT,                                                          \
	  "SELECT id, status, rule, file, function, call, last_run, line"      \
	  " FROM report_absent WHERE run = ? ORDER BY status, file, line, id") \
	X(GET_KNOWN,                                                           \
	  "SELECT f.id, p.origin, f.rule, f.file, f.function, o.call_text,"    \
	  " r.revision, o.line, max(p.run) FROM place AS p"                    \
	  " JOIN finding AS f ON f.id = p.finding"                             \
	  " JOIN occurrence AS o ON o.id = p.occurrence"                       \
	  " JOIN run AS r ON r.id = p.run"                                     \
	  " JOIN tree AS t ON t.id = r.tree WHERE t.root = ?"                  \
	  " GROUP BY p.finding ORDER BY f.file, o.line, f.id")                 \
	X(GET_BASELINE_IDS,                                                    \
	  "SELECT p.finding, p.origin FROM place AS p WHERE p.run = ?")        \
	X(GET_BASELINE_GAPS,                                                   \
	  "SELECT file, function, engine, reason FROM report_gap"              \
	  " WHERE run = ?")                                                    \
	X(GET_IS_SCAN,                                                         \
	  "SELECT json_valid(?1) AND CASE json_valid(?1) WHEN 1 THEN"          \
	  " json_extract(?1, '$.schema') IS 'earlyout-scan/1'"                 \
	  " AND json_type(?1, '$.findings') IS 'array'"                        \
	  " AND json_type(?1, '$.coverage.incomplete') IS 'array' END")        \
	X(GET_FILE_IDS,                                                        \
	  "SELECT j.value ->> 'id', t.origin"                                  \
	  " FROM json_each(?, '$.findings') AS j"                              \
	  " LEFT JOIN thread AS t ON t.finding = j.value ->> 'id'"             \
	  " WHERE j.type = 'object'")                                          \
	X(GET_FILE_GAPS,                                                       \
	  "SELECT value ->> 'file', value ->> 'function', value ->> 'engine'," \
	  " value ->> 'reason' FROM json_each(?, '$.coverage.incomplete')"     \
	  " WHERE type = 'object'")                                            \
	X(GET_IDS,                                                             \
	  "SELECT (SELECT p.finding FROM place AS p"                           \
	  "  WHERE p.origin = t.origin ORDER BY p.run DESC LIMIT 1)"           \
	  " FROM thread AS t WHERE substr(t.finding, 1, length(?1)) = ?1"      \
	  " GROUP BY t.origin LIMIT 2")                                        \
	X(PUT_REVIEW,                                                          \
	  "INSERT INTO review (finding, status, note, who, made)"              \
	  " SELECT origin, ?2, ?3, ?4, ?5 FROM thread WHERE finding = ?1")     \
	X(GET_REVIEWS, "SELECT status, note, who, made, undone_by, undone"     \
		       " FROM report_review WHERE finding = ?"                 \
		       " ORDER BY review")                                     \
	X(GET_LISTING, "SELECT id, rule, file, function, call, line, review,"  \
		       " state, note FROM report_listing"                      \
		       " ORDER BY file, line, id")                             \
	X(GET_REVIEWS_JSON, EO_SQL_REVIEWS_JSON)                               \
	X(FORGET_PROFILE, "DELETE FROM profile WHERE name = ?2 AND tree ="     \
			  " (SELECT id FROM tree WHERE root = ?1)")            \
	X(PUT_PROFILE, "INSERT INTO profile (tree, name, format, imported)"    \
		       " VALUES (?, ?, ?, ?)")                                 \
	X(PUT_SHARE, "INSERT INTO profile_symbol"                              \
		     " (profile, symbol, self, total) VALUES (?, ?, ?, ?)")    \
	X(GET_PROFILES,                                                        \
	  "SELECT p.name, p.format, p.imported,"                               \
	  " (SELECT count(*) FROM profile_symbol AS s WHERE s.profile = p.id)" \
	  " FROM profile AS p JOIN tree AS t ON t.id = p.tree"                 \
	  " WHERE t.root = ? ORDER BY p.id DESC")

/* The object "earlyout-reviews/1". */
#define EO_SQL_REVIEWS_JSON                                                \
	"SELECT json_object('schema', 'earlyout-reviews/1', 'findings',"   \
	" json((SELECT json_group_array(json(one)) FROM ("                 \
	"  SELECT json_object('id', l.id, 'rule', l.rule, 'file', l.file," \
	"   'line', l.line, 'function', l.function, 'call', l.call,"       \
	"   'state', coalesce(l.state, 'gone'), 'review', l.review,"       \
	"   'note', l.note, 'history', json((SELECT"                       \
	"    json_group_array(json(v)) FROM (SELECT json_object("          \
	"     'status', r.status, 'note', r.note, 'who', r.who,"           \
	"     'at', strftime('%Y-%m-%dT%H:%M:%SZ', r.made, 'unixepoch'),"  \
	"     'undone_by', r.undone_by)"                                   \
	"     AS v FROM report_review AS r WHERE r.finding = l.id"         \
	"     ORDER BY r.review)))) AS one FROM report_listing AS l"       \
	"  ORDER BY l.file, l.line, l.id))))"

/* "resolved":[…], "unseen":[…]: what an earlier run had. */
#define EO_SQL_JSON_ABSENT(status)                                         \
	" '" status "', json((SELECT json_group_array(json(one)) FROM ("   \
	"  SELECT json_object('id', a.id, 'rule', a.rule, 'file', a.file," \
	"   'line', a.line, 'column', a.col, 'function', a.function,"      \
	"   'call', a.call, 'message', a.message, 'status', a.status,"     \
	"   'last_run', a.last_run) AS one FROM report_absent AS a"        \
	"   WHERE a.run = r.run AND a.status = '" status "'"               \
	"   ORDER BY a.file, a.line, a.id))),"

/* Of a finding f: how it stands. */
#define EO_SQL_JSON_STANDING                                                 \
	" 'status', f.status, 'suppressed', json(CASE"                       \
	"  WHEN f.suppressed_by IS NULL THEN 'null'"                         \
	"  ELSE json_object('by', f.suppressed_by, 'at', f.suppressed_at,"   \
	"   'reason', f.suppressed_reason, 'date', f.suppressed_date) END)," \
	" 'review', json(coalesce((SELECT json_object('status', v.status,"   \
	"  'note', v.note, 'who', v.who,"                                    \
	"  'at', strftime('%Y-%m-%dT%H:%M:%SZ', v.made, 'unixepoch'))"       \
	"  FROM report_review AS v WHERE v.review = f.review"                \
	"  AND v.finding = f.id), 'null')),"                                 \
	" 'in_baseline', json(CASE f.known WHEN 1 THEN 'true'"               \
	"  WHEN 0 THEN 'false' ELSE 'null' END), 'weight', f.weight"

#endif
