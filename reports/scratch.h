/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A scratch git repository in a temporary folder: it holds the touched files
 * alone, and the commits that become the mails. No hooks, no templates and
 * none of the user's or the system's settings have a say in it.
 */
#ifndef EO_REPORTS_SCRATCH_H
#define EO_REPORTS_SCRATCH_H

#include <stdbool.h>
#include <stddef.h>

struct eo_error;
struct eo_str;
struct eo_tree;

/* Who the patches are from. */
struct eo_identity {
	char *name, *address;
};

/*
 * From "Name <address>", or, when @from is NULL, from git's user as the
 * tree's and the user's settings have it.
 */
struct eo_error *eo_identity_get(const char *from, const struct eo_tree *tree,
				 struct eo_identity *out);
void eo_identity_release(struct eo_identity *id);

struct eo_scratch {
	char *dir; /* the temporary folder */
	char *work; /* the repository's work tree, in it */
	char *mails; /* where eo_scratch_mails() puts them, in it */
	char **env; /* for git */
};

struct eo_error *eo_scratch_open(const struct eo_identity *author,
				 struct eo_scratch *s);
/* Removes the folder. */
void eo_scratch_release(struct eo_scratch *s);

/* Writes @text to @file, a path in the work tree. */
struct eo_error *eo_scratch_put(struct eo_scratch *s, const char *file,
				const char *text, size_t n);
/* The diff of what was put since the last commit, appended to @out. */
struct eo_error *eo_scratch_diff(struct eo_scratch *s, struct eo_str *out);
/* Commits everything, word for word as @message says. */
struct eo_error *eo_scratch_commit(struct eo_scratch *s, const char *message);
/* What has been put into the series begins after this. */
struct eo_error *eo_scratch_mark_base(struct eo_scratch *s);
/* Whether @diff applies to the base, without the patches before it. */
struct eo_error *eo_scratch_applies(struct eo_scratch *s, const char *diff,
				    bool *applies);

/* The series with its base as `git bundle` packs them: bytes, to @out. */
struct eo_error *eo_scratch_pack(struct eo_scratch *s, struct eo_str *out);
/* Takes an earlier version in, as eo_scratch_pack() gave it. */
struct eo_error *eo_scratch_unpack(struct eo_scratch *s, const void *p,
				   size_t n);
/* Between that version and this one: a line a patch, or with what changed. */
struct eo_error *eo_scratch_range_diff(struct eo_scratch *s, bool full,
				       struct eo_str *out);

/*
 * Makes the mails of the commits since the base, with @cover as letter.
 * @version is from 1; with @range there is an earlier one, and the letter
 * ends with the range-diff.
 */
struct eo_error *eo_scratch_mails(struct eo_scratch *s, const char *cover,
				  unsigned version, bool range);

#endif
