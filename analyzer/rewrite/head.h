/* SPDX-License-Identifier: GPL-2.0-only */
/* The head of a function: where it starts, its parameters in the text. */
#ifndef EO_REWRITE_HEAD_H
#define EO_REWRITE_HEAD_H

#include <stddef.h>

struct eo_code;
struct eo_error;
struct eo_func;

/* First byte of a function, or of the comment on it; past its last line. */
size_t eo_head_start(const struct eo_code *c, const struct eo_func *f);
size_t eo_head_end(const struct eo_code *c, const struct eo_func *f);
/*
 * @text in place of the parameter @name, or behind the last one; on a line of
 * its own, under the first, where the line gets too long.
 */
struct eo_error *eo_head_set_param(struct eo_code *c, const struct eo_func *f,
				   const char *name, const char *text);
struct eo_error *eo_head_add_param(struct eo_code *c, const struct eo_func *f,
				   const char *text);
/* "@old" in the comment on the function becomes "@new". */
void eo_head_rename(struct eo_code *c, const struct eo_func *f, const char *old,
		    const char *new);

#endif
