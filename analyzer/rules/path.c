// SPDX-License-Identifier: GPL-2.0-only
#include "rules/path.h"

#include <string.h>

#include "base/str.h"
#include "facts/ast.h"
#include "facts/cfg.h"
#include "facts/dom.h"
#include "facts/live.h"
#include "model/model.h"
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

static void trace_load(const struct eo_site *site, const struct eo_node *n,
		       struct eo_arena *a, struct eo_trace *t)
{
	for (; n; n = eo_place_outer(n))
		if (n->kind == EO_N_MEMBER &&
		    eo_model_writes_record(site->model, &site->call->writes,
					   n->record))
			note_read(t, EO_YES, n,
				  eo_arena_printf(a, "%s of struct %s is read",
						  n->name, n->record));
}

static void trace_store(const struct eo_node *n, struct eo_arena *a,
			struct eo_trace *t)
{
	const struct eo_var *v = eo_place_var(n);

	if (v && (v->scope == EO_VAR_LOCAL || v->scope == EO_VAR_PARAM))
		return;
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

static void trace_call(const struct eo_site *site, const struct eo_node *n,
		       struct eo_arena *a, struct eo_trace *t)
{
	enum eo_answer reads = call_reads(site, n);
	const char *name = callee_name(n, a);
	struct eo_call_effect e;

	eo_call_effect(site->summaries, n, &e);
	note_read(t, reads, n,
		  reads == EO_YES ?
			  eo_arena_printf(a, "%s reads it", name) :
			  eo_arena_printf(a, "%s may read it: %s is not known",
					  name, e.unknown));
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

/* The net effect of an atom on locks: 1 takes, -1 gives back, 0 neither. */
static int lock_effect(const struct eo_site *site, const struct eo_atom *at)
{
	const struct eo_summary *sum = NULL;

	if (at->kind == EO_A_CLEANUP)
		sum = eo_summary_of(site->summaries, at->var->cleanup);
	else if (at->kind == EO_A_CALL && at->node->name)
		sum = eo_summary_of(site->summaries, at->node->name);
	return sum ? (int)sum->acquires - (int)sum->releases : 0;
}

/* Whether the atom's cleanup variable was in scope at the call already. */
static bool cleaned_anyway(const struct eo_site *site, const struct eo_atom *at)
{
	const struct eo_cfg *cfg = site->f->cfg;

	for (unsigned i = 0; i < cfg->n; i++)
		if (cfg->items[i].kind == EO_A_STORE &&
		    cfg->items[i].var == at->var)
			return eo_dominates(site->dom, i, site->atom);
	return false;
}

/* Every release has to have its acquire behind the call, or it leaks. */
static void trace_locks(const struct eo_site *site, const bool *set,
			struct eo_arena *a, struct eo_trace *t)
{
	const struct eo_cfg *cfg = site->f->cfg;

	for (unsigned i = 0; i < cfg->n; i++) {
		const struct eo_atom *at = &cfg->items[i];
		bool paired = false;

		if (!set[i] || lock_effect(site, at) >= 0 ||
		    (at->kind == EO_A_CLEANUP && cleaned_anyway(site, at)))
			continue;
		for (unsigned j = 0; j < cfg->n && !paired; j++)
			paired = set[j] &&
				 lock_effect(site, &cfg->items[j]) > 0 &&
				 eo_dominates(site->dom, j, i);
		if (!paired)
			reason(&t->leak, at->node,
			       eo_arena_printf(
				       a,
				       "%s gives back what is held at the call",
				       at->node ? callee_name(at->node, a) :
						  at->var->cleanup));
	}
}

static void trace_atom(const struct eo_site *site, const struct eo_atom *at,
		       struct eo_arena *a, struct eo_trace *t)
{
	const struct eo_summary *sum;

