// SPDX-License-Identifier: GPL-2.0-only
#include "reports/serve/answer.h"

#include <stdlib.h>
#include <time.h>

#include "base/err.h"
#include "db/decisions.h"
#include "reports/escape.h"
#include "reports/jsonw.h"

static void unload(struct eo_site *s)
{
	eo_html_release(&s->html);
	s->html = (struct eo_html){ 0 };
	s->loaded = false;
}

void eo_site_release(struct eo_site *s)
{
	unload(s);
}

/* Reads anew what has changed: by a reviewer here, by another process. */
static struct eo_error *refresh(struct eo_site *s)
{
	int64_t clock, version;
	struct eo_error *err;

	eo_try(eo_db_get_review_clock(s->db, &clock));
	eo_try(eo_db_get_data_version(s->db, &version));
	if (s->loaded && clock == s->clock && version == s->version)
		return NULL;
	unload(s);
	s->html.live = true;
	s->html.who = s->who;
	err = eo_html_load(s->db, s->run, &s->html);
	if (err) {
		unload(s);
		return err;
	}
	s->loaded = true;
	s->clock = clock;
	s->version = version;
	return NULL;
}

static void plain(struct eo_answer *a, unsigned status, const char *text)
{
	a->status = status;
	a->type = "text/plain; charset=utf-8";
	eo_str_clear(&a->body);
	eo_str_add(&a->body, text);
}

struct eo_error *eo_answer_page(struct eo_site *s, const char *path,
				struct eo_answer *a)
{
	const struct eo_html_asset *script;
	bool found;

	if (eo_streq(path, "/")) {
		plain(a, 302, "list.html\n");
		a->location = "/list.html";
		return NULL;
	}
	eo_try(refresh(s));
	eo_try(eo_html_page(&s->html, path + 1, &a->body, &found, &script));
	if (!found) {
		plain(a, 404, "There is no such page.\n");
		return NULL;
	}
	a->status = 200;
	a->type = "text/html; charset=utf-8";
	eo_html_policy(&s->html, script, &a->policy);
	return NULL;
}

static struct eo_error *add_state(struct eo_db *db, const char *id,
				  struct eo_str *to)
{
	EO_CLEANUP(eo_str_release) struct eo_str raw = { 0 };

	eo_try(eo_db_get_review_state(db, id, &raw));
	eo_add_utf8(to, eo_str_get(&raw));
	return NULL;
}

static void json(struct eo_answer *a)
{
	a->status = 200;
	a->type = "application/json";
}

struct eo_error *eo_answer_state(struct eo_site *s, const char *since,
				 struct eo_answer *a)
{
	int64_t clock;

	eo_try(eo_db_get_review_clock(s->db, &clock));
	eo_str_addf(&a->body, "{\"clock\":%lld,\"state\":", (long long)clock);
	if (since && atoll(since) == clock)
		eo_str_add(&a->body, "[]");
	else
		eo_try(add_state(s->db, NULL, &a->body));
	eo_str_add(&a->body, "}\n");
	json(a);
	return NULL;
}

static const char *outcome_name(enum eo_outcome o)
{
	static const char *const names[] = {
		[EO_STORED] = "stored",
		[EO_STALE] = "stale",
		[EO_REPEATED] = "repeated",
		[EO_UNKNOWN] = "unknown",
	};

	return names[o];
}

static void add_outcomes(const struct eo_decisions *d, struct eo_str *to)
{
	struct eo_jsonw w = { .to = to };
	const struct eo_decision *it;

	eo_jsonw_begin_array(&w, NULL);
	eo_vec_for_each(it, d) {
		eo_jsonw_begin_object(&w, NULL);
		eo_jsonw_text(&w, "id", it->id);
		eo_jsonw_text(&w, "outcome", outcome_name(it->outcome));
		eo_jsonw_end(&w);
	}
	eo_jsonw_end(&w);
}

struct eo_error *eo_answer_review(struct eo_site *s, const char *body,
				  struct eo_answer *a)
{
	EO_CLEANUP(eo_decisions_release) struct eo_decisions d = { 0 };
	int64_t clock;

	eo_try(eo_db_read_decisions(s->db, body, time(NULL), &d));
	eo_try(eo_db_put_decisions(s->db, &d, d.who ? d.who : s->who, false));
	eo_try(eo_db_get_review_clock(s->db, &clock));
	eo_str_addf(&a->body, "{\"clock\":%lld,\"changes\":", (long long)clock);
	add_outcomes(&d, &a->body);
	eo_str_add(&a->body, ",\"state\":");
	eo_try(add_state(s->db, d.n == 1 ? d.items[0].id : NULL, &a->body));
	eo_str_add(&a->body, "}\n");
	json(a);
	return NULL;
}
