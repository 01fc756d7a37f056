// SPDX-License-Identifier: GPL-2.0-only
#include "db/db.h"

#include <libgen.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/str.h"
#include "db/sql.h"

#define BUSY_TIMEOUT_MS 5000

/* Where it is: @path, or the tree's own place. */
static struct eo_error *choose_path(const char *path, const char *key,
				    char **out)
{
	EO_CLEANUP(eo_freep) char *state = NULL;
	EO_CLEANUP(eo_freep) char *name = NULL;

	if (path && !*path)
		return eo_error_new(
			EO_ERR_USAGE,
			"the database's name is empty: give --db a file");
	/* What SQLite would take for an URI, or for no file at all. */
	if (path && (*path == ':' || eo_starts_with(path, "file:"))) {
		*out = eo_path_join(".", path);
		return NULL;
	}
	if (path) {
		*out = eo_strdup(path);
		return NULL;
	}
	if (!key)
		return eo_error_new(
			EO_ERR_USAGE,
			"which database? give --db FILE or --tree DIR");
	eo_try(eo_state_dir(&state));
	name = eo_asprintf("tree-%s.db", key);
	*out = eo_path_join(state, name);
	return NULL;
}

static struct eo_error *make_folder(const char *path)
{
	EO_CLEANUP(eo_freep) char *copy = eo_strdup(path);

	return eo_mkdirs(dirname(copy));
}

static struct eo_error *open_file(struct eo_db *db)
{
	int rc = sqlite3_open_v2(db->path, &db->sql,
				 SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE |
					 SQLITE_OPEN_EXRESCODE,
				 NULL);

	if (rc != SQLITE_OK)
		return eo_sql_error(db, rc);
	sqlite3_busy_timeout(db->sql, BUSY_TIMEOUT_MS);
	/* What a file made by others may not do to us. */
	sqlite3_db_config(db->sql, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	sqlite3_db_config(db->sql, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
	return eo_sql_migrate(db);
}

struct eo_error *eo_db_open(const char *path, const char *key,
			    struct eo_db **out)
{
	struct eo_db *db = eo_zalloc(sizeof(*db));
	struct eo_error *err = choose_path(path, key, &db->path);

	if (!err)
		err = make_folder(db->path);
	if (!err)
		err = open_file(db);
	if (err) {
		eo_db_close(db);
		return err;
	}
	*out = db;
	return NULL;
}

void eo_db_close(struct eo_db *db)
{
	if (!db)
		return;
	for (size_t i = 0; i < EO_SQL_N; i++)
		sqlite3_finalize(db->statements[i]);
	sqlite3_close(db->sql);
	free(db->path);
	free(db);
}

const char *eo_db_path(const struct eo_db *db)
{
	return db->path;
}
