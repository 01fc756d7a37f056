// SPDX-License-Identifier: GPL-2.0-only
/*
 * flush-before-check: a deferrable call, then a test that does not depend on
 * it and leaves without using what it did. The test can come first.
 */
#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "facts/ast.h"
#include "facts/cfg.h"
#include "facts/dom.h"
#include "facts/live.h"
#include "facts/summary.h"
#include "model/model.h"
#include "rules/case.h"

void eo_rule_flush_before_check(const struct eo_rule *rule,
				const struct eo_site *site,
				struct eo_findings *found,
				struct eo_findings *rejected);

/* A branch behind the call, and the side of it that leaves. */
struct check {
	struct eo_case c;
	unsigned branch, side;
	bool *leaves; /* atoms behind the call when that side is taken */
};

/* The edge that is not taken when the check says to leave. */
static bool stays(const struct eo_cfg *cfg, unsigned from, size_t nth,
		  void *data)
{
	const struct check *k = data;

	(void)cfg;
	return from == k->branch && nth != k->side;
}

struct results {
	const struct eo_node *call;
	bool found;
};

/* The call itself, or a variable that it is given to put a result in. */
static void visit_result(const struct eo_node *n, void *data)
{
	struct results *r = data;

	r->found |= n == r->call;
	for (size_t i = 1; n->kind == EO_N_NAME && i < r->call->n_kids; i++) {
		const struct eo_node *arg = r->call->kid[i];

		r->found |= arg && arg->kind == EO_N_ADDR &&
			    eo_place_var(arg->kid[0]) == n->var &&
			    n->var->scope == EO_VAR_LOCAL;
	}
}

/* Whether the test is about what the call says. */
static bool asks_for_result(const struct check *k, const struct eo_node *cond)
{
	const struct eo_site *site = k->c.site;
	struct results r = { site->f->cfg->items[site->atom].node, false };

	eo_node_visit(cond, visit_result, &r);
	return r.found;
}

static void check_independent(struct check *k, const struct eo_node *cond)
{
	struct eo_reason reader;
	enum eo_answer reads = eo_path_reads_below(
		k->c.site, cond, eo_case_arena(&k->c), &reader);

	if (asks_for_result(k, cond))
		eo_case_oblige(&k->c, "independent", EO_PROOF_FAILED,
			       "it is a test of what the call gives back");
	else if (reads == EO_NO)
		eo_case_oblige(&k->c, "independent", EO_PROOF_PROVED,
			       "the test reads nothing that the call writes");
	else
		eo_case_oblige(&k->c, "independent",
			       reads == EO_YES ? EO_PROOF_FAILED :
						 EO_PROOF_UNKNOWN,
			       "%s", eo_case_at_line(&k->c, &reader));
}

static void check_available(struct check *k, const struct eo_node *cond)
{
	EO_CLEANUP(eo_freep)
	bool *between = eo_cfg_reach_back(k->c.site->f->cfg, k->branch);
	struct eo_reason why;
	enum eo_answer same;

	for (unsigned i = 0; i < k->c.site->f->cfg->n; i++)
		between[i] &= k->leaves[i];
	same = eo_path_same_before(k->c.site, cond, between,
				   eo_case_arena(&k->c), &why);
	if (same == EO_NO)
		eo_case_oblige(&k->c, "available", EO_PROOF_FAILED, "%s",
			       eo_case_at_line(&k->c, &why));
	else if (same == EO_PERHAPS)
		eo_case_oblige(&k->c, "available", EO_PROOF_UNKNOWN, "%s",
			       eo_case_at_line(&k->c, &why));
	else
		eo_case_oblige(&k->c, "available", EO_PROOF_PROVED,
			       "the test means the same before the call");
}

/* Whether the other side uses what the call did: else it is not about it. */
static enum eo_answer other_side_reads(const struct check *k)
{
	const struct eo_site *site = k->c.site;
	unsigned other = site->f->cfg->items[k->branch].succ.items[!k->side];
	EO_CLEANUP(eo_freep)
	bool *reach = eo_cfg_reach(site->f->cfg, other, true, NULL, NULL);
	struct eo_trace trace;

	eo_path_trace(site, reach, eo_case_arena(&k->c), &trace);
	return trace.reads;
}

struct below {
	const struct eo_cfg *cfg;
	bool *set;
};

static void visit_below(const struct eo_node *n, void *data)
{
	struct below *b = data;

	for (unsigned i = 0; i < b->cfg->n; i++)
		if (b->cfg->items[i].node == n)
			b->set[i] = false;
}

/* Who reads it where the test leaves, the test itself left out. */
static void trace_leaving(const struct check *k, const struct eo_node *cond,
			  struct eo_trace *out)
{
	const struct eo_site *site = k->c.site;
	const struct eo_cfg *cfg = site->f->cfg;
	EO_CLEANUP(eo_freep) bool *set = eo_alloc(cfg->n * sizeof(*set));
	struct below b = { cfg, set };

