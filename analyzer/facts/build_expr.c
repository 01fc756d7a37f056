// SPDX-License-Identifier: GPL-2.0-only
/* From libclang's expressions to ours. */
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "facts/build.h"
#include "model/model.h"

static bool is_aggregate(CXType t)
{
	t = clang_getCanonicalType(t);
	switch (t.kind) {
	case CXType_ConstantArray:
	case CXType_IncompleteArray:
	case CXType_VariableArray:
	case CXType_Record:
	case CXType_FunctionProto:
	case CXType_FunctionNoProto:
		return true;
	default:
		return false;
	}
}

/*
 * The function of __attribute__((cleanup(F))). libclang shows the attribute
 * without F; only the printed declaration has it.
 */
static const char *cleanup_of(struct eo_builder *b, CXCursor decl)
{
	static const char key[] = "cleanup(";
	CXPrintingPolicy policy;
	const char *name = NULL;
	char *text, *p;

	if (!clang_Cursor_hasAttrs(decl))
		return NULL;
	policy = clang_getCursorPrintingPolicy(decl);
	text = eo_unit_string(&b->f->arena,
			      clang_getCursorPrettyPrinted(decl, policy));
	clang_PrintingPolicy_dispose(policy);
	p = strstr(text, key);
	if (p) {
		p += sizeof(key) - 1;
		name = p;
		p[strcspn(p, ")")] = '\0';
	}
	return name;
}

static enum eo_var_scope scope_of(CXCursor decl)
{
	CXCursor parent = clang_getCursorSemanticParent(decl);

	if (clang_getCursorKind(decl) == CXCursor_ParmDecl)
		return EO_VAR_PARAM;
	if (clang_getCursorKind(parent) == CXCursor_TranslationUnit)
		return EO_VAR_GLOBAL;
	if (clang_Cursor_getStorageClass(decl) == CX_SC_Static)
		return EO_VAR_STATIC;
	if (clang_Cursor_getStorageClass(decl) == CX_SC_Extern)
		return EO_VAR_GLOBAL;
	return EO_VAR_LOCAL;
}

struct eo_var *eo_build_var(struct eo_builder *b, CXCursor decl)
{
	struct eo_builder_decl *d;
	struct eo_var *v;

	decl = clang_getCanonicalCursor(decl);
	eo_vec_for_each(d, &b->decls)
		if (clang_equalCursors(d->decl, decl))
			return d->var;
	v = eo_arena_new(&b->f->arena, struct eo_var);
	v->name = eo_unit_string(&b->f->arena, clang_getCursorSpelling(decl));
	v->index = (unsigned)b->f->vars.n;
	v->scope = scope_of(decl);
	v->aggregate = is_aggregate(clang_getCursorType(decl));
	v->pos = eo_unit_expansion(b->u, clang_getCursorLocation(decl));
	if (v->scope == EO_VAR_LOCAL)
		v->cleanup = cleanup_of(b, decl);
	*eo_vec_push(&b->f->vars) = v;
	d = eo_vec_push(&b->decls);
	d->decl = decl;
	d->var = v;
	return v;
}

/* The tag of the innermost named struct or union that has this field. */
static const char *record_of(struct eo_builder *b, CXCursor field)
{
	CXCursor c = clang_getCursorSemanticParent(field);

	while (clang_Cursor_isAnonymous(c) &&
	       clang_getCursorKind(c) != CXCursor_TranslationUnit)
		c = clang_getCursorSemanticParent(c);
	if (clang_getCursorKind(c) != CXCursor_StructDecl &&
	    clang_getCursorKind(c) != CXCursor_UnionDecl)
		return NULL;
	return eo_unit_string(&b->f->arena, clang_getCursorSpelling(c));
}

/* Tags of the structs that are whole in a value of some type. */
struct tags {
	struct eo_builder *b;
	struct eo_names names;
};

static void add_tags(struct tags *t, CXType type);

static enum CXVisitorResult visit_field(CXCursor field, CXClientData data)
{
	add_tags(data, clang_getCursorType(field));
	return CXVisit_Continue;
}

