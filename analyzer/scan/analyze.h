/* SPDX-License-Identifier: GPL-2.0-only */
/* Everything that is asked of one unit. Runs in a worker process. */
#ifndef EO_SCAN_ANALYZE_H
#define EO_SCAN_ANALYZE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/str.h"
#include "finding/finding.h"

struct eo_context;
struct eo_model;
struct eo_site;
struct eo_unit;
struct eo_wire;

/* What --dump asks for, instead of or beside the findings. */
enum eo_dump { EO_DUMP_NONE, EO_DUMP_CFG, EO_DUMP_FACTS };

struct eo_analysis {
	struct eo_findings found;
	struct eo_findings rejected; /* looked at, and why not */
	struct eo_gaps gaps;
	struct {
		struct eo_found_wrapper {
			const char *name, *ends_in, *also; /* in found.arena */
			bool always, is_static, own_books;
			unsigned subject;
		} *items;
		size_t n, cap;
	} wrappers;
	struct eo_map wanted; /* set: functions of other units that would have
			       * to be known for a finding to be proved */
	struct eo_str context; /* a worker's, for eo_context_get() */
	size_t functions; /* how many were looked into */
	size_t calls; /* modelled calls in them */
};

/* How a unit is looked at when it is one of many. */
struct eo_ask {
	const struct eo_context *context; /* what the others said */
	bool facts_only; /* no findings, only what it has to say itself */
};

/*
 * Finds the wrappers of the unit, then lets every rule look at every modelled
 * call. @ask may be NULL: the unit is all there is. @out is zeroed by the
 * caller. @model gets the unit's own wrappers (eo_model_forget_local() takes
 * them out again).
 */
void eo_analyze_unit(struct eo_unit *u, struct eo_model *model,
		     const struct eo_ask *ask, struct eo_analysis *out);
void eo_analysis_release(struct eo_analysis *a);
bool eo_analysis_has_gap(const struct eo_analysis *a,
			 enum eo_gap_reason reason);

/* What a finding was made from, for whoever wants to look closer. */
struct eo_analyzed {
	const struct eo_finding *finding; /* without an id */
	/* The call; atom, f, dom and call are not set for what a rule found
	 * inside of a modelled call. */
	const struct eo_site *site;
};

/*
 * eo_analyze_unit() of a unit that is all there is; each finding is shown to @visit while all that it was made from
 * is there.
 */
void eo_analyze_each(struct eo_unit *u, struct eo_model *model,
		     struct eo_analysis *out,
		     void (*visit)(const struct eo_analyzed *at, void *data),
		     void *data);

/* For --dump: of the functions with a modelled call, or of all named. */
void eo_analyze_dump(struct eo_unit *u, struct eo_model *model,
		     enum eo_dump what, const char *function, FILE *to);

/* From worker to parent. */
void eo_analysis_put(struct eo_str *to, const struct eo_analysis *a);
/* Appends to @out; false when the bytes are bad. */
bool eo_analysis_get(struct eo_wire *w, struct eo_analysis *out);

#endif
