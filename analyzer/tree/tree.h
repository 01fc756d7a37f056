/* SPDX-License-Identifier: GPL-2.0-only */
/* What kernel tree this is. Nothing here or below writes to it. */
#ifndef EO_TREE_TREE_H
#define EO_TREE_TREE_H

#include <stdbool.h>

struct eo_error;

struct eo_tree {
	char *root; /* absolute, resolved */
	char *version; /* "6.12.117", from the top Makefile */
	char *revision; /* git's 40 digits of HEAD, or NULL without git */
	bool dirty; /* tracked files differ from the revision */
	char key[17]; /* hash of root: names what we keep about the tree */
};

/*
 * The kernel tree that contains @dir (NULL: the current directory), which may
 * be a folder below its root. An error says what was missing.
 */
struct eo_error *eo_tree_open(const char *dir, struct eo_tree **out);
void eo_tree_free(struct eo_tree *tree);

/* "<cache>/<key>/<name>", the folders made; the caller frees *out. */
struct eo_error *eo_tree_cache_path(const struct eo_tree *tree,
				    const char *name, char **out);

/* Whether Kbuild compiles files of this path into a kernel: not tools/ … */
bool eo_tree_is_kernel_path(const char *file);

#endif
