/* SPDX-License-Identifier: GPL-2.0-only */
/* Runs the kernel's own makefiles, into a folder outside of the tree. */
#ifndef EO_TREE_KMAKE_H
#define EO_TREE_KMAKE_H

#include <stdbool.h>
#include <stddef.h>

struct eo_error;
struct eo_proc_result;

struct eo_kmake {
	const char *source; /* the tree, or its shadow */
	const char *build;
	const char *log; /* file for the output of what failed */
	const char *cc; /* "clang-19" */
	unsigned jobs;
};

/* The clang of the version that we are linked with; the caller frees *cc. */
struct eo_error *eo_kmake_find_clang(char **cc);
/* An error that lists what Kbuild needs and this machine does not have. */
struct eo_error *eo_kmake_check_tools(void);

/* make TARGETS. An error quotes the end of the output and names the log. */
struct eo_error *eo_kmake(const struct eo_kmake *k, const char *const *targets,
			  size_t n);
/*
 * What make would run for TARGETS, in r->out. Goes on after what cannot be
 * made, so r->status says little. With @direct, everything is taken to be
 * prepared, which saves most of the time.
 */
struct eo_error *eo_kmake_dry(const struct eo_kmake *k, bool direct,
			      const char *const *targets, size_t n,
			      struct eo_proc_result *r);

#endif
