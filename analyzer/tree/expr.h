/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Conditions over CONFIG_ symbols, as #if lines and Kconfig files write them.
 * Parsed into one small tree, with what has no influence folded away: a
 * symbol is taken to be y or not set, never m, so that
 * "defined(CONFIG_X) || defined(CONFIG_X_MODULE)" is just X.
 */
#ifndef EO_TREE_EXPR_H
#define EO_TREE_EXPR_H

#include <stdbool.h>
#include <stddef.h>

struct eo_arena;
struct eo_map;

enum eo_expr_kind {
	EO_EXPR_UNKNOWN, /* a comparison, a macro, a symbol not of Kconfig */
	EO_EXPR_TRUE,
	EO_EXPR_FALSE,
	EO_EXPR_SYMBOL, /* without CONFIG_ */
	EO_EXPR_NOT, /* a */
	EO_EXPR_AND, /* a, b */
	EO_EXPR_OR, /* a, b */
};

struct eo_expr {
	enum eo_expr_kind kind;
	const char *symbol;
	const struct eo_expr *a, *b;
	unsigned depth; /* of the tree below; too deep a one is unknown */
};

/* What follows #if; and "depends on". The trees live in @a. Never NULL. */
const struct eo_expr *eo_expr_parse_cpp(struct eo_arena *a, const char *text,
					size_t n);
const struct eo_expr *eo_expr_parse_kconfig(struct eo_arena *a,
					    const char *text, size_t n);

/* "CONFIG_X" (or "CONFIG_X_MODULE"), not NUL-terminated; else unknown. */
const struct eo_expr *eo_expr_macro(struct eo_arena *a, const char *name,
				    size_t n);
const struct eo_expr *eo_expr_not(struct eo_arena *a, const struct eo_expr *e);
const struct eo_expr *eo_expr_and(struct eo_arena *a, const struct eo_expr *x,
				  const struct eo_expr *y);
const struct eo_expr *eo_expr_or(struct eo_arena *a, const struct eo_expr *x,
				 const struct eo_expr *y);

/*
 * Adds what @e needs, whatever else there is, to be @truth: symbols that must
 * be set to @on, others to @off. Either may be NULL.
 */
void eo_expr_require(const struct eo_expr *e, bool truth, struct eo_map *on,
		     struct eo_map *off);

#endif
