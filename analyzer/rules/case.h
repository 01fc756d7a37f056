/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A case: one rule's argument about one call, obligation by obligation, and
 * the obligations that several rules share. It ends as a finding or as a
 * rejected one.
 */
#ifndef EO_RULES_CASE_H
#define EO_RULES_CASE_H

#include <stdbool.h>

#include "finding/finding.h"
#include "rules/path.h"
#include "rules/rule.h"

struct eo_case {
	const struct eo_site *site;
	struct eo_findings list; /* of the one finding */
	struct eo_finding *f;
};

void eo_case_begin(struct eo_case *c, const struct eo_rule *rule,
		   const struct eo_site *site);
/*
 * Judges it and copies it to @found, or to @rejected when an obligation that
 * it cannot do without has failed.
 */
void eo_case_end(struct eo_case *c, bool can_fix, struct eo_findings *found,
		 struct eo_findings *rejected);

struct eo_arena *eo_case_arena(const struct eo_case *c);
void eo_case_oblige(struct eo_case *c, const char *name, enum eo_proof state,
		    const char *fmt, ...) __attribute__((format(printf, 4, 5)));
void eo_case_step(struct eo_case *c, const char *kind, const struct eo_node *at,
		  const char *text);
/* The step every path begins with: the call, and what it costs. */
void eo_case_call_step(struct eo_case *c);
/* A step for each return among @atoms, or for the end of the function. */
void eo_case_exit_steps(struct eo_case *c, const bool *atoms, const char *text);
/* "line 12: TEXT", or TEXT. */
const char *eo_case_at_line(const struct eo_case *c, const struct eo_reason *r);

/* "deferrable": skipping the call loses nothing. */
void eo_case_deferrable(struct eo_case *c);
/*
 * "likely": unlikely() does not say of the side @nth of the decision @branch
 * that it is hardly ever taken; there is nothing to say otherwise.
 */
void eo_case_likely(struct eo_case *c, unsigned branch, unsigned nth);
/* "callers": nobody reads the call's product behind the function's back. */
void eo_case_callers(struct eo_case *c);
/*
 * "early-path": on the atoms of @early, those behind the call on the path that
 * does not need it, an early return would skip nothing else. Sets f->result.
 * @nothing says when that is: "with nothing to walk".
 */
void eo_case_early_path(struct eo_case *c, const bool *early,
			const struct eo_trace *trace, const char *nothing);

#endif
