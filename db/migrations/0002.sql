R"sql(
-- SPDX-License-Identifier: GPL-2.0-only
-- Version 2: living with findings.
--
-- run ─< scope_file                what a limited run was limited to
--  └─< change >─ finding           new, unchanged, reopened, resolved, unseen
-- finding ─< moved                 the same finding before a file was renamed
--      └──< review                 what people said of it, and when
-- tree ─< profile ─< profile_symbol   where the time goes

ALTER TABLE run ADD COLUMN scope TEXT; -- in words; NULL: the whole tree
ALTER TABLE run ADD COLUMN engines INTEGER NOT NULL DEFAULT 3
	CHECK (engines BETWEEN 1 AND 3); -- that looked: 1 clang, 2 smpl
ALTER TABLE run ADD COLUMN left_out INTEGER NOT NULL DEFAULT 0; -- candidates
ALTER TABLE run ADD COLUMN baseline TEXT; -- what --baseline named

ALTER TABLE occurrence ADD COLUMN suppressed_by TEXT -- NULL: it is not
	CHECK (suppressed_by IN ('comment', 'ignore-file'));
ALTER TABLE occurrence ADD COLUMN suppressed_at TEXT; -- FILE:LINE
ALTER TABLE occurrence ADD COLUMN suppressed_reason TEXT;
ALTER TABLE occurrence ADD COLUMN suppressed_date TEXT; -- "2026-11-30"
ALTER TABLE occurrence ADD COLUMN origin TEXT -- see moved; never NULL
	REFERENCES finding (id);
UPDATE occurrence SET origin = finding;
CREATE INDEX occurrence_origin ON occurrence (origin, run);
ALTER TABLE occurrence ADD COLUMN known INTEGER -- in the baseline; NULL: none
	CHECK (known IN (0, 1));

CREATE INDEX gap_file ON gap (run, file, function, engine);

-- The files that a limited run had to look at, or that are gone.
CREATE TABLE scope_file (
	run INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
	file TEXT NOT NULL,
	PRIMARY KEY (run, file)
) STRICT, WITHOUT ROWID;

-- Version 1 had this in the command line alone.
UPDATE run SET engines = 1 WHERE instr(command, ' --no-smpl') > 0;
UPDATE run SET scope = '--only ' || replace(
		substr(command, instr(command, ' --only ') + 8),
		' --no-smpl', '')
	WHERE instr(command, ' --only ') > 0;
INSERT INTO scope_file SELECT id, substr(scope, 8) FROM run
	WHERE scope IS NOT NULL;

-- A fingerprint holds the file's name: after a rename there is a new one for
-- the same finding. The origin is the oldest, and has no row itself; each
-- occurrence has it too, for the comparison of runs.
CREATE TABLE moved (
	finding TEXT PRIMARY KEY REFERENCES finding (id),
	origin TEXT NOT NULL REFERENCES finding (id)
		CHECK (origin <> finding)
) STRICT, WITHOUT ROWID;
CREATE INDEX moved_origin ON moved (origin);

-- How a run differs from those before it. Written with the run.
CREATE TABLE change (
	run INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
	finding TEXT NOT NULL REFERENCES finding (id),
	status TEXT NOT NULL CHECK (status IN
		('new', 'unchanged', 'reopened', 'resolved', 'unseen')),
	last_run INTEGER, -- the one before that had it
	PRIMARY KEY (run, finding)
) STRICT, WITHOUT ROWID;

-- Only ever added to: the last row of an origin is what holds.
CREATE TABLE review (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	finding TEXT NOT NULL REFERENCES finding (id), -- an origin
	status TEXT NOT NULL CHECK (status IN ('confirmed', 'false-positive',
		'wont-fix', 'sent', 'merged')),
	note TEXT,
	who TEXT NOT NULL, -- "Name <address>", or a login
	made INTEGER NOT NULL
) STRICT;
CREATE INDEX review_finding ON review (finding);

CREATE TABLE profile (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	tree INTEGER NOT NULL REFERENCES tree (id),
	name TEXT NOT NULL,
	format TEXT NOT NULL CHECK (format IN ('perf-report', 'folded')),
	imported INTEGER NOT NULL,
	UNIQUE (tree, name)
) STRICT;

-- Shares of the whole profile, 0 to 1.
CREATE TABLE profile_symbol (
	profile INTEGER NOT NULL REFERENCES profile (id) ON DELETE CASCADE,
	symbol TEXT NOT NULL,
	self REAL NOT NULL, -- in the function itself
	total REAL, -- with all it calls; NULL: the profile does not say
	PRIMARY KEY (profile, symbol)
) STRICT, WITHOUT ROWID;

