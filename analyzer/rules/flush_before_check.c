// SPDX-License-Identifier: GPL-2.0-only
/*
 * flush-before-check: a deferrable call, then a test that does not depend on
 * it and leaves without using what it did. The test can come first.
 */
#include "base/err.h"
#include "base/str.h"
#include "facts/ast.h"
#include "facts/cfg.h"
#include "facts/dom.h"
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

struct dependence {
	const struct eo_site *site;
	enum eo_answer answer;
	const char *who;
};

static void visit_calls(const struct eo_node *n, void *data)
{
	struct dependence *d = data;
	enum eo_answer reads = EO_PERHAPS;

	if (n->kind != EO_N_CALL || d->answer == EO_YES)
		return;
	if (n->name)
		reads = eo_summary_reads(d->site->summaries,
					 eo_summary_of(d->site->summaries,
						       n->name),
					 &d->site->call->writes);
	if (reads != EO_NO) {
		d->answer = reads;
		d->who = n->name ? n->name : "an indirect call";
	}
}

static void check_independent(struct check *k, const struct eo_node *cond)
{
	const char *record = eo_path_depends(k->c.site, cond);
	struct dependence d = { k->c.site, EO_NO, NULL };

	eo_node_visit(cond, visit_calls, &d);
	if (record)
		eo_case_oblige(&k->c, "independent", EO_PROOF_FAILED,
			       "it reads struct %s, which the call writes",
			       record);
	else if (d.answer == EO_YES)
		eo_case_oblige(&k->c, "independent", EO_PROOF_FAILED,
			       "%s() reads what the call writes", d.who);
	else if (d.answer == EO_PERHAPS)
		eo_case_oblige(&k->c, "independent", EO_PROOF_UNKNOWN,
			       "%s() may read what the call writes", d.who);
	else
		eo_case_oblige(&k->c, "independent", EO_PROOF_PROVED,
			       "the test reads nothing that the call writes");
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

static void describe(struct check *k, const struct eo_node *cond)
{
	const struct eo_site *site = k->c.site;
	struct eo_arena *a = eo_case_arena(&k->c);
	const char *text = eo_node_text(site->u, cond, a);

	k->c.f->guard = eo_arena_printf(a, k->side == 0 ? "%s" : "!(%s)", text);
	k->c.f->message = eo_arena_printf(
		a,
		"%s() runs before the test of line %u, which leaves without using it and does not depend on it: test %s first",
		k->c.f->call, cond->pos.line, k->c.f->guard);
	eo_case_step(&k->c, "call", site->f->cfg->items[site->atom].node,
		     eo_arena_printf(a, "%s() %s", site->call->name,
				     site->call->cost));
	eo_case_step(&k->c, "test", cond, "this leaves without using it");
}

static void argue(const struct eo_rule *rule, const struct eo_site *site,
		  struct check *k, struct eo_findings *found,
		  struct eo_findings *rejected)
{
	const struct eo_node *cond = site->f->cfg->items[k->branch].node;
	enum eo_answer others;
	struct eo_trace trace;

	eo_case_begin(&k->c, rule, site);
	eo_path_trace(site, k->leaves, eo_case_arena(&k->c), &trace);
	others = other_side_reads(k);
	if (trace.reads == EO_YES || trace.effect.text || others == EO_NO) {
		eo_findings_release(&k->c.list);
		return; /* this side is no way out that ignores the call */
	}
	eo_case_deferrable(&k->c);
	eo_case_oblige(&k->c, "only-consumer",
		       trace.reads == EO_PERHAPS ? EO_PROOF_UNKNOWN :
		       others == EO_PERHAPS	 ? EO_PROOF_ASSUMED :
						   EO_PROOF_PROVED,
		       "%s",
		       trace.reads == EO_PERHAPS ?
			       eo_case_at_line(&k->c, &trace.reader) :
			       "nothing reads it where the test leaves");
	check_independent(k, cond);
	check_available(k, cond);
	eo_case_callers(&k->c);
	eo_case_early_path(&k->c, k->leaves, &trace, "where the test leaves");
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
