// SPDX-License-Identifier: GPL-2.0-only
/*
 * idle-visit: what a modelled call does inside. A function that is called for
 * each CPU (or node) takes a lock before the cheap test that says nothing is
 * pending there; or does not leave when that test says so.
 */
#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "facts/ast.h"
#include "facts/cfg.h"
#include "facts/dom.h"
#include "facts/locks.h"
#include "facts/summary.h"
#include "model/model.h"
#include "rules/case.h"
#include "rules/idle.h"

void eo_rule_idle_visit(const struct eo_rule *rule,
			const struct eo_machinery *m, struct eo_findings *found,
			struct eo_findings *rejected);

static bool is_null(const struct eo_node *n)
{
	long long value;

	return eo_node_constant(n, &value) && !value;
}

/* What READ_ONCE(), a statement expression, gives. */
static const struct eo_node *peel(const struct eo_node *n)
{
	while (n && (n->kind == EO_N_STMTEXPR || n->kind == EO_N_COMPOUND))
		n = n->n_kids ? n->kid[n->n_kids - 1] : NULL;
	return n && n->kind == EO_N_DEREF && n->kid[0] &&
			       n->kid[0]->kind == EO_N_ADDR ?
		       n->kid[0]->kid[0] :
		       n;
}

const struct eo_node *eo_idle_field(const struct eo_node *cond, unsigned *unset)
{
	const struct eo_node *field = cond;

	*unset = 1;
	if (cond->kind == EO_N_BINARY && cond->name &&
	    (eo_streq(cond->name, "==") || eo_streq(cond->name, "!="))) {
		*unset = eo_streq(cond->name, "==") ? 0 : 1;
		field = is_null(cond->kid[1]) ? cond->kid[0] :
			is_null(cond->kid[0]) ? cond->kid[1] :
						NULL;
	}
	field = peel(field);
	return field && field->kind == EO_N_MEMBER && field->record ? field :
								      NULL;
}

const char *eo_idle_mark(const struct eo_model *model,
			 const struct eo_node *field)
{
	EO_CLEANUP(eo_freep)
	char *key = eo_asprintf("%s.%s", field->record, field->name);

	return eo_map_get(&model->idle, key);
}

static bool same_field(const struct eo_node *a, const struct eo_node *b)
{
	return eo_streq(a->name, b->name) && eo_streq(a->record, b->record);
}

struct side {
	unsigned branch, nth;
	const struct eo_loop *within;
};

static bool other_side(const struct eo_cfg *cfg, unsigned from, size_t nth,
		       void *data)
{
	const struct side *s = data;

	if (s->within && cfg->items[from].succ.items[nth] == s->within->head)
		return true; /* the next turn is another visit */
	return from == s->branch && nth != s->nth;
}

/* Whether that side of the test does something, what comes before left out. */
static bool works_behind(const struct eo_visit *v, unsigned branch,
			 unsigned nth)
{
	const struct eo_cfg *cfg = v->site.f->cfg;
	struct side turn = { EO_CFG_EXIT, 0, v->within };
	EO_CLEANUP(eo_freep)
	bool *path = eo_cfg_reach(cfg, cfg->items[branch].succ.items[nth], true,
				  other_side, &turn);
	EO_CLEANUP(eo_arena_release) struct eo_arena a = { 0 };
	struct eo_trace t;

	eo_path_trace(&v->site, path, &a, &t);
	return t.effect.text || t.unknown.text;
}

/* Whether this side of a test behind the lock has nothing left to do. */
static bool only_leaves(struct eo_visit *v, unsigned branch, unsigned nth)
{
	struct side side = { branch, nth, v->within };
	EO_CLEANUP(eo_freep)
	bool *path = eo_cfg_reach(v->site.f->cfg, v->site.atom, false,
				  other_side, &side);
	EO_CLEANUP(eo_arena_release) struct eo_arena a = { 0 };
	struct eo_trace t;

	eo_path_trace(&v->site, path, &a, &t);
	v->unlocks = t.leak.text; /* gives back what is held at the site */
	v->work = t.effect.text ? t.effect : t.unknown;
	v->early = v->work.text && !works_behind(v, branch, nth);
	v->work.text = NULL; /* dies with the arena; the line is enough */
	return !t.effect.text && !t.unknown.text;
}

