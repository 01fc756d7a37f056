/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The words of the mails: the message of a patch, the cover letter. Every
 * sentence rests on a field of a finding, on an obligation of its proof, on
 * the model, on a note of whoever made the change, or on a stored number.
 */
#ifndef EO_REPORTS_MAIL_H
#define EO_REPORTS_MAIL_H

#include <stdbool.h>
#include <stddef.h>

struct eo_change;
struct eo_evidences;
struct eo_finding;
struct eo_model;
struct eo_plan_step;
struct eo_run;
struct eo_str;

/* Columns of a message's text. */
#define EO_MAIL_WIDTH 72

/* What a message is about, and what it may rest on. */
struct eo_mail {
	const struct eo_model *model;
	const struct eo_plan_step *step; /* the findings, how they are mended */
	const struct eo_change *change; /* NULL: there is none yet */
	const struct eo_evidences *evidence; /* or NULL */
	bool changed_before; /* a patch before it changed the function: the
			      * call may be another by now */
};

/*
 * The message of the patch, without subject and trailers: what is done
 * needlessly, what changes, why that is right, what a race can do, what it
 * costs, what was measured.
 */
void eo_mail_body(const struct eo_mail *m, struct eo_str *out);

/* Its first paragraph, not filled: what happens today, and why needlessly. */
void eo_mail_today(const struct eo_mail *m, struct eo_str *s);
/*
 * A whole sentence of @text ("line 12: the call is in a loop") for a reader
 * who does not have our lines, and a blank behind it. Appends nothing when it
 * cannot be said without the line. NULL is nothing.
 */
void eo_mail_sentence(struct eo_str *s, const char *text);
/* "a(), b() and c()": the functions of the findings, each once. */
void eo_mail_functions(const struct eo_mail *m, struct eo_str *s);
/* Whether a step of that kind is on the path of @f. */
bool eo_mail_has_step(const struct eo_finding *f, const char *kind);

/*
 * "Measured …:" and a table, as paragraphs for eo_fill(); nothing when there
 * is no evidence. Numbers from a kernel that distorts them are left out.
 */
void eo_mail_numbers(const struct eo_evidences *list, struct eo_str *s);

/* One patch as the cover letter tells of it. */
struct eo_cover_entry {
	struct eo_mail mail;
	const char *prefix; /* of its subject */
	const char *subject; /* all of it */
	unsigned builds_on; /* number of a patch before it, or 0 */
	const char *checked; /* what verification says of it, or NULL */
};

struct eo_cover {
	const struct eo_run *run;
	const struct eo_cover_entry *items;
	size_t n;
	unsigned version; /* from 1 */
	const char *part_of; /* a sentence on other series, or NULL */
	const char *changes; /* since the last version: lines, or NULL */
};

/*
 * The cover letter's subject, an empty line and its text: what the series is,
 * each patch with the state of its proof and what was checked and measured,
 * how it was found, how to check it.
 */
void eo_mail_cover(const struct eo_cover *c, struct eo_str *out);

#endif
