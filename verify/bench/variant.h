/* SPDX-License-Identifier: GPL-2.0-only */
/* What makes a kernel differ from the checkout: files, whole. */
#ifndef EO_VERIFY_BENCH_VARIANT_H
#define EO_VERIFY_BENCH_VARIANT_H

#include <stddef.h>

#include "base/mem.h"

struct eo_error;
struct eo_source;
struct eo_tree;

struct eo_variant_file {
	const char *path; /* relative to the tree's root */
	const char *text; /* NULL: it is removed */
	size_t n;
};

struct eo_variant {
	struct eo_variant_file *items; /* a path once */
	size_t n, cap;
	struct eo_arena arena;
};

void eo_variant_release(struct eo_variant *c);
/* 16 digits that name it: of no change at all, too. */
void eo_variant_key(const struct eo_variant *c, char out[17]);

/*
 * Adds the files as they are in git's @revision of the tree, where they
 * differ from the checkout. EO_ERR_USAGE without git, or such a revision.
 */
struct eo_error *eo_variant_of_revision(const struct eo_tree *tree,
					const char *revision,
					struct eo_variant *c);
/*
 * Applies a patch (unified, perhaps with a mail around it) on top of what @c
 * has and the checkout. @name is for errors. EO_ERR_INPUT when it does not
 * apply. "git apply" does it, in a folder of its own.
 */
struct eo_error *eo_variant_apply(const struct eo_tree *tree, const char *name,
				  const char *patch, size_t n,
				  struct eo_variant *c);
/*
 * The same code at other addresses: the C files of @of as they are in the
 * checkout, with some bytes that never run in front of their code; how many
 * is another number for each @which.
 */
struct eo_error *eo_variant_placebo(const struct eo_tree *tree,
				    const struct eo_variant *of, unsigned which,
				    struct eo_variant *c);
/* Brings it into a scratch tree. */
struct eo_error *eo_variant_put(const struct eo_variant *c,
				struct eo_source *source);

#endif
