/* SPDX-License-Identifier: GPL-2.0-only */
/* The flags that Kbuild would compile files with, from make's dry run. */
#ifndef EO_TREE_DRYRUN_H
#define EO_TREE_DRYRUN_H

#include <stddef.h>

struct eo_arena;
struct eo_error;
struct eo_kmake;
struct eo_map;

/*
 * Adds file → flags (as eo_build_flags() gives them, in @a) for those of the
 * files that make has a rule for.
 */
struct eo_error *eo_dryrun(const struct eo_kmake *k, const char *const *files,
			   size_t n, struct eo_arena *a, struct eo_map *flags);

/* The part that reads what make printed; for @flags as above. */
void eo_dryrun_read(const char *output, struct eo_arena *a,
		    struct eo_map *flags);

#endif
