// SPDX-License-Identifier: GPL-2.0-only
#include "rewrite/edit.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "smpl/lines.h"
#include "smpl/style.h"

void eo_edits_release(struct eo_edits *e)
{
	free(e->items);
	eo_arena_release(&e->arena);
	*e = (struct eo_edits){ 0 };
}

void eo_edits_replace(struct eo_edits *e, size_t start, size_t end,
		      const char *text)
{
	*eo_vec_push(e) = (struct eo_edit){ start, end,
					    eo_arena_strdup(&e->arena, text),
					    e->n };
}

void eo_edits_insert(struct eo_edits *e, size_t at, const char *fmt, ...)
{
	EO_CLEANUP(eo_freep) char *text = NULL;
	va_list ap;

	va_start(ap, fmt);
	if (vasprintf(&text, fmt, ap) < 0)
		eo_oom();
	va_end(ap);
	eo_edits_replace(e, at, at, text);
}

void eo_edits_remove(struct eo_edits *e, size_t start, size_t end)
{
	eo_edits_replace(e, start, end, "");
}

static int by_place(const void *a, const void *b)
{
	const struct eo_edit *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	if (x->end != y->end)
		return x->end < y->end ? -1 : 1;
	return x->order < y->order ? -1 : 1;
}

/* Whether the line that has @at ends in "\r\n". */
static bool is_crlf(const char *text, size_t n, size_t at)
{
	const char *nl;

	if (at && at == n)
		at--;
	nl = memchr(text + at, '\n', n - at);
	if (!nl)
		nl = memrchr(text, '\n', at);
	return nl && nl > text && nl[-1] == '\r';
}

static void add_text(struct eo_str *out, const char *s, bool crlf)
{
	for (const char *p = s; *s; s++) {
		if (*s == '\n' && crlf && (s == p || s[-1] != '\r'))
			eo_str_addc(out, '\r');
		eo_str_addc(out, *s);
	}
}

/* Whole lines behind a last one that has no end: nor has theirs. */
static const char *as_last(const char *text, size_t n,
			   const struct eo_edit *edit, struct eo_str *out)
{
	size_t len = strlen(edit->text);

	if (edit->start < n || !n || text[n - 1] == '\n' || !len ||
	    edit->text[len - 1] != '\n')
		return edit->text;
	eo_str_addf(out, "\n%.*s", (int)len - 1, edit->text);
	return eo_str_get(out);
}

static size_t count(const char *s, size_t n)
{
	size_t lines = 0;

	for (size_t i = 0; i < n; i++)
		lines += s[i] == '\n';
	return lines;
}

/* Marks the lines from the one of offset @from to that of @to. */
static void touch(struct eo_lines *lines, const struct eo_str *s, size_t from,
		  size_t to)
{
	size_t i = count(s->s, from);

	for (size_t last = i + count(s->s + from, to - from);
	     i <= last && i < lines->n; i++)
		lines->items[i].touched = true;
}

bool eo_edits_apply(struct eo_edits *e, const char *text, size_t n,
		    struct eo_str *out)
{
	EO_CLEANUP(eo_str_release) struct eo_str s = { 0 };
	EO_CLEANUP(eo_lines_release) struct eo_lines lines = { 0 };
	size_t *from = eo_alloc((2 * e->n + 1) * sizeof(*from));
	size_t at = 0;
	bool ok = true;

	if (e->n)
		qsort(e->items, e->n, sizeof(*e->items), by_place);
	for (size_t i = 0; i < e->n && ok; i++) {
		const struct eo_edit *edit = &e->items[i];
		EO_CLEANUP(eo_str_release) struct eo_str last = { 0 };

		ok = edit->start >= at && edit->end >= edit->start &&
		     edit->end <= n;
		if (!ok)
			break;
		eo_str_addn(&s, text + at, edit->start - at);
		from[2 * i] = s.len;
		add_text(&s, as_last(text, n, edit, &last),
			 is_crlf(text, n, edit->start));
		from[2 * i + 1] = s.len;
		at = edit->end;
	}
	if (ok) {
		eo_str_addn(&s, text + at, n - at);
		eo_lines_split(&lines, eo_str_get(&s), s.len);
		for (size_t i = 0; i < e->n; i++)
			if (from[2 * i + 1] > from[2 * i])
				touch(&lines, &s, from[2 * i],
				      from[2 * i + 1] - 1);
		eo_style_braces(&lines);
		eo_lines_join(&lines, false, out);
	}
	free(from);
	return ok;
}
