// SPDX-License-Identifier: GPL-2.0-only
#include "db/query.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/proc.h"
#include "db/sql.h"

/* Of SQLite's virtual machine, between two looks for Ctrl-C. */
#define OPS_A_LOOK 10000

static bool is_one_of(const char *s, const char *const *words)
{
	for (; *words; words++)
		if (s && !strcmp(s, *words))
			return true;
	return false;
}

/* What a statement that only reads needs; all else is refused. */
static int authorize(void *data, int action, const char *a, const char *b,
		     const char *schema, const char *by)
{
	static const char *const pragmas[] = { "table_info", "table_xinfo",
					       "table_list", "user_version",
					       NULL };
	static const char *const functions[] = { "load_extension", NULL };

	(void)data;
	(void)schema;
	(void)by;
	switch (action) {
	case SQLITE_SELECT:
	case SQLITE_READ:
	case SQLITE_RECURSIVE:
		return SQLITE_OK;
	case SQLITE_FUNCTION:
		return is_one_of(b, functions) ? SQLITE_DENY : SQLITE_OK;
	case SQLITE_PRAGMA: /* a value would set it */
		return is_one_of(a, pragmas) &&
				       (!b || strcmp(a, "user_version")) ?
			       SQLITE_OK :
			       SQLITE_DENY;
	default:
		return SQLITE_DENY;
	}
}

static int look_for_interrupt(void *data)
{
	(void)data;
	return eo_interrupted();
}

struct query {
	sqlite3 *sql;
	sqlite3_stmt *stmt;
	const char **columns;
	struct eo_cell *cells;
	size_t n;
};

static void release(struct query *q)
{
	sqlite3_finalize(q->stmt);
	sqlite3_set_authorizer(q->sql, NULL, NULL);
	sqlite3_progress_handler(q->sql, 0, NULL, NULL);
	free(q->columns);
	free(q->cells);
}

/*
 * SQLite makes these tables when they are first named, in a way that the
 * authorizer sees as a write: so it is done before there is one.
 */
static struct eo_error *make_table_functions(struct eo_db *db)
{
	return eo_sql_exec(db, "SELECT 1 FROM pragma_table_info('run'),"
			       " pragma_table_xinfo('run'), pragma_table_list,"
			       " json_each('[]'), json_tree('[]') LIMIT 0");
}

static struct eo_error *prepare(struct eo_db *db, const char *sql,
				struct query *q)
{
	const char *rest = "";
	int rc;

	sqlite3_set_authorizer(q->sql, authorize, NULL);
	rc = sqlite3_prepare_v2(q->sql, sql, -1, &q->stmt, &rest);
	if (rc == SQLITE_AUTH)
		return eo_error_new(
			EO_ERR_USAGE,
			"the query may only read: no INSERT, UPDATE, DELETE, CREATE, ATTACH or PRAGMA (%s)",
			sqlite3_errmsg(q->sql));
	if (rc == SQLITE_ERROR)
		return eo_error_new(
			EO_ERR_USAGE,
			"the query: %s; `earlyout db schema` has the names",
			sqlite3_errmsg(q->sql));
	if (rc != SQLITE_OK)
		return eo_sql_error(db, rc);
	if (!q->stmt)
		return eo_error_new(EO_ERR_USAGE, "the query is empty");
	if (!sqlite3_stmt_readonly(q->stmt))
		return eo_error_new(EO_ERR_USAGE, "the query may only read");
	if (rest[strspn(rest, " \t\r\n;")])
		return eo_error_new(
			EO_ERR_USAGE,
			"the query is more than one statement: give one");
	return NULL;
}

static void read_cell(const struct query *q, size_t i)
{
	int type = sqlite3_column_type(q->stmt, (int)i);
	struct eo_cell *c = &q->cells[i];

	c->is_number = type == SQLITE_INTEGER ||
		       (type == SQLITE_FLOAT &&
			isfinite(sqlite3_column_double(q->stmt, (int)i)));
	c->text = (const char *)sqlite3_column_text(q->stmt, (int)i);
	if (!c->text && type != SQLITE_NULL)
		eo_oom();
}

static void read_columns(struct query *q)
{
	q->n = (size_t)sqlite3_column_count(q->stmt);
	q->columns = eo_zalloc((q->n + 1) * sizeof(*q->columns));
	q->cells = eo_zalloc((q->n + 1) * sizeof(*q->cells));
	for (size_t i = 0; i < q->n; i++) {
		q->columns[i] = sqlite3_column_name(q->stmt, (int)i);
		if (!q->columns[i])
			eo_oom();
	}
}

struct eo_error *eo_db_query(struct eo_db *db, const char *sql,
			     const struct eo_query_sink *sink)
{
	EO_CLEANUP(release) struct query q = { .sql = db->sql };
	int rc;

	eo_try(make_table_functions(db));
	eo_try(prepare(db, sql, &q));
	sqlite3_progress_handler(db->sql, OPS_A_LOOK, look_for_interrupt, NULL);
	read_columns(&q);
	sink->begin(q.columns, q.n, sink->data);
	while ((rc = sqlite3_step(q.stmt)) == SQLITE_ROW) {
		for (size_t i = 0; i < q.n; i++)
			read_cell(&q, i);
		sink->row(q.columns, q.cells, q.n, sink->data);
	}
	if (rc == SQLITE_DONE)
		return NULL;
	if ((rc & 0xff) == SQLITE_INTERRUPT)
		return eo_interrupt_error();
	if ((rc & 0xff) == SQLITE_ERROR)
		return eo_error_new(EO_ERR_USAGE, "the query: %s",
				    sqlite3_errmsg(db->sql));
	return eo_sql_error(db, rc);
}
