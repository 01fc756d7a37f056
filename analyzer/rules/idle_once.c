// SPDX-License-Identifier: GPL-2.0-only
/*
 * idle-visit: whether the test is the same one in every visit. Then it can
 * stand before the loop, and a loop that finds nothing is not begun at all.
 */
#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "facts/ast.h"
#include "facts/cfg.h"
#include "facts/dom.h"
#include "facts/live.h"
#include "rules/idle.h"

struct once {
	const struct eo_visit *v;
	const struct eo_site *site; /* at the head of the loop */
	const struct eo_loop *loop;
	struct eo_arena *a;
	struct eo_once *out;
};

static bool because(struct once *o, unsigned line, const char *text)
{
	if (!o->out->why)
		o->out->why = line ? eo_arena_printf(o->a, "line %u: %s", line,
						     text) :
				     text;
	return false;
}

struct find_set {
	const struct eo_var *var;
	const struct eo_node *at;
};

static void visit_set(const struct eo_node *n, void *data)
{
	struct find_set *f = data;
	bool sets = (n->kind == EO_N_ASSIGN || n->kind == EO_N_INCDEC ||
		     n->kind == EO_N_ADDR) &&
		    eo_place_var(n->kid[0]) == f->var;

	if (!f->at && (sets || (n->kind == EO_N_VAR && n->var == f->var)))
		f->at = n;
}

/* Whether a variable of the test is what it is before the loop. */
static bool same_var(struct once *o, const struct eo_var *var)
{
	const struct eo_cfg *cfg = o->site->f->cfg;
	struct find_set set = { .var = var };

	eo_node_visit(o->loop->node, visit_set, &set);
	if (set.at)
		return because(o, set.at->pos.line,
			       eo_arena_printf(o->a,
					       "%s is another in each visit",
					       var->name));
	for (unsigned i = 0; var->scope == EO_VAR_LOCAL && i < cfg->n; i++)
		if (cfg->items[i].kind == EO_A_STORE &&
		    (eo_place_var(cfg->items[i].node) == var ||
		     cfg->items[i].var == var) &&
		    eo_dominates(o->site->dom, i, o->site->atom))
			return true;
	return var->scope != EO_VAR_LOCAL ||
	       because(o, 0,
		       eo_arena_printf(o->a, "%s has no value before the loop",
				       var->name));
}

/* A chain of members over one variable, all of which is the same. */
static const struct eo_node *root_of(struct once *o, const struct eo_node *n)
{
	while (n && (n->kind == EO_N_MEMBER || n->kind == EO_N_DEREF ||
		     n->kind == EO_N_ADDR))
		n = n->kid[0];
	if (n && n->kind == EO_N_NAME)
		return n;
	because(o, o->v->field->pos.line,
		"what the test looks at is computed in each visit");
	return NULL;
}

/* What the loop's function calls the parameter @var of the visited one. */
static const struct eo_node *given(struct once *o, const struct eo_node *call,
				   const struct eo_var *var)
{
	const struct eo_node *arg = NULL;

	if (var->scope == EO_VAR_PARAM && var->index + 1 < call->n_kids)
		arg = call->kid[var->index + 1];
	if (arg && arg->kind == EO_N_NAME && !var->addressed)
		return arg;
	because(o, o->v->field->pos.line,
		eo_arena_printf(o->a,
				"what the test looks at is found in %s() anew",
				o->v->site.f->name));
	return NULL;
}

/* The field, in the words of the function that has the loop. */
static const char *field_there(struct once *o, const struct eo_node *call)
{
	const char *text = eo_node_text(o->site->u, o->v->field, o->a);
	const struct eo_node *root = root_of(o, o->v->field), *arg;
	size_t n;

	if (!root)
		return NULL;
	if (!call || root->var->scope == EO_VAR_GLOBAL)
		return same_var(o, root->var) ? text : NULL;
	arg = given(o, call, root->var);
	n = strlen(root->var->name);
	if (!arg || !same_var(o, arg->var))
		return NULL;
	if (!eo_starts_with(text, root->var->name) || eo_is_ident(text[n])) {
		because(o, o->v->field->pos.line, "a macro makes the test");
		return NULL;
	}
	return eo_arena_printf(o->a, "%s%s", arg->var->name, text + n);
}

static bool not_idle(const struct eo_cfg *cfg, unsigned from, size_t nth,
		     void *data)
{
	const struct eo_visit *v = data;

	(void)cfg;
	return v && from == v->branch && nth != v->idle;
}

struct find_node {
	const struct eo_node *node;
	bool found;
};

static void visit_node(const struct eo_node *n, void *data)
{
	struct find_node *f = data;

	f->found |= n == f->node;
}

/* The macro that visits has no effect, whatever it is made of. */
static void leave_macro_out(const struct once *o, bool *set)
{
	const struct eo_node *loop = o->loop->node;
	size_t body = loop->kind == EO_N_FOR ? 3 : loop->n_kids - 1;

	for (unsigned i = 0; i < o->site->f->cfg->n; i++) {
		struct find_node f = { o->site->f->cfg->items[i].node, false };

		for (size_t k = 0; set[i] && f.node && k < body; k++)
			eo_node_visit(loop->kid[k], visit_node, &f);
		set[i] &= !f.found;
	}
}

/*
 * What the function does from the loop on when no visit has anything to do:
 * nothing, but to return the one value.
 */
static bool only_returns(struct once *o, unsigned call)
{
	struct eo_visit *here = call ? NULL : (struct eo_visit *)o->v;
	EO_CLEANUP(eo_freep)
	bool *set = eo_cfg_reach(o->site->f->cfg, o->loop->head, true, not_idle,
				 here);
	struct eo_reason why = { 0 }, leak;
	struct eo_trace t;

	eo_path_trace(o->site, set, o->a, &t);
	leak = t.leak; /* needs whole paths */
	if (call)
		set[call] = false; /* it only leaves, as is known */
	leave_macro_out(o, set);
	eo_path_trace(o->site, set, o->a, &t);
	why = t.effect.text ? t.effect : t.unknown.text ? t.unknown : leak;
	return (!why.text && eo_path_result(o->site, set, o->a, &why)) ||
	       because(o, why.line, why.text);
}

void eo_idle_once(const struct eo_visit *v, const struct eo_site *around,
		  const struct eo_loop *loop, struct eo_arena *a,
		  struct eo_once *out)
{
	const struct eo_cfg *cfg = around->f->cfg;
	bool here = around->f == v->site.f;
	struct eo_site head = *around;
	struct once o = { v, &head, loop, a, out };
	unsigned unset;
	const char *text;

	*out = (struct eo_once){ 0 };
	head.atom = loop->head;
	text = field_there(&o, here ? NULL : cfg->items[around->atom].node);
	if (!text || !only_returns(&o, here ? 0 : around->atom))
		return;
	eo_idle_field(v->site.f->cfg->items[v->branch].node, &unset);
	out->guard = eo_arena_printf(a, v->idle == unset ? "!%s" : "%s", text);
}
