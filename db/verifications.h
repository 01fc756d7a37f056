/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What `earlyout verify` said: every check of every patch, with its reason
 * and its log, the warnings that come and go, and what becomes of findings.
 * Words are as the schema has them (migrations/, "version 8").
 */
#ifndef EO_DB_VERIFICATIONS_H
#define EO_DB_VERIFICATIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"

struct eo_db;
struct eo_error;
struct eo_str;

/* Numbers of patches are from 1; strings belong to whoever filled them in. */
struct eo_verified_patch {
	const char *subject, *author;
	unsigned version;
	const char *diff_id;
	int64_t series; /* where we have written the same change, or 0 */
	size_t series_n; /* there, from 0 */
	size_t n; /* read only: which of its verification */
};

struct eo_verified_check {
	size_t patch;
	const char *name, *verdict, *reason, *log; /* the log is cut */
	int64_t duration_ms;
};

struct eo_verified_warning {
	size_t patch;
	const char *tool, *fingerprint, *text;
	bool comes; /* else it goes */
};

struct eo_verified_finding {
	size_t patch;
	const char *finding, *rule, *file, *function, *fate, *why;
};

/* An array of them. */
#define EO_VERIFIED_LIST(type) \
	struct {               \
		type *items;   \
		size_t n, cap; \
	}

struct eo_verification {
	int64_t id; /* given by eo_db_put_verification() */
	const char *root; /* of the tree */
	const char *input, *title, *base, *version, *revision, *tool_version;
	const char *notes, *verdict;
	bool sandbox;
	int64_t started, duration_ms;
	EO_VERIFIED_LIST(struct eo_verified_patch) patches;
	EO_VERIFIED_LIST(struct eo_verified_check) checks;
	EO_VERIFIED_LIST(struct eo_verified_warning) warnings;
	EO_VERIFIED_LIST(struct eo_verified_finding) findings;
};

void eo_verification_release(struct eo_verification *v);

/* All of it in one transaction; sets v->id. */
struct eo_error *eo_db_put_verification(struct eo_db *db,
					struct eo_verification *v);

/* A patch of any series that was written for a tree. */
struct eo_written_patch {
	int64_t series;
	size_t n; /* from 0 */
	const char *diff;
};

struct eo_written_patches {
	struct eo_written_patch *items; /* of the last series first */
	size_t n, cap;
};

/* Strings are in @arena; the caller frees out->items. */
struct eo_error *eo_db_get_written_patches(struct eo_db *db, const char *root,
					   struct eo_arena *arena,
					   struct eo_written_patches *out);

/*
 * What was last said of the change @diff_id on the tree at @root, a line a
 * verdict, appended to @out: "pass on Linux 6.12.117: applies, build, …";
 * nothing when it was never verified. Reasons stand behind what did not pass.
 */
struct eo_error *eo_db_get_verified(struct eo_db *db, const char *root,
				    const char *diff_id, struct eo_str *out);

/* The same, read back: the last of each change, with that patch alone. */
struct eo_verified {
	struct eo_verification *items; /* the last first */
	size_t n, cap;
	struct eo_arena arena;
};

/*
 * What was last said, on the tree at @root, of the change @diff_id (NULL: of
 * none), and of every patch that makes the finding @finding (NULL: any) go.
 * Never verified is no error. @out is zeroed by the caller.
 */
struct eo_error *eo_db_get_verified_all(struct eo_db *db, const char *root,
					const char *diff_id,
					const char *finding,
					struct eo_verified *out);
void eo_verified_release(struct eo_verified *list);

#endif
