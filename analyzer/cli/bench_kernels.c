// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/file.h"
#include "base/progress.h"
#include "cli/bench.h"
#include "cli/cli.h"
#include "db/db.h"
#include "db/history.h"
#include "db/series.h"
#include "tree/tree.h"
#include "verify/bench/fragment.h"

/* The patch that was written for the finding, of the last series. */
static struct eo_error *patch_of_finding(struct eo_bench_work *w)
{
	struct eo_series series = { 0 };

	eo_try(eo_db_get_series(w->s->db, 0, &w->arena, &series));
	for (size_t i = 0; i < series.n; i++) {
		const struct eo_patch *p = &series.items[i];

		if (strcmp(p->finding, w->finding) != 0)
			continue;
		eo_str_add(&w->patch, p->diff);
		w->what = eo_arena_printf(&w->arena, "the patch \"%s\"",
					  p->subject);
		return NULL;
	}
	return eo_error_new(
		EO_ERR_INPUT,
		"no patch is in the database for %s; run `earlyout patch` first, or name one with --patch",
		w->finding);
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

/* The text of the patch, where there is one, and what differs in words. */
struct eo_error *eo_bench_find_patch(struct eo_bench_work *w)
{
	const struct eo_bench_args *b = &w->args->bench;

	if (b->finding)
		eo_try(eo_db_find_id(w->s->db, b->finding, w->finding));
	if (b->patch) {
		eo_try(eo_file_read(b->patch, &w->patch));
		if (!w->patch.len)
			return eo_error_new(EO_ERR_INPUT,
					    "%s: no patch: it is empty",
					    b->patch);
		w->what = base_name(b->patch);
	} else if (b->after) {
		w->what =
			eo_arena_printf(&w->arena, "%s against %s", b->after,
					b->before ? b->before : "the checkout");
	} else if (b->finding) {
		return patch_of_finding(w);
	} else if (w->runner.kind == EO_HOST) {
		w->what = "the kernel booted before and the one booted after";
	} else if (w->runner.kind == EO_HOOK) {
		w->what = eo_arena_printf(&w->arena, "by the hook %s", b->hook);
	} else {
		return eo_error_new(
			EO_ERR_USAGE,
			"what is different after? give --patch FILE, --finding ID or --after WHAT");
	}
	return NULL;
}

static bool is_image(const char *what)
{
	return what && eo_is_file(what);
}

/* What the checkout, or the revision to begin with, has. */
static struct eo_error *start(const struct eo_bench_work *w,
			      struct eo_variant *v)
{
	const char *before = w->args->bench.before;

	if (!before || is_image(before))
		return NULL;
	return eo_variant_of_revision(w->s->tree, before, v);
}

static struct eo_error *make_variants(struct eo_bench_work *w)
{
	const struct eo_bench_args *b = &w->args->bench;
	const struct eo_tree *tree = w->s->tree;
	struct eo_variant *after = &w->variants[EO_AFTER];

	eo_try(start(w, &w->variants[EO_BEFORE]));
	if (b->after && !is_image(b->after))
		eo_try(eo_variant_of_revision(tree, b->after, after));
	else
		eo_try(start(w, after));
	if (w->patch.len)
		eo_try(eo_variant_apply(tree, w->what, w->patch.s, w->patch.len,
					after));
	for (unsigned i = 0; i < EO_PLACEBOS; i++) {
		struct eo_variant *placebo = &w->variants[EO_PLACEBO + i];

		eo_try(start(w, placebo));
		eo_try(eo_variant_placebo(tree, after, i, placebo));
	}
	return NULL;
}

static void say_cost(const struct eo_bench_work *w, unsigned missing)
{
	if (w->args->quiet || !missing)
		return;
	if (eo_builder_has_objects(&w->builder))
		fprintf(stderr,
			"bench: %u kernels to build from objects that are there: about %u min; 200 MB in %s\n",
			missing, (missing + 1) / 2, w->builder.dir);
	else
		fprintf(stderr,
			"bench: a kernel to build from nothing, about %ld CPU minutes, and %u from its objects; 400 MB in %s (`earlyout bench clean` removes it)\n",
			20L, missing - 1, w->builder.dir);
}

struct eo_error *eo_bench_refuse_distorting(struct eo_bench_work *w)
{
	if (!w->distorting.len || w->args->bench.allow_debug)
		return NULL;
	return eo_error_new(EO_ERR_INPUT, EO_DISTORTED, w->distorting.s);
}

static struct eo_error *build_kernels(struct eo_bench_work *w)
{
	bool layout = w->runner.kind == EO_ICOUNT && w->variants[EO_PLACEBO].n;
	int n = layout ? EO_KERNELS : 2;
	unsigned missing = 0;

