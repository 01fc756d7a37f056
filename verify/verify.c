// SPDX-License-Identifier: GPL-2.0-only
#include "verify/verify.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/file.h"
#include "base/proc.h"
#include "base/progress.h"
#include "base/str.h"
#include "tree/arch.h"
#include "tree/conditions.h"
#include "tree/kbuild.h"
#include "tree/tree.h"
#include "tree/wants.h"
#include "verify/apply.h"
#include "verify/includers.h"
#include "verify/judge.h"
#include "verify/kbuild.h"
#include "verify/mailchecks.h"
#include "verify/source.h"
#include "verify/state.h"

/* Objects that are built because they include a touched header. */
#define MAX_INCLUDERS 4
/* A prepared configuration and a few objects have a tenth of it. */
#define DISK_MIB 1024

/* What a kernel has that anybody runs, as far as objects depend on it. */
static const char common_config[] = "CONFIG_64BIT=y\nCONFIG_SMP=y\n"
				    "CONFIG_PRINTK=y\nCONFIG_BUG=y\n"
				    "CONFIG_PROC_FS=y\nCONFIG_SYSFS=y\n";

struct verify {
	const struct eo_tree *tree;
	const struct eo_input *in;
	const struct eo_verify_options *opts;
	struct eo_checks *out;
	struct eo_source source;
	struct eo_apply apply;
	struct eo_wants wants;
	struct eo_map touched; /* .c files that are changed or new */
	struct eo_map files; /* those, and .c files that include a header */
	struct eo_kbuild kbuild;
	char *out_dir, *cache;
	struct eo_str missing; /* of the configuration */
	char *no_build; /* or NULL */
};

static void verify_release(struct verify *v)
{
	if (v->out_dir)
		eo_error_free(eo_remove_tree(v->out_dir));
	free(v->out_dir);
	free(v->cache);
	free(v->no_build);
	eo_str_release(&v->missing);
	eo_map_release(&v->files);
	eo_map_release(&v->touched);
	eo_wants_release(&v->wants);
	eo_apply_release(&v->apply);
	eo_source_release(&v->source);
}

/* What the compiler must see of it: its folder's conditions, its lines'. */
static struct eo_error *want(struct verify *v, const struct eo_touched *t)
{
	bool found = false;

	if (!eo_ends_with(t->file, ".c") || !eo_tree_is_kernel_path(t->file))
		return NULL;
	if (!t->removed)
		eo_conditions_at_lines(t->text,
				       (const unsigned(*)[2])t->lines.items,
				       t->lines.n, &v->wants.on, &v->wants.off);
	eo_set_add(&v->touched, t->file);
	eo_set_add(&v->files, t->file);
	return eo_kbuild_conditions(v->source.dir, eo_arch_of_host(), t->file,
				    &v->wants.on, &found);
}

/* A header is built with some of those that include it. */
static struct eo_error *want_includers(struct verify *v, const char *header)
{
	EO_CLEANUP(eo_map_release) struct eo_map all = { 0 };
	const struct eo_map_entry *e;
	bool found;

	eo_map_for_each(e, &v->files)
		eo_set_add(&all, e->key);
	eo_try(eo_includers(v->source.dir, header, MAX_INCLUDERS, &all));
	eo_map_for_each(e, &all) {
		if (!eo_set_add(&v->files, e->key))
			continue;
		eo_try(eo_kbuild_conditions(v->source.dir, eo_arch_of_host(),
					    e->key, &v->wants.on, &found));
	}
	return NULL;
}

/* Of the kernel, not of a program in tools/ or a sample. */
static bool is_header(const char *file)
{
	return eo_ends_with(file, ".h") && (eo_tree_is_kernel_path(file) ||
					    eo_starts_with(file, "include/"));
}

static struct eo_error *collect(struct verify *v)
{
	const struct eo_touched *t;

	for (size_t i = 0; i < v->apply.n && v->apply.steps[i].applied; i++)
		eo_vec_for_each(t, &v->apply.steps[i].files)
			eo_try(want(v, t));
	for (size_t i = 0; i < v->apply.n && v->apply.steps[i].applied; i++)
		eo_vec_for_each(t, &v->apply.steps[i].files)
			if (is_header(t->file))
				eo_try(want_includers(v, t->file));
	return NULL;
}

/* A build folder of our own, prepared; without one nothing is built. */
static struct eo_error *prepare_build(struct verify *v)
{
	EO_CLEANUP(eo_freep) char *template = NULL;
	size_t disk = v->opts->disk_mib ? v->opts->disk_mib : DISK_MIB;
	struct eo_error *err;

	v->kbuild = (struct eo_kbuild){
		.source = &v->source,
		.jobs = v->opts->jobs,
		.no_sandbox = v->opts->no_sandbox,
		.limits = { .timeout_ms = v->opts->timeout_s * 1000,
			    .disk = disk << 20 },
	};
	eo_try(eo_tree_cache_path(v->tree, "coccinelle", &v->cache));
	eo_try(eo_tree_cache_path(v->tree, "verify-out", &v->out_dir));
	eo_try(eo_remove_tree(v->out_dir));
	v->kbuild.out = v->out_dir;
	if (!v->files.n)
		return eo_mkdirs(v->out_dir);
	err = eo_kbuild_template(&v->kbuild, common_config, &v->wants,
				 &template, &v->missing);
	if (!err)
		return eo_kbuild_copy(template, v->out_dir);
	if (eo_error_kind(err) == EO_ERR_INTERRUPTED)
		return err;
	/* all else can be checked without */
	v->no_build = eo_strdup(eo_error_message(err));
	eo_error_free(err);
	return eo_mkdirs(v->out_dir);
}

