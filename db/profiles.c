// SPDX-License-Identifier: GPL-2.0-only
#include "db/profiles.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/err.h"
#include "base/str.h"
#include "db/sql.h"

#define USE(use) EO_CLEANUP(eo_sql_end) struct eo_sql_use use = { 0 }

static struct eo_error *forget(struct eo_db *db, const char *root,
			       const char *name)
{
	USE(use);

	eo_try(eo_sql_begin(db, EO_SQL_FORGET_PROFILE, &use));
	eo_sql_bind_text(&use, root);
	eo_sql_bind_text(&use, name);
	return eo_sql_run(&use);
}

static struct eo_error *put_share(struct eo_db *db, int64_t profile,
				  const struct eo_share *s)
{
	USE(use);

	eo_try(eo_sql_begin(db, EO_SQL_PUT_SHARE, &use));
	eo_sql_bind_int(&use, profile);
	eo_sql_bind_text(&use, s->symbol);
	eo_sql_bind_real(&use, s->self);
	if (s->total < 0)
		eo_sql_bind_text(&use, NULL);
	else
		eo_sql_bind_real(&use, s->total);
	return eo_sql_run(&use);
}

static struct eo_error *put_profile(struct eo_db *db,
				    const struct eo_stored_profile *p)
{
	int64_t tree, id;
	USE(use);

	eo_try(eo_sql_put_tree(db, p->root, &tree));
	eo_try(forget(db, p->root, p->name));
	eo_try(eo_sql_begin(db, EO_SQL_PUT_PROFILE, &use));
	eo_sql_bind_int(&use, tree);
	eo_sql_bind_text(&use, p->name);
	eo_sql_bind_text(&use, p->format);
	eo_sql_bind_int(&use, p->imported);
	eo_try(eo_sql_run(&use));
	id = sqlite3_last_insert_rowid(db->sql);
	for (size_t i = 0; i < p->n; i++)
		eo_try(put_share(db, id, &p->items[i]));
	return NULL;
}

struct eo_error *eo_db_put_profile(struct eo_db *db,
				   const struct eo_stored_profile *p)
{
	eo_try(eo_sql_exec(db, "BEGIN IMMEDIATE"));
	return eo_sql_finish(db, put_profile(db, p));
}

/* "a, b", for a message. */
static struct eo_error *names(struct eo_db *db, const char *root,
			      struct eo_str *to)
{
	EO_CLEANUP(eo_profile_rows_release) struct eo_profile_rows rows = { 0 };
	const struct eo_profile_row *r;

	eo_try(eo_db_get_profiles(db, root, &rows));
	eo_vec_for_each(r, &rows)
		eo_str_addf(to, "%s%s", to->len ? ", " : "", r->name);
	return NULL;
}

struct eo_error *eo_db_forget_profile(struct eo_db *db, const char *root,
				      const char *name)
{
	EO_CLEANUP(eo_str_release) struct eo_str there = { 0 };

	eo_try(forget(db, root, name));
	if (sqlite3_changes(db->sql))
		return NULL;
	eo_try(names(db, root, &there));
	return eo_error_new(EO_ERR_INPUT, "no profile %s; there %s%s", name,
			    there.len ? "is: " : "is none", eo_str_get(&there));
}

struct eo_error *eo_db_get_profiles(struct eo_db *db, const char *root,
				    struct eo_profile_rows *out)
{
	bool more;
	USE(use);

	eo_try(eo_sql_begin(db, EO_SQL_GET_PROFILES, &use));
	eo_sql_bind_text(&use, root);
	for (;;) {
		struct eo_profile_row *r;

		eo_try(eo_sql_step(&use, &more));
		if (!more)
			return NULL;
		r = eo_vec_push(out);
		r->name = eo_sql_text(&use, &out->arena);
		r->format = eo_sql_text(&use, &out->arena);
		r->imported = eo_sql_int(&use);
		r->symbols = (size_t)eo_sql_int(&use);
	}
}

void eo_profile_rows_release(struct eo_profile_rows *rows)
{
	free(rows->items);
	eo_arena_release(&rows->arena);
	*rows = (struct eo_profile_rows){ 0 };
}
