R"sql(
-- SPDX-License-Identifier: GPL-2.0-only
-- Version 11: what perf saw of the kernel that waits for another, and the
-- unit of a bench's profile.

ALTER TABLE waiting ADD COLUMN profile TEXT; -- lines "SAMPLES|[k] SYMBOL"

DROP VIEW report_waiting;
CREATE VIEW report_waiting AS
	SELECT w.id AS waiting, t.root, w.workload, w.params, w.kernel, w.boot,
		w.distorting, w.said, w.started, w.profile
	FROM waiting AS w JOIN tree AS t ON t.id = w.tree;

DROP VIEW report_bench_profile;
CREATE VIEW report_bench_profile AS
	SELECT p.bench, p.n, p.symbol, p.before, p.after,
		iif(b.runner = 'host', 'samples', 'instructions') AS unit
	FROM bench_profile AS p JOIN bench AS b ON b.id = p.bench;
)sql"
