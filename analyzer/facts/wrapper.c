// SPDX-License-Identifier: GPL-2.0-only
#include "facts/wrapper.h"

#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "facts/ast.h"
#include "facts/cfg.h"
#include "facts/live.h"
#include "facts/summary.h"

static const struct eo_model_call *modelled(const struct eo_summaries *s,
					    const struct eo_atom *a)
{
	return a->kind == EO_A_CALL ? eo_model_call(s->model, a->node->name) :
				      NULL;
}

static bool leads_to_call(const struct eo_cfg *cfg, unsigned from, size_t nth,
			  void *data)
{
	return modelled(data, &cfg->items[cfg->items[from].succ.items[nth]]);
}

/* Whether the exit cannot be reached without making a modelled call. */
static bool calls_on_every_path(const struct eo_summaries *s,
				const struct eo_func *f)
{
	EO_CLEANUP(eo_freep)
	bool *around = eo_cfg_reach(f->cfg, EO_CFG_ENTRY, true, leads_to_call,
				    (void *)s);

	return !around[EO_CFG_EXIT];
}

/* The function's parameter that the modelled call works on, from 1. */
static unsigned subject_of(const struct eo_model_call *end,
			   const struct eo_node *call)
{
	const struct eo_node *n = end->subject < call->n_kids && end->subject ?
					  call->kid[end->subject] :
					  NULL;

	while (n && n->kind == EO_N_MEMBER)
		n = n->kid[0];
	if (!n || n->kind != EO_N_NAME || n->var->scope != EO_VAR_PARAM)
		return 0;
	return n->var->index + 1;
}

static void keeps_books(struct eo_model_call *out, const char *what)
{
	if (what && !out->also)
		out->also = what;
	out->more_books |= what && strcmp(what, out->also);
}

/* False when the atom does what a mere wrapper would not. */
static bool is_harmless(struct eo_summaries *s, const struct eo_atom *at,
			struct eo_arena *a, struct eo_model_call *out)
{
	const struct eo_var *v;
	struct eo_call_effect e;

	switch (at->kind) {
	case EO_A_STORE:
		v = eo_place_var(at->node);
		if (!v)
			return false; /* a result, through a pointer */
		if (v->scope == EO_VAR_GLOBAL || v->scope == EO_VAR_STATIC)
			keeps_books(out, eo_arena_strdup(a, v->name));
		return true;
	case EO_A_CALL:
		if (modelled(s, at))
			return true;
		eo_call_effect(s, at->node, &e);
		keeps_books(out, e.writes);
		return !e.unknown && !e.outputs && !e.writes_memory;
	case EO_A_CLEANUP:
		return !eo_summary_of(s, at->var->cleanup)->unknown;
	case EO_A_ASM:
		return false;
	case EO_A_RETURN: /* a sample's value, or something of its own */
		out->returns |= at->node->kid[0] != NULL;
		return true;
	default:
		return true;
	}
}

/* Whether both calls do the same kind of work, on the same state. */
static bool same_work(const struct eo_model_call *a,
		      const struct eo_model_call *b)
{
	if (a->kind != b->kind || a->writes.n != b->writes.n)
		return false;
	for (size_t i = 0; i < a->writes.n; i++)
		if (!eo_streq(a->writes.items[i], b->writes.items[i]))
			return false;
	return true;
}

/* One that leaves a lock taken, or given back, cannot just be left out. */
static bool keeps_locks(struct eo_summaries *s, const struct eo_func *f)
{
	const struct eo_summary *sum = eo_summary_of(s, f->name);

	return sum->acquires == sum->releases;
}

bool eo_wrapper_find(struct eo_summaries *s, const struct eo_func *f,
		     struct eo_arena *a, struct eo_model_call *out)
{
	EO_CLEANUP(eo_freep)
	bool *live = eo_cfg_reach(f->cfg, EO_CFG_ENTRY, true, NULL, NULL);
	const struct eo_model_call *first = NULL;

	*out = (struct eo_model_call){ .name = f->name };
	if (f->unsupported || eo_model_call(s->model, f->name))
		return false;
	for (size_t i = 0; i < f->cfg->n; i++) {
		const struct eo_atom *at = &f->cfg->items[i];
		const struct eo_model_call *call = modelled(s, at);

		if (!live[i])
			continue;
		if (!is_harmless(s, at, a, out) || (call && call->holds))
			return false;
		if (call && first && !same_work(first, call))
			return false;
		if (!call || first)
			continue;
		first = call;
		out->ends_in = call->name;
		out->subject = subject_of(call, at->node);
		keeps_books(out, call->also);
	}
	if (!first || !keeps_locks(s, f) ||
	    (out->returns && first->kind != EO_CALL_SAMPLE))
		return false;
	out->always = calls_on_every_path(s, f);
	return true;
}
