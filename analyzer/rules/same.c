// SPDX-License-Identifier: GPL-2.0-only
/*
 * Whether an expression that stands behind a call means the same before it,
 * and what a function returns on some of its paths.
 */
#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "facts/ast.h"
#include "facts/cfg.h"
#include "facts/dom.h"
#include "facts/live.h"
#include "model/model.h"
#include "rules/path.h"
#include "rules/rule.h"

static void reason(struct eo_reason *r, const struct eo_node *n,
		   const char *text)
{
	if (r->text)
		return;
	r->text = text;
	r->line = n ? n->pos.line : 0;
}

static const char *callee_name(const struct eo_node *call, struct eo_arena *a)
{
	return call->name ? eo_arena_printf(a, "%s()", call->name) :
			    "an indirect call";
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
	struct eo_moved *moved; /* NULL: nothing moves */
	unsigned at; /* the branch that it moves with */
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

static bool has_tag(const char *const *tags, const char *tag)
{
	for (size_t i = 0; tags && tags[i]; i++)
		if (eo_streq(tags[i], tag))
			return true;
	return false;
}

/* Whether the name means another variable at the call: it is hidden there, or
 * the text would have to be read to know. */
static bool is_ambiguous(const struct same *s, const struct eo_var *var)
{
	const struct eo_func *f = s->site->f;

	for (size_t i = 0; i < f->vars.n; i++)
		if (f->vars.items[i] != var &&
		    strcmp(f->vars.items[i]->name, var->name) == 0)
			return true;
	return false;
}

static void names_var(struct same *s, const struct eo_node *n)
{
	if (is_ambiguous(s, n->var))
		differs(s, EO_PERHAPS, n,
			eo_arena_printf(s->a, "%s is the name of two variables",
					n->var->name));
}

static const struct eo_node *asm_operand(const struct same *s,
					 const struct eo_var *var)
{
	const struct eo_cfg *cfg = s->site->f->cfg;

	for (unsigned i = 0; i < cfg->n; i++) {
		const struct eo_node *n = cfg->items[i].node;

		if (!s->between[i] || cfg->items[i].kind != EO_A_ASM)
			continue;
		for (size_t k = 0; k < n->n_kids; k++)
			if (n->kid[k] && eo_place_var(n->kid[k]) == var)
				return n;
	}
	return NULL;
}

static void same_expr(struct same *s, const struct eo_node *n);

/* Every way into the atom @data. */
static bool into(const struct eo_cfg *cfg, unsigned from, size_t nth,
		 void *data)
{
	return cfg->items[from].succ.items[nth] == *(const unsigned *)data;
}

/* Whether every way from the call to the test goes by atom @i. */
static bool is_passed(const struct same *s, unsigned i)
{
	EO_CLEANUP(eo_freep)
	bool *around =
		eo_cfg_reach(s->site->f->cfg, s->site->atom, false, into, &i);

	return !around[s->at];
}

/* The one store in between that gives @var its value on every way to the
 * test; NULL when there is none, or another. */
static const struct eo_atom *maker(const struct same *s,
				   const struct eo_var *var)
{
	const struct eo_cfg *cfg = s->site->f->cfg;
	const struct eo_atom *found = NULL;

	for (unsigned i = 0; i < cfg->n; i++) {
		const struct eo_atom *at = &cfg->items[i];

		if (!s->between[i] || at->kind != EO_A_STORE ||
		    eo_place_var(at->node) != var)
			continue;
		if (found || !at->value || !is_passed(s, i))
			return NULL;
		found = at;
	}
	return found;
}

/* Whether what @var is in the test can be made before the call, too. */
static bool moves(struct same *s, const struct eo_var *var)
{
	struct eo_moved *m = s->moved;
	const struct eo_atom *store;

	if (!m || m->n == sizeof(m->items) / sizeof(m->items[0]) ||
	    var->scope != EO_VAR_LOCAL || !eo_var_is_plain(var))
		return false;
	store = maker(s, var);
	if (!store)
		return false;
	m->items[m->n++] = store;
	same_expr(s, store->value);
	return true;
}

static void loads_var(struct same *s, const struct eo_node *n)
{
	const struct eo_node *store = store_in(s->site, s->between, n->var);
	const struct eo_node *as = asm_operand(s, n->var);

	if (store && moves(s, n->var))
		return;
	if (store)
		differs(s, EO_NO, store,
			eo_arena_printf(s->a, "%s is set in between",
					n->var->name));
	else if (!defined_before(s->site, n->var))
		differs(s, EO_NO, n,
			eo_arena_printf(s->a, "%s has no value yet at the call",
					n->var->name));
	else if (as)
		differs(s, EO_PERHAPS, as,
			eo_arena_printf(s->a, "an asm statement has %s",
					n->var->name));
	else if (!eo_var_is_plain(n->var))
		differs(s, EO_PERHAPS, n,
			eo_arena_printf(s->a,
					"%s can be changed through a pointer",
					n->var->name));
}

/* A store to the field itself, or to what may be it or have it inside. */
static void store_hits(struct same *s, const struct eo_node *to,
		       const struct eo_node *field)
{
	if (to->kind == EO_N_MEMBER && eo_streq(to->name, field->name) &&
	    eo_streq(to->record, field->record))
		differs(s, EO_NO, to,
			eo_arena_printf(s->a, "%s is set in between",
					field->name));
	else if (has_tag(to->copies, field->record))
		differs(s, EO_PERHAPS, to,
			eo_arena_printf(s->a, "all of struct %s is set",
					field->record));
	else if (to->kind == EO_N_DEREF ||
		 (to->kind == EO_N_SUBSCRIPT && !eo_place_outer(to)))
		differs(s, EO_PERHAPS, to,
			eo_arena_printf(
				s->a, "what is set through a pointer may be %s",
				field->name));
}

/* A call may write it, or take the lock that it is to be read under. */
static void call_hits(struct same *s, const struct eo_node *call,
		      const struct eo_node *field)
{
	const struct eo_model_call *m =
		eo_model_call(s->site->model, call->name);
	struct eo_call_effect e;

	eo_call_effect(s->site->summaries, call, &e);
	if (m &&
	    eo_model_writes_record(s->site->model, &m->writes, field->record))
		differs(s, EO_NO, call,
			eo_arena_printf(s->a, "%s changes %s",
					callee_name(call, s->a), field->name));
	else if (e.unknown || e.writes ||
		 (e.summary && e.summary->calls_model && !m))
		differs(s, EO_PERHAPS, call,
			eo_arena_printf(s->a, "%s may change %s",
					callee_name(call, s->a), field->name));
	else if (e.acquires)
		differs(s, EO_PERHAPS, call,
			eo_arena_printf(
				s->a,
				"%s comes first: %s may need what it takes",
				callee_name(call, s->a), field->name));
}

static void loads_field(struct same *s, const struct eo_node *n)
{
	const struct eo_cfg *cfg = s->site->f->cfg;

	for (unsigned i = 0; i < cfg->n; i++) {
		const struct eo_atom *at = &cfg->items[i];

		if (!s->between[i])
			continue;
		if (at->kind == EO_A_STORE)
			store_hits(s, at->node, n);
		else if (at->kind == EO_A_CALL)
			call_hits(s, at->node, n);
	}
}

/* The place itself is not read, only what leads to it. */
static void same_place(struct same *s, const struct eo_node *n)
{
	if (n->kind == EO_N_NAME) {
		names_var(s, n);
		return;
	}
	if (n->kind == EO_N_MEMBER && !n->arrow)
		same_place(s, n->kid[0]);
	else
		for (size_t i = 0; i < n->n_kids; i++)
			same_expr(s, n->kid[i]);
}

/* Whether an atom in between may change what a helper looks at. */
static bool disturbs(const struct same *s, const struct eo_atom *at)
{
	const struct eo_var *v;
	struct eo_call_effect e;

	switch (at->kind) {
	case EO_A_STORE:
		v = eo_place_var(at->node);
		return !v || v->addressed ||
		       (v->scope != EO_VAR_LOCAL && v->scope != EO_VAR_PARAM);
	case EO_A_CALL:
		if (at == &s->site->f->cfg->items[s->site->atom])
			return false; /* what that writes is looked at apart */
		eo_call_effect(s->site->summaries, at->node, &e);
		return e.unknown || e.writes || e.acquires != e.releases ||
		       e.summary->calls_model;
	case EO_A_ASM:
		return true;
	default:
		return false;
	}
}

/*
 * A function that does nothing but look: it says the same as long as nothing
 * that it may look at changes.
 */
static void same_helper(struct same *s, const struct eo_node *call)
{
	const struct eo_cfg *cfg = s->site->f->cfg;
	enum eo_answer reads =
		eo_summary_reads(s->site->summaries,
				 eo_summary_of(s->site->summaries, call->name),
				 &s->site->call->writes);

	if (reads != EO_NO)
		differs(s, reads == EO_YES ? EO_NO : EO_PERHAPS, call,
			eo_arena_printf(s->a, "%s %s what the call writes",
					callee_name(call, s->a),
					reads == EO_YES ? "reads" :
							  "may read"));
	for (unsigned i = 0; i < cfg->n; i++) {
		const struct eo_atom *at = &cfg->items[i];

		if (!s->between[i] || !disturbs(s, at))
			continue;
		differs(s, EO_PERHAPS, at->node,
			eo_arena_printf(
				s->a,
				"what %s looks at may be another before this",
				callee_name(call, s->a)));
		return;
	}
}

static void same_call(struct same *s, const struct eo_node *n)
{
	struct eo_call_effect e;

	eo_call_effect(s->site->summaries, n, &e);
	if (e.unknown || e.writes || e.outputs || e.acquires != e.releases ||
	    e.summary->calls_model)
		differs(s, EO_PERHAPS, n,
			eo_arena_printf(s->a, "%s is not known to be pure",
					callee_name(n, s->a)));
	else if (eo_model_trait(s->site->model, n->name) != EO_TRAIT_PURE)
		same_helper(s, n);
}

static void same_expr(struct same *s, const struct eo_node *n)
{
	if (!n)
		return;
	switch (n->kind) {
	case EO_N_NAME:
		names_var(s, n);
		if (!n->aggregate || n->copies)
			loads_var(s, n);
		return;
	case EO_N_MEMBER:
		same_place(s, n);
		if (!n->aggregate || n->copies)
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
	struct same s = { site, between, a, why, EO_YES, NULL, 0 };

	*why = (struct eo_reason){ 0 };
	same_expr(&s, expr);
	return s.answer;
}

enum eo_answer eo_path_same_moved(const struct eo_site *site, unsigned at,
				  const bool *between, struct eo_arena *a,
				  struct eo_moved *moved, struct eo_reason *why)
{
	struct same s = { site, between, a, why, EO_YES, moved, at };

	*why = (struct eo_reason){ 0 };
	*moved = (struct eo_moved){ 0 };
	same_expr(&s, site->f->cfg->items[at].node);
	return s.answer;
}
