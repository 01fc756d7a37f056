/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the files of db/ share: the open database, its prepared statements,
 * binding and reading by position, errors. Only db/ and its tests include it.
 */
#ifndef EO_DB_SQL_H
#define EO_DB_SQL_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "db/statements.h"

struct eo_arena;
struct eo_error;

enum eo_sql {
#define X(id, sql) EO_SQL_##id,
	EO_SQL_STATEMENTS(X)
#undef X
		EO_SQL_N,
};

struct eo_db {
	sqlite3 *sql;
	char *path;
	sqlite3_stmt *statements[EO_SQL_N];
};

/* What SQLite last said, in the user's words: what, where, what to do. */
struct eo_error *eo_sql_error(struct eo_db *db, int rc);

/* Runs SQL that gives no rows, several statements if need be. */
struct eo_error *eo_sql_exec(struct eo_db *db, const char *sql);

/* Brings the schema to the newest version, or says why it cannot be used. */
struct eo_error *eo_sql_migrate(struct eo_db *db);

/*
 * A prepared statement in use, and the position that is bound or read next.
 * Begin, bind all, step; the end resets it for the next use.
 */
struct eo_sql_use {
	struct eo_db *db;
	sqlite3_stmt *stmt;
	int at;
};

struct eo_error *eo_sql_begin(struct eo_db *db, enum eo_sql which,
			      struct eo_sql_use *use);
void eo_sql_end(struct eo_sql_use *use);

void eo_sql_bind_text(struct eo_sql_use *use, const char *s); /* or NULL */
void eo_sql_bind_int(struct eo_sql_use *use, int64_t v);
void eo_sql_bind_real(struct eo_sql_use *use, double v);
/* NULL is NULL; @p stays until the statement has run. */
void eo_sql_bind_blob(struct eo_sql_use *use, const void *p, size_t n);

/* Runs one that gives no rows. */
struct eo_error *eo_sql_run(struct eo_sql_use *use);
/* The next row, its columns to be read in order; *more is false at the end. */
struct eo_error *eo_sql_step(struct eo_sql_use *use, bool *more);
int64_t eo_sql_int(struct eo_sql_use *use);
unsigned eo_sql_unsigned(struct eo_sql_use *use);
double eo_sql_real(struct eo_sql_use *use);
/* Whether the column that is read next is NULL; it stays the next. */
bool eo_sql_is_null(const struct eo_sql_use *use);
/* A copy in @a; NULL when it is NULL. */
const char *eo_sql_text(struct eo_sql_use *use, struct eo_arena *a);
const void *eo_sql_blob(struct eo_sql_use *use, struct eo_arena *a, size_t *n);

/* The tree's number; it gets one when it is not there yet. */
struct eo_error *eo_sql_put_tree(struct eo_db *db, const char *root,
				 int64_t *id);

/* Ends a transaction: all of it is stored, or with @err nothing is. */
struct eo_error *eo_sql_finish(struct eo_db *db, struct eo_error *err);

/* @run, or the last one when it is 0; an error when there is none. */
struct eo_error *eo_sql_pick_run(struct eo_db *db, int64_t run, int64_t *out);

#endif
