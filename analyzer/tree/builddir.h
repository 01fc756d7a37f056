/* SPDX-License-Identifier: GPL-2.0-only */
/* Flags from a folder that somebody has built this kernel in. */
#ifndef EO_TREE_BUILDDIR_H
#define EO_TREE_BUILDDIR_H

#include <stdbool.h>

struct eo_arena;
struct eo_error;

/* Whether @dir has a configuration and objects to learn flags from. */
bool eo_builddir_is_built(const char *dir);
/* The same as an error that says what is missing, or whose build it is. */
struct eo_error *eo_builddir_check(const char *dir, const char *root);

/* As eo_build_flags(), with the strings in @a. */
const char *const *eo_builddir_flags(const char *dir, const char *root,
				     const char *file, struct eo_arena *a,
				     const char **why);

#endif