bool eo_idle_in_visit(const struct eo_visit *v, unsigned i)
{
	const struct eo_dom *dom = v->site.dom;

	return dom->idom[i] != EO_DOM_NONE &&
	       (!v->within || (eo_dominates(dom, v->within->body, i) &&
			       !eo_dominates(dom, v->within->out, i)));
}

/* Takes the test at @branch when it is one of idleness. */
static bool take_test(struct eo_visit *v, unsigned branch, bool marked)
{
	const struct eo_node *cond = v->site.f->cfg->items[branch].node;
	unsigned unset;
	const struct eo_node *field = eo_idle_field(cond, &unset);

	if (!field)
		return false;
	v->branch = branch;
	v->field = field;
	v->mark = eo_idle_mark(v->m->model, field);
	v->idle = unset;
	v->leaves = only_leaves(v, branch, unset);
	if (marked)
		return v->mark;
	if (!v->leaves) {
		v->idle = !unset;
		v->leaves = only_leaves(v, branch, v->idle);
	}
	return v->leaves;
}

/* The first test behind the lock of a field that the model knows, or else of
 * one that leaves. */
static bool find_test(struct eo_visit *v)
{
	const struct eo_cfg *cfg = v->site.f->cfg;
	struct side turn = { EO_CFG_EXIT, 0, v->within };
	EO_CLEANUP(eo_freep)
	bool *behind =
		eo_cfg_reach(cfg, v->site.atom, false, other_side, &turn);

	for (int marked = 1; marked >= 0; marked--)
		for (unsigned i = 0; i < cfg->n; i++)
			if (cfg->items[i].kind == EO_A_BRANCH && behind[i] &&
			    eo_idle_in_visit(v, i) && take_test(v, i, marked))
				return true;
	return false;
}

/* The first call of the visit that returns with a lock held. */
static bool find_lock(struct eo_visit *v)
{
	const struct eo_cfg *cfg = v->site.f->cfg;

	for (unsigned i = 0; i < cfg->n; i++) {
		const struct eo_node *n = cfg->items[i].node;

		if (cfg->items[i].kind != EO_A_CALL || !n->name ||
		    !eo_idle_in_visit(v, i) ||
		    eo_lock_net_of(v->m->u, v->m->model, n->name).least <= 0)
			continue;
		v->site.atom = i;
		return true;
	}
	return false;
}

/* Whether a test says, one way or another, that it asks for the field. */
static bool asks_for(const struct eo_visit *v, const struct eo_node *cond)
{
	unsigned unset;
	const struct eo_node *field = eo_idle_field(cond, &unset);

	if (field)
		return same_field(field, v->field);
	return cond->kind == EO_N_CALL && cond->name &&
	       eo_map_has(&eo_summary_of(v->m->summaries, cond->name)->records,
			  v->field->record);
}

/*
 * Whether a test of the same field comes before atom @at, of the function
 * that @dom is of, and keeps some visits away from it. In a visit's turn, it
 * has to come in that turn, @within; NULL where the test is one for all.
 */
static bool asked_before(const struct eo_visit *v, const struct eo_cfg *cfg,
			 const struct eo_dom *dom, const struct eo_loop *within,
			 unsigned at)
{
	for (unsigned i = 0; i < cfg->n; i++) {
		if (cfg->items[i].kind != EO_A_BRANCH || i == at ||
		    !eo_dominates(dom, i, at) ||
		    (within && !eo_dominates(dom, within->body, i)) ||
		    !asks_for(v, cfg->items[i].node))
			continue;
		for (unsigned nth = 0; nth < 2; nth++) {
			struct side side = { i, nth, within };
			EO_CLEANUP(eo_freep)
			bool *reach =
				eo_cfg_reach(cfg, i, false, other_side, &side);

			if (!reach[at])
				return true;
		}
	}
	return false;
}