	memcpy(set, k->leaves, cfg->n * sizeof(*set));
	set[site->atom] = false; /* in a loop, the call is behind itself */
	eo_node_visit(cond, visit_below, &b);
	eo_path_trace(site, set, eo_case_arena(&k->c), out);
}

static void describe(struct check *k, const struct eo_node *cond)
{
	const struct eo_site *site = k->c.site;
	struct eo_arena *a = eo_case_arena(&k->c);
	const char *text = eo_node_text(site->u, cond, a);
	struct eo_finding *f = k->c.f;

	if (eo_path_in_macro(site, cond))
		f->message = eo_arena_printf(
			a,
			"%s() runs before the test in %s at line %u, which leaves without using it and does not depend on it: test first",
			f->call, text, cond->pos.line);
	else {
		f->guard =
			eo_arena_printf(a, k->side == 0 ? "%s" : "!(%s)", text);
		f->message = eo_arena_printf(
			a,
			"%s() runs before the test of line %u, which leaves without using it and does not depend on it: test %s first",
			f->call, cond->pos.line, f->guard);
	}
	eo_case_call_step(&k->c);
	eo_case_step(&k->c, "test", cond,
		     k->side == 0 ? "when this is so, it is not used" :
				    "unless this is so, it is not used");
	eo_case_exit_steps(&k->c, k->leaves, "here it leaves without it");
}

static void oblige_all(struct check *k, const struct eo_node *cond,
		       const struct eo_trace *leaving, enum eo_answer others)
{
	struct eo_trace whole;

	eo_path_trace(k->c.site, k->leaves, eo_case_arena(&k->c), &whole);
	eo_case_deferrable(&k->c);
	if (leaving->reads == EO_PERHAPS)
		eo_case_oblige(&k->c, "only-consumer", EO_PROOF_UNKNOWN, "%s",
			       eo_case_at_line(&k->c, &leaving->reader));
	else
		eo_case_oblige(&k->c, "only-consumer",
			       others == EO_PERHAPS ? EO_PROOF_ASSUMED :
						      EO_PROOF_PROVED,
			       "nothing reads it where the test leaves");
	check_independent(k, cond);
	check_available(k, cond);
	eo_case_likely(&k->c, k->branch, k->side);
	eo_case_callers(&k->c);
	eo_case_early_path(&k->c, k->leaves, &whole, "where the test leaves");
}

static void argue(const struct eo_rule *rule, const struct eo_site *site,
		  struct check *k, struct eo_findings *found,
		  struct eo_findings *rejected)
{
	const struct eo_node *cond = site->f->cfg->items[k->branch].node;
	enum eo_answer others;
	struct eo_trace leaving;

	eo_case_begin(&k->c, rule, site);
	trace_leaving(k, cond, &leaving);
	others = other_side_reads(k);
	if (leaving.reads == EO_YES || leaving.effect.text || others == EO_NO ||
	    !k->leaves[EO_CFG_EXIT]) {
		eo_findings_release(&k->c.list);
		return; /* this side is no way out that ignores the call */
	}
	oblige_all(k, cond, &leaving, others);
	describe(k, cond);
	eo_case_end(&k->c, false, found, rejected);
}

/* A decision of the function's own, once, on every way behind the call. */
static bool is_candidate(const struct eo_site *site, const bool *behind,
			 unsigned i)
{
	const struct eo_cfg *cfg = site->f->cfg;
	EO_CLEANUP(eo_freep) bool *again = NULL;

	if (cfg->items[i].kind != EO_A_BRANCH || !behind[i] ||
	    !eo_dominates(site->postdom, i, site->atom))
		return false;
	again = eo_cfg_reach(cfg, i, false, NULL, NULL);
	return !again[i];
}

void eo_rule_flush_before_check(const struct eo_rule *rule,
				const struct eo_site *site,
				struct eo_findings *found,
				struct eo_findings *rejected)
{
	const struct eo_cfg *cfg = site->f->cfg;
	EO_CLEANUP(eo_freep)
	bool *behind = eo_cfg_reach(cfg, site->atom, false, NULL, NULL);
	size_t before = found->n; /* one such test is enough to say */

	if (site->call->kind != EO_CALL_DEFERRABLE)
		return;
	for (unsigned i = 0; i < cfg->n && found->n == before; i++) {
		if (!is_candidate(site, behind, i))
			continue;
		for (unsigned side = 0; side < 2 && found->n == before;
		     side++) {
			struct check k = { .branch = i, .side = side };

			k.leaves =
				eo_cfg_reach(cfg, site->atom, false, stays, &k);
			argue(rule, site, &k, found, rejected);
			eo_freep(&k.leaves);
		}
	}
}