	switch (at->kind) {
	case EO_A_LOAD:
		trace_load(site, at->node, a, t);
		break;
	case EO_A_STORE:
		trace_store(at->node, a, t);
		break;
	case EO_A_CALL:
		trace_call(site, at->node, a, t);
		break;
	case EO_A_ASM:
		reason(&t->unknown, at->node, "an asm statement");
		break;
	case EO_A_CLEANUP:
		if (cleaned_anyway(site, at))
			break;
		sum = eo_summary_of(site->summaries, at->var->cleanup);
		if (sum->writes || sum->unknown)
			reason(&t->unknown, at->node,
			       eo_arena_printf(a, "the cleanup %s()",
					       at->var->cleanup));
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
	trace_locks(site, set, a, out);
}

struct below {
	const struct eo_site *site;
	struct eo_arena *a;
	struct eo_trace trace;
};

static void visit_below(const struct eo_node *n, void *data)
{
	struct below *b = data;

	if (n->kind == EO_N_MEMBER || n->kind == EO_N_SUBSCRIPT)
		trace_load(b->site, n, b->a, &b->trace);
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

/* Whether an atom of @set stores to @var. */
static const struct eo_node *store_in(const struct eo_site *site,
				      const bool *set, const struct eo_var *var)
{
	const struct eo_cfg *cfg = site->f->cfg;

	for (unsigned i = 0; i < cfg->n; i++)
		if (set[i] && cfg->items[i].kind == EO_A_STORE &&
		    eo_place_var(cfg->items[i].node) == var)
			return cfg->items[i].node;
	return NULL;
}

/* Whether @var has got its value on every way to the call. */
static bool defined_before(const struct eo_site *site, const struct eo_var *var)
{
	const struct eo_cfg *cfg = site->f->cfg;

	if (var->scope != EO_VAR_LOCAL)
		return true;
	for (unsigned i = 0; i < cfg->n; i++)
		if (cfg->items[i].kind == EO_A_STORE &&
		    eo_place_var(cfg->items[i].node) == var &&
		    eo_dominates(site->dom, i, site->atom))
			return true;
	return false;
}

static bool same_value(const struct eo_site *site, const struct eo_node *value,
		       const bool *set, struct eo_arena *a,
		       struct eo_reason *why)
{
	long long constant;

	if (eo_node_constant(value, &constant))
		return true;
	if (eo_path_same_before(site, value, set, a, why) == EO_YES)
		return true;
	reason(why, value, "the value returned is made after the call");
	return false;
}

const char *eo_path_result(const struct eo_site *site, const bool *set,
			   struct eo_arena *a, struct eo_reason *why)
{
	const struct eo_cfg *cfg = site->f->cfg;
	const struct eo_node *value = NULL;
	const char *text;
	bool any = false;

	for (unsigned i = 0; i < cfg->n; i++) {
		const struct eo_node *n = cfg->items[i].node;

		if (!set[i] || cfg->items[i].kind != EO_A_RETURN)
			continue;
		if (any && !eo_node_equal(value, n->kid[0])) {
			reason(why, n, "the paths return different values");
			return NULL;
		}
		value = n->kid[0];
		any = true;
	}
	if (!value && (site->f->is_void || any))
		return "";
	if (!value) {
		reason(why, NULL, "no return is reached");
		return NULL;
	}
	if (!same_value(site, value, set, a, why))
		return NULL;
	text = eo_node_text(site->u, value, a);
	return *text ? text : NULL;
}

/* State of eo_path_same_before(): the answer so far. */
struct same {
	const struct eo_site *site;
	const bool *between;
	struct eo_arena *a;
	struct eo_reason *why;
	enum eo_answer answer;
};

static void differs(struct same *s, enum eo_answer answer,
		    const struct eo_node *n, const char *text)
{
	if (s->answer == EO_NO)
		return;
	s->answer = answer;
	s->why->text = text;
	s->why->line = n ? n->pos.line : 0;
}

static void loads_var(struct same *s, const struct eo_node *n)
{
	const struct eo_node *store = store_in(s->site, s->between, n->var);

	if (store)
		differs(s, EO_NO, store,
			eo_arena_printf(s->a, "%s is set in between",
					n->var->name));
	else if (!defined_before(s->site, n->var))
		differs(s, EO_NO, n,
			eo_arena_printf(s->a, "%s has no value yet at the call",
					n->var->name));
	else if (!eo_var_is_plain(n->var))
		differs(s, EO_PERHAPS, n,
			eo_arena_printf(s->a,
					"%s can be changed through a pointer",
					n->var->name));
}

/* Memory: a store to the same field, or a call that writes who knows what. */
static void loads_field(struct same *s, const struct eo_node *n)
{
	const struct eo_cfg *cfg = s->site->f->cfg;

	for (unsigned i = 0; i < cfg->n; i++) {
		const struct eo_atom *at = &cfg->items[i];
		struct eo_call_effect e;

		if (!s->between[i])
			continue;
		if (at->kind == EO_A_STORE && at->node->kind == EO_N_MEMBER &&
		    eo_streq(at->node->name, n->name) &&
		    eo_streq(at->node->record, n->record))
			differs(s, EO_NO, at->node,
				eo_arena_printf(s->a, "%s is set in between",
						n->name));
		if (at->kind != EO_A_CALL)
			continue;
		eo_call_effect(s->site->summaries, at->node, &e);
		if (e.unknown || e.writes)
			differs(s, EO_PERHAPS, at->node,
				eo_arena_printf(s->a, "%s may change %s",
						callee_name(at->node, s->a),
						n->name));
	}
}

static void same_expr(struct same *s, const struct eo_node *n);

/* The place itself is not read, only what leads to it. */
static void same_place(struct same *s, const struct eo_node *n)
{
	if (n->kind == EO_N_NAME)
		return;
	if (n->kind == EO_N_MEMBER && !n->arrow)
		same_place(s, n->kid[0]);
	else
		for (size_t i = 0; i < n->n_kids; i++)
			same_expr(s, n->kid[i]);
}

static void same_call(struct same *s, const struct eo_node *n)
{
	struct eo_call_effect e;

	eo_call_effect(s->site->summaries, n, &e);
	if (e.unknown || e.writes || e.outputs || e.acquires || e.releases)
		differs(s, EO_PERHAPS, n,
			eo_arena_printf(s->a, "%s is not known to be pure",
					callee_name(n, s->a)));
	else if (eo_model_trait(s->site->model, n->name) != EO_TRAIT_PURE)
		differs(s, EO_PERHAPS, n,
			eo_arena_printf(s->a, "%s may give another value there",
					callee_name(n, s->a)));
}

static void same_expr(struct same *s, const struct eo_node *n)
{
	if (!n)
		return;
	switch (n->kind) {
	case EO_N_NAME:
		if (!n->aggregate)
			loads_var(s, n);
		return;
	case EO_N_MEMBER:
		same_place(s, n);
		if (!n->aggregate)
			loads_field(s, n);
		return;
	case EO_N_ADDR:
		same_place(s, n->kid[0]);
		return;
	case EO_N_DEREF:
	case EO_N_SUBSCRIPT:
	case EO_N_STMTEXPR:
	case EO_N_ASSIGN:
	case EO_N_INCDEC:
		differs(s, EO_PERHAPS, n,
			"an expression that we do not follow");
		return;
	case EO_N_CALL:
		same_call(s, n);
		break;
	default:
		break;
	}
	for (size_t i = 0; i < n->n_kids; i++)
		same_expr(s, n->kid[i]);
}

enum eo_answer eo_path_same_before(const struct eo_site *site,
				   const struct eo_node *expr,
				   const bool *between, struct eo_arena *a,
				   struct eo_reason *why)
{
	struct same s = { site, between, a, why, EO_YES };

	*why = (struct eo_reason){ 0 };
	same_expr(&s, expr);
	return s.answer;
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
