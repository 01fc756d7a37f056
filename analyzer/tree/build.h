/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How the compiler is called for a file. From, in order: a
 * compile_commands.json, an existing build directory (its .cmd files), or a
 * configuration that is prepared here, in the cache, once a tree, with clang
 * and with what the candidates need switched on.
 */
#ifndef EO_TREE_BUILD_H
#define EO_TREE_BUILD_H

#include <stdbool.h>
#include <stddef.h>

struct eo_error;
struct eo_tree;
struct eo_build;
struct eo_gap;

struct eo_build_options {
	const char *build_dir; /* --build DIR, or NULL */
	const char *compile_commands; /* FILE, or NULL: the tree's own */
	const char *const *files; /* the candidates */
	size_t n_files;
	const char *const *names; /* the model's names, for conditions */
	size_t n_names;
	unsigned jobs;
};

/* An error means that no flags can be had for any file. */
struct eo_error *eo_build_open(const struct eo_tree *tree,
			       const struct eo_build_options *opts,
			       struct eo_build **out);
/*
 * More candidates, found in a later round: the prepared configuration grows
 * by what they need (and is prepared again only if that is new to it), their
 * flags are asked for.
 */
struct eo_error *eo_build_add(struct eo_build *b, const char *const *files,
			      size_t n_files, const char *const *names,
			      size_t n_names);
void eo_build_free(struct eo_build *b);

/*
 * The compiler's arguments for @file (relative to the tree), without the
 * compiler, -c, -o, -MMD and the file itself, and without what only GCC
 * knows; to be used in the folder eo_build_dir(). NULL when Kbuild does not
 * build the file: then *why says why. With flags, *why is NULL, or says why
 * they are only likely to fit (another file's, a file that others include).
 * Valid as long as @b.
 */
const char *const *eo_build_flags(struct eo_build *b, const char *file,
				  const char **why);
/* The folder that the flags are relative to. */
const char *eo_build_dir(const struct eo_build *b);
/* "compile_commands.json", "build directory", "prepared" */
const char *eo_build_origin(const struct eo_build *b);
/* Path of the .config in use, or NULL. */
const char *eo_build_config(const struct eo_build *b);

#endif
