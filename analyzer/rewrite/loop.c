// SPDX-License-Identifier: GPL-2.0-only
/*
 * flush-in-loop: the call for each descendant becomes one for the root, before
 * the loop. That the root covers them is for whoever asked for it to know.
 */
#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "facts/ast.h"
#include "facts/cfg.h"
#include "finding/finding.h"
#include "model/model.h"
#include "rewrite/rules.h"
#include "rules/rule.h"
#include "smpl/ctext.h"
#include "tu/unit.h"

struct unloop {
	struct eo_code *c;
	const struct eo_site *site;
	const struct eo_node *loop, *call;
	struct eo_place at; /* of the call */
	const struct eo_var *cursor;
	const char *root; /* as text */
};

/* Argument @n, from 1, of the macro at @at; NULL when it is not seen. */
static const char *macro_argument(const struct eo_code *c, size_t at,
				  unsigned n)
{
	size_t i = at, close, start;

	while (i < c->n && eo_is_ident(c->s[i]))
		i++;
	i = eo_ctext_blank(c->s, c->n, i);
	close = i < c->n && c->s[i] == '(' ? eo_ctext_close(c->s, c->n, i) : 0;
	if (!close)
		return NULL;
	start = ++i;
	for (; i < close; i = strchr("([{", c->s[i]) ?
				      eo_ctext_close(c->s, c->n, i) :
				      eo_ctext_next(c->s, c->n, i)) {
		if (c->s[i] != ',' && i != close - 1)
			continue;
		if (!--n) {
			start += strspn(c->s + start, " \t\r\n");
			return eo_code_text(c, (struct eo_span){ start, i });
		}
		start = i + 1;
	}
	return NULL;
}

/* A name, and members that it leads to: no call, no effect. */
static bool is_path(const char *s)
{
	size_t i = *s == '&';

	if (!s[i] || strcmp(s, "NULL") == 0)
		return false;
	for (; s[i]; i++) {
		if (eo_starts_with(s + i, "->"))
			i++;
		else if (!eo_is_ident(s[i]) && s[i] != '.')
			return false;
	}
	return true;
}

static void visit_cursor(const struct eo_node *n, void *data)
{
	struct unloop *w = data;

	if (n->kind == EO_N_NAME && !w->cursor &&
	    (n->var->scope == EO_VAR_LOCAL || n->var->scope == EO_VAR_PARAM) &&
	    eo_code_sets(w->loop->kid[0], n->var))
		w->cursor = n->var;
}

struct change {
	const struct unloop *w;
	const struct eo_node *bad;
};

/* Anything else that the call is given has to be the same on every turn. */
static void visit_other(const struct eo_node *n, void *data)
{
	struct change *d = data;

	if (n->kind == EO_N_CALL && n != d->w->call)
		d->bad = n;
	if (n->kind == EO_N_NAME && n->var != d->w->cursor &&
	    eo_code_sets(d->w->loop, n->var))
		d->bad = n;
}

/* The loop of the finding: a macro has more at the same place. */
static const struct eo_node *loop_of(const struct eo_site *site,
				     const struct eo_finding *f)
{
	const struct eo_cfg *cfg = site->f->cfg;
	const struct eo_step *s;

	eo_vec_for_each(s, &f->steps)
		for (size_t i = 0; i < cfg->loops.n; i++) {
			const struct eo_node *n = cfg->loops.items[i].node;

			if (!strcmp(s->kind, "loop") &&
			    n->pos.line == s->line &&
			    n->pos.column == s->column)
				return n;
		}
	return NULL;
}

