// SPDX-License-Identifier: GPL-2.0-only
#include "verify/bench/variant.h"

#include <libgen.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/file.h"
#include "base/proc.h"
#include "base/str.h"
#include "tree/tree.h"
#include "verify/source.h"

#define MAX_PATCH_FILES 1000

/* No multiples of a page or a cache line: nothing keeps its place. */
static const unsigned paddings[] = { 1360, 720, 2416, 3120 };

#define PADDING                                               \
	"__asm__(\".pushsection .text\\n\\t.skip %u, 0x90\\n" \
	"\\t.popsection\");\n"
#define N_PADDINGS (sizeof(paddings) / sizeof(paddings[0]))

void eo_variant_release(struct eo_variant *c)
{
	free(c->items);
	eo_arena_release(&c->arena);
	*c = (struct eo_variant){ 0 };
}

void eo_variant_key(const struct eo_variant *c, char out[17])
{
	EO_CLEANUP(eo_str_release) struct eo_str s = { 0 };
	const struct eo_variant_file *f;

	eo_vec_for_each(f, c) {
		char hash[17] = "-";

		if (f->text)
			eo_hash_hex(f->text, f->n, hash);
		eo_str_addf(&s, "%s %s\n", f->path, hash);
	}
	eo_hash_hex(eo_str_get(&s), s.len, out);
}

static struct eo_variant_file *find(const struct eo_variant *c,
				    const char *path)
{
	struct eo_variant_file *f;

	eo_vec_for_each(f, c) {
		if (!strcmp(f->path, path))
			return f;
	}
	return NULL;
}

/* @text NULL: removed. */
static void set(struct eo_variant *c, const char *path, const char *text,
		size_t n)
{
	struct eo_variant_file *f = find(c, path);

	if (!f) {
		f = eo_vec_push(c);
		f->path = eo_arena_strdup(&c->arena, path);
	}
	f->text = text ? eo_arena_strndup(&c->arena, text, n) : NULL;
	f->n = n;
}

/* What @path has: by the change, else in the checkout; *there: any. */
static struct eo_error *get(const struct eo_tree *tree,
			    const struct eo_variant *c, const char *path,
			    struct eo_str *out, bool *there)
{
	const struct eo_variant_file *f = find(c, path);
	EO_CLEANUP(eo_freep) char *full = eo_path_join(tree->root, path);

	*there = f ? f->text != NULL : eo_is_file(full);
	if (!*there)
		return NULL;
	if (!f)
		return eo_file_read(full, out);
	eo_str_addn(out, f->text, f->n);
	return NULL;
}

static struct eo_error *git(const char *dir, const char *const *argv,
			    const char *input, size_t n,
			    struct eo_proc_result *r)
{
	/* A folder of ours is no part of a repository around it. */
	EO_CLEANUP(eo_freep)
	char *ceiling = eo_asprintf("GIT_CEILING_DIRECTORIES=%s/..", dir);
	const char *const env[] = { ceiling, "GIT_CONFIG_NOSYSTEM=1",
				    "LC_ALL=C", NULL };
	const struct eo_proc p = { .argv = argv,
				   .cwd = dir,
				   .env = env,
				   .input = input,
				   .input_len = n,
				   .timeout_ms = 120000 };

	return eo_proc_run(&p, r);
}

static struct eo_error *add_revision_file(const struct eo_tree *tree,
					  const char *revision,
					  const char *path,
					  struct eo_variant *c)
{
	EO_CLEANUP(eo_proc_result_release) struct eo_proc_result r = { 0 };
	EO_CLEANUP(eo_freep)
	char *object = eo_asprintf("%s:%s", revision, path);
	const char *const argv[] = { "git", "cat-file", "blob", object, NULL };

	if (!eo_source_is_path(path))
		return eo_error_new(EO_ERR_INPUT, "%s: no path for a file",
				    path);
	eo_try(git(tree->root, argv, NULL, 0, &r));
	/* Not there: the revision has not got that file. */
	set(c, path, r.status ? NULL : eo_str_get(&r.out), r.out.len);
	return NULL;
}

struct eo_error *eo_variant_of_revision(const struct eo_tree *tree,
					const char *revision,
					struct eo_variant *c)
{
	EO_CLEANUP(eo_proc_result_release) struct eo_proc_result v = { 0 };
	EO_CLEANUP(eo_proc_result_release) struct eo_proc_result r = { 0 };
	EO_CLEANUP(eo_freep)
	char *commit = eo_asprintf("%s^{commit}", revision);
	const char *const verify[] = {
		"git",	"rev-parse", "--verify", "--quiet", "--end-of-options",
		commit, NULL
	};
	const char *id;

	eo_try(git(tree->root, verify, NULL, 0, &v));
	if (v.status)
		return eo_error_new(
			EO_ERR_USAGE,
			"%s: neither a file nor a revision of git in %s",
			revision, tree->root);
	v.out.s[strcspn(v.out.s, "\n")] = '\0';
	id = v.out.s;

