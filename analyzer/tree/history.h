/* SPDX-License-Identifier: GPL-2.0-only */
/* What git says of a tree's past: files renamed, files changed. */
#ifndef EO_TREE_HISTORY_H
#define EO_TREE_HISTORY_H

#include <stddef.h>

#include "base/map.h"
#include "base/mem.h"

struct eo_error;
struct eo_tree;

/*
 * Sets @out[old name] = new name (in @arena) for each file that was renamed
 * between @revision and the work tree, as git's rename detection sees it.
 * Without git, or when it does not know @revision, nothing is added: only
 * Ctrl-C is an error.
 */
struct eo_error *eo_git_renames(const struct eo_tree *tree,
				const char *revision, struct eo_arena *arena,
				struct eo_map *out);

/* What a range of commits changes. */
struct eo_changes {
	struct eo_map files; /* a set; also those that it removes */
	struct eo_map functions; /* a set: names of functions in .c files that
				  * it touches, adds or removes */
	char *end; /* the last commit of the range, 40 digits */
};

/*
 * @range is "A..B", as `git diff` takes it, but always with "..". A tree
 * without git, or a range that git does not know, is an EO_ERR_USAGE.
 */
struct eo_error *eo_git_changes(const struct eo_tree *tree, const char *range,
				struct eo_changes *out);
void eo_changes_release(struct eo_changes *c);

#endif