/* Behind one that does not apply, nothing can be said of the others. */
static void skip_rest(struct verify *v, size_t failed)
{
	for (size_t i = failed + 1; i < v->apply.n; i++)
		eo_checks_add(
			v->out, i + 1, "applies", EO_SKIPPED, "",
			"patch %zu, which comes before it, does not apply",
			failed + 1);
}

static void judge_apply(struct verify *v, size_t i)
{
	const struct eo_applied *s = &v->apply.steps[i];
	const struct eo_mail *first = &v->in->items[0];
	unsigned before = first->number > 1 ? first->number - 1 : 0;

	if (!s->applied && before) {
		eo_checks_add(
			v->out, i + 1, "applies", EO_SKIPPED, s->log,
			"%s (the input has none of the %u that come before it)",
			s->how, before);
		skip_rest(v, i);
	} else if (!s->applied) {
		eo_checks_add(v->out, i + 1, "applies", EO_FAIL, s->log, "%s",
			      s->how);
		skip_rest(v, i);
	} else {
		eo_checks_add(v->out, i + 1, "applies",
			      strstr(s->how, "fuzz") ? EO_WARN : EO_PASS,
			      s->log, "%s", *s->how ? s->how : "cleanly");
	}
}

static struct eo_error *judge_step(struct verify *v, const struct eo_what *w,
				   size_t i, const struct eo_state *before,
				   struct eo_state *after)
{
	const struct eo_applied *s = &v->apply.steps[i];
	int64_t start;

	eo_try(eo_apply_give(&v->apply, i));
	eo_state_show(w, "checkpatch");
	start = eo_clock_ms();
	eo_try(eo_check_checkpatch(&v->kbuild, i + 1, &v->in->items[i],
				   v->out));
	eo_checks_took(v->out, eo_clock_ms() - start);
	eo_state_show(w, "build, sparse, coccinelle, scan");
	eo_try(eo_state_measure(w, after));
	eo_judge_builds(w, i + 1, s, before, after, v->out);
	if (v->missing.len)
		eo_checks_add(v->out, i + 1, "config", EO_WARN,
			      eo_str_get(&v->missing),
			      "some touched lines may not be compiled: %.*s",
			      (int)strcspn(v->missing.s, "\n"), v->missing.s);
	eo_judge_scan(w, i + 1, &v->in->items[i], s, before, after, v->out);
	eo_checks_took(v->out, after->scan_ms);
	eo_judge_words(i + 1, &v->in->items[i], s, v->out);
	eo_check_trailers(v->tree, &v->kbuild, i + 1, &v->in->items[i], s,
			  v->out);
	return NULL;
}

static struct eo_error *all_steps(struct verify *v)
{
	struct eo_state states[2] = { 0 };
	struct eo_what w = { .tree = v->tree,
			     .model = v->opts->model,
			     .build = v->opts->build,
			     .compile_commands = v->opts->compile_commands,
			     .kbuild = &v->kbuild,
			     .no_build = v->no_build,
			     .touched = &v->touched,
			     .files = &v->files,
			     .cache = v->cache,
			     .jobs = v->opts->jobs,
			     .smpl = v->opts->smpl,
			     .title = "before the series",
			     .total = v->in->n };
	struct eo_error *err;

	eo_state_show(&w, "build, sparse, coccinelle, scan");
	err = eo_state_measure(&w, &states[0]);
	for (size_t i = 0; i < v->apply.n && !err; i++) {
		judge_apply(v, i);
		if (!v->apply.steps[i].applied)
			break;
		w.title = v->in->items[i].subject;
		w.number = i + 1;
		err = judge_step(v, &w, i, &states[i % 2],
				 &states[(i + 1) % 2]);
		eo_state_release(&states[i % 2]);
	}
	eo_state_release(&states[0]);
	eo_state_release(&states[1]);
	eo_progress_end();
	return err;
}

/* Sets *off when there is none and none is needed. */
static struct eo_error *need_sandbox(const struct eo_verify_options *opts,
				     bool *off)
{
	struct eo_error *err = opts->no_sandbox ? NULL : eo_sandbox_check();

	*off = opts->no_sandbox || (err && opts->ours);
	if (err && opts->ours) {
		eo_error_free(err);
		return NULL;
	}
	return err ? eo_error_wrap(
			     err,
			     "building a patch runs what it brings along, so it needs a sandbox (or --no-sandbox, for a patch that you trust)") :
		     NULL;
}

struct eo_error *eo_verify(const struct eo_tree *tree,
			   const struct eo_input *in,
			   const struct eo_verify_options *opts,
			   struct eo_checks *out)
{
	struct eo_verify_options own = *opts;
	EO_CLEANUP(verify_release)
	struct verify v = { .tree = tree,
			    .in = in,
			    .opts = &own,
			    .out = out,
			    .source.lock = -1 };
	EO_CLEANUP(eo_map_release) struct eo_map named = { 0 };

	eo_try(eo_apply_files(in, &named));
	eo_try(need_sandbox(opts, &own.no_sandbox));
	out->sandboxed = !own.no_sandbox;
	eo_try(eo_source_open(tree, "verify", &v.source));
	if (in->of_range)
		eo_try(eo_source_at(tree, in->base, &v.source));
	eo_try(eo_apply_open(&v.source, in, &v.apply));
	eo_try(eo_apply_all(&v.apply));
	eo_try(collect(&v));
	if (!v.apply.steps[0].applied) {
		judge_apply(&v, 0);
		eo_progress_end();
		return NULL;
	}
	eo_try(prepare_build(&v));
	return all_steps(&v);
}
