/* SPDX-License-Identifier: GPL-2.0-only */
/* What measuring says of a patch: the rows of the view report_evidence. */
#ifndef EO_DB_EVIDENCE_H
#define EO_DB_EVIDENCE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/mem.h"

struct eo_db;
struct eo_error;

/* One workload, one metric. Strings live in the list's arena. */
struct eo_evidence {
	const char *workload; /* "read of an empty io.stat" */
	bool downside; /* a case that the patch is not for, and may cost */
	const char *metric; /* "time" */
	const char *unit; /* of before and after: "us" */
	unsigned n; /* pairs */
	double before, after; /* medians */
	double change; /* the median paired change: -0.22 is 22% less */
	double low, high; /* its confidence interval */
	const char *machine, *kernel, *config; /* phrases, or NULL */
	const char *distorting; /* "lockdep": no evidence then; or NULL */
	const char *verdict; /* "no consistent change"; NULL: see interval */
	const char *common; /* "340 of 969 files …" as a sentence; or NULL */
};

struct eo_evidences {
	struct eo_evidence *items; /* in the order of the view */
	size_t n, cap;
	struct eo_arena arena;
};

/*
 * Of the patch with @diff for the finding @id: numbers of another patch, or
 * of an older version of it, are not among them. @out is zeroed by the caller
 * and released by it; none is no error.
 */
struct eo_error *eo_db_get_evidence(struct eo_db *db, const char *id,
				    const char *diff, struct eo_evidences *out);
void eo_evidences_release(struct eo_evidences *list);

#endif
