// SPDX-License-Identifier: GPL-2.0-only
#include "tree/expr.h"

#include <ctype.h>
#include <string.h>

#include "base/map.h"
#include "base/mem.h"
#include "base/str.h"

/* No #if is like this, an attack may be: the stack must bear a tree's depth. */
#define MAX_PARENS 100
#define MAX_DEPTH 1000

static const struct eo_expr unknown = { .kind = EO_EXPR_UNKNOWN };
static const struct eo_expr yes = { .kind = EO_EXPR_TRUE };
static const struct eo_expr no = { .kind = EO_EXPR_FALSE };

static const struct eo_expr *node(struct eo_arena *a, enum eo_expr_kind kind,
				  const struct eo_expr *x,
				  const struct eo_expr *y)
{
	unsigned depth = 1 + (y && y->depth > x->depth ? y->depth : x->depth);
	struct eo_expr *e;

	if (depth > MAX_DEPTH)
		return &unknown;
	e = eo_arena_new(a, struct eo_expr);
	e->kind = kind;
	e->a = x;
	e->b = y;
	e->depth = depth;
	return e;
}

static const struct eo_expr *symbol(struct eo_arena *a, const char *s, size_t n)
{
	struct eo_expr *e = eo_arena_new(a, struct eo_expr);

	e->kind = EO_EXPR_SYMBOL;
	e->symbol = eo_arena_strndup(a, s, n);
	return e;
}

const struct eo_expr *eo_expr_not(struct eo_arena *a, const struct eo_expr *e)
{
	switch (e->kind) {
	case EO_EXPR_UNKNOWN:
		return e;
	case EO_EXPR_TRUE:
		return &no;
	case EO_EXPR_FALSE:
		return &yes;
	case EO_EXPR_NOT:
		return e->a;
	default:
		return node(a, EO_EXPR_NOT, e, NULL);
	}
}

const struct eo_expr *eo_expr_and(struct eo_arena *a, const struct eo_expr *x,
				  const struct eo_expr *y)
{
	if (x->kind == EO_EXPR_FALSE || y->kind == EO_EXPR_TRUE)
		return x;
	if (y->kind == EO_EXPR_FALSE || x->kind == EO_EXPR_TRUE)
		return y;
	return node(a, EO_EXPR_AND, x, y);
}

const struct eo_expr *eo_expr_or(struct eo_arena *a, const struct eo_expr *x,
				 const struct eo_expr *y)
{
	if (x->kind == EO_EXPR_TRUE || y->kind == EO_EXPR_FALSE)
		return x;
	if (y->kind == EO_EXPR_TRUE || x->kind == EO_EXPR_FALSE)
		return y;
	return node(a, EO_EXPR_OR, x, y);
}

static bool is_word(const char *s, size_t n, const char *word)
{
	return n == strlen(word) && memcmp(s, word, n) == 0;
}

static bool is_one_of(const char *s, size_t n, const char *const *words)
{
	for (; *words; words++)
		if (is_word(s, n, *words))
			return true;
	return false;
}

const struct eo_expr *eo_expr_macro(struct eo_arena *a, const char *name,
				    size_t n)
{
	static const char prefix[] = "CONFIG_", module[] = "_MODULE";
	size_t skip = sizeof(prefix) - 1, tail = sizeof(module) - 1;

	if (n <= skip || memcmp(name, prefix, skip))
		return &unknown;
	if (n > skip + tail && !memcmp(name + n - tail, module, tail))
		return &no;
	return symbol(a, name + skip, n - skip);
}

/* The text that is being parsed, and its current token. */
struct parser {
	struct eo_arena *arena;
	const char *p, *end;
	const char *tok;
	size_t len; /* 0 at the end */
	bool kconfig;
	unsigned depth;
};

