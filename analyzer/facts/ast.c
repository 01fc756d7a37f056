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

/* Behind the parenthesis that closes the one at @p, or the end of the text. */
static const char *behind_paren(const char *p)
{
	int depth = 0;

	for (; *p; p++) {
		if (*p == '"' || *p == '\'') {
			char quote = *p;

			while (*++p && *p != quote)
				if (*p == '\\' && p[1])
					p++;
			if (!*p)
				break;
		}
		depth += (*p == '(') - (*p == ')');
		if (!depth)
			return p + 1;
	}
	return p;
}

/*
 * Where the node ends, as it was expanded. What ends in a macro's argument,
 * libclang says, ends where the macro's name begins.
 */
static unsigned end_of(const struct eo_unit *u, const struct eo_node *n)
{
	const char *text = eo_str_get(&u->text), *p = text + n->end.offset;

	if (!n->end.in_main || n->end.offset >= u->text.len ||
	    !eo_is_ident(*p) || (n->end.offset && eo_is_ident(p[-1])))
		return n->end.offset;
	while (eo_is_ident(*p))
		p++;
	p += strspn(p, " \t\n");
	return (unsigned)((*p == '(' ? behind_paren(p) : p) - text);
}

/*
 * Whether the node's characters stand where it was expanded to: it is no
 * macro's, or an argument of one. A macro of this very file has its body here
 * too, and a node may begin there and end in an argument.
 */
static bool is_spelt_here(const struct eo_unit *u, const struct eo_node *n)
{
	return n->spell.in_main && n->spell_end.in_main &&
	       n->spell.offset >= n->pos.offset &&
	       n->spell_end.offset <= end_of(u, n) &&
	       n->spell.offset <= n->spell_end.offset;
}

const char *eo_node_text(const struct eo_unit *u, const struct eo_node *n,
			 struct eo_arena *a)
{
	unsigned from = n->spell.offset, to = n->spell_end.offset;
	char *squeezed, *copy;

	/* Out of a macro's body: show the use of the macro. */
	if (!is_spelt_here(u, n)) {
		if (!n->pos.in_main || !n->end.in_main)
			return "";
		from = n->pos.offset;
		to = end_of(u, n);
	}
	if (to < from || to > u->text.len)
		return "";
	squeezed = eo_squeeze(u->text.s + from, to - from);
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

bool eo_node_is_statement_place(const struct eo_node *n, size_t i)
{
	switch (n->kind) {
	case EO_N_COMPOUND:
	case EO_N_CASE:
	case EO_N_DEFAULT:
	case EO_N_LABEL:
		return true;
	case EO_N_IF:
		return i > 0;
	case EO_N_FOR:
		return i == 3;
	case EO_N_WHILE:
	case EO_N_SWITCH:
		return i == 1;
	case EO_N_DO:
		return i == 0;
	default:
		return false;
	}
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
