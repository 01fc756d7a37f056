// SPDX-License-Identifier: GPL-2.0-only
/*
 * rusage-one-field: a struct that is filled for one of its fields becomes that
 * field's value in microseconds. The code adds up seconds and microseconds;
 * what it computes is a sum of whole samples, or a difference, and is written
 * as one.
 */
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "facts/ast.h"
#include "facts/cfg.h"
#include "finding/finding.h"
#include "model/model.h"
#include "rewrite/head.h"
#include "rewrite/helper.h"
#include "rewrite/rules.h"
#include "rewrite/sums.h"
#include "rules/rule.h"
#include "rules/sample.h"
#include "smpl/ctext.h"
#include "tu/unit.h"

/* Whether nothing is between the sample and the one sum that uses it. */
static bool can_inline(const struct eo_sums *w, const struct eo_sampled *s)
{
	struct eo_place at = { 0 };
	const struct eo_sum *sum = NULL;

	if (!s->call || s->handed || s->n_sums != 1 ||
	    !eo_code_place(w->f->body, s->call, &at) || at.stmt != s->call)
		return false;
	for (size_t i = 0; i < w->sums.n; i++)
		if (w->sums.items[i].usec[s - w->all])
			sum = &w->sums.items[i];
	if (sum->at.parent != at.parent || at.parent->kind != EO_N_COMPOUND ||
	    sum->at.index < at.index ||
	    (sum->at.stmt->kind != EO_N_ASSIGN &&
	     sum->at.stmt->kind != EO_N_RETURN))
		return false;
	for (size_t i = at.index + 1; i < sum->at.index; i++)
		if (!eo_sums_is_dropped(w, at.parent->kid[i]))
			return false;
	return true;
}

static const char *subject(const struct eo_sums *w, const struct eo_sampled *s)
{
	return eo_code_text(w->c,
			    eo_code_expr(w->c, s->call->kid[w->call->subject]));
}

/* What stands for the sample: its call, or its variable. */
static const char *value(const struct eo_sums *w, const struct eo_sampled *s)
{
	const char *text = s->var->name;

	if (s->is_inlined)
		text = eo_arena_printf(w->c->arena, "%s(%s)",
				       w->c->helper->name, subject(w, s));
	if (!s->minus)
		return text;
	return eo_arena_printf(w->c->arena, "%s - %s", text,
			       s->minus->var->name);
}

/* The parentheses right around the expression go with it. */
static struct eo_span with_parens(const struct eo_code *c, struct eo_span s)
{
	size_t start = s.start, end = s.end, before;

	while (start && strchr(" \t\r\n", c->s[start - 1]))
		start--;
	end += strspn(c->s + end, " \t\r\n");
	if (!start || c->s[start - 1] != '(' || c->s[end] != ')')
		return s;
	before = start - 1;
	while (before && c->s[before - 1] == ' ')
		before--;
	if (!before || c->s[before - 1] != '=')
		return s;
	return (struct eo_span){ start - 1, end + 1 };
}

static void edit_sum(struct eo_sums *w, const struct eo_sum *sum)
{
	EO_CLEANUP(eo_str_release) struct eo_str text = { 0 };
	struct eo_span span = eo_code_expr(w->c, sum->expr);
	bool alone = sum->at.stmt->kind == EO_N_ASSIGN &&
		     sum->at.stmt->kid[1] == sum->expr;
	size_t terms = 0;

	if (!span.end) {
		eo_sums_fail(w, sum->expr, "a macro computes it");
		return;
	}
	span = with_parens(w->c, span);
	for (int sign = 1; sign >= -1; sign -= 2)
		for (size_t i = 0; i < w->n_all; i++) {
			const struct eo_sampled *s = &w->all[i];

			if (sum->usec[i] != sign)
				continue;
			if (sign < 0 && s->minus)
				eo_sums_fail(w, sum->expr,
					     "a difference is subtracted");
			terms += s->minus ? 2 : 1;
			eo_str_addf(&text, "%s%s",
				    sign < 0 ? text.len ? " - " : "-" :
				    text.len ? " + " :
					       "",
				    value(w, s));
		}
	if (terms > 1 && !alone) {
		EO_CLEANUP(eo_freep) char *in = eo_asprintf("(%s)", text.s);

		eo_edits_replace(&w->c->edits, span.start, span.end, in);
		return;
	}
	eo_edits_replace(&w->c->edits, span.start, span.end, eo_str_get(&text));
}

