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

/* Whether what the call works on is (reached from) @var. */
static bool works_on(const struct eo_site *site, const struct eo_var *var)
{
	const struct eo_node *call = site->f->cfg->items[site->atom].node;
	const struct eo_node *n = site->call->subject && site->call->subject <
								 call->n_kids ?
					  call->kid[site->call->subject] :
					  NULL;

	while (n && (n->kind == EO_N_MEMBER || n->kind == EO_N_ADDR))
		n = n->kid[0];
	return n && n->kind == EO_N_NAME && n->var == var;
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
		eo_case_deferrable(&c);
		eo_case_oblige(
			&c, "covered", EO_PROOF_ASSUMED,
			"%s() goes through all descendants of a root, and one call for the root covers them",
			macro);
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