bool eo_idle_asked_in_turn(const struct eo_visit *v)
{
	return asked_before(v, v->site.f->cfg, v->site.dom, v->within,
			    v->site.atom);
}

/* "!s->queued", as it has to be when nothing is pending. */
static void set_guard(const struct eo_visit *v, struct eo_case *c)
{
	unsigned unset;

	eo_idle_field(v->site.f->cfg->items[v->branch].node, &unset);
	c->f->guard = eo_arena_printf(
		eo_case_arena(c), v->idle == unset ? "!%s" : "%s",
		eo_node_text(v->site.u, v->field, eo_case_arena(c)));
}

static void argue_unlocks(const struct eo_visit *v, struct eo_case *c)
{
	if (!v->unlocks)
		eo_case_oblige(
			c, "unlocks", EO_PROOF_FAILED,
			"where nothing is pending, the lock is kept for who comes next");
}

/* Where the test can stand: before all visits, or in each. */
static void argue_once(const struct eo_once *once, const struct eo_loop *loop,
		       const char *visits, struct eo_case *c)
{
	if (once->guard) {
		eo_case_oblige(
			c, "one-test", EO_PROOF_PROVED,
			"%s is one test for %s, and where it says that nothing is pending, all that is left is to return",
			once->guard, visits);
		eo_case_step(
			c, "loop", loop->node,
			"this is begun whether or not anything is pending");
		c->f->guard = once->guard;
	} else if (once->why) {
		eo_case_oblige(c, "each-visit", EO_PROOF_PROVED,
			       "the test belongs into the visit: %s",
			       once->why);
	}
}

static void argue_lock(struct eo_visit *v, struct eo_case *c)
{
	const char *test = eo_node_text(v->site.u, v->field, eo_case_arena(c));

	if (v->leaves)
		eo_case_oblige(
			c, "idle-path", EO_PROOF_PROVED,
			"where %s says that nothing is pending, all that is left is to unlock and return",
			test);
	else if (!v->early)
		eo_case_oblige(
			c, "idle-path", EO_PROOF_ASSUMED,
			"%s says that nothing is pending (%s), and line %u goes on working",
			test, v->mark, v->work.line);
	else
		eo_case_oblige(c, "idle-path", EO_PROOF_UNKNOWN,
			       "line %u works before %s is asked for",
			       v->work.line, test);
	if (v->mark)
		eo_case_oblige(
			c, "lockless", EO_PROOF_ASSUMED,
			"the model knows %s: %s; a test without this lock is right only while a lock of the callers keeps it from changing",
			test, v->mark);
	else
		eo_case_oblige(
			c, "lockless", EO_PROOF_UNKNOWN,
			"whether %s may be read without the lock is not known",
			test);
	argue_unlocks(v, c);
	set_guard(v, c);
}

/* Whether the field is at the lock already what the test finds. */
static enum eo_answer same_at_lock(const struct eo_visit *v, struct eo_case *c,
				   struct eo_reason *why)
{
	const struct eo_cfg *cfg = v->site.f->cfg;
	EO_CLEANUP(eo_freep)
	bool *set = eo_cfg_reach(cfg, v->site.atom, false, NULL, NULL);
	EO_CLEANUP(eo_freep) bool *back = eo_cfg_reach_back(cfg, v->branch);

	for (unsigned i = 0; i < cfg->n; i++)
		set[i] &= back[i] && (!v->within || eo_idle_in_visit(v, i));
	return eo_path_same_before(&v->site, v->field, set, eo_case_arena(c),
				   why);
}

/*
 * The work goes on although nothing is pending: then the test can come before
 * the work, with the lock held. That nothing is lost is what the model says
 * of the field that is tested.
 */
