// SPDX-License-Identifier: GPL-2.0-only
#include "rewrite/includes.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/map.h"
#include "base/str.h"
#include "model/model.h"
#include "rewrite/code.h"
#include "rewrite/make.h"
#include "smpl/ctext.h"
#include "tree/overlay.h"
#include "tu/lex.h"
#include "tu/unit.h"

/* An #include of the main file. */
struct include {
	CXFile header;
	unsigned line;
};

struct includes {
	const struct eo_unit *u;
	struct {
		struct include *items;
		size_t n, cap;
	} direct;
	struct eo_map all; /* set: every file that is read, by its path */
};

static void release(struct includes *in)
{
	free(in->direct.items);
	eo_map_release(&in->all);
}

static void visit_include(CXFile file, CXSourceLocation *stack, unsigned n,
			  CXClientData data)
{
	struct includes *in = data;
	EO_CLEANUP(eo_arena_release) struct eo_arena a = { 0 };
	struct eo_pos pos;

	if (!n)
		return; /* the main file itself */
	eo_set_add(&in->all, eo_unit_string(&a, clang_getFileName(file)));
	pos = eo_unit_expansion(in->u, stack[0]);
	if (n == 1 && pos.in_main)
		*eo_vec_push(&in->direct) = (struct include){ file, pos.line };
}

static void find(const struct eo_unit *u, struct includes *out)
{
	*out = (struct includes){ .u = u };
	clang_getInclusions(u->tu, visit_include, out);
}

/* Names in a text: those of #include lines, comments and strings left out. */
static void names_of(const char *text, struct eo_map *out)
{
	struct eo_lexemes l = { 0 };
	size_t past = 0;

	eo_lex(text, &l);
	for (size_t i = 0; i < l.n; i++) {
		const struct eo_lexeme *x = &l.items[i];
		const char *at = text + x->from;
		EO_CLEANUP(eo_freep)
		char *name = eo_strndup(at, x->end - x->from);

		if (x->kind == EO_LEX_DIRECTIVE &&
		    eo_starts_with(at, "include"))
			past = x->from + strcspn(at, "\n");
		if (x->from >= past &&
		    (x->kind == EO_LEX_NAME || x->kind == EO_LEX_CALL))
			eo_set_add(out, name);
	}
	eo_lexemes_release(&l);
}

/* Who declares what, as far as this configuration shows it. */
struct declared {
	CXFile header;
	struct eo_map here; /* set: names that the header declares */
	struct eo_map foreign; /* set: names that others declare, and
				* parameters */
};

static bool is_tag(enum CXCursorKind kind)
{
	return kind == CXCursor_StructDecl || kind == CXCursor_UnionDecl ||
	       kind == CXCursor_EnumDecl;
}

static enum CXChildVisitResult visit_decl(CXCursor c, CXCursor parent,
					  CXClientData data)
{
	struct declared *d = data;
	enum CXCursorKind kind = clang_getCursorKind(c);
	EO_CLEANUP(eo_arena_release) struct eo_arena a = { 0 };
	bool here;
	CXFile file;

	(void)parent;
	clang_getExpansionLocation(clang_getCursorLocation(c), &file, NULL,
				   NULL, NULL);
	here = file && clang_File_isEqual(file, d->header) &&
	       kind != CXCursor_ParmDecl &&
	       (!is_tag(kind) || clang_isCursorDefinition(c));
	if (clang_isDeclaration(kind))
		eo_set_add(here ? &d->here : &d->foreign,
			   eo_unit_string(&a, clang_getCursorSpelling(c)));
	return is_tag(kind) || kind == CXCursor_FunctionDecl ?
		       CXChildVisit_Recurse :
		       CXChildVisit_Continue;
}

static bool has_word(const struct eo_map *names, const char *word)
{
	return word && eo_map_has(names, word);
}

/*
 * Whether the file, whose names are @used, uses anything of @header: a name
 * that stands in it and that nobody else is known to declare.
 */
static bool uses(const struct eo_unit *u, CXFile header,
		 const struct eo_map *used)
{
	EO_CLEANUP(eo_map_release) struct eo_map names = { 0 };
	struct declared d = { .header = header };
	struct eo_map_entry *e;
	bool any = false;
	size_t n;
	const char *text = clang_getFileContents(u->tu, header, &n);

	if (!text)
		return true;
	names_of(text, &names);
	clang_visitChildren(clang_getTranslationUnitCursor(u->tu), visit_decl,
			    &d);
	eo_map_for_each(e, &names)
		any |= eo_map_has(used, e->key) &&
		       (eo_map_has(&d.here, e->key) ||
			!eo_map_has(&d.foreign, e->key));
	eo_map_release(&d.here);
	eo_map_release(&d.foreign);
	return any;
}

