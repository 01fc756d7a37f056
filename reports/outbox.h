/* SPDX-License-Identifier: GPL-2.0-only */
/* The folder that a finished series is put into. */
#ifndef EO_REPORTS_OUTBOX_H
#define EO_REPORTS_OUTBOX_H

#include <stddef.h>

struct eo_error;
struct eo_str;

/* A header that marks a mail as ours: only those are ever replaced. */
#define EO_MAIL_MARK "X-Earlyout"

struct eo_mail_file {
	char *name; /* "0001-x.patch" */
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

/* Adds a mail and takes @text over; nothing is written yet. */
void eo_outbox_add(struct eo_outbox *box, const char *name, char *text);

/* Makes dir and writes all mails below it, out of sight; a full disk shows. */
struct eo_error *eo_outbox_stage(struct eo_outbox *box);

/*
 * Replaces our earlier series with the staged mails. That one was replaced is
 * a line in @notes.
 */
struct eo_error *eo_outbox_publish(struct eo_outbox *box, struct eo_str *notes);

#endif
