// SPDX-License-Identifier: GPL-2.0-only
#include "rules/path.h"

#include <string.h>

#include "base/str.h"
#include "facts/ast.h"
#include "facts/cfg.h"
#include "facts/live.h"
#include "model/model.h"
#include "rules/locks.h"
#include "rules/rule.h"

static void reason(struct eo_reason *r, const struct eo_node *n,
		   const char *text)
{
	if (r->text)
		return;
	r->text = text;
	r->line = n ? n->pos.line : 0;
}

static void note_read(struct eo_trace *t, enum eo_answer answer,
		      const struct eo_node *n, const char *text)
{
	if (answer == EO_NO || t->reads == EO_YES)
		return;
	if (answer == EO_YES)
		t->reader.text = NULL; /* certain beats possible */
	if (answer == EO_YES || t->reads == EO_NO) {
		t->reads = answer;
		reason(&t->reader, n, text);
	}
}

/* The tag among @tags of a struct that the site's call writes, or NULL. */
static const char *written_tag(const struct eo_site *site,
			       const char *const *tags)
{
	for (size_t i = 0; tags && tags[i]; i++)
		if (eo_model_writes_record(site->model, &site->call->writes,
					   tags[i]))
			return tags[i];
	return NULL;
}

/* The member, of those that @place is (in), of a struct that it writes. */
static const struct eo_node *written_member(const struct eo_site *site,
					    const struct eo_node *place)
{
	for (; place; place = eo_place_outer(place))
		if (place->kind == EO_N_MEMBER &&
		    eo_model_writes_record(site->model, &site->call->writes,
					   place->record))
			return place;
	return NULL;
}

/* A struct of the function's own is none that the call could write. */
static bool is_own(const struct eo_node *place)
{
	const struct eo_var *v = eo_place_var(place);

	return v && !v->addressed &&
	       (v->scope == EO_VAR_LOCAL || v->scope == EO_VAR_PARAM);
}

/* Reading it, or setting it: both are not the same without the call. */
static void trace_access(const struct eo_site *site, const struct eo_node *n,
			 const char *verb, struct eo_arena *a,
			 struct eo_trace *t)
{
	const struct eo_node *member = written_member(site, n);
	const char *tag = written_tag(site, n->copies);

	if (is_own(n))
		return;
	if (member)
		note_read(t, EO_YES, n,
			  eo_arena_printf(a, "%s of struct %s is %s",
					  member->name, member->record, verb));
	else if (tag)
		note_read(t, EO_YES, n,
			  eo_arena_printf(a, "all of struct %s is %s", tag,
					  verb));
	else if (n->raw)
		note_read(
			t, EO_PERHAPS, n,
			eo_arena_printf(
				a,
				"what a pointer leads to is %s, which may be it",
				verb));
}

static void trace_store(const struct eo_site *site, const struct eo_node *n,
			struct eo_arena *a, struct eo_trace *t)
{
	const struct eo_var *v = eo_place_var(n);

	if (v && (v->scope == EO_VAR_LOCAL || v->scope == EO_VAR_PARAM))
		return;
	trace_access(site, n, "set", a, t);
	reason(&t->effect, n,
	       eo_arena_printf(a, "%s is written",
			       n->name ? n->name : "memory"));
}

static const char *callee_name(const struct eo_node *call, struct eo_arena *a)
{
	return call->name ? eo_arena_printf(a, "%s()", call->name) :
			    "an indirect call";
}

static enum eo_answer call_reads(const struct eo_site *site,
				 const struct eo_node *call)
{
	if (!call->name)
		return EO_PERHAPS;
	return eo_summary_reads(site->summaries,
				eo_summary_of(site->summaries, call->name),
				&site->call->writes);
}

/* What only the model knows may look at what its arguments lead to. */
static const char *shown_to(const struct eo_site *site,
			    const struct eo_node *call)
{
	enum eo_trait trait = eo_model_trait(site->model, call->name);

	if (trait != EO_TRAIT_PURE && trait != EO_TRAIT_OUTPUT)
		return NULL;
	for (size_t i = 1; i < call->n_kids; i++) {
		const struct eo_node *arg = call->kid[i], *member;
		const char *tag;

		if (!arg)
			continue;
		tag = written_tag(site, arg->points_to);
		member = arg->kind == EO_N_ADDR ?
				 written_member(site, arg->kid[0]) :
			 arg->aggregate ? written_member(site, arg) :
					  NULL;
		if (tag || member)
			return tag ? tag : member->record;
	}
	return NULL;
}

static void trace_call(const struct eo_site *site, const struct eo_node *n,
		       struct eo_arena *a, struct eo_trace *t)
{
	enum eo_answer reads = call_reads(site, n);
	const char *name = callee_name(n, a), *shown = shown_to(site, n);
	struct eo_call_effect e;

