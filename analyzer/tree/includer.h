/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Some .c files are no unit of their own: another .c file beside them
 * includes them, and only that one is compiled.
 */
#ifndef EO_TREE_INCLUDER_H
#define EO_TREE_INCLUDER_H

struct eo_error;
struct eo_tree;

/*
 * The .c file of the same folder with `#include "NAME"` for @file, relative
 * to the tree; NULL when there is none. The caller frees *out.
 */
struct eo_error *eo_tree_includer(const struct eo_tree *tree, const char *file,
				  char **out);

#endif
