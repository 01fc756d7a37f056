/* SPDX-License-Identifier: GPL-2.0-only */
/* Making one change by our own rewriters; what rewrite.c does in a worker. */
#ifndef EO_REWRITE_MAKE_H
#define EO_REWRITE_MAKE_H

#include <stdbool.h>

struct eo_build;
struct eo_change;
struct eo_error;
struct eo_model;
struct eo_overlay;
struct eo_plan_step;
struct eo_tree;
struct eo_unit;

/* What is needed to parse a file of the tree. */
struct eo_source {
	const struct eo_tree *tree;
	struct eo_model *model;
	struct eo_build *build; /* or NULL, and */
	const char *const *args; /* the same for every file */
};

/* Whether there is a rewriter of ours for the rule. */
bool eo_make_has_rule(const char *rule);
/* Parses @file as @overlay has it, with all warnings; may change folder. */
struct eo_error *eo_make_parse(const struct eo_source *src,
			       const struct eo_overlay *overlay,
			       const char *file, struct eo_unit **out);
/*
 * Makes the change, and looks at what came out: each file still compiles, and
 * the rule finds nothing to mend there any more. Parses here, in this process.
 */
struct eo_error *eo_make_change(const struct eo_source *src,
				const struct eo_overlay *overlay,
				const struct eo_plan_step *step,
				struct eo_change *out);

#endif
