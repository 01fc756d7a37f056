// SPDX-License-Identifier: GPL-2.0-only
#include "facts/summary.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "facts/ast.h"
#include "facts/cfg.h"
#include "facts/extern.h"
#include "facts/live.h"
#include "model/model.h"

#define MAX_PARAMS 32 /* bits of writes_params */
#define MAX_LACKS 32 /* more than that nobody will go and look for */

void eo_summaries_init(struct eo_summaries *s, const struct eo_unit *u,
		       const struct eo_model *model,
		       const struct eo_externs *externs)
{
	*s = (struct eo_summaries){ .u = u,
				    .model = model,
				    .externs = externs };
}

void eo_summaries_release(struct eo_summaries *s)
{
	struct eo_map_entry *e;

	eo_map_for_each(e, &s->done) {
		struct eo_summary *sum = e->value;

		eo_map_release(&sum->records);
		eo_map_release(&sum->callees);
		eo_map_release(&sum->lacks);
	}
	eo_map_release(&s->done);
	eo_map_release(&s->open);
	eo_map_release(&s->wanted);
	eo_arena_release(&s->arena);
}

/*
 * The variable that a place or a pointer comes from, through any number of
 * members, indices and dereferences: p for p->a[i].b. NULL when it comes from
 * a call or the like.
 */
static struct eo_var *root_var(const struct eo_node *n)
{
	while (n) {
		switch (n->kind) {
		case EO_N_NAME:
		case EO_N_VAR:
			return n->var;
		case EO_N_MEMBER:
		case EO_N_SUBSCRIPT:
		case EO_N_DEREF:
		case EO_N_ADDR:
			n = n->kid[0];
			break;
		case EO_N_BINARY: /* pointer arithmetic */
			n = n->kid[0];
			break;
		default:
			return NULL;
		}
	}
	return NULL;
}

/* A parameter whose value is the caller's: the places it leads to are, too. */
static bool is_param(const struct eo_var *v)
{
	return v && v->scope == EO_VAR_PARAM && !v->addressed &&
	       !v->aggregate && v->index < MAX_PARAMS;
}

/*
 * How many pointers are followed from the root variable to @n: 1 for p->a.b,
 * 2 for p->q->b, 0 for &p->a, which is p and a bit.
 */
static int hops(const struct eo_node *n)
{
	int count = 0;

	while (n) {
		switch (n->kind) {
		case EO_N_MEMBER:
			count += n->arrow;
			break;
		case EO_N_SUBSCRIPT:
			count += n->kid[0] && !n->kid[0]->aggregate;
			break;
		case EO_N_DEREF:
			count++;
			break;
		case EO_N_ADDR:
			count--;
			break;
		case EO_N_BINARY:
			break;
		default:
			return count;
		}
		n = n->kid[0];
	}
	return count;
}

/*
 * Notes a store to what @root leads to; @direct: to the variable itself;
 * @beyond: not to what the pointer itself points to.
 */
static void note_write(struct eo_summary *sum, struct eo_arena *a,
		       const struct eo_var *root, bool direct, bool beyond)
{
	bool local = root && (root->scope == EO_VAR_LOCAL ||
			      root->scope == EO_VAR_PARAM);

	if (direct && local)
		return;
	if (is_param(root)) {
		sum->writes_params |= 1U << root->index;
		if (beyond)
			sum->writes_beyond |= 1U << root->index;
		return;
	}
	sum->writes_memory |= !direct;
	if (!sum->writes)
		sum->writes = root ? eo_arena_strdup(a, root->name) :
				     "memory behind a pointer";
}

static void note_unknown(struct eo_summary *sum, const char *what)
{
	if (!sum->unknown)
		sum->unknown = what;
	if (!sum->opaque)
		sum->opaque = what;
}

/* @name is defined in another unit, whose word we do not have. */
static void note_lack(struct eo_summaries *s, struct eo_summary *sum,
		      const char *name)
{
	if (sum->lacks.n >= MAX_LACKS)
		note_unknown(sum, "too much of other files");
	else
		eo_set_add(&sum->lacks, name);
	if (!sum->unknown)
		sum->unknown = eo_arena_printf(&s->arena, "%s()", name);
}

static void merge_sets(struct eo_map *to, const struct eo_map *from)
{
	struct eo_map_entry *e;

	eo_map_for_each(e, from)
		eo_set_add(to, e->key);
}

