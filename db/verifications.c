// SPDX-License-Identifier: GPL-2.0-only
#include "db/verifications.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "db/sql.h"

#define USE(use) EO_CLEANUP(eo_sql_end) struct eo_sql_use use = { 0 }
#define MAX_LOG ((size_t)64 << 10)

void eo_verification_release(struct eo_verification *v)
{
	free(v->patches.items);
	free(v->checks.items);
	free(v->warnings.items);
	free(v->findings.items);
	*v = (struct eo_verification){ 0 };
}

/* For columns that may not be NULL. */
static const char *text(const char *s)
{
	return s ? s : "";
}

/* The series that all of the patches are of, or 0. */
static int64_t series_of(const struct eo_verification *v)
{
	const struct eo_verified_patch *p;
	int64_t series = v->patches.n ? v->patches.items[0].series : 0;

	eo_vec_for_each(p, &v->patches)
		if (p->series != series)
			return 0;
	return series;
}

static void bind_series(struct eo_sql_use *use, int64_t series)
{
	if (series)
		eo_sql_bind_int(use, series);
	else
		eo_sql_bind_text(use, NULL);
}

static struct eo_error *put_head(struct eo_db *db, struct eo_verification *v)
{
	int64_t tree;
	USE(use);

	eo_try(eo_sql_put_tree(db, v->root, &tree));
	eo_try(eo_sql_begin(db, EO_SQL_PUT_VERIFICATION, &use));
	eo_sql_bind_int(&use, tree);
	bind_series(&use, series_of(v));
	eo_sql_bind_text(&use, v->input);
	eo_sql_bind_text(&use, v->title);
	eo_sql_bind_text(&use, v->base);
	eo_sql_bind_text(&use, v->version);
	eo_sql_bind_text(&use, v->revision);
	eo_sql_bind_text(&use, v->tool_version);
	eo_sql_bind_int(&use, v->sandbox);
	eo_sql_bind_text(&use, text(v->notes));
	eo_sql_bind_text(&use, v->verdict);
	eo_sql_bind_int(&use, v->started);
	eo_sql_bind_int(&use, v->duration_ms);
	eo_try(eo_sql_run(&use));
	v->id = sqlite3_last_insert_rowid(db->sql);
	return NULL;
}

static struct eo_error *put_patch(struct eo_db *db,
				  const struct eo_verification *v, size_t i)
{
	const struct eo_verified_patch *p = &v->patches.items[i];
	USE(use);

	eo_try(eo_sql_begin(db, EO_SQL_PUT_VERIFICATION_PATCH, &use));
	eo_sql_bind_int(&use, v->id);
	eo_sql_bind_int(&use, (int64_t)i + 1);
	eo_sql_bind_text(&use, p->subject);
	eo_sql_bind_text(&use, text(p->author));
	eo_sql_bind_int(&use, p->version);
	eo_sql_bind_text(&use, p->diff_id);
	bind_series(&use, p->series);
	if (p->series)
		eo_sql_bind_int(&use, (int64_t)p->series_n);
	else
		eo_sql_bind_text(&use, NULL);
	return eo_sql_run(&use);
}

/* Row @n of patch @patch: what all of the lists begin with. */
static void bind_place(struct eo_sql_use *use, const struct eo_verification *v,
		       size_t patch, size_t n)
{
	eo_sql_bind_int(use, v->id);
	eo_sql_bind_int(use, (int64_t)patch);
	eo_sql_bind_int(use, (int64_t)n);
}

static struct eo_error *put_check(struct eo_db *db,
				  const struct eo_verification *v, size_t i)
{
	const struct eo_verified_check *c = &v->checks.items[i];
	const char *all = text(c->log);
	EO_CLEANUP(eo_freep)
	char *log = eo_strndup(all, strnlen(all, MAX_LOG));
	USE(use);

	eo_try(eo_sql_begin(db, EO_SQL_PUT_VERIFICATION_CHECK, &use));
	bind_place(&use, v, c->patch, i);
	eo_sql_bind_text(&use, c->name);
	eo_sql_bind_text(&use, c->verdict);
	eo_sql_bind_text(&use, c->reason);
	eo_sql_bind_text(&use, log);
	eo_sql_bind_int(&use, c->duration_ms);
	return eo_sql_run(&use);
}

