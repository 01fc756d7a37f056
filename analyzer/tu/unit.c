// SPDX-License-Identifier: GPL-2.0-only
#include "tu/unit.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/file.h"
#include "tree/overlay.h"

char *eo_unit_string(struct eo_arena *a, CXString s)
{
	const char *text = clang_getCString(s);
	char *p = eo_arena_strdup(a, text ? text : "");

	clang_disposeString(s);
	return p;
}

static struct eo_pos make_pos(const struct eo_unit *u, CXFile file,
			      unsigned line, unsigned column, unsigned offset)
{
	struct eo_pos pos = { line, column, offset, false };

	pos.in_main = file && clang_File_isEqual(file, u->main);
	return pos;
}

struct eo_pos eo_unit_expansion(const struct eo_unit *u, CXSourceLocation loc)
{
	unsigned line, column, offset;
	CXFile file;

	clang_getExpansionLocation(loc, &file, &line, &column, &offset);
	return make_pos(u, file, line, column, offset);
}

struct eo_pos eo_unit_spelling(const struct eo_unit *u, CXSourceLocation loc)
{
	unsigned line, column, offset;
	CXFile file;

	clang_getSpellingLocation(loc, &file, &line, &column, &offset);
	return make_pos(u, file, line, column, offset);
}

char *eo_unit_macro_at(const struct eo_unit *u, const struct eo_pos *pos)
{
	const char *s = eo_str_get(&u->text) + pos->offset;
	size_t n = 0;

	if (!pos->in_main || pos->offset >= u->text.len)
		return NULL;
	while (eo_is_ident(s[n]))
		n++;
	return eo_strndup(s, n);
}

static enum CXChildVisitResult index_function(CXCursor c, CXCursor parent,
					      CXClientData data)
{
	struct eo_unit *u = data;
	struct eo_unit_function *f;
	CXSourceRange range;
	struct eo_pos start;

	(void)parent;
	if (clang_getCursorKind(c) != CXCursor_FunctionDecl ||
	    !clang_isCursorDefinition(c))
		return CXChildVisit_Continue;
	f = eo_arena_new(&u->arena, struct eo_unit_function);
	f->name = eo_unit_string(&u->arena, clang_getCursorSpelling(c));
	f->cursor = c;
	range = clang_getCursorExtent(c);
	start = eo_unit_expansion(u, clang_getRangeStart(range));
	if (start.in_main) {
		f->in_main = true;
		f->line = start.line;
		f->end_line =
			eo_unit_expansion(u, clang_getRangeEnd(range)).line;
	}
	eo_map_set(&u->functions, f->name, f);
	return CXChildVisit_Continue;
}

static char *diagnostic_text(struct eo_unit *u, CXDiagnostic d)
{
	return eo_unit_string(
		&u->arena,
		clang_formatDiagnostic(d, CXDiagnostic_DisplaySourceLocation));
}

static void count_errors(struct eo_unit *u)
{
	for (unsigned i = 0; i < clang_getNumDiagnostics(u->tu); i++) {
		CXDiagnostic d = clang_getDiagnostic(u->tu, i);

		if (clang_getDiagnosticSeverity(d) >= CXDiagnostic_Error &&
		    u->errors++ == 0)
			u->first_error = diagnostic_text(u, d);
		if (clang_getDiagnosticSeverity(d) == CXDiagnostic_Warning) {
			u->warnings++;
			u->last_warning = diagnostic_text(u, d);
		}
		clang_disposeDiagnostic(d);
	}
}

static const char *code_text(enum CXErrorCode code)
{
	switch (code) {
	case CXError_Crashed:
		return "libclang crashed";
	case CXError_InvalidArguments:
		return "libclang does not take these arguments";
	case CXError_ASTReadError:
		return "libclang could not read an AST file";
	default:
		return "libclang could not parse it";
	}
}

/* Files that libclang is to take from memory. */
struct unsaved {
	struct CXUnsavedFile *items;
	size_t n, cap;
};