/* What a function does, its caller does. */
static void take_over(struct eo_summaries *s, struct eo_summary *sum,
		      const struct eo_summary *callee)
{
	struct eo_map_entry *e;

	eo_set_add(&sum->callees, callee->name);
	merge_sets(&sum->callees, &callee->callees);
	merge_sets(&sum->records, &callee->records);
	if (!sum->unknown)
		sum->unknown = callee->unknown;
	if (callee->opaque)
		note_unknown(sum, callee->opaque);
	eo_map_for_each(e, &callee->lacks)
		note_lack(s, sum, e->key);
	if (callee->writes && !sum->writes)
		sum->writes = callee->writes;
	sum->writes_memory |= callee->writes_memory;
	sum->reads_raw |= callee->reads_raw;
	sum->outputs |= callee->outputs;
	sum->acquires |= callee->acquires;
	sum->releases |= callee->releases;
	sum->sleeps |= callee->sleeps;
	sum->calls_model |= callee->calls_model;
}

/* The variable whose own bytes @arg points to: &x, &x.a, an array; or NULL. */
static struct eo_var *pointee(const struct eo_node *arg)
{
	if (!arg || (arg->kind != EO_N_ADDR && !arg->aggregate))
		return NULL;
	return eo_place_var(arg->kind == EO_N_ADDR ? arg->kid[0] : arg);
}

static bool beyond(const struct eo_summary *callee, size_t i)
{
	return callee->writes_beyond >> i & 1;
}

static void note_callee(struct eo_summaries *s, struct eo_summary *sum,
			const struct eo_node *call)
{
	const struct eo_summary *callee;

	if (!call->name) {
		note_unknown(sum, "an indirect call");
		return;
	}
	callee = eo_summary_of(s, call->name);
	take_over(s, sum, callee);
	for (size_t i = 0; i + 1 < call->n_kids && i < MAX_PARAMS; i++) {
		const struct eo_node *arg = call->kid[i + 1];

		if (callee->writes_params >> i & 1)
			note_write(sum, &s->arena, root_var(arg),
				   pointee(arg) && !beyond(callee, i),
				   hops(arg) > 0 || beyond(callee, i));
	}
}

static void note_access(struct eo_summary *sum, const struct eo_node *place)
{
	for (size_t i = 0; place->copies && place->copies[i]; i++)
		eo_set_add(&sum->records, place->copies[i]);
	for (; place; place = eo_place_outer(place))
		if (place->kind == EO_N_MEMBER && place->record)
			eo_set_add(&sum->records, place->record);
}

/* A parameter that is set leads to nobody knows where from then on. */
static void note_store(struct eo_summaries *s, struct eo_summary *sum,
		       const struct eo_node *place)
{
	const struct eo_var *v = eo_place_var(place);

	if (!v || v->scope == EO_VAR_GLOBAL || v->scope == EO_VAR_STATIC)
		note_access(sum, place);
	if (v && v->scope == EO_VAR_PARAM && v->index < MAX_PARAMS)
		sum->reassigned |= 1U << v->index;
	note_write(sum, &s->arena, root_var(place), v != NULL, hops(place) > 1);
}

static void note_atom(struct eo_summaries *s, struct eo_summary *sum,
		      const struct eo_atom *a)
{
	switch (a->kind) {
	case EO_A_LOAD:
		note_access(sum, a->node);
		sum->reads_raw |= a->node->raw;
		break;
	case EO_A_STORE:
		note_store(s, sum, a->node);
		break;
	case EO_A_CALL:
		note_callee(s, sum, a->node);
		break;
	case EO_A_ASM:
		note_unknown(sum, EO_UNKNOWN_ASM);
		break;
	case EO_A_CLEANUP:
		take_over(s, sum, eo_summary_of(s, a->var->cleanup));
		break;
	default:
		break;
	}
}

static void summarise(struct eo_summaries *s, struct eo_summary *sum,
		      const struct eo_func *f)
{
	EO_CLEANUP(eo_freep)
	bool *live = eo_cfg_reach(f->cfg, EO_CFG_ENTRY, true, NULL, NULL);

	if (f->unsupported)
		note_unknown(sum, eo_arena_strdup(&s->arena, f->unsupported));
	for (size_t i = 0; i < f->cfg->n; i++)
		if (live[i])
			note_atom(s, sum, &f->cfg->items[i]);
	sum->writes_beyond |= sum->writes_params & sum->reassigned;
}

static struct eo_summary *new_summary(struct eo_summaries *s, const char *name)
{
	struct eo_summary *sum = eo_arena_new(&s->arena, struct eo_summary);

	sum->name = eo_arena_strdup(&s->arena, name);
	return sum;
}