/* Whether the header declares what was replaced, in its own text. */
static bool is_for(const struct eo_unit *u, CXFile header,
		   const struct eo_model_call *call)
{
	EO_CLEANUP(eo_map_release) struct eo_map names = { 0 };
	size_t n;
	const char *text = clang_getFileContents(u->tu, header, &n);

	if (text)
		names_of(text, &names);
	return has_word(&names, call->name) || has_word(&names, call->record);
}

/* The text without that line, in @out; false when it has to stay. */
static bool without_line(const char *s, size_t n, unsigned line,
			 struct eo_str *out)
{
	size_t start = eo_ctext_at(s, n, line, 1), end = start;
	const char *p = s + start + strspn(s + start, " \t");

	end += strcspn(s + start, "\n");
	if (end == n || eo_code_if_depth(s, start) || *p != '#' ||
	    memchr(s + start, '*', end - start) || s[end - 1] == '\\')
		return false; /* a comment on it, say */
	eo_str_addn(out, s, start);
	eo_str_add(out, s + end + 1);
	return true;
}

/* Whether all that is read no more with the line is not used either. */
static bool lost_nothing(const struct includes *with,
			 const struct includes *without,
			 const struct eo_map *used)
{
	const struct eo_map_entry *e;

	eo_map_for_each(e, &with->all) {
		CXFile file;

		if (eo_map_has(&without->all, e->key))
			continue;
		file = clang_getFile(with->u->tu, e->key);
		if (!file || uses(with->u, file, used))
			return false;
	}
	return true;
}

/* Tries the file without the line; *gone: that is how it is now. */
static struct eo_error *try_without(const struct eo_source *src,
				    struct eo_overlay *now,
				    struct eo_changed_file *file,
				    const struct includes *with,
				    const struct include *one, bool *gone)
{
	EO_CLEANUP(eo_str_release) struct eo_str text = { 0 };
	EO_CLEANUP(eo_map_release) struct eo_map used = { 0 };
	EO_CLEANUP(release) struct includes without = { 0 };
	struct eo_unit *u = NULL;

	if (!without_line(eo_str_get(&file->text), file->text.len, one->line,
			  &text))
		return NULL;
	names_of(eo_str_get(&text), &used);
	if (uses(with->u, one->header, &used))
		return NULL;
	eo_overlay_put(now, file->file, eo_str_get(&text), text.len);
	eo_try(eo_make_parse(src, now, file->file, &u));
	find(u, &without);
	*gone = !u->errors && u->warnings <= with->u->warnings &&
		lost_nothing(with, &without, &used);
	eo_unit_free(u);
	if (*gone) {
		eo_str_clear(&file->text);
		eo_str_addn(&file->text, eo_str_get(&text), text.len);
	}
	eo_overlay_put(now, file->file, eo_str_get(&file->text),
		       file->text.len);
	return NULL;
}

static void tell(CXFile header, const char *file, struct eo_change *out)
{
	EO_CLEANUP(eo_arena_release) struct eo_arena a = { 0 };
	const char *path = eo_unit_string(&a, clang_getFileName(header));
	const char *name = strstr(path, "include/");

	*eo_vec_push(&out->notes) = (struct eo_note){
		EO_NOTE_CHANGE,
		eo_arena_printf(
			&out->arena,
			"%s uses nothing of %s any more, and no longer includes it.",
			file, name ? name + strlen("include/") : path),
	};
}

/* One line; *more: there may be another. */
static struct eo_error *drop_one(const struct eo_source *src,
				 struct eo_overlay *now,
				 const struct eo_model_call *call,
				 struct eo_changed_file *file,
				 struct eo_change *out, bool *more)
{
	EO_CLEANUP(release) struct includes with = { 0 };
	struct eo_error *err = NULL;
	struct eo_unit *u = NULL;

	*more = false;
	eo_try(eo_make_parse(src, now, file->file, &u));
	find(u, &with);
	for (size_t i = 0; !err && !u->errors && !*more && i < with.direct.n;
	     i++) {
		const struct include *one = &with.direct.items[i];

		if (!is_for(u, one->header, call))
			continue;
		err = try_without(src, now, file, &with, one, more);
		if (*more)
			tell(one->header, file->file, out);
	}
	eo_unit_free(u);
	return err;
}

struct eo_error *eo_includes_drop(const struct eo_source *src,
				  struct eo_overlay *now,
				  const struct eo_model_call *call,
				  struct eo_changed_file *file,
				  struct eo_change *out)
{
	bool more = true;

	while (more)
		eo_try(drop_one(src, now, call, file, out, &more));
	return NULL;
}
