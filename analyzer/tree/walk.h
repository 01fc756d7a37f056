/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads every .c file below a folder, in threads. Symbolic links are not
 * followed and hidden folders (.git, quilt's .pc) not entered.
 */
#ifndef EO_TREE_WALK_H
#define EO_TREE_WALK_H

#include <stdbool.h>
#include <stddef.h>

struct eo_error;

/* Called in many threads, each with its own @ctx. Paths are relative. */
struct eo_walk_ops {
	/* @text is good until the function returns, and has no NUL after. */
	void (*text)(void *ctx, const char *file, const char *text, size_t n);
	void (*unreadable)(void *ctx, const char *path, bool folder,
			   const char *why);
};

/* How many threads are worth starting for @jobs: at least one. */
unsigned eo_walk_threads(unsigned jobs);

/* @ctx has one item a thread. An error: no such folder, or Ctrl-C. */
struct eo_error *eo_walk_sources(const char *root,
				 const struct eo_walk_ops *ops, void **ctx,
				 unsigned threads);

#endif
