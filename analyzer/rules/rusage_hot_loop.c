// SPDX-License-Identifier: GPL-2.0-only
/*
 * rusage-hot-loop: a sample on every turn of a loop without end, which only
 * some of the turns use.
 */
#include "base/err.h"
#include "facts/ast.h"
#include "facts/callers.h"
#include "facts/cfg.h"
#include "facts/dom.h"
#include "model/model.h"
#include "rules/case.h"
#include "rules/sample.h"

void eo_rule_rusage_hot_loop(const struct eo_rule *rule,
			     const struct eo_site *site,
			     struct eo_findings *found,
			     struct eo_findings *rejected);

/* !kthread_should_stop(): until somebody else says so. */
static bool until_stopped(const struct eo_model *model,
			  const struct eo_node *cond)
{
	return cond->kind == EO_N_NOT && cond->kid[0] &&
	       cond->kid[0]->kind == EO_N_CALL && cond->kid[0]->name &&
	       eo_map_has(&model->stops, cond->kid[0]->name);
}

static bool is_endless(const struct eo_model *model, const struct eo_node *loop)
{
	const struct eo_node *cond =
		loop->kid[loop->kind == EO_N_WHILE ? 0 : 1];
	long long value;

	if (!cond)
		return loop->kind == EO_N_FOR;
	return until_stopped(model, cond) ||
	       (eo_node_constant(cond, &value) && value);
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

		if (is_endless(site->model, l->node) && behind[l->head] &&
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

/* The same, and the ways that unlikely() says are hardly ever taken. */
static bool is_use_or_unlikely(const struct eo_cfg *cfg, unsigned from,
			       size_t nth, void *data)
{
	return cfg->items[from].unlikely >> nth & 1 ||
	       is_use(cfg, from, nth, data);
}

/* The turns of the loop, and what they do with the sample. */
struct turns {
	const struct eo_loop *loop;
	bool *use; /* atoms that use the sample */
	bool *behind; /* atoms behind the call */
	bool *back; /* atoms from which there is a way to the call */
	bool *unused; /* atoms behind the call that no use comes before */
	bool *likely; /* the same, by ways that are taken now and then */
};

static void find_turns(const struct eo_site *site, const struct eo_outs *outs,
		       struct turns *t)
{
	const struct eo_cfg *cfg = site->f->cfg;

	t->use = eo_sample_use_set(site, outs);
	t->behind = eo_cfg_reach(cfg, site->atom, false, NULL, NULL);
	t->back = eo_cfg_reach_back(cfg, site->atom);
	t->unused = eo_cfg_reach(cfg, site->atom, false, is_use, t->use);
	t->likely = eo_cfg_reach(cfg, site->atom, false, is_use_or_unlikely,
				 t->use);
}

static void release_turns(struct turns *t)
{
	eo_freep(&t->use);
	eo_freep(&t->behind);
	eo_freep(&t->back);
	eo_freep(&t->unused);
	eo_freep(&t->likely);
}

/* The first use in a turn, or one behind the loop; EO_CFG_EXIT: none. */
static unsigned first_use(const struct eo_cfg *cfg, const struct turns *t,
			  bool in_turn)
{
	for (unsigned i = 0; i < cfg->n; i++)
		if (t->use[i] && t->behind[i] && (!in_turn || t->back[i]))
			return i;
	return EO_CFG_EXIT;
}

/* The decision that the use at atom @use depends on, or NULL. */
static const struct eo_node *decision_for(const struct eo_site *site,
					  const struct turns *t, unsigned use)
{
	const struct eo_cfg *cfg = site->f->cfg;
	const struct eo_node *decision = NULL;

	for (unsigned b = 0; b < cfg->n; b++)
		if (cfg->items[b].kind == EO_A_BRANCH && t->behind[b] &&
		    eo_dominates(site->dom, b, use) &&
		    !eo_dominates(site->postdom, use, b))
			decision = cfg->items[b].node;
	return decision;
}

static void add_steps(struct eo_case *c, const struct turns *t)
{
	const struct eo_site *site = c->site;
	const struct eo_cfg *cfg = site->f->cfg;
	unsigned use = first_use(cfg, t, true);
	const struct eo_node *decision;

	if (use == EO_CFG_EXIT)
		use = first_use(cfg, t, false);
	eo_case_step(c, "loop", t->loop->node, "a loop without end");
	eo_case_call_step(c);
	if (use == EO_CFG_EXIT)
		return;
	decision = decision_for(site, t, use);
	if (decision)
		eo_case_step(c, "test", decision,
			     "this decides whether it is used");
	if (cfg->items[use].node)
		eo_case_step(c, "use", cfg->items[use].node, "here it is used");
}

static void oblige(struct eo_case *c, const struct turns *t,
		   const struct eo_outs *outs)
{
	const struct eo_site *site = c->site;
	struct eo_reason why = { 0 };

	if (!t->unused[site->atom])
		eo_case_oblige(c, "unused-turn", EO_PROOF_FAILED,
			       "every turn uses the sample");
	else if (first_use(site->f->cfg, t, true) == EO_CFG_EXIT)
		eo_case_oblige(
			c, "unused-turn", EO_PROOF_FAILED,
			"no turn uses it and goes on: a turn that does not use it tries again");
	else
		eo_case_oblige(
			c, "unused-turn", EO_PROOF_PROVED,
			"a turn leads back to the call and uses nothing of it");
	if (t->unused[site->atom] && !t->likely[site->atom])
		eo_case_oblige(
			c, "likely", EO_PROOF_UNKNOWN,
			"the code says that such a turn is hardly ever taken");
	if (!eo_sample_private(site, outs, eo_case_arena(c), &why))
		eo_case_oblige(c, "private", EO_PROOF_UNKNOWN, "%s",
			       eo_case_at_line(c, &why));
}

/* Whether all that uses it is one call to a function of this file alone. */
static bool has_one_consumer(const struct eo_site *site, const struct turns *t)
{
	const struct eo_cfg *cfg = site->f->cfg;
	const struct eo_node *consumer = NULL;
	const struct eo_use *use;
	unsigned n = 0;

	for (unsigned i = 0; i < cfg->n; i++) {
		if (!t->use[i] || cfg->items[i].kind != EO_A_CALL)
			continue;
		consumer = cfg->items[i].node;
		n++;
	}
	use = n == 1 ? eo_callers_use(site->callers, consumer->name) : NULL;
	return use && use->in_main && use->is_static;
}

void eo_rule_rusage_hot_loop(const struct eo_rule *rule,
			     const struct eo_site *site,
			     struct eo_findings *found,
			     struct eo_findings *rejected)
{
	struct turns t = { .loop = endless_around(site) };
	struct eo_outs outs;
	struct eo_case c;

	eo_sample_outs(site, &outs);
	if (site->call->kind != EO_CALL_SAMPLE || !t.loop || !outs.local)
		return;
	find_turns(site, &outs, &t);
	eo_case_begin(&c, rule, site);
	oblige(&c, &t, &outs);
	eo_finding_add_hot(&c.list, c.f, "loop without end");
	add_steps(&c, &t);
	c.f->message = eo_arena_printf(
		eo_case_arena(&c),
		"%s() runs on every turn of the loop at line %u, and not every turn uses it: start the sample when work starts",
		c.f->call, t.loop->node->pos.line);
	eo_case_end(&c, has_one_consumer(site, &t), found, rejected);
	release_turns(&t);
}
