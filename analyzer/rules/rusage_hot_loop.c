// SPDX-License-Identifier: GPL-2.0-only
/*
 * rusage-hot-loop: a sample on every turn of a loop without end, which only
 * some of the turns use.
 */
#include "base/err.h"
#include "facts/ast.h"
#include "facts/cfg.h"
#include "facts/dom.h"
#include "model/model.h"
#include "rules/case.h"
#include "rules/sample.h"

void eo_rule_rusage_hot_loop(const struct eo_rule *rule,
			     const struct eo_site *site,
			     struct eo_findings *found,
			     struct eo_findings *rejected);

static bool is_endless(const struct eo_node *loop)
{
	const struct eo_node *cond =
		loop->kid[loop->kind == EO_N_WHILE ? 0 : 1];
	long long value;

	if (!cond)
		return loop->kind == EO_N_FOR;
	return eo_node_constant(cond, &value) && value;
}

/* The innermost loop without end that the call is in, or NULL. */
static const struct eo_loop *endless_around(const struct eo_site *site)
{
	const struct eo_cfg *cfg = site->f->cfg;
	EO_CLEANUP(eo_freep)
	bool *behind = eo_cfg_reach(cfg, site->atom, false, NULL, NULL);
	const struct eo_loop *best = NULL;

	for (size_t i = 0; i < cfg->loops.n; i++) {
		const struct eo_loop *l = &cfg->loops.items[i];

		if (is_endless(l->node) && behind[l->head] &&
		    eo_dominates(site->dom, l->body, site->atom))
			best = l; /* inner loops come later */
	}
	return best;
}

static bool is_use(const struct eo_cfg *cfg, unsigned from, size_t nth,
		   void *data)
{
	return ((const bool *)data)[cfg->items[from].succ.items[nth]];
}

/* The first use behind the call, and the decision that leads to it. */
static void add_steps(struct eo_case *c, const struct eo_loop *loop,
		      const bool *use, const bool *behind)
{
	const struct eo_site *site = c->site;
	const struct eo_cfg *cfg = site->f->cfg;
	const struct eo_node *decision = NULL;

	eo_case_step(c, "loop", loop->node, "a loop without end");
	eo_case_step(c, "call", cfg->items[site->atom].node,
		     eo_arena_printf(eo_case_arena(c), "%s() %s",
				     site->call->name, site->call->cost));
	for (unsigned i = 0; i < cfg->n; i++) {
		if (!use[i] || !behind[i])
			continue;
		for (unsigned b = 0; b < cfg->n; b++)
			if (cfg->items[b].kind == EO_A_BRANCH && behind[b] &&
			    eo_dominates(site->dom, b, i) &&
			    !eo_dominates(site->postdom, i, b))
				decision = cfg->items[b].node;
		if (decision)
			eo_case_step(c, "test", decision,
				     "this decides whether it is used");
		if (cfg->items[i].node)
			eo_case_step(c, "use", cfg->items[i].node,
				     "here it is used");
		return;
	}
}

void eo_rule_rusage_hot_loop(const struct eo_rule *rule,
			     const struct eo_site *site,
			     struct eo_findings *found,
			     struct eo_findings *rejected)
{
	const struct eo_cfg *cfg = site->f->cfg;
	const struct eo_loop *loop = endless_around(site);
	bool *use, *behind, *unused;
	struct eo_outs outs;
	struct eo_case c;

	eo_sample_outs(site, &outs);
	if (site->call->kind != EO_CALL_SAMPLE || !loop || !outs.local)
		return;
	use = eo_sample_use_set(site, &outs);
	behind = eo_cfg_reach(cfg, site->atom, false, NULL, NULL);
	unused = eo_cfg_reach(cfg, site->atom, false, is_use, use);
	eo_case_begin(&c, rule, site);
	if (unused[site->atom])
		eo_case_oblige(
			&c, "unused-turn", EO_PROOF_PROVED,
			"a turn leads back to the call and uses nothing of it");
	else
		eo_case_oblige(&c, "unused-turn", EO_PROOF_FAILED,
			       "every turn uses the sample");
	eo_finding_add_hot(&c.list, c.f, "loop without end");
	add_steps(&c, loop, use, behind);
	c.f->message = eo_arena_printf(
		eo_case_arena(&c),
		"%s() runs on every turn of the loop at line %u, and not every turn uses it: start the sample when work starts",
		c.f->call, loop->node->pos.line);
	eo_case_end(&c, false, found, rejected);
	eo_freep(&use);
	eo_freep(&behind);
	eo_freep(&unused);
}
