// SPDX-License-Identifier: GPL-2.0-only
/* Statements as edges between atoms. */
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "facts/cfg_build.h"

unsigned eo_cfg_atom(struct eo_cfg_builder *b, enum eo_atom_kind kind,
		     const struct eo_node *node)
{
	struct eo_atom *a = eo_vec_push(b->cfg);

	a->kind = kind;
	a->node = node;
	return (unsigned)(b->cfg->n - 1);
}

void eo_cfg_link(struct eo_cfg_builder *b, unsigned from, unsigned to)
{
	*eo_vec_push(&b->cfg->items[from].succ) = to;
	*eo_vec_push(&b->cfg->items[to].pred) = from;
}

unsigned eo_cfg_then(struct eo_cfg_builder *b, enum eo_atom_kind kind,
		     const struct eo_node *node)
{
	unsigned a = eo_cfg_atom(b, kind, node);

	eo_cfg_jump(b, a);
	b->cur = a;
	return a;
}

void eo_cfg_jump(struct eo_cfg_builder *b, unsigned to)
{
	if (b->cur != EO_NOWHERE)
		eo_cfg_link(b, b->cur, to);
	b->cur = EO_NOWHERE;
}

/* The innermost scope that @a lies in and @b too; NULL: the function's. */
static struct eo_cfg_scope *common(struct eo_cfg_scope *a,
				   struct eo_cfg_scope *b)
{
	for (; a; a = a->up)
		for (struct eo_cfg_scope *s = b; s; s = s->up)
			if (s == a)
				return a;
	return NULL;
}

/* Leaves all scopes from @from up to, not including, @to. */
static void cleanups(struct eo_cfg_builder *b, struct eo_cfg_scope *from,
		     const struct eo_cfg_scope *to)
{
	for (; from != to && b->cur != EO_NOWHERE; from = from->up) {
		unsigned a = eo_cfg_then(b, EO_A_CLEANUP, NULL);

		b->cfg->items[a].var = from->var;
	}
}

static void jump_to(struct eo_cfg_builder *b, const struct eo_cfg_target *to)
{
	if (!to) {
		b->f->unsupported = "break or continue outside of a loop";
		b->cur = EO_NOWHERE;
		return;
	}
	cleanups(b, b->scope, common(b->scope, to->scope));
	eo_cfg_jump(b, to->atom);
}

static void leave(struct eo_cfg_builder *b, struct eo_cfg_scope *outer)
{
	cleanups(b, b->scope, outer);
	b->scope = outer;
}

static void compound(struct eo_cfg_builder *b, const struct eo_node *n)
{
	struct eo_cfg_scope *outer = b->scope;

	for (size_t i = 0; i < n->n_kids; i++)
		eo_cfg_stmt(b, n->kid[i]);
	leave(b, outer);
}

static void declare(struct eo_cfg_builder *b, const struct eo_node *n)
{
	struct eo_cfg_scope *s;

	if (n->kid[0]) {
		unsigned store;

		eo_cfg_expr(b, n->kid[0]);
		store = eo_cfg_then(b, EO_A_STORE, n);
		b->cfg->items[store].value = n->kid[0];
		b->cfg->items[store].var = n->var;
	}
	if (!n->var->cleanup)
		return;
	s = eo_arena_new(&b->f->arena, struct eo_cfg_scope);
	s->up = b->scope;
	s->var = n->var;
	b->scope = s;
}

static void if_else(struct eo_cfg_builder *b, const struct eo_node *n)
{
	unsigned yes = eo_cfg_atom(b, EO_A_JOIN, NULL);
	unsigned no = eo_cfg_atom(b, EO_A_JOIN, NULL);
	unsigned join = eo_cfg_atom(b, EO_A_JOIN, NULL);

	eo_cfg_cond(b, n->kid[0], yes, no);
	b->cur = yes;
	eo_cfg_stmt(b, n->kid[1]);
	eo_cfg_jump(b, join);
	b->cur = no;
	eo_cfg_stmt(b, n->kid[2]);
	eo_cfg_jump(b, join);
	b->cur = join;
}

