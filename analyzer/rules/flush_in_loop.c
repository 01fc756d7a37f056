// SPDX-License-Identifier: GPL-2.0-only
/*
 * flush-in-loop: a call for each descendant of a root, where one call for the
 * root covers them all.
 */
#include "base/err.h"
#include "base/str.h"
#include "facts/ast.h"
#include "facts/cfg.h"
#include "facts/dom.h"
#include "facts/live.h"
#include "facts/summary.h"
#include "model/model.h"
#include "rules/case.h"

void eo_rule_flush_in_loop(const struct eo_rule *rule,
			   const struct eo_site *site,
			   struct eo_findings *found,
			   struct eo_findings *rejected);

/* The variable that the loop moves from descendant to descendant. */
static const struct eo_var *cursor_of(const struct eo_node *loop)
{
	const struct eo_node *init = loop->kid[0];

	while (init && init->kind == EO_N_LIST && init->n_kids)
		init = init->kid[init->n_kids - 1];
	if (!init || init->kind != EO_N_ASSIGN ||
	    init->kid[0]->kind != EO_N_NAME)
		return NULL;
	return init->kid[0]->var;
}

/* The argument that the call works on, or NULL. */
static const struct eo_node *subject_of(const struct eo_site *site)
{
	const struct eo_node *call = site->f->cfg->items[site->atom].node;

	return site->call->subject && site->call->subject < call->n_kids ?
		       call->kid[site->call->subject] :
		       NULL;
}

/*
 * Whether what the call works on is what @var points to, or its part in
 * another tree of the same shape (pos->cgroup); not, as in pos->parent,
 * another of its kind.
 */
static bool works_on(const struct eo_site *site, const struct eo_var *var)
{
	const struct eo_node *subject = subject_of(site), *n = subject;

	while (n && (n->kind == EO_N_MEMBER || n->kind == EO_N_ADDR)) {
		if (n->kind == EO_N_MEMBER && subject->points_to &&
		    subject->kind == EO_N_MEMBER && n->record &&
		    eo_streq(subject->points_to[0], n->record))
			return false;
		n = n->kid[0];
	}
	return n && n->kind == EO_N_NAME && n->var == var;
}

/* The atoms of the loop's turns. */
static bool *turn_of(const struct eo_site *site, const struct eo_loop *loop)
{
	const struct eo_cfg *cfg = site->f->cfg;
	bool *set = eo_cfg_reach(cfg, loop->body, true, NULL, NULL);
	EO_CLEANUP(eo_freep) bool *back = eo_cfg_reach_back(cfg, loop->head);

	for (unsigned i = 0; i < cfg->n; i++)
		set[i] &= back[i];
	return set;
}

static bool is_call(const struct eo_cfg *cfg, unsigned from, size_t nth,
		    void *data)
{
	return cfg->items[from].succ.items[nth] == *(const unsigned *)data;
}

/* Whether a turn passes by the call. */
static bool is_skipped(const struct eo_site *site, const struct eo_loop *loop)
{
	unsigned call = site->atom;
	EO_CLEANUP(eo_freep)
	bool *set =
		eo_cfg_reach(site->f->cfg, loop->body, true, is_call, &call);

	return set[loop->head];
}

/* Whether some turn leaves the loop without going through its condition. */
static bool is_left(const struct eo_site *site, const struct eo_loop *loop,
		    const bool *turn)
{
	const struct eo_cfg *cfg = site->f->cfg;

	for (unsigned i = 0; i < cfg->n; i++)
		for (size_t s = 0; turn[i] && i != loop->head &&
				   !eo_dominates(site->dom, loop->out, i) &&
				   s < cfg->items[i].succ.n;
		     s++)
			if (!turn[cfg->items[i].succ.items[s]] &&
			    eo_dominates(site->dom, loop->body, i))
				return true;
	return false;
}

