// SPDX-License-Identifier: GPL-2.0-only
/* Whether a call can be left out by what stands before it. */
#include "facts/ast.h"
#include "facts/cfg.h"
#include "facts/live.h"
#include "rules/path.h"
#include "rules/rule.h"

/* Whether @call is below @n with nothing but statements in between. */
static bool is_statement(const struct eo_node *n, const struct eo_node *call)
{
	for (size_t i = 0; n && i < n->n_kids; i++)
		if (eo_node_is_statement_place(n, i) &&
		    (n->kid[i] == call || is_statement(n->kid[i], call)))
			return true;
	return false;
}

struct effects {
	const struct eo_site *site;
	const struct eo_node *first;
};

static void visit_effect(const struct eo_node *n, void *data)
{
	struct effects *e = data;
	struct eo_call_effect c;

	if (e->first)
		return;
	if (n->kind == EO_N_ASSIGN || n->kind == EO_N_INCDEC) {
		e->first = n;
	} else if (n->kind == EO_N_CALL) {
		eo_call_effect(e->site->summaries, n, &c);
		if (c.unknown || c.writes || c.outputs || c.acquires ||
		    c.releases || c.summary->calls_model)
			e->first = n;
	}
}

/* &x, of a variable of the function's own. */
static bool is_result(const struct eo_node *arg)
{
	const struct eo_var *v = arg && arg->kind == EO_N_ADDR ?
					 eo_place_var(arg->kid[0]) :
					 NULL;

	return v && (v->scope == EO_VAR_LOCAL || v->scope == EO_VAR_PARAM);
}

bool eo_path_is_statement(const struct eo_site *site)
{
	const struct eo_node *call = site->f->cfg->items[site->atom].node;

	for (size_t i = 1; i < call->n_kids; i++)
		if (is_result(call->kid[i]))
			return false;
	return is_statement(site->f->body, call);
}

bool eo_path_stands_alone(const struct eo_site *site, struct eo_arena *a,
			  struct eo_reason *why)
{
	const struct eo_node *call = site->f->cfg->items[site->atom].node;
	struct effects e = { site, NULL };

	if (!eo_path_is_statement(site)) {
		why->line = call->pos.line;
		why->text = "what the call gives back may be used";
		return false;
	}
	for (size_t i = 1; i < call->n_kids; i++)
		eo_node_visit(call->kid[i], visit_effect, &e);
	if (!e.first)
		return true;
	why->line = e.first->pos.line;
	why->text = eo_arena_printf(
		a, "%s, which the call is given, has an effect of its own",
		eo_node_text(site->u, e.first, a));
	return false;
}

struct inside {
	const struct eo_node *what;
	bool found;
};

static void visit_inside(const struct eo_node *n, void *data)
{
	struct inside *in = data;

	in->found |= n == in->what;
}

struct macro {
	const struct eo_node *cond;
	bool found;
};

/* A statement that begins where its own condition does. */
static void visit_statement(const struct eo_node *n, void *data)
{
	struct macro *m = data;
	struct inside in = { m->cond, false };
	size_t cond = n->kind == EO_N_DO || n->kind == EO_N_FOR ? 1 : 0;

	if (n->kind != EO_N_IF && n->kind != EO_N_WHILE && n->kind != EO_N_DO &&
	    n->kind != EO_N_FOR)
		return;
	if (n->pos.offset != m->cond->pos.offset)
		return;
	eo_node_visit(n->kid[cond], visit_inside, &in);
	m->found |= in.found;
}

bool eo_path_in_macro(const struct eo_site *site, const struct eo_node *cond)
{
	struct macro m = { cond, false };

	eo_node_visit(site->f->body, visit_statement, &m);
	return m.found;
}
