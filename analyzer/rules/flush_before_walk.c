// SPDX-License-Identifier: GPL-2.0-only
/*
 * flush-before-walk: a deferrable call whose product is read by nothing but a
 * walk over a collection. When the collection is empty, the call was for
 * nothing: the test for that can come first.
 */
#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "facts/ast.h"
#include "facts/cfg.h"
#include "facts/dom.h"
#include "facts/live.h"
#include "model/model.h"
#include "rules/case.h"

void eo_rule_flush_before_walk(const struct eo_rule *rule,
			       const struct eo_site *site,
			       struct eo_findings *found,
			       struct eo_findings *rejected);

/* One candidate: the site's call and the walks over one collection. */
struct pair {
	struct eo_case c;
	const struct eo_loop *loop; /* the first such walk */
	const struct eo_walk *walk;
	bool *same; /* a bit a loop: walks that then find nothing, too */
	bool *empty; /* atoms behind the call when the collection is empty */
};

/* The collection is empty: no edge into the body of a walk over it. */
static bool enters_body(const struct eo_cfg *cfg, unsigned from, size_t nth,
			void *data)
{
	const struct pair *p = data;
	unsigned to = cfg->items[from].succ.items[nth];

	for (size_t i = 0; i < cfg->loops.n; i++)
		if (p->same[i] && cfg->loops.items[i].body == to)
			return true;
	return false;
}

/* The atoms from the call to @loop, when the collection is empty. */
static bool *between(const struct pair *p, const struct eo_loop *loop)
{
	const struct eo_site *site = p->c.site;
	bool *set = eo_cfg_reach_back(site->f->cfg, loop->head);

	for (unsigned i = 0; i < site->f->cfg->n; i++)
		set[i] &= p->empty[i];
	return set;
}

/*
 * Whether what @loop walks is, before the call, what it will be then: the
 * same collection, with the same in it.
 */
static enum eo_answer same_before(const struct pair *p,
				  const struct eo_loop *loop,
				  struct eo_reason *why)
{
	EO_CLEANUP(eo_freep) bool *set = between(p, loop);
	struct eo_arena *a = eo_case_arena(&p->c);
	enum eo_answer same = eo_path_same_before(
		p->c.site, loop->node->walk->head_node, set, a, why);

	if (same != EO_YES)
		return same;
	return eo_path_may_fill(p->c.site, loop, set, a, why) == EO_NO ?
		       EO_YES :
		       EO_PERHAPS;
}

static bool *reach_when_empty(struct pair *p)
{
	return eo_cfg_reach(p->c.site->f->cfg, p->c.site->atom, false,
			    enters_body, p);
}

/* Sets p->empty; more than one walk may be over the collection. */
static void find_empty(struct pair *p)
{
	const struct eo_cfg *cfg = p->c.site->f->cfg;
	struct eo_reason why;

	p->same = eo_zalloc((cfg->loops.n + 1) * sizeof(*p->same));
	p->same[p->loop - cfg->loops.items] = true;
	p->empty = reach_when_empty(p);
	for (size_t i = 0; i < cfg->loops.n; i++) {
		const struct eo_loop *loop = &cfg->loops.items[i];
		const struct eo_walk *w = loop->node->walk;

		if (w && w->head_node && p->empty[loop->head] &&
		    strcmp(w->head, p->walk->head) == 0 &&
		    same_before(p, loop, &why) == EO_YES)
			p->same[i] = true;
	}
	eo_freep(&p->empty);
	p->empty = reach_when_empty(p);
}

static void check_only_consumer(struct pair *p, const struct eo_trace *trace)
{
	const struct eo_node *body = p->loop->node->kid[3];
	struct eo_reason reader;
	enum eo_answer walk_reads = eo_path_reads_below(
		p->c.site, body, eo_case_arena(&p->c), &reader);

	if (trace->reads == EO_YES)
		eo_case_oblige(&p->c, "only-consumer", EO_PROOF_FAILED, "%s",
			       eo_case_at_line(&p->c, &trace->reader));
	else if (trace->reads == EO_PERHAPS)
		eo_case_oblige(&p->c, "only-consumer", EO_PROOF_UNKNOWN, "%s",
			       eo_case_at_line(&p->c, &trace->reader));
	else if (!eo_path_is_statement(p->c.site))
		eo_case_oblige(&p->c, "only-consumer", EO_PROOF_UNKNOWN,
			       "the value of the call may be used");
	else if (walk_reads == EO_NO)
		eo_case_oblige(&p->c, "only-consumer", EO_PROOF_FAILED,
			       "the walk does not read what the call writes");
	else if (walk_reads == EO_PERHAPS)
		eo_case_oblige(&p->c, "only-consumer", EO_PROOF_ASSUMED, "%s",
			       eo_case_at_line(&p->c, &reader));
	else
		eo_case_oblige(
			&p->c, "only-consumer", EO_PROOF_PROVED,
			"in the walk, %s; nothing else after the call reads it",
			eo_case_at_line(&p->c, &reader));
}

