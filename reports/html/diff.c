// SPDX-License-Identifier: GPL-2.0-only
/*
 * A patch to read: unified, signs kept, and side by side. Where a line takes
 * another's place, what is not the same in both is marked.
 */
#include "reports/html/html.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "reports/escape.h"

/* Of a line's bytes, how many must be in both for the rest to be marked. */
#define ALIKE_PERCENT 30

enum kind { META, HUNK, SAME, DEL, ADD };

struct line {
	enum kind kind;
	const char *s; /* with its sign */
	size_t n;
	unsigned old_no, new_no;
	size_t mark, mark_end; /* what differs from its partner; or 0, 0 */
};

struct lines {
	struct line *items;
	size_t n, cap;
};

static void release(struct lines *l)
{
	free(l->items);
}

static enum kind kind_of(const char *s, bool in_hunk)
{
	if (eo_starts_with(s, "@@"))
		return HUNK;
	if (!in_hunk)
		return META;
	return *s == '+' ? ADD : *s == '-' ? DEL : SAME;
}

/* "@@ -12,3 +14,4 @@": where both sides begin. */
static void read_hunk(const char *s, unsigned *old_no, unsigned *new_no)
{
	const char *plus = strchr(s, '+');

	*old_no = (unsigned)strtoul(s + strcspn(s, "-") + 1, NULL, 10);
	*new_no = plus ? (unsigned)strtoul(plus + 1, NULL, 10) : 0;
}

static void split(const char *diff, struct lines *out)
{
	unsigned old_no = 0, new_no = 0;
	bool in_hunk = false; /* "---" is a removed line in there */

	for (const char *s = diff; *s;) {
		size_t n = strcspn(s, "\n");
		struct line *l = eo_vec_push(out);

		if (eo_starts_with(s, "diff "))
			in_hunk = false;
		l->kind = kind_of(s, in_hunk);
		l->s = s;
		l->n = n;
		if (l->kind == HUNK) {
			in_hunk = true;
			read_hunk(s, &old_no, &new_no);
		}
		l->old_no = l->kind == SAME || l->kind == DEL ? old_no++ : 0;
		l->new_no = l->kind == SAME || l->kind == ADD ? new_no++ : 0;
		s += n + (s[n] == '\n');
	}
}

static bool is_word_at(const struct line *l, size_t i)
{
	return i > 0 && i < l->n && eo_is_ident(l->s[i]);
}

/* What is the same at both ends, but no name in half. */
static void mark_pair(struct line *a, struct line *b)
{
	size_t shorter = a->n < b->n ? a->n : b->n;
	size_t longer = a->n < b->n ? b->n : a->n;
	size_t head = 1, tail = 0;

	while (head < shorter && a->s[head] == b->s[head])
		head++;
	while (tail < shorter - head &&
	       a->s[a->n - 1 - tail] == b->s[b->n - 1 - tail])
		tail++;
	if (100 * (head - 1 + tail) < ALIKE_PERCENT * longer)
		return;
	if (is_word_at(a, head) || is_word_at(b, head))
		while (is_word_at(a, head - 1))
			head--;
	if (is_word_at(a, a->n - tail - 1) || is_word_at(b, b->n - tail - 1))
		while (tail && is_word_at(a, a->n - tail))
			tail--;
	a->mark = b->mark = head;
	a->mark_end = a->n - tail;
	b->mark_end = b->n - tail;
}

/* The end of the lines of @kind from @i on. */
static size_t run_of(const struct lines *l, size_t i, enum kind kind)
{
	while (i < l->n && l->items[i].kind == kind)
		i++;
	return i;
}

static void mark_changes(struct lines *l)
{
	for (size_t i = 0; i < l->n;) {
		size_t del = i, add, end;

		if (l->items[i].kind != DEL) {
			i++;
			continue;
		}
		add = run_of(l, del, DEL);
		end = run_of(l, add, ADD);
		for (size_t k = 0; del + k < add && add + k < end; k++)
			mark_pair(&l->items[del + k], &l->items[add + k]);
		i = end;
	}
}