-- Who is who: each finding's id, and the oldest id it had.
CREATE VIEW thread AS
	SELECT f.id AS finding, coalesce(m.origin, f.id) AS origin
	FROM finding AS f LEFT JOIN moved AS m ON m.finding = f.id;

CREATE VIEW place AS
	SELECT r.tree, o.run, o.origin, o.id AS occurrence, o.finding, f.file,
		f.function, o.engines, o.ends_in
	FROM occurrence AS o JOIN run AS r ON r.id = o.run
		JOIN finding AS f ON f.id = o.finding;

-- Each run, with each place of its tree that it looked at again: the place is
-- in its scope, every engine that saw the finding ran, and none has a gap
-- there. What was found by way of a wrapper hangs on other files too: no file
-- may be missing as a whole that was looked at then.
CREATE VIEW looked AS
	SELECT q.id AS run, p.occurrence
	FROM place AS p JOIN run AS q ON q.tree = p.tree
	WHERE (q.scope IS NULL OR EXISTS (SELECT 1 FROM scope_file AS s
			WHERE s.run = q.id AND s.file = p.file))
		AND p.engines & ~q.engines = 0
		AND NOT EXISTS (SELECT 1 FROM gap AS g WHERE g.run = q.id
			AND p.engines & CASE g.engine WHEN 'clang' THEN 1 ELSE 2 END
			AND (g.file = '' OR g.file = p.file
				OR substr(p.file, 1, length(g.file) + 1) =
					g.file || '/')
			AND (g.function IS NULL OR g.function = p.function))
		AND (p.ends_in IS NULL OR NOT EXISTS (
			SELECT 1 FROM gap AS g WHERE g.run = q.id
			AND g.function IS NULL AND g.engine = 'clang'
			AND NOT EXISTS (SELECT 1 FROM gap AS h
				WHERE h.run = p.run AND h.file = g.file
				AND h.function IS NULL
				AND h.engine = g.engine)));

-- What belongs into change: each finding of a run beside the last run before
-- that had it, and each finding that earlier ones had and this one has not.
-- CROSS JOIN keeps the order: first what is last, then who looked there.
CREATE VIEW compared AS
	SELECT p.run, p.finding, l.run AS last_run,
		CASE WHEN l.run IS NULL THEN 'new'
		WHEN EXISTS (SELECT 1 FROM looked AS k
			WHERE k.occurrence = l.id
			AND k.run > l.run AND k.run < p.run) THEN 'reopened'
		ELSE 'unchanged' END AS status
	FROM run AS r CROSS JOIN occurrence AS p ON p.run = r.id
		LEFT JOIN occurrence AS l ON l.id = (SELECT x.id
			FROM occurrence AS x JOIN run AS y ON y.id = x.run
			WHERE x.origin = p.origin AND x.run < p.run
			AND y.tree = r.tree ORDER BY x.run DESC LIMIT 1)
	UNION ALL
	SELECT r.id, l.finding, l.run,
		CASE WHEN EXISTS (SELECT 1 FROM looked AS k
			WHERE k.occurrence = l.id AND k.run = r.id)
		THEN 'resolved' ELSE 'unseen' END
	FROM run AS r
		CROSS JOIN (SELECT DISTINCT origin FROM occurrence) AS a
		CROSS JOIN occurrence AS l ON l.id = (SELECT x.id
			FROM occurrence AS x JOIN run AS y ON y.id = x.run
			WHERE x.origin = a.origin AND x.run <= r.id
			AND y.tree = r.tree ORDER BY x.run DESC LIMIT 1)
	WHERE l.run < r.id AND NOT EXISTS (SELECT 1 FROM looked AS k
			WHERE k.occurrence = l.id
			AND k.run > l.run AND k.run < r.id);

INSERT OR IGNORE INTO change (run, finding, last_run, status)
	SELECT run, finding, last_run, status FROM compared;

-- The views, for readers. The profile that counts is the tree's last.
CREATE VIEW last_profile AS
	SELECT tree, max(id) AS profile, name FROM profile GROUP BY tree;

