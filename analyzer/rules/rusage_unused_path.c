// SPDX-License-Identifier: GPL-2.0-only
/*
 * rusage-unused-path: a sample that is used only under a condition, and the
 * condition is known before it is taken.
 */
#include "base/err.h"
#include "base/str.h"
#include "facts/ast.h"
#include "facts/cfg.h"
#include "facts/dom.h"
#include "facts/summary.h"
#include "model/model.h"
#include "rules/case.h"
#include "rules/sample.h"

void eo_rule_rusage_unused_path(const struct eo_rule *rule,
				const struct eo_site *site,
				struct eo_findings *found,
				struct eo_findings *rejected);

struct use_case {
	const struct eo_site *site;
	bool *use; /* atoms that use the sample */
	bool *behind; /* atoms behind the call */
	bool *before_use; /* those that no use comes before */
};

static bool is_use(const struct eo_cfg *cfg, unsigned from, size_t nth,
		   void *data)
{
	return ((const bool *)data)[cfg->items[from].succ.items[nth]];
}

static bool is_call(const struct eo_cfg *cfg, unsigned from, size_t nth,
		    void *data)
{
	return cfg->items[from].succ.items[nth] == *(const unsigned *)data;
}

/* Whether the sample is used on this side of a branch, before it is taken
 * again. */
static bool used_from(const struct use_case *u, unsigned side)
{
	const struct eo_cfg *cfg = u->site->f->cfg;
	unsigned call = u->site->atom;
	EO_CLEANUP(eo_freep)
	bool *reach = eo_cfg_reach(cfg, side, true, is_call, &call);

	for (unsigned i = 0; i < cfg->n; i++)
		if (reach[i] && u->use[i])
			return true;
	return false;
}

static bool dominates_uses(const struct use_case *u, unsigned branch)
{
	const struct eo_cfg *cfg = u->site->f->cfg;

	for (unsigned i = 0; i < cfg->n; i++)
		if (u->use[i] && u->behind[i] &&
		    !eo_dominates(u->site->dom, branch, i))
			return false;
	return true;
}

/* A branch between the call and every use, with a side that has none. */
static bool decides(const struct use_case *u, unsigned branch, unsigned *unused)
{
	const struct eo_atom *b = &u->site->f->cfg->items[branch];
	bool yes, no;

	if (b->kind != EO_A_BRANCH || !u->before_use[branch] ||
	    !eo_dominates(u->site->dom, u->site->atom, branch) ||
	    !dominates_uses(u, branch))
		return false;
	yes = used_from(u, b->succ.items[0]);
	no = used_from(u, b->succ.items[1]);
	*unused = yes ? 1 : 0;
	return yes != no;
}

static bool same_arg(const struct eo_node *a, const struct eo_node *b)
{
	return a && b && a->n_kids > 1 && eo_node_equal(a->kid[1], b);
}

/* A reference to what is sampled that is taken and given up around the call. */
static void name_reference(struct eo_case *c)
{
	const struct eo_site *site = c->site;
	const struct eo_cfg *cfg = site->f->cfg;
	const struct eo_node *call = cfg->items[site->atom].node;
	const struct eo_node *subject =
		site->call->subject && site->call->subject < call->n_kids ?
			call->kid[site->call->subject] :
			NULL;

	for (unsigned i = 0; subject && i < cfg->n; i++) {
		const struct eo_node *n = cfg->items[i].node;
		enum eo_trait trait;

		if (cfg->items[i].kind != EO_A_CALL || !same_arg(n, subject))
			continue;
		trait = eo_model_trait(site->model, n->name);
		if ((trait == EO_TRAIT_ACQUIRE &&
		     eo_dominates(site->dom, i, site->atom)) ||
		    (trait == EO_TRAIT_RELEASE &&
		     eo_dominates(site->postdom, i, site->atom)))
			eo_case_step(
				c, "reference", n,
				"this reference is for the sample: it goes under the condition too");
	}
}

static void argue(const struct eo_rule *rule, const struct use_case *u,
		  unsigned branch, unsigned unused, struct eo_findings *found,
		  struct eo_findings *rejected)
{
	const struct eo_node *cond = u->site->f->cfg->items[branch].node;
	EO_CLEANUP(eo_freep)
	bool *between = eo_cfg_reach_back(u->site->f->cfg, branch);
	struct eo_reason why;
	enum eo_answer same;
	struct eo_case c;
	const char *text;

	for (unsigned i = 0; i < u->site->f->cfg->n; i++)
		between[i] &= u->behind[i];
	eo_case_begin(&c, rule, u->site);
	same = eo_path_same_before(u->site, cond, between, eo_case_arena(&c),
				   &why);
	if (same == EO_YES)
		eo_case_oblige(&c, "known-before", EO_PROOF_PROVED,
			       "the condition means the same before the call");
	else
		eo_case_oblige(&c, "known-before",
			       same == EO_NO ? EO_PROOF_FAILED :
					       EO_PROOF_UNKNOWN,
			       "%s", eo_case_at_line(&c, &why));
	text = eo_node_text(u->site->u, cond, eo_case_arena(&c));
	c.f->guard = eo_arena_printf(eo_case_arena(&c), unused ? "%s" : "!(%s)",
				     text);
	eo_case_step(&c, "call", u->site->f->cfg->items[u->site->atom].node,
		     eo_arena_printf(eo_case_arena(&c), "%s() %s",
				     u->site->call->name, u->site->call->cost));
	name_reference(&c);
	eo_case_step(&c, "test", cond, "this decides whether it is used");
	c.f->message = eo_arena_printf(
		eo_case_arena(&c),
		"%s() is used only when %s, which is known before: move it under the condition",
		c.f->call, c.f->guard);
	eo_case_end(&c, false, found, rejected);
}

void eo_rule_rusage_unused_path(const struct eo_rule *rule,
				const struct eo_site *site,
				struct eo_findings *found,
				struct eo_findings *rejected)
{
	const struct eo_cfg *cfg = site->f->cfg;
	struct use_case u = { .site = site };
	struct eo_outs outs;
	unsigned unused;

	eo_sample_outs(site, &outs);
	if (site->call->kind != EO_CALL_SAMPLE || !outs.local)
		return;
	u.use = eo_sample_use_set(site, &outs);
	u.behind = eo_cfg_reach(cfg, site->atom, false, NULL, NULL);
	u.before_use = eo_cfg_reach(cfg, site->atom, false, is_use, u.use);
	for (unsigned i = 0; i < cfg->n; i++) {
		if (!decides(&u, i, &unused))
			continue;
		argue(rule, &u, i, unused, found, rejected);
		break;
	}
	eo_freep(&u.use);
	eo_freep(&u.behind);
	eo_freep(&u.before_use);
}
