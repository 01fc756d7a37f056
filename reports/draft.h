/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A series on its way from a plan to mails: its changes are made one on top
 * of the other, become commits of a scratch repository, and these mails. One
 * writing may have several such series, each independent of the others.
 */
#ifndef EO_REPORTS_DRAFT_H
#define EO_REPORTS_DRAFT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/map.h"
#include "db/db.h"
#include "db/evidence.h"
#include "reports/mail.h"
#include "reports/recipients.h"
#include "reports/scratch.h"
#include "rewrite/rewrite.h"
#include "tree/overlay.h"

struct eo_outbox;
struct eo_series_options;

/* As long as maintainers like a series to be. */
#define EO_SERIES_MAX 15

/* What the series of one writing share. */
struct eo_writer {
	struct eo_db *db;
	const struct eo_tree *tree;
	struct eo_model *model;
	const struct eo_series_options *opts;
	const struct eo_run *run;
	struct eo_str *warnings;
	struct eo_identity author;
	struct eo_rewriter *rewriter;
	unsigned failed; /* changes that could not be made */
};

/* One patch of it. */
struct eo_draft_step {
	const struct eo_plan_step *plan;
	struct eo_change change;
	char *prefix, *subject, *body, *diff;
	char *fixes; /* "0123456789ab (\"subject\")", a line each, or NULL */
	char *mail; /* owned by the outbox */
	char *since; /* what has changed since the last version, or NULL */
	struct eo_evidences evidence;
	struct eo_recipients recipients;
	unsigned builds_on; /* number of a patch before it, or 0 */
};

struct eo_draft {
	char *name; /* its folder below the output; "": the only series */
	char *title; /* of the subsystem, or NULL */
	bool on_top; /* it begins with the end of the one before it: */
	const struct eo_draft *after; /* that one, or NULL */
	struct {
		const struct eo_plan_step **items;
		size_t n, cap;
	} plan;
	struct eo_draft_step *items; /* those that could be made */
	size_t n, cap;
	struct eo_overlay overlay; /* the touched files at its end */
	struct eo_map files; /* a set: what it touches */
	struct eo_scratch scratch;
	char *base; /* the commit it applies to, or NULL */
	char *cover; /* mail; owned by the outbox */
	unsigned version;
	int64_t rerolls; /* the version before, or 0 */
	bool has_range; /* that one's commits are in the scratch repository */
	char *changes, *range_diff; /* since then */
};

void eo_draft_release(struct eo_draft *d);

/*
 * Cuts @plan into series: one for each subsystem when @split, none longer
 * than EO_SERIES_MAX. What touches the same file stays in one series, or, when
 * that is too long, in series of which each goes on top of the one before.
 */
struct eo_drafts {
	struct eo_draft *items;
	size_t n, cap;
};

struct eo_error *eo_draft_cut(const struct eo_writer *w,
			      const struct eo_plan *plan, bool split,
			      struct eo_drafts *out);

/*
 * Makes the changes, and commits of them. What cannot be made is a line in
 * the warnings, is counted, and is left out.
 */
struct eo_error *eo_draft_make(struct eo_writer *w, struct eo_draft *d);

/* Before the mails are made: which version this is, what has changed. */
struct eo_error *eo_draft_reroll(struct eo_writer *w, struct eo_draft *d);

/* Makes the mails and puts them into @box. */
struct eo_error *eo_draft_mails(struct eo_writer *w, struct eo_draft *d,
				struct eo_outbox *box);

#endif
