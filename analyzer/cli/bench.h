/* SPDX-License-Identifier: GPL-2.0-only */
/* One comparison on its way: what the files of `earlyout bench` share. */
#ifndef EO_CLI_BENCH_H
#define EO_CLI_BENCH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/mem.h"
#include "base/str.h"
#include "db/hooks.h"
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
	struct eo_variant before, after, placebo;
	struct eo_kernel kernels[3];
	struct eo_runner runner;
	struct eo_study study;
	struct eo_machine machine;
	struct eo_hooks hooks;
	struct eo_str patch, distorting;
	char finding[17]; /* "" when it is about none */
	char *initramfs, *temp;
	const char *what;
	int64_t started; /* seconds since the epoch; the seed of all chance */
};

/* "90s", "10m", "2h": seconds; NULL is 10 minutes. EO_ERR_USAGE. */
struct eo_error *eo_bench_budget(const char *text, unsigned *seconds);

/* What is different after: the patch's text, and its name for people. */
struct eo_error *eo_bench_find_patch(struct eo_bench_work *w);
/*
 * Both kernels, and the placebo where instructions are counted: built, or
 * taken as they are; and what of their options distorts.
 */
struct eo_error *eo_bench_need_kernels(struct eo_bench_work *w);

/* Puts what was measured into the database. */
struct eo_error *eo_bench_store(struct eo_bench_work *w, int64_t *id);

/*
 * Builds what has to be built, measures the workload that the first word
 * names, and stores it; *id is the bench's.
 */
struct eo_error *eo_bench_measure(struct eo_session *s,
				  const struct eo_args *args, int64_t *id);

#endif
