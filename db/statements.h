/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Every statement that is prepared, in one place: name, SQL. Those that put
 * write tables, those that get read the report_ views; db/put.c and db/get.c
 * have the columns in this order.
 */
#ifndef EO_DB_STATEMENTS_H
#define EO_DB_STATEMENTS_H

#include "db/statements_bench.h"
#include "db/statements_history.h"
#include "db/statements_review.h"
#include "db/statements_series.h"
#include "db/statements_verify.h"

#define EO_SQL_STATEMENTS(X)                                                    \
	X(PUT_TREE, "INSERT INTO tree (root) VALUES (?1)"                       \
		    " ON CONFLICT (root) DO UPDATE SET root = root"             \
		    " RETURNING id")                                            \
	X(PUT_RUN,                                                              \
	  "INSERT INTO run (tree, version, revision, command, build_origin,"    \
	  " config_hash, tool_version, model_hash, started, duration_ms,"       \
	  " files, candidates, analyzed, outside, scope, engines, left_out,"    \
	  " baseline) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,"  \
	  " ?, ?)")                                                             \
	X(PUT_FINDING, "INSERT INTO finding (id, rule, file, function, call)"   \
		       " VALUES (?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING")   \
	X(PUT_OCCURRENCE,                                                       \
	  "INSERT INTO occurrence (run, n, finding, line, col, function_line,"  \
	  " function_end, call_text, ends_in, guard, head, walk_line, walk,"    \
	  " result, message, confidence, fix, engines, dissent, source,"        \
	  " suppressed_by, suppressed_at, suppressed_reason, suppressed_date,"  \
	  " known, origin) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,"   \
	  " ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,"                                   \
	  " (SELECT origin FROM thread WHERE finding = ?3))")                   \
	X(PUT_OBLIGATION,                                                       \
	  "INSERT INTO obligation (occurrence, n, name, state, detail)"         \
	  " VALUES (?, ?, ?, ?, ?)")                                            \
	X(PUT_STEP, "INSERT INTO step (occurrence, n, kind, line, col, text)"   \
		    " VALUES (?, ?, ?, ?, ?, ?)")                               \
	X(PUT_HOT, "INSERT INTO hot (occurrence, n, evidence)"                  \
		   " VALUES (?, ?, ?)")                                         \
	X(PUT_GAP,                                                              \
	  "INSERT INTO gap (run, n, file, function, engine, reason, detail)"    \
	  " VALUES (?, ?, ?, ?, ?, ?, ?)")                                      \
	X(GET_LAST_RUN, "SELECT max(run) FROM report_run")                      \
	X(GET_RUN,                                                              \
	  "SELECT run, root, version, revision, command, build_origin,"         \
	  " config_hash, tool_version, model_hash, started, duration_ms,"       \
	  " files, candidates, analyzed, outside, engines, scope, left_out,"    \
	  " baseline, compared_to, profile"                                     \
	  " FROM report_run WHERE run = ?")                                     \
	X(GET_FINDINGS,                                                         \
	  "SELECT occurrence, id, rule, file, line, col, function,"             \
	  " function_line, function_end, call, call_text, ends_in, guard,"      \
	  " head, walk_line, walk, result, message, confidence, fix, engines,"  \
	  " dissent, source FROM report_finding WHERE run = ?"                  \
	  " ORDER BY " EO_SQL_RANK)                                             \
	X(GET_FINDING,                                                          \
	  "SELECT occurrence, id, rule, file, line, col, function,"             \
	  " function_line, function_end, call, call_text, ends_in, guard,"      \
	  " head, walk_line, walk, result, message, confidence, fix, engines,"  \
	  " dissent, source FROM report_finding WHERE run = ?1 AND id = ?2")    \
	X(GET_ROWS,                                                             \
	  "SELECT id, rule, file, function, call, guard, message, line, col,"   \
	  " engines, confidence, fix, status, suppressed, known, review, note," \
	  " who, version, weight, gain FROM report_row WHERE run = ?"           \
	  " ORDER BY " EO_SQL_RANK)                                             \
	X(GET_OBLIGATIONS, "SELECT name, state, detail FROM report_obligation"  \
			   " WHERE occurrence = ? ORDER BY n")                  \
	X(GET_STEPS, "SELECT kind, line, col, text FROM report_step"            \
		     " WHERE occurrence = ? ORDER BY n")                        \
	X(GET_HOT, "SELECT evidence FROM report_hot"                            \
		   " WHERE occurrence = ? ORDER BY n")                          \
	X(GET_GAPS, "SELECT file, function, engine, reason, detail"             \
		    " FROM report_gap WHERE run = ? ORDER BY n")                \
	X(GET_JSON, EO_SQL_JSON)                                                \
	X(GET_JSONL, "SELECT " EO_SQL_JSON_FINDING " FROM report_finding AS f"  \
		     " WHERE f.run = ? ORDER BY " EO_SQL_RANK)                  \
	EO_SQL_BENCH_STATEMENTS(X)                                              \
	EO_SQL_HISTORY_STATEMENTS(X)                                            \
	EO_SQL_REVIEW_STATEMENTS(X)                                             \
	EO_SQL_SERIES_STATEMENTS(X)                                             \
	EO_SQL_VERIFY_STATEMENTS(X)

