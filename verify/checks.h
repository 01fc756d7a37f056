/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What came out: one entry a check and patch, with its reason and its log;
 * beside that, one by one, the warnings that come and go and the findings
 * that a patch changes.
 */
#ifndef EO_VERIFY_CHECKS_H
#define EO_VERIFY_CHECKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"

struct eo_finding;

enum eo_outcome { EO_PASS, EO_WARN, EO_FAIL, EO_SKIPPED };

struct eo_check {
	size_t step; /* number of the patch, from 1 */
	const char *name; /* "applies", "checkpatch", … */
	enum eo_outcome verdict;
	const char *reason; /* a sentence */
	const char *log; /* "" when there is no more to say */
	int64_t duration_ms; /* checks run side by side */
};

/* A warning of one of the two states that the other does not have. */
struct eo_said {
	size_t step;
	const char *tool; /* "compiler", "sparse", "coccinelle" */
	bool comes; /* else it goes */
	const char *fingerprint, *text;
};

/* What becomes of a finding: "proved" (gone, and why), "shape" (gone, but it
 * cannot be said why), "hidden", "stays" (and should not), "new". */
struct eo_became {
	size_t step;
	const char *finding; /* id */
	const char *rule, *file, *function, *fate, *why;
};

struct eo_checks {
	struct eo_check *items;
	size_t n, cap;
	struct {
		struct eo_said *items;
		size_t n, cap;
	} said;
	struct {
		struct eo_became *items;
		size_t n, cap;
	} became;
	bool sandboxed; /* all that was run ran in bubblewrap */
	struct eo_arena arena;
};

void eo_checks_add(struct eo_checks *c, size_t step, const char *name,
		   enum eo_outcome verdict, const char *log, const char *fmt,
		   ...) __attribute__((format(printf, 6, 7)));
/* How long the last one that was added took. */
void eo_checks_took(struct eo_checks *c, int64_t ms);
void eo_checks_say(struct eo_checks *c, size_t step, const char *tool,
		   bool comes, const char *fingerprint, const char *text);
void eo_checks_became(struct eo_checks *c, size_t step,
		      const struct eo_finding *f, const char *fate,
		      const char *why);
void eo_checks_release(struct eo_checks *c);
/*
 * Of all together: EO_FAIL, EO_SKIPPED when a build or a scan could not be
 * done, or what a patch needs is not there, which is no pass, else EO_PASS.
 * What there is to skip in any patch (no Fixes:, no recipients) is one.
 */
enum eo_outcome eo_checks_verdict(const struct eo_checks *c);
/* "pass", "warn", "fail", "skipped" */
const char *eo_outcome_name(enum eo_outcome v);

#endif