/* The line from its byte @from on. */
static void add_text(struct eo_str *to, const struct line *l, size_t from)
{
	if (l->mark >= l->mark_end) {
		eo_add_html_n(to, l->s + from, l->n - from);
		return;
	}
	eo_add_html_n(to, l->s + from, l->mark - from);
	eo_str_add(to, "<mark>");
	eo_add_html_n(to, l->s + l->mark, l->mark_end - l->mark);
	eo_str_add(to, "</mark>");
	eo_add_html_n(to, l->s + l->mark_end, l->n - l->mark_end);
}

static void add_unified(struct eo_str *to, const struct lines *all)
{
	static const char *const classes[] = { "meta", "hunk", "same", "del",
					       "add" };
	const struct line *l;

	eo_str_add(to, "<pre class=\"diff\" tabindex=\"0\"><code>");
	eo_vec_for_each(l, all) {
		eo_str_addf(to, "<span class=\"%s\">", classes[l->kind]);
		add_text(to, l, 0);
		eo_str_add(to, "\n</span>");
	}
	eo_str_add(to, "</code></pre>\n");
}

static void add_side(struct eo_str *to, const struct line *l, bool old)
{
	unsigned no = !l ? 0 : old ? l->old_no : l->new_no;
	const char *class = !no		    ? "none" :
			    l->kind == SAME ? "same" :
			    old		    ? "del" :
					      "add";

	eo_str_addf(to, "<td class=\"no\">");
	if (no)
		eo_str_addf(to, "%u", no);
	eo_str_addf(to, "</td><td class=\"%s\"><code>", class);
	if (no && l->n)
		add_text(to, l, 1);
	eo_str_add(to, "</code></td>");
}

static void add_pair(struct eo_str *to, const struct line *old,
		     const struct line *new)
{
	eo_str_add(to, "<tr>");
	add_side(to, old, true);
	add_side(to, new, false);
	eo_str_add(to, "</tr>\n");
}

static void add_wide_row(struct eo_str *to, const struct line *l)
{
	eo_str_addf(to, "<tr><td colspan=\"4\" class=\"%s\"><code>",
		    l->kind == HUNK ? "hunk" : "meta");
	add_text(to, l, 0);
	eo_str_add(to, "</code></td></tr>\n");
}

static void add_sides(struct eo_str *to, const struct lines *all)
{
	const struct line *l = all->items;

	eo_str_add(to,
		   "<details class=\"sides\"><summary>Side by side"
		   "</summary>\n<div class=\"scroll\" tabindex=\"0\""
		   " role=\"region\" aria-label=\"The patch, side by side\">"
		   "<table class=\"sides\"><thead><tr>"
		   "<th scope=\"col\" colspan=\"2\">Before</th>"
		   "<th scope=\"col\" colspan=\"2\">After</th></tr></thead>\n"
		   "<tbody>\n");
	for (size_t i = 0; i < all->n;) {
		size_t add, end;

		if (l[i].kind < SAME) {
			add_wide_row(to, &l[i++]);
			continue;
		}
		if (l[i].kind == SAME) {
			add_pair(to, &l[i], &l[i]);
			i++;
			continue;
		}
		add = run_of(all, i, DEL);
		end = run_of(all, add, ADD);
		for (size_t k = 0; i + k < add || add + k < end; k++)
			add_pair(to, i + k < add ? &l[i + k] : NULL,
				 add + k < end ? &l[add + k] : NULL);
		i = end;
	}
	eo_str_add(to, "</tbody></table></div></details>\n");
}

void eo_html_diff(struct eo_str *to, const char *diff)
{
	EO_CLEANUP(release) struct lines all = { 0 };

	split(diff, &all);
	mark_changes(&all);
	add_unified(to, &all);
	add_sides(to, &all);
}
