// SPDX-License-Identifier: GPL-2.0-only
#include "db/sql.h"

#include <string.h>
#include <time.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"

/* "EOut", in the file's header: tells our files from other programs'. */
#define APPLICATION_ID 0x454f7574

#define WAL_TRIES 500
#define WAL_WAIT_NS 10000000

/* migrations[i] goes from version i to version i + 1. */
static const char *const migrations[] = {
#include "db/migrations/0001.sql"
	,
#include "db/migrations/0002.sql"
	,
#include "db/migrations/0003.sql"
	,
#include "db/migrations/0004.sql"
	,
#include "db/migrations/0005.sql"
	,
#include "db/migrations/0006.sql"
	,
#include "db/migrations/0007.sql"
	,
#include "db/migrations/0008.sql"
	,
#include "db/migrations/0009.sql"
	,
#include "db/migrations/0010.sql"
	,
#include "db/migrations/0011.sql"
	,
};

#define NEWEST ((int)(sizeof(migrations) / sizeof(migrations[0])))

static void finalize(sqlite3_stmt **stmt)
{
	sqlite3_finalize(*stmt);
}

/* The first column of the first row of @sql; these are not kept prepared. */
static struct eo_error *ask(struct eo_db *db, const char *sql, int64_t *number,
			    struct eo_str *text)
{
	EO_CLEANUP(finalize) sqlite3_stmt *stmt = NULL;
	int rc = sqlite3_prepare_v2(db->sql, sql, -1, &stmt, NULL);

	if (rc == SQLITE_OK)
		rc = sqlite3_step(stmt);
	if (rc != SQLITE_ROW)
		return eo_sql_error(db, rc);
	if (number)
		*number = sqlite3_column_int64(stmt, 0);
	if (text)
		eo_str_add(text, (const char *)sqlite3_column_text(stmt, 0));
	return NULL;
}

/* Before anything is written: is it ours, whole, and not from the future? */
static struct eo_error *check(struct eo_db *db)
{
	EO_CLEANUP(eo_str_release) struct eo_str word = { 0 };
	int64_t id, version, objects;

	eo_try(ask(db, "SELECT count(*) FROM sqlite_schema", &objects, NULL));
	eo_try(ask(db, "PRAGMA application_id", &id, NULL));
	eo_try(ask(db, "PRAGMA user_version", &version, NULL));
	if (objects == 0 && id == 0 && version == 0)
		return NULL; /* new */
	if (id != APPLICATION_ID)
		return eo_error_new(
			EO_ERR_INPUT,
			"%s is a database of another program; name another file with --db",
			db->path);
	if (version > NEWEST)
		return eo_error_new(
			EO_ERR_INPUT,
			"%s was written by a newer earlyout (schema %lld, this one knows %d); update earlyout, or name another file with --db",
			db->path, (long long)version, NEWEST);
	eo_try(ask(db, "PRAGMA quick_check(1)", NULL, &word));
	if (strcmp(eo_str_get(&word), "ok") == 0)
		return NULL;
	return eo_error_new(
		EO_ERR_INPUT,
		"%s is damaged (%s); move it away and scan again, or restore a copy of it",
		db->path, eo_str_get(&word));
}

/*
 * SQLite does not wait by itself when two processes switch a new file to WAL
 * at the same time. Where WAL cannot be had, the old journal does as well.
 */
static struct eo_error *use_wal(struct eo_db *db)
{
	const struct timespec wait = { .tv_nsec = WAL_WAIT_NS };
	int rc = SQLITE_BUSY;

	for (int i = 0; i < WAL_TRIES && (rc & 0xff) == SQLITE_BUSY; i++) {
		rc = sqlite3_exec(db->sql, "PRAGMA journal_mode = WAL", NULL,
				  NULL, NULL);
		if ((rc & 0xff) == SQLITE_BUSY)
			nanosleep(&wait, NULL);
	}
	return rc == SQLITE_OK ? NULL : eo_sql_error(db, rc);
}

/* Inside a transaction: another process may have been here first. */
static struct eo_error *apply(struct eo_db *db)
{
	EO_CLEANUP(eo_str_release) struct eo_str pragmas = { 0 };
	int64_t version;

	eo_try(ask(db, "PRAGMA user_version", &version, NULL));
	for (; version < NEWEST; version++)
		eo_try(eo_sql_exec(db, migrations[version]));
	eo_str_addf(&pragmas,
		    "PRAGMA application_id = %d; PRAGMA user_version = %d",
		    APPLICATION_ID, NEWEST);
	return eo_sql_exec(db, pragmas.s);
}

struct eo_error *eo_sql_migrate(struct eo_db *db)
{
	struct eo_error *err;
	int64_t version;

	eo_try(check(db));
	eo_try(use_wal(db));
	eo_try(eo_sql_exec(db, "PRAGMA foreign_keys = ON;"
			       "PRAGMA synchronous = FULL"));
	eo_try(ask(db, "PRAGMA user_version", &version, NULL));
	if (version >= NEWEST)
		return NULL;
	eo_try(eo_sql_exec(db, "BEGIN IMMEDIATE"));
	err = apply(db);
	if (!err)
		err = eo_sql_exec(db, "COMMIT");
	if (err && !sqlite3_get_autocommit(db->sql))
		sqlite3_exec(db->sql, "ROLLBACK", NULL, NULL, NULL);
	return err;
}
