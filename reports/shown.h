/* SPDX-License-Identifier: GPL-2.0-only */
/* One run with all that the formats show of it, read once. */
#ifndef EO_REPORTS_SHOWN_H
#define EO_REPORTS_SHOWN_H

#include <stdio.h>

#include "base/mem.h"
#include "db/db.h"
#include "db/history.h"
#include "finding/finding.h"

struct eo_shown {
	struct eo_arena arena;
	struct eo_run run;
	struct eo_findings findings;
	struct eo_standings standings; /* in the order of the findings */
	struct eo_gaps gaps;
	struct eo_series series;
};

/* @run 0 is the last. @s is zeroed by the caller and released by it. */
struct eo_error *eo_shown_load(struct eo_db *db, int64_t run,
			       struct eo_shown *s);
void eo_shown_release(struct eo_shown *s);

/* The patch for the finding @id in the series, or NULL. */
const struct eo_patch *eo_shown_patch(const struct eo_shown *s, const char *id);
/* How many findings, here or in earlier runs, have this status. */
size_t eo_shown_count(const struct eo_shown *s, const char *status);
/* Writes what a format made; an error is a full disk or a closed pipe. */
struct eo_error *eo_write_findings(const struct eo_str *s, FILE *to);

#endif
