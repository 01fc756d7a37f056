/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Edits to a text: stretches of it that become something else. All offsets
 * are those of the text as it was; every byte outside of an edit stays.
 */
#ifndef EO_REWRITE_EDIT_H
#define EO_REWRITE_EDIT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/mem.h"

struct eo_str;

struct eo_edit {
	size_t start, end; /* what goes; empty for an insertion */
	const char *text; /* what comes, lines end in "\n" */
	size_t order; /* insertions at one place stay in order */
};

/* Zeroed to begin with. */
struct eo_edits {
	struct eo_edit *items;
	size_t n, cap;
	struct eo_arena arena;
};

void eo_edits_release(struct eo_edits *e);
void eo_edits_replace(struct eo_edits *e, size_t start, size_t end,
		      const char *text);
void eo_edits_insert(struct eo_edits *e, size_t at, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
void eo_edits_remove(struct eo_edits *e, size_t start, size_t end);

/*
 * The text with the edits made, appended to @out. Lines that come are ended
 * as the line is that they come into ("\r\n"). Then braces go to all branches
 * of an if where an edit gave one some. False when two edits are about the
 * same bytes, or one lies outside: then there is no result.
 */
bool eo_edits_apply(struct eo_edits *e, const char *text, size_t n,
		    struct eo_str *out);

#endif
