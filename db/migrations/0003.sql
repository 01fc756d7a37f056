R"sql(
-- SPDX-License-Identifier: GPL-2.0-only
-- Version 3: series that come again, and what is written where no patch is.
--
-- run ─< writing ─< series ─< patch ─< patch_also
--           │          └── the version before, which it rerolls
--           └──< proposal

-- One `earlyout patch`: all that it wrote at a time.
CREATE TABLE writing (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	run INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
	strategy TEXT, -- what --strategy asked for
	created INTEGER NOT NULL
) STRICT;
CREATE INDEX writing_run ON writing (run);
INSERT INTO writing (id, run, created) SELECT id, run, created FROM series;

ALTER TABLE series ADD COLUMN writing INTEGER -- never NULL
	REFERENCES writing (id) ON DELETE CASCADE;
UPDATE series SET writing = id;
CREATE INDEX series_writing ON series (writing);
-- Its folder below the output: '' when it is the only one, "block", "part-2".
ALTER TABLE series ADD COLUMN name TEXT NOT NULL DEFAULT '';
ALTER TABLE series ADD COLUMN title TEXT; -- the subsystem: "BLOCK LAYER"
ALTER TABLE series ADD COLUMN version INTEGER NOT NULL DEFAULT 1
	CHECK (version >= 1);
ALTER TABLE series ADD COLUMN rerolls INTEGER -- NULL: the first version
	REFERENCES series (id) ON DELETE SET NULL;
ALTER TABLE series ADD COLUMN changes TEXT; -- since then, for a reader
ALTER TABLE series ADD COLUMN range_diff TEXT;
ALTER TABLE series ADD COLUMN base TEXT; -- the commit it applies to
-- Its commits as `git bundle` packs them, for the next version's range-diff.
ALTER TABLE series ADD COLUMN bundle BLOB;

ALTER TABLE patch ADD COLUMN strategy TEXT; -- of the rewriter
ALTER TABLE patch ADD COLUMN fixes TEXT; -- "0123456789ab (\"subject\")"

-- What else than patch.finding a patch mends.
CREATE TABLE patch_also (
	series INTEGER NOT NULL,
	n INTEGER NOT NULL,
	finding TEXT NOT NULL REFERENCES finding (id),
	PRIMARY KEY (series, n, finding),
	FOREIGN KEY (series, n) REFERENCES patch (series, n) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

-- For a finding whose fix is manual.
CREATE TABLE proposal (
	writing INTEGER NOT NULL REFERENCES writing (id) ON DELETE CASCADE,
	n INTEGER NOT NULL, -- from 0
	finding TEXT NOT NULL REFERENCES finding (id),
	name TEXT NOT NULL, -- of its file: "proposal-0001-….txt"
	text TEXT NOT NULL,
	PRIMARY KEY (writing, n)
) STRICT, WITHOUT ROWID;

-- The last writing of each run, its series, its patches: ordered by series
-- and n.
CREATE VIEW report_writing AS
	SELECT run, max(id) AS writing, strategy, created FROM writing
	GROUP BY run;

DROP VIEW report_patch;
DROP VIEW report_series;
CREATE VIEW report_series AS
	SELECT w.run, s.id AS series, s.cover, s.created, s.name, s.title,
		s.version, s.rerolls, s.changes, s.range_diff, s.base
	FROM series AS s JOIN report_writing AS w ON w.writing = s.writing;
CREATE VIEW report_patch AS
	SELECT s.run, s.series, p.n, p.number, p.total, p.finding, p.file,
		p.subject, p.body, p.diff, p.mail, p.strategy, p.fixes
	FROM patch AS p JOIN report_series AS s ON s.series = p.series;
CREATE VIEW report_patch_also AS
	SELECT s.run, p.series, p.n, p.finding
	FROM patch_also AS p JOIN report_series AS s ON s.series = p.series;
CREATE VIEW report_proposal AS
	SELECT w.run, p.n, p.finding, p.name, p.text
	FROM proposal AS p JOIN report_writing AS w ON w.writing = p.writing;

-- Every series there was, of every run: the highest of a name is the last.
CREATE VIEW report_version AS
	SELECT t.root, s.run, s.id AS series, s.cover, s.created, s.name,
		s.title, s.version, s.rerolls, s.changes, s.range_diff, s.base,
		s.bundle
	FROM series AS s JOIN run AS r ON r.id = s.run
		JOIN tree AS t ON t.id = r.tree;
CREATE VIEW report_version_patch AS
	SELECT series, n, number, total, finding, file, subject, body, diff,
		mail, strategy, fixes
	FROM patch;

-- What measuring says of a patch: a row a workload and metric. Whoever
-- measures replaces this view by one of the same columns; until then nothing
-- was measured, and nothing is said.
CREATE VIEW report_evidence AS
	SELECT NULL AS finding,
		NULL AS diff, -- of the patch that was measured
		NULL AS workload, -- a phrase: "read of an empty io.stat"
		NULL AS downside, -- 1: a case that the patch is not for
		NULL AS metric, -- "time", "guest instructions"
		NULL AS unit, -- "us": what before and after are in
		NULL AS n, -- pairs
		NULL AS before, -- medians
		NULL AS after,
		NULL AS change, -- the median paired change: -0.22 is 22% less
		NULL AS low, -- its confidence interval
		NULL AS high,
		NULL AS machine, -- "QEMU TCG, 16 vCPUs", a phrase
		NULL AS kernel, -- "6.12.117"
		NULL AS config, -- of the kernel, a phrase
		NULL AS distorting -- "lockdep, KASAN"; NULL: nothing does
	WHERE 0;
)sql"
