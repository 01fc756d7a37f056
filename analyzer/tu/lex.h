/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The tokens of a piece of C, as libclang's lexer sees them, for whoever
 * shows it. The text is lexed and not parsed, and nothing is included: it may
 * be anything.
 */
#ifndef EO_TU_LEX_H
#define EO_TU_LEX_H

#include <stddef.h>

enum eo_lexeme_kind {
	EO_LEX_OTHER, /* white space, punctuation */
	EO_LEX_KEYWORD,
	EO_LEX_NAME,
	EO_LEX_CALL, /* a name before "(" */
	EO_LEX_LITERAL,
	EO_LEX_COMMENT,
	EO_LEX_DIRECTIVE, /* "#ifdef" */
};

struct eo_lexeme {
	enum eo_lexeme_kind kind;
	size_t from, end; /* bytes of the text */
};

struct eo_lexemes {
	struct eo_lexeme *items; /* in order; what is between them is other */
	size_t n, cap;
};

/* None when libclang cannot do it: the text is shown plain then. */
void eo_lex(const char *text, struct eo_lexemes *out);
void eo_lexemes_release(struct eo_lexemes *l);

#endif