/* A loop's body with its own targets of break and continue. */
static void loop_body(struct eo_cfg_builder *b, const struct eo_node *body,
		      unsigned break_to, unsigned continue_to)
{
	const struct eo_cfg_target *old_break = b->break_to;
	const struct eo_cfg_target *old_continue = b->continue_to;
	struct eo_cfg_target to_break = { break_to, b->scope };
	struct eo_cfg_target to_continue = { continue_to, b->scope };

	b->break_to = &to_break;
	b->continue_to = &to_continue;
	eo_cfg_stmt(b, body);
	eo_cfg_jump(b, continue_to);
	b->break_to = old_break;
	b->continue_to = old_continue;
}

static void note_loop(struct eo_cfg_builder *b, const struct eo_node *n,
		      unsigned head, unsigned body, unsigned out)
{
	*eo_vec_push(&b->cfg->loops) = (struct eo_loop){ n, head, body, out };
}

static void for_loop(struct eo_cfg_builder *b, const struct eo_node *n)
{
	struct eo_cfg_scope *outer = b->scope;
	unsigned head = eo_cfg_atom(b, EO_A_JOIN, NULL);
	unsigned body = eo_cfg_atom(b, EO_A_JOIN, NULL);
	unsigned next = eo_cfg_atom(b, EO_A_JOIN, NULL);
	unsigned out = eo_cfg_atom(b, EO_A_JOIN, NULL);

	note_loop(b, n, head, body, out);
	eo_cfg_stmt(b, n->kid[0]);
	eo_cfg_jump(b, head);
	b->cur = head;
	eo_cfg_cond(b, n->kid[1], body, out);
	b->cur = body;
	loop_body(b, n->kid[3], out, next);
	b->cur = next;
	eo_cfg_expr(b, n->kid[2]);
	eo_cfg_jump(b, head);
	b->cur = out;
	leave(b, outer);
}

static void while_loop(struct eo_cfg_builder *b, const struct eo_node *n,
		       bool body_first)
{
	unsigned head = eo_cfg_atom(b, EO_A_JOIN, NULL);
	unsigned body = eo_cfg_atom(b, EO_A_JOIN, NULL);
	unsigned out = eo_cfg_atom(b, EO_A_JOIN, NULL);

	note_loop(b, n, head, body, out);
	eo_cfg_jump(b, body_first ? body : head);
	b->cur = head;
	eo_cfg_cond(b, n->kid[body_first ? 1 : 0], body, out);
	b->cur = body;
	loop_body(b, n->kid[body_first ? 0 : 1], out, head);
	b->cur = out;
}

static void switch_stmt(struct eo_cfg_builder *b, const struct eo_node *n)
{
	const struct eo_cfg_target *old_break = b->break_to;
	unsigned old_switch = b->switch_atom;
	bool old_default = b->has_default;
	struct eo_cfg_target out = { 0, b->scope };

	eo_cfg_expr(b, n->kid[0]);
	b->switch_atom = eo_cfg_then(b, EO_A_SWITCH, n);
	b->has_default = false;
	out.atom = eo_cfg_atom(b, EO_A_JOIN, NULL);
	b->break_to = &out;
	b->cur = EO_NOWHERE;
	eo_cfg_stmt(b, n->kid[1]);
	eo_cfg_jump(b, out.atom);
	if (!b->has_default)
		eo_cfg_link(b, b->switch_atom, out.atom);
	b->cur = out.atom;
	b->break_to = old_break;
	b->switch_atom = old_switch;
	b->has_default = old_default;
}

static void case_label(struct eo_cfg_builder *b, const struct eo_node *n)
{
	unsigned here = eo_cfg_atom(b, EO_A_JOIN, NULL);

	eo_cfg_jump(b, here); /* falls through from the one before */
	if (b->switch_atom != EO_NOWHERE)
		eo_cfg_link(b, b->switch_atom, here);
	if (n->kind == EO_N_DEFAULT)
		b->has_default = true;
	b->cur = here;
	eo_cfg_stmt(b, n->kid[0]);
}