/* What the model says is all there is to say; false when it says nothing. */
static bool from_model(struct eo_summaries *s, struct eo_summary *sum)
{
	struct eo_map_entry *e;

	switch (eo_model_trait(s->model, sum->name)) {
	case EO_TRAIT_PURE:
	case EO_TRAIT_NEUTRAL:
	case EO_TRAIT_WAIT:
		return true;
	case EO_TRAIT_ACQUIRE:
		return sum->acquires = true;
	case EO_TRAIT_RELEASE:
		return sum->releases = true;
	case EO_TRAIT_OUTPUT:
		return sum->outputs = true;
	case EO_TRAIT_NONE:
		break;
	}
	if (eo_model_call(s->model, sum->name))
		return sum->calls_model = true;
	eo_map_for_each(e, &s->model->effects) {
		struct eo_names one = { .items = (const char *[]){ e->key },
					.n = 1 };

		if (eo_model_is_reader(s->model, &one, sum->name))
			return true; /* it reads, and does nothing else */
	}
	return false;
}

static void from_body(struct eo_summaries *s, struct eo_summary *sum,
		      const struct eo_unit_function *uf)
{
	struct eo_func *f = eo_func_build(s->u, s->model, uf);

	if (eo_unit_is_weak(uf))
		note_unknown(sum, "a weak function, which may be replaced");
	summarise(s, sum, f);
	eo_func_free(f);
}

/*
 * What another unit said of it, and what that one lacked. Which of their
 * pointers it passed on is not known any more, so what they lead to is memory.
 */
static void from_extern(struct eo_summaries *s, struct eo_summary *sum,
			const struct eo_summary *said)
{
	struct eo_summary own = *said;
	struct eo_map_entry *e;

	own.lacks = (struct eo_map){ 0 };
	own.unknown = said->opaque;
	take_over(s, sum, &own);
	sum->writes_params = said->writes_params;
	sum->writes_beyond = said->writes_beyond;
	sum->reassigned = said->reassigned;
	eo_map_for_each(e, &said->lacks) {
		const struct eo_summary *callee = eo_summary_of(s, e->key);

		take_over(s, sum, callee);
		if (callee->writes_params)
			note_write(sum, &s->arena, NULL, false, false);
	}
}

static void make_summary(struct eo_summaries *s, struct eo_summary *sum)
{
	const struct eo_unit_function *uf = eo_unit_function(s->u, sum->name);
	const struct eo_summary *said = eo_externs_find(s->externs, sum->name);

	sum->sleeps = eo_map_has(&s->model->sleeps, sum->name);
	if (from_model(s, sum))
		return; /* nothing to add */
	eo_set_add(&s->open, sum->name);
	if (uf)
		from_body(s, sum, uf);
	else if (said)
		from_extern(s, sum, said);
	else
		note_lack(s, sum, sum->name);
}

const struct eo_summary *eo_summary_of(struct eo_summaries *s, const char *name)
{
	struct eo_summary *sum = eo_map_get(&s->done, name);

	if (!sum && eo_map_has(&s->open, name)) {
		sum = new_summary(s, name);
		note_unknown(sum, "a recursive call");
		return sum; /* not decided here */
	}
	if (!sum) {
		sum = new_summary(s, name);
		make_summary(s, sum);
		eo_map_set(&s->done, name, sum);
	}
	merge_sets(&s->wanted, &sum->lacks);
	return sum;
}

void eo_call_effect(struct eo_summaries *s, const struct eo_node *call,
		    struct eo_call_effect *out)
{
	*out = (struct eo_call_effect){ 0 };
	if (!call->name) {
		out->unknown = "an indirect call";
		return;
	}
	out->summary = eo_summary_of(s, call->name);
	out->unknown = out->summary->unknown;
	out->writes = out->summary->writes;
	out->outputs = out->summary->outputs;
	out->acquires = out->summary->acquires;
	out->releases = out->summary->releases;
	out->writes_memory = out->summary->writes_memory;
	for (size_t i = 0; i + 1 < call->n_kids && i < MAX_PARAMS; i++) {
		const struct eo_var *v = pointee(call->kid[i + 1]);

		if (!(out->summary->writes_params >> i & 1) ||
		    (v && v->scope == EO_VAR_LOCAL && !beyond(out->summary, i)))
			continue;
		out->writes_memory |= !v || beyond(out->summary, i);
		if (!out->writes)
			out->writes = v ? v->name :
					  "what it is given a pointer to";
	}
}

enum eo_answer eo_summary_reads(const struct eo_summaries *s,
				const struct eo_summary *sum,
				const struct eo_names *effects)
{
	struct eo_map_entry *e;

	if (eo_model_is_reader(s->model, effects, sum->name))
		return EO_YES;
	eo_map_for_each(e, &sum->callees)
		if (eo_model_is_reader(s->model, effects, e->key))
			return EO_YES;
	eo_map_for_each(e, &sum->records)
		if (eo_model_writes_record(s->model, effects, e->key))
			return EO_YES;
	return sum->unknown || sum->reads_raw ? EO_PERHAPS : EO_NO;
}
