/* SPDX-License-Identifier: GPL-2.0-only */
/* The statements of db/decisions.h; db/statements.h takes them in. */
#ifndef EO_DB_STATEMENTS_REVIEW_H
#define EO_DB_STATEMENTS_REVIEW_H

#define EO_SQL_REVIEW_STATEMENTS(X)                                           \
	X(READ_DECISIONS_HEAD,                                                \
	  "SELECT json_valid(?1) AND CASE json_valid(?1) WHEN 1 THEN"         \
	  " json_extract(?1, '$.schema') IS 'earlyout-review/1'"              \
	  " AND json_type(?1, '$.changes') IS 'array' END,"                   \
	  " CASE json_valid(?1) WHEN 1 THEN json_extract(?1, '$.who') END")   \
	X(READ_DECISIONS,                                                     \
	  "SELECT j.type, json_type(j.value, '$.id'), j.value ->> 'id',"      \
	  " json_type(j.value, '$.status'), j.value ->> 'status',"            \
	  " json_type(j.value, '$.undo'), json_type(j.value, '$.note'),"      \
	  " j.value ->> 'note', json_type(j.value, '$.key'),"                 \
	  " j.value ->> 'key', json_type(j.value, '$.expect'),"               \
	  " j.value ->> 'expect', json_type(j.value, '$.made'),"              \
	  " j.value ->> 'made' FROM json_each(?1, '$.changes') AS j"          \
	  " WHERE j.type = 'object'")                                         \
	X(COUNT_DECISIONS, "SELECT json_array_length(?1, '$.changes')")       \
	X(GET_REVIEW_VERSION,                                                 \
	  "SELECT f.id, coalesce((SELECT version FROM report_review_version"  \
	  "  WHERE finding = f.id), 0),"                                      \
	  " (SELECT max(review) FROM report_review WHERE finding = f.id"      \
	  "  AND undone IS NULL) FROM finding AS f WHERE f.id = ?")           \
	X(GET_DATA_VERSION, "PRAGMA data_version")                            \
	X(GET_REVIEW_KEY, "SELECT 1 FROM review_key WHERE key = ?")           \
	X(PUT_REVIEW_KEY, "INSERT INTO review_key (key, review)"              \
			  " VALUES (?, last_insert_rowid())")                 \
	X(PUT_REVIEW_UNDO, "INSERT INTO review_undo (review, who, made)"      \
			   " VALUES (?, ?, ?)")                               \
	X(GET_REVIEW_CLOCK, "SELECT (SELECT count(*) FROM review)"            \
			    " + (SELECT count(*) FROM review_undo)")          \
	X(GET_REVIEW_STATE,                                                   \
	  "SELECT json_group_array(json(one)) FROM (SELECT json_object("      \
	  " 'id', f.id, 'version', coalesce((SELECT version"                  \
	  "  FROM report_review_version WHERE finding = f.id), 0),"           \
	  " 'review', h.status, 'note', h.note, 'who', h.who, 'history',"     \
	  " json((SELECT json_group_array(json(v)) FROM (SELECT json_object(" \
	  "  'status', r.status, 'note', r.note, 'who', r.who,"               \
	  "  'made', r.made, 'undone_by', r.undone_by, 'undone', r.undone)"   \
	  "  AS v FROM report_review AS r WHERE r.finding = f.id"             \
	  "  ORDER BY r.review)))) AS one FROM finding AS f"                  \
	  " LEFT JOIN report_review AS h ON h.finding = f.id AND h.review ="  \
	  "  (SELECT max(review) FROM report_review WHERE finding = f.id"     \
	  "  AND undone IS NULL) WHERE f.id = ?1 OR (?1 IS NULL AND f.id IN"  \
	  "  (SELECT finding FROM report_review)) ORDER BY f.id)")

#endif