	const char *const diff[] = { "git",	     "diff",
				     "--name-only",  "-z",
				     "--no-renames", id,
				     "--",	     NULL };

	eo_try(git(tree->root, diff, NULL, 0, &r));
	if (r.status)
		return eo_error_new(EO_ERR_ENV, "git diff: %s",
				    eo_str_get(&r.err));
	for (size_t i = 0; i < r.out.len; i += strlen(r.out.s + i) + 1)
		eo_try(add_revision_file(tree, id, r.out.s + i, c));
	return NULL;
}

/* The paths that a patch touches. */
static struct eo_error *paths_of(const char *dir, const char *name,
				 const char *patch, size_t n,
				 struct eo_variant *paths)
{
	EO_CLEANUP(eo_proc_result_release) struct eo_proc_result r = { 0 };
	const char *const argv[] = { "git", "apply", "--numstat",
				     "-z",  "-",     NULL };

	eo_try(git(dir, argv, patch, n, &r));
	if (r.status)
		return eo_error_new(EO_ERR_INPUT, "%s: no patch: %s", name,
				    eo_str_get(&r.err));
	for (size_t i = 0; i < r.out.len; i += strlen(r.out.s + i) + 1) {
		const char *tab = strrchr(r.out.s + i, '\t');
		const char *path = tab ? tab + 1 : r.out.s + i;

		if (!eo_source_is_path(path) || paths->n == MAX_PATCH_FILES)
			return eo_error_new(
				EO_ERR_INPUT,
				"%s: `%s` is no path, or it changes more than %d files",
				name, path, MAX_PATCH_FILES);
		set(paths, path, NULL, 0);
	}
	if (paths->n)
		return NULL;
	return eo_error_new(EO_ERR_INPUT, "%s: it changes no file", name);
}

static struct eo_error *write_below(const char *dir, const char *path,
				    const struct eo_str *text)
{
	EO_CLEANUP(eo_freep) char *full = eo_path_join(dir, path);
	EO_CLEANUP(eo_freep) char *parent = eo_strdup(full);

	eo_try(eo_mkdirs(dirname(parent)));
	return eo_file_write(full, eo_str_get(text), text->len);
}

static struct eo_error *apply_in(const char *dir, const struct eo_tree *tree,
				 const char *name, const char *patch, size_t n,
				 struct eo_variant *c)
{
	EO_CLEANUP(eo_proc_result_release) struct eo_proc_result r = { 0 };
	EO_CLEANUP(eo_variant_release) struct eo_variant paths = { 0 };
	const char *const argv[] = { "git", "apply", "--whitespace=nowarn", "-",
				     NULL };
	const struct eo_variant_file *f;

	eo_try(paths_of(dir, name, patch, n, &paths));
	eo_vec_for_each(f, &paths) {
		EO_CLEANUP(eo_str_release) struct eo_str text = { 0 };
		bool there;

		eo_try(get(tree, c, f->path, &text, &there));
		if (there)
			eo_try(write_below(dir, f->path, &text));
	}
	eo_try(git(dir, argv, patch, n, &r));
	if (r.status)
		return eo_error_new(EO_ERR_INPUT, "%s does not apply to %s: %s",
				    name, tree->root, eo_str_get(&r.err));
	eo_vec_for_each(f, &paths) {
		EO_CLEANUP(eo_str_release) struct eo_str text = { 0 };
		EO_CLEANUP(eo_freep) char *full = eo_path_join(dir, f->path);
		bool there = eo_is_file(full);

		if (there)
			eo_try(eo_file_read(full, &text));
		set(c, f->path, there ? eo_str_get(&text) : NULL, text.len);
	}
	return NULL;
}

struct eo_error *eo_variant_apply(const struct eo_tree *tree, const char *name,
				  const char *patch, size_t n,
				  struct eo_variant *c)
{
	struct eo_error *err;
	char *dir;

	eo_try(eo_temp_dir(&dir));
	err = apply_in(dir, tree, name, patch, n, c);
	eo_error_free(eo_remove_tree(dir));
	free(dir);
	return err;
}

struct eo_error *eo_variant_placebo(const struct eo_tree *tree,
				    const struct eo_variant *of, unsigned which,
				    struct eo_variant *c)
{
	const struct eo_variant_file *f;

	eo_vec_for_each(f, of) {
		EO_CLEANUP(eo_str_release) struct eo_str text = { 0 };
		bool there;

		if (!eo_ends_with(f->path, ".c"))
			continue;
		eo_str_addf(&text, PADDING, paddings[which % N_PADDINGS]);
		eo_try(get(tree, c, f->path, &text, &there));
		if (there)
			set(c, f->path, text.s, text.len);
	}
	return NULL;
}

struct eo_error *eo_variant_put(const struct eo_variant *c,
				struct eo_source *source)
{
	const struct eo_variant_file *f;

	eo_vec_for_each(f, c) {
		if (f->text)
			eo_try(eo_source_put(source, f->path, f->text, f->n,
					     false));
		else
			eo_try(eo_source_remove(source, f->path));
	}
	return NULL;
}
