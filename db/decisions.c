// SPDX-License-Identifier: GPL-2.0-only
#include "db/decisions.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "db/history.h"
#include "db/sql.h"

#define USE(use) EO_CLEANUP(eo_sql_end) struct eo_sql_use use = { 0 }
#define MAX_KEY 64

static struct eo_error *no_file_of_ours(void)
{
	return eo_error_new(
		EO_ERR_INPUT,
		"this is no file of reviews: the object \"earlyout-review/1\" was expected, as the report's pages save it");
}

static struct eo_error *wrong(size_t n, const char *what)
{
	return eo_error_new(EO_ERR_INPUT, "change %zu: %s", n, what);
}

static struct eo_error *read_head(struct eo_db *db, const char *json,
				  struct eo_decisions *out)
{
	bool more;
	USE(use);

	eo_try(eo_sql_begin(db, EO_SQL_READ_DECISIONS_HEAD, &use));
	eo_sql_bind_text(&use, json);
	eo_try(eo_sql_step(&use, &more));
	if (!more || eo_sql_int(&use) != 1)
		return no_file_of_ours();
	out->who = eo_sql_text(&use, &out->arena);
	return NULL;
}

static struct eo_error *count(struct eo_db *db, const char *json, size_t *n)
{
	bool more;
	USE(use);

	eo_try(eo_sql_begin(db, EO_SQL_COUNT_DECISIONS, &use));
	eo_sql_bind_text(&use, json);
	eo_try(eo_sql_step(&use, &more));
	*n = (size_t)eo_sql_int(&use);
	return NULL;
}

/* A member that is text, or is not there: NULL. Anything else is *bad. */
static const char *text(struct eo_sql_use *use, struct eo_arena *a, bool *bad)
{
	const char *type = eo_sql_text(use, a);
	const char *value = eo_sql_text(use, a);

	if (!type || eo_streq(type, "null"))
		return NULL;
	*bad |= !eo_streq(type, "text");
	return value;
}

static int64_t number(struct eo_sql_use *use, struct eo_arena *a,
		      int64_t otherwise, bool *bad)
{
	const char *type = eo_sql_text(use, a);
	int64_t value = eo_sql_int(use);

	if (!type || eo_streq(type, "null"))
		return otherwise;
	*bad |= !eo_streq(type, "integer");
	return value;
}

static struct eo_error *check(size_t n, const struct eo_decision *d, bool undo)
{
	if (!d->id || strlen(d->id) != 16 ||
	    strspn(d->id, "0123456789abcdef") != 16)
		return wrong(n, "\"id\" is no finding's id");
	if (undo == (d->status != NULL))
		return wrong(n, "it needs a \"status\", or \"undo\": true");
	if (d->status && !eo_review_is_status(d->status))
		return eo_error_new(EO_ERR_INPUT,
				    "change %zu: \"status\" takes %s", n,
				    eo_review_statuses());
	if (d->note && strlen(d->note) > EO_MAX_NOTE)
		return wrong(n, "the note is too long");
	if (d->key && strlen(d->key) > MAX_KEY)
		return wrong(n, "\"key\" is too long");
	return NULL;
}

static struct eo_error *read_one(struct eo_sql_use *use, int64_t now,
				 struct eo_decisions *out)
{
	struct eo_decision *d = eo_vec_push(out);
	bool bad = false, undo;

	eo_sql_text(use, &out->arena); /* an object */
	d->id = text(use, &out->arena, &bad);
	d->status = text(use, &out->arena, &bad);
	undo = eo_streq(eo_sql_text(use, &out->arena), "true");
	d->note = text(use, &out->arena, &bad);
	d->key = text(use, &out->arena, &bad);
	d->expect = number(use, &out->arena, -1, &bad);
	d->made = number(use, &out->arena, now, &bad);
	if (d->made > now || d->made < 0)
		d->made = now;
	if (d->note && !*d->note)
		d->note = NULL;
	if (bad)
		return wrong(out->n, "a member has the wrong type");
	return check(out->n, d, undo);
}

struct eo_error *eo_db_read_decisions(struct eo_db *db, const char *json,
				      int64_t now, struct eo_decisions *out)
{
	size_t n;
	bool more;
	USE(use);

	eo_try(read_head(db, json, out));
	if (out->who && (!*out->who || strlen(out->who) > EO_MAX_WHO))
		return eo_error_new(EO_ERR_INPUT,
				    "\"who\" is empty or too long");
	eo_try(count(db, json, &n));
	eo_try(eo_sql_begin(db, EO_SQL_READ_DECISIONS, &use));
	eo_sql_bind_text(&use, json);
	for (;;) {
		eo_try(eo_sql_step(&use, &more));
		if (!more)
			break;
		eo_try(read_one(&use, now, out));
	}
	return out->n == n ? NULL : wrong(out->n + 1, "it is no object");
}

