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

static void argue(const struct eo_rule *rule, const struct eo_site *site,
		  unsigned first, struct eo_findings *found,
		  struct eo_findings *rejected)
{
	const struct eo_cfg *cfg = site->f->cfg;
	const struct eo_node *before = cfg->items[first].node;
	EO_CLEANUP(eo_freep) bool *set = between(cfg, first, site->atom);
	/* Seen from the first call: its arguments have to stay what they are. */
	struct eo_site at_first = *site;
	struct eo_trace trace;
	struct eo_reason why = { 0 };
	enum eo_answer same = EO_YES;
	struct eo_case c;

	at_first.atom = first;
	eo_case_begin(&c, rule, site);
	eo_path_trace(&at_first, set, eo_case_arena(&c), &trace);
	for (size_t i = 1; i < before->n_kids && same == EO_YES; i++)
		same = eo_path_same_before(&at_first, before->kid[i], set,
					   eo_case_arena(&c), &why);
	eo_case_deferrable(&c);
	eo_case_oblige(&c, "same-subject",
		       same == EO_YES ? EO_PROOF_PROVED :
		       same == EO_NO  ? EO_PROOF_FAILED :
					EO_PROOF_UNKNOWN,
		       "%s",
		       same == EO_YES ? "it is called for the same thing" :
					eo_case_at_line(&c, &why));
	if (trace.effect.text)
		eo_case_oblige(&c, "nothing-between", EO_PROOF_UNKNOWN, "%s",
			       eo_case_at_line(&c, &trace.effect));
	else if (trace.unknown.text)
		eo_case_oblige(&c, "nothing-between", EO_PROOF_UNKNOWN, "%s",
			       eo_case_at_line(&c, &trace.unknown));
	else
		eo_case_oblige(&c, "nothing-between", EO_PROOF_PROVED,
			       "nothing between the two gives it new work");
	eo_case_step(&c, "call", before, "the same call, on every path here");
	eo_case_step(&c, "call", cfg->items[site->atom].node, "and again");
	c.f->message = eo_arena_printf(
		eo_case_arena(&c),
		"%s() was called for the same thing at line %u, on every path here: drop the second",
		c.f->call, before->pos.line);
	eo_case_end(&c, false, found, rejected);
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
