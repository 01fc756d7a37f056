// SPDX-License-Identifier: GPL-2.0-only
#include "db/hooks.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "db/sql.h"

#define USE(use) EO_CLEANUP(eo_sql_end) struct eo_sql_use use = { 0 }

static struct eo_error *insert(struct eo_db *db, const char *root,
			       const struct eo_hook *hook)
{
	int64_t tree;
	USE(use);

	eo_try(eo_sql_put_tree(db, root, &tree));
	eo_try(eo_sql_begin(db, EO_SQL_PUT_HOOK, &use));
	eo_sql_bind_int(&use, tree);
	eo_sql_bind_text(&use, hook->name);
	eo_sql_bind_text(&use, hook->path);
	eo_sql_bind_text(&use, hook->rule);
	eo_sql_bind_text(&use, hook->finding);
	eo_sql_bind_int(&use, hook->added);
	return eo_sql_run(&use);
}

struct eo_error *eo_db_put_hook(struct eo_db *db, const char *root,
				const struct eo_hook *hook)
{
	EO_CLEANUP(eo_hooks_release) struct eo_hooks all = { 0 };

	eo_try(eo_db_get_hooks(db, root, &all));
	if (eo_hooks_find(&all, hook->name))
		return eo_error_new(
			EO_ERR_INPUT,
			"there is a hook %s already; `earlyout hooks remove %s` removes it",
			hook->name, hook->name);
	eo_try(eo_sql_exec(db, "BEGIN IMMEDIATE"));
	return eo_sql_finish(db, insert(db, root, hook));
}

struct eo_error *eo_db_forget_hook(struct eo_db *db, const char *root,
				   const char *name)
{
	EO_CLEANUP(eo_hooks_release) struct eo_hooks all = { 0 };
	EO_CLEANUP(eo_str_release) struct eo_str names = { 0 };
	const struct eo_hook *h;
	USE(use);

	eo_try(eo_sql_begin(db, EO_SQL_FORGET_HOOK, &use));
	eo_sql_bind_text(&use, root);
	eo_sql_bind_text(&use, name);
	eo_try(eo_sql_run(&use));
	if (sqlite3_changes(db->sql))
		return NULL;
	eo_try(eo_db_get_hooks(db, root, &all));
	eo_vec_for_each(h, &all)
		eo_str_addf(&names, "%s%s", names.len ? ", " : "", h->name);
	return eo_error_new(EO_ERR_INPUT, "no hook %s; there %s%s", name,
			    names.len ? "is: " : "is none", eo_str_get(&names));
}

struct eo_error *eo_db_get_hook_of(struct eo_db *db, const char *root,
				   const char *finding, struct eo_arena *a,
				   const char **name)
{
	USE(use);
	bool more;

	eo_try(eo_sql_begin(db, EO_SQL_GET_HOOK_OF, &use));
	eo_sql_bind_text(&use, root);
	eo_sql_bind_text(&use, finding);
	eo_try(eo_sql_step(&use, &more));
	*name = more ? eo_sql_text(&use, a) : NULL;
	return NULL;
}

struct eo_error *eo_db_get_hooks(struct eo_db *db, const char *root,
				 struct eo_hooks *out)
{
	USE(use);

	eo_try(eo_sql_begin(db, EO_SQL_GET_HOOKS, &use));
	eo_sql_bind_text(&use, root);
	for (;;) {
		struct eo_hook *h;
		bool more;

		eo_try(eo_sql_step(&use, &more));
		if (!more)
			return NULL;
		h = eo_vec_push(out);
		h->name = eo_sql_text(&use, &out->arena);
		h->path = eo_sql_text(&use, &out->arena);
		h->rule = eo_sql_text(&use, &out->arena);
		h->finding = eo_sql_text(&use, &out->arena);
		h->added = eo_sql_int(&use);
	}
}

const struct eo_hook *eo_hooks_find(const struct eo_hooks *hooks,
				    const char *name)
{
	const struct eo_hook *h;

	eo_vec_for_each(h, hooks) {
		if (!strcmp(h->name, name))
			return h;
	}
	return NULL;
}

void eo_hooks_release(struct eo_hooks *hooks)
{
	free(hooks->items);
	eo_arena_release(&hooks->arena);
	*hooks = (struct eo_hooks){ 0 };
}

static struct eo_error *insert_census(struct eo_db *db, const char *tree_root,
				      const struct eo_census *c)
{
	int64_t tree;
	USE(use);

	eo_try(eo_sql_put_tree(db, tree_root, &tree));
	eo_try(eo_sql_begin(db, EO_SQL_PUT_CENSUS, &use));
	eo_sql_bind_int(&use, tree);
	eo_sql_bind_text(&use, c->file);
	eo_sql_bind_text(&use, c->root);
	eo_sql_bind_text(&use, c->host);
	eo_sql_bind_int(&use, c->cpus);
	eo_sql_bind_int(&use, (int64_t)c->files);
	eo_sql_bind_int(&use, (int64_t)c->empty);
	eo_sql_bind_int(&use, (int64_t)c->unread);
	eo_sql_bind_int(&use, c->taken);
	return eo_sql_run(&use);
}

struct eo_error *eo_db_put_census(struct eo_db *db, const char *tree_root,
				  const struct eo_census *c)
{
	eo_try(eo_sql_exec(db, "BEGIN IMMEDIATE"));
	return eo_sql_finish(db, insert_census(db, tree_root, c));
}
