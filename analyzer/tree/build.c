// SPDX-License-Identifier: GPL-2.0-only
#include "tree/build.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/file.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/str.h"
#include "tree/builddir.h"
#include "tree/compdb.h"
#include "tree/flags.h"
#include "tree/prepared.h"
#include "tree/shellwords.h"
#include "tree/tree.h"

/* What was found for a file, so that it is asked for once. */
struct answer {
	const char *const *flags;
	const char *why;
};

/* One of compdb, built and prepared is what the flags come from. */
struct eo_build {
	const struct eo_tree *tree;
	struct eo_compdb *compdb;
	char *built;
	struct eo_prepared *prepared;
	char *config; /* or NULL */
	struct eo_map answers; /* file → struct answer */
	struct eo_arena arena;
};

const char *eo_build_dir(const struct eo_build *b)
{
	if (b->compdb)
		return eo_compdb_dir(b->compdb);
	return b->built ? b->built : eo_prepared_dir(b->prepared);
}

const char *eo_build_origin(const struct eo_build *b)
{
	if (b->compdb)
		return "compile_commands.json";
	return b->built ? "build directory" : "prepared";
}

const char *eo_build_config(const struct eo_build *b)
{
	return b->config;
}

/* The compile_commands.json to use, or NULL; the caller frees it. */
static char *find_compdb(const struct eo_tree *tree,
			 const struct eo_build_options *o)
{
	static const char name[] = "compile_commands.json";
	char *path;

	if (o->compile_commands)
		return eo_strdup(o->compile_commands);
	path = eo_path_join(tree->root, name);
	if (!eo_is_file(path) && o->build_dir) {
		free(path);
		path = eo_path_join(o->build_dir, name);
	}
	if (eo_is_file(path))
		return path;
	free(path);
	return NULL;
}

static struct eo_error *choose(struct eo_build *b,
			       const struct eo_build_options *o)
{
	EO_CLEANUP(eo_freep) char *compdb = find_compdb(b->tree, o);

	if (compdb)
		return eo_compdb_open(compdb, b->tree->root, &b->compdb);
	if (o->build_dir) {
		eo_try(eo_path_real(o->build_dir, &b->built));
		return eo_builddir_check(b->built, b->tree->root);
	}
	if (eo_builddir_is_built(b->tree->root)) {
		b->built = eo_strdup(b->tree->root);
		return NULL;
	}
	eo_try(eo_prepared_open(b->tree, o->jobs, &b->prepared));
	return eo_prepared_add(b->prepared, o->files, o->n_files, o->names,
			       o->n_names);
}

struct eo_error *eo_build_open(const struct eo_tree *tree,
			       const struct eo_build_options *opts,
			       struct eo_build **out)
{
	struct eo_build *b = eo_zalloc(sizeof(*b));
	struct eo_error *err;

	b->tree = tree;
	err = choose(b, opts);
	if (err) {
		eo_build_free(b);
		return err;
	}
	b->config = eo_path_join(eo_build_dir(b), ".config");
	if (!eo_is_file(b->config)) {
		free(b->config);
		b->config = NULL;
	}
	*out = b;
	return NULL;
}

struct eo_error *eo_build_add(struct eo_build *b, const char *const *files,
			      size_t n_files, const char *const *names,
			      size_t n_names)
{
	if (!b->prepared)
		return NULL; /* whatever was built is what there is */
	return eo_prepared_add(b->prepared, files, n_files, names, n_names);
}

void eo_build_free(struct eo_build *b)
{
	if (!b)
		return;
	eo_compdb_free(b->compdb);
	eo_prepared_free(b->prepared);
	eo_map_release(&b->answers);
	eo_arena_release(&b->arena);
	free(b->built);
	free(b->config);
	free(b);
}

/* What paths relative to @dir need before them in eo_build_dir(). */
static const char *relative_base(const struct eo_build *b, const char *dir)
{
	return eo_streq(dir, eo_build_dir(b)) ? NULL : dir;
}

/* "arch/X/", when the database is of another architecture; or NULL. */
static const char *foreign_arch(struct eo_build *b, const char *file)
{
	const char *end =
		eo_starts_with(file, "arch/") ? strchr(file + 5, '/') : NULL;
	const char *own;

	if (!end)
		return NULL;
	own = eo_arena_strndup(&b->arena, file, (size_t)(end + 1 - file));
	if (eo_compdb_has_folder(b->compdb, own) ||
	    !eo_compdb_has_folder(b->compdb, "arch/"))
		return NULL;
	return own;
}

/* Another entry's flags, when @file has none. */
static const char *const *borrow(struct eo_build *b, const char *file,
				 struct eo_words *command, const char **dir,
				 const char **why)
{
	const char *arch = foreign_arch(b, file), *near;

	if (arch) {
		*why = eo_arena_printf(
			&b->arena,
			"compile_commands.json has nothing of %s: it is not built there",
			arch);
		return NULL;
	}
	near = eo_compdb_nearest(b->compdb, file);
	if (!near || !eo_compdb_get(b->compdb, near, &b->arena, command, dir)) {
		*why = "compile_commands.json has no entry for it, nor any other of the kernel's";
		return NULL;
	}
	*why = eo_arena_printf(
		&b->arena,
		"compile_commands.json has no entry for it: the flags are those of %s",
		near);
	return eo_flags_rename(&b->arena,
			       eo_flags_for_clang(&b->arena, command,
						  relative_base(b, *dir)),
			       file);
}

static const char *const *compdb_flags(struct eo_build *b, const char *file,
				       const char **why)
{
	EO_CLEANUP(eo_words_release) struct eo_words command = { 0 };
	const char *dir;

	*why = NULL;
	if (!eo_compdb_get(b->compdb, file, &b->arena, &command, &dir))
		return borrow(b, file, &command, &dir, why);
	return eo_flags_for_clang(&b->arena, &command, relative_base(b, dir));
}

const char *const *eo_build_flags(struct eo_build *b, const char *file,
				  const char **why)
{
	struct answer *a;

	if (b->prepared)
		return eo_prepared_flags(b->prepared, file, why);
	a = eo_map_get(&b->answers, file);
	if (!a) {
		a = eo_arena_new(&b->arena, struct answer);
		a->flags = b->compdb ?
				   compdb_flags(b, file, &a->why) :
				   eo_builddir_flags(b->built, b->tree->root,
						     file, &b->arena, &a->why);
		eo_map_set(&b->answers, file, a);
	}
	*why = a->why;
	return a->flags;
}
