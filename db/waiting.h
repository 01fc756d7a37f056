/* SPDX-License-Identifier: GPL-2.0-only */
/* What was measured on the running kernel, until the other one is booted. */
#ifndef EO_DB_WAITING_H
#define EO_DB_WAITING_H

#include <stdbool.h>
#include <stdint.h>

#include "base/mem.h"

struct eo_db;
struct eo_error;

struct eo_waiting {
	const char *workload, *params;
	const char *kernel; /* as uname(2) names it */
	const char *boot; /* the id that each boot has */
	const char *distorting; /* or NULL */
	const char *said; /* records (verify/bench/record.h), one by one */
	int64_t started; /* seconds since the epoch, UTC */
	const char *profile; /* lines of perf's (verify/bench/perf.h), or NULL */
	struct eo_arena arena;
};

/* Of the tree @root; what waited of this workload is replaced. */
struct eo_error *eo_db_put_waiting(struct eo_db *db, const char *root,
				   const struct eo_waiting *w);
/* *found is whether there is one; @out is zeroed by the caller. */
struct eo_error *eo_db_get_waiting(struct eo_db *db, const char *root,
				   const char *workload, struct eo_waiting *out,
				   bool *found);
/* None of that workload: EO_ERR_INPUT. */
struct eo_error *eo_db_forget_waiting(struct eo_db *db, const char *root,
				      const char *workload);
void eo_waiting_release(struct eo_waiting *w);

#endif
