/* SPDX-License-Identifier: GPL-2.0-only */
/* Which commit brought a call in: what a "Fixes:" trailer names. */
#ifndef EO_TREE_ORIGIN_H
#define EO_TREE_ORIGIN_H

struct eo_error;
struct eo_tree;

/*
 * Follows line @line of @file, which calls @call, back through the history of
 * HEAD (git log -L) to the commit that put the call there. Commits that only
 * indent it, move it or rename what is called are passed by. *out becomes
 * "0123456789ab (\"subject\")", which the caller frees, or NULL: without git,
 * when the file is not as in HEAD, when the history is too short to tell (the
 * line is as old as the root, or as the edge of a shallow clone), or takes
 * too long to ask. Only Ctrl-C is an error.
 */
struct eo_error *eo_git_origin(const struct eo_tree *tree, const char *file,
			       unsigned line, const char *call, char **out);

#endif
