/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A scratch source tree: the files of a checkout, to be changed at will. It
 * is made of hard links, so it takes two seconds and no room; a file that is
 * changed is replaced, never written in place, and all that may write runs in
 * a sandbox that has it read-only. Kept in the tree's cache: opening it again
 * only brings it up to date, which also puts back what a run that was killed
 * had changed. Without .git and what a build in place left, so that
 * "make O=" takes it.
 */
#ifndef EO_VERIFY_SOURCE_H
#define EO_VERIFY_SOURCE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/map.h"

struct eo_error;
struct eo_str;
struct eo_tree;

struct eo_source {
	char *root; /* of the checkout */
	char *dir; /* of the copy */
	int lock; /* no other process changes it meanwhile */
	struct eo_map changed; /* a set of paths, relative to dir */
};

/*
 * The copy called @name ("verify": words for a folder) of @tree, as the
 * checkout is now. Waits until no other process has it open. @s is zeroed by
 * the caller and released by it, in case of an error too.
 */
struct eo_error *eo_source_open(const struct eo_tree *tree, const char *name,
				struct eo_source *s);
/* Puts back what was changed. */
void eo_source_release(struct eo_source *s);

/*
 * Removes the copy called @name, if there is one; waits as opening does. Its
 * lock stays, an empty file: another process may wait for it.
 */
struct eo_error *eo_source_discard(const struct eo_tree *tree,
				   const char *name);

/* Whether @file is a path that may be changed: relative, in the tree, … */
bool eo_source_is_path(const char *file);
/* Replaces or adds @file; its folders are made. */
struct eo_error *eo_source_put(struct eo_source *s, const char *file,
			       const void *p, size_t n, bool executable);
struct eo_error *eo_source_remove(struct eo_source *s, const char *file);
/* Everything is as in the checkout again. */
struct eo_error *eo_source_restore(struct eo_source *s);
/* Appends the text of @file; *there is false when there is none. */
struct eo_error *eo_source_read(const struct eo_source *s, const char *file,
				struct eo_str *out, bool *there);

#endif
