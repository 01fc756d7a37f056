// SPDX-License-Identifier: GPL-2.0-only
#include "rewrite/works.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "facts/ast.h"
#include "facts/callers.h"
#include "facts/summary.h"
#include "rules/rule.h"
#include "tu/unit.h"

#define MAX_DEPTH 4 /* of calls that are looked into */

void eo_starts_release(struct eo_starts *s)
{
	for (size_t i = 0; i < s->funcs.n; i++)
		eo_func_free(s->funcs.items[i]);
	free(s->items);
	free(s->calls.items);
	free(s->always.items);
	free(s->funcs.items);
}

struct finder {
	const struct eo_site *site;
	struct eo_starts *out;
	const char *function; /* a callee's name, or NULL */
};

struct effects {
	const struct eo_site *site;
	const struct eo_node *first;
	unsigned depth;
};

static const struct eo_node *effect_below(const struct eo_site *site,
					  const struct eo_node *n,
					  unsigned depth);

/*
 * A barrier or an atomic operation is no work that a sample is to measure; a
 * summary says no more than that there is one, so the body has to be looked
 * at.
 */
static bool works_inside(const struct effects *e, const char *name)
{
	const struct eo_unit_function *uf = eo_unit_function(e->site->u, name);
	struct eo_func *f;
	bool works;

	if (!uf || e->depth == MAX_DEPTH)
		return uf != NULL;
	f = eo_func_build(e->site->u, e->site->model, uf);
	works = effect_below(e->site, f->body, e->depth + 1) != NULL;
	eo_func_free(f);
	return works;
}

static void visit_effect(const struct eo_node *n, void *data)
{
	struct effects *e = data;
	struct eo_call_effect does;

	if (e->first || n->kind != EO_N_CALL)
		return;
	eo_call_effect(e->site->summaries, n, &does);
	if (does.writes || does.outputs ||
	    (does.unknown && (strcmp(does.unknown, EO_UNKNOWN_ASM) ||
			      works_inside(e, n->name))))
		e->first = n;
}

/* The first call below @n that others can see. */
static const struct eo_node *effect_below(const struct eo_site *site,
					  const struct eo_node *n,
					  unsigned depth)
{
	struct effects e = { site, NULL, depth };

	eo_node_visit(n, visit_effect, &e);
	return e.first;
}

static const struct eo_node *effect_in(const struct eo_site *site,
				       const struct eo_node *n)
{
	return effect_below(site, n, 0);
}

static bool has_effect(const struct eo_site *site, const struct eo_node *call)
{
	struct effects e = { site, NULL, 0 };

	visit_effect(call, &e);
	return e.first != NULL;
}

static bool leaves(const struct eo_node *n)
{
	if (!n)
		return false;
	if (n->kind == EO_N_COMPOUND)
		return n->n_kids && leaves(n->kid[n->n_kids - 1]);
	return n->kind == EO_N_RETURN || n->kind == EO_N_GOTO;
}

static void find(struct finder *f, const struct eo_node *n);

static void add(struct finder *f, const struct eo_node *parent, size_t index)
{
	*eo_vec_push(f->out) = (struct eo_start){ parent, index, f->function };
}

/*
 * A function of this file that is called here alone, all of whose work is in
 * branches: the work starts in there.
 */
static bool find_inside(struct finder *f, const struct eo_node *call)
{
	const struct eo_site *site = f->site;
	const struct eo_unit_function *uf =
		eo_unit_function(site->u, call->name);
	const struct eo_use *use =
		call->name ? eo_callers_use(site->callers, call->name) : NULL;
	struct finder inner = { site, f->out, NULL };
	size_t before = f->out->n, always = f->out->always.n;
	struct eo_func *func;

	if (f->function || !uf || !uf->in_main || !use || !use->is_static ||
	    use->callers.n != 1 || use->slots.n)
		return false;
	func = eo_func_build(site->u, site->model, uf);
	*eo_vec_push(&f->out->funcs) = func;
	inner.function = func->name;
	find(&inner, func->body);
	if (f->out->n > before && f->out->always.n == always) {
		*eo_vec_push(&f->out->calls) = call;
		return true;
	}
	f->out->n = before;
	f->out->always.n = always;
	return false;
}

/* An expression: its calls run whenever it does. */
static void find_calls(struct finder *f, const struct eo_node *n)
{
	if (!n)
		return;
	if (n->kind == EO_N_CALL && has_effect(f->site, n) &&
	    !find_inside(f, n))
		*eo_vec_push(&f->out->always) = n;
	for (size_t i = 0; i < n->n_kids; i++)
		find_calls(f, n->kid[i]);
}

static void find_if(struct finder *f, const struct eo_node *n)
{
	find_calls(f, n->kid[0]);
	for (size_t i = 1; i < n->n_kids; i++) {
		const struct eo_node *kid = n->kid[i];

		if (!kid || !effect_in(f->site, kid))
			continue;
		/* An else-if: not yet in its condition. */
		if (kid->kind == EO_N_IF && !effect_in(f->site, kid->kid[0]))
			find_if(f, kid);
		else
			add(f, n, i);
	}
}

/* Statements; behind an if that leaves, work is as if in a branch. */
static void find_compound(struct finder *f, const struct eo_node *n)
{
	bool guarded = false;

	for (size_t i = 0; i < n->n_kids; i++) {
		const struct eo_node *kid = n->kid[i];

		if (guarded && kid && kid->kind != EO_N_DECL &&
		    effect_in(f->site, kid)) {
			add(f, n, i);
			return; /* what follows is after the start */
		}
		find(f, kid);
		guarded |= f->function && kid && kid->kind == EO_N_IF &&
			   !effect_in(f->site, kid) &&
			   (leaves(kid->kid[1]) && !kid->kid[2]);
	}
}

static void find(struct finder *f, const struct eo_node *n)
{
	if (!n)
		return;
	switch (n->kind) {
	case EO_N_COMPOUND:
		find_compound(f, n);
		return;
	case EO_N_IF:
		find_if(f, n);
		return;
	case EO_N_FOR:
	case EO_N_WHILE:
	case EO_N_DO:
	case EO_N_LABEL:
	case EO_N_DECL:
	case EO_N_VAR:
		for (size_t i = 0; i < n->n_kids; i++)
			find(f, n->kid[i]);
		return;
	default:
		find_calls(f, n);
	}
}

void eo_starts_find(const struct eo_site *site, const struct eo_node *n,
		    struct eo_starts *out)
{
	struct finder f = { site, out, NULL };

	find(&f, n);
}
