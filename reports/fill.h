/* SPDX-License-Identifier: GPL-2.0-only */
/* Plain text brought to a width, as mails want it. */
#ifndef EO_REPORTS_FILL_H
#define EO_REPORTS_FILL_H

#include <stddef.h>

struct eo_str;

/*
 * Appends @text to @out, its paragraphs (empty lines between them) filled to
 * at most @width columns; a word that is longer stands alone. A line that
 * begins with a space stays as it is. Ends with one newline.
 */
void eo_fill(struct eo_str *out, const char *text, size_t width);

/* How many columns the UTF-8 text takes: one a character. */
size_t eo_columns(const char *s, size_t n);

#endif