static void add_tags(struct tags *t, CXType type)
{
	CXCursor decl;
	const char *tag;

	type = clang_getCanonicalType(type);
	while (clang_getArrayElementType(type).kind != CXType_Invalid)
		type = clang_getCanonicalType(clang_getArrayElementType(type));
	if (type.kind != CXType_Record)
		return;
	decl = clang_getTypeDeclaration(type);
	tag = eo_unit_string(&t->b->f->arena, clang_getCursorSpelling(decl));
	for (size_t i = 0; i < t->names.n; i++)
		if (strcmp(t->names.items[i], tag) == 0)
			return;
	*eo_vec_push(&t->names) = tag;
	clang_Type_visitFields(type, visit_field, t);
}

/* NULL when there are none: @type is no struct. */
static const char *const *tags_of(struct eo_builder *b, CXType type)
{
	struct tags t = { .b = b };
	const char **out = NULL;

	add_tags(&t, type);
	if (t.names.n) {
		out = eo_arena_alloc(&b->f->arena,
				     (t.names.n + 1) * sizeof(*out));
		memcpy(out, t.names.items, t.names.n * sizeof(*out));
	}
	free(t.names.items);
	return out;
}

static bool is_place(const struct eo_node *n)
{
	return n && (n->kind == EO_N_NAME || n->kind == EO_N_MEMBER ||
		     n->kind == EO_N_DEREF || n->kind == EO_N_SUBSCRIPT);
}

static bool is_number(CXType t)
{
	t = clang_getCanonicalType(t);
	return (t.kind >= CXType_FirstBuiltin && t.kind != CXType_Void &&
		t.kind <= CXType_LastBuiltin) ||
	       t.kind == CXType_Enum;
}

static struct eo_node *with_kids(struct eo_builder *b, enum eo_node_kind kind,
				 CXCursor c, const struct eo_kids *kids,
				 size_t n)
{
	struct eo_node *node = eo_build_new(b, kind, c, n);

	for (size_t i = 0; i < n && i < kids->n; i++)
		node->kid[i] = eo_build_expr(b, kids->items[i]);
	node->aggregate = is_aggregate(clang_getCursorType(c));
	return node;
}

static struct eo_node *build_member(struct eo_builder *b, CXCursor c,
				    const struct eo_kids *kids)
{
	struct eo_node *n = with_kids(b, EO_N_MEMBER, c, kids, 1);
	CXType object = { 0 };

	n->name = eo_unit_string(&b->f->arena, clang_getCursorSpelling(c));
	n->record = record_of(b, clang_getCursorReferenced(c));
	if (kids->n) {
		object = clang_getCanonicalType(
			clang_getCursorType(kids->items[0]));
		n->arrow = object.kind == CXType_Pointer;
	}
	return n;
}

static struct eo_node *build_subscript(struct eo_builder *b, CXCursor c,
				       const struct eo_kids *kids)
{
	struct eo_node *n = with_kids(b, EO_N_SUBSCRIPT, c, kids, 2);

	n->raw = n->kid[0] && !n->kid[0]->aggregate &&
		 is_number(clang_getCursorType(c));
	return n;
}

static struct eo_node *build_ref(struct eo_builder *b, CXCursor c)
{
	CXCursor decl = clang_getCursorReferenced(c);
	struct eo_node *n;

	switch (clang_getCursorKind(decl)) {
	case CXCursor_FunctionDecl:
		n = eo_build_new(b, EO_N_FUNCTION, c, 0);
		n->name = eo_unit_string(&b->f->arena,
					 clang_getCursorSpelling(decl));
		return n;
	case CXCursor_EnumConstantDecl:
		n = eo_build_new(b, EO_N_LITERAL, c, 0);
		n->value = clang_getEnumConstantDeclValue(decl);
		n->has_value = true;
		return n;
	case CXCursor_VarDecl:
	case CXCursor_ParmDecl:
		n = eo_build_new(b, EO_N_NAME, c, 0);
		n->var = eo_build_var(b, decl);
		n->name = n->var->name;
		n->aggregate = n->var->aggregate;
		return n;
	default:
		return eo_build_new(b, EO_N_LITERAL, c, 0);
	}
}

