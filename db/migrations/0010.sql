R"sql(
-- SPDX-License-Identifier: GPL-2.0-only
-- Version 10: which functions a workload's instructions are in.

CREATE TABLE bench_profile (
	bench INTEGER NOT NULL REFERENCES bench (id) ON DELETE CASCADE,
	n INTEGER NOT NULL, -- from 0, the most first
	symbol TEXT NOT NULL, -- a function of the kernel, or "[user]"
	before REAL NOT NULL, -- instructions a batch of the workload
	after REAL NOT NULL,
	PRIMARY KEY (bench, n),
	UNIQUE (bench, symbol)
) STRICT, WITHOUT ROWID;

CREATE VIEW report_bench_profile AS
	SELECT bench, n, symbol, before, after FROM bench_profile;
)sql"