/* Whether an atom may make work that a flush before the loop did not do. */
static bool makes_work(const struct eo_site *site, const struct eo_atom *at)
{
	struct eo_call_effect e;
	const struct eo_var *v;

	if (at == &site->f->cfg->items[site->atom])
		return false;
	if (at->kind == EO_A_STORE) {
		v = eo_place_var(at->node);
		return !v ||
		       (v->scope != EO_VAR_LOCAL && v->scope != EO_VAR_PARAM);
	}
	if (at->kind != EO_A_CALL)
		return at->kind == EO_A_ASM;
	eo_call_effect(site->summaries, at->node, &e);
	return e.unknown || e.writes || e.summary->calls_model;
}

struct own {
	const struct eo_cfg *cfg;
	bool *set;
};

static void visit_own(const struct eo_node *n, void *data)
{
	struct own *o = data;

	for (unsigned i = 0; i < o->cfg->n; i++)
		if (o->cfg->items[i].node == n)
			o->set[i] = false;
}

/* The first atom of a turn that may, the iterator's own left out; or NULL. */
static const struct eo_node *work_of(const struct eo_site *site,
				     const struct eo_loop *loop, bool *turn)
{
	const struct eo_cfg *cfg = site->f->cfg;
	struct own own = { cfg, turn };

	for (size_t i = 0; i < 3; i++)
		eo_node_visit(loop->node->kid[i], visit_own, &own);
	for (unsigned i = 0; i < cfg->n; i++)
		if (turn[i] && makes_work(site, &cfg->items[i]))
			return cfg->items[i].node;
	return NULL;
}

static void oblige(struct eo_case *c, const struct eo_loop *loop,
		   const char *macro)
{
	EO_CLEANUP(eo_freep) bool *turn = turn_of(c->site, loop);
	bool skipped = is_skipped(c->site, loop);
	bool left = is_left(c->site, loop, turn);
	const struct eo_node *work = work_of(c->site, loop, turn);

	eo_case_deferrable(c);
	eo_case_oblige(
		c, "covered", EO_PROOF_ASSUMED,
		"%s() goes through all descendants of a root, and one call for the root covers them",
		macro);
	if (skipped || left)
		eo_case_oblige(
			c, "each-turn", EO_PROOF_UNKNOWN, "%s",
			skipped ?
				"some turns pass it by: how many is not in the code" :
				"the loop may end early: one for the root may be more work");
	else
		eo_case_oblige(
			c, "each-turn", EO_PROOF_PROVED,
			"it runs on every turn, and for all descendants");
	if (work)
		eo_case_oblige(c, "nothing-between", EO_PROOF_UNKNOWN,
			       "line %u may make new work for it on every turn",
			       work->pos.line);
	else
		eo_case_oblige(c, "nothing-between", EO_PROOF_PROVED,
			       "a turn does nothing that makes new work");
}

void eo_rule_flush_in_loop(const struct eo_rule *rule,
			   const struct eo_site *site,
			   struct eo_findings *found,
			   struct eo_findings *rejected)
{
	const struct eo_cfg *cfg = site->f->cfg;

	if (site->call->kind != EO_CALL_DEFERRABLE)
		return;
	for (size_t i = 0; i < cfg->loops.n; i++) {
		const struct eo_loop *l = &cfg->loops.items[i];
		EO_CLEANUP(eo_freep)
		char *macro = eo_unit_macro_at(site->u, &l->node->pos);
		const struct eo_var *cursor;
		struct eo_case c;

		if (!macro || !eo_map_has(&site->model->descents, macro) ||
		    l->node->kind != EO_N_FOR ||
		    !eo_dominates(site->dom, l->body, site->atom))
			continue;
		cursor = cursor_of(l->node);
		if (!cursor || !works_on(site, cursor))
			continue;
		eo_case_begin(&c, rule, site);
		oblige(&c, l, macro);
		eo_case_step(&c, "loop", l->node,
			     "this goes from descendant to descendant");
		eo_case_step(&c, "call", cfg->items[site->atom].node,
			     "and this runs for each");
		c.f->message = eo_arena_printf(
			eo_case_arena(&c),
			"%s() runs for each descendant in the loop at line %u: once for the root, before the loop, covers them",
			c.f->call, l->node->pos.line);
		eo_case_end(&c, false, found, rejected);
		return;
	}
}
