/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * C source as text: enough of the lexer to find the end of a comment, a
 * bracket or a statement, without a parser and in code that may be broken.
 * All work on the @n bytes at @s from the offset @i, and give an offset.
 */
#ifndef EO_SMPL_CTEXT_H
#define EO_SMPL_CTEXT_H

#include <stdbool.h>
#include <stddef.h>

struct eo_str;

/* Past the comment, literal, identifier or other character at @i. */
size_t eo_ctext_next(const char *s, size_t n, size_t i);
/* Past white space, comments and escaped newlines. */
size_t eo_ctext_blank(const char *s, size_t n, size_t i);
/* Past the bracket that closes the one at @i; 0 when there is none. */
size_t eo_ctext_close(const char *s, size_t n, size_t i);
/* Past the statement that begins at @i; 0 when it is not understood. */
size_t eo_ctext_statement(const char *s, size_t n, size_t i);
/* Whether the identifier at @i is @word. */
bool eo_ctext_is_word(const char *s, size_t n, size_t i, const char *word);

/* Offset of line @line, column @column, both from 1; @n when past the end. */
size_t eo_ctext_at(const char *s, size_t n, unsigned line, unsigned column);
/*
 * "name(arguments)" at @i, white space squeezed, to @out. False: no call.
 * With @arg not 0, only that argument (from 1).
 */
bool eo_ctext_call(const char *s, size_t n, size_t i, unsigned arg,
		   struct eo_str *out);

#endif
