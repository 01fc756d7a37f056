R"sql(
-- SPDX-License-Identifier: GPL-2.0-only
-- Version 7: evidence says its verdict, what a patch gains whichever way
-- better is, and how common the case is.

-- gain: 0.22 is 22% better, by a consistent change; NULL: no such change.
-- common: a sentence, from the last census of the files that the workload
-- reads ("io-stat" reads io.stat); NULL: none was taken.
DROP VIEW report_row;
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
		b.distorting, m.verdict,
		CASE WHEN m.verdict IS 'improved' THEN abs(m.change) END
			AS gain,
		(SELECT printf('%,d of %,d %s files were empty on a %d-CPU host.',
				c.empty, c.files, c.file, c.cpus)
			FROM census AS c WHERE c.tree = b.tree
			AND c.file = replace(b.workload, '-', '.')
			AND c.empty > 0 ORDER BY c.id DESC LIMIT 1) AS common,
		b.id AS bench, m.metric AS series, m.higher_is_better
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

CREATE VIEW report_row AS
	SELECT f.run, f.n, f.id, f.rule, f.file, f.line, f.col, f.function,
		f.call, f.guard, f.message, f.confidence, f.fix, f.engines,
		f.status, f.suppressed_by IS NOT NULL AS suppressed, f.known,
		f.weight, v.status AS review, v.note, v.who,
		(SELECT count(*) FROM review AS n WHERE n.finding = o.origin)
			+ (SELECT count(*) FROM review AS n
			JOIN review_undo AS u ON u.review = n.id
			WHERE n.finding = o.origin) AS version,
		(SELECT max(e.gain) FROM report_evidence AS e
			WHERE e.finding = f.id
			AND e.distorting IS NULL) AS gain
	FROM report_finding AS f JOIN occurrence AS o ON o.id = f.occurrence
		LEFT JOIN review AS v ON v.id = f.review;
)sql"