static struct eo_error *find_places(struct unloop *w,
				    const struct eo_finding *f)
{
	const struct eo_node *root = w->site->f->body;
	const struct eo_model_descent *d;
	EO_CLEANUP(eo_freep) char *macro = NULL;
	struct change other = { w, NULL };

	w->call = w->site->f->cfg->items[w->site->atom].node;
	w->loop = loop_of(w->site, f);
	macro = w->loop ? eo_unit_macro_at(w->c->u, &w->loop->pos) : NULL;
	d = macro ? eo_map_get(&w->site->model->descents, macro) : NULL;
	if (!d || w->loop->kind != EO_N_FOR || !w->loop->kid[0] ||
	    !eo_code_place(root, w->call, &w->at) || w->at.stmt != w->call ||
	    !eo_code_with_comment(w->c, w->call).end)
		return eo_code_refuse(
			w->c, f->line,
			"the call is no statement on lines of its own");
	if (w->at.parent->kind != EO_N_COMPOUND || w->at.parent->n_kids < 2)
		return eo_code_refuse(w->c, f->line,
				      "the call is all that a branch does");
	eo_node_visit(w->call, visit_cursor, w);
	w->root = macro_argument(w->c, w->loop->pos.offset, d->root);
	if (!w->cursor || !w->root || !is_path(w->root))
		return eo_code_refuse(
			w->c, w->loop->pos.line,
			"the root of the walk is no variable that can be named before it");
	eo_node_visit(w->call, visit_other, &other);
	return other.bad ?
		       eo_code_refuse(
			       w->c, other.bad->pos.line,
			       "the call is given something else on every turn") :
		       NULL;
}

/* The call with the root in the cursor's place. */
static const char *call_text(const struct unloop *w, struct eo_span s)
{
	const struct eo_code *c = w->c;
	EO_CLEANUP(eo_str_release) struct eo_str out = { 0 };

	for (size_t i = s.start, next; i < s.end; i = next) {
		bool member = i && (c->s[i - 1] == '>' || c->s[i - 1] == '.');

		next = eo_ctext_next(c->s, c->n, i);
		if (member || !eo_ctext_is_word(c->s, c->n, i, w->cursor->name))
			eo_str_addn(&out, c->s + i, next - i);
		else if (*w->root == '&' && eo_starts_with(c->s + next, "->"))
			eo_str_addf(&out, "(%s)", w->root);
		else
			eo_str_add(&out, w->root);
	}
	return eo_arena_strdup(c->arena, eo_str_get(&out));
}

/* "for_each(…) { one; }" needs no braces. */
static bool drop_braces(struct unloop *w, struct eo_span gone)
{
	struct eo_code *c = w->c;
	const struct eo_node *block = w->loop->kid[3], *other;
	struct eo_span all, rest;

	if (w->at.parent != block || block->n_kids != 2)
		return false;
	other = block->kid[w->at.index ? 0 : 1];
	all = eo_code_stmt(c, block);
	rest = eo_code_with_comment(c, other);
	if (!all.end || !rest.end || other->kind == EO_N_DECL ||
	    other->kind == EO_N_IF || c->s[all.start] != '{' ||
	    c->s[all.start - 1] != ' ' ||
	    eo_code_next_line(c, rest.start) != rest.end)
		return false;
	eo_edits_remove(&c->edits, all.start - 1, all.start + 1);
	eo_edits_remove(&c->edits, gone.start,
			w->at.index ? gone.end : rest.start);
	eo_edits_remove(&c->edits, eo_code_line(c, all.end - 1),
			eo_code_next_line(c, all.end));
	return true;
}

static struct eo_error *move(struct unloop *w)
{
	struct eo_code *c = w->c;
	struct eo_span s = eo_code_with_comment(c, w->call);
	struct eo_place loop = { 0 };
	const char *text;

	if (!eo_code_place(w->site->f->body, w->loop, &loop) ||
	    loop.stmt != w->loop ||
	    eo_code_has_directive(c, (struct eo_span){ w->loop->pos.offset,
						       s.end }))
		return eo_code_refuse(c, w->loop->pos.line,
				      "an #if or a macro is in the way");
	text = eo_code_reindent(c, call_text(w, s),
				eo_code_indent(c, w->call->pos.offset),
				eo_code_indent(c, w->loop->pos.offset));
	if (!drop_braces(w, s))
		eo_code_remove_lines(c, s);
	return eo_code_insert_before(c, &loop, text);
}

struct eo_error *eo_rewrite_unloop(struct eo_code *c,
				   const struct eo_site *site,
				   const struct eo_finding *f)
{
	struct unloop w = { .c = c, .site = site };

	eo_try(find_places(&w, f));
	eo_try(move(&w));
	eo_code_note(
		c, EO_NOTE_CHANGE,
		"Call %s() once, for %s, before the loop over its descendants.",
		f->call, w.root);
	return NULL;
}
