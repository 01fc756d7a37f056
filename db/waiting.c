// SPDX-License-Identifier: GPL-2.0-only
#include "db/waiting.h"

#include "base/err.h"
#include "db/sql.h"

#define USE(use) EO_CLEANUP(eo_sql_end) struct eo_sql_use use = { 0 }

static struct eo_error *insert(struct eo_db *db, const char *root,
			       const struct eo_waiting *w)
{
	int64_t tree;
	USE(use);

	eo_try(eo_sql_put_tree(db, root, &tree));
	eo_try(eo_sql_begin(db, EO_SQL_PUT_WAITING, &use));
	eo_sql_bind_int(&use, tree);
	eo_sql_bind_text(&use, w->workload);
	eo_sql_bind_text(&use, w->params);
	eo_sql_bind_text(&use, w->kernel);
	eo_sql_bind_text(&use, w->boot);
	eo_sql_bind_text(&use, w->distorting);
	eo_sql_bind_text(&use, w->said);
	eo_sql_bind_int(&use, w->started);
	eo_sql_bind_text(&use, w->profile);
	return eo_sql_run(&use);
}

struct eo_error *eo_db_put_waiting(struct eo_db *db, const char *root,
				   const struct eo_waiting *w)
{
	eo_try(eo_sql_exec(db, "BEGIN IMMEDIATE"));
	return eo_sql_finish(db, insert(db, root, w));
}

struct eo_error *eo_db_get_waiting(struct eo_db *db, const char *root,
				   const char *workload, struct eo_waiting *out,
				   bool *found)
{
	struct eo_arena *a = &out->arena;
	USE(use);

	eo_try(eo_sql_begin(db, EO_SQL_GET_WAITING, &use));
	eo_sql_bind_text(&use, root);
	eo_sql_bind_text(&use, workload);
	eo_try(eo_sql_step(&use, found));
	if (!*found)
		return NULL;
	out->workload = eo_sql_text(&use, a);
	out->params = eo_sql_text(&use, a);
	out->kernel = eo_sql_text(&use, a);
	out->boot = eo_sql_text(&use, a);
	out->distorting = eo_sql_text(&use, a);
	out->said = eo_sql_text(&use, a);
	out->started = eo_sql_int(&use);
	out->profile = eo_sql_text(&use, a);
	return NULL;
}

struct eo_error *eo_db_forget_waiting(struct eo_db *db, const char *root,
				      const char *workload)
{
	USE(use);

	eo_try(eo_sql_begin(db, EO_SQL_FORGET_WAITING, &use));
	eo_sql_bind_text(&use, root);
	eo_sql_bind_text(&use, workload);
	eo_try(eo_sql_run(&use));
	if (sqlite3_changes(db->sql))
		return NULL;
	return eo_error_new(EO_ERR_INPUT,
			    "no measurement of %s waits for another kernel",
			    workload);
}

void eo_waiting_release(struct eo_waiting *w)
{
	eo_arena_release(&w->arena);
	*w = (struct eo_waiting){ 0 };
}