	w->builder = (struct eo_builder){
		.tree = w->s->tree,
		.jobs = w->args->jobs,
		.no_sandbox = w->args->bench.no_sandbox,
		.fragment = eo_bench_fragment,
	};
	w->has_builder = true;
	eo_try(eo_builder_open(&w->builder));
	for (int i = 0; i < n; i++)
		missing += !eo_builder_has(&w->builder, &w->variants[i]);
	eo_progress_end();
	say_cost(w, missing);
	for (int i = 0; i < n; i++) {
		eo_try(eo_builder_kernel(
			&w->builder, &w->variants[i],
			eo_arm_name(i < EO_PLACEBO ? i : EO_PLACEBO),
			&w->kernels[i]));
		w->runner.kernels[i] = w->kernels[i].image;
	}
	eo_try(eo_config_distorting(w->kernels[0].config, &w->distorting));
	return eo_bench_refuse_distorting(w);
}

/*
 * The configuration that stands beside a ready image: as it is kept here
 * ("config"), as distributions install it ("config-X" of "vmlinuz-X") and as
 * a build leaves it, five folders above. NULL when there is none.
 */
static char *config_beside(const char *image)
{
	const char *base = base_name(image);
	int dir = (int)(base - image);
	char *places[] = {
		eo_asprintf("%.*sconfig", dir, image),
		eo_asprintf("%.*sconfig%s", dir, image,
			    base + strcspn(base, "-")),
		eo_asprintf("%.*s../../../.config", dir, image),
	};
	char *found = NULL;

	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		if (!found && eo_is_file(places[i]))
			found = places[i];
		else
			free(places[i]);
	}
	return found;
}

/*
 * Ready images: what they were built with is known where it stands beside
 * them, and the guest says what it sees.
 */
static struct eo_error *take_images(struct eo_bench_work *w)
{
	const struct eo_bench_args *b = &w->args->bench;
	const char *const images[] = { b->before, b->after };

	if (!is_image(b->before) || !is_image(b->after))
		return eo_error_new(
			EO_ERR_USAGE,
			"of two ready images, both --before and --after have to be files");
	for (int i = 0; i < 2; i++) {
		w->runner.kernels[i] = images[i];
		w->kernels[i].config = config_beside(images[i]);
		if (w->kernels[i].config)
			eo_try(eo_config_distorting(w->kernels[i].config,
						    &w->distorting));
	}
	return eo_bench_refuse_distorting(w);
}

static struct eo_error *find_hook(struct eo_bench_work *w)
{
	const char *root = w->s->tree->root;
	const char *name = w->args->bench.hook;
	const struct eo_hook *hook;

	if (!name && *w->finding)
		eo_try(eo_db_get_hook_of(w->s->db, root, w->finding, &w->arena,
					 &name));
	if (!name)
		return eo_error_new(
			EO_ERR_USAGE,
			"--runner command needs --hook NAME; `earlyout hooks list` lists them");
	w->hook = name;
	eo_try(eo_db_get_hooks(w->s->db, root, &w->hooks));
	hook = eo_hooks_find(&w->hooks, name);
	if (!hook)
		return eo_error_new(EO_ERR_INPUT,
				    "no hook %s; `earlyout hooks add` adds one",
				    name);
	w->runner.hook = hook->path;
	return NULL;
}

struct eo_error *eo_bench_need_kernels(struct eo_bench_work *w)
{
	const struct eo_bench_args *b = &w->args->bench;

	if (w->runner.kind == EO_HOOK) {
		eo_try(find_hook(w));
		if (!b->patch && !b->after && !b->finding)
			return NULL; /* it knows its kernels itself */
	}
	if (is_image(b->before) || is_image(b->after))
		return take_images(w);
	eo_try(make_variants(w));
	return build_kernels(w);
}
