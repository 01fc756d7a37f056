/* SPDX-License-Identifier: GPL-2.0-only */
/* State of building one function's tree; shared by build_*.c only. */
#ifndef EO_FACTS_BUILD_H
#define EO_FACTS_BUILD_H

#include "facts/ast.h"
#include "facts/for_slots.h"

struct eo_builder {
	const struct eo_unit *u;
	const struct eo_model *model;
	struct eo_func *f;
	struct {
		struct eo_builder_decl {
			CXCursor decl;
			struct eo_var *var;
		} *items;
		size_t n, cap;
	} decls;
	CXCursor fn;
	struct eo_for_slots slots; /* filled in when first needed */
	CXCursor *for_cursors;
	bool slots_known;
};

/* The children of a cursor that are code: no types, no attributes. */
struct eo_kids {
	CXCursor *items;
	size_t n, cap;
	bool has_member_ref; /* a designator, offsetof's too, was among them */
	bool has_type_ref; /* the name of a type was */
};

void eo_kids_of(CXCursor c, struct eo_kids *out);

struct eo_node *eo_build_new(struct eo_builder *b, enum eo_node_kind kind,
			     CXCursor c, size_t n_kids);
/* A statement or an expression; NULL for a cursor that is no code. */
struct eo_node *eo_build_stmt(struct eo_builder *b, CXCursor c);
struct eo_node *eo_build_expr(struct eo_builder *b, CXCursor c);
struct eo_var *eo_build_var(struct eo_builder *b, CXCursor decl);
/* Makes for node @n a walk when an iterator macro of the model made it. */
void eo_build_walk(struct eo_builder *b, struct eo_node *n);

#endif
