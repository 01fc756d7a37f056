/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The mail series: turns the findings of a run whose fix is automatic into
 * 0000-cover-letter.patch and 0001-….patch, by way of git in a scratch
 * repository, so that it works on a tree with or without git history. Those
 * whose fix is manual can be written up as proposals, for people to read.
 */
#ifndef EO_REPORTS_SERIES_H
#define EO_REPORTS_SERIES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

struct eo_db;
struct eo_error;
struct eo_model;
struct eo_tree;

struct eo_series_options {
	const char *dir; /* -o */
	const char *from; /* "Name <address>", or NULL: git's user */
	const char *strategy; /* of the rewriter, for all that have it; or NULL */
	const char *note; /* of a reroll, for its list of changes; or NULL */
	const char *build_dir, *compile_commands; /* as for a scan, or NULL */
	int64_t run; /* 0: the last */
	unsigned jobs;
	bool split; /* one series a subsystem, each in a folder below dir */
	bool reroll; /* the next version of the last one */
	bool proposals; /* write up what has no automatic fix */
	bool dry_run; /* neither files nor database */
};

/* What was written, or would have been. */
struct eo_written {
	unsigned patches, proposals;
	unsigned series;
	unsigned version; /* of the last series */
	struct eo_str folder; /* below dir, of the last series; "": none */
	unsigned failed; /* automatic fixes that could not be made */
	unsigned manual; /* findings that have no automatic fix */
	struct eo_str files; /* "NAME: SUBJECT", a line each */
	struct eo_str warnings; /* a line each */
};

void eo_written_release(struct eo_written *w);

/*
 * Writes the series to opts->dir and stores it. Nothing is written when no
 * finding has an automatic fix and no proposals are wanted. Warnings are what
 * a user should know: no get_maintainer.pl, a fix that could not be made.
 * @out is zeroed by the caller and released by it in every case. Needs git,
 * and a user name and address for git. @model has the wrappers that the scan
 * found.
 */
struct eo_error *eo_series_write(struct eo_db *db, const struct eo_tree *tree,
				 struct eo_model *model,
				 const struct eo_series_options *opts,
				 struct eo_written *out);

#endif