	eo_call_effect(site->summaries, n, &e);
	if (reads == EO_YES)
		note_read(t, EO_YES, n,
			  eo_arena_printf(a, "%s reads it", name));
	else if (reads == EO_PERHAPS)
		note_read(t, EO_PERHAPS, n,
			  eo_arena_printf(
				  a, "%s may read it: %s is not known", name,
				  e.unknown ? e.unknown :
					      "what its pointers lead to"));
	else if (shown)
		note_read(t, EO_PERHAPS, n,
			  eo_arena_printf(a, "%s is given a struct %s", name,
					  shown));
	if (e.summary && e.summary->calls_model)
		reason(&t->effect, n,
		       eo_arena_printf(a, "%s does expensive work of its own",
				       name));
	else if (e.outputs)
		reason(&t->effect, n, eo_arena_printf(a, "%s prints", name));
	else if (e.writes)
		reason(&t->effect, n,
		       eo_arena_printf(a, "%s writes %s", name, e.writes));
	else if (e.unknown)
		reason(&t->unknown, n,
		       eo_arena_printf(a, "%s: %s is not known", name,
				       e.unknown));
}

/* Runs when its variable's scope ends, on the early path only if the scope
 * was entered before the call. */
static void trace_cleanup(const struct eo_site *site, const struct eo_atom *at,
			  struct eo_arena *a, struct eo_trace *t)
{
	const char *name = at->var->cleanup;
	const struct eo_summary *sum = eo_summary_of(site->summaries, name);
	enum eo_answer reads =
		eo_summary_reads(site->summaries, sum, &site->call->writes);

	t->cleanup_reads |= reads != EO_NO;
	note_read(t, reads, NULL,
		  eo_arena_printf(a, "the cleanup %s() %s it", name,
				  reads == EO_YES ? "reads" : "may read"));
	if (eo_locks_cleaned_anyway(site, at))
		return;
	if (sum->outputs || sum->calls_model || sum->writes ||
	    sum->writes_beyond)
		reason(&t->effect, NULL,
		       eo_arena_printf(a, "the cleanup %s() has an effect",
				       name));
	else if (sum->unknown)
		reason(&t->unknown, NULL,
		       eo_arena_printf(a, "the cleanup %s(): %s is not known",
				       name, sum->unknown));
}

static void trace_atom(const struct eo_site *site, const struct eo_atom *at,
		       struct eo_arena *a, struct eo_trace *t)
{
	switch (at->kind) {
	case EO_A_LOAD:
		trace_access(site, at->node, "read", a, t);
		break;
	case EO_A_STORE:
		trace_store(site, at->node, a, t);
		break;
	case EO_A_CALL:
		trace_call(site, at->node, a, t);
		break;
	case EO_A_ASM:
		reason(&t->unknown, at->node, "an asm statement");
		break;
	case EO_A_CLEANUP:
		trace_cleanup(site, at, a, t);
		break;
	default:
		break;
	}
}

void eo_path_trace(const struct eo_site *site, const bool *set,
		   struct eo_arena *a, struct eo_trace *out)
{
	*out = (struct eo_trace){ 0 };
	for (unsigned i = 0; i < site->f->cfg->n; i++)
		if (set[i])
			trace_atom(site, &site->f->cfg->items[i], a, out);
	eo_locks_trace(site, set, a, &out->leak);
}

struct below {
	const struct eo_site *site;
	struct eo_arena *a;
	struct eo_trace trace;
};

static void visit_below(const struct eo_node *n, void *data)
{
	struct below *b = data;

	if (n->kind == EO_N_MEMBER || n->kind == EO_N_SUBSCRIPT || n->copies ||
	    n->raw)
		trace_access(b->site, n, "read", b->a, &b->trace);
	else if (n->kind == EO_N_CALL)
		trace_call(b->site, n, b->a, &b->trace);
}

enum eo_answer eo_path_reads_below(const struct eo_site *site,
				   const struct eo_node *n, struct eo_arena *a,
				   struct eo_reason *reader)
{
	struct below b = { .site = site, .a = a };

	eo_node_visit(n, visit_below, &b);
	*reader = b.trace.reader;
	return b.trace.reads;
}

struct depends {
	const struct eo_site *site;
	const char *record;
};

static void visit_depends(const struct eo_node *n, void *data)
{
	struct depends *d = data;

	if (n->kind == EO_N_MEMBER && !d->record &&
	    eo_model_writes_record(d->site->model, &d->site->call->writes,
				   n->record))
		d->record = n->record;
}

const char *eo_path_depends(const struct eo_site *site,
			    const struct eo_node *expr)
{
	struct depends d = { site, NULL };

	eo_node_visit(expr, visit_depends, &d);
	return d.record;
}
