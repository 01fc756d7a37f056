// SPDX-License-Identifier: GPL-2.0-only
#include "rewrite/head.h"

#include <string.h>

#include "base/err.h"
#include "facts/ast.h"
#include "rewrite/code.h"
#include "smpl/ctext.h"

#define WIDTH 80
#define TAB 8

size_t eo_head_start(const struct eo_code *c, const struct eo_func *f)
{
	return eo_code_block(c, eo_ctext_at(c->s, c->n, f->line, 1));
}

size_t eo_head_end(const struct eo_code *c, const struct eo_func *f)
{
	return eo_code_next_line(c, eo_ctext_at(c->s, c->n, f->end_line, 1));
}

/* What is between the brackets; empty when it is not seen. */
static struct eo_span params(const struct eo_code *c, const struct eo_func *f)
{
	size_t i = eo_ctext_at(c->s, c->n, f->line, 1), end;

	while (i < c->n && !eo_ctext_is_word(c->s, c->n, i, f->name))
		i = eo_ctext_next(c->s, c->n, i);
	i = eo_ctext_blank(c->s, c->n, i + strlen(f->name));
	end = i < c->n && c->s[i] == '(' ? eo_ctext_close(c->s, c->n, i) : 0;
	return end ? (struct eo_span){ i + 1, end - 1 } : (struct eo_span){ 0 };
}

static size_t column(const struct eo_code *c, size_t at)
{
	size_t n = 0;

	for (size_t i = eo_code_line(c, at); i < at; i++)
		n += c->s[i] == '\t' ? TAB - n % TAB : 1;
	return n;
}

/* Puts @text where the bytes of @at were; @sep stands before it. */
static void put(struct eo_code *c, struct eo_span list, struct eo_span at,
		const char *sep, const char *text)
{
	size_t rest = strcspn(c->s + at.end, "\r\n"), gap = at.start;
	size_t open = column(c, list.start);
	EO_CLEANUP(eo_freep) char *new = NULL;

	while (gap > list.start && strchr(" \t\r\n", c->s[gap - 1]))
		gap--;
	if (column(c, at.start) + strlen(sep) + 1 + strlen(text) + rest >
		    WIDTH &&
	    gap > list.start) {
		new = eo_asprintf("%s\n%.*s%*s%s", sep, (int)(open / TAB),
				  "\t\t\t\t\t\t\t\t\t\t", (int)(open % TAB), "",
				  text);
		at.start = gap;
	} else {
		new = eo_asprintf("%s%s%s", sep, *sep ? " " : "", text);
	}
	eo_edits_replace(&c->edits, at.start, at.end, new);
}

static struct eo_error *not_seen(struct eo_code *c, const struct eo_func *f)
{
	return eo_code_refuse(c, f->line, "the parameters of %s() are not seen",
			      f->name);
}

struct eo_error *eo_head_set_param(struct eo_code *c, const struct eo_func *f,
				   const char *name, const char *text)
{
	struct eo_span list = params(c, f), at = { list.start, 0 };

	for (size_t i = list.start; i < list.end;
	     i = eo_ctext_next(c->s, c->n, i)) {
		if (c->s[i] == ',')
			at.start = i + 1;
		if (eo_ctext_is_word(c->s, c->n, i, name)) {
			at.end = i + strlen(name);
			break;
		}
	}
	if (!at.end)
		return not_seen(c, f);
	at.start += strspn(c->s + at.start, " \t\r\n");
	put(c, list, at, "", text);
	return NULL;
}

struct eo_error *eo_head_add_param(struct eo_code *c, const struct eo_func *f,
				   const char *text)
{
	struct eo_span list = params(c, f);
	bool none;

	if (!list.end)
		return not_seen(c, f);
	none = list.end - list.start == strlen("void") &&
	       !memcmp(c->s + list.start, "void", strlen("void"));
	if (none)
		eo_edits_replace(&c->edits, list.start, list.end, text);
	else
		put(c, list, (struct eo_span){ list.end, list.end }, ",", text);
	return NULL;
}

void eo_head_rename(struct eo_code *c, const struct eo_func *f, const char *old,
		    const char *new)
{
	size_t end = eo_ctext_at(c->s, c->n, f->line, 1);

	for (size_t i = eo_head_start(c, f); i < end; i++)
		if (c->s[i] == '@' && eo_ctext_is_word(c->s, c->n, i + 1, old))
			eo_edits_replace(&c->edits, i + 1, i + 1 + strlen(old),
					 new);
}
