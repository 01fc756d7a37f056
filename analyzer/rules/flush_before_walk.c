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
#include "facts/callers.h"
#include "facts/cfg.h"
#include "facts/dom.h"
#include "finding/finding.h"
#include "model/model.h"
#include "rules/path.h"
#include "rules/rule.h"

void eo_rule_flush_before_walk(const struct eo_rule *rule,
			       const struct eo_site *site,
			       struct eo_findings *found,
			       struct eo_findings *rejected);

/* One candidate: the site's call and the walks over one collection. */
struct pair {
	const struct eo_site *site;
	const struct eo_loop *loop; /* the first such walk */
	const struct eo_walk *walk;
	bool *empty; /* atoms behind the call when the collection is empty */
	struct eo_findings *list;
	struct eo_finding *f;
};

static struct eo_arena *arena(const struct pair *p)
{
	return &p->list->arena;
}

static void oblige(const struct pair *p, const char *name, enum eo_proof state,
		   const char *detail)
{
	eo_finding_add_obligation(p->list, p->f, name, state, detail);
}

static const char *at_line(const struct pair *p, const struct eo_reason *r)
{
	return r->line ? eo_arena_printf(arena(p), "line %u: %s", r->line,
					 r->text) :
			 r->text;
}

/* The collection is empty: no edge into the body of a walk over it. */
static bool enters_body(const struct eo_cfg *cfg, unsigned from, size_t nth,
			void *data)
{
	const struct eo_walk *walk = data;
	unsigned to = cfg->items[from].succ.items[nth];

	for (size_t i = 0; i < cfg->loops.n; i++) {
		const struct eo_walk *w = cfg->loops.items[i].node->walk;

		if (w && cfg->loops.items[i].body == to &&
		    strcmp(w->head, walk->head) == 0)
			return true;
	}
	return false;
}

static void check_deferrable(const struct pair *p)
{
	const struct eo_model_call *c = p->site->call;

	if (c->holds)
		oblige(p, "deferrable", EO_PROOF_FAILED,
		       "it returns with a lock held that is released later");
	else if (c->also)
		oblige(p, "deferrable", EO_PROOF_UNKNOWN,
		       eo_arena_printf(arena(p), "%s() also writes %s",
				       c->name, c->also));
	else
		oblige(p, "deferrable", EO_PROOF_PROVED, c->lost);
}

static void check_only_consumer(const struct pair *p,
				const struct eo_trace *trace)
{
	const struct eo_node *body = p->loop->node->kid[3];
	struct eo_reason reader;
	enum eo_answer walk_reads = eo_path_reads_below(p->site, body,
							arena(p), &reader);

	if (trace->reads == EO_YES)
		oblige(p, "only-consumer", EO_PROOF_FAILED,
		       at_line(p, &trace->reader));
	else if (trace->reads == EO_PERHAPS)
		oblige(p, "only-consumer", EO_PROOF_UNKNOWN,
		       at_line(p, &trace->reader));
	else if (walk_reads == EO_NO)
		oblige(p, "only-consumer", EO_PROOF_FAILED,
		       "the walk does not read what the call writes");
	else if (walk_reads == EO_PERHAPS)
		oblige(p, "only-consumer", EO_PROOF_ASSUMED,
		       at_line(p, &reader));
	else
		oblige(p, "only-consumer", EO_PROOF_PROVED,
		       eo_arena_printf(arena(p),
				       "in the walk, %s; nothing else after the call reads it",
				       at_line(p, &reader)));
}

/* Who called us may read what we had flushed. */
static void check_callers(const struct pair *p)
{
	const struct eo_func *f = p->site->f;
	const struct eo_use *use = eo_callers_use(p->site->callers, f->name);
	bool all_hot = use && use->is_static && !use->callers.n && use->slots.n;

	for (size_t i = 0; use && i < use->slots.n; i++)
		all_hot &= eo_map_has(&p->site->model->hot,
				      use->slots.items[i]);
	if (all_hot)
		oblige(p, "callers", EO_PROOF_PROVED,
		       eo_arena_printf(arena(p),
				       "%s() is static and only called through .%s: nobody reads the result behind it",
				       f->name, use->slots.items[0]));
	else
		oblige(p, "callers", EO_PROOF_ASSUMED,
		       eo_arena_printf(arena(p),
				       "%s() has other callers, which might read the result behind it",
				       f->name));
}

