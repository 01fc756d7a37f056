R"sql(
-- SPDX-License-Identifier: GPL-2.0-only
-- Version 6: which review holds is found by an index, not by a walk over all
-- reviews for each finding.

-- CROSS JOIN keeps the order: from the finding to what was said of it.
DROP VIEW report_review;
CREATE VIEW report_review AS
	SELECT t.finding, v.id AS review, v.status, v.note, v.who, v.made,
		u.who AS undone_by, u.made AS undone
	FROM thread AS t CROSS JOIN review AS v ON v.finding = t.origin
		LEFT JOIN review_undo AS u ON u.review = v.id;

DROP VIEW report_row;
DROP VIEW report_finding;
CREATE VIEW report_finding AS
	SELECT o.run, o.n, o.id AS occurrence, f.id, f.rule, f.file, o.line,
		o.col, f.function, o.function_line, o.function_end, f.call,
		o.call_text, o.ends_in, o.guard, o.head, o.walk_line, o.walk,
		o.result, o.message, o.confidence, o.fix, o.engines, o.dissent,
		o.source, coalesce(c.status, 'new') AS status, c.last_run,
		o.suppressed_by, o.suppressed_at, o.suppressed_reason,
		o.suppressed_date, o.known,
		(SELECT v.id FROM review AS v WHERE v.finding = o.origin
			AND NOT EXISTS (SELECT 1 FROM review_undo AS u
				WHERE u.review = v.id)
			ORDER BY v.id DESC LIMIT 1) AS review,
		(SELECT w.share FROM weight AS w
			WHERE w.occurrence = o.id) AS weight
	FROM occurrence AS o JOIN finding AS f ON f.id = o.finding
		LEFT JOIN change AS c ON c.run = o.run
			AND c.finding = o.finding;

CREATE VIEW report_row AS
	SELECT f.run, f.n, f.id, f.rule, f.file, f.line, f.col, f.function,
		f.call, f.guard, f.message, f.confidence, f.fix, f.engines,
		f.status, f.suppressed_by IS NOT NULL AS suppressed, f.known,
		f.weight, v.status AS review, v.note, v.who,
		(SELECT count(*) FROM review AS n WHERE n.finding = o.origin)
			+ (SELECT count(*) FROM review AS n
			JOIN review_undo AS u ON u.review = n.id
			WHERE n.finding = o.origin) AS version,
		(SELECT -min(e.change) FROM report_evidence AS e
			WHERE e.finding = f.id AND e.high < 0
			AND e.distorting IS NULL) AS gain
	FROM report_finding AS f JOIN occurrence AS o ON o.id = f.occurrence
		LEFT JOIN review AS v ON v.id = f.review;
)sql"