static void check_independent(struct pair *p)
{
	const struct eo_node *head = p->walk->head_node;
	const char *record = eo_path_depends(p->c.site, head);
	struct eo_reason reader;
	enum eo_answer reads = eo_path_reads_below(
		p->c.site, head, eo_case_arena(&p->c), &reader);

	if (record)
		eo_case_oblige(&p->c, "independent", EO_PROOF_FAILED,
			       "%s is in struct %s, which the call writes",
			       p->walk->head, record);
	else if (reads != EO_NO)
		eo_case_oblige(&p->c, "independent",
			       reads == EO_YES ? EO_PROOF_FAILED :
						 EO_PROOF_UNKNOWN,
			       "%s", eo_case_at_line(&p->c, &reader));
	else if (!head)
		eo_case_oblige(&p->c, "independent", EO_PROOF_UNKNOWN,
			       "the collection comes out of another macro");
	else
		eo_case_oblige(&p->c, "independent", EO_PROOF_PROVED,
			       "%s is not among what the call writes",
			       p->walk->head);
}

/* The walk's operands at the call, and that the walk will use them anyway. */
static void check_available(struct pair *p)
{
	struct eo_reason why = { 0 };
	enum eo_answer same = same_before(p, p->loop, &why);

	if (!p->walk->head_node)
		eo_case_oblige(&p->c, "available", EO_PROOF_UNKNOWN,
			       "the collection comes out of another macro");
	else if (same == EO_NO)
		eo_case_oblige(&p->c, "available", EO_PROOF_FAILED, "%s",
			       eo_case_at_line(&p->c, &why));
	else if (same == EO_PERHAPS)
		eo_case_oblige(&p->c, "available", EO_PROOF_UNKNOWN, "%s",
			       eo_case_at_line(&p->c, &why));
	else if (!eo_dominates(p->c.site->postdom, p->loop->head,
			       p->c.site->atom))
		eo_case_oblige(&p->c, "available", EO_PROOF_UNKNOWN,
			       "the walk is not on every path behind the call");
	else
		eo_case_oblige(
			&p->c, "available", EO_PROOF_PROVED,
			"%s is the same before the call: nothing in between sets what it is made of, or what is in it",
			p->walk->head);
}

static void check_lockless(struct pair *p)
{
	const char *why =
		eo_map_get(&p->c.site->model->tests, p->walk->model->empty);

	if (why)
		eo_case_oblige(&p->c, "lockless", EO_PROOF_PROVED, "%s() %s",
			       p->walk->model->empty, why);
	else
		eo_case_oblige(&p->c, "lockless", EO_PROOF_UNKNOWN,
			       "%s() is not known to be safe without the lock",
			       p->walk->model->empty);
}

/* What a condition asks: of `empty = f(x); if (empty)`, that is f(x). */
static const struct eo_node *question(const struct eo_cfg *cfg,
				      const struct eo_node *n)
{
	const struct eo_node *value = NULL;

	if (n->kind != EO_N_NAME || !eo_var_is_plain(n->var))
		return n;
	for (unsigned i = 0; i < cfg->n; i++) {
		const struct eo_atom *at = &cfg->items[i];

		if (at->kind != EO_A_STORE || eo_place_var(at->node) != n->var)
			continue;
		if (value || !at->value)
			return n;
		value = at->value;
	}
	return value ? value : n;
}

static bool is_test_of(const struct eo_site *site, const struct eo_node *n,
		       const struct eo_walk *walk)
{
	n = question(site->f->cfg, n);
	if (n->kind != EO_N_CALL || n->n_kids != 2 || !n->name)
		return false;
	return (eo_map_has(&site->model->tests, n->name) ||
		strcmp(n->name, walk->model->empty) == 0) &&
	       eo_node_equal(n->kid[1], walk->head_node);
}

/*
 * Whether the test at @branch lets only what is not empty come to the call,
 * and asks about the collection that it is then.
 */
static bool guards(const struct pair *p, unsigned branch)
{
	const struct eo_site *site = p->c.site;
	const struct eo_cfg *cfg = site->f->cfg;
	EO_CLEANUP(eo_freep)
	bool *empty = eo_cfg_reach(cfg, cfg->items[branch].succ.items[0], true,
				   NULL, NULL);
	EO_CLEANUP(eo_freep)
	bool *on = eo_cfg_reach(cfg, branch, false, NULL, NULL);
	EO_CLEANUP(eo_freep) bool *back = eo_cfg_reach_back(cfg, site->atom);
	struct eo_reason why;

	if (empty[site->atom])
		return false;
	for (unsigned i = 0; i < cfg->n; i++)
		on[i] &= back[i];
	return eo_path_same_before(site, p->walk->head_node, on,
				   eo_case_arena(&p->c), &why) != EO_NO;
}