static struct eo_node *build_literal(struct eo_builder *b, CXCursor c)
{
	struct eo_node *n = eo_build_new(b, EO_N_LITERAL, c, 0);
	CXEvalResult r = clang_Cursor_Evaluate(c);

	if (r && clang_EvalResult_getKind(r) == CXEval_Int) {
		n->value = clang_EvalResult_getAsLongLong(r);
		n->has_value = true;
	}
	if (r)
		clang_EvalResult_dispose(r);
	return n;
}

/* The type of an expression before it was converted to a parameter's. */
static CXType own_type(CXCursor c)
{
	enum CXCursorKind kind = clang_getCursorKind(c);
	CXType type = clang_getCursorType(c);
	struct eo_kids kids;

	if (kind != CXCursor_UnexposedExpr && kind != CXCursor_ParenExpr &&
	    kind != CXCursor_CStyleCastExpr)
		return type;
	eo_kids_of(c, &kids);
	if (kids.n)
		type = own_type(kids.items[kids.n - 1]);
	free(kids.items);
	return type;
}

/*
 * A function that the model says is pure, or prints, may well look at what
 * its arguments point to, whatever it calls them: const void *. Of a call of
 * the model, rules ask what kind of thing it works on.
 */
static void note_pointees(struct eo_builder *b, struct eo_node *call,
			  const struct eo_kids *kids)
{
	enum eo_trait trait = eo_model_trait(b->model, call->name);

	if (trait != EO_TRAIT_PURE && trait != EO_TRAIT_OUTPUT &&
	    !eo_model_call(b->model, call->name))
		return;
	for (size_t i = 1; i < kids->n; i++) {
		CXType type = clang_getCanonicalType(own_type(kids->items[i]));

		if (call->kid[i] && type.kind == CXType_Pointer)
			call->kid[i]->points_to =
				tags_of(b, clang_getPointeeType(type));
	}
}

/* libclang has no question for it, but the type's words say so. */
static bool is_noreturn(CXCursor call)
{
	CXType type;
	CXString s;
	bool found;

	if (clang_getCursorType(call).kind != CXType_Void)
		return false;
	type = clang_getCursorType(clang_getCursorReferenced(call));
	s = clang_getTypeSpelling(clang_getCanonicalType(type));
	found = clang_getCString(s) &&
		strstr(clang_getCString(s), "__attribute__((noreturn))");
	clang_disposeString(s);
	return found;
}

static struct eo_node *build_call(struct eo_builder *b, CXCursor c,
				  const struct eo_kids *kids)
{
	struct eo_node *n = with_kids(b, EO_N_CALL, c, kids, kids->n);

	if (n->n_kids && n->kid[0] && n->kid[0]->kind == EO_N_FUNCTION)
		n->name = n->kid[0]->name;
	n->noreturn = is_noreturn(c);
	note_pointees(b, n, kids);
	return n;
}

static struct eo_node *build_binary(struct eo_builder *b, CXCursor c,
				    const struct eo_kids *kids)
{
	enum CXBinaryOperatorKind op = clang_getCursorBinaryOperatorKind(c);
	enum eo_node_kind kind = EO_N_BINARY;
	struct eo_node *n;

	if (op == CXBinaryOperator_LAnd)
		kind = EO_N_AND;
	else if (op == CXBinaryOperator_LOr)
		kind = EO_N_OR;
	else if (op == CXBinaryOperator_Comma)
		kind = EO_N_LIST;
	else if (op >= CXBinaryOperator_Assign)
		kind = EO_N_ASSIGN; /* and the compound ones after it */
	n = with_kids(b, kind, c, kids, 2);
	n->compound = kind == EO_N_ASSIGN && op != CXBinaryOperator_Assign;
	if (kind == EO_N_ASSIGN && is_place(n->kid[0]))
		n->kid[0]->copies = tags_of(b, clang_getCursorType(c));
	n->name = eo_unit_string(&b->f->arena,
				 clang_getBinaryOperatorKindSpelling(op));
	return n;
}

