/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Is this patch right? A series is applied in a scratch copy of the tree, step
 * by step, and each state is built, checked and scanned, in the sandbox.
 */
#ifndef EO_VERIFY_VERIFY_H
#define EO_VERIFY_VERIFY_H

#include <stdbool.h>
#include <stdio.h>

#include "verify/checks.h"
#include "verify/input.h"

struct eo_error;
struct eo_tree;

struct eo_verify_options {
	const char *model, *build, *compile_commands; /* each may be NULL */
	unsigned jobs, timeout_s; /* 0: ten minutes a program */
	unsigned disk_mib; /* that a build may write; 0: 1024 */
	bool no_sandbox, smpl;
	bool ours; /* written by us: may do without a sandbox if none is here */
};

/*
 * Verifies @in on @tree. Without a sandbox here and without --no-sandbox, and
 * for patches that are refused, it is an error. What could not be checked is
 * EO_SKIPPED in @out, with the reason.
 */
struct eo_error *eo_verify(const struct eo_tree *tree,
			   const struct eo_input *in,
			   const struct eo_verify_options *opts,
			   struct eo_checks *out);

/* As a short review for people; @verbose: with the logs. */
void eo_verify_text(const struct eo_input *in, const struct eo_checks *c,
		    bool verbose, FILE *to);
/* The object "earlyout-verify/1". */
void eo_verify_json(const struct eo_input *in, const struct eo_checks *c,
		    FILE *to);
/* b4's list: an object a check, with tool, status, summary and details. */
void eo_verify_b4(const struct eo_checks *c, FILE *to);

#endif