static struct eo_error *parse(struct eo_unit *u, const char *unit,
			      const char *path, const char *const *args,
			      const struct unsaved *unsaved)
{
	enum CXErrorCode code;
	int n = 0;

	while (args[n])
		n++;
	code = clang_parseTranslationUnit2(u->index, unit, args, n,
					   unsaved->items, (unsigned)unsaved->n,
					   CXTranslationUnit_KeepGoing, &u->tu);
	if (code != CXError_Success)
		return eo_error_new(EO_ERR_INPUT, "%s: %s", u->file,
				    code_text(code));
	u->main = clang_getFile(u->tu, path);
	if (!u->main)
		return eo_error_new(EO_ERR_INPUT, "%s: not in its own unit",
				    u->file);
	return NULL;
}

struct eo_error *eo_unit_parse(const char *file, const char *path,
			       const char *const *args, struct eo_unit **out)
{
	return eo_unit_parse_in(path, file, path, args, out);
}

/* Parses what @u has the text of; takes @u, on an error too. */
static struct eo_error *finish(struct eo_unit *u, const char *unit,
			       const char *path, const char *const *args,
			       const struct unsaved *unsaved,
			       struct eo_unit **out)
{
	struct eo_error *err;

	u->index = clang_createIndex(0, 0);
	err = parse(u, unit, path, args, unsaved);
	if (err) {
		eo_unit_free(u);
		return err;
	}
	count_errors(u);
	clang_visitChildren(clang_getTranslationUnitCursor(u->tu),
			    index_function, u);
	*out = u;
	return NULL;
}

struct eo_error *eo_unit_parse_in(const char *unit, const char *file,
				  const char *path, const char *const *args,
				  struct eo_unit **out)
{
	struct eo_unit *u = eo_zalloc(sizeof(*u));
	struct eo_error *err = eo_file_read(path, &u->text);

	u->file = eo_arena_strdup(&u->arena, file);
	if (err) {
		eo_unit_free(u);
		return err;
	}
	return finish(u, unit, path, args, &(struct unsaved){ 0 }, out);
}

struct eo_error *eo_unit_parse_over(const char *root,
				    const struct eo_overlay *overlay,
				    const char *file, const char *const *args,
				    struct eo_unit **out)
{
	EO_CLEANUP(eo_freep) char *path = eo_path_join(root, file);
	const struct eo_str *text = eo_overlay_get(overlay, file);
	struct unsaved unsaved = { 0 };
	struct eo_error *err = NULL;
	struct eo_map_entry *e;
	struct eo_unit *u;

	if (!overlay || !overlay->files.n)
		return eo_unit_parse(file, path, args, out);
	u = eo_zalloc(sizeof(*u));
	u->file = eo_arena_strdup(&u->arena, file);
	eo_map_for_each(e, &overlay->files) {
		const struct eo_str *s = e->value;
		char *name = eo_path_join(root, e->key);

		*eo_vec_push(&unsaved) = (struct CXUnsavedFile){
			eo_arena_strdup(&u->arena, name), eo_str_get(s), s->len
		};
		free(name);
	}
	if (text)
		eo_str_addn(&u->text, eo_str_get(text), text->len);
	else
		err = eo_file_read(path, &u->text);
	if (err)
		eo_unit_free(u);
	else
		err = finish(u, path, path, args, &unsaved, out);
	free(unsaved.items);
	return err;
}

void eo_unit_free(struct eo_unit *u)
{
	if (!u)
		return;
	if (u->tu)
		clang_disposeTranslationUnit(u->tu);
	if (u->index)
		clang_disposeIndex(u->index);
	eo_map_release(&u->functions);
	eo_str_release(&u->text);
	eo_arena_release(&u->arena);
	free(u);
}

const struct eo_unit_function *eo_unit_function(const struct eo_unit *u,
						const char *name)
{
	return name ? eo_map_get(&u->functions, name) : NULL;
}

bool eo_unit_is_weak(const struct eo_unit_function *f)
{
	CXPrintingPolicy policy = clang_getCursorPrintingPolicy(f->cursor);
	struct eo_arena a = { 0 };
	bool weak;

	clang_PrintingPolicy_setProperty(policy, CXPrintingPolicy_TerseOutput,
					 1);
	weak = strstr(eo_unit_string(&a, clang_getCursorPrettyPrinted(f->cursor,
								      policy)),
		      "((weak))") != NULL;
	clang_PrintingPolicy_dispose(policy);
	eo_arena_release(&a);
	return weak;
}

