R"sql(
-- SPDX-License-Identifier: GPL-2.0-only
-- Version 9: measurements of the running kernel that wait for the other one.

CREATE TABLE waiting (
	id INTEGER PRIMARY KEY,
	tree INTEGER NOT NULL REFERENCES tree (id),
	workload TEXT NOT NULL,
	params TEXT NOT NULL,
	kernel TEXT NOT NULL, -- as uname(2) names it
	boot TEXT NOT NULL, -- the id that each boot has
	distorting TEXT, -- debugging options, NULL: none that distort
	said TEXT NOT NULL, -- records, each from "hello" to "end"
	started INTEGER NOT NULL,
	UNIQUE (tree, workload)
) STRICT;

CREATE VIEW report_waiting AS
	SELECT w.id AS waiting, t.root, w.workload, w.params, w.kernel, w.boot,
		w.distorting, w.said, w.started
	FROM waiting AS w JOIN tree AS t ON t.id = w.tree;
)sql"
