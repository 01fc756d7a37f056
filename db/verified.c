// SPDX-License-Identifier: GPL-2.0-only
/* Verifications, read back: what was said of one change, or of a finding. */
#include "db/verifications.h"

#include <stdlib.h>

#include "base/err.h"
#include "base/mem.h"
#include "db/db.h"
#include "db/sql.h"

#define USE(use) EO_CLEANUP(eo_sql_end) struct eo_sql_use use = { 0 }

/* Reads the rows of @which for the patch of @v; each by @read. */
static struct eo_error *
get_rows(struct eo_db *db, enum eo_sql which, struct eo_verification *v,
	 void (*read)(struct eo_sql_use *use, struct eo_arena *a,
		      struct eo_verification *v),
	 struct eo_arena *a)
{
	bool more;
	USE(use);

	eo_try(eo_sql_begin(db, which, &use));
	eo_sql_bind_int(&use, v->id);
	eo_sql_bind_int(&use, (int64_t)v->patches.items[0].n);
	for (;;) {
		eo_try(eo_sql_step(&use, &more));
		if (!more)
			return NULL;
		read(&use, a, v);
	}
}

static void read_check(struct eo_sql_use *use, struct eo_arena *a,
		       struct eo_verification *v)
{
	struct eo_verified_check *c = eo_vec_push(&v->checks);

	c->name = eo_sql_text(use, a);
	c->verdict = eo_sql_text(use, a);
	c->reason = eo_sql_text(use, a);
	c->log = eo_sql_text(use, a);
	c->duration_ms = eo_sql_int(use);
}

static void read_warning(struct eo_sql_use *use, struct eo_arena *a,
			 struct eo_verification *v)
{
	struct eo_verified_warning *w = eo_vec_push(&v->warnings);

	w->tool = eo_sql_text(use, a);
	w->comes = eo_sql_int(use) == 1;
	w->text = eo_sql_text(use, a);
}

static void read_finding(struct eo_sql_use *use, struct eo_arena *a,
			 struct eo_verification *v)
{
	struct eo_verified_finding *f = eo_vec_push(&v->findings);

	f->finding = eo_sql_text(use, a);
	f->rule = eo_sql_text(use, a);
	f->file = eo_sql_text(use, a);
	f->function = eo_sql_text(use, a);
	f->fate = eo_sql_text(use, a);
	f->why = eo_sql_text(use, a);
}

static void read_head(struct eo_sql_use *use, struct eo_arena *a,
		      struct eo_verification *v)
{
	struct eo_verified_patch *p = eo_vec_push(&v->patches);

	v->id = eo_sql_int(use);
	v->input = eo_sql_text(use, a);
	v->base = eo_sql_text(use, a);
	v->version = eo_sql_text(use, a);
	v->revision = eo_sql_text(use, a);
	v->sandbox = eo_sql_int(use) == 1;
	v->started = eo_sql_int(use);
	v->duration_ms = eo_sql_int(use);
	p->n = (size_t)eo_sql_int(use);
	p->subject = eo_sql_text(use, a);
	p->author = eo_sql_text(use, a);
	p->version = eo_sql_unsigned(use);
	p->diff_id = eo_sql_text(use, a);
	p->series = eo_sql_int(use);
}

static struct eo_error *get_heads(struct eo_db *db, const char *root,
				  const char *diff_id, const char *finding,
				  struct eo_verified *out)
{
	bool more;
	USE(use);

	eo_try(eo_sql_begin(db, EO_SQL_GET_VERIFIED_HEADS, &use));
	eo_sql_bind_text(&use, root);
	eo_sql_bind_text(&use, diff_id);
	eo_sql_bind_text(&use, finding);
	for (;;) {
		eo_try(eo_sql_step(&use, &more));
		if (!more)
			return NULL;
		read_head(&use, &out->arena, eo_vec_push(out));
	}
}

struct eo_error *eo_db_get_verified_all(struct eo_db *db, const char *root,
					const char *diff_id,
					const char *finding,
					struct eo_verified *out)
{
	struct eo_verification *v;
	struct eo_arena *a = &out->arena;

	eo_try(get_heads(db, root, diff_id, finding, out));
	eo_vec_for_each(v, out) {
		eo_try(get_rows(db, EO_SQL_GET_VERIFIED_CHECKS, v, read_check,
				a));
		eo_try(get_rows(db, EO_SQL_GET_VERIFIED_WARNINGS, v,
				read_warning, a));
		eo_try(get_rows(db, EO_SQL_GET_VERIFIED_FINDINGS, v,
				read_finding, a));
	}
	return NULL;
}

void eo_verified_release(struct eo_verified *list)
{
	struct eo_verification *v;

	eo_vec_for_each(v, list)
		eo_verification_release(v);
	free(list->items);
	eo_arena_release(&list->arena);
	*list = (struct eo_verified){ 0 };
}