-- A finding's weight: its function's share, else the share of what it calls.
CREATE VIEW weight AS
	SELECT o.id AS occurrence, l.name AS profile, s.symbol,
		coalesce(s.total, s.self) AS share,
		s.symbol = f.function AS own
	FROM occurrence AS o JOIN finding AS f ON f.id = o.finding
		JOIN run AS r ON r.id = o.run
		JOIN last_profile AS l ON l.tree = r.tree
		JOIN profile_symbol AS s ON s.profile = l.profile
			AND s.symbol = CASE
			WHEN EXISTS (SELECT 1 FROM profile_symbol AS y
				WHERE y.profile = l.profile
				AND y.symbol = f.function) THEN f.function
			WHEN EXISTS (SELECT 1 FROM profile_symbol AS y
				WHERE y.profile = l.profile
				AND y.symbol = f.call) THEN f.call
			ELSE o.ends_in END;

CREATE VIEW report_review AS
	SELECT t.finding, v.id AS review, v.status, v.note, v.who, v.made
	FROM review AS v JOIN thread AS t ON t.origin = v.finding;

DROP VIEW report_run;
CREATE VIEW report_run AS
	SELECT run.id AS run, tree.root, run.version, run.revision, run.command,
		run.build_origin, run.config_hash, run.tool_version,
		run.model_hash, run.started, run.duration_ms, run.files,
		run.candidates, run.analyzed, run.outside, run.scope,
		run.engines, run.left_out, run.baseline,
		(SELECT max(q.id) FROM run AS q WHERE q.tree = run.tree
			AND q.id < run.id AND run.engines & ~q.engines = 0
			AND (q.scope IS NULL OR q.scope = run.scope))
			AS compared_to,
		(SELECT l.name FROM last_profile AS l WHERE l.tree = run.tree)
			AS profile
	FROM run JOIN tree ON tree.id = run.tree;

DROP VIEW report_finding;
CREATE VIEW report_finding AS
	SELECT o.run, o.n, o.id AS occurrence, f.id, f.rule, f.file, o.line,
		o.col, f.function, o.function_line, o.function_end, f.call,
		o.call_text, o.ends_in, o.guard, o.head, o.walk_line, o.walk,
		o.result, o.message, o.confidence, o.fix, o.engines, o.dissent,
		o.source, coalesce(c.status, 'new') AS status, c.last_run,
		o.suppressed_by, o.suppressed_at, o.suppressed_reason,
		o.suppressed_date, o.known,
		(SELECT max(v.review) FROM report_review AS v
			WHERE v.finding = o.finding) AS review,
		(SELECT w.share FROM weight AS w
			WHERE w.occurrence = o.id) AS weight
	FROM occurrence AS o JOIN finding AS f ON f.id = o.finding
		LEFT JOIN change AS c ON c.run = o.run
			AND c.finding = o.finding;

-- What an earlier run had and this one has not: resolved, or unseen.
CREATE VIEW report_absent AS
	SELECT c.run, c.status, c.last_run, f.id, f.rule, f.file, o.line,
		o.col, f.function, f.call, o.call_text, o.message
	FROM change AS c JOIN finding AS f ON f.id = c.finding
		JOIN occurrence AS o ON o.run = c.last_run
			AND o.finding = c.finding
	WHERE c.status IN ('resolved', 'unseen');

DROP VIEW report_hot;
CREATE VIEW report_hot AS
	SELECT o.run, h.occurrence, h.n, h.evidence
	FROM hot AS h JOIN occurrence AS o ON o.id = h.occurrence
	UNION ALL
	SELECT o.run, w.occurrence, -1,
		printf('%.1f%% of the imported profile %s%s', 100 * w.share,
			w.profile,
			CASE WHEN w.own THEN '' ELSE ', in ' || w.symbol || '()' END)
	FROM weight AS w JOIN occurrence AS o ON o.id = w.occurrence;

-- Each finding of the last run, or that is missing there, or was reviewed.
CREATE VIEW report_listing AS
	SELECT f.id, f.rule, f.file, f.function, f.call, o.line, c.status AS state,
		v.status AS review, v.note
	FROM (SELECT origin, max(run) AS run FROM place GROUP BY origin) AS l
		JOIN place AS p ON p.origin = l.origin AND p.run = l.run
		JOIN occurrence AS o ON o.id = p.occurrence
		JOIN finding AS f ON f.id = p.finding
		LEFT JOIN change AS c ON c.finding = p.finding
			AND c.run = (SELECT max(id) FROM run)
		LEFT JOIN review AS v ON v.id = (SELECT max(x.id)
			FROM review AS x WHERE x.finding = l.origin)
	WHERE c.status IS NOT NULL OR v.id IS NOT NULL;

CREATE VIEW report_scope_file AS SELECT run, file FROM scope_file;
)sql"
