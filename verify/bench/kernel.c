// SPDX-License-Identifier: GPL-2.0-only
#include "verify/bench/kernel.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/proc.h"
#include "base/progress.h"
#include "base/str.h"
#include "tree/lockfile.h"
#include "tree/tree.h"
#include "verify/bench/variant.h"
#include "verify/kbuild.h"
#include "verify/usage.h"

#define IMAGE "arch/x86/boot/bzImage"
#define BUILD_MS (3 * 3600 * 1000u)
#define QUOTED 1500
#define COPY "bench" /* the scratch tree's name */
#define NFTW_FDS 32

/*
 * nftw(3) hands nothing through to its callback. Each thread has its own.
 */
static __thread struct {
	struct eo_str text;
	size_t root_len;
} walk;

/* Names, sizes and times: what make goes by, too. */
static int note_file(const char *path, const struct stat *st, int type,
		     struct FTW *ftw)
{
	(void)ftw;
	if (type == FTW_D && eo_ends_with(path, "/.git"))
		return FTW_SKIP_SUBTREE;
	if (type == FTW_F || type == FTW_SL)
		eo_str_addf(&walk.text, "%s %lld %lld.%09ld\n",
			    path + walk.root_len, (long long)st->st_size,
			    (long long)st->st_mtim.tv_sec, st->st_mtim.tv_nsec);
	return FTW_CONTINUE;
}

static struct eo_error *tree_state(struct eo_builder *b, const char *config)
{
	int rc;

	eo_str_clear(&walk.text);
	eo_str_addf(&walk.text, "%s\n", config);
	walk.root_len = strlen(b->tree->root);
	rc = nftw(b->tree->root, note_file, NFTW_FDS,
		  FTW_PHYS | FTW_ACTIONRETVAL);
	eo_hash_hex(eo_str_get(&walk.text), walk.text.len, b->state);
	eo_str_release(&walk.text);
	if (rc)
		return eo_error_errno(errno, "cannot look through %s",
				      b->tree->root);
	return NULL;
}

static struct eo_kbuild kbuild_of(const struct eo_builder *b, const char *out)
{
	return (struct eo_kbuild){
		.source = &b->source,
		.out = out,
		.jobs = b->jobs,
		.no_sandbox = b->no_sandbox,
		.limits.timeout_ms = BUILD_MS,
	};
}

/* The scratch tree, when something has to be built. */
static struct eo_error *need_source(struct eo_builder *b)
{
	if (b->has_source)
		return NULL;
	b->has_source = true;
	eo_progress("bench: copying the tree", 0, 0, "");
	return eo_source_open(b->tree, COPY, &b->source);
}

/* The lock stands beside what it guards, which may be removed. */
static struct eo_error *lock_cache(const struct eo_tree *tree, int *fd)
{
	EO_CLEANUP(eo_freep) char *path = NULL;

	eo_try(eo_tree_cache_path(tree, "bench.lock", &path));
	eo_try(eo_lockfile_open(path, fd));
	return eo_lockfile_lock(*fd, true);
}

struct eo_error *eo_builder_open(struct eo_builder *b)
{
	struct eo_source stand_in = { .dir = b->tree->root };
	struct eo_kbuild k = { .source = &stand_in,
			       .no_sandbox = b->no_sandbox };
	char config[17];

	b->lock = -1;
	eo_try(eo_tree_cache_path(b->tree, "bench", &b->dir));
	eo_try(eo_mkdirs(b->dir));
	eo_try(lock_cache(b->tree, &b->lock));
	eo_kbuild_key(&k, b->fragment, NULL, config);
	eo_progress("bench: looking at the tree", 0, 0, "");
	eo_try(tree_state(b, config));
	b->objects = eo_asprintf("%s/objects-%s", b->dir, config);
	return NULL;
}

void eo_builder_close(struct eo_builder *b)
{
	if (b->has_source)
		eo_source_release(&b->source);
	if (b->lock >= 0)
		close(b->lock);
	free(b->dir);
	free(b->objects);
}

void eo_kernel_release(struct eo_kernel *k)
{
	free(k->image);
	free(k->map);
	free(k->config);
	*k = (struct eo_kernel){ 0 };
}

static void name_kernel(const struct eo_builder *b, const struct eo_variant *v,
			struct eo_kernel *out)
{
	char words[40], variant[17];

	eo_variant_key(v, variant);
	snprintf(words, sizeof(words), "%s %s", b->state, variant);
	eo_hash_hex(words, strlen(words), out->key);
	out->image = eo_asprintf("%s/kernel-%s/bzImage", b->dir, out->key);
	out->map = eo_asprintf("%s/kernel-%s/System.map", b->dir, out->key);
	out->config = eo_asprintf("%s/kernel-%s/config", b->dir, out->key);
}

bool eo_builder_has(const struct eo_builder *b, const struct eo_variant *v)
{
	EO_CLEANUP(eo_kernel_release) struct eo_kernel k = { 0 };

	name_kernel(b, v, &k);
	return eo_is_file(k.image);
}

bool eo_builder_has_objects(const struct eo_builder *b)
{
	EO_CLEANUP(eo_freep) char *image = eo_path_join(b->objects, IMAGE);

	return eo_is_file(image);
}

