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
	struct eo_moved moved; /* what makes the test's variables behind the
				* call: it would go before it with the test */
	enum eo_answer same; /* whether test and those mean the same there */
	struct eo_reason differs; /* if not */
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
	for (size_t i = 0; i < k->moved.n; i++)
		eo_node_visit(k->moved.items[i]->value, visit_result, &r);
	return r.found;
}

/* Whether the test, or what makes its variables, reads what the call writes. */
static enum eo_answer test_reads(struct check *k, const struct eo_node *cond,
				 struct eo_reason *reader)
{
	struct eo_arena *a = eo_case_arena(&k->c);
	enum eo_answer reads = eo_path_reads_below(k->c.site, cond, a, reader);

	for (size_t i = 0; i < k->moved.n && reads != EO_YES; i++) {
		struct eo_reason more;
		enum eo_answer r = eo_path_reads_below(
			k->c.site, k->moved.items[i]->value, a, &more);

		if (r == EO_NO)
			continue;
		reads = r;
		*reader = more;
	}
	return reads;
}

static void check_independent(struct check *k, const struct eo_node *cond)
{
	struct eo_reason reader;
	enum eo_answer reads = test_reads(k, cond, &reader);

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

static void find_moved(struct check *k)
{
	EO_CLEANUP(eo_freep)
	bool *between = eo_cfg_reach_back(k->c.site->f->cfg, k->branch);

	for (unsigned i = 0; i < k->c.site->f->cfg->n; i++)
		between[i] &= k->leaves[i];
	k->same = eo_path_same_moved(k->c.site, k->branch, between,
				     eo_case_arena(&k->c), &k->moved,
				     &k->differs);
}

static void check_available(struct check *k)
{
	if (k->same == EO_NO)
		eo_case_oblige(&k->c, "available", EO_PROOF_FAILED, "%s",
			       eo_case_at_line(&k->c, &k->differs));
	else if (k->same == EO_PERHAPS)
		eo_case_oblige(&k->c, "available", EO_PROOF_UNKNOWN, "%s",
			       eo_case_at_line(&k->c, &k->differs));
	else if (k->moved.n)
		eo_case_oblige(
			&k->c, "available", EO_PROOF_PROVED,
			"line %u can stand before the call with the test: it has no effect, and what it looks at is the same there",
			k->moved.items[0]->value->pos.line);
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
	for (size_t i = 0; i < k->moved.n; i++)
		eo_node_visit(k->moved.items[i]->value, visit_below, &b);
	eo_path_trace(site, set, eo_case_arena(&k->c), out);
}

/* The test as it would stand before the call; without its side's "!". */
static const struct eo_node *moved_test(const struct check *k,
					const struct eo_node *cond)
{
	return k->moved.n == 1 && cond->kind == EO_N_NAME ?
		       k->moved.items[0]->value :
		       cond;
}

static const char *negated(const struct eo_node *n, const char *text,
			   struct eo_arena *a)
{
	bool primary = n->kind == EO_N_NAME || n->kind == EO_N_MEMBER ||
		       n->kind == EO_N_CALL || n->kind == EO_N_SUBSCRIPT;

	return eo_arena_printf(a, primary ? "!%s" : "!(%s)", text);
}

static void describe(struct check *k, const struct eo_node *cond)
{
	const struct eo_site *site = k->c.site;
	struct eo_arena *a = eo_case_arena(&k->c);
	const struct eo_node *test = moved_test(k, cond);
	const char *text = eo_node_text(site->u, test, a);
	struct eo_finding *f = k->c.f;

	if (eo_path_in_macro(site, cond))
		f->message = eo_arena_printf(
			a,
			"%s() runs before the test in %s at line %u, which leaves without using it and does not depend on it: test first",
			f->call, text, cond->pos.line);
	else {
		f->guard = k->side == 0 ? text : negated(test, text, a);
		f->message = eo_arena_printf(
			a,
			"%s() runs before the test of line %u, which leaves without using it and does not depend on it: test %s first",
			f->call, cond->pos.line, f->guard);
	}
	eo_case_call_step(&k->c);
	for (size_t i = 0; i < k->moved.n; i++)
		eo_case_step(
			&k->c, "value", k->moved.items[i]->value,
			"this is made for the test, and could be made before the call");
	eo_case_step(&k->c, "test", cond,
		     k->side == 0 ? "when this is so, it is not used" :
				    "unless this is so, it is not used");
	eo_case_exit_steps(&k->c, k->leaves, "here it leaves without it");
}

/*
 * Whether nothing but to leave is left to do where the test leaves, whichever
 * way that goes: then it does not matter what is read on the way.
 */
static bool is_quiet(struct check *k, const struct eo_trace *leaving)
{
	struct eo_reason why = { 0 };

	return !leaving->effect.text && !leaving->unknown.text &&
	       !leaving->leak.text && !leaving->cleanup_reads &&
	       !k->leaves[k->c.site->atom] &&
	       eo_path_result(k->c.site, k->leaves, eo_case_arena(&k->c), &why);
}

static void oblige_all(struct check *k, const struct eo_node *cond,
		       const struct eo_trace *whole,
		       const struct eo_trace *leaving, enum eo_answer others)
{
	eo_case_deferrable(&k->c);
	if (leaving->reads == EO_PERHAPS)
		eo_case_oblige(&k->c, "only-consumer", EO_PROOF_UNKNOWN, "%s",
			       eo_case_at_line(&k->c, &leaving->reader));
	else if (leaving->reads == EO_YES)
		eo_case_oblige(
			&k->c, "only-consumer", EO_PROOF_PROVED,
			"%s, which makes no difference where the test leaves",
			eo_case_at_line(&k->c, &leaving->reader));
	else
		eo_case_oblige(&k->c, "only-consumer",
			       others == EO_PERHAPS ? EO_PROOF_ASSUMED :
						      EO_PROOF_PROVED,
			       "nothing reads it where the test leaves");
	check_independent(k, cond);
	check_available(k);
	eo_case_likely(&k->c, k->branch, k->side);
	eo_case_callers(&k->c);
	eo_case_early_path(&k->c, k->leaves, whole, "where the test leaves");
}

/* Whether the branch is a way out that has nothing to do with the call. */
static bool is_way_out(struct check *k, const struct eo_trace *leaving,
		       enum eo_answer others)
{
	const struct eo_site *site = k->c.site;

	if (leaving->effect.text || !k->leaves[EO_CFG_EXIT])
		return false;
	if (others == EO_NO && leaving->reads != EO_YES)
		return false; /* it is not about the call at all */
	if (leaving->reads != EO_YES &&
	    eo_dominates(site->postdom, k->branch, site->atom))
		return true;
	return is_quiet(k, leaving);
}

static void argue(const struct eo_rule *rule, const struct eo_site *site,
		  struct check *k, struct eo_findings *found,
		  struct eo_findings *rejected)
{
	const struct eo_node *cond = site->f->cfg->items[k->branch].node;
	struct eo_trace leaving, whole;
	enum eo_answer others;

	eo_case_begin(&k->c, rule, site);
	find_moved(k);
	eo_path_trace(site, k->leaves, eo_case_arena(&k->c), &whole);
	trace_leaving(k, cond, &leaving);
	others = other_side_reads(k);
	if (!is_way_out(k, &leaving, others)) {
		eo_findings_release(&k->c.list);
		return;
	}
	oblige_all(k, cond, &whole, &leaving, others);
	describe(k, cond);
	eo_case_end(&k->c, true, found, rejected);
}

/* A decision that the function makes once, behind the call. */
static bool is_candidate(const struct eo_site *site, const bool *behind,
			 unsigned i)
{
	const struct eo_cfg *cfg = site->f->cfg;
	EO_CLEANUP(eo_freep) bool *again = NULL;

	if (cfg->items[i].kind != EO_A_BRANCH || !behind[i])
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
