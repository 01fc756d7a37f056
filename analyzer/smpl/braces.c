// SPDX-License-Identifier: GPL-2.0-only
/* Braces on all branches of an if when one of them needs some. */
#include "smpl/style.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "smpl/ctext.h"
#include "smpl/lines.h"

#define MAX_BRANCHES 64

struct branch {
	size_t word; /* its else, or the if that begins the chain */
	size_t header; /* end of "if (…)", "else if (…)" or "else" */
	size_t body, end; /* its statement */
};

struct chain {
	struct branch items[MAX_BRANCHES];
	size_t n;
};

struct text {
	struct eo_lines *lines;
	struct eo_str s; /* the lines, joined by "\n" */
	size_t *starts; /* offset of each line in it */
	size_t n; /* of them: lines that are inserted do not count */
};

static void text_release(struct text *t)
{
	eo_str_release(&t->s);
	free(t->starts);
}

static void text_fill(struct text *t)
{
	size_t at = 0;

	eo_str_clear(&t->s);
	eo_lines_join(t->lines, true, &t->s);
	t->starts =
		eo_realloc(t->starts, (t->lines->n + 1) * sizeof(*t->starts));
	t->n = t->lines->n;
	for (size_t i = 0; i < t->n; i++) {
		t->starts[i] = at;
		at += strlen(t->lines->items[i].s) + 1;
	}
}

/* The line that has @offset in the text as it was filled in. */
static size_t line_of(const struct text *t, size_t offset, size_t *column)
{
	size_t low = 0, high = t->n;

	while (high - low > 1) {
		size_t mid = low + (high - low) / 2;

		if (t->starts[mid] <= offset)
			low = mid;
		else
			high = mid;
	}
	*column = offset - t->starts[low];
	return low;
}

static bool is_touched(const struct text *t, size_t offset)
{
	size_t column;

	return t->lines->items[line_of(t, offset, &column)].touched;
}

/* The branches of the if at @i; false when it cannot be followed. */
static bool parse_chain(const struct text *t, size_t i, struct chain *chain)
{
	const char *s = t->s.s;
	size_t n = t->s.len, word = i;
	struct branch *b;

	for (chain->n = 0; chain->n < MAX_BRANCHES;) {
		bool is_if = eo_ctext_is_word(s, n, i, "if");

		b = &chain->items[chain->n++];
		b->word = word;
		b->header = i;
		if (is_if) {
			i = eo_ctext_blank(s, n, i + strlen("if"));
			if (i >= n || s[i] != '(')
				return false;
			b->header = eo_ctext_close(s, n, i);
		}
		b->body = eo_ctext_blank(s, n, b->header);
		b->end = eo_ctext_statement(s, n, b->body);
		if (!b->header || !b->end)
			return false;
		word = eo_ctext_blank(s, n, b->end);
		if (!is_if || !eo_ctext_is_word(s, n, word, "else"))
			return true;
		i = word + strlen("else");
		if (eo_ctext_is_word(s, n, eo_ctext_blank(s, n, i), "if"))
			i = eo_ctext_blank(s, n, i);
	}
	return false;
}

static bool is_braced(const struct text *t, const struct branch *b)
{
	return t->s.s[b->body] == '{';
}

/* Whether spatch gave a brace to one of them and another has none. */
static bool needs_braces(const struct text *t, const struct chain *chain)
{
	bool given = false, missing = false;

	for (size_t i = 0; i < chain->n; i++) {
		const struct branch *b = &chain->items[i];

		if (!is_braced(t, b))
			missing = true;
		else if (is_touched(t, b->body))
			given = true;
	}
	return given && missing;
}

/* Statements on lines of their own, and no #if among them. */
static bool is_plain(const struct text *t, const struct chain *chain)
{
	const struct branch *last = &chain->items[chain->n - 1];
	const char *s = t->s.s;

	for (size_t i = chain->items[0].word; i < last->end; i++)
		if (s[i] == '#' && s[i - 1] == '\n')
			return false;
	for (size_t i = 0; i < chain->n; i++) {
		const struct branch *b = &chain->items[i];

		if (!is_braced(t, b) &&
		    !memchr(s + b->header, '\n', b->body - b->header))
			return false;
		if (i && !is_braced(t, b - 1) &&
		    !memchr(s + b[-1].end, '\n', b->word - b[-1].end))
			return false;
	}
	return true;
}

static void insert_text(struct text *t, size_t offset, const char *what)
{
	size_t column, line = line_of(t, offset, &column);
	const char *s = t->lines->items[line].s;
	EO_CLEANUP(eo_str_release) struct eo_str new = { 0 };

	eo_str_addn(&new, s, column);
	eo_str_add(&new, what);
	eo_str_add(&new, s + column);
	eo_lines_set(t->lines, line, new.s, new.len);
}

/* "}" on a line below the one that has @end, as deep as the one of @word. */
static void insert_brace(struct text *t, size_t end, size_t word)
{
	size_t column, at = line_of(t, end, &column);
	const char *first = t->lines->items[line_of(t, word, &column)].s;
	EO_CLEANUP(eo_str_release) struct eo_str brace = { 0 };

	eo_str_addn(&brace, first, strspn(first, " \t"));
	eo_str_addc(&brace, '}');
	eo_lines_insert(t->lines, at + 1, brace.s, brace.len);
}

static void brace_chain(struct text *t, const struct chain *chain)
{
	for (size_t i = chain->n; i--;) {
		const struct branch *b = &chain->items[i];

		if (is_braced(t, b))
			continue;
		if (i + 1 < chain->n)
			insert_text(t, b[1].word, "} ");
		else
			insert_brace(t, b->end, chain->items[0].word);
		insert_text(t, b->header, " {");
	}
}

/* Braces one chain; false when there is none left that needs it. */
static bool brace_one(struct text *t)
{
	struct chain chain;
	size_t n = t->s.len;
	char before = '\n';

	for (size_t i = 0; i < n; i = eo_ctext_next(t->s.s, n, i)) {
		i = eo_ctext_blank(t->s.s, n, i);
		if (before != '#' && eo_ctext_is_word(t->s.s, n, i, "if") &&
		    parse_chain(t, i, &chain) && chain.n > 1 &&
		    needs_braces(t, &chain) && is_plain(t, &chain)) {
			brace_chain(t, &chain);
			return true;
		}
		if (i < n)
			before = t->s.s[i];
	}
	return false;
}

void eo_style_braces(struct eo_lines *lines)
{
	EO_CLEANUP(text_release) struct text t = { .lines = lines };

	/* Each turn braces one chain; there are no more than lines. */
	for (size_t left = lines->n; left; left--) {
		text_fill(&t);
		if (!brace_one(&t))
			return;
	}
}