static void label(struct eo_cfg_builder *b, const struct eo_node *n)
{
	struct eo_cfg_label *l = eo_vec_push(&b->labels);
	unsigned here = eo_cfg_atom(b, EO_A_JOIN, NULL);

	l->name = n->name;
	l->to = (struct eo_cfg_target){ here, b->scope };
	eo_cfg_jump(b, here);
	b->cur = here;
	eo_cfg_stmt(b, n->kid[0]);
}

static void go_to(struct eo_cfg_builder *b, const struct eo_node *n)
{
	struct eo_cfg_label *g;
	unsigned from;

	if (!n->name)
		b->f->unsupported = "computed goto";
	if (b->cur == EO_NOWHERE)
		return;
	from = eo_cfg_then(b, EO_A_JOIN, NULL);
	g = eo_vec_push(&b->gotos);
	g->name = n->name;
	g->to = (struct eo_cfg_target){ from, b->scope };
	b->cur = EO_NOWHERE;
}

static void resolve_gotos(struct eo_cfg_builder *b)
{
	struct eo_cfg_label *g, *l;

	eo_vec_for_each(g, &b->gotos) {
		bool found = false;

		eo_vec_for_each(l, &b->labels) {
			if (!eo_streq(l->name, g->name))
				continue;
			b->cur = g->to.atom;
			b->scope = g->to.scope;
			jump_to(b, &l->to);
			found = true;
			break;
		}
		if (!found) {
			eo_cfg_link(b, g->to.atom, EO_CFG_EXIT);
			if (g->name)
				b->f->unsupported =
					"a goto whose label is not there";
		}
	}
}

static void return_stmt(struct eo_cfg_builder *b, const struct eo_node *n)
{
	eo_cfg_expr(b, n->kid[0]);
	eo_cfg_then(b, EO_A_RETURN, n);
	cleanups(b, b->scope, NULL);
	eo_cfg_jump(b, EO_CFG_EXIT);
}

void eo_cfg_stmt(struct eo_cfg_builder *b, const struct eo_node *n)
{
	if (!n)
		return;
	switch (n->kind) {
	case EO_N_COMPOUND:
		return compound(b, n);
	case EO_N_DECL:
		for (size_t i = 0; i < n->n_kids; i++)
			eo_cfg_stmt(b, n->kid[i]);
		return;
	case EO_N_VAR:
		return declare(b, n);
	case EO_N_IF:
		return if_else(b, n);
	case EO_N_FOR:
		return for_loop(b, n);
	case EO_N_WHILE:
		return while_loop(b, n, false);
	case EO_N_DO:
		return while_loop(b, n, true);
	case EO_N_SWITCH:
		return switch_stmt(b, n);
	case EO_N_CASE:
	case EO_N_DEFAULT:
		return case_label(b, n);
	case EO_N_LABEL:
		return label(b, n);
	case EO_N_GOTO:
		return go_to(b, n);
	case EO_N_BREAK:
		return jump_to(b, b->break_to);
	case EO_N_CONTINUE:
		return jump_to(b, b->continue_to);
	case EO_N_RETURN:
		return return_stmt(b, n);
	case EO_N_ASM:
		for (size_t i = 0; i < n->n_kids; i++)
			eo_cfg_expr(b, n->kid[i]);
		eo_cfg_then(b, EO_A_ASM, n);
		return;
	case EO_N_EMPTY:
		return;
	default:
		eo_cfg_expr(b, n);
	}
}

void eo_cfg_build(struct eo_func *f)
{
	struct eo_cfg_builder b = { .f = f, .switch_atom = EO_NOWHERE };

	b.cfg = f->cfg = eo_zalloc(sizeof(*f->cfg));
	b.cur = eo_cfg_atom(&b, EO_A_ENTRY, NULL);
	eo_cfg_atom(&b, EO_A_EXIT, NULL);
	eo_cfg_stmt(&b, f->body);
	eo_cfg_jump(&b, EO_CFG_EXIT);
	resolve_gotos(&b);
	free(b.labels.items);
	free(b.gotos.items);
}
