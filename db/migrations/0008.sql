R"sql(
-- SPDX-License-Identifier: GPL-2.0-only
-- Version 8: what `earlyout verify` said.
--
-- tree ─< verification ─< verification_patch ─┬─< verification_check
--              │                 │            ├─< verification_warning
--              │                 │            └─< verification_finding
--              └── series        └── patch: when we have written it

CREATE TABLE verification (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	tree INTEGER NOT NULL REFERENCES tree (id),
	series INTEGER -- all patches are of it; NULL: a stranger's
		REFERENCES series (id) ON DELETE SET NULL,
	input TEXT NOT NULL, -- as it was given: a folder, a file, "-", "A..B"
	title TEXT NOT NULL, -- the first subject
	base TEXT, -- the commit it says to apply to, or the range's begin
	version TEXT NOT NULL, -- of the tree
	revision TEXT, -- of the tree; NULL: no git
	tool_version TEXT NOT NULL,
	sandbox INTEGER NOT NULL CHECK (sandbox IN (0, 1)),
	notes TEXT NOT NULL, -- what of the input was left out: lines
	verdict TEXT NOT NULL -- the worst that is not to be expected
		CHECK (verdict IN ('pass', 'fail', 'incomplete')),
	started INTEGER NOT NULL,
	duration_ms INTEGER NOT NULL
) STRICT;
CREATE INDEX verification_tree ON verification (tree);
CREATE INDEX verification_series ON verification (series);

CREATE TABLE verification_patch (
	verification INTEGER NOT NULL
		REFERENCES verification (id) ON DELETE CASCADE,
	n INTEGER NOT NULL, -- from 1
	subject TEXT NOT NULL, -- without "[PATCH …]"
	author TEXT NOT NULL, -- '': not known
	version INTEGER NOT NULL, -- "v2"
	diff_id TEXT NOT NULL, -- 16 digits: of what is added and removed
	series INTEGER, -- where we have written the same change
	series_n INTEGER,
	PRIMARY KEY (verification, n),
	FOREIGN KEY (series, series_n) REFERENCES patch (series, n)
		ON DELETE SET NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX verification_patch_diff ON verification_patch (diff_id);
CREATE INDEX verification_patch_series
	ON verification_patch (series, series_n);

CREATE TABLE verification_check (
	verification INTEGER NOT NULL,
	patch INTEGER NOT NULL,
	n INTEGER NOT NULL, -- from 0
	name TEXT NOT NULL, -- "applies", "build", "scan", …
	verdict TEXT NOT NULL
		CHECK (verdict IN ('pass', 'warn', 'fail', 'skipped')),
	reason TEXT NOT NULL, -- a sentence
	log TEXT NOT NULL, -- its first 64 KiB
	duration_ms INTEGER NOT NULL, -- checks run side by side
	PRIMARY KEY (verification, patch, n),
	FOREIGN KEY (verification, patch)
		REFERENCES verification_patch (verification, n)
		ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

-- What a compiler or checker says after the patch and not before, or the
-- other way round.
CREATE TABLE verification_warning (
	verification INTEGER NOT NULL,
	patch INTEGER NOT NULL,
	n INTEGER NOT NULL, -- from 0
	tool TEXT NOT NULL
		CHECK (tool IN ('compiler', 'sparse', 'coccinelle')),
	comes INTEGER NOT NULL CHECK (comes IN (0, 1)), -- 0: it went
	fingerprint TEXT NOT NULL, -- file, function and message, no line
	text TEXT NOT NULL, -- as the tool printed it
	PRIMARY KEY (verification, patch, n),
	FOREIGN KEY (verification, patch)
		REFERENCES verification_patch (verification, n)
		ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

-- A finding that the patch changes or brings. No key of table finding: no
-- scan may have stored it.
CREATE TABLE verification_finding (
	verification INTEGER NOT NULL,
	patch INTEGER NOT NULL,
	n INTEGER NOT NULL, -- from 0
	finding TEXT NOT NULL, -- id
	rule TEXT NOT NULL,
	file TEXT NOT NULL,
	function TEXT NOT NULL,
	fate TEXT NOT NULL CHECK (fate IN
		('proved', 'shape', 'hidden', 'stays', 'new')),
	why TEXT NOT NULL, -- the proof, or what stands in its way
	PRIMARY KEY (verification, patch, n),
	FOREIGN KEY (verification, patch)
		REFERENCES verification_patch (verification, n)
		ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE INDEX verification_finding_id ON verification_finding (finding);

-- The views, for readers.
CREATE VIEW report_verification AS
	SELECT v.id AS verification, t.root, v.series, v.input, v.title,
		v.base, v.version, v.revision, v.tool_version, v.sandbox,
		v.notes, v.verdict, v.started, v.duration_ms,
		(SELECT count(*) FROM verification_patch AS p
			WHERE p.verification = v.id) AS patches,
		(SELECT count(*) FROM verification_check AS c
			WHERE c.verification = v.id
			AND c.verdict = 'pass') AS passed,
		(SELECT count(*) FROM verification_check AS c
			WHERE c.verification = v.id
			AND c.verdict = 'warn') AS warned,
		(SELECT count(*) FROM verification_check AS c
			WHERE c.verification = v.id
			AND c.verdict = 'fail') AS failed,
		(SELECT count(*) FROM verification_check AS c
			WHERE c.verification = v.id
			AND c.verdict = 'skipped') AS skipped
	FROM verification AS v JOIN tree AS t ON t.id = v.tree;

-- finding: what we wrote the same change for.
CREATE VIEW report_verification_patch AS
	SELECT p.verification, p.n, p.subject, p.author, p.version, p.diff_id,
		p.series, p.series_n, s.finding
	FROM verification_patch AS p LEFT JOIN patch AS s
		ON s.series = p.series AND s.n = p.series_n;

CREATE VIEW report_verification_check AS
	SELECT verification, patch, n, name, verdict, reason, log, duration_ms
	FROM verification_check;

CREATE VIEW report_verification_warning AS
	SELECT verification, patch, n, tool, comes, fingerprint, text
	FROM verification_warning;

CREATE VIEW report_verification_finding AS
	SELECT verification, patch, n, finding, rule, file, function, fate, why
	FROM verification_finding;

-- The last verification of each change, whoever wrote it.
CREATE VIEW report_verified AS
	SELECT t.root, p.diff_id, p.verification, p.n AS patch, v.version,
		v.started, p.series, p.series_n
	FROM verification_patch AS p
		JOIN verification AS v ON v.id = p.verification
		JOIN tree AS t ON t.id = v.tree
	WHERE NOT EXISTS (SELECT 1 FROM verification_patch AS l
		JOIN verification AS w ON w.id = l.verification
		WHERE l.diff_id = p.diff_id AND w.tree = v.tree
		AND l.verification > p.verification);
)sql"
