// SPDX-License-Identifier: GPL-2.0-only
#include "db/sql.h"

#include <string.h>

#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "db/db.h"

static const char *const statements[] = {
#define X(id, sql) [EO_SQL_##id] = sql,
	EO_SQL_STATEMENTS(X)
#undef X
};

/* The system's word on a failed read or write: "No space left on device". */
static const char *system_word(struct eo_db *db)
{
	int errnum = db->sql ? sqlite3_system_errno(db->sql) : 0;

	if (errnum)
		return strerror(errnum);
	return db->sql ? sqlite3_errmsg(db->sql) : "unknown error";
}

struct eo_error *eo_sql_error(struct eo_db *db, int rc)
{
	switch (rc & 0xff) {
	case SQLITE_NOMEM:
		eo_oom();
	case SQLITE_NOTADB:
		return eo_error_new(
			EO_ERR_INPUT,
			"%s is not a database; name another file with --db",
			db->path);
	case SQLITE_CORRUPT:
		return eo_error_new(
			EO_ERR_INPUT,
			"%s is damaged (%s); move it away and scan again, or restore a copy of it",
			db->path, sqlite3_errmsg(db->sql));
	case SQLITE_BUSY:
	case SQLITE_LOCKED:
		return eo_error_new(
			EO_ERR_ENV,
			"%s is in use by another process; try again when that has ended, or name another file with --db",
			db->path);
	case SQLITE_FULL:
		return eo_error_new(
			EO_ERR_ENV,
			"%s: no room left to write it; make room, or name a file on another disk with --db (what was stored before is safe)",
			db->path);
	case SQLITE_IOERR:
		return eo_error_new(
			EO_ERR_ENV,
			"%s: %s; look at the disk, or name a file on another with --db (what was stored before is safe)",
			db->path, system_word(db));
	case SQLITE_CANTOPEN:
	case SQLITE_READONLY:
	case SQLITE_PERM:
	case SQLITE_AUTH:
		return eo_error_new(
			EO_ERR_ENV,
			eo_is_dir(db->path) ?
				"cannot write %s, which is a folder; name a file with --db" :
				"cannot write %s: it and its folder must be there and writable; or name another file with --db",
			db->path);
	default:
		return eo_error_new(EO_ERR_INTERNAL, "%s: %s", db->path,
				    db->sql ? sqlite3_errmsg(db->sql) :
					      sqlite3_errstr(rc));
	}
}

struct eo_error *eo_sql_exec(struct eo_db *db, const char *sql)
{
	int rc = sqlite3_exec(db->sql, sql, NULL, NULL, NULL);

	return rc == SQLITE_OK ? NULL : eo_sql_error(db, rc);
}

struct eo_error *eo_sql_begin(struct eo_db *db, enum eo_sql which,
			      struct eo_sql_use *use)
{
	sqlite3_stmt **stmt = &db->statements[which];

	if (!*stmt) {
		int rc = sqlite3_prepare_v3(db->sql, statements[which], -1,
					    SQLITE_PREPARE_PERSISTENT, stmt,
					    NULL);

		if (rc != SQLITE_OK)
			return eo_sql_error(db, rc);
	}
	*use = (struct eo_sql_use){ .db = db, .stmt = *stmt };
	return NULL;
}

void eo_sql_end(struct eo_sql_use *use)
{
	if (!use->stmt)
		return;
	sqlite3_reset(use->stmt);
	sqlite3_clear_bindings(use->stmt);
}

/* Binding fails for want of memory only, and for a wrong position: a bug. */
void eo_sql_bind_text(struct eo_sql_use *use, const char *s)
{
	if (sqlite3_bind_text(use->stmt, ++use->at, s, -1, SQLITE_STATIC) ==
	    SQLITE_NOMEM)
		eo_oom();
}

void eo_sql_bind_int(struct eo_sql_use *use, int64_t v)
{
	sqlite3_bind_int64(use->stmt, ++use->at, v);
}

void eo_sql_bind_real(struct eo_sql_use *use, double v)
{
	sqlite3_bind_double(use->stmt, ++use->at, v);
}

void eo_sql_bind_blob(struct eo_sql_use *use, const void *p, size_t n)
{
	if (sqlite3_bind_blob64(use->stmt, ++use->at, p, n, SQLITE_STATIC) ==
	    SQLITE_NOMEM)
		eo_oom();
}

struct eo_error *eo_sql_step(struct eo_sql_use *use, bool *more)
{
	int rc = sqlite3_step(use->stmt);

	use->at = 0;
	*more = rc == SQLITE_ROW;
	if (rc == SQLITE_ROW || rc == SQLITE_DONE)
		return NULL;
	return eo_sql_error(use->db, rc);
}

struct eo_error *eo_sql_run(struct eo_sql_use *use)
{
	bool more;

	return eo_sql_step(use, &more);
}

int64_t eo_sql_int(struct eo_sql_use *use)
{
	return sqlite3_column_int64(use->stmt, use->at++);
}

unsigned eo_sql_unsigned(struct eo_sql_use *use)
{
	return (unsigned)eo_sql_int(use);
}

double eo_sql_real(struct eo_sql_use *use)
{
	return sqlite3_column_double(use->stmt, use->at++);
}

bool eo_sql_is_null(const struct eo_sql_use *use)
{
	return sqlite3_column_type(use->stmt, use->at) == SQLITE_NULL;
}

const char *eo_sql_text(struct eo_sql_use *use, struct eo_arena *a)
{
	int at = use->at++;
	const char *s = (const char *)sqlite3_column_text(use->stmt, at);

	if (s)
		return eo_arena_strdup(a, s);
	if (sqlite3_column_type(use->stmt, at) != SQLITE_NULL)
		eo_oom();
	return NULL;
}

const void *eo_sql_blob(struct eo_sql_use *use, struct eo_arena *a, size_t *n)
{
	int at = use->at++;
	const void *p = sqlite3_column_blob(use->stmt, at);
	void *copy;

	*n = (size_t)sqlite3_column_bytes(use->stmt, at);
	if (!p)
		return NULL;
	copy = eo_arena_alloc(a, *n);
	memcpy(copy, p, *n);
	return copy;
}

struct eo_error *eo_sql_finish(struct eo_db *db, struct eo_error *err)
{
	if (!err)
		err = eo_sql_exec(db, "COMMIT");
	/* After some errors SQLite has rolled back already. */
	if (err && !sqlite3_get_autocommit(db->sql))
		sqlite3_exec(db->sql, "ROLLBACK", NULL, NULL, NULL);
	return err;
}

struct eo_error *eo_sql_pick_run(struct eo_db *db, int64_t run, int64_t *out)
{
	EO_CLEANUP(eo_sql_end) struct eo_sql_use use = { 0 };
	bool more;

	*out = run;
	if (run)
		return NULL;
	eo_try(eo_sql_begin(db, EO_SQL_GET_LAST_RUN, &use));
	eo_try(eo_sql_step(&use, &more));
	*out = eo_sql_int(&use);
	if (*out)
		return NULL;
	return eo_error_new(EO_ERR_INPUT,
			    "%s has no scan yet: run `earlyout scan` first",
			    db->path);
}
