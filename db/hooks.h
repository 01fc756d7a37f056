/* SPDX-License-Identifier: GPL-2.0-only */
/* Programs of the user that measure, and what a census counted. */
#ifndef EO_DB_HOOKS_H
#define EO_DB_HOOKS_H

#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"

struct eo_db;
struct eo_error;

struct eo_hook {
	const char *name;
	const char *path; /* absolute */
	const char *rule, *finding; /* what it is for; NULL: any */
	int64_t added; /* seconds since the epoch, UTC */
};

struct eo_hooks {
	struct eo_hook *items; /* by name */
	size_t n, cap;
	struct eo_arena arena;
};

/* Of the tree @root. A name that is there already: EO_ERR_INPUT. */
struct eo_error *eo_db_put_hook(struct eo_db *db, const char *root,
				const struct eo_hook *hook);
/* No such hook: EO_ERR_INPUT that names those there are. */
struct eo_error *eo_db_forget_hook(struct eo_db *db, const char *root,
				   const char *name);
struct eo_error *eo_db_get_hooks(struct eo_db *db, const char *root,
				 struct eo_hooks *out);
/*
 * The name of the hook that is attached to @finding (16 digits), else of the
 * one to its rule, the last that was added; NULL when there is none. From @a.
 */
struct eo_error *eo_db_get_hook_of(struct eo_db *db, const char *root,
				   const char *finding, struct eo_arena *a,
				   const char **name);
/* NULL when there is none of that name. */
const struct eo_hook *eo_hooks_find(const struct eo_hooks *hooks,
				    const char *name);
void eo_hooks_release(struct eo_hooks *hooks);

/* How many files of a name are empty on a host. */
struct eo_census {
	const char *file, *root, *host;
	unsigned cpus; /* possible ones */
	size_t files, empty, unread; /* files: that could be read */
	int64_t taken;
};

struct eo_error *eo_db_put_census(struct eo_db *db, const char *tree_root,
				  const struct eo_census *c);

#endif
