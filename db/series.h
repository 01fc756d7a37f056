/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What `earlyout patch` wrote: series of patches, each with its versions, and
 * proposals where there is no patch. db/db.h takes this in.
 */
#ifndef EO_DB_SERIES_H
#define EO_DB_SERIES_H

#include <stddef.h>
#include <stdint.h>

struct eo_arena;
struct eo_db;
struct eo_error;

/* A patch for a finding. Strings belong to whoever filled it in. */
struct eo_patch {
	const char *finding; /* id */
	const char *file; /* the one it touches, or the first of them */
	const char *subject; /* without "[PATCH …]" */
	const char *body; /* of the message, without the subject */
	const char *diff; /* unified, a/ and b/ */
	const char *mail; /* the whole mail file */
	unsigned number, total; /* in its series */
	const char *strategy; /* how the rewriter made it, or NULL */
	const char *fixes; /* "0123456789ab (\"subject\")", or NULL */
	const char *const *also; /* ids of what else it mends, or NULL */
	size_t n_also;
};

struct eo_series {
	int64_t id; /* given when it is stored */
	int64_t run;
	const char *cover; /* the cover letter's mail */
	int64_t created; /* seconds since the epoch, UTC */
	struct eo_patch *items;
	size_t n, cap;
	const char *name; /* folder below the output; NULL and "": the only one */
	const char *title; /* the subsystem as MAINTAINERS has it, or NULL */
	unsigned version; /* 0 when stored is 1 */
	int64_t rerolls; /* the version before, or 0 */
	const char *changes; /* since then, for a reader; or NULL */
	const char *range_diff; /* or NULL */
	const char *base; /* the commit it applies to, or NULL */
	const void *bundle; /* its commits, as `git bundle` packs them */
	size_t bundle_len;
};

struct eo_proposal {
	const char *finding, *name, *text;
};

/* All that one `earlyout patch` wrote. */
struct eo_writing {
	int64_t run;
	const char *strategy; /* that was asked for, or NULL */
	int64_t created;
	struct {
		struct eo_series *items;
		size_t n, cap;
	} series;
	struct {
		struct eo_proposal *items;
		size_t n, cap;
	} proposals;
};

/* In one transaction; sets the ids of its series. */
struct eo_error *eo_db_put_writing(struct eo_db *db, struct eo_writing *w);
/* A writing of one series. */
struct eo_error *eo_db_put_series(struct eo_db *db, struct eo_series *series);

/*
 * The last writing of @run (0: the last run), without bundles. Strings and
 * lists live in @arena: nothing to free. No series and no proposals when
 * nothing was written.
 */
struct eo_error *eo_db_get_writing(struct eo_db *db, int64_t run,
				   struct eo_arena *arena,
				   struct eo_writing *out);
/*
 * The versions that the series @id rerolls, the newest first, without their
 * patches; *n of them, in @arena.
 */
struct eo_error *eo_db_get_earlier(struct eo_db *db, int64_t id,
				   struct eo_arena *arena,
				   struct eo_series **out, size_t *n);
/*
 * The same as one list of patches, in the order in which they apply, with
 * what the first series says; out->n is 0 when there is none.
 */
struct eo_error *eo_db_get_series(struct eo_db *db, int64_t run,
				  struct eo_arena *arena,
				  struct eo_series *out);
/*
 * The last series called @name ("" for the only one) of the tree at @root,
 * with its bundle; out->id is 0 when there is none.
 */
struct eo_error *eo_db_get_last_version(struct eo_db *db, const char *root,
					const char *name,
					struct eo_arena *arena,
					struct eo_series *out);

#endif