static struct eo_error *put_warning(struct eo_db *db,
				    const struct eo_verification *v, size_t i)
{
	const struct eo_verified_warning *w = &v->warnings.items[i];
	USE(use);

	eo_try(eo_sql_begin(db, EO_SQL_PUT_VERIFICATION_WARNING, &use));
	bind_place(&use, v, w->patch, i);
	eo_sql_bind_text(&use, w->tool);
	eo_sql_bind_int(&use, w->comes);
	eo_sql_bind_text(&use, w->fingerprint);
	eo_sql_bind_text(&use, w->text);
	return eo_sql_run(&use);
}

static struct eo_error *put_finding(struct eo_db *db,
				    const struct eo_verification *v, size_t i)
{
	const struct eo_verified_finding *f = &v->findings.items[i];
	USE(use);

	eo_try(eo_sql_begin(db, EO_SQL_PUT_VERIFICATION_FINDING, &use));
	bind_place(&use, v, f->patch, i);
	eo_sql_bind_text(&use, f->finding);
	eo_sql_bind_text(&use, text(f->rule));
	eo_sql_bind_text(&use, text(f->file));
	eo_sql_bind_text(&use, text(f->function));
	eo_sql_bind_text(&use, f->fate);
	eo_sql_bind_text(&use, text(f->why));
	return eo_sql_run(&use);
}

static struct eo_error *put_all(struct eo_db *db, struct eo_verification *v)
{
	eo_try(put_head(db, v));
	for (size_t i = 0; i < v->patches.n; i++)
		eo_try(put_patch(db, v, i));
	for (size_t i = 0; i < v->checks.n; i++)
		eo_try(put_check(db, v, i));
	for (size_t i = 0; i < v->warnings.n; i++)
		eo_try(put_warning(db, v, i));
	for (size_t i = 0; i < v->findings.n; i++)
		eo_try(put_finding(db, v, i));
	return NULL;
}

struct eo_error *eo_db_put_verification(struct eo_db *db,
					struct eo_verification *v)
{
	struct eo_error *err;

	eo_try(eo_sql_exec(db, "BEGIN IMMEDIATE"));
	err = eo_sql_finish(db, put_all(db, v));
	if (err)
		v->id = 0;
	return err;
}

struct eo_error *eo_db_get_written_patches(struct eo_db *db, const char *root,
					   struct eo_arena *arena,
					   struct eo_written_patches *out)
{
	bool more;
	USE(use);

	eo_try(eo_sql_begin(db, EO_SQL_GET_WRITTEN_PATCHES, &use));
	eo_sql_bind_text(&use, root);
	for (;;) {
		struct eo_written_patch *p;

		eo_try(eo_sql_step(&use, &more));
		if (!more)
			return NULL;
		p = eo_vec_push(out);
		p->series = eo_sql_int(&use);
		p->n = (size_t)eo_sql_int(&use);
		p->diff = eo_sql_text(&use, arena);
	}
}

struct eo_error *eo_db_get_verified(struct eo_db *db, const char *root,
				    const char *diff_id, struct eo_str *out)
{
	EO_CLEANUP(eo_arena_release) struct eo_arena a = { 0 };
	bool more;
	USE(use);

	eo_try(eo_sql_begin(db, EO_SQL_GET_VERIFIED, &use));
	eo_sql_bind_text(&use, root);
	eo_sql_bind_text(&use, diff_id);
	for (;;) {
		const char *verdict, *version, *names;

		eo_try(eo_sql_step(&use, &more));
		if (!more)
			return NULL;
		verdict = eo_sql_text(&use, &a);
		version = eo_sql_text(&use, &a);
		names = eo_sql_text(&use, &a);
		eo_str_addf(out, "%s on Linux %s: %s\n", verdict, version,
			    names);
	}
}
