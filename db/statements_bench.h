/* SPDX-License-Identifier: GPL-2.0-only */
/* The statements of db/bench.h and db/hooks.h; db/statements.h takes them in. */
#ifndef EO_DB_STATEMENTS_BENCH_H
#define EO_DB_STATEMENTS_BENCH_H

#define EO_SQL_BENCH_STATEMENTS(X)                                             \
	X(PUT_BENCH,                                                           \
	  "INSERT INTO bench (tree, workload, params, stands_for, runner,"     \
	  " what, patch, finding, before_kernel, after_kernel, cpus,"          \
	  " possible, started, duration_ms, budget_s, seed, stopped,"          \
	  " failure, distorting, machine, kernel, config, command)"            \
	  " VALUES (?, ?, ?, ?, ?, ?, ?,"                                      \
	  " (SELECT id FROM finding WHERE id = ?), ?, ?, ?, ?, ?, ?, ?, ?,"    \
	  " ?, ?, ?, ?, ?, ?, ?)")                                             \
	X(PUT_BENCH_ENV, "INSERT OR REPLACE INTO bench_env"                    \
			 " (bench, name, value) VALUES (?, ?, ?)")             \
	X(PUT_BENCH_METRIC,                                                    \
	  "INSERT INTO bench_metric (bench, n, metric, words, quantity, unit," \
	  " higher_is_better, pairs, before, after, change, low, high, p,"     \
	  " noise, layout, verdict)"                                           \
	  " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")       \
	X(PUT_BENCH_POINT, "INSERT INTO bench_curve"                           \
			   " (bench, metric, possible, before, after)"         \
			   " VALUES (?, ?, ?, ?, ?)")                          \
	X(PUT_BENCH_FUNCTION,                                                  \
	  "INSERT INTO bench_profile (bench, n, symbol, before, after)"        \
	  " VALUES (?, ?, ?, ?, ?)")                                           \
	X(GET_BENCH_FUNCTIONS,                                                 \
	  "SELECT symbol, before, after, unit FROM report_bench_profile"       \
	  " WHERE bench = ? ORDER BY n")                                       \
	X(PUT_BENCH_SHOT,                                                      \
	  "INSERT INTO bench_shot (bench, n, phase, pair, second, position,"   \
	  " arm, possible, seconds, failure, console)"                         \
	  " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")                         \
	X(PUT_BENCH_SAMPLE, "INSERT INTO bench_sample"                         \
			    " (shot, n, metric, batch, value)"                 \
			    " VALUES (?, ?, ?, ?, ?)")                         \
	X(GET_LAST_BENCH, "SELECT max(bench) FROM report_bench")               \
	X(GET_BENCH,                                                           \
	  "SELECT bench, root, workload, params, stands_for, runner, what,"    \
	  " patch, finding, before_kernel, after_kernel, cpus, possible,"      \
	  " started, duration_ms, budget_s, seed, stopped, failure,"           \
	  " distorting, machine, kernel, config, command"                      \
	  " FROM report_bench WHERE bench = ?")                                \
	X(GET_BENCH_ENV, "SELECT name, value FROM report_bench_env"            \
			 " WHERE bench = ? ORDER BY name")                     \
	X(GET_BENCH_METRICS,                                                   \
	  "SELECT metric, words, quantity, unit, higher_is_better, pairs,"     \
	  " before, after, change, low, high, p, noise, layout, verdict"       \
	  " FROM report_bench_metric WHERE bench = ? ORDER BY n")              \
	X(GET_BENCH_CONSOLE,                                                   \
	  "SELECT console FROM report_bench_shot"                              \
	  " WHERE bench = ? AND failure IS NOT NULL ORDER BY n")               \
	X(GET_BENCH_CURVE,                                                     \
	  "SELECT metric, possible, before, after FROM report_bench_curve"     \
	  " WHERE bench = ? ORDER BY metric, possible")                        \
	X(GET_BENCH_SAMPLES,                                                   \
	  "SELECT metric, pair, second, value FROM report_bench_sample"        \
	  " WHERE bench = ? AND phase = 'pairs' AND batch > 0"                 \
	  " ORDER BY shot, n")                                                 \
	X(GET_BENCHES,                                                         \
	  "SELECT b.bench, b.started, b.workload, b.runner, b.what,"           \
	  " coalesce(b.failure, (SELECT group_concat(words, ', ') FROM"        \
	  "  (SELECT count(*) || ' ' || verdict AS words"                      \
	  "  FROM report_bench_metric AS m WHERE m.bench = b.bench"            \
	  "  AND verdict IS NOT NULL GROUP BY verdict ORDER BY verdict)),"     \
	  " 'nothing to compare')"                                             \
	  " || coalesce(' (NO EVIDENCE: ' || b.distorting || ')', '')"         \
	  " FROM report_bench AS b ORDER BY b.bench DESC")                     \
	X(GET_BENCHES_OF,                                                      \
	  "SELECT b.bench FROM report_bench AS b"                              \
	  " JOIN thread AS t ON t.finding = b.finding"                         \
	  " WHERE t.origin = (SELECT origin FROM thread WHERE finding = ?)"    \
	  " ORDER BY b.bench DESC")                                            \
	X(GET_BENCH_JSON, EO_SQL_BENCH_JSON)                                   \
	X(GET_BENCH_CSV,                                                       \
	  "SELECT printf('%d,%s,%d,%s,%d,%s,%d,%.17g', s.shot, s.phase,"       \
	  " s.pair, s.arm, s.possible, s.metric, s.batch, s.value)"            \
	  " FROM report_bench_sample AS s WHERE s.bench = ?"                   \
	  " ORDER BY s.shot, s.n")                                             \
	X(PUT_HOOK,                                                            \
	  "INSERT INTO hook (tree, name, path, rule, finding, added)"          \
	  " VALUES (?, ?, ?, ?, ?, ?)")                                        \
	X(FORGET_HOOK, "DELETE FROM hook WHERE name = ?2 AND tree ="           \
		       " (SELECT id FROM tree WHERE root = ?1)")               \
	X(GET_HOOKS, "SELECT name, path, rule, finding, added"                 \
		     " FROM report_hook WHERE root = ? ORDER BY name")         \
	X(GET_HOOK_OF,                                                         \
	  "SELECT name FROM report_hook WHERE root = ?1 AND (finding = ?2 OR"  \
	  " rule = (SELECT rule FROM finding WHERE id = ?2))"                  \
	  " ORDER BY finding IS NULL, added DESC, hook DESC")                  \
	X(PUT_WAITING,                                                         \
	  "INSERT OR REPLACE INTO waiting (tree, workload, params, kernel,"    \
	  " boot, distorting, said, started, profile)"                         \
	  " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)")                               \
	X(GET_WAITING,                                                         \
	  "SELECT workload, params, kernel, boot, distorting, said, started,"  \
	  " profile FROM report_waiting WHERE root = ? AND workload = ?")      \
	X(FORGET_WAITING, "DELETE FROM waiting WHERE workload = ?2 AND tree =" \
			  " (SELECT id FROM tree WHERE root = ?1)")            \
	X(PUT_CENSUS,                                                          \
	  "INSERT INTO census (tree, file, root, host, cpus, files, empty,"    \
	  " unread, taken) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)")

