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
	const struct eo_outs *outs;
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

/* The call's subject: what the reference is a reference to; or NULL. */
static const struct eo_node *subject_of(const struct eo_site *site)
{
	const struct eo_node *call = site->f->cfg->items[site->atom].node;

	return site->call->subject && site->call->subject < call->n_kids ?
		       call->kid[site->call->subject] :
		       NULL;
}

/* Whether it is looked at between atoms @from and @to, but for the sample. */
static bool used_between(const struct eo_site *site, unsigned from, unsigned to)
{
	const struct eo_cfg *cfg = site->f->cfg;
	const struct eo_node *subject = subject_of(site);
	EO_CLEANUP(eo_freep)
	bool *on = eo_cfg_reach(cfg, from, false, NULL, NULL);
	EO_CLEANUP(eo_freep) bool *back = eo_cfg_reach_back(cfg, to);

	for (unsigned i = 0; i < cfg->n; i++) {
		const struct eo_node *n = cfg->items[i].node;

		if (!on[i] || !back[i] || cfg->items[i].kind != EO_A_LOAD)
			continue;
		if (n != subject && n != cfg->items[to].node->kid[1] &&
		    eo_node_equal(n, subject))
			return true;
	}
	return false;
}

static unsigned find_reference(const struct eo_site *site, enum eo_trait trait,
			       const struct eo_dom *dom)
{
	const struct eo_cfg *cfg = site->f->cfg;

	for (unsigned i = 0; i < cfg->n; i++)
		if (cfg->items[i].kind == EO_A_CALL &&
		    cfg->items[i].node->name &&
		    same_arg(cfg->items[i].node, subject_of(site)) &&
		    eo_model_trait(site->model, cfg->items[i].node->name) ==
			    trait &&
		    eo_dominates(dom, i, site->atom))
			return i;
	return EO_CFG_EXIT;
}

/* A reference to what is sampled that is taken and given up around the call,
 * and for nothing else. */
static void name_reference(struct eo_case *c)
{
	const struct eo_site *site = c->site;
	const struct eo_cfg *cfg = site->f->cfg;
	unsigned take = find_reference(site, EO_TRAIT_ACQUIRE, site->dom);
	unsigned give = find_reference(site, EO_TRAIT_RELEASE, site->postdom);

	if (take == EO_CFG_EXIT || give == EO_CFG_EXIT ||
	    used_between(site, take, give))
		return;
	eo_case_step(
		c, "reference", cfg->items[take].node,
		"this reference is for the sample: it goes under the condition too");
	eo_case_step(c, "reference", cfg->items[give].node,
		     "and is given up here");
}

static void oblige(struct eo_case *c, const struct use_case *u, unsigned branch,
		   unsigned unused)
{
	const struct eo_cfg *cfg = u->site->f->cfg;
	EO_CLEANUP(eo_freep) bool *between = eo_cfg_reach_back(cfg, branch);
	struct eo_arena *a = eo_case_arena(c);
	struct eo_reason why = { 0 };
	enum eo_answer same;

	for (unsigned i = 0; i < cfg->n; i++)
		between[i] &= u->behind[i];
	same = eo_path_same_before(u->site, cfg->items[branch].node, between, a,
				   &why);
	if (same == EO_YES)
		eo_case_oblige(c, "known-before", EO_PROOF_PROVED,
			       "the condition means the same before the call");
	else
		eo_case_oblige(c, "known-before",
			       same == EO_NO ? EO_PROOF_FAILED :
					       EO_PROOF_UNKNOWN,
			       "%s", eo_case_at_line(c, &why));
	eo_case_likely(c, branch, unused);
	why = (struct eo_reason){ 0 };
	if (!eo_sample_private(u->site, u->outs, a, &why))
		eo_case_oblige(c, "private", EO_PROOF_UNKNOWN, "%s",
			       eo_case_at_line(c, &why));
}

static void describe(struct eo_case *c, const struct use_case *u,
		     unsigned branch, unsigned unused)
{
	const struct eo_cfg *cfg = u->site->f->cfg;
	const struct eo_node *cond = cfg->items[branch].node;
	struct eo_arena *a = eo_case_arena(c);
	const char *text = eo_node_text(u->site->u, cond, a);

	if (!eo_path_in_macro(u->site, cond))
		c->f->guard = eo_arena_printf(a, unused ? "%s" : "!(%s)", text);
	eo_case_call_step(c);
	name_reference(c);
	eo_case_step(c, "test", cond, "this decides whether it is used");
	for (unsigned i = 0; i < cfg->n; i++) {
		if (!u->use[i] || !u->behind[i] || !cfg->items[i].node)
			continue;
		eo_case_step(c, "use", cfg->items[i].node, "here it is used");
		break;
	}
	c->f->message = eo_arena_printf(
		a,
		"%s() is used only when %s, which is known before: move it under the condition",
		c->f->call,
		c->f->guard ? c->f->guard :
			      eo_arena_printf(a, "%s does not leave", text));
}

static void argue(const struct eo_rule *rule, const struct use_case *u,
		  unsigned branch, unsigned unused, struct eo_findings *found,
		  struct eo_findings *rejected)
{
	struct eo_case c;

	eo_case_begin(&c, rule, u->site);
	oblige(&c, u, branch, unused);
	describe(&c, u, branch, unused);
	eo_case_end(&c, true, found, rejected);
}

void eo_rule_rusage_unused_path(const struct eo_rule *rule,
				const struct eo_site *site,
				struct eo_findings *found,
				struct eo_findings *rejected)
{
	const struct eo_cfg *cfg = site->f->cfg;
	size_t before = found->n; /* one such condition is enough to say */
	struct eo_outs outs;
	struct use_case u = { .site = site, .outs = &outs };
	unsigned unused;

	eo_sample_outs(site, &outs);
	if (site->call->kind != EO_CALL_SAMPLE || !outs.local)
		return;
	u.use = eo_sample_use_set(site, &outs);
	u.behind = eo_cfg_reach(cfg, site->atom, false, NULL, NULL);
	u.before_use = eo_cfg_reach(cfg, site->atom, false, is_use, u.use);
	for (unsigned i = 0; i < cfg->n && found->n == before; i++)
		if (decides(&u, i, &unused))
			argue(rule, &u, i, unused, found, rejected);
	eo_freep(&u.use);
	eo_freep(&u.behind);
	eo_freep(&u.before_use);
}