/* State of eo_unit_slots(): the member whose initialiser we are below of. */
struct slots {
	struct eo_unit *u;
	void (*visit)(const char *member, const char *function, bool assigned,
		      void *data);
	void *data;
	const char *member;
};

static enum CXChildVisitResult visit_init(CXCursor c, CXCursor parent,
					  CXClientData data)
{
	struct slots *s = data;
	CXCursor ref;

	/* An element of its own: it has a member's name, or it has none. */
	if (clang_getCursorKind(parent) == CXCursor_InitListExpr)
		s->member = NULL;
	switch (clang_getCursorKind(c)) {
	case CXCursor_MemberRef: /* the designator, before its value */
		s->member = eo_unit_string(&s->u->arena,
					   clang_getCursorSpelling(c));
		return CXChildVisit_Continue;
	case CXCursor_DeclRefExpr:
		ref = clang_getCursorReferenced(c);
		if (s->member &&
		    clang_getCursorKind(ref) == CXCursor_FunctionDecl)
			s->visit(s->member,
				 eo_unit_string(&s->u->arena,
						clang_getCursorSpelling(ref)),
				 false, s->data);
		return CXChildVisit_Continue;
	default:
		return CXChildVisit_Recurse;
	}
}

/* The function that an assigned value is: f, &f, a cast of it. */
static enum CXChildVisitResult visit_value(CXCursor c, CXCursor parent,
					   CXClientData data)
{
	struct slots *s = data;
	CXCursor ref;

	(void)parent;
	switch (clang_getCursorKind(c)) {
	case CXCursor_DeclRefExpr:
		ref = clang_getCursorReferenced(c);
		if (clang_getCursorKind(ref) == CXCursor_FunctionDecl)
			s->visit(s->member,
				 eo_unit_string(&s->u->arena,
						clang_getCursorSpelling(ref)),
				 true, s->data);
		return CXChildVisit_Break;
	case CXCursor_UnexposedExpr:
	case CXCursor_ParenExpr:
	case CXCursor_UnaryOperator:
	case CXCursor_CStyleCastExpr:
		return CXChildVisit_Recurse;
	default:
		return CXChildVisit_Continue;
	}
}

/* The two sides of an assignment: the place comes first. */
static enum CXChildVisitResult visit_side(CXCursor c, CXCursor parent,
					  CXClientData data)
{
	struct slots *s = data;

	if (!s->member) {
		if (clang_getCursorKind(c) != CXCursor_MemberRefExpr)
			return CXChildVisit_Break;
		s->member = eo_unit_string(&s->u->arena,
					   clang_getCursorSpelling(c));
		return CXChildVisit_Continue;
	}
	visit_value(c, parent, s);
	if (clang_getCursorKind(c) != CXCursor_DeclRefExpr &&
	    clang_getCursorKind(c) != CXCursor_CallExpr)
		clang_visitChildren(c, visit_value, s);
	return CXChildVisit_Break;
}

static enum CXChildVisitResult visit_assign(CXCursor c, CXCursor parent,
					    CXClientData data)
{
	struct slots *s = data;

	(void)parent;
	if (clang_getCursorKind(c) != CXCursor_BinaryOperator ||
	    clang_getCursorBinaryOperatorKind(c) != CXBinaryOperator_Assign)
		return CXChildVisit_Recurse;
	s->member = NULL;
	clang_visitChildren(c, visit_side, s);
	return CXChildVisit_Recurse;
}

static enum CXChildVisitResult visit_global(CXCursor c, CXCursor parent,
					    CXClientData data)
{
	struct slots *s = data;

	(void)parent;
	if (!eo_unit_expansion(s->u, clang_getCursorLocation(c)).in_main)
		return CXChildVisit_Continue;
	s->member = NULL;
	if (clang_getCursorKind(c) == CXCursor_VarDecl)
		clang_visitChildren(c, visit_init, s);
	else if (clang_isCursorDefinition(c))
		clang_visitChildren(c, visit_assign, s);
	return CXChildVisit_Continue;
}

void eo_unit_slots(struct eo_unit *u,
		   void (*visit)(const char *member, const char *function,
				 bool assigned, void *data),
		   void *data)
{
	struct slots s = { u, visit, data, NULL };

	clang_visitChildren(clang_getTranslationUnitCursor(u->tu), visit_global,
			    &s);
}
