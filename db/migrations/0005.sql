R"sql(
-- SPDX-License-Identifier: GPL-2.0-only
-- Version 5: benchmarks.
--
-- tree ─< bench ─< bench_env                 the machine and both kernels
--           ├────< bench_metric              what was measured, and the verdict
--           ├────< bench_curve               against the number of CPUs
--           └────< bench_shot ─< bench_sample   every boot, every sample
-- tree ─< hook                               programs of the user that measure
-- tree ─< census                             how common a case is on a host

-- One comparison of two kernels, stored whole.
CREATE TABLE bench (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	tree INTEGER NOT NULL REFERENCES tree (id),
	workload TEXT NOT NULL, -- "io-stat"
	params TEXT NOT NULL, -- of the workload, as given to it
	stands_for TEXT NOT NULL,
	runner TEXT NOT NULL
		CHECK (runner IN ('qemu', 'icount', 'host', 'command')),
	what TEXT NOT NULL, -- what differs: "x.patch", "A..B", two images
	patch TEXT, -- the diff, where there is one
	finding TEXT REFERENCES finding (id), -- that it is evidence for
	before_kernel TEXT NOT NULL, -- key in the cache, or the image
	after_kernel TEXT NOT NULL,
	cpus INTEGER NOT NULL, -- booted
	possible INTEGER NOT NULL, -- at least cpus
	started INTEGER NOT NULL,
	duration_ms INTEGER NOT NULL,
	budget_s INTEGER NOT NULL,
	seed INTEGER NOT NULL, -- of the order and of the resampling
	stopped TEXT NOT NULL, -- why it ended
	failure TEXT, -- NULL: none of what was measured failed
	distorting TEXT, -- debugging options, NULL: none that distort
	machine TEXT NOT NULL, -- a phrase: "QEMU TCG, 16 vCPUs"
	kernel TEXT NOT NULL, -- "6.12.117"
	config TEXT NOT NULL, -- of the kernel, a phrase
	command TEXT NOT NULL
) STRICT;
CREATE INDEX bench_tree ON bench (tree);
CREATE INDEX bench_finding ON bench (finding);

CREATE TABLE bench_env (
	bench INTEGER NOT NULL REFERENCES bench (id) ON DELETE CASCADE,
	name TEXT NOT NULL, -- "cpu", "qemu", "kernel configuration", …
	value TEXT NOT NULL,
	PRIMARY KEY (bench, name)
) STRICT, WITHOUT ROWID;

-- Medians are of the measurements' medians; changes are of pairs, 0.01 is 1%.
CREATE TABLE bench_metric (
	bench INTEGER NOT NULL REFERENCES bench (id) ON DELETE CASCADE,
	n INTEGER NOT NULL, -- from 0
	metric TEXT NOT NULL,
	words TEXT NOT NULL, -- a phrase: "read of an empty io.stat"
	quantity TEXT NOT NULL, -- "time", "guest instructions", …
	unit TEXT NOT NULL, -- "ns", "instructions", "1/s"
	higher_is_better INTEGER NOT NULL CHECK (higher_is_better IN (0, 1)),
	pairs INTEGER NOT NULL,
	before REAL, -- NULL with all below when there is no pair
	after REAL,
	change REAL,
	low REAL, -- of the change's 95% interval
	high REAL,
	p REAL, -- Wilcoxon signed-rank, both sides
	noise REAL, -- the largest change of pairs of the same kernel
	layout REAL, -- of the same code at other addresses; 0: not measured
	verdict TEXT CHECK (verdict IN
		('improved', 'regressed', 'no consistent change')),
	PRIMARY KEY (bench, n),
	UNIQUE (bench, metric)
) STRICT, WITHOUT ROWID;

CREATE TABLE bench_curve (
	bench INTEGER NOT NULL REFERENCES bench (id) ON DELETE CASCADE,
	metric TEXT NOT NULL,
	possible INTEGER NOT NULL, -- CPUs
	before REAL NOT NULL,
	after REAL NOT NULL,
	PRIMARY KEY (bench, metric, possible)
) STRICT, WITHOUT ROWID;

-- One measurement: a boot, or one run of a hook.
CREATE TABLE bench_shot (
	id INTEGER PRIMARY KEY,
	bench INTEGER NOT NULL REFERENCES bench (id) ON DELETE CASCADE,
	n INTEGER NOT NULL, -- in the order of time, from 0
	phase TEXT NOT NULL CHECK (phase IN
		('warm-up', 'same', 'layout', 'pairs', 'curve')),
	pair INTEGER NOT NULL, -- of the phase, from 0
	second INTEGER NOT NULL CHECK (second IN (0, 1)), -- stands for "after"
	position INTEGER NOT NULL, -- 0: measured first of its pair
	arm TEXT NOT NULL CHECK (arm IN ('before', 'after', 'placebo')),
	possible INTEGER NOT NULL, -- CPUs; 0: as the bench says
	seconds REAL NOT NULL,
	failure TEXT, -- NULL: none
	console TEXT, -- what the kernel printed, where it failed
	UNIQUE (bench, n)
) STRICT;

