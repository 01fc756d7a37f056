/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which configuration the code needs: from the #if lines around the places
 * where a name stands, and from the Makefile lines that build the file.
 */
#ifndef EO_TREE_CONDITIONS_H
#define EO_TREE_CONDITIONS_H

#include <stddef.h>

struct eo_error;
struct eo_map;
struct eo_tree;

/*
 * Adds to @on the CONFIG_ symbols (without the prefix) that must be set, and
 * to @off those that must not be, for the compiler to see the lines of @text
 * that name one of @names: #ifdef, #if defined(), IS_ENABLED(), &&, !, #else.
 * What it cannot decide (||, comparisons) it leaves alone.
 */
void eo_conditions_in_text(const char *text, const char *const *names,
			   size_t n_names, struct eo_map *on,
			   struct eo_map *off);

/* The same for the @n ranges of lines, first and last of each, from 1. */
void eo_conditions_at_lines(const char *text, const unsigned (*lines)[2],
			    size_t n, struct eo_map *on, struct eo_map *off);

/*
 * Adds the symbols of "obj-$(CONFIG_X) += file.o" (or of the composite object
 * or folder it is part of, up to the root) to @on.
 */
struct eo_error *eo_conditions_of_file(const struct eo_tree *tree,
				       const char *file, struct eo_map *on);

/* "depends on A && B" of symbol @symbol in the Kconfig files, to @on. */
struct eo_error *eo_conditions_of_symbol(const struct eo_tree *tree,
					 const char *symbol, struct eo_map *on);

#endif
