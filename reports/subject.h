/* SPDX-License-Identifier: GPL-2.0-only */
/* The subject line of a patch, in the style of the subsystem. */
#ifndef EO_REPORTS_SUBJECT_H
#define EO_REPORTS_SUBJECT_H

struct eo_error;
struct eo_finding;
struct eo_tree;

/* "[PATCH 1/1] " does not count. */
#define EO_SUBJECT_MAX 75

/*
 * What stands before the colon: with git history the most frequent prefix of
 * the file's last commits, else eo_subject_prefix_of_path(). The caller frees
 * *out.
 */
struct eo_error *eo_subject_prefix(const struct eo_tree *tree, const char *file,
				   char **out);

/* Of subjects, one a line, newest first: the most frequent prefix, or NULL. */
char *eo_subject_prefix_of_log(const char *subjects);

/*
 * From the path alone: "mm/memcontrol" for mm/memcontrol.c, but "blk-cgroup"
 * for block/blk-cgroup.c, whose name says the folder already.
 */
char *eo_subject_prefix_of_path(const char *file);

/*
 * "PREFIX: what", at most EO_SUBJECT_MAX columns when the prefix allows. @what
 * is what whoever made the change calls it, or NULL: then the rule's own words
 * for @f are taken. The caller frees.
 */
char *eo_subject(const char *prefix, const struct eo_finding *f,
		 const char *what);

/*
 * What a finding's head is called in a sentence: "->list" for "&x->list",
 * "the_list" for "&the_list". The caller frees.
 */
char *eo_head_name(const char *head);

#endif