CREATE TABLE bench_sample (
	shot INTEGER NOT NULL REFERENCES bench_shot (id) ON DELETE CASCADE,
	n INTEGER NOT NULL, -- from 0
	metric TEXT NOT NULL,
	batch INTEGER NOT NULL, -- 0 is the warm-up
	value REAL NOT NULL,
	PRIMARY KEY (shot, n)
) STRICT, WITHOUT ROWID;

CREATE TABLE hook (
	id INTEGER PRIMARY KEY,
	tree INTEGER NOT NULL REFERENCES tree (id),
	name TEXT NOT NULL,
	path TEXT NOT NULL, -- absolute
	rule TEXT, -- that it is for; NULL: any
	finding TEXT REFERENCES finding (id), -- or this one alone
	added INTEGER NOT NULL,
	UNIQUE (tree, name)
) STRICT;

CREATE TABLE census (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	tree INTEGER NOT NULL REFERENCES tree (id),
	file TEXT NOT NULL, -- "io.stat"
	root TEXT NOT NULL, -- below which was looked
	host TEXT NOT NULL,
	cpus INTEGER NOT NULL, -- possible ones
	files INTEGER NOT NULL, -- that could be read
	empty INTEGER NOT NULL, -- of them
	unread INTEGER NOT NULL, -- that could not
	taken INTEGER NOT NULL
) STRICT;

-- The views, for readers.
CREATE VIEW report_bench AS
	SELECT b.id AS bench, t.root, b.workload, b.params, b.stands_for,
		b.runner, b.what, b.patch, b.finding, b.before_kernel,
		b.after_kernel, b.cpus, b.possible, b.started, b.duration_ms,
		b.budget_s, b.seed, b.stopped, b.failure, b.distorting,
		b.command, b.machine, b.kernel, b.config
	FROM bench AS b JOIN tree AS t ON t.id = b.tree;

CREATE VIEW report_bench_env AS SELECT bench, name, value FROM bench_env;

-- What is worse after: a downside that has to be said.
CREATE VIEW report_bench_metric AS
	SELECT m.bench, m.n, m.metric, m.words, m.quantity, m.unit, m.higher_is_better,
		m.pairs, m.before, m.after, m.change, m.low, m.high, m.p,
		m.noise, m.layout, m.verdict,
		coalesce(m.verdict = 'regressed', 0) AS downside
	FROM bench_metric AS m;

CREATE VIEW report_bench_curve AS
	SELECT bench, metric, possible, before, after FROM bench_curve;

CREATE VIEW report_bench_shot AS
	SELECT bench, id AS shot, n, phase, pair, second, position, arm,
		possible, seconds, failure, console FROM bench_shot;

CREATE VIEW report_bench_sample AS
	SELECT s.bench, s.n AS shot, s.phase, s.pair, s.second, s.arm,
		s.possible, p.n, p.metric, p.batch, p.value
	FROM bench_shot AS s JOIN bench_sample AS p ON p.shot = s.id;

-- What a series says of a patch: of the last bench of each workload and
-- runner that did not fail. Times are in us from 1 us on.
DROP VIEW report_evidence;
CREATE VIEW report_evidence AS
	SELECT o.finding, b.patch AS diff, m.words AS workload,
		m.verdict IS NOT 'improved' AS downside, m.quantity AS metric,
		CASE WHEN m.unit = 'ns' AND m.before >= 1000 THEN 'us'
			ELSE m.unit END AS unit,
		m.pairs AS n,
		CASE WHEN m.unit = 'ns' AND m.before >= 1000
			THEN m.before / 1000 ELSE m.before END AS before,
		CASE WHEN m.unit = 'ns' AND m.before >= 1000
			THEN m.after / 1000 ELSE m.after END AS after,
		m.change, m.low, m.high, b.machine, b.kernel, b.config,
		b.distorting
	FROM bench AS b JOIN bench_metric AS m ON m.bench = b.id
		JOIN thread AS t ON t.finding = b.finding
		JOIN thread AS o ON o.origin = t.origin
	WHERE b.failure IS NULL AND m.before IS NOT NULL
		AND NOT EXISTS (SELECT 1 FROM bench AS later
			JOIN thread AS l ON l.finding = later.finding
			WHERE l.origin = t.origin
			AND later.patch IS b.patch
			AND later.workload = b.workload
			AND later.runner = b.runner
			AND later.failure IS NULL AND later.id > b.id)
	ORDER BY b.id, m.n;

CREATE VIEW report_hook AS
	SELECT h.id AS hook, t.root, h.name, h.path, h.rule, h.finding, h.added
	FROM hook AS h JOIN tree AS t ON t.id = h.tree;

CREATE VIEW report_census AS
	SELECT c.id AS census, t.root AS tree, c.file, c.root, c.host, c.cpus,
		c.files, c.empty, c.unread, c.taken
	FROM census AS c JOIN tree AS t ON t.id = c.tree;
)sql"
