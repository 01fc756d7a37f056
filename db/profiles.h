/* SPDX-License-Identifier: GPL-2.0-only */
/* Imported profiles: what share of the time each function has. */
#ifndef EO_DB_PROFILES_H
#define EO_DB_PROFILES_H

#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"
#include "scan/profile.h"

struct eo_db;
struct eo_error;

/* To store one; the strings are whoever's filled it in. */
struct eo_stored_profile {
	const char *root; /* of the tree it is for */
	const char *name; /* one of the same name is replaced */
	const char *format; /* "perf-report", "folded" */
	int64_t imported; /* seconds since the epoch, UTC */
	const struct eo_share *items;
	size_t n;
};

/* It becomes the tree's last, the one that ranks; in one transaction. */
struct eo_error *eo_db_put_profile(struct eo_db *db,
				   const struct eo_stored_profile *p);
/* No such profile: EO_ERR_INPUT that names those there are. */
struct eo_error *eo_db_forget_profile(struct eo_db *db, const char *root,
				      const char *name);

struct eo_profile_row {
	const char *name, *format;
	int64_t imported;
	size_t symbols;
};

struct eo_profile_rows {
	struct eo_profile_row *items; /* the last, which ranks, comes first */
	size_t n, cap;
	struct eo_arena arena;
};

struct eo_error *eo_db_get_profiles(struct eo_db *db, const char *root,
				    struct eo_profile_rows *out);
void eo_profile_rows_release(struct eo_profile_rows *rows);

#endif
