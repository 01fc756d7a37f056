/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How findings stand: against earlier runs, against a baseline, with who
 * suppressed them and with what was said of them in a review.
 *
 * A finding is followed by its fingerprint. That has the file's name, so
 * after a rename there is a new one; the oldest, the origin, holds them
 * together.
 */
#ifndef EO_DB_HISTORY_H
#define EO_DB_HISTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/map.h"
#include "base/mem.h"

struct eo_db;
struct eo_error;
struct eo_gap;
struct eo_str;

struct eo_standing {
	char id[17];
	const char *status; /* "new", "unchanged", "reopened" */
	int64_t last_run; /* that had it before; 0: none */
	const char *suppressed_by; /* NULL: it is not */
	const char *suppressed_at, *suppressed_reason, *suppressed_date;
	const char *review; /* its last review's status, or NULL */
	const char *review_note;
	bool has_baseline, known; /* known: it is in the baseline */
	double weight; /* share of the profile, 0 to 1; below 0: not in it */
};

/* What an earlier run had and this one has not. */
struct eo_absent {
	const char *id, *status; /* "resolved", "unseen": was not looked at */
	const char *rule, *file, *function, *call;
	int64_t last_run;
	unsigned line; /* as of then */
};

struct eo_standings {
	struct eo_standing *items; /* in the order of eo_db_get_findings() */
	size_t n, cap;
	struct {
		struct eo_absent *items;
		size_t n, cap;
	} absent;
	struct eo_arena arena;
};

/* @run 0 is the last. @out is zeroed by the caller and released by it. */
struct eo_error *eo_db_get_standings(struct eo_db *db, int64_t run,
				     struct eo_standings *out);
void eo_standings_release(struct eo_standings *s);
/* NULL when there is no such finding in it. */
const struct eo_standing *eo_standings_find(const struct eo_standings *s,
					    const char *id);
/*
 * Whether it makes a scan fail: not when it is suppressed, reviewed as
 * false-positive or wont-fix, or in the baseline.
 */
bool eo_standing_counts(const struct eo_standing *s);
/* Whether people have put it aside: as above, but for the baseline. */
bool eo_standing_is_aside(const struct eo_standing *s);

/* A finding as it was last seen, for whoever looks for its new name. */
struct eo_known {
	const char *id, *origin;
	const char *rule, *file, *function, *call_text;
	const char *revision; /* of the tree then, or NULL */
	unsigned line;
};

struct eo_known_list {
	struct eo_known *items; /* by file and line */
	size_t n, cap;
	struct eo_arena arena;
};

/* All that were ever found in the tree at @root. */
struct eo_error *eo_db_get_known(struct eo_db *db, const char *root,
				 struct eo_known_list *out);
void eo_known_release(struct eo_known_list *list);

/* What was found before, and may stay. */
struct eo_baseline {
	struct eo_map ids; /* with the origins */
	struct eo_map gaps; /* of the ledger */
};

/*
 * @what is the number of a run, or a file that `scan --format json` wrote. No
 * such run, no such file, or a file of something else: EO_ERR_INPUT.
 */
struct eo_error *eo_db_get_baseline(struct eo_db *db, const char *what,
				    struct eo_baseline *out);
void eo_baseline_release(struct eo_baseline *b);
bool eo_baseline_has_gap(const struct eo_baseline *b, const struct eo_gap *g);

struct eo_review {
	const char *status; /* see eo_review_is_status() */
	const char *note; /* or NULL */
	const char *who;
	int64_t made; /* seconds since the epoch, UTC */
	const char *undone_by; /* NULL: it was not taken back */
	int64_t undone;
};

struct eo_reviews {
	struct eo_review *items; /* the oldest first */
	size_t n, cap;
	struct eo_arena arena;
};

bool eo_review_is_status(const char *s);
/* "confirmed, false-positive, …", for messages. */
const char *eo_review_statuses(void);

/*
 * The one finding whose id begins with @prefix (4 digits at least); of those
 * that are the same one under several names, the last. None, or several, is
 * an EO_ERR_INPUT.
 */
struct eo_error *eo_db_find_id(struct eo_db *db, const char *prefix,
			       char id[17]);
/* @id is any of the finding's. */
struct eo_error *eo_db_put_review(struct eo_db *db, const char *id,
				  const struct eo_review *review);
struct eo_error *eo_db_get_reviews(struct eo_db *db, const char *id,
				   struct eo_reviews *out);
void eo_reviews_release(struct eo_reviews *r);

/*
 * All findings that report_listing has, each with its whole history, as the
 * object "earlyout-reviews/1"; appended to @out. No scan yet: EO_ERR_INPUT.
 */
struct eo_error *eo_db_get_reviews_json(struct eo_db *db, struct eo_str *out);

/* A row of `review --list`: the last run's findings, and what was reviewed. */
struct eo_listed {
	const char *id, *rule, *file, *function, *call;
	unsigned line;
	const char *review; /* NULL: none yet */
	const char *state; /* in the last run: "new", "resolved", "gone", … */
	const char *note;
};

struct eo_listing {
	struct eo_listed *items;
	size_t n, cap;
	struct eo_arena arena;
};

struct eo_error *eo_db_get_listing(struct eo_db *db, struct eo_listing *out);
void eo_listing_release(struct eo_listing *l);

#endif
