// SPDX-License-Identifier: GPL-2.0-only
/* From libclang's statements to ours. */
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "facts/build.h"
#include "facts/cfg.h"
#include "facts/live.h"

static enum CXChildVisitResult collect_kid(CXCursor c, CXCursor parent,
					   CXClientData data)
{
	enum CXCursorKind kind = clang_getCursorKind(c);
	struct eo_kids *kids = data;

	(void)parent;
	if (kind == CXCursor_MemberRef)
		kids->has_member_ref = true;
	if (kind == CXCursor_TypeRef)
		kids->has_type_ref = true;
	if (clang_isExpression(kind) || clang_isStatement(kind) ||
	    kind == CXCursor_VarDecl)
		*eo_vec_push(kids) = c;
	return CXChildVisit_Continue;
}

void eo_kids_of(CXCursor c, struct eo_kids *out)
{
	*out = (struct eo_kids){ 0 };
	clang_visitChildren(c, collect_kid, out);
}

struct eo_node *eo_build_new(struct eo_builder *b, enum eo_node_kind kind,
			     CXCursor c, size_t n_kids)
{
	struct eo_node *n = eo_arena_new(&b->f->arena, struct eo_node);
	CXSourceRange range = clang_getCursorExtent(c);
	CXSourceLocation start = clang_getRangeStart(range);
	CXSourceLocation end = clang_getRangeEnd(range);

	n->kind = kind;
	n->pos = eo_unit_expansion(b->u, start);
	n->end = eo_unit_expansion(b->u, end);
	n->spell = eo_unit_spelling(b->u, start);
	n->spell_end = eo_unit_spelling(b->u, end);
	n->n_kids = n_kids;
	if (n_kids)
		n->kid = eo_arena_alloc(&b->f->arena, n_kids * sizeof(*n->kid));
	return n;
}

/* A node whose kids are the cursor's, all statements, in order. */
static struct eo_node *all_kids(struct eo_builder *b, enum eo_node_kind kind,
				CXCursor c, const struct eo_kids *kids)
{
	struct eo_node *n = eo_build_new(b, kind, c, kids->n);

	for (size_t i = 0; i < kids->n; i++)
		n->kid[i] = eo_build_stmt(b, kids->items[i]);
	return n;
}

/*
 * The kids at their fixed places; @n_kids may be less than what is asked for
 * (an if without else), or more (case ranges): @skip leaves out the first.
 */
static struct eo_node *fixed_kids(struct eo_builder *b, enum eo_node_kind kind,
				  CXCursor c, const struct eo_kids *kids,
				  size_t n_kids)
{
	struct eo_node *n = eo_build_new(b, kind, c, n_kids);

	for (size_t i = 0; i < n_kids && i < kids->n; i++)
		n->kid[i] = eo_build_stmt(b, kids->items[i]);
	return n;
}

/* Case and default: the values are constants, the statement comes last. */
static struct eo_node *last_kid(struct eo_builder *b, enum eo_node_kind kind,
				CXCursor c, const struct eo_kids *kids)
{
	struct eo_node *n = eo_build_new(b, kind, c, 1);

	if (kids->n)
		n->kid[0] = eo_build_stmt(b, kids->items[kids->n - 1]);
	return n;
}

/* Two cursors of one statement need not be equal: how one came to it counts. */
static bool same_place(CXCursor a, CXCursor b)
{
	return clang_equalLocations(
		clang_getRangeStart(clang_getCursorExtent(a)),
		clang_getRangeStart(clang_getCursorExtent(b)));
}

