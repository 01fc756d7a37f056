/* SPDX-License-Identifier: GPL-2.0-only */
/* From what came out to the database. */
#ifndef EO_VERIFY_STORE_H
#define EO_VERIFY_STORE_H

#include <stdbool.h>
#include <stdint.h>

struct eo_checks;
struct eo_db;
struct eo_error;
struct eo_input;
struct eo_tree;

/* When and how it was verified. */
struct eo_verify_run {
	const char *input; /* as it was given */
	bool sandbox;
	int64_t started; /* seconds since the epoch */
	int64_t duration_ms;
};

/*
 * Whether every patch is, to the byte, one that `earlyout patch` has written
 * for @tree.
 */
struct eo_error *eo_verify_is_ours(struct eo_db *db, const struct eo_tree *tree,
				   const struct eo_input *in, bool *ours);

/*
 * Stores it; patches that we have written ourselves are known by what they
 * change, and linked to their series.
 */
struct eo_error *eo_verify_store(struct eo_db *db, const struct eo_tree *tree,
				 const struct eo_input *in,
				 const struct eo_checks *c,
				 const struct eo_verify_run *run);

#endif