/* The heaviest of the imported profile first, the others as they came. */
#define EO_SQL_RANK "weight IS NULL, weight DESC, n"

/*
 * The object "earlyout-scan/1". The keys up to "message" and to "incomplete"
 * are promised by the schema's name; the others may grow.
 */
#define EO_SQL_JSON                                                                              \
	"SELECT json_object('schema', 'earlyout-scan/1',"                                        \
	" 'tool', json_object('name', 'earlyout', 'version', r.tool_version,"                    \
	"  'model', r.model_hash),"                                                              \
	" 'run', json_object('id', r.run, 'command', r.command,"                                 \
	"  'started', strftime('%Y-%m-%dT%H:%M:%SZ', r.started, 'unixepoch'),"                   \
	"  'duration_ms', r.duration_ms, 'flags', r.build_origin,"                               \
	"  'config', r.config_hash, 'compared_to', r.compared_to,"                               \
	"  'baseline', r.baseline, 'profile', r.profile, 'scope', r.scope),"                     \
	" 'tree', json_object('version', r.version, 'revision', r.revision,"                     \
	"  'root', r.root),"                                                                     \
	" 'findings', json((SELECT json_group_array(json(one)) FROM ("                           \
	"  SELECT " EO_SQL_JSON_FINDING " AS one FROM report_finding AS f"                       \
	"  WHERE f.run = r.run ORDER BY " EO_SQL_RANK                                            \
	")))," EO_SQL_JSON_ABSENT("resolved") EO_SQL_JSON_ABSENT(                                \
		"unseen") " 'coverage', json_object('files', r.files,"                           \
			  "  'candidates', r.candidates, 'analyzed', r.analyzed,"                \
			  "  'incomplete', json((SELECT json_group_array(json(one)) FROM ("      \
			  "   SELECT json_object('file', g.file, 'function', g.function,"        \
			  "    'engine', g.engine, 'reason', g.reason, 'detail', g.detail)"      \
			  "    AS one FROM report_gap AS g WHERE g.run = r.run ORDER BY g.n)))," \
			  "  'outside', r.outside, 'left_out', r.left_out,"                      \
			  "  'scope_files', json((SELECT json_group_array(file) FROM ("          \
			  "   SELECT file FROM report_scope_file AS c WHERE c.run = r.run"       \
			  "   ORDER BY file))))) FROM report_run AS r WHERE r.run = ?"

#define EO_SQL_JSON_FINDING                                                          \
	"json_object('id', f.id, 'rule', f.rule, 'file', f.file,"                    \
	" 'line', f.line, 'column', f.col, 'function', f.function,"                  \
	" 'call', f.call, 'guard', f.guard, 'confidence', f.confidence,"             \
	" 'fix', f.fix, 'engines', json(CASE f.engines"                              \
	"  WHEN 1 THEN '[\"clang\"]' WHEN 2 THEN '[\"smpl\"]'"                       \
	"  WHEN 3 THEN '[\"clang\",\"smpl\"]' ELSE '[]' END),"                       \
	" 'hot', json((SELECT json_group_array(evidence) FROM ("                     \
	"  SELECT h.evidence FROM report_hot AS h"                                   \
	"  WHERE h.occurrence = f.occurrence ORDER BY h.n))),"                       \
	" 'message', f.message, 'call_text', f.call_text,"                           \
	" 'ends_in', f.ends_in, 'dissent', f.dissent,"                               \
	" 'obligations', json((SELECT json_group_array(json(one)) FROM ("            \
	"  SELECT json_object('name', b.name, 'state', b.state,"                     \
	"   'detail', b.detail) AS one FROM report_obligation AS b"                  \
	"   WHERE b.occurrence = f.occurrence ORDER BY b.n))),"                      \
	" 'steps', json((SELECT json_group_array(json(one)) FROM ("                  \
	"  SELECT json_object('kind', s.kind, 'line', s.line,"                       \
	"   'column', s.col, 'text', s.text) AS one FROM report_step AS s"           \
	"   WHERE s.occurrence = f.occurrence ORDER BY s.n)))," EO_SQL_JSON_STANDING \
	")"

#endif
