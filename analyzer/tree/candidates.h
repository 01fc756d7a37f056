/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Candidates: the files that name a modelled call. One fast pass over every
 * .c file of the tree, in @jobs threads.
 */
#ifndef EO_TREE_CANDIDATES_H
#define EO_TREE_CANDIDATES_H

#include <stddef.h>

#include "base/mem.h"

struct eo_error;
struct eo_tree;
struct eo_gaps;

struct eo_candidate {
	const char *file; /* relative to the root */
	unsigned long long names; /* bit i: names[i % 64] is in it */
};

struct eo_candidates {
	struct eo_candidate *items; /* sorted by file */
	size_t n, cap;
	size_t files; /* how many .c files were looked at */
	size_t outside; /* name a call but are no kernel code: tools/ … */
	struct eo_arena arena;
};

void eo_candidates_release(struct eo_candidates *c);

/*
 * A name counts as a whole identifier outside of comments and strings. Files
 * that cannot be read, and files with a NUL byte (no C), go to @gaps, once an
 * engine. Files for which eo_tree_is_kernel_path() is false only count.
 * @out is zeroed by the caller.
 */
struct eo_error *eo_candidates_find(const struct eo_tree *tree,
				    const char *const *names, size_t n_names,
				    unsigned jobs, struct eo_gaps *gaps,
				    struct eo_candidates *out);

#endif
