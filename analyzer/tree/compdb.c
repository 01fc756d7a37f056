// SPDX-License-Identifier: GPL-2.0-only
#include "tree/compdb.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/file.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/str.h"
#include "tree/shellwords.h"
#include "tree/tree.h"

struct entry {
	const char *dir;
	const char *command; /* a shell's line, or NULL: arguments */
	const char *arguments; /* a JSON array */
};

/* SQLite reads the JSON; there is no database but an empty one in memory. */
struct eo_compdb {
	sqlite3 *sql;
	struct eo_map entries; /* file → struct entry */
	struct eo_arena arena;
	const char *dir;
};

void eo_compdb_free(struct eo_compdb *db)
{
	if (!db)
		return;
	sqlite3_close(db->sql);
	eo_map_release(&db->entries);
	eo_arena_release(&db->arena);
	free(db);
}

/* @path below @root, without it; the caller frees. NULL: elsewhere. */
static char *relative_to(const char *root, const char *dir, const char *path)
{
	EO_CLEANUP(eo_freep)
	char *whole = *path == '/' ? eo_strdup(path) : eo_path_join(dir, path);
	EO_CLEANUP(eo_freep) char *real = NULL;
	const char *p = whole;
	size_t n = strlen(root);

	if (strncmp(p, root, n) || p[n] != '/' || strstr(p, "/.")) {
		real = realpath(whole, NULL);
		p = real ? real : whole;
	}
	if (strncmp(p, root, n) || p[n] != '/')
		return NULL;
	return eo_strdup(p + n + 1);
}

static const char *column(struct eo_compdb *db, sqlite3_stmt *st, int i)
{
	const char *s = (const char *)sqlite3_column_text(st, i);

	return s ? eo_arena_strdup(&db->arena, s) : NULL;
}

static void add_row(struct eo_compdb *db, const char *root, sqlite3_stmt *st)
{
	const char *dir = (const char *)sqlite3_column_text(st, 0);
	const char *path = (const char *)sqlite3_column_text(st, 1);
	EO_CLEANUP(eo_freep) char *file = NULL;
	struct entry *e;

	if (!dir || !path || !eo_ends_with(path, ".c"))
		return;
	file = relative_to(root, dir, path);
	if (!file || eo_map_has(&db->entries, file))
		return;
	e = eo_arena_new(&db->arena, struct entry);
	/* nearly all entries share one folder */
	e->dir = eo_streq(dir, db->dir) ? db->dir : column(db, st, 0);
	if (!db->dir)
		db->dir = e->dir;
	e->command = column(db, st, 2);
	e->arguments = column(db, st, 3);
	eo_map_set(&db->entries, file, e);
}

static struct eo_error *bad(const struct eo_compdb *db, const char *path)
{
	return eo_error_new(
		EO_ERR_INPUT,
		"%s: not a compilation database (%s); make it anew (`make compile_commands.json` in the kernel tree) or remove it",
		path, sqlite3_errmsg(db->sql));
}

static struct eo_error *load(struct eo_compdb *db, const char *path,
			     const char *root)
{
	static const char query[] =
		"SELECT json_extract(value, '$.directory'),"
		" json_extract(value, '$.file'),"
		" json_extract(value, '$.command'),"
		" json_extract(value, '$.arguments') FROM json_each(?1)";
	EO_CLEANUP(eo_str_release) struct eo_str text = { 0 };
	sqlite3_stmt *st = NULL;
	struct eo_error *err = NULL;
	int rc;

	eo_try(eo_file_read(path, &text));
	if (sqlite3_open(":memory:", &db->sql) ||
	    sqlite3_prepare_v2(db->sql, query, -1, &st, NULL) ||
	    sqlite3_bind_text64(st, 1, eo_str_get(&text), text.len,
				SQLITE_STATIC, SQLITE_UTF8)) {
		sqlite3_finalize(st);
		return bad(db, path);
	}
	while ((rc = sqlite3_step(st)) == SQLITE_ROW)
		add_row(db, root, st);
	if (rc != SQLITE_DONE)
		err = bad(db, path);
	sqlite3_finalize(st);
	if (!err && !db->entries.n)
		err = eo_error_new(
			EO_ERR_INPUT,
			"%s: has no C file of %s; is it of another tree?", path,
			root);
	return err;
}

struct eo_error *eo_compdb_open(const char *path, const char *root,
				struct eo_compdb **out)
{
	struct eo_compdb *db = eo_zalloc(sizeof(*db));
	struct eo_error *err = load(db, path, root);

	if (err) {
		eo_compdb_free(db);
		return err;
	}
	*out = db;
	return NULL;
}

const char *eo_compdb_dir(const struct eo_compdb *db)
{
	return db->dir;
}

static void split_array(const struct eo_compdb *db, const char *json,
			struct eo_arena *a, struct eo_words *out)
{
	sqlite3_stmt *st = NULL;

	out->n = 0;
	if (sqlite3_prepare_v2(db->sql, "SELECT value FROM json_each(?1)", -1,
			       &st, NULL) == SQLITE_OK &&
	    sqlite3_bind_text(st, 1, json, -1, SQLITE_STATIC) == SQLITE_OK) {
		while (sqlite3_step(st) == SQLITE_ROW) {
			const char *s =
				(const char *)sqlite3_column_text(st, 0);

			if (s)
				*eo_vec_push(out) = eo_arena_strdup(a, s);
		}
	}
	sqlite3_finalize(st);
}

bool eo_compdb_get(const struct eo_compdb *db, const char *file,
		   struct eo_arena *a, struct eo_words *command,
		   const char **dir)
{
	const struct entry *e = eo_map_get(&db->entries, file);
	const char *p;

	if (!e || (!e->command && !e->arguments))
		return false;
	p = e->command;
	if (e->arguments)
		split_array(db, e->arguments, a, command);
	else if (!eo_shell_next(&p, a, command))
		return false;
	*dir = e->dir;
	return command->n > 0;
}

static size_t folders(const char *path)
{
	size_t n = 0;

	for (; *path; path++)
		n += *path == '/';
	return n;
}

static size_t common_folders(const char *a, const char *b)
{
	size_t n = 0;

	for (; *a && *a == *b; a++, b++)
		n += *a == '/';
	return n;
}

const char *eo_compdb_nearest(const struct eo_compdb *db, const char *file)
{
	const struct eo_map_entry *e;
	const char *best = NULL;
	size_t most = 0;

	eo_map_for_each(e, &db->entries) {
		size_t n = common_folders(e->key, file);

		/* the build's own programs are compiled quite differently */
		if (!eo_tree_is_kernel_path(e->key))
			continue;
		if (best && (n < most ||
			     (n == most && folders(e->key) >= folders(best))))
			continue;
		best = e->key;
		most = n;
	}
	return best;
}

bool eo_compdb_has_folder(const struct eo_compdb *db, const char *prefix)
{
	const struct eo_map_entry *e;

	eo_map_for_each(e, &db->entries)
		if (eo_starts_with(e->key, prefix) &&
		    eo_tree_is_kernel_path(e->key))
			return true;
	return false;
}
