/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A scan, from tree to findings: candidates, units and SmPL matches, rules,
 * both engines merged. In rounds: a wrapper that one unit defines makes new
 * candidates of the files that call it, until nothing new turns up.
 */
#ifndef EO_SCAN_SCAN_H
#define EO_SCAN_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "finding/finding.h"
#include "scan/analyze.h"

struct eo_changes;
struct eo_error;
struct eo_model;
struct eo_tree;

struct eo_scan_options {
	const char *build_dir; /* --build, or NULL */
	const char *compile_commands; /* or NULL */
	const char *only; /* a file, relative to the tree: look at this one;
			   * the other candidates still tell of wrappers */
	const struct eo_changes *changes; /* or NULL: look at what these can
					   * affect; see scope.h */
	const struct eo_map *within; /* or NULL: a set of files; no other is
				      * read, not even for its wrappers */
	const struct eo_tree *flags_of; /* or NULL: the tree is a copy of this
					 * one, whose flags it takes, too */
	unsigned jobs;
	unsigned timeout_ms; /* a unit, or a file for spatch; 0: 120 s */
	bool smpl; /* run the SmPL engine too */
};

struct eo_scan {
	struct eo_findings found; /* merged, with ids, sorted */
	struct eo_findings rejected; /* clang's, for `explain` */
	struct eo_gaps gaps;
	size_t files, candidates, analyzed, outside;
	struct eo_map scope; /* with changes: the set of files looked at */
	size_t left_out; /* candidates that were not: another's wrappers, only */
	char *build_origin; /* where the flags came from */
	char *config_hash; /* of the .config, or NULL */
};

/*
 * @model gets the wrappers that were found. An error means that there is no
 * result at all (no flags, Ctrl-C); what could not be looked at is in gaps.
 * @out is zeroed by the caller and released by it.
 */
struct eo_error *eo_scan_run(const struct eo_tree *tree, struct eo_model *model,
			     const struct eo_scan_options *opts,
			     struct eo_scan *out);
void eo_scan_release(struct eo_scan *s);

/* Prints what the analysis sees in opts->only; see analyze.h. */
struct eo_error *eo_scan_dump(const struct eo_tree *tree,
			      struct eo_model *model,
			      const struct eo_scan_options *opts,
			      enum eo_dump what, const char *function,
			      FILE *to);

#endif
