/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Kernels to measure: built out of the tree, in the sandbox, kept in the
 * tree's cache by tree, variant, configuration and compiler. A variant's
 * build starts from the objects of the checkout's own, at the same paths, so
 * that it takes seconds and differs in nothing else.
 */
#ifndef EO_VERIFY_BENCH_KERNEL_H
#define EO_VERIFY_BENCH_KERNEL_H

#include <stdbool.h>
#include <stddef.h>

#include "verify/source.h"

struct eo_error;
struct eo_tree;
struct eo_variant;

struct eo_builder {
	const struct eo_tree *tree;
	unsigned jobs;
	bool no_sandbox;
	const char *fragment; /* lines of a .config */
	/* Set by eo_builder_open(): */
	char *dir; /* in the cache */
	char *objects; /* of the checkout as it is */
	char state[17]; /* of tree, configuration and compiler */
	int lock;
	bool has_source, has_objects;
	struct eo_source source;
};

struct eo_kernel {
	char *image; /* the bzImage */
	char *map; /* its System.map */
	char *config; /* its .config */
	char key[17];
};

/*
 * Looks at the tree and takes the lock on its bench cache; waits for another
 * earlyout that has it. The fields above are the caller's, the rest zero.
 */
struct eo_error *eo_builder_open(struct eo_builder *b);
void eo_builder_close(struct eo_builder *b);

/* Whether it is in the cache. */
bool eo_builder_has(const struct eo_builder *b, const struct eo_variant *v);
/* Whether the checkout's own objects are, which cost the most. */
bool eo_builder_has_objects(const struct eo_builder *b);

/*
 * The kernel of a variant, built when it is not in the cache. @what ("before")
 * is for progress and errors. A variant that does not build is an
 * EO_ERR_INPUT that quotes the compiler. @out is released by the caller.
 */
struct eo_error *eo_builder_kernel(struct eo_builder *b,
				   const struct eo_variant *v, const char *what,
				   struct eo_kernel *out);
void eo_kernel_release(struct eo_kernel *k);

/*
 * Removes all of the tree's, with the scratch copy, which is links; *bytes is
 * what that gave back. Waits for another earlyout that builds.
 */
struct eo_error *eo_builder_clean(const struct eo_tree *tree, size_t *bytes);

#endif