static struct eo_for_header header_of(struct eo_builder *b, CXCursor c,
				      const struct eo_pos *spell,
				      size_t n_header)
{
	struct eo_for_header h;

	if (n_header == 3)
		return (struct eo_for_header){ true, true, true };
	if (n_header == 0)
		return (struct eo_for_header){ false, false, false };
	if (spell->in_main &&
	    eo_for_slots_at(b->u->text.s + spell->offset, &h) &&
	    (size_t)h.init + h.cond + h.inc == n_header)
		return h;
	if (!b->slots_known)
		eo_for_slots_of(b->fn, &b->slots, &b->for_cursors);
	b->slots_known = true;
	for (size_t i = 0; i < b->slots.n; i++)
		if (same_place(b->for_cursors[i], c))
			return b->slots.items[i];
	b->f->unsupported = "a for statement whose parts cannot be told apart";
	return (struct eo_for_header){ false, n_header > 0, n_header > 1 };
}

static struct eo_node *build_for(struct eo_builder *b, CXCursor c,
				 const struct eo_kids *kids)
{
	struct eo_node *n = eo_build_new(b, EO_N_FOR, c, 4);
	struct eo_for_header h =
		header_of(b, c, &n->spell, kids->n ? kids->n - 1 : 0);
	size_t next = 0;

	if (h.init && next < kids->n)
		n->kid[0] = eo_build_stmt(b, kids->items[next++]);
	if (h.cond && next < kids->n)
		n->kid[1] = eo_build_expr(b, kids->items[next++]);
	if (h.inc && next < kids->n)
		n->kid[2] = eo_build_expr(b, kids->items[next++]);
	if (next + 1 == kids->n)
		n->kid[3] = eo_build_stmt(b, kids->items[next]);
	else
		b->f->unsupported = "a for statement with unexpected parts";
	eo_build_walk(b, n);
	return n;
}

static const char *label_name(struct eo_builder *b, CXCursor c)
{
	return eo_unit_string(&b->f->arena, clang_getCursorSpelling(c));
}

static enum CXChildVisitResult first_label(CXCursor c, CXCursor parent,
					   CXClientData data)
{
	(void)parent;
	if (clang_getCursorKind(c) != CXCursor_LabelRef)
		return CXChildVisit_Continue;
	*(CXCursor *)data = c;
	return CXChildVisit_Break;
}

static struct eo_node *build_goto(struct eo_builder *b, CXCursor c)
{
	struct eo_node *n = eo_build_new(b, EO_N_GOTO, c, 0);
	CXCursor label = clang_getNullCursor();

	clang_visitChildren(c, first_label, &label);
	if (!clang_Cursor_isNull(label))
		n->name = label_name(b, label);
	return n;
}

/* libclang does not show where an asm statement may jump to: only the
 * printed function has it. */
static bool has_asm_goto(CXCursor fn)
{
	CXPrintingPolicy policy = clang_getCursorPrintingPolicy(fn);
	CXString text = clang_getCursorPrettyPrinted(fn, policy);
	const char *s = clang_getCString(text);
	bool has = s && (strstr(s, "asm goto (") ||
			 strstr(s, "asm volatile goto ("));

	clang_disposeString(text);
	clang_PrintingPolicy_dispose(policy);
	return has;
}

static struct eo_node *build_asm(struct eo_builder *b, CXCursor c,
				 const struct eo_kids *kids)
{
	if (!b->f->unsupported && has_asm_goto(b->fn))
		b->f->unsupported = "asm goto";
	return all_kids(b, EO_N_ASM, c, kids);
}

static struct eo_node *build_var_decl(struct eo_builder *b, CXCursor c)
{
	struct eo_node *n = eo_build_new(b, EO_N_VAR, c, 1);
	CXCursor init = clang_Cursor_getVarDeclInitializer(c);

	n->var = eo_build_var(b, c);
	n->name = n->var->name;
	n->aggregate = n->var->aggregate;
	/* A static's initialiser runs at build time. */
	if (!clang_Cursor_isNull(init) && n->var->scope == EO_VAR_LOCAL)
		n->kid[0] = eo_build_expr(b, init);
	return n;
}

