/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What reviewers decide in a page, several at a time. Each decision names the
 * version of the finding's history that its reviewer saw; when somebody has
 * said something since, it is not stored but given back as stale, for the
 * reviewer to see both. Nothing of the history is ever overwritten.
 */
#ifndef EO_DB_DECISIONS_H
#define EO_DB_DECISIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"

struct eo_db;
struct eo_error;
struct eo_str;

/* Of a note and of a name, in bytes. */
#define EO_MAX_NOTE 8192
#define EO_MAX_WHO 200

enum eo_outcome {
	EO_STORED,
	EO_STALE, /* others were faster; nothing was stored */
	EO_REPEATED, /* its key is known: it was stored before */
	EO_UNKNOWN, /* no such finding, or nothing to take back */
};

struct eo_decision {
	const char *id; /* the finding's, 16 digits */
	const char *status; /* NULL: take back the review that holds */
	const char *note; /* or NULL */
	const char *key; /* of the one who made it, or NULL */
	int64_t expect; /* the version that was seen; below 0: any */
	int64_t made; /* seconds since the epoch, UTC */
	enum eo_outcome outcome; /* set by eo_db_put_decisions() */
};

struct eo_decisions {
	struct eo_decision *items;
	size_t n, cap;
	const char *who; /* as the text says, or NULL */
	struct eo_arena arena;
};

/*
 * Reads the object {"schema":"earlyout-review/1", "who":…, "changes":[{"id",
 * "status" or "undo":true, "note", "expect", "key", "made"}]}. @now stands
 * for a missing "made", and for one in the future. Anything that is not as it
 * should be is an EO_ERR_INPUT that says which change and what.
 */
struct eo_error *eo_db_read_decisions(struct eo_db *db, const char *json,
				      int64_t now, struct eo_decisions *out);
/*
 * Stores all that are not stale, in one transaction, and sets their outcomes.
 * @force: stale ones too.
 */
struct eo_error *eo_db_put_decisions(struct eo_db *db, struct eo_decisions *d,
				     const char *who, bool force);
void eo_decisions_release(struct eo_decisions *d);

/*
 * Appends the findings with a history, or the one called @id (not NULL), as a
 * JSON array of {"id", "version", "review", "note", "who", "history":[…]};
 * "review" and what is behind it are null when none holds. Those of @id are
 * there even without a history.
 */
struct eo_error *eo_db_get_review_state(struct eo_db *db, const char *id,
					struct eo_str *out);
/* A number that differs when anything was said since. */
struct eo_error *eo_db_get_review_clock(struct eo_db *db, int64_t *out);

#endif
