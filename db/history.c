// SPDX-License-Identifier: GPL-2.0-only
#include "db/history.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "db/db.h"
#include "db/rows.h"
#include "db/sql.h"

#define USE(use) EO_CLEANUP(eo_sql_end) struct eo_sql_use use = { 0 }

static void read_standing(struct eo_sql_use *use, struct eo_arena *a,
			  struct eo_standing *s)
{
	const char *id = eo_sql_text(use, a);

	strncpy(s->id, id ? id : "", sizeof(s->id) - 1);
	s->status = eo_sql_text(use, a);
	s->last_run = eo_sql_int(use);
	s->suppressed_by = eo_sql_text(use, a);
	s->suppressed_at = eo_sql_text(use, a);
	s->suppressed_reason = eo_sql_text(use, a);
	s->suppressed_date = eo_sql_text(use, a);
	s->review = eo_sql_text(use, a);
	s->review_note = eo_sql_text(use, a);
	s->has_baseline = !eo_sql_is_null(use);
	s->known = eo_sql_int(use) == 1;
	s->weight = eo_sql_is_null(use) ? -1 : eo_sql_real(use);
}

static struct eo_error *get_absent(struct eo_db *db, int64_t run,
				   struct eo_standings *out)
{
	USE(use);
	bool more;

	eo_try(eo_sql_begin(db, EO_SQL_GET_ABSENT, &use));
	eo_sql_bind_int(&use, run);
	for (;;) {
		struct eo_absent *a;

		eo_try(eo_sql_step(&use, &more));
		if (!more)
			return NULL;
		a = eo_vec_push(&out->absent);
		a->id = eo_sql_text(&use, &out->arena);
		a->status = eo_sql_text(&use, &out->arena);
		a->rule = eo_sql_text(&use, &out->arena);
		a->file = eo_sql_text(&use, &out->arena);
		a->function = eo_sql_text(&use, &out->arena);
		a->call = eo_sql_text(&use, &out->arena);
		a->last_run = eo_sql_int(&use);
		a->line = eo_sql_unsigned(&use);
	}
}

struct eo_error *eo_db_get_standings(struct eo_db *db, int64_t run,
				     struct eo_standings *out)
{
	USE(use);
	bool more;

	eo_try(eo_sql_pick_run(db, run, &run));
	eo_try(eo_sql_begin(db, EO_SQL_GET_STANDINGS, &use));
	eo_sql_bind_int(&use, run);
	for (;;) {
		eo_try(eo_sql_step(&use, &more));
		if (!more)
			break;
		read_standing(&use, &out->arena, eo_vec_push(out));
	}
	return get_absent(db, run, out);
}

struct eo_error *eo_db_get_standing(struct eo_db *db, int64_t run,
				    const char *id, struct eo_standings *out)
{
	USE(use);
	bool more;

	eo_try(eo_sql_begin(db, EO_SQL_GET_STANDING, &use));
	eo_sql_bind_int(&use, run);
	eo_sql_bind_text(&use, id);
	eo_try(eo_sql_step(&use, &more));
	if (more)
		read_standing(&use, &out->arena, eo_vec_push(out));
	return NULL;
}

void eo_standings_release(struct eo_standings *s)
{
	free(s->items);
	free(s->absent.items);
	eo_arena_release(&s->arena);
	*s = (struct eo_standings){ 0 };
}

const struct eo_standing *eo_standings_find(const struct eo_standings *s,
					    const char *id)
{
	const struct eo_standing *it;

	eo_vec_for_each(it, s) {
		if (!strcmp(it->id, id))
			return it;
	}
	return NULL;
}

bool eo_standing_is_aside(const struct eo_standing *s)
{
	return s->suppressed_by || eo_streq(s->review, "false-positive") ||
	       eo_streq(s->review, "wont-fix");
}

bool eo_standing_counts(const struct eo_standing *s)
{
	return !eo_standing_is_aside(s) && !(s->has_baseline && s->known);
}

struct eo_error *eo_db_get_known(struct eo_db *db, const char *root,
				 struct eo_known_list *out)
{
	USE(use);
	bool more;

	eo_try(eo_sql_begin(db, EO_SQL_GET_KNOWN, &use));
	eo_sql_bind_text(&use, root);
	for (;;) {
		struct eo_known *k;

		eo_try(eo_sql_step(&use, &more));
		if (!more)
			return NULL;
		k = eo_vec_push(out);
		k->id = eo_sql_text(&use, &out->arena);
		k->origin = eo_sql_text(&use, &out->arena);
		k->rule = eo_sql_text(&use, &out->arena);
		k->file = eo_sql_text(&use, &out->arena);
		k->function = eo_sql_text(&use, &out->arena);
		k->call_text = eo_sql_text(&use, &out->arena);
		k->revision = eo_sql_text(&use, &out->arena);
		k->line = eo_sql_unsigned(&use);
	}
}

void eo_known_release(struct eo_known_list *list)
{
	free(list->items);
	eo_arena_release(&list->arena);
	*list = (struct eo_known_list){ 0 };
}
