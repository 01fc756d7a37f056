/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What comes out of a kernel tree is text by people we do not know: names,
 * code and messages are made harmless for the place where they are shown.
 */
#ifndef EO_REPORTS_ESCAPE_H
#define EO_REPORTS_ESCAPE_H

#include <stddef.h>

struct eo_str;

/* Bytes that are no UTF-8 become U+FFFD; the rest is as it was. */
void eo_add_utf8(struct eo_str *to, const char *s);
/*
 * For a line on a terminal: control characters and those that turn the
 * direction of writing become \n, \x1b, \u202e. NULL is nothing.
 */
void eo_add_line(struct eo_str *to, const char *s);
/*
 * For HTML text and quoted attributes. Control characters are made visible,
 * but for newline and tab. NULL is nothing.
 */
void eo_add_html(struct eo_str *to, const char *s);
void eo_add_html_n(struct eo_str *to, const char *s, size_t n);
/* As one word of a POSIX shell, in quotes if need be; not escaped for HTML. */
void eo_add_shell(struct eo_str *to, const char *s);
/*
 * As the path of a URI (RFC 3986): all but letters, digits, "-._~" and "/"
 * is written %XX, byte by byte.
 */
void eo_add_uri(struct eo_str *to, const char *path);
/*
 * For Markdown text in one line: what could be markup gets a backslash, and
 * control characters are made visible. NULL is nothing.
 */
void eo_add_markdown(struct eo_str *to, const char *s);
/* How many characters a text has; a byte that is no UTF-8 is one. */
size_t eo_characters(const char *s);
/* 34663 as "34,663". */
void eo_add_count(struct eo_str *to, size_t n);
/* "1 finding", "2 findings". */
void eo_add_plural(struct eo_str *to, size_t n, const char *one,
		   const char *many);

#endif
