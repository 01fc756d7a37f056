/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What compilers and checkers say, one by one, so that two states of a tree
 * can be compared: known by file, function and message, without line and
 * column, which move.
 */
#ifndef EO_VERIFY_COMPLAINTS_H
#define EO_VERIFY_COMPLAINTS_H

#include "base/map.h"
#include "base/mem.h"

struct eo_str;

struct eo_complaints {
	struct eo_map seen; /* fingerprint → the line, in arena */
	struct eo_arena arena;
};

void eo_complaints_release(struct eo_complaints *c);

enum eo_complainer { EO_BY_COMPILER, EO_BY_SPARSE, EO_BY_COCCI };

/*
 * Adds those of the lines "PREFIX/FILE:LINE:COL: …" of @text that are of
 * @who: with [-W…] or an error the compiler's, other warnings sparse's; for
 * Coccinelle, all. Equal ones count.
 */
void eo_complaints_read(struct eo_complaints *c, const char *text,
			const char *prefix, enum eo_complainer who);
/* Appends the lines that are in @after alone to @out; gives their number. */
size_t eo_complaints_new(const struct eo_complaints *before,
			 const struct eo_complaints *after, struct eo_str *out);

#endif
