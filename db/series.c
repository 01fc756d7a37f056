// SPDX-License-Identifier: GPL-2.0-only
#include "db/series.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "db/sql.h"

#define USE(use) EO_CLEANUP(eo_sql_end) struct eo_sql_use use = { 0 }

/* For columns that may not be NULL. */
static const char *text(const char *s)
{
	return s ? s : "";
}

static void bind_id(struct eo_sql_use *use, int64_t id)
{
	if (id)
		eo_sql_bind_int(use, id);
	else
		eo_sql_bind_text(use, NULL);
}

static struct eo_error *put_also(struct eo_db *db, int64_t series, size_t n,
				 const char *finding)
{
	USE(use);

	eo_try(eo_sql_begin(db, EO_SQL_PUT_PATCH_ALSO, &use));
	eo_sql_bind_int(&use, series);
	eo_sql_bind_int(&use, (int64_t)n);
	eo_sql_bind_text(&use, finding);
	return eo_sql_run(&use);
}

static struct eo_error *put_patch(struct eo_db *db, int64_t series, size_t n,
				  const struct eo_patch *p)
{
	USE(use);

	eo_try(eo_sql_begin(db, EO_SQL_PUT_PATCH, &use));
	eo_sql_bind_int(&use, series);
	eo_sql_bind_int(&use, (int64_t)n);
	eo_sql_bind_int(&use, p->number);
	eo_sql_bind_int(&use, p->total);
	eo_sql_bind_text(&use, text(p->finding));
	eo_sql_bind_text(&use, text(p->file));
	eo_sql_bind_text(&use, text(p->subject));
	eo_sql_bind_text(&use, p->body);
	eo_sql_bind_text(&use, p->diff);
	eo_sql_bind_text(&use, p->mail);
	eo_sql_bind_text(&use, p->strategy);
	eo_sql_bind_text(&use, p->fixes);
	eo_try(eo_sql_run(&use));
	for (size_t i = 0; i < p->n_also; i++)
		eo_try(put_also(db, series, n, p->also[i]));
	return NULL;
}

static struct eo_error *put_series(struct eo_db *db, int64_t writing,
				   struct eo_series *s)
{
	USE(use);

	eo_try(eo_sql_begin(db, EO_SQL_PUT_SERIES, &use));
	eo_sql_bind_int(&use, s->run);
	eo_sql_bind_text(&use, s->cover);
	eo_sql_bind_int(&use, s->created);
	eo_sql_bind_int(&use, writing);
	eo_sql_bind_text(&use, text(s->name));
	eo_sql_bind_text(&use, s->title);
	eo_sql_bind_int(&use, s->version ? s->version : 1);
	bind_id(&use, s->rerolls);
	eo_sql_bind_text(&use, s->changes);
	eo_sql_bind_text(&use, s->range_diff);
	eo_sql_bind_text(&use, s->base);
	eo_sql_bind_blob(&use, s->bundle, s->bundle_len);
	eo_try(eo_sql_run(&use));
	s->id = sqlite3_last_insert_rowid(db->sql);
	for (size_t i = 0; i < s->n; i++)
		eo_try(put_patch(db, s->id, i, &s->items[i]));
	return NULL;
}

static struct eo_error *put_proposal(struct eo_db *db, int64_t writing,
				     size_t n, const struct eo_proposal *p)
{
	USE(use);

	eo_try(eo_sql_begin(db, EO_SQL_PUT_PROPOSAL, &use));
	eo_sql_bind_int(&use, writing);
	eo_sql_bind_int(&use, (int64_t)n);
	eo_sql_bind_text(&use, text(p->finding));
	eo_sql_bind_text(&use, text(p->name));
	eo_sql_bind_text(&use, text(p->text));
	return eo_sql_run(&use);
}

static struct eo_error *put_writing(struct eo_db *db, struct eo_writing *w)
{
	int64_t id;
	USE(use);

