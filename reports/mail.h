/* SPDX-License-Identifier: GPL-2.0-only */
/* The words of the mails: the message of a patch, the cover letter. */
#ifndef EO_REPORTS_MAIL_H
#define EO_REPORTS_MAIL_H

#include <stdbool.h>
#include <stddef.h>

struct eo_finding;
struct eo_model;
struct eo_run;
struct eo_str;

/* Columns of a message's text. */
#define EO_MAIL_WIDTH 72

/*
 * Whether the words below are true of @f: an early return, before the call,
 * from a function that makes it for a walk.
 */
bool eo_mail_can_tell(const struct eo_finding *f);

/*
 * The message of the patch for @f (eo_mail_can_tell()), without subject and trailers: what is done
 * needlessly, why the early return is right, what a race can do, what the
 * test costs. Every sentence rests on a field of @f or on the model.
 */
void eo_mail_body(const struct eo_model *model, const struct eo_finding *f,
		  struct eo_str *out);

/* One patch as the cover letter tells of it. */
struct eo_cover_entry {
	const struct eo_finding *finding;
	const char *prefix; /* of its subject */
};

/*
 * The cover letter's subject, an empty line and its text: what the series is,
 * each patch with the state of its proof, how it was found, how to check it.
 */
void eo_mail_cover(const struct eo_run *run, const struct eo_cover_entry *list,
		   size_t n, struct eo_str *out);

#endif
