// SPDX-License-Identifier: GPL-2.0-only
/*
 * idle-visit, where the test is in what hands out the work: a turn takes its
 * lock, then a loop asks a function for the next one that is pending, and
 * that function says at once that there is none.
 */
#include "base/err.h"
#include "base/str.h"
#include "facts/ast.h"
#include "facts/cfg.h"
#include "facts/dom.h"
#include "facts/live.h"
#include "rules/case.h"
#include "rules/idle.h"

/* The function that a loop asks, and its test of idleness. */
struct source {
	const struct eo_loop *loop;
	const struct eo_node *call; /* in the loop's condition */
	const struct eo_machine *f;
	const struct eo_var *null; /* its parameter that is NULL the first
				    * time it is asked, or NULL */
	unsigned branch, idle;
	const struct eo_node *field;
};

struct find_call {
	const struct eo_machinery *m;
	const struct eo_node *call;
};

static void visit_call(const struct eo_node *n, void *data)
{
	struct find_call *f = data;

	if (n->kind == EO_N_CALL && n->name && !f->call &&
	    eo_map_has(&f->m->machines, n->name))
		f->call = n;
}

/* The call of the loop's condition, when nothing is all that ends the loop. */
static const struct eo_node *asked_by(const struct eo_machinery *m,
				      const struct eo_loop *loop)
{
	const struct eo_node *cond = loop->node->kid[0];
	struct find_call f = { m, NULL };

	if (loop->node->kind != EO_N_WHILE || !cond)
		return NULL;
	if (cond->kind == EO_N_ASSIGN && !cond->compound)
		cond = cond->kid[1];
	if (cond && cond->kind == EO_N_CALL)
		visit_call(cond, &f);
	return f.call;
}

/* Whether @var is NULL or 0 when the loop is come to the first time. */
static bool starts_null(const struct eo_visit *v, const struct eo_loop *loop,
			const struct eo_var *var)
{
	const struct eo_cfg *cfg = v->site.f->cfg;
	bool null = false;

	for (unsigned i = 0; i < cfg->n; i++) {
		const struct eo_atom *at = &cfg->items[i];
		long long value;

		if (at->kind != EO_A_STORE || eo_place_var(at->node) != var ||
		    eo_dominates(v->site.dom, loop->head, i))
			continue;
		if (!at->value || !eo_node_constant(at->value, &value) ||
		    value || !eo_dominates(v->site.dom, i, loop->head) ||
		    !eo_idle_in_visit(v, i))
			return false;
		null = true;
	}
	return null;
}

/* The parameter of the function that gets such a variable. */
static const struct eo_var *null_param(const struct eo_visit *v,
				       const struct source *s)
{
	const struct eo_func *f = s->f->func;

	for (size_t i = 1; i < s->call->n_kids; i++) {
		const struct eo_node *arg = s->call->kid[i];

		if (!arg || arg->kind != EO_N_NAME ||
		    !eo_var_is_plain(arg->var) ||
		    !starts_null(v, s->loop, arg->var))
			continue;
		for (size_t k = 0; k < f->vars.n; k++)
			if (f->vars.items[k]->scope == EO_VAR_PARAM &&
			    f->vars.items[k]->index == i - 1)
				return f->vars.items[k];
	}
	return NULL;
}

/* Ways that are not taken when the test says so, the first time. */
static bool not_idle(const struct eo_cfg *cfg, unsigned from, size_t nth,
		     void *data)
{
	const struct source *s = data;
	const struct eo_node *n = cfg->items[from].node;

	if (from == s->branch)
		return nth != s->idle;
	return s->null && cfg->items[from].kind == EO_A_BRANCH &&
	       n->kind == EO_N_NAME && n->var == s->null && nth == 0;
}

static bool returns_nothing(const struct eo_cfg *cfg, const bool *path)
{
	for (unsigned i = 0; i < cfg->n; i++) {
		const struct eo_node *n = cfg->items[i].node;
		long long value;

		if (path[i] && cfg->items[i].kind == EO_A_RETURN &&
		    (!n->kid[0] || !eo_node_constant(n->kid[0], &value) ||
		     value))
			return false;
	}
	return path[EO_CFG_EXIT];
}

/*
 * Whether the function does nothing and returns nothing when the test at
 * @branch says that nothing is pending.
 */
