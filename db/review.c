// SPDX-License-Identifier: GPL-2.0-only
#include "db/history.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "db/sql.h"

#define USE(use) EO_CLEANUP(eo_sql_end) struct eo_sql_use use = { 0 }
#define SHORTEST_PREFIX 4

bool eo_review_is_status(const char *s)
{
	static const char *const all[] = { "confirmed", "false-positive",
					   "wont-fix", "sent", "merged" };

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		if (!strcmp(all[i], s))
			return true;
	return false;
}

const char *eo_review_statuses(void)
{
	return "confirmed, false-positive, wont-fix, sent or merged";
}

static struct eo_error *find_id(struct eo_db *db, const char *prefix,
				char id[17], size_t *found)
{
	EO_CLEANUP(eo_arena_release) struct eo_arena a = { 0 };
	bool more;
	USE(use);

	*found = 0;
	eo_try(eo_sql_begin(db, EO_SQL_GET_IDS, &use));
	eo_sql_bind_text(&use, prefix);
	for (;;) {
		const char *s;

		eo_try(eo_sql_step(&use, &more));
		if (!more)
			return NULL;
		s = eo_sql_text(&use, &a);
		if (!s || strlen(s) != 16)
			continue;
		memcpy(id, s, 17);
		++*found;
	}
}

struct eo_error *eo_db_find_id(struct eo_db *db, const char *prefix,
			       char id[17])
{
	size_t n = strlen(prefix), found = 0;

	if (n > 16 || strspn(prefix, "0123456789abcdef") != n)
		return eo_error_new(
			EO_ERR_USAGE,
			"%s is no finding's id, which is 16 hexadecimal digits: `earlyout review --list` has them",
			prefix);
	if (n < SHORTEST_PREFIX)
		return eo_error_new(
			EO_ERR_USAGE,
			"%s is too short for an id: give at least %d digits",
			prefix, SHORTEST_PREFIX);
	eo_try(find_id(db, prefix, id, &found));
	if (found == 1)
		return NULL;
	return eo_error_new(
		EO_ERR_INPUT,
		found ? "%s: the ids of several findings begin so; give more digits" :
			"%s: no finding has this id; `earlyout review --list` has them",
		prefix);
}

struct eo_error *eo_db_put_review(struct eo_db *db, const char *id,
				  const struct eo_review *review)
{
	USE(use);

	eo_try(eo_sql_begin(db, EO_SQL_PUT_REVIEW, &use));
	eo_sql_bind_text(&use, id);
	eo_sql_bind_text(&use, review->status);
	eo_sql_bind_text(&use, review->note);
	eo_sql_bind_text(&use, review->who);
	eo_sql_bind_int(&use, review->made);
	return eo_sql_run(&use);
}

struct eo_error *eo_db_get_reviews(struct eo_db *db, const char *id,
				   struct eo_reviews *out)
{
	bool more;
	USE(use);

	eo_try(eo_sql_begin(db, EO_SQL_GET_REVIEWS, &use));
	eo_sql_bind_text(&use, id);
	for (;;) {
		struct eo_review *r;

		eo_try(eo_sql_step(&use, &more));
		if (!more)
			return NULL;
		r = eo_vec_push(out);
		r->status = eo_sql_text(&use, &out->arena);
		r->note = eo_sql_text(&use, &out->arena);
		r->who = eo_sql_text(&use, &out->arena);
		r->made = eo_sql_int(&use);
		r->undone_by = eo_sql_text(&use, &out->arena);
		r->undone = eo_sql_int(&use);
	}
}

void eo_reviews_release(struct eo_reviews *r)
{
	free(r->items);
	eo_arena_release(&r->arena);
	*r = (struct eo_reviews){ 0 };
}

struct eo_error *eo_db_get_listing(struct eo_db *db, struct eo_listing *out)
{
	int64_t run;
	bool more;
	USE(use);

	eo_try(eo_sql_pick_run(db, 0, &run)); /* says to scan first */
	eo_try(eo_sql_begin(db, EO_SQL_GET_LISTING, &use));
	for (;;) {
		struct eo_listed *l;

		eo_try(eo_sql_step(&use, &more));
		if (!more)
			return NULL;
		l = eo_vec_push(out);
		l->id = eo_sql_text(&use, &out->arena);
		l->rule = eo_sql_text(&use, &out->arena);
		l->file = eo_sql_text(&use, &out->arena);
		l->function = eo_sql_text(&use, &out->arena);
		l->call = eo_sql_text(&use, &out->arena);
		l->line = eo_sql_unsigned(&use);
		l->review = eo_sql_text(&use, &out->arena);
		l->state = eo_sql_text(&use, &out->arena);
		l->note = eo_sql_text(&use, &out->arena);
		if (!l->state)
			l->state = "gone";
	}
}

void eo_listing_release(struct eo_listing *l)
{
	free(l->items);
	eo_arena_release(&l->arena);
	*l = (struct eo_listing){ 0 };
}

struct eo_error *eo_db_get_reviews_json(struct eo_db *db, struct eo_str *out)
{
	int64_t run;
	bool more;
	USE(use);

	eo_try(eo_sql_pick_run(db, 0, &run)); /* says to scan first */
	eo_try(eo_sql_begin(db, EO_SQL_GET_REVIEWS_JSON, &use));
	eo_try(eo_sql_step(&use, &more));
	eo_str_add(out, (const char *)sqlite3_column_text(use.stmt, 0));
	return NULL;
}
