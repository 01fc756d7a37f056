R"sql(
-- SPDX-License-Identifier: GPL-2.0-only
-- Version 1 of the schema. A migration that was ever released is not edited:
-- what comes later goes into the next number.
--
-- tree ─< run ─< occurrence >─ finding       what was found, and when
--           │        ├─< obligation          the proof
--           │        ├─< step                the path from call to no use
--           │        └─< hot                 why the site matters
--           ├─< gap                          what was not looked at
--           └─< series ─< patch >─ finding   what was written to mend it
--
-- Lines and columns count from 1, columns in bytes; 0 is "not known". Times
-- are seconds since 1970 in UTC. Text is as the tree has it: bytes, mostly
-- UTF-8. Readers go through the views at the end, never to the tables.

-- A kernel tree, by where it is.
CREATE TABLE tree (
	id INTEGER PRIMARY KEY,
	root TEXT NOT NULL UNIQUE -- absolute path
) STRICT;

-- One scan of a tree, stored whole or not at all. The highest id is the last.
CREATE TABLE run (
	id INTEGER PRIMARY KEY AUTOINCREMENT, -- of a deleted run: never again
	tree INTEGER NOT NULL REFERENCES tree (id),
	version TEXT NOT NULL, -- of the kernel: "6.12.117"
	revision TEXT, -- git's, where there is git
	command TEXT NOT NULL, -- the command line, quoted for a shell
	build_origin TEXT NOT NULL, -- where the compiler's flags came from
	config_hash TEXT, -- of the .config, where there is one
	tool_version TEXT NOT NULL,
	model_hash TEXT NOT NULL, -- of the cost and effect model
	started INTEGER NOT NULL,
	duration_ms INTEGER NOT NULL,
	files INTEGER NOT NULL, -- .c files in the tree
	candidates INTEGER NOT NULL, -- of them, name a modelled call
	analyzed INTEGER NOT NULL, -- of them, looked at by an engine at least
	outside INTEGER NOT NULL -- name one, but are no kernel code
) STRICT;
CREATE INDEX run_tree ON run (tree);

-- What a finding is, apart from any one run: the same id in two runs is the
-- same call in the same function, wherever its line has moved to.
CREATE TABLE finding (
	id TEXT PRIMARY KEY -- fingerprint, 16 hexadecimal digits
		CHECK (length(id) = 16 AND id NOT GLOB '*[^0-9a-f]*'),
	rule TEXT NOT NULL,
	file TEXT NOT NULL, -- relative to the tree's root
	function TEXT NOT NULL,
	call TEXT NOT NULL -- the callee's name
) STRICT, WITHOUT ROWID;

-- A finding as one run saw it.
CREATE TABLE occurrence (
	id INTEGER PRIMARY KEY,
	run INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
	n INTEGER NOT NULL, -- its place in the run's list, from 0
	finding TEXT NOT NULL REFERENCES finding (id),
	line INTEGER NOT NULL, -- of the call
	col INTEGER NOT NULL,
	function_line INTEGER NOT NULL, -- first and last line of the function
	function_end INTEGER NOT NULL,
	call_text TEXT, -- the call with its arguments
	ends_in TEXT, -- the modelled call behind a wrapper
	guard TEXT, -- the test that could come first
	head TEXT, -- what the guard looks at
	walk_line INTEGER NOT NULL, -- where the product is read
	walk TEXT, -- the walk's macro
	result TEXT, -- the early return's value; '' returns none, NULL: no return
	message TEXT NOT NULL, -- one line
	confidence TEXT NOT NULL CHECK (confidence IN ('low', 'medium', 'high')),
	fix TEXT NOT NULL CHECK (fix IN ('none', 'manual', 'auto')),
	engines INTEGER NOT NULL CHECK (engines BETWEEN 0 AND 3), -- 1 clang, 2 smpl
	dissent TEXT, -- what the other engine holds against it
	source TEXT, -- the function's lines
	UNIQUE (run, finding),
	UNIQUE (run, n)
) STRICT;
CREATE INDEX occurrence_finding ON occurrence (finding);

-- What has to hold for the fix to be right, and how that came out.
CREATE TABLE obligation (
	occurrence INTEGER NOT NULL REFERENCES occurrence (id) ON DELETE CASCADE,
	n INTEGER NOT NULL, -- from 0
	name TEXT NOT NULL,
	state TEXT NOT NULL
		CHECK (state IN ('proved', 'assumed', 'unknown', 'failed')),
	detail TEXT, -- what decided
	PRIMARY KEY (occurrence, n)
) STRICT, WITHOUT ROWID;

