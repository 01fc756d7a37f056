// SPDX-License-Identifier: GPL-2.0-only
#include "rewrite/sums.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "facts/ast.h"
#include "model/model.h"

#define MICROS 1000000

void eo_sums_release(struct eo_sums *w)
{
	free(w->sums.items);
	free(w->gone.items);
	free(w->dropped.items);
}

void eo_sums_fail(struct eo_sums *w, const struct eo_node *n, const char *why)
{
	if (!w->err)
		w->err = eo_code_refuse(w->c, n->pos.line, "%s", why);
}

static struct eo_sampled *sampled_of(struct eo_sums *w, const struct eo_node *n)
{
	for (size_t i = 0; n && n->kind == EO_N_NAME && i < w->n_all; i++)
		if (w->all[i].var == n->var)
			return &w->all[i];
	return NULL;
}

static void add_sampled(struct eo_sums *w, struct eo_var *var,
			const struct eo_node *call, const struct eo_node *at)
{
	for (size_t i = 0; i < w->n_all; i++) {
		if (w->all[i].var != var)
			continue;
		if (call)
			eo_sums_fail(w, at, "it is sampled more than once");
		return;
	}
	if (w->n_all == EO_MAX_SAMPLES)
		eo_sums_fail(w, at,
			     "there are too many samples in one function");
	else
		w->all[w->n_all++] =
			(struct eo_sampled){ .var = var, .call = call };
}

bool eo_sums_is_sample(const struct eo_sums *w, const struct eo_node *n,
		       struct eo_var **var)
{
	*var = NULL;
	if (n->kind != EO_N_CALL || !eo_streq(n->name, w->call->name))
		return false;
	for (size_t i = 1; i < n->n_kids; i++)
		if (w->call->outs >> i & 1 && n->kid[i]->kind == EO_N_ADDR &&
		    n->kid[i]->kid[0]->kind == EO_N_NAME)
			*var = n->kid[i]->kid[0]->var;
	return true;
}

static void collect(const struct eo_node *n, void *data)
{
	struct eo_sums *w = data;
	struct eo_var *var;

	if (eo_sums_is_sample(w, n, &var)) {
		if (var && var->scope == EO_VAR_LOCAL)
			add_sampled(w, var, n, n);
	} else if (n->kind == EO_N_MEMBER && n->arrow &&
		   eo_streq(n->record, w->call->record) &&
		   n->kid[0]->kind == EO_N_NAME &&
		   n->kid[0]->var->scope == EO_VAR_PARAM) {
		add_sampled(w, n->kid[0]->var, NULL, n);
	}
}

/* "x.field.sec", "x->field.usec": a part of a sample. */
static struct eo_sampled *part_of(struct eo_sums *w, const struct eo_node *n,
				  bool *seconds)
{
	const struct eo_node *field;

	if (n->kind != EO_N_MEMBER || !n->kid[0])
		return NULL;
	field = n->kid[0];
	if (field->kind != EO_N_MEMBER || !eo_streq(field->name, w->field) ||
	    !sampled_of(w, field->kid[0]))
		return NULL;
	*seconds = eo_streq(n->name, w->call->seconds);
	if (!*seconds && !eo_streq(n->name, w->call->micros))
		return NULL;
	return sampled_of(w, field->kid[0]);
}

static bool linear(struct eo_sums *w, const struct eo_node *n, long long scale,
		   struct eo_sum *out)
{
	bool seconds;
	const struct eo_sampled *s = part_of(w, n, &seconds);
	long long k;

	if (s) {
		*(seconds ? &out->sec[s - w->all] : &out->usec[s - w->all]) +=
			scale;
		return true;
	}
	if (n->kind != EO_N_BINARY)
		return false;
	if (eo_streq(n->name, "+") || eo_streq(n->name, "-"))
		return linear(w, n->kid[0], scale, out) &&
		       linear(w, n->kid[1], *n->name == '-' ? -scale : scale,
			      out);
	if (!eo_streq(n->name, "*"))
		return false;
	if (eo_node_constant(n->kid[1], &k))
		return linear(w, n->kid[0], scale * k, out);
	return eo_node_constant(n->kid[0], &k) &&
	       linear(w, n->kid[1], scale * k, out);
}

