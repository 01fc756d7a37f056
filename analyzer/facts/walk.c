// SPDX-License-Identifier: GPL-2.0-only
/*
 * Recognising a walk: a for statement that was expanded where the source has
 * the name of an iterator macro of the model.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "facts/build.h"
#include "model/model.h"

/* A stretch of the main file's text. */
struct span {
	size_t start, end;
};

/* Behind a string, character constant or comment at @i; else @i. */
static size_t skip_opaque(const char *s, size_t i, size_t n)
{
	if (s[i] == '"' || s[i] == '\'') {
		char quote = s[i++];

		while (i < n && s[i] != quote)
			i += s[i] == '\\' ? 2 : 1;
		return i + 1;
	}
	if (s[i] == '/' && i + 1 < n && s[i + 1] == '*') {
		for (i += 2; i + 1 < n; i++)
			if (s[i] == '*' && s[i + 1] == '/')
				return i + 2;
		return n;
	}
	return i;
}

/*
 * Argument @number (from 1) of the macro use whose "(" is at @i, without the
 * white space around it. False when there is no such argument.
 */
static bool argument(const char *s, size_t i, size_t n, unsigned number,
		     struct span *out)
{
	unsigned depth = 0, at = 1;
	size_t start = ++i;

	while (i < n) {
		size_t next = skip_opaque(s, i, n);
		bool ends;

		if (next != i) {
			i = next;
			continue;
		}
		ends = depth == 0 && (s[i] == ',' || s[i] == ')');
		if (ends && at == number)
			break;
		if (ends && s[i] == ')')
			return false;
		if (ends) {
			at++;
			start = i + 1;
		}
		if (strchr("([{", s[i]))
			depth++;
		else if (strchr(")]}", s[i]))
			depth--;
		i++;
	}
	while (start < i && isspace((unsigned char)s[start]))
		start++;
	while (i > start && isspace((unsigned char)s[i - 1]))
		i--;
	*out = (struct span){ start, i };
	return i < n && start < i;
}

/* The model's walk whose macro is used at @pos; @paren is its "(". */
static const struct eo_model_walk *
walk_at(const struct eo_builder *b, const struct eo_pos *pos, size_t *paren)
{
	const char *s = eo_str_get(&b->u->text);
	size_t n = b->u->text.len, i = pos->offset;
	EO_CLEANUP(eo_freep) char *name = eo_unit_macro_at(b->u, pos);
	const struct eo_model_walk *w = NULL;

	if (name) {
		w = eo_map_get(&b->model->walks, name);
		i += strlen(name);
	}
	while (i < n && isspace((unsigned char)s[i]))
		i++;
	*paren = i;
	return i < n && s[i] == '(' ? w : NULL;
}

/* The largest expression whose characters are exactly those of @span. */
static const struct eo_node *node_of_span(const struct eo_node *n,
					  const struct span *span)
{
	const struct eo_node *found;

	if (!n)
		return NULL;
	if (n->spell.in_main && n->spell_end.in_main &&
	    n->spell.offset == span->start && n->spell_end.offset == span->end)
		return n;
	for (size_t i = 0; i < n->n_kids; i++) {
		found = node_of_span(n->kid[i], span);
		if (found)
			return found;
	}
	return NULL;
}

void eo_build_walk(struct eo_builder *b, struct eo_node *n)
{
	struct eo_arena *a = &b->f->arena;
	const struct eo_model_walk *model;
	struct eo_walk *w;
	struct span span;
	char *head;
	size_t paren;

	if (!n->pos.in_main)
		return;
	model = walk_at(b, &n->pos, &paren);
	if (!model || !argument(eo_str_get(&b->u->text), paren, b->u->text.len,
				model->head, &span))
		return;
	head = eo_squeeze(b->u->text.s + span.start, span.end - span.start);
	w = eo_arena_new(a, struct eo_walk);
	w->model = model;
	w->head = eo_arena_strdup(a, head);
	w->empty = eo_arena_printf(a, "%s(%s)", model->empty, head);
	free(head);
	for (size_t i = 0; i < 3 && !w->head_node; i++)
		w->head_node = node_of_span(n->kid[i], &span);
	n->walk = w;
}
