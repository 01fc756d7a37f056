/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where functions are defined, by their text: nothing is parsed, so what a
 * macro defines is not found, and a function of an #if branch that is never
 * true is.
 */
#ifndef EO_TREE_DEFINITIONS_H
#define EO_TREE_DEFINITIONS_H

#include <stdbool.h>
#include <stddef.h>

struct eo_error;
struct eo_map;
struct eo_tree;

/*
 * Adds to the set @files, relative to the tree, the .c files of the kernel
 * that define one of @names. A function that more than a few files define has
 * a version an architecture, or is static in each of them: it is left out.
 * Files of other architectures than the host's do not count.
 */
struct eo_error *eo_definitions_find(const struct eo_tree *tree,
				     const char *const *names, size_t n_names,
				     unsigned jobs, struct eo_map *files);

/* Whether @text defines function @name. */
bool eo_text_defines(const char *text, size_t len, const char *name);

#endif