static struct eo_node *build_unary(struct eo_builder *b, CXCursor c,
				   const struct eo_kids *kids)
{
	enum CXUnaryOperatorKind op = clang_getCursorUnaryOperatorKind(c);
	enum eo_node_kind kind = EO_N_UNARY;
	struct eo_node *n;

	if (op <= CXUnaryOperator_PreDec && op != CXUnaryOperator_Invalid)
		kind = EO_N_INCDEC;
	else if (op == CXUnaryOperator_AddrOf)
		kind = EO_N_ADDR;
	else if (op == CXUnaryOperator_Deref)
		kind = EO_N_DEREF;
	else if (op == CXUnaryOperator_LNot)
		kind = EO_N_NOT;
	n = with_kids(b, kind, c, kids, 1);
	n->name = eo_unit_string(&b->f->arena,
				 clang_getUnaryOperatorKindSpelling(op));
	/* READ_ONCE(x) and WRITE_ONCE(x, …) are *(volatile …)&x: that is x. */
	if (kind == EO_N_DEREF && n->kid[0] && n->kid[0]->kind == EO_N_ADDR)
		return n->kid[0]->kid[0];
	n->raw = kind == EO_N_DEREF && is_number(clang_getCursorType(c));
	return n;
}

static bool start_together(struct eo_builder *b, CXCursor x, CXCursor y)
{
	struct eo_pos px = eo_unit_spelling(
		b->u, clang_getRangeStart(clang_getCursorExtent(x)));
	struct eo_pos py = eo_unit_spelling(
		b->u, clang_getRangeStart(clang_getCursorExtent(y)));

	return px.offset == py.offset && px.in_main == py.in_main;
}

/*
 * A builtin whose value the compiler knows, so that it does not evaluate the
 * operands: __builtin_types_compatible_p(). An implicit cast, which is as
 * nameless, starts where its operand starts.
 */
static bool is_folded(struct eo_builder *b, CXCursor c, CXCursor operand)
{
	CXEvalResult r;
	bool folded;

	if (start_together(b, c, operand))
		return false;
	r = clang_Cursor_Evaluate(c);
	folded = r && clang_EvalResult_getKind(r) == CXEval_Int;
	if (r)
		clang_EvalResult_dispose(r);
	return folded;
}

/*
 * libclang has no name for these. One kid: an implicit cast or the like.
 * Several: `a ?: b` starts where its first operand starts; a builtin with
 * operands does not, and evaluates at most what they are.
 */
static struct eo_node *build_unexposed(struct eo_builder *b, CXCursor c,
				       const struct eo_kids *kids)
{
	struct eo_node *n;

	if (kids->has_member_ref)
		return eo_build_new(b, EO_N_UNEVALUATED, c, 0);
	if (kids->n == 0)
		return eo_build_new(b, EO_N_LITERAL, c, 0);
	if (is_folded(b, c, kids->items[0]))
		return build_literal(b, c);
	if (kids->n == 1) {
		n = eo_build_expr(b, kids->items[0]);
		/* From a place to its value: of a struct, all that is in it. */
		if (is_place(n) && n->aggregate)
			n->copies = tags_of(b, clang_getCursorType(c));
		return n;
	}
	n = with_kids(b, EO_N_LIST, c, kids, kids->n);
	if (n->kid[0] && n->spell.offset == n->kid[0]->spell.offset) {
		struct eo_node *elvis = eo_build_new(b, EO_N_COND, c, 3);

		elvis->kid[0] = n->kid[0];
		elvis->kid[2] = n->kid[n->n_kids - 1];
		return elvis;
	}
	return n;
}

/*
 * _Generic evaluates one of its associations; clang knows which and libclang
 * does not say. Any of them, then: nested conditionals on something unknown.
 */
static struct eo_node *build_generic(struct eo_builder *b, CXCursor c,
				     const struct eo_kids *kids)
{
	struct eo_node *n = NULL;

	for (size_t i = kids->n; i-- > 1;) { /* 0 only names a type */
		struct eo_node *one = eo_build_expr(b, kids->items[i]);
		struct eo_node *any;

		if (!n) {
			n = one;
			continue;
		}
		any = eo_build_new(b, EO_N_COND, c, 3);
		any->kid[0] = eo_build_new(b, EO_N_LITERAL, c, 0);
		any->kid[1] = one;
		any->kid[2] = n;
		n = any;
	}
	return n ? n : eo_build_new(b, EO_N_LITERAL, c, 0);
}

