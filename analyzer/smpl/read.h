/* SPDX-License-Identifier: GPL-2.0-only */
/* What spatch says about one file, made findings and gaps. */
#ifndef EO_SMPL_READ_H
#define EO_SMPL_READ_H

#include <stdbool.h>
#include <stddef.h>

struct eo_findings;
struct eo_gaps;
struct eo_model;
struct eo_proc_result;
struct eo_str;

/* A file that spatch was run on, in mode earlyout of the semantic patch. */
struct eo_spatch_file {
	const char *rule;
	const char *name; /* relative to the tree */
	const struct eo_str *text; /* what is in it */
};

/*
 * Appends the matches to @found and the functions that spatch did not parse,
 * if they name a call of the model, to @gaps. False when it did not come to
 * its end or says what we do not understand: then nothing was appended.
 */
bool eo_spatch_read(const struct eo_spatch_file *file,
		    const struct eo_model *model,
		    const struct eo_proc_result *r, struct eo_findings *found,
		    struct eo_gaps *gaps);

#endif