static void add_sum(struct eo_sums *w, const struct eo_node *expr)
{
	struct eo_sum s = { .expr = expr };

	for (size_t i = 0; i < w->sums.n; i++)
		if (w->sums.items[i].expr == expr)
			return;
	if (!linear(w, expr, 1, &s) ||
	    !eo_code_place(w->f->body, expr, &s.at)) {
		eo_sums_fail(w, expr,
			     "what is computed is no sum of whole samples");
		return;
	}
	for (size_t i = 0; i < w->n_all; i++) {
		if (s.sec[i] != s.usec[i] * MICROS || s.usec[i] > 1 ||
		    s.usec[i] < -1) {
			eo_sums_fail(
				w, expr,
				"what is computed is no sum of whole samples");
			return;
		}
		w->all[i].n_sums += s.usec[i] != 0;
	}
	*eo_vec_push(&w->sums) = s;
}

/* "x.field.sec -= y->field.sec;" as a statement. */
static bool is_subtraction(struct eo_sums *w, const struct eo_node *n)
{
	struct eo_sampled *x, *y;
	bool xs, ys;

	if (n->kind != EO_N_ASSIGN || !n->compound || !eo_streq(n->name, "-="))
		return false;
	x = part_of(w, n->kid[0], &xs);
	y = part_of(w, n->kid[1], &ys);
	if (!x || !y || x == y || xs != ys || !x->call || y->minus ||
	    (x->minus && x->minus != y) || x->minus_parts >> xs & 1)
		return false;
	x->minus = y;
	x->minus_parts |= 1U << xs;
	*eo_vec_push(&w->dropped) = n;
	return true;
}

static void walk(struct eo_sums *w, const struct eo_node *n,
		 const struct eo_node *sum);

struct eo_sampled *eo_sums_handed(struct eo_sums *w, const struct eo_node *arg)
{
	return arg && arg->kind == EO_N_ADDR ? sampled_of(w, arg->kid[0]) :
					       NULL;
}

static void walk_call(struct eo_sums *w, const struct eo_node *n)
{
	struct eo_var *var;
	bool own = eo_sums_is_sample(w, n, &var);

	for (size_t i = 0; i < n->n_kids; i++) {
		struct eo_sampled *s = i ? eo_sums_handed(w, n->kid[i]) : NULL;

		if (s && own)
			continue;
		if (s)
			s->handed = true;
		else
			walk(w, n->kid[i], NULL);
	}
}

static void walk(struct eo_sums *w, const struct eo_node *n,
		 const struct eo_node *sum)
{
	bool seconds, adds;

	if (!n || w->err || is_subtraction(w, n))
		return;
	if (n->kind == EO_N_CALL) {
		walk_call(w, n);
		return;
	}
	if (part_of(w, n, &seconds)) {
		add_sum(w, sum ? sum : n);
		return;
	}
	if (sampled_of(w, n)) {
		eo_sums_fail(w, n, "a sample is used other than by its parts");
		return;
	}
	adds = n->kind == EO_N_BINARY && strchr("+-*", *n->name) && !n->name[1];
	if (n->kind == EO_N_ASSIGN && part_of(w, n->kid[0], &seconds)) {
		eo_sums_fail(w, n, "a part of a sample is changed");
		return;
	}
	for (size_t i = 0; i < n->n_kids; i++)
		walk(w, n->kid[i], adds ? (sum ? sum : n) : NULL);
}

/* A sum that mixes samples and others is one only where they are added. */
static void check_samples(struct eo_sums *w)
{
	for (size_t i = 0; i < w->n_all && !w->err; i++) {
		const struct eo_sampled *s = &w->all[i];

		if (s->minus && s->minus_parts != 3)
			eo_sums_fail(w, s->call,
				     "only one part of it is subtracted");
		else if (s->minus && s->handed)
			eo_sums_fail(
				w, s->call,
				"a difference is handed to another function");
	}
}

bool eo_sums_is_dropped(const struct eo_sums *w, const struct eo_node *n)
{
	for (size_t i = 0; i < w->dropped.n; i++)
		if (w->dropped.items[i] == n)
			return true;
	return false;
}

void eo_sums_find(struct eo_sums *w)
{
	eo_node_visit(w->f->body, collect, w);
	walk(w, w->f->body, NULL);
	check_samples(w);
}
