/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What units say of each other: summaries of functions that others call, and
 * who calls whom. Inside scan/ only.
 *
 * After the rounds, the files that define what a finding's proof is lacking
 * are read for summaries, and the finding's file is looked at again; the
 * files that name a function with a finding, for what makes it hot.
 */
#ifndef EO_SCAN_CONTEXT_H
#define EO_SCAN_CONTEXT_H

#include <stdbool.h>

#include "base/map.h"
#include "facts/callgraph.h"
#include "facts/extern.h"

struct eo_callers;
struct eo_error;
struct eo_model;
struct eo_rounds;
struct eo_str;
struct eo_summaries;
struct eo_wire;

/* Zeroed to begin with. */
struct eo_context {
	struct eo_externs externs;
	struct eo_callgraph graph;
	struct eo_map asked; /* set: functions that were looked for */
	struct eo_map asking; /* set: those of this round */
	struct eo_map opened; /* set: those whose callers were */
};

void eo_context_release(struct eo_context *c);

/* In a worker: what its unit has to say; of what is asked for, if @answer. */
void eo_context_put(struct eo_str *to, const struct eo_context *c, bool answer,
		    const struct eo_callers *callers,
		    struct eo_summaries *summaries);
/* In its parent; false: the bytes are bad. */
bool eo_context_get(struct eo_wire *w, const char *file, struct eo_context *c);

/* Summaries from the files that define what the findings' proofs lack. */
struct eo_error *eo_context_learn(struct eo_rounds *s);
/* Call chains from the files that name the functions with findings. */
struct eo_error *eo_context_heat(struct eo_rounds *s);

#endif
