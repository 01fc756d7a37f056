// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/progress.h"
#include "base/str.h"
#include "cli/bench.h"
#include "cli/cli.h"
#include "db/waiting.h"
#include "tree/tree.h"
#include "verify/bench/guest.h"
#include "verify/bench/perf.h"
#include "verify/bench/qemu.h"

#define DEFAULT_POSSIBLE 16
#define SAME_PAIRS 3
#define MAX_PAIRS 200
#define SHOT_TIMEOUT_S 600

/* Seen in A/A runs on 6.12: instructions agree to 0.2% from boot to boot. */
#define FLOOR_COUNT 0.002
#define NARROW_COUNT 0.002
#define FLOOR_TIME 0.005
#define NARROW_TIME 0.01

static void work_release(struct eo_bench_work *w)
{
	eo_study_release(&w->study);
	eo_counts_release(&w->profile);
	for (int i = 0; i < EO_KERNELS; i++) {
		eo_kernel_release(&w->kernels[i]);
		eo_variant_release(&w->variants[i]);
	}
	if (w->has_builder)
		eo_builder_close(&w->builder);
	eo_machine_release(&w->machine);
	eo_hooks_release(&w->hooks);
	eo_str_release(&w->patch);
	eo_str_release(&w->distorting);
	if (w->temp)
		eo_error_free(eo_remove_tree(w->temp));
	free(w->temp);
	free(w->initramfs);
	eo_arena_release(&w->arena);
}

/* "io-stat reads=100": the rest of the words go to the workload. */
static struct eo_error *parse_words(struct eo_bench_work *w)
{
	const struct eo_args *a = w->args;
	EO_CLEANUP(eo_str_release) struct eo_str params = { 0 };
	const struct eo_workload *load = eo_workload_find(a->words[0]);

	if (!load)
		return eo_error_new(
			EO_ERR_USAGE,
			"no workload %s; `earlyout bench workloads` lists them",
			a->words[0]);
	w->runner.workload = load;
	for (int i = 1; i < a->n_words; i++) {
		const char *eq = strchr(a->words[i], '=');

		if (!eq || strpbrk(a->words[i], " \t\n\""))
			return eo_error_new(
				EO_ERR_USAGE,
				"%s: parameters of a workload are NAME=VALUE",
				a->words[i]);
		eo_str_addf(&params, "%s ", a->words[i]);
	}
	/* What is said first counts. */
	eo_str_add(&params,
		   w->runner.kind == EO_ICOUNT ? load->count : load->time);
	w->runner.params = eo_arena_strdup(&w->arena, eo_str_get(&params));
	return NULL;
}

static struct eo_error *parse(struct eo_bench_work *w)
{
	const struct eo_bench_args *b = &w->args->bench;
	struct eo_runner *r = &w->runner;

	r->kind = EO_ICOUNT;
	r->allow_debug = b->allow_debug;
	if (b->runner)
		eo_try(eo_runner_parse(b->runner, &r->kind));
	eo_try(parse_words(w));
	if (r->kind == EO_ICOUNT && !r->workload->counts)
		return eo_error_new(
			EO_ERR_USAGE,
			"%s does not take the same number of instructions twice, for its processes run into each other: measure time, with --runner qemu",
			r->workload->name);
	r->timeout_s = w->args->timeout_s ? w->args->timeout_s : SHOT_TIMEOUT_S;
	r->kvm = r->kind == EO_QEMU && eo_boot_has_kvm();
	r->cpus = b->cpus	       ? b->cpus :
		  r->kind == EO_ICOUNT ? 1 :
					 r->workload->cpus;
	r->possible = b->possible ? b->possible : DEFAULT_POSSIBLE;
	if (r->possible < r->cpus)
		r->possible = r->cpus;
	if (b->profile && r->kind == EO_HOST)
		eo_try(eo_perf_need());
	else if (b->profile && r->kind != EO_ICOUNT)
		return eo_error_new(
			EO_ERR_USAGE,
			"--profile needs --runner icount, which counts instructions, or host, where perf samples");
	if (b->profile && b->before && eo_is_file(b->before))
		return eo_error_new(
			EO_ERR_USAGE,
			"--profile needs the System.map of a kernel that is built here, not a ready image");
	return eo_bench_find_patch(w);
}

