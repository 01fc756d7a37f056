/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A configuration of our own for a tree that nobody has built: the default
 * one of this machine's architecture, with what the candidates want switched
 * on, prepared by the kernel's makefiles in the tree's cache. It is kept and
 * only made again when the tree changed, or more is wanted than it has.
 */
#ifndef EO_TREE_PREPARED_H
#define EO_TREE_PREPARED_H

#include <stddef.h>

struct eo_error;
struct eo_tree;
struct eo_prepared;

/* Takes the lock on the cache; nothing is made yet. */
struct eo_error *eo_prepared_open(const struct eo_tree *tree, unsigned jobs,
				  struct eo_prepared **out);
void eo_prepared_free(struct eo_prepared *p);

/* As eo_build_add(). */
struct eo_error *eo_prepared_add(struct eo_prepared *p,
				 const char *const *files, size_t n_files,
				 const char *const *names, size_t n_names);
/* As eo_build_flags(). */
const char *const *eo_prepared_flags(const struct eo_prepared *p,
				     const char *file, const char **why);
const char *eo_prepared_dir(const struct eo_prepared *p);

#endif
