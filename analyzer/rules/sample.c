// SPDX-License-Identifier: GPL-2.0-only
#include "rules/sample.h"

#include <string.h>

#include "base/err.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/str.h"
#include "facts/ast.h"
#include "facts/cfg.h"
#include "facts/dom.h"
#include "facts/live.h"
#include "facts/summary.h"
#include "model/model.h"
#include "rules/rule.h"

#define MAX_DEPTH 4 /* functions that a pointer is handed on through */

/* The local variable whose address an argument is, or NULL. */
static struct eo_var *local_out(const struct eo_node *arg)
{
	if (!arg || arg->kind != EO_N_ADDR || !arg->kid[0] ||
	    arg->kid[0]->kind != EO_N_NAME ||
	    arg->kid[0]->var->scope != EO_VAR_LOCAL)
		return NULL;
	return arg->kid[0]->var;
}

static bool is_kept(const struct eo_site *site, const struct eo_outs *outs);

/* The local variable that the value of @call is put into, below @n. */
static struct eo_var *value_out(const struct eo_node *n,
				const struct eo_node *call)
{
	struct eo_var *v = NULL;

	if (!n)
		return NULL;
	if (n->kind == EO_N_VAR && n->kid[0] == call)
		return n->var;
	if (n->kind == EO_N_ASSIGN && !n->compound && n->kid[1] == call &&
	    n->kid[0]->kind == EO_N_NAME &&
	    n->kid[0]->var->scope == EO_VAR_LOCAL)
		return n->kid[0]->var;
	for (size_t i = 0; i < n->n_kids && !v; i++)
		v = value_out(n->kid[i], call);
	return v;
}

void eo_sample_outs(const struct eo_site *site, struct eo_outs *out)
{
	const struct eo_node *call = site->f->cfg->items[site->atom].node;

	*out = (struct eo_outs){ .local = true };
	if (site->call->returns) {
		out->vars[0] = value_out(site->f->body, call);
		out->n = out->vars[0] != NULL;
	}
	for (size_t i = 1; i < call->n_kids; i++) {
		struct eo_var *v;

		if (!(site->call->outs >> i & 1))
			continue;
		v = local_out(call->kid[i]);
		if (!v || out->n == EO_MAX_OUTS)
			out->local = false;
		else
			out->vars[out->n++] = v;
	}
	out->local &= out->n > 0 && !is_kept(site, out);
}

static bool is_out(const struct eo_outs *outs, const struct eo_var *v)
{
	for (size_t i = 0; i < outs->n; i++)
		if (v && outs->vars[i] == v)
			return true;
	return false;
}

struct mention {
	const struct eo_outs *outs;
	bool found;
};

static void visit_mention(const struct eo_node *n, void *data)
{
	struct mention *m = data;

	m->found |= n->kind == EO_N_NAME && is_out(m->outs, n->var);
}

static bool mentions(const struct eo_node *n, const struct eo_outs *outs)
{
	struct mention m = { outs, false };

	eo_node_visit(n, visit_mention, &m);
	return m.found;
}

/* Whether the value of @n leads to a result: what is read of one here has an
 * atom of its own. */
static bool hands_out(const struct eo_node *n, const struct eo_outs *outs)
{
	if (!n)
		return false;
	if (n->kind == EO_N_ADDR)
		return mentions(n, outs);
	if (n->kind == EO_N_NAME)
		return n->aggregate && is_out(outs, n->var);
	if (n->kind == EO_N_MEMBER && !n->arrow && !n->aggregate)
		return false;
	for (size_t i = 0; i < n->n_kids; i++)
		if (hands_out(n->kid[i], outs))
			return true;
	return false;
}

/* A call that only fills the same variables anew. */
static bool is_sample(const struct eo_site *site, const struct eo_node *call)
{
	const struct eo_model_call *c = eo_model_call(site->model, call->name);

	return c && c->outs;
}

bool eo_sample_uses(const struct eo_site *site, const struct eo_outs *outs,
		    const struct eo_atom *a)
{
	switch (a->kind) {
	case EO_A_LOAD:
		return is_out(outs, eo_place_var(a->node));
	case EO_A_STORE: /* a struct that is copied, an address that is kept:
			  * these are no loads */
		return a->value && hands_out(a->value, outs);
	case EO_A_CALL:
		return !is_sample(site, a->node) && hands_out(a->node, outs);
	case EO_A_RETURN:
		return hands_out(a->node, outs);
	case EO_A_ASM:
		return mentions(a->node, outs);
	case EO_A_CLEANUP:
		return is_out(outs, a->var);
	default:
		return false;
	}
}

bool eo_sample_private(const struct eo_site *site, const struct eo_outs *outs,
		       struct eo_arena *a, struct eo_reason *why)
{
	const struct eo_cfg *cfg = site->f->cfg;
	EO_CLEANUP(eo_freep) bool *before = eo_cfg_reach_back(cfg, site->atom);
	struct eo_call_effect e;