static const char *skip_blank(const char *p, const char *end)
{
	while (p < end) {
		if (isspace((unsigned char)*p) || *p == '\\') {
			p++;
		} else if (end - p > 1 && p[0] == '/' && p[1] == '*') {
			p = memmem(p + 2, (size_t)(end - p - 2), "*/", 2);
			p = p ? p + 2 : end;
		} else if (end - p > 1 && p[0] == '/' && p[1] == '/') {
			return end;
		} else {
			break;
		}
	}
	return p;
}

/* "$(cc-option,-mfoo(1))" and "text" are one token of Kconfig each. */
static size_t kconfig_token(const char *p, const char *end)
{
	const char *s = p;
	int open = 0;

	if (*p == '"' || *p == '\'') {
		while (++s < end && *s != *p)
			;
		return (size_t)(s < end ? s + 1 - p : s - p);
	}
	if (p[0] != '$' || end - p < 2 || p[1] != '(')
		return 0;
	for (; s < end; s++) {
		if (*s == '(')
			open++;
		else if (*s == ')' && --open == 0)
			return (size_t)(s + 1 - p);
	}
	return (size_t)(s - p);
}

static void advance(struct parser *ps)
{
	static const char *const pairs[] = { "&&", "||", "==", "!=",
					     "<=", ">=", "<<", ">>" };
	const char *p = skip_blank(ps->p, ps->end);

	ps->tok = p;
	ps->len = p < ps->end;
	if (ps->len && ps->kconfig && kconfig_token(p, ps->end)) {
		ps->len = kconfig_token(p, ps->end);
	} else if (ps->len && eo_is_ident(*p)) {
		while (p + ps->len < ps->end && eo_is_ident(p[ps->len]))
			ps->len++;
	} else if (ps->end - p > 1) {
		for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++)
			if (memcmp(p, pairs[i], 2) == 0)
				ps->len = 2;
	}
	ps->p = p + ps->len;
}

static bool at(const struct parser *ps, const char *tok)
{
	return is_word(ps->tok, ps->len, tok);
}

static bool accept(struct parser *ps, const char *tok)
{
	if (!at(ps, tok))
		return false;
	advance(ps);
	return true;
}

static const struct eo_expr *parse_or(struct parser *ps);

/* Past the parenthesis that closes the one just before the current token. */
static void skip_parens(struct parser *ps)
{
	for (int open = 1; ps->len && open; advance(ps)) {
		if (at(ps, "("))
			open++;
		else if (at(ps, ")"))
			open--;
	}
}

/* "defined X", "defined(X)"; the current token is what follows the word. */
static const struct eo_expr *parse_defined(struct parser *ps)
{
	bool paren = accept(ps, "(");
	const struct eo_expr *e = eo_expr_macro(ps->arena, ps->tok, ps->len);

	advance(ps);
	if (paren)
		skip_parens(ps);
	return e;
}

static const struct eo_expr *parse_cpp_word(struct parser *ps)
{
	static const char *const enabled[] = { "IS_ENABLED", "IS_BUILTIN",
					       "IS_REACHABLE", NULL };
	const char *word = ps->tok;
	size_t n = ps->len;
	const struct eo_expr *e = &unknown;

	advance(ps);
	if (is_word(word, n, "defined"))
		return parse_defined(ps);
	if (isdigit((unsigned char)*word))
		return is_word(word, n, "0") ? &no : &yes;
	if (!accept(ps, "("))
		return e;
	if (is_one_of(word, n, enabled))
		e = eo_expr_macro(ps->arena, ps->tok, ps->len);
	else if (is_word(word, n, "IS_MODULE"))
		e = &no;
	skip_parens(ps);
	return e;
}

/* "A=y", "A!=n", "A=n"; @e is A. */
static const struct eo_expr *parse_kconfig_value(struct parser *ps,
						 const struct eo_expr *e)
{
	static const char *const on[] = { "y", "m", "\"y\"", "\"m\"", NULL };
	static const char *const off[] = { "n", "\"n\"", NULL };
	bool equal = at(ps, "=");
	const struct eo_expr *r = &unknown;

	if (!equal && !at(ps, "!="))
		return e;
	advance(ps);
	if (equal && is_one_of(ps->tok, ps->len, on))
		r = e;
	else if (is_one_of(ps->tok, ps->len, off))
		r = equal ? eo_expr_not(ps->arena, e) : e;
	advance(ps);
	return r;
}

