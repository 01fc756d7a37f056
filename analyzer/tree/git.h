/* SPDX-License-Identifier: GPL-2.0-only */
/* Asking the git of a kernel tree: read-only, and free of our surroundings. */
#ifndef EO_TREE_GIT_H
#define EO_TREE_GIT_H

struct eo_error;
struct eo_proc_result;
struct eo_tree;

/*
 * Runs @argv ("git", …) in the tree, without what a hook that calls us has
 * set and without taking locks. As eo_proc_run(): a status other than 0 is no
 * error. At most two minutes.
 */
struct eo_error *eo_git(const struct eo_tree *tree, const char *const *argv,
			struct eo_proc_result *r);

#endif
