// SPDX-License-Identifier: GPL-2.0-only
/*
 * The running kernel, in two phases with a reboot in between: what the first
 * one measured waits in the database for the second, which measures the other
 * kernel and compares.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>

#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/progress.h"
#include "base/proc.h"
#include "base/str.h"
#include "cli/bench.h"
#include "cli/cli.h"
#include "db/waiting.h"
#include "tree/tree.h"
#include "verify/bench/fragment.h"
#include "verify/bench/guest.h"
#include "verify/bench/perf.h"

#define BOOT_ID "/proc/sys/kernel/random/boot_id"

/* Which boot of which kernel this is. */
struct now {
	struct eo_str boot;
	struct utsname u;
	char *kernel;
};

static void now_release(struct now *n)
{
	eo_str_release(&n->boot);
	eo_freep(&n->kernel);
}

static struct eo_error *look(struct now *n)
{
	eo_try(eo_file_read(BOOT_ID, &n->boot));
	n->boot.s[strcspn(n->boot.s, "\n")] = '\0';
	uname(&n->u);
	n->kernel = eo_asprintf("%s %s", n->u.release, n->u.version);
	return NULL;
}

/* Where distributions put the configuration of the kernel @name; or NULL. */
static char *config_of(const char *name)
{
	char *config =
		eo_asprintf("/boot/config-%.*s", (int)strcspn(name, " "), name);

	if (eo_is_file(config))
		return config;
	free(config);
	return NULL;
}

/* Debugging options of the running kernel, as far as they can be seen. */
static struct eo_error *look_for_distorting(const struct now *n,
					    struct eo_str *out)
{
	EO_CLEANUP(eo_freep) char *config = config_of(n->kernel);
	EO_CLEANUP(eo_str_release) struct eo_str cmdline = { 0 };

	if (config)
		eo_try(eo_config_distorting(config, out));
	eo_error_free(eo_file_read("/proc/cmdline", &cmdline));
	eo_cmdline_distorting(eo_str_get(&cmdline), out);
	return NULL;
}

static struct eo_error *first_phase(struct eo_bench_work *w,
				    const struct now *n)
{
	EO_CLEANUP(eo_str_release) struct eo_str said = { 0 };
	EO_CLEANUP(eo_str_release) struct eo_str perf = { 0 };
	struct eo_waiting waiting = { .workload = w->runner.workload->name,
				      .params = w->runner.params,
				      .kernel = n->kernel,
				      .boot = n->boot.s,
				      .started = w->started };
	time_t end = w->started + w->budget_s;
	unsigned i;

	/* First: where perf may not look, no measurement is lost. */
	if (w->args->bench.profile) {
		eo_progress("bench: profile", 1, 1, "");
		eo_try(eo_perf_take(&w->runner, &perf));
		waiting.profile = perf.s;
	}
	for (i = 0; i < EO_HOST_SHOTS; i++) {
		if (eo_interrupted())
			return eo_interrupt_error();
		if (i >= EO_HOST_LEAST && time(NULL) > end)
			break;
		eo_progress("bench: the running kernel", i + 1, EO_HOST_SHOTS,
			    "");
		eo_try(eo_runner_say(&w->runner, (unsigned)w->started + i,
				     &said));
	}
	eo_progress_end();
	waiting.said = eo_str_get(&said);
	waiting.distorting = w->distorting.len ? w->distorting.s : NULL;
	eo_try(eo_db_put_waiting(w->s->db, w->s->tree->root, &waiting));
	printf("measured %s %u times on Linux %s\n"
	       "Boot the kernel to compare it with, and run the same command again; `earlyout bench forget %s` forgets this.\n",
	       waiting.workload, i, n->kernel, waiting.workload);
	return NULL;
}

struct eo_error *eo_bench_host_profile(struct eo_bench_work *w)
{
	EO_CLEANUP(eo_str_release) struct eo_str now = { 0 };

	eo_progress("bench: profile", 1, 1, "");
	eo_try(eo_perf_take(&w->runner, &now));
	eo_try(eo_perf_add(&w->profile, w->perf, 0));
	eo_try(eo_perf_add(&w->profile, now.s, 1));
	eo_counts_sort(&w->profile);
	return NULL;
}

/* A profile of one of both kernels says nothing. */
static struct eo_error *need_profile(const struct eo_bench_work *w,
				     const struct eo_waiting *waiting)
{
	if (waiting->profile)
		return eo_perf_need();
	if (!w->args->bench.profile)
		return NULL;
	return eo_error_new(
		EO_ERR_INPUT,
		"Linux %s was measured without --profile: leave it out now, or `earlyout bench forget %s` and begin anew with it",
		waiting->kernel, waiting->workload);
}

static struct eo_error *other_boot(const struct eo_waiting *waiting,
				   const struct now *n)
{
	if (strcmp(waiting->boot, n->boot.s) != 0)
		return NULL;
	return eo_error_new(
		EO_ERR_INPUT,
		"this is still the boot of Linux %s that %s was measured on: boot the kernel to compare it with and run this again, or `earlyout bench forget %s`",
		waiting->kernel, waiting->workload, waiting->workload);
}

static unsigned count(const char *said)
{
	unsigned n = 0;

	while ((said = strstr(said, EO_RECORD_END)) != NULL) {
		said += strlen(EO_RECORD_END);
		n++;
	}
	return n;
}

struct eo_error *eo_bench_host(struct eo_bench_work *w, bool *waits)
{
	EO_CLEANUP(eo_waiting_release) struct eo_waiting waiting = { 0 };
	EO_CLEANUP(now_release) struct now n = { 0 };
	EO_CLEANUP(eo_freep) char *guest = NULL;
	bool found;

	eo_try(eo_db_get_waiting(w->s->db, w->s->tree->root,
				 w->runner.workload->name, &waiting, &found));
	eo_try(look(&n));
	eo_try(eo_guest_path(&guest));
	w->runner.guest = eo_arena_strdup(&w->arena, guest);
	if (found) {
		eo_try(other_boot(&waiting, &n));
		eo_try(need_profile(w, &waiting));
	}
	eo_try(look_for_distorting(&n, &w->distorting));
	if (found && !w->distorting.len && waiting.distorting)
		eo_str_add(&w->distorting, waiting.distorting);
	eo_try(eo_bench_refuse_distorting(w));
	*waits = !found;
	if (!found)
		return first_phase(w, &n);
	w->runner.params = eo_arena_strdup(&w->arena, waiting.params);
	w->runner.said = eo_arena_strdup(&w->arena, waiting.said);
	if (waiting.profile)
		w->perf = eo_arena_strdup(&w->arena, waiting.profile);
	w->pairs = count(waiting.said) - 1 - 2 * EO_HOST_SAME;
	w->runner.kernels[EO_BEFORE] =
		eo_arena_strdup(&w->arena, waiting.kernel);
	w->runner.kernels[EO_AFTER] = eo_arena_strdup(&w->arena, n.kernel);
	w->kernels[EO_BEFORE].config = config_of(waiting.kernel);
	return NULL;
}
