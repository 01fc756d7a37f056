// SPDX-License-Identifier: GPL-2.0-only
#include "facts/ast.h"

#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "facts/cfg.h"

void eo_func_free(struct eo_func *f)
{
	if (!f)
		return;
	eo_cfg_free(f->cfg);
	free(f->vars.items);
	eo_arena_release(&f->arena);
	free(f);
}

const char *eo_node_kind_name(enum eo_node_kind k)
{
	static const char *const names[] = {
#define X(name) #name,
		EO_NODE_KINDS(X)
#undef X
	};

	return names[k];
}

const char *eo_node_text(const struct eo_unit *u, const struct eo_node *n,
			 struct eo_arena *a)
{
	struct eo_pos from = n->spell, to = n->spell_end;
	char *squeezed, *copy;

	/* Out of a macro's body: show the use of the macro. */
	if (!from.in_main || !to.in_main || to.offset < from.offset) {
		from = n->pos;
		to = n->end;
	}
	if (!from.in_main || !to.in_main || to.offset < from.offset ||
	    to.offset > u->text.len)
		return "";
	squeezed = eo_squeeze(u->text.s + from.offset, to.offset - from.offset);
	copy = eo_arena_strdup(a, squeezed);
	free(squeezed);
	return copy;
}

static bool binary_constant(const char *op, long long a, long long b,
			    long long *value)
{
	static const char *const ops[] = { "==", "!=", "<", ">", "<=", ">=" };
	const bool results[] = { a == b, a != b, a<b, a> b, a <= b, a >= b };

	for (size_t i = 0; i < sizeof(ops) / sizeof(ops[0]); i++) {
		if (strcmp(op, ops[i]) == 0) {
			*value = results[i];
			return true;
		}
	}
	return false;
}

bool eo_node_constant(const struct eo_node *n, long long *value)
{
	long long a, b;
	bool ka, kb;

	if (!n)
		return false;
	switch (n->kind) {
	case EO_N_LITERAL:
		*value = n->value;
		return n->has_value;
	case EO_N_NOT:
		if (!eo_node_constant(n->kid[0], &a))
			return false;
		*value = !a;
		return true;
	case EO_N_AND:
	case EO_N_OR:
		ka = eo_node_constant(n->kid[0], &a);
		kb = eo_node_constant(n->kid[1], &b);
		if (ka && !!a == (n->kind == EO_N_OR)) {
			*value = n->kind == EO_N_OR;
			return true;
		}
		if (!ka || !kb)
			return false;
		*value = !!b;
		return true;
	case EO_N_BINARY:
		return eo_node_constant(n->kid[0], &a) &&
		       eo_node_constant(n->kid[1], &b) &&
		       binary_constant(n->name, a, b, value);
	default:
		return false;
	}
}

bool eo_node_equal(const struct eo_node *a, const struct eo_node *b)
{
	if (a == b || !a || !b)
		return a == b;
	/* Two strings, or two sizeof, look alike here and need not be. */
	if (a->kind == EO_N_UNEVALUATED ||
	    (a->kind == EO_N_LITERAL && !(a->has_value && b->has_value)))
		return false;
	if (a->kind != b->kind || a->var != b->var || a->value != b->value ||
	    a->arrow != b->arrow || a->n_kids != b->n_kids ||
	    !eo_streq(a->name, b->name) || !eo_streq(a->record, b->record))
		return false;
	for (size_t i = 0; i < a->n_kids; i++)
		if (!eo_node_equal(a->kid[i], b->kid[i]))
			return false;
	return true;
}

void eo_node_visit(const struct eo_node *n,
		   void (*fn)(const struct eo_node *n, void *data), void *data)
{
	if (!n)
		return;
	fn(n, data);
	for (size_t i = 0; i < n->n_kids; i++)
		eo_node_visit(n->kid[i], fn, data);
}