static void argue_work(struct eo_visit *v, struct eo_case *c)
{
	const struct eo_node *cond = v->site.f->cfg->items[v->branch].node;
	const char *test = eo_node_text(v->site.u, v->field, eo_case_arena(c));
	struct eo_reason why = { 0 };
	enum eo_answer same = same_at_lock(v, c, &why);

	eo_case_oblige(
		c, "idle-path", EO_PROOF_PROVED,
		"the model says what a visit is for, and that there is none of it where %s says so (%s); line %u goes on working",
		test, v->mark, v->work.line);
	if (same == EO_YES)
		eo_case_oblige(
			c, "locked", EO_PROOF_PROVED,
			"a test behind %s() sees what the one of line %u sees",
			c->f->call, cond->pos.line);
	else
		eo_case_oblige(c, "locked",
			       same == EO_NO ? EO_PROOF_FAILED :
					       EO_PROOF_UNKNOWN,
			       "%s", eo_case_at_line(c, &why));
	argue_unlocks(v, c);
	set_guard(v, c);
	/* Another finding than one about a lock before a test. */
	c->f->call_text = eo_arena_printf(eo_case_arena(c), "%s, %s",
					  c->f->call_text, c->f->guard);
}

static void report_lock(struct eo_visit *v, const char *visits,
			const struct eo_once *once, struct eo_findings *found,
			struct eo_findings *rejected)
{
	const struct eo_cfg *cfg = v->site.f->cfg;
	bool goes_on = !v->leaves && !v->early;
	struct eo_case c;

	eo_case_begin(&c, v->rule, &v->site);
	if (goes_on)
		argue_work(v, &c);
	else
		argue_lock(v, &c);
	if (once)
		argue_once(once, v->within, visits, &c);
	eo_case_step(&c, "lock", cfg->items[v->site.atom].node,
		     "this is taken first");
	eo_case_step(&c, "test", cfg->items[v->branch].node,
		     goes_on ? "this says so, and the work goes on" :
			       "this says that there is nothing to do");
	c.f->message = eo_arena_printf(
		eo_case_arena(&c),
		goes_on ?
			"%s() is taken for %s, and the work is done although the test of line %u says nothing is pending: leave when %s" :
			"%s() is taken for %s before the test of line %u that says nothing is pending: test %s first",
		c.f->call, visits, cfg->items[v->branch].node->pos.line,
		c.f->guard);
	eo_case_end(&c, goes_on, found, rejected);
}

/* The visit itself: a turn for each CPU, though it may have nothing to do. */
static void report_visit(struct eo_visit *v, struct eo_site *at,
			 const struct eo_loop *loop, const char *visits,
			 const struct eo_once *once, struct eo_findings *found,
			 struct eo_findings *rejected)
{
	struct eo_case c;

	eo_case_begin(&c, v->rule, at);
	argue_lock(v, &c);
	argue_once(once, loop, visits, &c);
	eo_case_step(&c, "visit", loop->node,
		     eo_arena_printf(eo_case_arena(&c), "this visits %s",
				     visits));
	eo_case_step(
		&c, "call", at->f->cfg->items[at->atom].node,
		eo_arena_printf(
			eo_case_arena(&c),
			"%s() takes a lock, then finds that nothing is pending",
			c.f->call));
	c.f->message = eo_arena_printf(
		eo_case_arena(&c),
		"%s() runs for %s and takes its lock there even when nothing is pending",
		c.f->call, visits);
	eo_case_end(&c, false, found, rejected);
}

/* The phrase of the visit that the loop is, by its macro's name. */
static const char *visit_of(const struct eo_machinery *m,
			    const struct eo_node *loop)
{
	EO_CLEANUP(eo_freep) char *macro = eo_unit_macro_at(m->u, &loop->pos);

	return macro ? eo_map_get(&m->model->visits, macro) : NULL;
}

/* What a lock is, as the call of a finding. */
#define TAKEN { .cost = "is taken", .lost = "nothing is lost" }

static struct eo_site site_in(const struct eo_machinery *m,
			      const struct eo_machine *f,
			      const struct eo_model_call *call)
{
	return (struct eo_site){ m->u,	     m->model,	  f->func,
				 &f->dom,    &f->postdom, m->summaries,
				 m->callers, call,	  0 };
}

