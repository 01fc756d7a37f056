/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The folder that what was written is put into: one series, or several, each
 * in a folder of its own below it; and proposals.
 */
#ifndef EO_REPORTS_OUTBOX_H
#define EO_REPORTS_OUTBOX_H

#include <stddef.h>

struct eo_error;
struct eo_str;

/* A header that marks a file as ours: only those are ever replaced. */
#define EO_MAIL_MARK "X-Earlyout"
/* And the cover letters; ", folder NAME" follows where a series is a part. */
#define EO_MAIL_MARK_COVER EO_MAIL_MARK ": cover letter"

struct eo_mail_file {
	char *name; /* "0001-x.patch", "block/v2-0001-x.patch" */
	char *text;
};

struct eo_outbox {
	char *dir;
	char *stage; /* a folder in dir: same file system, so rename(2) does */
	struct eo_mail_file *items;
	size_t n, cap;
};

/*
 * Looks at @dir, which need not be there yet. A mail in it that is not ours
 * is an EO_ERR_USAGE: two series in one folder would be sent as one.
 */
struct eo_error *eo_outbox_open(const char *dir, struct eo_outbox *box);
void eo_outbox_release(struct eo_outbox *box);

/*
 * Adds a mail, or a proposal ("proposal-0001-x.txt"), and takes @text over;
 * nothing is written yet. @name is of our making: at most one folder.
 */
void eo_outbox_add(struct eo_outbox *box, const char *name, char *text);

/* Makes dir and writes all mails below it, out of sight; a full disk shows. */
struct eo_error *eo_outbox_stage(struct eo_outbox *box);

/*
 * Replaces what we have put there earlier with what was staged. That something
 * was replaced is a line in @notes.
 */
struct eo_error *eo_outbox_publish(struct eo_outbox *box, struct eo_str *notes);

#endif
