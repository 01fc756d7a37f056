// SPDX-License-Identifier: GPL-2.0-only
#include "tu/lex.h"

#include <clang-c/Index.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"

#define FILE_NAME "source.c"
/* libclang tokenizes what is skipped, too, and does not parse it. */
#define BEFORE "#if 0\n"
#define AFTER "\n#endif\n"

static enum eo_lexeme_kind kind_of(CXTokenKind kind)
{
	switch (kind) {
	case CXToken_Keyword:
		return EO_LEX_KEYWORD;
	case CXToken_Identifier:
		return EO_LEX_NAME;
	case CXToken_Literal:
		return EO_LEX_LITERAL;
	case CXToken_Comment:
		return EO_LEX_COMMENT;
	default:
		return EO_LEX_OTHER;
	}
}

/* "#" and the name behind it are one directive; a name before "(" a call. */
static void refine(const char *text, struct eo_lexemes *l)
{
	for (size_t i = 0; i + 1 < l->n; i++) {
		struct eo_lexeme *a = &l->items[i], *b = a + 1;
		char first = text[a->from], second = text[b->from];

		if (a->kind == EO_LEX_OTHER && first == '#' &&
		    a->end - a->from == 1 && second != '#')
			a->kind = b->kind = EO_LEX_DIRECTIVE;
		else if (a->kind == EO_LEX_NAME && second == '(' &&
			 b->kind == EO_LEX_OTHER)
			a->kind = EO_LEX_CALL;
	}
}

static void add(CXTranslationUnit tu, CXToken token, size_t len,
		struct eo_lexemes *out)
{
	CXSourceRange range = clang_getTokenExtent(tu, token);
	const size_t before = strlen(BEFORE);
	unsigned from, end;
	struct eo_lexeme *l;

	clang_getSpellingLocation(clang_getRangeStart(range), NULL, NULL, NULL,
				  &from);
	clang_getSpellingLocation(clang_getRangeEnd(range), NULL, NULL, NULL,
				  &end);
	if (from < before || end > before + len || from >= end)
		return;
	from -= before;
	end -= before;
	if (out->n && from < out->items[out->n - 1].end)
		return;
	l = eo_vec_push(out);
	l->kind = kind_of(clang_getTokenKind(token));
	l->from = from;
	l->end = end;
}

static void tokenize(CXTranslationUnit tu, size_t all, size_t len,
		     struct eo_lexemes *out)
{
	CXFile file = clang_getFile(tu, FILE_NAME);
	CXSourceRange range = clang_getRange(
		clang_getLocationForOffset(tu, file, 0),
		clang_getLocationForOffset(tu, file, (unsigned)all));
	CXToken *tokens = NULL;
	unsigned n = 0;

	clang_tokenize(tu, range, &tokens, &n);
	for (unsigned i = 0; i < n; i++)
		add(tu, tokens[i], len, out);
	clang_disposeTokens(tu, tokens, n);
}

void eo_lex(const char *text, struct eo_lexemes *out)
{
	static const char *const args[] = { "-x", "c", "-std=gnu11", "-w",
					    "-nostdinc" };
	char *whole = eo_asprintf(BEFORE "%s" AFTER, text);
	struct CXUnsavedFile file = { FILE_NAME, whole, strlen(whole) };
	CXIndex index = clang_createIndex(0, 0);
	CXTranslationUnit tu = clang_parseTranslationUnit(
		index, FILE_NAME, args, sizeof(args) / sizeof(args[0]), &file,
		1, CXTranslationUnit_SingleFileParse);

	if (tu) {
		tokenize(tu, file.Length, strlen(text), out);
		refine(text, out);
		clang_disposeTranslationUnit(tu);
	}
	clang_disposeIndex(index);
	free(whole);
}

void eo_lexemes_release(struct eo_lexemes *l)
{
	free(l->items);
	*l = (struct eo_lexemes){ 0 };
}
