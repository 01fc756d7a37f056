/* SPDX-License-Identifier: GPL-2.0-only */
/* What came out: one entry a check and patch, with its reason and its log. */
#ifndef EO_VERIFY_CHECKS_H
#define EO_VERIFY_CHECKS_H

#include <stddef.h>

#include "base/mem.h"

enum eo_outcome { EO_PASS, EO_WARN, EO_FAIL, EO_SKIPPED };

struct eo_check {
	size_t step; /* number of the patch, from 1 */
	const char *name; /* "applies", "checkpatch", … */
	enum eo_outcome verdict;
	const char *reason; /* a sentence */
	const char *log; /* "" when there is no more to say */
};

struct eo_checks {
	struct eo_check *items;
	size_t n, cap;
	struct eo_arena arena;
};

void eo_checks_add(struct eo_checks *c, size_t step, const char *name,
		   enum eo_outcome verdict, const char *log, const char *fmt,
		   ...) __attribute__((format(printf, 6, 7)));
void eo_checks_release(struct eo_checks *c);
/* "pass", "warn", "fail", "skipped" */
const char *eo_outcome_name(enum eo_outcome v);

#endif
