/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Applies a series, patch by patch, with git, in a repository of ours that
 * has the touched files alone; what comes out goes to the scratch tree.
 */
#ifndef EO_VERIFY_APPLY_H
#define EO_VERIFY_APPLY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/map.h"
#include "base/mem.h"
#include "base/str.h"

struct eo_error;
struct eo_input;
struct eo_source;

struct eo_lines {
	unsigned first, last;
};

/* A file that a patch changes, and the lines that it adds or changes there. */
struct eo_touched {
	const char *file; /* relative to the tree */
	const char *text; /* after the patch, NULL when removed */
	size_t len;
	bool executable;
	bool added, removed; /* else changed */
	struct {
		struct eo_lines *items;
		size_t n, cap;
	} lines; /* in the new text; behind a deletion, the line after it */
};

struct eo_applied {
	bool applied;
	const char *how; /* "" cleanly; "with an offset of 6 lines", or why not */
	const char *log; /* what git said */
	const char *diff; /* as git makes it anew, "" when not applied */
	struct {
		struct eo_touched *items;
		size_t n, cap;
	} files;
};

struct eo_apply {
	char *repo;
	struct eo_source *source;
	const struct eo_input *input;
	struct eo_applied *steps; /* one a patch; applied one after the other */
	size_t n;
	struct eo_arena arena;
};

/*
 * Looks at all of the patches before anything is applied. Those that leave
 * the tree, touch .git, a symbolic link or a submodule, are binary or huge
 * are refused: an EO_ERR_INPUT that says which, and why.
 */
struct eo_error *eo_apply_open(struct eo_source *source,
			       const struct eo_input *input,
			       struct eo_apply *a);
void eo_apply_release(struct eo_apply *a);
/*
 * Applies the patches one after the other, as far as they apply. The scratch
 * tree stays as it is.
 */
struct eo_error *eo_apply_all(struct eo_apply *a);
/* Makes the scratch tree what it is after patch @i, when it was before it. */
struct eo_error *eo_apply_give(struct eo_apply *a, size_t i);
/* All files that one of the steps may touch, to the set @out. */
struct eo_error *eo_apply_files(const struct eo_input *input,
				struct eo_map *out);

#endif