struct find_decl {
	const struct eo_var *var;
	const struct eo_node *decl, *node;
};

static void visit_decl(const struct eo_node *n, void *data)
{
	struct find_decl *d = data;

	for (size_t i = 0; n->kind == EO_N_DECL && i < n->n_kids; i++)
		if (n->kid[i]->var == d->var) {
			d->decl = n;
			d->node = n->kid[i];
		}
}

static void drop_lines(struct eo_sums *w, const struct eo_node *stmt)
{
	struct eo_span s = eo_code_with_comment(w->c, stmt);

	if (s.end && !eo_code_has_directive(w->c, s))
		*eo_vec_push(&w->gone) = s;
	else
		eo_sums_fail(w, stmt,
			     "it shares its line, or a macro makes it");
}

/* "struct usage x;" becomes "u64 x;", or goes. */
static void edit_decl(struct eo_sums *w, const struct eo_sampled *s)
{
	struct find_decl d = { .var = s->var };
	struct eo_span span;
	const char *name;

	eo_node_visit(w->f->body, visit_decl, &d);
	if (!d.decl || d.decl->n_kids != 1 || d.node->kid[0]) {
		eo_sums_fail(
			w, s->call,
			"its variable is declared beside others, or initialised");
		return;
	}
	if (s->is_inlined) {
		drop_lines(w, d.decl);
		return;
	}
	span = eo_code_stmt(w->c, d.decl);
	name = span.end ? memmem(w->c->s + span.start, span.end - span.start,
				 s->var->name, strlen(s->var->name)) :
			  NULL;
	while (name &&
	       !eo_ctext_is_word(w->c->s, w->c->n, (size_t)(name - w->c->s),
				 s->var->name))
		name = strstr(name + 1, s->var->name);
	if (!name || name >= w->c->s + span.end)
		eo_sums_fail(w, d.decl, "a macro declares its variable");
	else
		eo_edits_replace(&w->c->edits, span.start,
				 (size_t)(name - w->c->s), "u64 ");
}

/* The call that fills the struct becomes an assignment, or goes. */
static void edit_call(struct eo_sums *w, const struct eo_sampled *s)
{
	struct eo_span span = eo_code_expr(w->c, s->call);
	struct eo_place at = { 0 };
	EO_CLEANUP(eo_freep) char *text = NULL;

	if (!span.end || !eo_code_place(w->f->body, s->call, &at) ||
	    at.stmt != s->call) {
		eo_sums_fail(w, s->call, "the call is no statement by itself");
		return;
	}
	if (s->is_inlined) {
		drop_lines(w, s->call);
		return;
	}
	text = eo_asprintf("%s = %s(%s)", s->var->name, w->c->helper->name,
			   subject(w, s));
	eo_edits_replace(&w->c->edits, span.start, span.end, text);
}

/* "struct usage *x" in the function's head becomes "u64 x". */
static void edit_param(struct eo_sums *w, const struct eo_sampled *s)
{
	EO_CLEANUP(eo_freep) char *text = eo_asprintf("u64 %s", s->var->name);

	w->err = eo_head_set_param(w->c, w->f, s->var->name, text);
}

static int by_start(const void *a, const void *b)
{
	const struct eo_span *x = a, *y = b;

	return x->start < y->start ? -1 : x->start > y->start;
}

/* Lines that go one after the other go together. */
static void remove_lines(struct eo_sums *w)
{
	if (w->gone.n)
		qsort(w->gone.items, w->gone.n, sizeof(*w->gone.items),
		      by_start);
	for (size_t i = 0; i < w->gone.n; i++) {
		struct eo_span s = w->gone.items[i];

		while (i + 1 < w->gone.n && w->gone.items[i + 1].start <= s.end)
			s.end = w->gone.items[++i].end;
		eo_code_remove_lines(w->c, s);
	}
}

static struct eo_error *rewrite_function(struct eo_code *c,
					 const struct eo_site *site,
					 const char *name, const char *field);

