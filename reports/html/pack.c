// SPDX-License-Identifier: GPL-2.0-only
/*
 * The rows for the list's script, small, and in parts: a browser takes longer
 * for one text of megabytes than for many short ones. Words are written once
 * and named by their number, from 1 on; 0 is none:
 *
 *	{"words":["0123…","flush-before-walk",…],
 *	 "rows":[[id,rule,file,line,function,call,guard,message,
 *		  confidence,fix,engines,status,{"review":…}],…]}
 *
 * What few rows have stands in the object at the end; core.js reads this.
 */
#include "reports/html/html.h"

#include <stdint.h>

#include "base/err.h"
#include "reports/jsonw.h"

/* Rows in a part: some 50 kB. */
#define PART 200

struct packer {
	struct eo_map words; /* to their number */
	struct eo_str row_text, word_text;
	struct eo_jsonw row, word;
};

static void release(struct packer *p)
{
	eo_map_release(&p->words);
	eo_str_release(&p->row_text);
	eo_str_release(&p->word_text);
}

static void begin(struct packer *p)
{
	eo_str_clear(&p->row_text);
	eo_str_clear(&p->word_text);
	p->row = (struct eo_jsonw){ .to = &p->row_text };
	p->word = (struct eo_jsonw){ .to = &p->word_text };
	eo_jsonw_begin_array(&p->row, NULL);
	eo_jsonw_begin_array(&p->word, NULL);
}

static void put_word(struct packer *p, const char *s)
{
	uintptr_t number = 0;

	if (s) {
		number = (uintptr_t)eo_map_get(&p->words, s);
		if (!number) {
			number = p->words.n + 1;
			eo_map_set(&p->words, s, (void *)number);
			eo_jsonw_text(&p->word, NULL, s);
		}
	}
	eo_jsonw_number(&p->row, NULL, (int64_t)number);
}

static void put_rare(struct eo_jsonw *w, const struct eo_row *r)
{
	if (!r->suppressed && !r->known && !r->version && r->weight < 0 &&
	    r->gain < 0)
		return;
	eo_jsonw_begin_object(w, NULL);
	eo_html_put_rare(w, r);
	eo_jsonw_end(w);
}

static void put_row(struct packer *p, const struct eo_row *r)
{
	eo_jsonw_begin_array(&p->row, NULL);
	put_word(p, r->id);
	put_word(p, r->rule);
	put_word(p, r->file);
	eo_jsonw_number(&p->row, NULL, r->line);
	put_word(p, r->function);
	put_word(p, r->call);
	put_word(p, r->guard);
	put_word(p, r->message);
	put_word(p, eo_confidence_name(r->confidence));
	put_word(p, eo_fix_name(r->fix));
	eo_jsonw_number(&p->row, NULL, r->engines);
	put_word(p, r->status);
	put_rare(&p->row, r);
	eo_jsonw_end(&p->row);
}

/* What an earlier run had: no page, and no more than where it was. */
static void put_absent(struct packer *p, const struct eo_absent *a)
{
	eo_jsonw_begin_array(&p->row, NULL);
	put_word(p, a->id);
	put_word(p, a->rule);
	put_word(p, a->file);
	eo_jsonw_number(&p->row, NULL, a->line);
	put_word(p, a->function);
	put_word(p, a->call);
	put_word(p, NULL);
	put_word(p, NULL);
	put_word(p, NULL);
	put_word(p, NULL);
	eo_jsonw_number(&p->row, NULL, 0);
	put_word(p, a->status);
	eo_jsonw_begin_object(&p->row, NULL);
	eo_jsonw_number(&p->row, "gone", a->last_run);
	eo_jsonw_end(&p->row);
	eo_jsonw_end(&p->row);
}

static void end(struct packer *p, struct eo_str *to)
{
	EO_CLEANUP(eo_str_release) struct eo_str part = { 0 };

	eo_jsonw_end(&p->row);
	eo_jsonw_end(&p->word);
	eo_str_addf(&part, "{\"words\":%s,\"rows\":%s}", p->word_text.s,
		    p->row_text.s);
	eo_html_json(to, "class=\"rows\"", part.s);
}

void eo_html_packed_rows(const struct eo_html *h, struct eo_str *to)
{
	EO_CLEANUP(release) struct packer p = { 0 };
	const struct eo_absent *a;

	for (size_t i = 0; i < h->rows.n;) {
		begin(&p);
		for (size_t k = 0; k < PART && i < h->rows.n; k++)
			put_row(&p, &h->rows.items[i++]);
		end(&p, to);
	}
	if (!h->standings.absent.n)
		return;
	begin(&p);
	eo_vec_for_each(a, &h->standings.absent)
		put_absent(&p, a);
	end(&p, to);
}
