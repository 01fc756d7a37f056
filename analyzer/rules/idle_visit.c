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

void eo_rule_idle_visit(const struct eo_rule *rule,
			const struct eo_machinery *m, struct eo_findings *found,
			struct eo_findings *rejected);

/* A function called in a visit, the lock it takes, the test behind that. */
struct visit {
	const struct eo_rule *rule;
	const struct eo_machinery *m;
	struct eo_site site; /* at the lock, in the visited function */
	unsigned branch, idle; /* the test, and its side with nothing to do */
	const char *mark; /* the model's phrase about the field, or NULL */
	bool leaves; /* the idle side does nothing but leave */
	struct eo_reason work; /* what it does, otherwise */
};

/* "record.field" of a test that is nothing but a field; its phrase. */
static const char *idle_mark(const struct eo_model *model,
			     const struct eo_node *cond)
{
	EO_CLEANUP(eo_freep) char *key = NULL;

	if (cond->kind != EO_N_MEMBER || !cond->record)
		return NULL;
	key = eo_asprintf("%s.%s", cond->record, cond->name);
	return eo_map_get(&model->idle, key);
}

struct side {
	unsigned branch, nth;
};

static bool other_side(const struct eo_cfg *cfg, unsigned from, size_t nth,
		       void *data)
{
	const struct side *s = data;

	(void)cfg;
	return from == s->branch && nth != s->nth;
}

/* Whether this side of a test behind the lock has nothing left to do. */
static bool only_leaves(struct visit *v, unsigned branch, unsigned nth)
{
	struct side side = { branch, nth };
	EO_CLEANUP(eo_freep)
	bool *path = eo_cfg_reach(v->site.f->cfg, v->site.atom, false,
				  other_side, &side);
	EO_CLEANUP(eo_arena_release) struct eo_arena a = { 0 };
	struct eo_trace t;

	eo_path_trace(&v->site, path, &a, &t);
	v->work = t.effect.text ? t.effect : t.unknown;
	v->work.text = NULL; /* dies with the arena; the line is enough */
	return !t.effect.text && !t.unknown.text;
}

/* The first test behind the lock that reads memory and means "idle". */
static bool find_test(struct visit *v)
{
	const struct eo_cfg *cfg = v->site.f->cfg;
	EO_CLEANUP(eo_freep)
	bool *behind = eo_cfg_reach(cfg, v->site.atom, false, NULL, NULL);

	for (unsigned i = 0; i < cfg->n; i++) {
		const struct eo_atom *at = &cfg->items[i];

		if (at->kind != EO_A_BRANCH || !behind[i] ||
		    at->node->kind != EO_N_MEMBER)
			continue;
		v->branch = i;
		v->mark = idle_mark(v->m->model, at->node);
		v->idle = 1; /* the field is NULL or 0 */
		v->leaves = only_leaves(v, i, v->idle);
		if (!v->leaves && !v->mark) {
			v->idle = 0;
			v->leaves = only_leaves(v, i, v->idle);
		}
		return v->leaves || v->mark;
	}
	return false;
}

/* The first call of the function that returns with a lock held. */
static bool find_lock(struct visit *v)
{
	const struct eo_cfg *cfg = v->site.f->cfg;

	for (unsigned i = 0; i < cfg->n; i++) {
		const struct eo_node *n = cfg->items[i].node;

		if (cfg->items[i].kind != EO_A_CALL || !n->name ||
		    v->site.dom->idom[i] == EO_DOM_NONE ||
		    eo_lock_net_of(v->m->u, v->m->model, n->name).least <= 0)
			continue;
		v->site.atom = i;
		return true;
	}
	return false;
}

static void argue_lock(struct visit *v, struct eo_case *c)
{
	const struct eo_node *cond = v->site.f->cfg->items[v->branch].node;
	const char *test = eo_node_text(v->site.u, cond, eo_case_arena(c));

	if (v->leaves)
		eo_case_oblige(
			c, "idle-path", EO_PROOF_PROVED,
			"where %s says that nothing is pending, all that is left is to unlock and return",
			test);
	else
		eo_case_oblige(
			c, "idle-path", EO_PROOF_ASSUMED,
			"%s says that nothing is pending (%s), and line %u goes on working",
			test, v->mark, v->work.line);
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
	c->f->guard =
		eo_arena_printf(eo_case_arena(c), v->idle ? "!%s" : "%s", test);
}

