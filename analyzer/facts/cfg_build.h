/* SPDX-License-Identifier: GPL-2.0-only */
/* State of building one graph; shared by cfg_stmt.c and cfg_expr.c only. */
#ifndef EO_FACTS_CFG_BUILD_H
#define EO_FACTS_CFG_BUILD_H

#include <limits.h>

#include "facts/ast.h"
#include "facts/cfg.h"

#define EO_NOWHERE UINT_MAX /* code behind a jump */

/* A variable with a cleanup that is in scope; the one declared before it. */
struct eo_cfg_scope {
	struct eo_cfg_scope *up;
	const struct eo_var *var;
};

/* Where a break, continue or goto leads. */
struct eo_cfg_target {
	unsigned atom;
	struct eo_cfg_scope *scope;
};

struct eo_cfg_builder {
	struct eo_func *f;
	struct eo_cfg *cfg;
	unsigned cur; /* the atom that what comes next follows */
	struct eo_cfg_scope *scope;
	const struct eo_cfg_target *break_to, *continue_to;
	unsigned switch_atom; /* of the innermost switch, or EO_NOWHERE */
	bool has_default; /* it has one */
	struct {
		struct eo_cfg_label {
			const char *name;
			struct eo_cfg_target to;
		} *items;
		size_t n, cap;
	} labels, gotos; /* of gotos: the atom and scope they leave from */
};

/* A new atom that nothing leads to yet. */
unsigned eo_cfg_atom(struct eo_cfg_builder *b, enum eo_atom_kind kind,
		     const struct eo_node *node);
void eo_cfg_link(struct eo_cfg_builder *b, unsigned from, unsigned to);
/* A new atom behind cur, which it becomes. */
unsigned eo_cfg_then(struct eo_cfg_builder *b, enum eo_atom_kind kind,
		     const struct eo_node *node);
/* Ends the current path at @to. */
void eo_cfg_jump(struct eo_cfg_builder *b, unsigned to);

/* Evaluates an expression for its value (and its effects). */
void eo_cfg_expr(struct eo_cfg_builder *b, const struct eo_node *n);
/* Decides on it: control goes on at @yes or @no; cur is nowhere after. */
void eo_cfg_cond(struct eo_cfg_builder *b, const struct eo_node *n,
		 unsigned yes, unsigned no);
void eo_cfg_stmt(struct eo_cfg_builder *b, const struct eo_node *n);

#endif