/* A call in the body of a visit, to another function of the machinery. */
static void check_call(struct eo_visit *v, const struct eo_machine *caller,
		       unsigned atom, const struct eo_loop *loop,
		       const char *visits, struct eo_findings *found,
		       struct eo_findings *rejected)
{
	const char *name = caller->func->cfg->items[atom].node->name;
	const struct eo_machine *callee =
		name ? eo_map_get(&v->m->machines, name) : NULL;
	struct eo_model_call lock = TAKEN;
	struct eo_model_call inner = TAKEN;
	EO_CLEANUP(eo_arena_release) struct eo_arena a = { 0 };
	struct eo_once once = { 0 };
	struct eo_site at;

	if (!callee || callee == caller)
		return;
	v->site = site_in(v->m, callee, &lock);
	if (!find_lock(v))
		return;
	lock.name = callee->func->cfg->items[v->site.atom].node->name;
	inner.name = name;
	at = site_in(v->m, caller, &inner);
	at.atom = atom;
	if (!find_test(v))
		return;
	if (v->leaves)
		eo_idle_once(v, &at, loop, &a, &once);
	if (asked_before(v, callee->func->cfg, &callee->dom, NULL,
			 v->site.atom) ||
	    asked_before(v, caller->func->cfg, &caller->dom, loop, atom) ||
	    (once.guard &&
	     asked_before(v, caller->func->cfg, &caller->dom, NULL, atom)))
		return;
	report_lock(v, visits, NULL, found, rejected);
	report_visit(v, &at, loop, visits, &once, found, rejected);
}

/* The lock and the test in the turn itself. */
static void check_turn(struct eo_visit *v, const struct eo_machine *f,
		       const struct eo_loop *loop, const char *visits,
		       struct eo_findings *found, struct eo_findings *rejected)
{
	struct eo_model_call lock = TAKEN;
	EO_CLEANUP(eo_arena_release) struct eo_arena a = { 0 };
	struct eo_once once = { 0 };

	v->site = site_in(v->m, f, &lock);
	v->within = loop;
	if (!find_lock(v))
		return;
	lock.name = f->func->cfg->items[v->site.atom].node->name;
	if (!find_test(v)) {
		eo_idle_check_source(v, visits, found, rejected);
		return;
	}
	if (v->leaves)
		eo_idle_once(v, &v->site, loop, &a, &once);
	if (!eo_idle_asked_in_turn(v) &&
	    !(once.guard &&
	      asked_before(v, f->func->cfg, v->site.dom, NULL, v->site.atom)))
		report_lock(v, visits, &once, found, rejected);
}

static void check_loop(const struct eo_rule *rule, const struct eo_machinery *m,
		       const struct eo_machine *f, const struct eo_loop *loop,
		       struct eo_findings *found, struct eo_findings *rejected)
{
	const struct eo_cfg *cfg = f->func->cfg;
	const char *visits = visit_of(m, loop->node);
	struct eo_visit v = { .rule = rule, .m = m };

	if (!visits)
		return;
	for (unsigned i = 0; i < cfg->n; i++)
		if (cfg->items[i].kind == EO_A_CALL &&
		    eo_dominates(&f->dom, loop->body, i) &&
		    !eo_dominates(&f->dom, loop->out, i))
			check_call(&v, f, i, loop, visits, found, rejected);
	check_turn(&v, f, loop, visits, found, rejected);
}

void eo_rule_idle_visit(const struct eo_rule *rule,
			const struct eo_machinery *m, struct eo_findings *found,
			struct eo_findings *rejected)
{
	struct eo_map_entry *e;

	eo_map_for_each(e, &m->machines) {
		const struct eo_machine *f = e->value;

		for (size_t l = 0; l < f->func->cfg->loops.n; l++)
			check_loop(rule, m, f, &f->func->cfg->loops.items[l],
				   found, rejected);
	}
}