static bool says_none(const struct eo_visit *v, struct source *s,
		      unsigned branch)
{
	const struct eo_cfg *cfg = s->f->func->cfg;
	struct eo_site site = v->site;
	EO_CLEANUP(eo_arena_release) struct eo_arena a = { 0 };
	EO_CLEANUP(eo_freep) bool *path = NULL;
	struct eo_trace t;

	if (cfg->items[branch].kind != EO_A_BRANCH)
		return false;
	s->field = eo_idle_field(cfg->items[branch].node, &s->idle);
	if (!s->field || !eo_idle_mark(v->m->model, s->field))
		return false;
	s->branch = branch;
	path = eo_cfg_reach(cfg, EO_CFG_ENTRY, true, not_idle, s);
	site.f = s->f->func;
	site.dom = &s->f->dom;
	site.postdom = &s->f->postdom;
	site.atom = EO_CFG_ENTRY;
	eo_path_trace(&site, path, &a, &t);
	return path[branch] && !t.effect.text && !t.unknown.text &&
	       returns_nothing(cfg, path);
}

/* A loop behind the lock, in its turn, that asks such a function. */
static bool find_source(struct eo_visit *v, struct source *s)
{
	const struct eo_cfg *cfg = v->site.f->cfg;

	for (size_t l = 0; l < cfg->loops.n; l++) {
		*s = (struct source){ .loop = &cfg->loops.items[l] };
		if (s->loop == v->within ||
		    !eo_idle_in_visit(v, s->loop->head) ||
		    !eo_dominates(v->site.dom, v->site.atom, s->loop->head))
			continue;
		s->call = asked_by(v->m, s->loop);
		if (!s->call)
			continue;
		s->f = eo_map_get(&v->m->machines, s->call->name);
		s->null = null_param(v, s);
		for (unsigned i = 0; i < s->f->func->cfg->n; i++)
			if (says_none(v, s, i))
				return true;
	}
	return false;
}

static bool at_loop(const struct eo_cfg *cfg, unsigned from, size_t nth,
		    void *data)
{
	const struct source *s = data;

	return cfg->items[from].succ.items[nth] == s->loop->head;
}

/* Between lock and loop nothing is done that there has to be a lock for. */
static bool comes_at_once(const struct eo_visit *v, struct source *s)
{
	const struct eo_cfg *cfg = v->site.f->cfg;
	EO_CLEANUP(eo_freep)
	bool *set = eo_cfg_reach(cfg, v->site.atom, false, at_loop, s);
	EO_CLEANUP(eo_arena_release) struct eo_arena a = { 0 };
	struct eo_trace t;

	eo_path_trace(&v->site, set, &a, &t);
	return !set[EO_CFG_EXIT] && !t.effect.text && !t.unknown.text;
}

void eo_idle_check_source(struct eo_visit *v, const char *visits,
			  struct eo_findings *found,
			  struct eo_findings *rejected)
{
	const struct eo_cfg *cfg = v->site.f->cfg;
	struct source s;
	const char *test;
	struct eo_case c;

	if (!find_source(v, &s) || !comes_at_once(v, &s))
		return;
	v->field = s.field;
	if (eo_idle_asked_in_turn(v))
		return;
	eo_case_begin(&c, v->rule, &v->site);
	test = eo_node_text(v->site.u, s.field, eo_case_arena(&c));
	eo_case_oblige(
		&c, "idle-path", EO_PROOF_PROVED,
		"where %s says that nothing is pending, %s() hands out nothing, and the loop of line %u has no turn",
		test, s.call->name, s.loop->node->pos.line);
	eo_case_oblige(
		&c, "lockless", EO_PROOF_ASSUMED,
		"the model knows %s: %s; a test without this lock is right only while a lock of the callers keeps it from changing",
		test, eo_idle_mark(v->m->model, s.field));
	eo_case_step(&c, "lock", cfg->items[v->site.atom].node,
		     "this is taken first");
	eo_case_step(
		&c, "call", s.call,
		eo_arena_printf(
			eo_case_arena(&c),
			"this is asked for what is pending, and its line %u says that there is none",
			s.f->func->cfg->items[s.branch].node->pos.line));
	c.f->message = eo_arena_printf(
		eo_case_arena(&c),
		"%s() is taken for %s before %s() finds that nothing is pending (the test of line %u): ask first",
		c.f->call, visits, s.call->name,
		s.f->func->cfg->items[s.branch].node->pos.line);
	eo_case_end(&c, false, found, rejected);
}
