/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * As much of a C lexer as is needed to find identifiers: it knows comments,
 * string and character literals, line continuations and preprocessor lines.
 */
#ifndef EO_TREE_CLEX_H
#define EO_TREE_CLEX_H

#include <stdbool.h>
#include <stddef.h>

enum eo_clex_kind {
	EO_CLEX_END,
	EO_CLEX_IDENT,
	EO_CLEX_DIRECTIVE, /* all of the line after its # */
};

struct eo_clex {
	const char *p, *end;
	/* Give preprocessor lines as one token, instead of their contents. */
	bool directives;
	bool in_line; /* something stands before p on this line */
};

/* The next token, as a place in the text; literals and the rest are skipped. */
enum eo_clex_kind eo_clex_next(struct eo_clex *lx, const char **tok,
			       size_t *len);

#endif