static void report_lock(struct visit *v, const char *visits,
			struct eo_findings *found, struct eo_findings *rejected)
{
	const struct eo_cfg *cfg = v->site.f->cfg;
	struct eo_case c;

	eo_case_begin(&c, v->rule, &v->site);
	argue_lock(v, &c);
	eo_case_step(&c, "lock", cfg->items[v->site.atom].node,
		     "this is taken first");
	eo_case_step(&c, "test", cfg->items[v->branch].node,
		     v->leaves ? "this says that there is nothing to do" :
				 "this says so, and the work goes on");
	c.f->message = eo_arena_printf(
		eo_case_arena(&c),
		v->leaves ?
			"%s() is taken for %s before the test of line %u that says nothing is pending: test %s first" :
			"%s() is taken for %s, and the work is done although the test of line %u says nothing is pending: leave when %s",
		c.f->call, visits, cfg->items[v->branch].node->pos.line,
		c.f->guard);
	eo_case_end(&c, false, found, rejected);
}

/* The visit itself: a turn for each CPU, though it may have nothing to do. */
static void report_visit(struct visit *v, struct eo_site *at,
			 const struct eo_loop *loop, const char *visits,
			 struct eo_findings *found,
			 struct eo_findings *rejected)
{
	struct eo_case c;

	eo_case_begin(&c, v->rule, at);
	argue_lock(v, &c);
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

static struct eo_site site_in(const struct eo_machinery *m,
			      const struct eo_machine *f,
			      const struct eo_model_call *call)
{
	return (struct eo_site){ m->u,	     m->model,	  f->func,
				 &f->dom,    &f->postdom, m->summaries,
				 m->callers, call,	  0 };
}

/* A call in the body of a visit, to another function of the machinery. */
static void check_call(const struct eo_rule *rule, const struct eo_machinery *m,
		       const struct eo_machine *caller, unsigned atom,
		       const struct eo_loop *loop, const char *visits,
		       struct eo_findings *found, struct eo_findings *rejected)
{
	const char *name = caller->func->cfg->items[atom].node->name;
	const struct eo_machine *callee =
		name ? eo_map_get(&m->machines, name) : NULL;
	struct eo_model_call lock = { .cost = "is taken",
				      .lost = "nothing is lost" };
	struct eo_model_call inner = { .name = name,
				       .cost = lock.cost,
				       .lost = lock.lost };
	struct visit v = { .rule = rule, .m = m };
	struct eo_site at;

	if (!callee || callee == caller)
		return;
	v.site = site_in(m, callee, &lock);
	if (!find_lock(&v))
		return;
	lock.name = callee->func->cfg->items[v.site.atom].node->name;
	if (!find_test(&v))
		return;
	report_lock(&v, visits, found, rejected);
	at = site_in(m, caller, &inner);
	at.atom = atom;
	report_visit(&v, &at, loop, visits, found, rejected);
}

static void check_machine(const struct eo_rule *rule,
			  const struct eo_machinery *m,
			  const struct eo_machine *f, struct eo_findings *found,
			  struct eo_findings *rejected)
{
	const struct eo_cfg *cfg = f->func->cfg;

	for (size_t l = 0; l < cfg->loops.n; l++) {
		const struct eo_loop *loop = &cfg->loops.items[l];
		const char *visits = visit_of(m, loop->node);

		for (unsigned i = 0; visits && i < cfg->n; i++)
			if (cfg->items[i].kind == EO_A_CALL &&
			    eo_dominates(&f->dom, loop->body, i) &&
			    !eo_dominates(&f->dom, loop->out, i))
				check_call(rule, m, f, i, loop, visits, found,
					   rejected);
	}
}

void eo_rule_idle_visit(const struct eo_rule *rule,
			const struct eo_machinery *m, struct eo_findings *found,
			struct eo_findings *rejected)
{
	struct eo_map_entry *e;

	eo_map_for_each(e, &m->machines)
		check_machine(rule, m, e->value, found, rejected);
}
