/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * git, with none of the user's or the system's settings, hooks or filters, in
 * a repository of ours or in none.
 */
#ifndef EO_VERIFY_GIT_H
#define EO_VERIFY_GIT_H

#include <stddef.h>

struct eo_error;
struct eo_proc_result;

/* Where it runs, and on what; all but @dir may be NULL and 0. */
struct eo_git {
	const char *dir;
	const char *input;
	size_t input_len;
	const char *author, *email, *date; /* for commit */
	unsigned timeout_ms; /* 0: a minute */
};

/*
 * git ARGS, a list that ends with NULL. A status other than 0 is for the
 * caller to judge. A folder without a repository of its own stays so: git
 * does not look above it.
 */
struct eo_error *eo_git_run(const struct eo_git *g, const char *const *args,
			    struct eo_proc_result *r);
/* The same, and a status other than 0 is an error. */
struct eo_error *eo_git_check(const struct eo_git *g, const char *const *args,
			      struct eo_proc_result *r);

#define EO_GIT(g, r, ...) \
	eo_git_check((g), (const char *const[]){ __VA_ARGS__, NULL }, (r))

#endif