	for (unsigned i = 0; i < cfg->n; i++) {
		const struct eo_atom *at = &cfg->items[i];

		if (!before[i] || at->kind != EO_A_CALL ||
		    eo_dominates(site->dom, site->atom, i) ||
		    !eo_sample_uses(site, outs, at))
			continue;
		eo_call_effect(site->summaries, at->node, &e);
		if (!e.unknown)
			continue;
		why->line = at->node->pos.line;
		why->text = eo_arena_printf(
			a, "%s%s got its address before, and may use it later",
			at->node->name ? at->node->name : "an indirect call",
			at->node->name ? "()" : "");
		return false;
	}
	return true;
}

/* Whether a pointer to one of them is put somewhere: any load may be of it. */
static bool is_kept(const struct eo_site *site, const struct eo_outs *outs)
{
	const struct eo_cfg *cfg = site->f->cfg;

	for (unsigned i = 0; i < cfg->n; i++) {
		const struct eo_atom *at = &cfg->items[i];

		if (at->kind == EO_A_STORE && at->value && !at->value->copies &&
		    hands_out(at->value, outs))
			return true;
	}
	return false;
}

bool *eo_sample_use_set(const struct eo_site *site, const struct eo_outs *outs)
{
	const struct eo_cfg *cfg = site->f->cfg;
	bool *set = eo_zalloc(cfg->n * sizeof(*set));

	for (unsigned i = 0; i < cfg->n; i++)
		set[i] = eo_sample_uses(site, outs, &cfg->items[i]);
	return set;
}

/* State of eo_sample_fields(). */
struct fields {
	const struct eo_site *site;
	const struct eo_var *var;
	struct eo_map *set;
	unsigned depth;
	bool escapes;
	const struct eo_node *near; /* whose address may lead to the others */
};

static void visit_use(struct fields *s, const struct eo_node *n);

/* What the callee does with what its parameter @index points to. */
static void follow(struct fields *s, const char *callee, size_t index)
{
	const struct eo_unit_function *uf =
		eo_unit_function(s->site->u, callee);
	struct fields inner = {
		s->site, NULL, s->set, s->depth + 1, false, NULL
	};
	struct eo_func *f;

	if (!uf || s->depth == MAX_DEPTH) {
		s->escapes = true;
		return;
	}
	f = eo_func_build(s->site->u, s->site->model, uf);
	if (index < f->vars.n && f->vars.items[index]->scope == EO_VAR_PARAM) {
		inner.var = f->vars.items[index];
		visit_use(&inner, f->body);
		s->escapes |= inner.escapes;
		if (inner.near && !s->near)
			s->near = inner.near;
	} else {
		s->escapes = true;
	}
	eo_func_free(f);
}

/* The field of the struct itself that @n is, or is a part of; or NULL. */
static const struct eo_node *field_of(const struct fields *s,
				      const struct eo_node *n)
{
	for (; n && n->n_kids &&
	       (n->kind == EO_N_MEMBER || n->kind == EO_N_SUBSCRIPT);
	     n = n->kid[0])
		if (n->kind == EO_N_MEMBER && n->kid[0] &&
		    n->kid[0]->kind == EO_N_NAME && n->kid[0]->var == s->var)
			return n;
	return NULL;
}

/* The variable itself, or a pointer to it, as an argument. */
static bool is_handed(const struct fields *s, const struct eo_node *arg)
{
	if (arg && arg->kind == EO_N_ADDR)
		arg = arg->kid[0];
	return arg && arg->kind == EO_N_NAME && arg->var == s->var;
}

static void visit_call(struct fields *s, const struct eo_node *n)
{
	for (size_t i = 0; i < n->n_kids; i++) {
		const struct eo_node *arg = n->kid[i];

		if (i && arg && arg->aggregate && !arg->copies &&
		    field_of(s, arg) && !s->near)
			s->near = arg; /* an array, by its address */
		if (!i || !is_handed(s, arg))
			visit_use(s, arg);
		else if (!n->name)
			s->escapes = true;
		else if (!is_sample(s->site, n))
			follow(s, n->name, i - 1);
	}
}

static void visit_use(struct fields *s, const struct eo_node *n)
{
	if (!n)
		return;
	if (n->kind == EO_N_ADDR && field_of(s, n->kid[0]) && !s->near)
		s->near = n;
	if (n->kind == EO_N_CALL) {
		visit_call(s, n);
		return;
	}
	if (n->kind == EO_N_MEMBER && n->kid[0] &&
	    n->kid[0]->kind == EO_N_NAME && n->kid[0]->var == s->var) {
		eo_set_add(s->set, n->name);
		return;
	}
	if (n->kind == EO_N_NAME && n->var == s->var)
		s->escapes = true; /* copied, compared, stored: all of it */
	for (size_t i = 0; i < n->n_kids; i++)
		visit_use(s, n->kid[i]);
}

enum eo_answer eo_sample_fields(const struct eo_site *site,
				const struct eo_var *var, struct eo_map *fields,
				unsigned *near)
{
	struct fields s = { site, var, fields, 0, false, NULL };

	visit_use(&s, site->f->body);
	*near = s.near ? s.near->pos.line : 0;
	return s.escapes ? EO_NO : s.near ? EO_PERHAPS : EO_YES;
}
