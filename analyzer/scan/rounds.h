/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The rounds of a scan: files that name a call of the model are analysed, a
 * wrapper found in one makes candidates of the files that call it, until
 * nothing new turns up. Inside scan/ only.
 */
#ifndef EO_SCAN_ROUNDS_H
#define EO_SCAN_ROUNDS_H

#include "base/map.h"
#include "base/mem.h"
#include "model/model.h"
#include "scan/context.h"

struct eo_build;
struct eo_error;
struct eo_scan;
struct eo_scan_options;
struct eo_tree;

/* Files are analysed again when a new wrapper is in them, or when more is
 * known of what they call: the last analysis of a file is the one that
 * counts. */
struct eo_rounds {
	const struct eo_tree *tree;
	struct eo_model *model;
	const struct eo_scan_options *opts;
	struct eo_scan *out;
	struct eo_build *build;
	struct eo_map results; /* file → struct eo_analysis */
	struct eo_names batch; /* the files of this round */
	bool facts_only; /* they are asked for context, not for findings */
	struct eo_context context; /* what units say of each other */
	struct eo_arena arena;
	size_t n_calls; /* calls of the model that were looked for already */
};

void eo_rounds_release(struct eo_rounds *s);
struct eo_error *eo_rounds_run(struct eo_rounds *s);

/* How to compile the batch; @names tell what its code is conditional on. */
struct eo_error *eo_rounds_open_build(struct eo_rounds *s,
				      const struct eo_names *names);
/* Analyses the batch, in worker processes; their answers go to results. */
struct eo_error *eo_rounds_run_batch(struct eo_rounds *s);

unsigned eo_scan_timeout(const struct eo_scan_options *opts);
void eo_names_free(struct eo_names *names); /* the list; not the names */

#endif