/* What make says while it runs. */
struct said {
	const char *what;
	struct eo_proc_result r;
	size_t seen, lines;
};

static struct eo_error *show(pid_t pid, void *data)
{
	struct said *s = data;
	char last[80] = "";

	(void)pid;
	for (const char *p = eo_str_get(&s->r.out) + s->seen, *nl;
	     (nl = strchr(p, '\n')); p = nl + 1) {
		s->lines++;
		s->seen = (size_t)(nl + 1 - s->r.out.s);
		snprintf(last, sizeof(last), "%.*s", (int)(nl - p), p);
	}
	if (*last)
		eo_progress(s->what, s->lines, 0, last);
	return NULL;
}

static struct eo_error *make_image(const struct eo_builder *b,
				   const char *objects, const char *what)
{
	static const char *const args[] = { "bzImage", "KBUILD_BUILD_VERSION=1",
					    "KBUILD_BUILD_USER=earlyout",
					    "KBUILD_BUILD_HOST=earlyout",
					    NULL };
	EO_CLEANUP(eo_freep) char *words = eo_asprintf("building %s", what);
	struct eo_kbuild k = kbuild_of(b, objects);
	struct said said = { .what = words };
	struct eo_error *err;

	k.watch = show;
	k.watch_data = &said;
	err = eo_kbuild_make(&k, args, &said.r);
	if (!err && said.r.status) {
		const struct eo_str *e = &said.r.err;

		err = eo_error_new(
			EO_ERR_INPUT, "the kernel %s does not build: %s", what,
			eo_str_get(e) +
				(e->len > QUOTED ? e->len - QUOTED : 0));
	}
	eo_proc_result_release(&said.r);
	return err;
}

/* The checkout's own objects, from nothing or from where they are. */
static struct eo_error *need_objects(struct eo_builder *b)
{
	EO_CLEANUP(eo_freep)
	char *config = eo_path_join(b->objects, ".config");
	EO_CLEANUP(eo_str_release) struct eo_str missing = { 0 };
	struct eo_kbuild k = kbuild_of(b, b->objects);

	if (b->has_objects)
		return NULL;
	eo_try(need_source(b));
	if (!eo_is_file(config)) {
		eo_progress("bench: configuring", 0, 0, "");
		eo_try(eo_kbuild_configure(&k, b->fragment, NULL, &missing));
	}
	eo_try(make_image(b, b->objects, "the checkout"));
	b->has_objects = true;
	return NULL;
}

static struct eo_error *copy(const char *dir, const char *file,
			     const char *to_dir, const char *to_file)
{
	EO_CLEANUP(eo_str_release) struct eo_str text = { 0 };
	EO_CLEANUP(eo_freep) char *from = eo_path_join(dir, file);
	EO_CLEANUP(eo_freep) char *to = eo_path_join(to_dir, to_file);

	eo_try(eo_file_read(from, &text));
	return eo_file_write(to, eo_str_get(&text), text.len);
}

/* The image comes last: where it is, the others are. */
static struct eo_error *keep(const struct eo_builder *b, const char *objects,
			     const struct eo_kernel *k)
{
	EO_CLEANUP(eo_freep)
	char *dir = eo_asprintf("%s/kernel-%s", b->dir, k->key);

	eo_try(eo_mkdirs(dir));
	eo_try(copy(objects, ".config", dir, "config"));
	eo_try(copy(objects, "System.map", dir, "System.map"));
	return copy(objects, IMAGE, dir, "bzImage");
}

static struct eo_error *build_variant(struct eo_builder *b,
				      const struct eo_variant *v,
				      const char *what,
				      const struct eo_kernel *k)
{
	EO_CLEANUP(eo_freep) char *objects = eo_path_join(b->dir, "objects");
	struct eo_error *err;

	eo_try(eo_remove_tree(objects));
	eo_progress("bench: copying the objects", 0, 0, what);
	eo_try(eo_kbuild_copy(b->objects, objects));
	err = eo_variant_put(v, &b->source);
	if (!err)
		err = make_image(b, objects, what);
	if (!err)
		err = keep(b, objects, k);
	if (!err)
		err = eo_source_restore(&b->source);
	if (!err)
		err = eo_remove_tree(objects);
	return err;
}

struct eo_error *eo_builder_kernel(struct eo_builder *b,
				   const struct eo_variant *v, const char *what,
				   struct eo_kernel *out)
{
	name_kernel(b, v, out);
	if (eo_is_file(out->image))
		return NULL;
	eo_try(need_objects(b));
	if (v->n)
		return build_variant(b, v, what, out);
	return keep(b, b->objects, out);
}

struct eo_error *eo_builder_clean(const struct eo_tree *tree, size_t *bytes)
{
	EO_CLEANUP(eo_freep) char *dir = NULL;
	struct eo_error *err;
	int lock = -1;

	eo_try(eo_tree_cache_path(tree, "bench", &dir));
	err = lock_cache(tree, &lock);
	if (!err) {
		*bytes = eo_is_dir(dir) ? eo_usage_of_dir(dir) : 0;
		err = eo_remove_tree(dir);
	}
	if (!err)
		err = eo_source_discard(tree, COPY);
	if (lock >= 0)
		close(lock);
	return err;
}
