/* SPDX-License-Identifier: GPL-2.0-only */
/* A run's findings, a line each, for lists of thousands; and single ones. */
#ifndef EO_DB_ROWS_H
#define EO_DB_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"
#include "finding/finding.h"

struct eo_db;
struct eo_error;
struct eo_standing;
struct eo_standings;

struct eo_row {
	const char *id, *rule, *file, *function, *call, *guard, *message;
	unsigned line, column, engines;
	enum eo_confidence confidence;
	enum eo_fix fix;
	const char *status; /* "new", "unchanged", "reopened" */
	bool suppressed, known; /* known: in the baseline */
	const char *review, *note, *who; /* NULL: none holds */
	int64_t version; /* of its reviews: see db/decisions.h */
	double weight, gain; /* shares, 0 to 1; below 0: not known */
};

struct eo_rows {
	struct eo_row *items; /* the heaviest first, as findings are ranked */
	size_t n, cap;
	struct eo_arena arena;
};

/* @run is a run's number, not 0. @out is zeroed by the caller. */
struct eo_error *eo_db_get_rows(struct eo_db *db, int64_t run,
				struct eo_rows *out);
void eo_rows_release(struct eo_rows *rows);
/* Suppressed, or reviewed as false-positive or wont-fix. */
bool eo_row_is_aside(const struct eo_row *r);

/* The finding @id of @run, appended to @out; no such one: nothing is. */
struct eo_error *eo_db_get_finding(struct eo_db *db, int64_t run,
				   const char *id, struct eo_findings *out);
/* The same for how it stands. */
struct eo_error *eo_db_get_standing(struct eo_db *db, int64_t run,
				    const char *id, struct eo_standings *out);

#endif