-- The path from the call to where its work turns out unused.
CREATE TABLE step (
	occurrence INTEGER NOT NULL REFERENCES occurrence (id) ON DELETE CASCADE,
	n INTEGER NOT NULL, -- from 0
	kind TEXT NOT NULL, -- "call", "test", "walk", "return", …
	line INTEGER NOT NULL,
	col INTEGER NOT NULL,
	text TEXT, -- for the reader
	PRIMARY KEY (occurrence, n)
) STRICT, WITHOUT ROWID;

-- Evidence that the site is on a hot path.
CREATE TABLE hot (
	occurrence INTEGER NOT NULL REFERENCES occurrence (id) ON DELETE CASCADE,
	n INTEGER NOT NULL, -- from 0
	evidence TEXT NOT NULL,
	PRIMARY KEY (occurrence, n)
) STRICT, WITHOUT ROWID;

-- The coverage ledger: what an engine did not look at, and why.
CREATE TABLE gap (
	run INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
	n INTEGER NOT NULL, -- from 0
	file TEXT NOT NULL, -- '' is the whole scan
	function TEXT, -- NULL is the whole file
	engine TEXT NOT NULL CHECK (engine IN ('clang', 'smpl')),
	reason TEXT NOT NULL,
	detail TEXT, -- a sentence, and what to do
	PRIMARY KEY (run, n)
) STRICT, WITHOUT ROWID;

-- A mail series written from a run.
CREATE TABLE series (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	run INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
	cover TEXT, -- the cover letter's mail
	created INTEGER NOT NULL
) STRICT;
CREATE INDEX series_run ON series (run);

CREATE TABLE patch (
	series INTEGER NOT NULL REFERENCES series (id) ON DELETE CASCADE,
	n INTEGER NOT NULL, -- from 0
	number INTEGER NOT NULL, -- 1 of total, as its subject says
	total INTEGER NOT NULL,
	finding TEXT NOT NULL REFERENCES finding (id),
	file TEXT NOT NULL, -- the one it touches
	subject TEXT NOT NULL, -- without "[PATCH …]"
	body TEXT, -- of the message
	diff TEXT, -- unified
	mail TEXT, -- the whole file
	PRIMARY KEY (series, n)
) STRICT, WITHOUT ROWID;
CREATE INDEX patch_finding ON patch (finding);

-- The views: what readers may rely on. All rows of a run are `WHERE run = ?`,
-- in the order of n.

CREATE VIEW report_run AS
	SELECT run.id AS run, tree.root, run.version, run.revision, run.command,
		run.build_origin, run.config_hash, run.tool_version,
		run.model_hash, run.started, run.duration_ms, run.files,
		run.candidates, run.analyzed, run.outside
	FROM run JOIN tree ON tree.id = run.tree;

CREATE VIEW report_finding AS
	SELECT o.run, o.n, o.id AS occurrence, f.id, f.rule, f.file, o.line,
		o.col, f.function, o.function_line, o.function_end, f.call,
		o.call_text, o.ends_in, o.guard, o.head, o.walk_line, o.walk,
		o.result, o.message, o.confidence, o.fix, o.engines, o.dissent,
		o.source
	FROM occurrence AS o JOIN finding AS f ON f.id = o.finding;

CREATE VIEW report_obligation AS
	SELECT o.run, b.occurrence, b.n, b.name, b.state, b.detail
	FROM obligation AS b JOIN occurrence AS o ON o.id = b.occurrence;

CREATE VIEW report_step AS
	SELECT o.run, s.occurrence, s.n, s.kind, s.line, s.col, s.text
	FROM step AS s JOIN occurrence AS o ON o.id = s.occurrence;

CREATE VIEW report_hot AS
	SELECT o.run, h.occurrence, h.n, h.evidence
	FROM hot AS h JOIN occurrence AS o ON o.id = h.occurrence;

CREATE VIEW report_gap AS
	SELECT run, n, file, function, engine, reason, detail FROM gap;

-- The last series of each run.
CREATE VIEW report_series AS
	SELECT run, max(id) AS series, cover, created FROM series GROUP BY run;

CREATE VIEW report_patch AS
	SELECT s.run, p.n, p.number, p.total, p.finding, p.file, p.subject,
		p.body, p.diff, p.mail
	FROM patch AS p JOIN report_series AS s ON s.series = p.series;
)sql"