/* Where the finding stands. *version is -1 when there is none. */
static struct eo_error *look(struct eo_db *db, const char *id, int64_t *version,
			     int64_t *holds)
{
	EO_CLEANUP(eo_arena_release) struct eo_arena a = { 0 };
	bool more;
	USE(use);

	*version = -1;
	eo_try(eo_sql_begin(db, EO_SQL_GET_REVIEW_VERSION, &use));
	eo_sql_bind_text(&use, id);
	eo_try(eo_sql_step(&use, &more));
	if (!more)
		return NULL;
	eo_sql_text(&use, &a);
	*version = eo_sql_int(&use);
	*holds = eo_sql_int(&use); /* 0: none */
	return NULL;
}

static struct eo_error *is_known(struct eo_db *db, const char *key, bool *known)
{
	USE(use);

	*known = false;
	if (!key)
		return NULL;
	eo_try(eo_sql_begin(db, EO_SQL_GET_REVIEW_KEY, &use));
	eo_sql_bind_text(&use, key);
	return eo_sql_step(&use, known);
}

static struct eo_error *undo(struct eo_db *db, int64_t review,
			     const struct eo_decision *d, const char *who)
{
	USE(use);

	eo_try(eo_sql_begin(db, EO_SQL_PUT_REVIEW_UNDO, &use));
	eo_sql_bind_int(&use, review);
	eo_sql_bind_text(&use, who);
	eo_sql_bind_int(&use, d->made);
	return eo_sql_run(&use);
}

static struct eo_error *add(struct eo_db *db, const struct eo_decision *d,
			    const char *who)
{
	const struct eo_review r = { .status = d->status,
				     .note = d->note,
				     .who = who,
				     .made = d->made };
	USE(use);

	eo_try(eo_db_put_review(db, d->id, &r));
	if (!d->key)
		return NULL;
	eo_try(eo_sql_begin(db, EO_SQL_PUT_REVIEW_KEY, &use));
	eo_sql_bind_text(&use, d->key);
	return eo_sql_run(&use);
}

static struct eo_error *put_one(struct eo_db *db, struct eo_decision *d,
				const char *who, bool force)
{
	int64_t version, holds = 0;
	bool known;

	eo_try(is_known(db, d->key, &known));
	eo_try(look(db, d->id, &version, &holds));
	if (known)
		d->outcome = EO_REPEATED;
	else if (version < 0 || (!d->status && !holds))
		d->outcome = EO_UNKNOWN;
	else if (d->expect >= 0 && d->expect != version && !force)
		d->outcome = EO_STALE;
	else
		d->outcome = EO_STORED;
	if (d->outcome != EO_STORED)
		return NULL;
	return d->status ? add(db, d, who) : undo(db, holds, d, who);
}

struct eo_error *eo_db_put_decisions(struct eo_db *db, struct eo_decisions *d,
				     const char *who, bool force)
{
	struct eo_error *err = eo_sql_exec(db, "BEGIN IMMEDIATE");

	if (err)
		return err;
	for (size_t i = 0; !err && i < d->n; i++)
		err = put_one(db, &d->items[i], who, force);
	return eo_sql_finish(db, err);
}

void eo_decisions_release(struct eo_decisions *d)
{
	free(d->items);
	eo_arena_release(&d->arena);
	*d = (struct eo_decisions){ 0 };
}

struct eo_error *eo_db_get_review_state(struct eo_db *db, const char *id,
					struct eo_str *out)
{
	bool more;
	USE(use);

	eo_try(eo_sql_begin(db, EO_SQL_GET_REVIEW_STATE, &use));
	eo_sql_bind_text(&use, id);
	eo_try(eo_sql_step(&use, &more));
	eo_str_add(out, (const char *)sqlite3_column_text(use.stmt, 0));
	return NULL;
}

struct eo_error *eo_db_get_review_clock(struct eo_db *db, int64_t *out)
{
	bool more;
	USE(use);

	eo_try(eo_sql_begin(db, EO_SQL_GET_REVIEW_CLOCK, &use));
	eo_try(eo_sql_step(&use, &more));
	*out = eo_sql_int(&use);
	return NULL;
}