static struct eo_node *stmt_with(struct eo_builder *b, CXCursor c,
				 const struct eo_kids *kids)
{
	switch (clang_getCursorKind(c)) {
	case CXCursor_CompoundStmt:
		return all_kids(b, EO_N_COMPOUND, c, kids);
	case CXCursor_DeclStmt:
		return all_kids(b, EO_N_DECL, c, kids);
	case CXCursor_IfStmt:
		return fixed_kids(b, EO_N_IF, c, kids, 3);
	case CXCursor_ForStmt:
		return build_for(b, c, kids);
	case CXCursor_WhileStmt:
		return fixed_kids(b, EO_N_WHILE, c, kids, 2);
	case CXCursor_DoStmt:
		return fixed_kids(b, EO_N_DO, c, kids, 2);
	case CXCursor_SwitchStmt:
		return fixed_kids(b, EO_N_SWITCH, c, kids, 2);
	case CXCursor_CaseStmt:
		return last_kid(b, EO_N_CASE, c, kids);
	case CXCursor_DefaultStmt:
		return last_kid(b, EO_N_DEFAULT, c, kids);
	case CXCursor_ReturnStmt:
		return fixed_kids(b, EO_N_RETURN, c, kids, 1);
	case CXCursor_AsmStmt: /* the same number as GCCAsmStmt */
	case CXCursor_MSAsmStmt:
		return build_asm(b, c, kids);
	default: /* an attribute's statement: `fallthrough;` */
		return all_kids(b, EO_N_COMPOUND, c, kids);
	}
}

struct eo_node *eo_build_stmt(struct eo_builder *b, CXCursor c)
{
	enum CXCursorKind kind = clang_getCursorKind(c);
	struct eo_kids kids;
	struct eo_node *n;

	switch (kind) {
	case CXCursor_VarDecl:
		return build_var_decl(b, c);
	case CXCursor_BreakStmt:
		return eo_build_new(b, EO_N_BREAK, c, 0);
	case CXCursor_ContinueStmt:
		return eo_build_new(b, EO_N_CONTINUE, c, 0);
	case CXCursor_NullStmt:
		return eo_build_new(b, EO_N_EMPTY, c, 0);
	case CXCursor_GotoStmt:
	case CXCursor_IndirectGotoStmt:
		return build_goto(b, c);
	default:
		break;
	}
	if (!clang_isStatement(kind))
		return eo_build_expr(b, c);
	eo_kids_of(c, &kids);
	if (kind == CXCursor_LabelStmt) {
		n = last_kid(b, EO_N_LABEL, c, &kids);
		n->name = label_name(b, c);
	} else {
		n = stmt_with(b, c, &kids);
	}
	free(kids.items);
	return n;
}

static bool returns_void(CXCursor fn)
{
	return clang_getCursorResultType(fn).kind == CXType_Void;
}

static enum CXChildVisitResult find_body(CXCursor c, CXCursor parent,
					 CXClientData data)
{
	struct eo_builder *b = data;

	(void)parent;
	if (clang_getCursorKind(c) == CXCursor_ParmDecl)
		eo_build_var(b, c);
	else if (clang_getCursorKind(c) == CXCursor_CompoundStmt)
		b->f->body = eo_build_stmt(b, c);
	return CXChildVisit_Continue;
}

static void mark_addressed(const struct eo_node *n, void *data)
{
	struct eo_var *v = n->kind == EO_N_ADDR ? eo_place_var(n->kid[0]) :
						  NULL;

	(void)data;
	if (v)
		v->addressed = true;
}

struct eo_func *eo_func_build(const struct eo_unit *u,
			      const struct eo_model *model,
			      const struct eo_unit_function *uf)
{
	struct eo_func *f = eo_zalloc(sizeof(*f));
	struct eo_builder b = { .u = u, .model = model, .f = f };

	f->name = uf->name;
	f->file = u->file;
	f->in_main = uf->in_main;
	f->line = uf->line;
	f->end_line = uf->end_line;
	f->is_void = returns_void(uf->cursor);
	b.fn = uf->cursor;
	clang_visitChildren(uf->cursor, find_body, &b);
	eo_node_visit(f->body, mark_addressed, NULL);
	eo_cfg_build(f);
	free(b.decls.items);
	free(b.slots.items);
	free(b.for_cursors);
	return f;
}
