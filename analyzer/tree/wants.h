/* SPDX-License-Identifier: GPL-2.0-only */
/* What the candidates want of a configuration. */
#ifndef EO_TREE_WANTS_H
#define EO_TREE_WANTS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/map.h"

struct eo_error;
struct eo_kmake;
struct eo_kconfig;

/* Symbols that are to be set, and those that are not to be. */
struct eo_wants {
	struct eo_map on, off;
};

void eo_wants_release(struct eo_wants *w);

/*
 * Adds what @files (relative to @root) need to be built for @arch, and what
 * the lines in them that name one of @names are behind. Files that cannot be
 * read, and those of other architectures, want nothing.
 */
struct eo_error *eo_wants_collect(const char *root, const char *arch,
				  const char *const *files, size_t n_files,
				  const char *const *names, size_t n_names,
				  struct eo_wants *w);

/*
 * Changes the .config of @k's build folder to what @w wants, with all that
 * this needs, as far as Kconfig lets us. What is in @keep is never switched
 * off. A @fresh .config is short and completed in any case; else *changed
 * says whether there was anything to do.
 */
struct eo_error *eo_wants_apply(const struct eo_kmake *k,
				const struct eo_kconfig *kconfig,
				const struct eo_wants *w,
				const struct eo_map *keep, bool fresh,
				bool *changed);

#endif