	eo_try(eo_sql_begin(db, EO_SQL_PUT_WRITING, &use));
	eo_sql_bind_int(&use, w->run);
	eo_sql_bind_text(&use, w->strategy);
	eo_sql_bind_int(&use, w->created);
	eo_try(eo_sql_run(&use));
	id = sqlite3_last_insert_rowid(db->sql);
	for (size_t i = 0; i < w->series.n; i++)
		eo_try(put_series(db, id, &w->series.items[i]));
	for (size_t i = 0; i < w->proposals.n; i++)
		eo_try(put_proposal(db, id, i, &w->proposals.items[i]));
	return NULL;
}

struct eo_error *eo_db_put_writing(struct eo_db *db, struct eo_writing *w)
{
	struct eo_error *err;

	eo_try(eo_sql_exec(db, "BEGIN IMMEDIATE"));
	err = eo_sql_finish(db, put_writing(db, w));
	for (size_t i = 0; err && i < w->series.n; i++)
		w->series.items[i].id = 0;
	return err;
}

struct eo_error *eo_db_put_series(struct eo_db *db, struct eo_series *series)
{
	struct eo_writing w = {
		.run = series->run,
		.created = series->created,
		.series = { series, 1, 1 },
	};

	return eo_db_put_writing(db, &w);
}

/* A list that was grown, moved to where its strings are. */
static void *settle(struct eo_arena *a, void *items, size_t size)
{
	void *copy = eo_arena_alloc(a, size);

	if (size)
		memcpy(copy, items, size);
	free(items);
	return copy;
}

static void read_patch(struct eo_sql_use *use, struct eo_arena *a,
		       struct eo_patch *p)
{
	p->number = eo_sql_unsigned(use);
	p->total = eo_sql_unsigned(use);
	p->finding = eo_sql_text(use, a);
	p->file = eo_sql_text(use, a);
	p->subject = eo_sql_text(use, a);
	p->body = eo_sql_text(use, a);
	p->diff = eo_sql_text(use, a);
	p->mail = eo_sql_text(use, a);
	p->strategy = eo_sql_text(use, a);
	p->fixes = eo_sql_text(use, a);
}

static void add_also(struct eo_arena *a, struct eo_patch *p, const char *id)
{
	const char **ids = eo_arena_alloc(a, (p->n_also + 1) * sizeof(*ids));

	if (p->n_also)
		memcpy(ids, p->also, p->n_also * sizeof(*ids));
	ids[p->n_also++] = id;
	p->also = ids;
}

/* What else than its finding each patch mends: few. */
static struct eo_error *get_also(struct eo_db *db, struct eo_arena *a,
				 struct eo_series *s)
{
	bool more;
	USE(use);

	eo_try(eo_sql_begin(db, EO_SQL_GET_PATCHES_ALSO, &use));
	eo_sql_bind_int(&use, s->id);
	for (;;) {
		unsigned n;

		eo_try(eo_sql_step(&use, &more));
		if (!more)
			return NULL;
		n = eo_sql_unsigned(&use);
		if (n < s->n)
			add_also(a, &s->items[n], eo_sql_text(&use, a));
	}
}

static struct eo_error *get_patches(struct eo_db *db, struct eo_arena *a,
				    struct eo_series *s)
{
	struct eo_error *err;
	bool more = true;
	USE(use);

	eo_try(eo_sql_begin(db, EO_SQL_GET_PATCHES, &use));
	eo_sql_bind_int(&use, s->id);
	while (!(err = eo_sql_step(&use, &more)) && more)
		read_patch(&use, a, eo_vec_push(s));
	s->items = settle(a, s->items, s->n * sizeof(*s->items));
	s->cap = s->n;
	return err ? err : get_also(db, a, s);
}

static void read_series(struct eo_sql_use *use, struct eo_arena *a,
			struct eo_series *s)
{
	s->id = eo_sql_int(use);
	s->run = eo_sql_int(use);
	s->cover = eo_sql_text(use, a);
	s->created = eo_sql_int(use);
	s->name = eo_sql_text(use, a);
	s->title = eo_sql_text(use, a);
	s->version = eo_sql_unsigned(use);
	s->rerolls = eo_sql_int(use);
	s->changes = eo_sql_text(use, a);
	s->range_diff = eo_sql_text(use, a);
	s->base = eo_sql_text(use, a);
}

