/* SPDX-License-Identifier: GPL-2.0-only */
/* Questions that people ask the database in SQL: read, and nothing else. */
#ifndef EO_DB_QUERY_H
#define EO_DB_QUERY_H

#include <stdbool.h>
#include <stddef.h>

struct eo_db;
struct eo_error;

/* One value; @text is NULL for SQL's NULL. Good until the next row. */
struct eo_cell {
	const char *text;
	bool is_number; /* @text is a number as JSON has them */
};

struct eo_query_sink {
	/* Once, before the first row, even when there is none. */
	void (*begin)(const char *const *columns, size_t n, void *data);
	void (*row)(const char *const *columns, const struct eo_cell *cells,
		    size_t n, void *data);
	void *data;
};

/*
 * Runs the one SELECT (or WITH … SELECT, EXPLAIN) that @sql is. What would
 * write, attach another file or load code is an EO_ERR_USAGE, before anything
 * is run; so is a mistake in the SQL. Ends at Ctrl-C.
 */
struct eo_error *eo_db_query(struct eo_db *db, const char *sql,
			     const struct eo_query_sink *sink);

#endif