/*
 * What is behind a designator in an initialiser: ".x = value" and "[3] =
 * value" have no name to libclang. An implicit cast starts where its operand
 * does; offsetof() names a type.
 */
static struct eo_node *build_initialiser(struct eo_builder *b, CXCursor c)
{
	struct eo_node *n;
	struct eo_kids kids;

	if (clang_getCursorKind(c) != CXCursor_UnexposedExpr)
		return eo_build_expr(b, c);
	eo_kids_of(c, &kids);
	if (!kids.n || kids.has_type_ref || start_together(b, c, kids.items[0]))
		n = eo_build_expr(b, c);
	else
		n = with_kids(b, EO_N_LIST, c, &kids, kids.n);
	free(kids.items);
	return n;
}

static struct eo_node *build_init_list(struct eo_builder *b, CXCursor c,
				       const struct eo_kids *kids)
{
	struct eo_node *n = eo_build_new(b, EO_N_LIST, c, kids->n);

	for (size_t i = 0; i < kids->n; i++)
		n->kid[i] = build_initialiser(b, kids->items[i]);
	return n;
}

static struct eo_node *expr_with(struct eo_builder *b, CXCursor c,
				 const struct eo_kids *kids)
{
	switch (clang_getCursorKind(c)) {
	case CXCursor_CallExpr:
		return build_call(b, c, kids);
	case CXCursor_BinaryOperator:
	case CXCursor_CompoundAssignOperator:
		return build_binary(b, c, kids);
	case CXCursor_UnaryOperator:
		return build_unary(b, c, kids);
	case CXCursor_ConditionalOperator:
		return with_kids(b, EO_N_COND, c, kids, 3);
	case CXCursor_MemberRefExpr:
		return build_member(b, c, kids);
	case CXCursor_ArraySubscriptExpr:
		return build_subscript(b, c, kids);
	case CXCursor_CStyleCastExpr: /* what typeof() names comes first */
	case CXCursor_CompoundLiteralExpr:
	case CXCursor_ParenExpr:
		return kids->n ? eo_build_expr(b, kids->items[kids->n - 1]) :
				 eo_build_new(b, EO_N_LITERAL, c, 0);
	case CXCursor_GenericSelectionExpr:
		return build_generic(b, c, kids);
	case CXCursor_UnexposedExpr:
		return build_unexposed(b, c, kids);
	case CXCursor_InitListExpr:
		return build_init_list(b, c, kids);
	default: /* whatever else has operands */
		return with_kids(b, EO_N_LIST, c, kids, kids->n);
	}
}

struct eo_node *eo_build_expr(struct eo_builder *b, CXCursor c)
{
	enum CXCursorKind kind = clang_getCursorKind(c);
	struct eo_kids kids;
	struct eo_node *n;

	switch (kind) {
	case CXCursor_DeclRefExpr:
		return build_ref(b, c);
	case CXCursor_IntegerLiteral:
	case CXCursor_CharacterLiteral:
		return build_literal(b, c);
	case CXCursor_StringLiteral:
	case CXCursor_FloatingLiteral:
	case CXCursor_AddrLabelExpr:
		return eo_build_new(b, EO_N_LITERAL, c, 0);
	case CXCursor_UnaryExpr: /* sizeof, _Alignof */
		return eo_build_new(b, EO_N_UNEVALUATED, c, 0);
	default:
		break;
	}
	if (clang_isStatement(kind) || kind == CXCursor_VarDecl)
		return eo_build_stmt(b, c);
	eo_kids_of(c, &kids);
	if (kind == CXCursor_StmtExpr) {
		n = eo_build_new(b, EO_N_STMTEXPR, c, 1);
		n->kid[0] = kids.n ? eo_build_stmt(b, kids.items[0]) : NULL;
	} else {
		n = expr_with(b, c, &kids);
	}
	free(kids.items);
	return n;
}