#define EO_SQL_BENCH_JSON                                                     \
	"SELECT json_object('schema', 'earlyout-bench/1', 'bench', b.bench,"  \
	" 'workload', b.workload, 'params', b.params,"                        \
	" 'stands_for', b.stands_for, 'runner', b.runner, 'what', b.what,"    \
	" 'finding', b.finding, 'before', b.before_kernel,"                   \
	" 'after', b.after_kernel, 'cpus', b.cpus,"                           \
	" 'possible_cpus', b.possible,"                                       \
	" 'started', strftime('%Y-%m-%dT%H:%M:%SZ', b.started, 'unixepoch')," \
	" 'duration_ms', b.duration_ms, 'budget_s', b.budget_s,"              \
	" 'seed', b.seed, 'stopped', b.stopped, 'failure', b.failure,"        \
	" 'distorting', b.distorting, 'machine', b.machine,"                  \
	" 'kernel', b.kernel, 'config', b.config, 'command', b.command,"      \
	" 'environment', json((SELECT json_group_object(e.name, e.value)"     \
	"  FROM report_bench_env AS e WHERE e.bench = b.bench)),"             \
	" 'metrics', json((SELECT json_group_array(json(one)) FROM (SELECT"   \
	"  json_object('metric', m.metric, 'workload', m.words,"              \
	"   'quantity', m.quantity, 'unit', m.unit,"                          \
	"   'better', iif(m.higher_is_better, 'higher', 'lower'),"            \
	"   'pairs', m.pairs, 'before', m.before, 'after', m.after,"          \
	"   'change', m.change, 'interval', json_array(m.low, m.high),"       \
	"   'p', m.p, 'noise', m.noise, 'layout', m.layout,"                  \
	"   'verdict', m.verdict) AS one FROM report_bench_metric AS m"       \
	"   WHERE m.bench = b.bench ORDER BY m.n))),"                         \
	" 'curve', json((SELECT json_group_array(json_object("                \
	"  'metric', c.metric, 'possible_cpus', c.possible,"                  \
	"  'before', c.before, 'after', c.after))"                            \
	"  FROM report_bench_curve AS c WHERE c.bench = b.bench)),"           \
	" 'profile', json((SELECT json_group_array(json(one)) FROM (SELECT"   \
	"  json_object('symbol', f.symbol, 'before', f.before,"               \
	"   'after', f.after, 'unit', f.unit) AS one"                         \
	"   FROM report_bench_profile AS f"                                   \
	"   WHERE f.bench = b.bench ORDER BY f.n))),"                         \
	" 'measurements', json((SELECT json_group_array(json(one)) FROM ("    \
	"  SELECT json_object('n', s.n, 'phase', s.phase, 'pair', s.pair,"    \
	"   'position', s.position, 'arm', s.arm,"                            \
	"   'possible_cpus', s.possible, 'seconds', s.seconds,"               \
	"   'failure', s.failure, 'console', s.console,"                      \
	"   'samples', json((SELECT json_group_array(json_array(p.metric,"    \
	"    p.batch, p.value)) FROM (SELECT * FROM report_bench_sample AS q" \
	"    WHERE q.bench = s.bench AND q.shot = s.n ORDER BY q.n) AS p)))"  \
	"  AS one FROM report_bench_shot AS s WHERE s.bench = b.bench"        \
	"  ORDER BY s.n)))) FROM report_bench AS b WHERE b.bench = ?"

#endif
