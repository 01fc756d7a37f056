/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Under which configuration Kbuild builds a file: read from the makefiles of
 * its folder and of the folders above.
 */
#ifndef EO_TREE_KBUILD_H
#define EO_TREE_KBUILD_H

#include <stdbool.h>

struct eo_error;
struct eo_map;

/*
 * Adds the symbols that must be set for @file (relative to @root) to @on.
 * When more than one line builds it, those of the line that wants the fewest.
 * *found is false when no line was found that lists its object: it may be
 * included by another file, or the makefile is cleverer than our reader;
 * @on then has what its folder needs.
 */
struct eo_error *eo_kbuild_conditions(const char *root, const char *arch,
				      const char *file, struct eo_map *on,
				      bool *found);

/* The makefile that lists the objects of @dir; NULL: it has none. Freed by
 * the caller. */
char *eo_kbuild_makefile(const char *root, const char *dir);

#endif