/* A function that is given the address gets the value. */
static void edit_handed(struct eo_sums *w, const struct eo_node *n)
{
	if (!n || w->err)
		return;
	for (size_t i = 1; n->kind == EO_N_CALL && i < n->n_kids; i++) {
		struct eo_sampled *s = eo_sums_handed(w, n->kid[i]);
		struct eo_var *var;
		struct eo_span span;

		if (!s || eo_sums_is_sample(w, n, &var))
			continue;
		span = eo_code_expr(w->c, n->kid[i]);
		if (!span.end || !n->name) {
			eo_sums_fail(
				w, n,
				"it is handed on by a macro, or to nobody knows");
			return;
		}
		eo_edits_replace(&w->c->edits, span.start, span.end,
				 s->var->name);
		w->err = rewrite_function(w->c, w->site, n->name, w->field);
	}
	for (size_t i = 0; i < n->n_kids; i++)
		edit_handed(w, n->kid[i]);
}

static void edit_function(struct eo_sums *w)
{
	for (size_t i = 0; i < w->n_all; i++)
		w->all[i].is_inlined = can_inline(w, &w->all[i]);
	for (size_t i = 0; i < w->n_all && !w->err; i++) {
		if (w->all[i].call) {
			edit_decl(w, &w->all[i]);
			edit_call(w, &w->all[i]);
		} else {
			edit_param(w, &w->all[i]);
		}
	}
	for (size_t i = 0; i < w->dropped.n && !w->err; i++)
		drop_lines(w, w->dropped.items[i]);
	for (size_t i = 0; i < w->sums.n && !w->err; i++)
		edit_sum(w, &w->sums.items[i]);
	edit_handed(w, w->f->body);
	remove_lines(w);
}

static struct eo_error *rewrite_function(struct eo_code *c,
					 const struct eo_site *site,
					 const char *name, const char *field)
{
	EO_CLEANUP(eo_freep) char *key = eo_asprintf("%s:%s", c->u->file, name);
	const struct eo_unit_function *uf = eo_unit_function(c->u, name);
	EO_CLEANUP(eo_sums_release)
	struct eo_sums w = {
		.c = c, .site = site, .call = site->call, .field = field
	};
	struct eo_func *f;

	if (!eo_set_add(&c->helper->done, key))
		return NULL;
	if (!uf || !uf->in_main)
		return eo_code_refuse(
			c, 0,
			"%s(), which is given a sample, is in another file",
			name);
	f = eo_func_build(c->u, site->model, uf);
	w.f = f;
	eo_sums_find(&w);
	if (!w.err)
		edit_function(&w);
	eo_func_free(f);
	return w.err;
}

/* The first of the functions in this file that are to be mended. */
static unsigned first_line(const struct eo_code *c)
{
	const struct eo_plan_step *step = c->helper->step;
	unsigned line = ~0U;

	for (size_t i = 0; i < step->n; i++) {
		const struct eo_unit_function *uf =
			eo_unit_function(c->u, step->items[i]->function);

		if (uf && uf->in_main && uf->line < line &&
		    eo_streq(step->items[i]->file, c->u->file))
			line = uf->line;
	}
	return line;
}

static void tell(struct eo_code *c, const struct eo_site *site)
{
	const struct eo_model_field *field = c->helper->field;

	eo_code_note(
		c, EO_NOTE_CHANGE,
		"Ask %s() for %s alone, in microseconds, in place of a whole struct %s that %s() fills.",
		field->from, field->value, site->call->record,
		site->call->name);
	eo_code_note(
		c, EO_NOTE_VALUE,
		"The value is the task's own. What %s() gives is a sum over the thread group, in which the work of other threads counts too.",
		site->call->name);
	c->out->subject = eo_arena_printf(&c->out->arena,
					  "ask for the %s alone", field->value);
}

struct eo_error *eo_rewrite_field(struct eo_code *c, const struct eo_site *site,
				  const struct eo_finding *f)
{
	EO_CLEANUP(eo_map_release) struct eo_map fields = { 0 };
	bool first = !c->helper->field;
	struct eo_outs outs;
	unsigned near;

	eo_sample_outs(site, &outs);
	if (!outs.local || outs.n != 1 ||
	    eo_sample_fields(site, outs.vars[0], &fields, &near) != EO_YES ||
	    fields.n != 1 || !site->call->seconds)
		return eo_code_refuse(
			c, f->line,
			"the model does not say how its fields are made up");
	eo_try(eo_helper_use(c, site->call, fields.items[0].key));
	if (first)
		tell(c, site);
	eo_try(eo_helper_define(c, first_line(c)));
	return rewrite_function(c, site, site->f->name, fields.items[0].key);
}