static struct eo_error *count(struct eo_bench_work *w)
{
	const char *const maps[] = { w->kernels[EO_BEFORE].map,
				     w->kernels[EO_AFTER].map };

	return eo_counts_take(&w->runner, maps, &w->profile);
}

/* What was measured is worth storing without it. */
static struct eo_error *take_profile(struct eo_bench_work *w)
{
	struct eo_error *err =
		w->runner.kind == EO_HOST ? eo_bench_host_profile(w) : count(w);

	if (!err || eo_error_kind(err) != EO_ERR_INPUT)
		return err;
	eo_progress_end();
	fprintf(stderr, "bench: no profile: %s\n", eo_error_message(err));
	eo_error_free(err);
	eo_counts_release(&w->profile);
	return NULL;
}

static struct eo_error *run_study(struct eo_bench_work *w)
{
	static const unsigned curve[] = { 1, 4, 16, 64 };
	bool counts = w->runner.kind == EO_ICOUNT;
	bool is_host = w->runner.kind == EO_HOST;
	bool boots = counts || w->runner.kind == EO_QEMU;
	struct eo_plan plan = {
		.measure = eo_runner_measure,
		.ctx = &w->runner,
		.parallel = counts,
		.warmups = counts ? 0 : 1,
		.same = is_host ? EO_HOST_SAME : SAME_PAIRS,
		.budget_s = w->budget_s,
		.layouts = w->runner.kernels[EO_PLACEBO] ? EO_PLACEBOS : 0,
		.max_pairs = MAX_PAIRS,
		.narrow = counts ? NARROW_COUNT : NARROW_TIME,
		.floor = counts ? FLOOR_COUNT : FLOOR_TIME,
		.seed = (unsigned long)w->started,
	};

	if (w->args->bench.curve && boots) {
		plan.curve = curve;
		plan.n_curve = sizeof(curve) / sizeof(curve[0]);
	}
	if (is_host) {
		plan.max_pairs = w->pairs;
		plan.narrow = 0; /* all of what the first phase measured */
	}
	if (boots) {
		eo_try(eo_temp_dir(&w->temp));
		w->initramfs = eo_path_join(w->temp, "initramfs");
		eo_try(eo_guest_initramfs(w->initramfs));
		w->runner.initramfs = w->initramfs;
	}
	eo_try(eo_study_run(&plan, &w->study));
	if ((w->args->bench.profile || w->perf) && !w->study.failed)
		return take_profile(w);
	return NULL;
}

struct eo_error *eo_bench_budget(const char *text, unsigned *seconds)
{
	static const struct {
		char unit;
		unsigned factor;
	} units[] = { { 's', 1 }, { 'm', 60 }, { 'h', 3600 } };
	char *end;
	unsigned long v;

	*seconds = 600;
	if (!text)
		return NULL;
	v = strtoul(text, &end, 10);
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (*text < '0' || *text > '9' || v < 1 || v > 100000 ||
		    end[0] != units[i].unit || end[1])
			continue;
		*seconds = (unsigned)v * units[i].factor;
		return NULL;
	}
	return eo_error_new(EO_ERR_USAGE,
			    "--budget takes a time as 90s, 10m or 2h, not %s",
			    text);
}

struct eo_error *eo_bench_measure(struct eo_session *s,
				  const struct eo_args *args, int64_t *id)
{
	EO_CLEANUP(work_release)
	struct eo_bench_work w = { .s = s,
				   .args = args,
				   .started = time(NULL) };
	bool waits = false;

	*id = 0;
	eo_try(eo_bench_budget(args->bench.budget, &w.budget_s));
	eo_try(parse(&w));
	if (w.runner.kind == EO_HOST)
		eo_try(eo_bench_host(&w, &waits));
	else
		eo_try(eo_bench_need_kernels(&w));
	if (waits)
		return NULL;
	eo_machine_look(&w.machine);
	eo_try(run_study(&w));
	eo_try(eo_bench_store(&w, id));
	if (w.runner.kind == EO_HOST)
		return eo_db_forget_waiting(s->db, s->tree->root,
					    w.runner.workload->name);
	return NULL;
}