static const struct eo_expr *parse_kconfig_word(struct parser *ps)
{
	const char *word = ps->tok;
	size_t n = ps->len;

	advance(ps);
	if (!eo_is_ident(*word))
		return &unknown;
	if (is_word(word, n, "y") || is_word(word, n, "m"))
		return &yes;
	if (is_word(word, n, "n"))
		return &no;
	return parse_kconfig_value(ps, symbol(ps->arena, word, n));
}

static const struct eo_expr *parse_primary(struct parser *ps)
{
	const struct eo_expr *e = &unknown;

	if (accept(ps, "!")) {
		if (++ps->depth < MAX_PARENS)
			e = eo_expr_not(ps->arena, parse_primary(ps));
		ps->depth--;
		return e;
	}
	if (accept(ps, "(")) {
		if (++ps->depth < MAX_PARENS)
			e = parse_or(ps);
		ps->depth--;
		if (!accept(ps, ")"))
			skip_parens(ps);
		return e;
	}
	if (ps->kconfig)
		return parse_kconfig_word(ps);
	if (ps->len && eo_is_ident(*ps->tok))
		return parse_cpp_word(ps);
	advance(ps);
	return e;
}

/* A comparison or arithmetic: whatever it has on its sides is not known. */
static const struct eo_expr *parse_operand(struct parser *ps)
{
	const struct eo_expr *e = parse_primary(ps);

	while (ps->len && !at(ps, "&&") && !at(ps, "||") && !at(ps, ")")) {
		advance(ps);
		if (ps->len && !at(ps, "&&") && !at(ps, "||") && !at(ps, ")"))
			parse_primary(ps);
		e = &unknown;
	}
	return e;
}

static const struct eo_expr *parse_and(struct parser *ps)
{
	const struct eo_expr *e = parse_operand(ps);

	while (accept(ps, "&&"))
		e = eo_expr_and(ps->arena, e, parse_operand(ps));
	return e;
}

static const struct eo_expr *parse_or(struct parser *ps)
{
	const struct eo_expr *e = parse_and(ps);

	while (accept(ps, "||"))
		e = eo_expr_or(ps->arena, e, parse_and(ps));
	return e;
}

static const struct eo_expr *parse(struct eo_arena *a, const char *text,
				   size_t n, bool kconfig)
{
	struct parser ps = {
		.arena = a, .p = text, .end = text + n, .kconfig = kconfig
	};
	const struct eo_expr *e;

	advance(&ps);
	e = parse_or(&ps);
	return ps.len ? &unknown : e; /* more text than an expression has */
}

const struct eo_expr *eo_expr_parse_cpp(struct eo_arena *a, const char *text,
					size_t n)
{
	return parse(a, text, n, false);
}

const struct eo_expr *eo_expr_parse_kconfig(struct eo_arena *a,
					    const char *text, size_t n)
{
	return parse(a, text, n, true);
}

void eo_expr_require(const struct eo_expr *e, bool truth, struct eo_map *on,
		     struct eo_map *off)
{
	struct eo_map *to = truth ? on : off;

	switch (e->kind) {
	case EO_EXPR_SYMBOL:
		if (to)
			eo_set_add(to, e->symbol);
		break;
	case EO_EXPR_NOT:
		eo_expr_require(e->a, !truth, on, off);
		break;
	case EO_EXPR_AND:
	case EO_EXPR_OR:
		/* one side alone decides the other two cases: not known */
		if (truth != (e->kind == EO_EXPR_AND))
			break;
		eo_expr_require(e->a, truth, on, off);
		eo_expr_require(e->b, truth, on, off);
		break;
	default:
		break;
	}
}
