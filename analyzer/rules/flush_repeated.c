// SPDX-License-Identifier: GPL-2.0-only
/*
 * flush-repeated: the same call on the same thing was made on every path here,
 * and nothing in between can have given it new work that matters.
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

void eo_rule_flush_repeated(const struct eo_rule *rule,
			    const struct eo_site *site,
			    struct eo_findings *found,
			    struct eo_findings *rejected);

static bool same_call(const struct eo_node *a, const struct eo_node *b)
{
	if (!eo_streq(a->name, b->name) || a->n_kids != b->n_kids)
		return false;
	for (size_t i = 1; i < a->n_kids; i++)
		if (!eo_node_equal(a->kid[i], b->kid[i]))
			return false;
	return true;
}

/* The atoms on the ways from the first call to the second. */
static bool *between(const struct eo_cfg *cfg, unsigned first, unsigned second)
{
	bool *set = eo_cfg_reach(cfg, first, false, NULL, NULL);
	EO_CLEANUP(eo_freep) bool *back = eo_cfg_reach_back(cfg, second);

	for (unsigned i = 0; i < cfg->n; i++)
		set[i] &= back[i] && i != first && i != second;
	return set;
}

/* The two calls, and what is between them. */
struct twice {
	struct eo_case c;
	struct eo_site first; /* seen from there, arguments have to stay */
	bool *set; /* atoms between the two */
};

static void visit_memory(const struct eo_node *n, void *data)
{
	*(bool *)data |= n->kind == EO_N_MEMBER || n->kind == EO_N_DEREF ||
			 n->kind == EO_N_CALL ||
			 (n->kind == EO_N_NAME && !eo_var_is_plain(n->var));
}

/* A loop that goes on until somebody else does something, for all we know. */
static const struct eo_node *may_spin(const struct twice *t)
{
	const struct eo_cfg *cfg = t->first.f->cfg;

	for (size_t i = 0; i < cfg->loops.n; i++) {
		const struct eo_loop *l = &cfg->loops.items[i];
		bool memory = false;

		if (!t->set[l->head] || l->node->walk)
			continue;
		eo_node_visit(l->node->kid[l->node->kind == EO_N_WHILE ? 0 : 1],
			      visit_memory, &memory);
		if (memory)
			return l->node;
	}
	return NULL;
}

static bool waits(const struct twice *t, const struct eo_node *call)
{
	const struct eo_summary *sum;
	struct eo_map_entry *e;

	if (!call->name)
		return true;
	sum = eo_summary_of(t->first.summaries, call->name);
	if (sum->acquires ||
	    eo_model_trait(t->first.model, call->name) == EO_TRAIT_WAIT)
		return true;
	eo_map_for_each(e, &sum->callees)
		if (eo_model_trait(t->first.model, e->key) == EO_TRAIT_WAIT)
			return true;
	return false;
}

/* Where others get their turn, and may count more meanwhile. */
static const struct eo_node *waits_between(const struct twice *t)
{
	const struct eo_cfg *cfg = t->first.f->cfg;

	for (unsigned i = 0; i < cfg->n; i++)
		if (t->set[i] && cfg->items[i].kind == EO_A_CALL &&
		    waits(t, cfg->items[i].node))
			return cfg->items[i].node;
	return may_spin(t);
}

static void check_between(struct twice *t)
{
	const struct eo_node *wait = waits_between(t);
	struct eo_trace trace;

	eo_path_trace(&t->first, t->set, eo_case_arena(&t->c), &trace);
	if (trace.effect.text || trace.unknown.text)
		eo_case_oblige(&t->c, "nothing-between", EO_PROOF_UNKNOWN, "%s",
			       eo_case_at_line(&t->c, trace.effect.text ?
							      &trace.effect :
							      &trace.unknown));
	else if (wait)
		eo_case_oblige(
			&t->c, "nothing-between", EO_PROOF_UNKNOWN,
			"line %u: it may wait here while others count more",
			wait->pos.line);
	else
		eo_case_oblige(&t->c, "nothing-between", EO_PROOF_PROVED,
			       "nothing between the two gives it new work");
}

static void check_subject(struct twice *t)
{
	const struct eo_node *before =
		t->first.f->cfg->items[t->first.atom].node;
	struct eo_reason why = { 0 };
	enum eo_answer same = EO_YES;

	for (size_t i = 1; i < before->n_kids && same == EO_YES; i++)
		same = eo_path_same_before(&t->first, before->kid[i], t->set,
					   eo_case_arena(&t->c), &why);
	if (same == EO_YES)
		eo_case_oblige(&t->c, "same-subject", EO_PROOF_PROVED,
			       "it is called for the same thing");
	else
		eo_case_oblige(&t->c, "same-subject",
			       same == EO_NO ? EO_PROOF_FAILED :
					       EO_PROOF_UNKNOWN,
			       "%s", eo_case_at_line(&t->c, &why));
}

static void argue(const struct eo_rule *rule, const struct eo_site *site,
		  unsigned first, struct eo_findings *found,
		  struct eo_findings *rejected)
{
	const struct eo_cfg *cfg = site->f->cfg;
	struct twice t = { .first = *site,
			   .set = between(cfg, first, site->atom) };

	t.first.atom = first;
	eo_case_begin(&t.c, rule, site);
	eo_case_deferrable(&t.c);
	check_subject(&t);
	check_between(&t);
	if (!eo_path_is_statement(site))
		eo_case_oblige(&t.c, "no-result", EO_PROOF_UNKNOWN,
			       "what the second gives back may be used");
	eo_case_step(&t.c, "call", cfg->items[first].node,
		     "the same call, on every path here");
	eo_case_step(&t.c, "call", cfg->items[site->atom].node, "and again");
	t.c.f->message = eo_arena_printf(
		eo_case_arena(&t.c),
		"%s() was called for the same thing at line %u, on every path here: drop the second",
		t.c.f->call, cfg->items[first].node->pos.line);
	eo_case_end(&t.c, true, found, rejected);
	eo_freep(&t.set);
}

void eo_rule_flush_repeated(const struct eo_rule *rule,
			    const struct eo_site *site,
			    struct eo_findings *found,
			    struct eo_findings *rejected)
{
	const struct eo_cfg *cfg = site->f->cfg;

	if (site->call->kind != EO_CALL_DEFERRABLE)
		return;
	for (unsigned i = 0; i < cfg->n; i++) {
		if (i == site->atom || cfg->items[i].kind != EO_A_CALL ||
		    !same_call(cfg->items[i].node,
			       cfg->items[site->atom].node) ||
		    !eo_dominates(site->dom, i, site->atom))
			continue;
		argue(rule, site, i, found, rejected);
		return;
	}
}