struct eo_error *eo_db_get_earlier(struct eo_db *db, int64_t id,
				   struct eo_arena *arena,
				   struct eo_series **out, size_t *n)
{
	struct {
		struct eo_series *items;
		size_t n, cap;
	} all = { 0 };
	struct eo_error *err;
	bool more = true;
	USE(use);

	eo_try(eo_sql_begin(db, EO_SQL_GET_EARLIER, &use));
	eo_sql_bind_int(&use, id);
	while (!(err = eo_sql_step(&use, &more)) && more)
		read_series(&use, arena, eo_vec_push(&all));
	*n = all.n;
	*out = settle(arena, all.items, all.n * sizeof(*all.items));
	return err;
}

static struct eo_error *get_all_series(struct eo_db *db, struct eo_arena *a,
				       struct eo_writing *w)
{
	struct eo_error *err;
	bool more = true;
	USE(use);

	eo_try(eo_sql_begin(db, EO_SQL_GET_SERIES, &use));
	eo_sql_bind_int(&use, w->run);
	while (!(err = eo_sql_step(&use, &more)) && more)
		read_series(&use, a, eo_vec_push(&w->series));
	w->series.items = settle(a, w->series.items,
				 w->series.n * sizeof(*w->series.items));
	w->series.cap = w->series.n;
	for (size_t i = 0; !err && i < w->series.n; i++)
		err = get_patches(db, a, &w->series.items[i]);
	return err;
}

static struct eo_error *get_proposals(struct eo_db *db, struct eo_arena *a,
				      struct eo_writing *w)
{
	struct eo_error *err;
	bool more = true;
	USE(use);

	eo_try(eo_sql_begin(db, EO_SQL_GET_PROPOSALS, &use));
	eo_sql_bind_int(&use, w->run);
	while (!(err = eo_sql_step(&use, &more)) && more) {
		struct eo_proposal *p = eo_vec_push(&w->proposals);

		p->finding = eo_sql_text(&use, a);
		p->name = eo_sql_text(&use, a);
		p->text = eo_sql_text(&use, a);
	}
	w->proposals.items =
		settle(a, w->proposals.items,
		       w->proposals.n * sizeof(*w->proposals.items));
	w->proposals.cap = w->proposals.n;
	return err;
}

struct eo_error *eo_db_get_writing(struct eo_db *db, int64_t run,
				   struct eo_arena *arena,
				   struct eo_writing *out)
{
	*out = (struct eo_writing){ 0 };
	eo_try(eo_sql_pick_run(db, run, &out->run));
	eo_try(get_all_series(db, arena, out));
	if (out->series.n)
		out->created = out->series.items[0].created;
	return get_proposals(db, arena, out);
}

struct eo_error *eo_db_get_series(struct eo_db *db, int64_t run,
				  struct eo_arena *arena, struct eo_series *out)
{
	struct eo_writing w;
	size_t n = 0;

	*out = (struct eo_series){ 0 };
	eo_try(eo_db_get_writing(db, run, arena, &w));
	if (!w.series.n)
		return NULL;
	*out = w.series.items[0];
	for (size_t i = 0; i < w.series.n; i++)
		n += w.series.items[i].n;
	out->items = eo_arena_alloc(arena, n * sizeof(*out->items));
	out->n = 0;
	out->cap = n;
	for (size_t i = 0; i < w.series.n; i++)
		for (size_t j = 0; j < w.series.items[i].n; j++)
			out->items[out->n++] = w.series.items[i].items[j];
	return NULL;
}

struct eo_error *eo_db_get_last_version(struct eo_db *db, const char *root,
					const char *name,
					struct eo_arena *arena,
					struct eo_series *out)
{
	bool more;
	USE(use);

	*out = (struct eo_series){ 0 };
	eo_try(eo_sql_begin(db, EO_SQL_GET_LAST_VERSION, &use));
	eo_sql_bind_text(&use, root);
	eo_sql_bind_text(&use, name);
	eo_try(eo_sql_step(&use, &more));
	if (!more)
		return NULL;
	read_series(&use, arena, out);
	out->bundle = eo_sql_blob(&use, arena, &out->bundle_len);
	return get_patches(db, arena, out);
}