static void check_independent(const struct pair *p)
{
	const struct eo_node *head = p->walk->head_node;
	const char *record = eo_path_depends(p->site, head);

	if (record)
		oblige(p, "independent", EO_PROOF_FAILED,
		       eo_arena_printf(arena(p),
				       "%s is in struct %s, which the call writes",
				       p->walk->head, record));
	else if (!head)
		oblige(p, "independent", EO_PROOF_UNKNOWN,
		       "the collection comes out of another macro");
	else
		oblige(p, "independent", EO_PROOF_PROVED,
		       eo_arena_printf(arena(p),
				       "%s is not among what the call writes",
				       p->walk->head));
}

/* The walk's operands at the call, and that the walk will use them anyway. */
static void check_available(const struct pair *p)
{
	EO_CLEANUP(eo_freep) bool *between =
		eo_cfg_reach_back(p->site->f->cfg, p->loop->head);
	struct eo_reason why;
	enum eo_answer same;

	for (unsigned i = 0; i < p->site->f->cfg->n; i++)
		between[i] &= p->empty[i];
	same = eo_path_same_before(p->site, p->walk->head_node, between,
				   arena(p), &why);
	if (!p->walk->head_node)
		oblige(p, "available", EO_PROOF_UNKNOWN,
		       "the collection comes out of another macro");
	else if (same == EO_NO)
		oblige(p, "available", EO_PROOF_FAILED, at_line(p, &why));
	else if (same == EO_PERHAPS)
		oblige(p, "available", EO_PROOF_UNKNOWN, at_line(p, &why));
	else if (!eo_dominates(p->site->postdom, p->loop->head, p->site->atom))
		oblige(p, "available", EO_PROOF_UNKNOWN,
		       "the walk is not on every path behind the call");
	else
		oblige(p, "available", EO_PROOF_PROVED,
		       eo_arena_printf(arena(p),
				       "%s means the same before the call: nothing in between sets what it is made of",
				       p->walk->head));
}

static void check_lockless(const struct pair *p)
{
	const char *why = eo_map_get(&p->site->model->tests,
				     p->walk->model->empty);

	if (why)
		oblige(p, "lockless", EO_PROOF_PROVED,
		       eo_arena_printf(arena(p), "%s() %s",
				       p->walk->model->empty, why));
	else
		oblige(p, "lockless", EO_PROOF_UNKNOWN,
		       eo_arena_printf(arena(p),
				       "%s() is not known to be safe without the lock",
				       p->walk->model->empty));
}

/* What an early return would skip besides the call. */
static void check_early_path(const struct pair *p,
			     const struct eo_trace *trace)
{
	struct eo_reason why = { 0 };
	const char *result = eo_path_result(p->site, p->empty, arena(p), &why);

	if (p->empty[p->site->atom])
		oblige(p, "early-path", EO_PROOF_FAILED,
		       "the call is in a loop that would go on");
	else if (trace->effect.text)
		oblige(p, "early-path", EO_PROOF_FAILED,
		       at_line(p, &trace->effect));
	else if (trace->leak.text)
		oblige(p, "early-path", EO_PROOF_FAILED,
		       at_line(p, &trace->leak));
	else if (trace->unknown.text)
		oblige(p, "early-path", EO_PROOF_UNKNOWN,
		       at_line(p, &trace->unknown));
	else if (!result)
		oblige(p, "early-path", EO_PROOF_FAILED, at_line(p, &why));
	else {
		oblige(p, "early-path", EO_PROOF_PROVED,
		       eo_arena_printf(arena(p),
				       "with nothing to walk, all that is left is to return%s%s",
				       *result ? " " : "", result));
		p->f->result = result;
	}
}

static bool is_test_of(const struct eo_site *site, const struct eo_node *n,
		       const struct eo_walk *walk)
{
	if (n->kind != EO_N_CALL || n->n_kids != 2 || !n->name)
		return false;
	return (eo_map_has(&site->model->tests, n->name) ||
		strcmp(n->name, walk->model->empty) == 0) &&
	       eo_node_equal(n->kid[1], walk->head_node);
}

/* Whether the call is behind a test that says the collection has something. */
static bool guarded(const struct pair *p, unsigned *line)
{
	const struct eo_cfg *cfg = p->site->f->cfg;

	for (unsigned i = 0; i < cfg->n; i++) {
		const struct eo_atom *at = &cfg->items[i];
		bool *reach, empty_reaches;

		if (at->kind != EO_A_BRANCH ||
		    !is_test_of(p->site, at->node, p->walk) ||
		    !eo_dominates(p->site->dom, i, p->site->atom))
			continue;
		reach = eo_cfg_reach(cfg, at->succ.items[0], true, NULL, NULL);
		empty_reaches = reach[p->site->atom];
		eo_freep(&reach);
		if (empty_reaches)
			continue;
		*line = at->node->pos.line;
		return true;
	}
	return false;
}

