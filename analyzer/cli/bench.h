/* SPDX-License-Identifier: GPL-2.0-only */
/* One comparison on its way: what the files of `earlyout bench` share. */
#ifndef EO_CLI_BENCH_H
#define EO_CLI_BENCH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/mem.h"
#include "base/str.h"
#include "db/hooks.h"
#include "verify/bench/counts.h"
#include "verify/bench/kernel.h"
#include "verify/bench/machine.h"
#include "verify/bench/runner.h"
#include "verify/bench/study.h"
#include "verify/bench/variant.h"

struct eo_args;
struct eo_error;
struct eo_session;

struct eo_bench_work {
	struct eo_session *s;
	const struct eo_args *args;
	struct eo_arena arena;
	struct eo_builder builder;
	bool has_builder;
	/* By enum eo_arm, the placebos one after the other. */
	struct eo_variant variants[EO_KERNELS];
	struct eo_kernel kernels[EO_KERNELS];
	struct eo_runner runner;
	struct eo_study study;
	struct eo_counts profile;
	/* Of --runner host: what perf saw of the kernel before, or NULL. */
	const char *perf;
	struct eo_machine machine;
	struct eo_hooks hooks;
	const char *hook; /* its name, of --runner command */
	struct eo_str patch, distorting;
	char finding[17]; /* "" when it is about none */
	char *initramfs, *temp;
	const char *what;
	unsigned budget_s, pairs; /* pairs: at most; 0: as many as need be */
	int64_t started; /* seconds since the epoch; the seed of all chance */
};

/* "90s", "10m", "2h": seconds; NULL is 10 minutes. EO_ERR_USAGE. */
struct eo_error *eo_bench_budget(const char *text, unsigned *seconds);

/* What is different after: the patch's text, and its name for people. */
struct eo_error *eo_bench_find_patch(struct eo_bench_work *w);
/*
 * Both kernels, and the placebos where instructions are counted: built, or
 * taken as they are; and what of their options distorts.
 */
struct eo_error *eo_bench_need_kernels(struct eo_bench_work *w);

/* EO_ERR_INPUT when something distorts and --allow-debug was not given. */
struct eo_error *eo_bench_refuse_distorting(struct eo_bench_work *w);

/*
 * The pairs of a study of the running kernel: so many with itself, then so
 * many with the other one. The first phase measures the kernel before as
 * often as that takes, and at least as often as a verdict needs.
 */
#define EO_HOST_SAME 3
#define EO_HOST_PAIRS 20
#define EO_HOST_SHOTS (1 + 2 * EO_HOST_SAME + EO_HOST_PAIRS)
#define EO_HOST_LEAST (1 + 2 * EO_HOST_SAME + 8)
/*
 * What the running kernel needs: measures it when nothing waits yet, and
 * *waits is true; else sets the runner up to compare with what waited.
 */
struct eo_error *eo_bench_host(struct eo_bench_work *w, bool *waits);
/* The profile of a second phase whose .perf there is: this kernel, beside it. */
struct eo_error *eo_bench_host_profile(struct eo_bench_work *w);

/* Puts what was measured into the database. */
struct eo_error *eo_bench_store(struct eo_bench_work *w, int64_t *id);

/*
 * Builds what has to be built, measures the workload that the first word
 * names, and stores it; *id is the bench's, or 0 when it waits for another
 * kernel to be booted.
 */
struct eo_error *eo_bench_measure(struct eo_session *s,
				  const struct eo_args *args, int64_t *id);

#endif