/* Whether the call is behind a test that says the collection has something. */
static bool guarded(const struct pair *p, unsigned *line)
{
	const struct eo_cfg *cfg = p->c.site->f->cfg;

	for (unsigned i = 0; i < cfg->n; i++) {
		const struct eo_atom *at = &cfg->items[i];

		if (at->kind != EO_A_BRANCH ||
		    !is_test_of(p->c.site, at->node, p->walk) ||
		    !eo_dominates(p->c.site->dom, i, p->c.site->atom) ||
		    !guards(p, i))
			continue;
		*line = at->node->pos.line;
		return true;
	}
	return false;
}

static void add_steps(struct pair *p)
{
	const struct eo_site *site = p->c.site;
	const struct eo_cfg *cfg = site->f->cfg;
	struct eo_arena *a = eo_case_arena(&p->c);

	eo_case_call_step(&p->c);
	for (unsigned i = 0; i < cfg->n; i++) {
		const struct eo_atom *at = &cfg->items[i];
		const struct eo_summary *sum;

		if (!p->empty[i] || at->kind != EO_A_CALL || !at->node->name)
			continue;
		sum = eo_summary_of(site->summaries, at->node->name);
		if (sum->acquires && !sum->releases)
			eo_case_step(
				&p->c, "lock", at->node,
				"this is taken for the walk, after the call");
	}
	eo_case_step(&p->c, "walk", p->loop->node,
		     eo_arena_printf(a, "%s() finds nothing when %s is empty",
				     p->walk->model->name, p->walk->head));
	eo_case_exit_steps(&p->c, p->empty, "the call's result was not used");
}

static void describe(struct pair *p)
{
	struct eo_arena *a = eo_case_arena(&p->c);
	struct eo_finding *f = p->c.f;

	f->guard = eo_arena_strdup(a, p->walk->empty);
	f->head = eo_arena_strdup(a, p->walk->head);
	f->walk = eo_arena_strdup(a, p->walk->model->name);
	f->walk_line = p->loop->node->pos.line;
	f->message = eo_arena_printf(
		a,
		"%s() runs before a walk over %s, which may be empty: test %s first",
		f->call, f->head, f->guard);
	add_steps(p);
}

static void check_pair(const struct eo_rule *rule, const struct eo_site *site,
		       const struct eo_loop *loop, struct eo_findings *found,
		       struct eo_findings *rejected)
{
	struct pair p = { .loop = loop, .walk = loop->node->walk };
	struct eo_trace trace;
	unsigned line;

	eo_case_begin(&p.c, rule, site);
	find_empty(&p);
	eo_path_trace(site, p.empty, eo_case_arena(&p.c), &trace);
	if (guarded(&p, &line))
		eo_case_oblige(&p.c, "not-guarded", EO_PROOF_FAILED,
			       "line %u tests %s before the call", line,
			       p.walk->empty);
	eo_case_deferrable(&p.c);
	check_only_consumer(&p, &trace);
	check_independent(&p);
	check_available(&p);
	check_lockless(&p);
	eo_case_callers(&p.c);
	eo_case_early_path(&p.c, p.empty, &trace, "with nothing to walk");
	describe(&p);
	eo_case_end(&p.c, p.c.f->result != NULL, found, rejected);
	eo_freep(&p.same);
	eo_freep(&p.empty);
}

/* Whether an earlier loop walks the same collection. */
static bool seen_before(const struct eo_cfg *cfg, size_t nth, const bool *reach)
{
	for (size_t i = 0; i < nth; i++) {
		const struct eo_walk *w = cfg->loops.items[i].node->walk;

		if (w && reach[cfg->loops.items[i].head] &&
		    strcmp(w->head, cfg->loops.items[nth].node->walk->head) ==
			    0)
			return true;
	}
	return false;
}

void eo_rule_flush_before_walk(const struct eo_rule *rule,
			       const struct eo_site *site,
			       struct eo_findings *found,
			       struct eo_findings *rejected)
{
	const struct eo_cfg *cfg = site->f->cfg;
	EO_CLEANUP(eo_freep)
	bool *reach = eo_cfg_reach(cfg, site->atom, false, NULL, NULL);

	if (site->call->kind != EO_CALL_DEFERRABLE)
		return;
	for (size_t i = 0; i < cfg->loops.n; i++) {
		const struct eo_loop *loop = &cfg->loops.items[i];

		if (loop->node->walk && reach[loop->head] &&
		    !seen_before(cfg, i, reach))
			check_pair(rule, site, loop, found, rejected);
	}
}
