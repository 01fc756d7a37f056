// SPDX-License-Identifier: GPL-2.0-only
/* Expressions as atoms, in the order in which they are evaluated. */
#include <string.h>

#include "base/str.h"
#include "facts/cfg_build.h"

/* Evaluates what the place @n depends on, without reading the place. */
static void place(struct eo_cfg_builder *b, const struct eo_node *n)
{
	if (!n)
		return;
	switch (n->kind) {
	case EO_N_NAME:
		return;
	case EO_N_MEMBER:
		if (n->arrow)
			eo_cfg_expr(b, n->kid[0]);
		else
			place(b, n->kid[0]);
		return;
	case EO_N_DEREF:
		eo_cfg_expr(b, n->kid[0]);
		return;
	case EO_N_SUBSCRIPT:
		eo_cfg_expr(b, n->kid[0]);
		eo_cfg_expr(b, n->kid[1]);
		return;
	default:
		eo_cfg_expr(b, n);
	}
}

static void kids(struct eo_cfg_builder *b, const struct eo_node *n)
{
	for (size_t i = 0; i < n->n_kids; i++)
		eo_cfg_expr(b, n->kid[i]);
}

static void assign(struct eo_cfg_builder *b, const struct eo_node *n)
{
	unsigned store;

	eo_cfg_expr(b, n->kid[1]);
	place(b, n->kid[0]);
	if (n->compound)
		eo_cfg_then(b, EO_A_LOAD, n->kid[0]);
	store = eo_cfg_then(b, EO_A_STORE, n->kid[0]);
	if (!n->compound)
		b->cfg->items[store].value = n->kid[1];
}

static void incdec(struct eo_cfg_builder *b, const struct eo_node *n)
{
	place(b, n->kid[0]);
	eo_cfg_then(b, EO_A_LOAD, n->kid[0]);
	eo_cfg_then(b, EO_A_STORE, n->kid[0]);
}

/* The value of a && b, a || b, !a where no branch asks for it. */
static void truth(struct eo_cfg_builder *b, const struct eo_node *n)
{
	unsigned join = eo_cfg_atom(b, EO_A_JOIN, NULL);

	eo_cfg_cond(b, n, join, join);
	b->cur = join;
}

static void conditional(struct eo_cfg_builder *b, const struct eo_node *n)
{
	unsigned yes = eo_cfg_atom(b, EO_A_JOIN, NULL);
	unsigned no = eo_cfg_atom(b, EO_A_JOIN, NULL);
	unsigned join = eo_cfg_atom(b, EO_A_JOIN, NULL);

	eo_cfg_cond(b, n->kid[0], yes, no);
	b->cur = yes;
	eo_cfg_expr(b, n->kid[1]);
	eo_cfg_jump(b, join);
	b->cur = no;
	eo_cfg_expr(b, n->kid[2]);
	eo_cfg_jump(b, join);
	b->cur = join;
}

void eo_cfg_expr(struct eo_cfg_builder *b, const struct eo_node *n)
{
	if (!n)
		return;
	switch (n->kind) {
	case EO_N_NAME:
	case EO_N_MEMBER:
	case EO_N_DEREF:
	case EO_N_SUBSCRIPT:
		place(b, n);
		if (!n->aggregate || n->copies) /* a struct is copied */
			eo_cfg_then(b, EO_A_LOAD, n);
		return;
	case EO_N_ADDR:
		place(b, n->kid[0]);
		return;
	case EO_N_CALL:
		kids(b, n);
		eo_cfg_then(b, EO_A_CALL, n);
		if (n->noreturn)
			b->cur = EO_NOWHERE;
		return;
	case EO_N_ASSIGN:
		assign(b, n);
		return;
	case EO_N_INCDEC:
		incdec(b, n);
		return;
	case EO_N_AND:
	case EO_N_OR:
		truth(b, n);
		return;
	case EO_N_COND:
		conditional(b, n);
		return;
	case EO_N_STMTEXPR:
		eo_cfg_stmt(b, n->kid[0]);
		return;
	case EO_N_FUNCTION:
	case EO_N_LITERAL:
	case EO_N_UNEVALUATED:
		return;
	default: /* operators and lists: their operands, in order */
		kids(b, n);
	}
}

/* What a statement expression's value is, or NULL. */
static const struct eo_node *last_of(const struct eo_node *n)
{
	const struct eo_node *body = n->kid[0];

	return body && body->n_kids ? body->kid[body->n_kids - 1] : NULL;
}

static bool is_expect(const struct eo_node *n)
{
	return n->kind == EO_N_CALL && eo_streq(n->name, "__builtin_expect") &&
	       n->n_kids == 3;
}

static void decide(struct eo_cfg_builder *b, const struct eo_node *n,
		   unsigned yes, unsigned no)
{
	unsigned branch = eo_cfg_then(b, EO_A_BRANCH, n);

	eo_cfg_link(b, branch, yes);
	eo_cfg_link(b, branch, no);
	b->cur = EO_NOWHERE;
}

static void both(struct eo_cfg_builder *b, const struct eo_node *n,
		 unsigned yes, unsigned no)
{
	unsigned second = eo_cfg_atom(b, EO_A_JOIN, NULL);

	if (n->kind == EO_N_AND)
		eo_cfg_cond(b, n->kid[0], second, no);
	else
		eo_cfg_cond(b, n->kid[0], yes, second);
	b->cur = second;
	eo_cfg_cond(b, n->kid[1], yes, no);
}

/* Marks the ways to @to that the decisions from @first on have as unlikely. */
static void mark_unlikely(struct eo_cfg_builder *b, size_t first, unsigned to)
{
	for (size_t i = first; i < b->cfg->n; i++) {
		struct eo_atom *at = &b->cfg->items[i];

		for (size_t s = 0; at->kind == EO_A_BRANCH && s < at->succ.n;
		     s++)
			if (at->succ.items[s] == to)
				at->unlikely |= 1U << s;
	}
}

/* What __builtin_expect() does not expect of a decision on it. */
static void expect(struct eo_cfg_builder *b, const struct eo_node *n,
		   size_t first, unsigned yes, unsigned no)
{
	long long wanted;

	if (yes != no && eo_node_constant(n->kid[2], &wanted))
		mark_unlikely(b, first, wanted ? no : yes);
}

void eo_cfg_cond(struct eo_cfg_builder *b, const struct eo_node *n,
		 unsigned yes, unsigned no)
{
	const struct eo_node *value = n;
	size_t first = b->cfg->n;
	long long constant;

	if (n && n->kind == EO_N_STMTEXPR)
		value = last_of(n);
	if (value && eo_node_constant(value, &constant)) {
		if (value != n) /* what stands before the value */
			eo_cfg_expr(b, n);
		eo_cfg_jump(b, constant ? yes : no);
	} else if (!n) { /* for (;;) */
		eo_cfg_jump(b, yes);
	} else if (n->kind == EO_N_NOT) {
		eo_cfg_cond(b, n->kid[0], no, yes);
	} else if (n->kind == EO_N_AND || n->kind == EO_N_OR) {
		both(b, n, yes, no);
	} else if (is_expect(n)) { /* likely(), unlikely() */
		eo_cfg_cond(b, n->kid[1], yes, no);
		expect(b, n, first, yes, no);
	} else {
		eo_cfg_expr(b, n);
		decide(b, n, yes, no);
		if (value && is_expect(value)) /* as WARN_ON() ends */
			expect(b, value, first, yes, no);
	}
}