static void add_steps(const struct pair *p)
{
	const struct eo_node *call = p->site->f->cfg->items[p->site->atom].node;
	const struct eo_node *loop = p->loop->node;
	const struct eo_cfg *cfg = p->site->f->cfg;
	struct eo_arena *a = arena(p);

	eo_finding_add_step(p->list, p->f, "call", call->pos.line,
			    call->pos.column,
			    eo_arena_printf(a, "%s() %s", p->site->call->name,
					    p->site->call->cost));
	for (unsigned i = 0; i < cfg->n; i++) {
		const struct eo_atom *at = &cfg->items[i];
		const struct eo_summary *sum;

		if (!p->empty[i] || at->kind != EO_A_CALL || !at->node->name)
			continue;
		sum = eo_summary_of(p->site->summaries, at->node->name);
		if (sum->acquires && !sum->releases)
			eo_finding_add_step(
				p->list, p->f, "lock", at->node->pos.line,
				at->node->pos.column,
				"this is taken for the walk, after the call");
	}
	eo_finding_add_step(p->list, p->f, "walk", loop->pos.line,
			    loop->pos.column,
			    eo_arena_printf(a,
					    "%s() finds nothing when %s is empty",
					    p->walk->model->name,
					    p->walk->head));
	for (unsigned i = 0; i < cfg->n; i++)
		if (p->empty[i] && cfg->items[i].kind == EO_A_RETURN)
			eo_finding_add_step(p->list, p->f, "return",
					    cfg->items[i].node->pos.line,
					    cfg->items[i].node->pos.column,
					    "the call's result was not used");
}

static void describe(const struct pair *p)
{
	struct eo_arena *a = arena(p);
	struct eo_finding *f = p->f;

	f->guard = eo_arena_strdup(a, p->walk->empty);
	f->head = eo_arena_strdup(a, p->walk->head);
	f->walk = eo_arena_strdup(a, p->walk->model->name);
	f->walk_line = p->loop->node->pos.line;
	f->message = eo_arena_printf(
		a, "%s() runs before a walk over %s, which may be empty: test %s first",
		f->call, f->head, f->guard);
	add_steps(p);
}

static void check_pair(const struct eo_rule *rule, const struct eo_site *site,
		       const struct eo_loop *loop, struct eo_findings *found,
		       struct eo_findings *rejected)
{
	struct pair p = { .site = site, .loop = loop, .walk = loop->node->walk };
	struct eo_findings work = { 0 };
	struct eo_trace trace;
	unsigned line;

	p.list = &work;
	p.f = eo_rules_new_finding(rule, site, &work);
	p.empty = eo_cfg_reach(site->f->cfg, site->atom, false, enters_body,
			       (void *)p.walk);
	eo_path_trace(site, p.empty, arena(&p), &trace);
	if (guarded(&p, &line))
		oblige(&p, "not-guarded", EO_PROOF_FAILED,
		       eo_arena_printf(arena(&p),
				       "line %u tests %s before the call",
				       line, p.walk->empty));
	check_deferrable(&p);
	check_only_consumer(&p, &trace);
	check_independent(&p);
	check_available(&p);
	check_lockless(&p);
	check_callers(&p);
	check_early_path(&p, &trace);
	describe(&p);
	eo_rules_judge(p.f, p.f->result != NULL);
	eo_findings_copy(eo_rules_refuted(p.f) ? rejected : found, p.f);
	eo_freep(&p.empty);
	eo_findings_release(&work);
}

/* Whether an earlier loop walks the same collection. */
static bool seen_before(const struct eo_cfg *cfg, size_t nth, const bool *reach)
{
	for (size_t i = 0; i < nth; i++) {
		const struct eo_walk *w = cfg->loops.items[i].node->walk;

		if (w && reach[cfg->loops.items[i].head] &&
		    strcmp(w->head, cfg->loops.items[nth].node->walk->head) == 0)
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
	EO_CLEANUP(eo_freep) bool *reach =
		eo_cfg_reach(cfg, site->atom, false, NULL, NULL);

	if (site->call->kind != EO_CALL_DEFERRABLE)
		return;
	for (size_t i = 0; i < cfg->loops.n; i++) {
		const struct eo_loop *loop = &cfg->loops.items[i];

		if (loop->node->walk && reach[loop->head] &&
		    !seen_before(cfg, i, reach))
			check_pair(rule, site, loop, found, rejected);
	}
}
