/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The mail series: turns the findings of a run whose fix is auto into
 * 0000-cover-letter.patch and 0001-….patch, by way of git in a scratch
 * repository, so that it works on a tree with or without git history.
 */
#ifndef EO_REPORTS_SERIES_H
#define EO_REPORTS_SERIES_H

#include <stdint.h>

struct eo_db;
struct eo_error;
struct eo_model;
struct eo_tree;

struct eo_series_options {
	const char *dir; /* -o */
	const char *from; /* "Name <address>", or NULL: git's user */
	int64_t run; /* 0: the last */
	unsigned jobs;
};

/*
 * Writes the series to opts->dir and stores it; *n is the number of patches,
 * 0 when no finding has an automatic fix (then nothing is written), *failed
 * that of the automatic fixes which could not be made. Warnings (no
 * get_maintainer.pl, a fix that spatch did not make) are appended to
 * @warnings, one a line. Needs git, and a user name and address for git.
 */
struct eo_str;
struct eo_error *eo_series_write(struct eo_db *db, const struct eo_tree *tree,
				 struct eo_model *model,
				 const struct eo_series_options *opts,
				 struct eo_str *warnings, unsigned *n,
				 unsigned *failed);

#endif
