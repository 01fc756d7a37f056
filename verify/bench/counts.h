/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which functions of the kernel a workload is in, before and after: counted by
 * instructions here, by samples in perf.h.
 */
#ifndef EO_VERIFY_BENCH_COUNTS_H
#define EO_VERIFY_BENCH_COUNTS_H

#include <stddef.h>

#include "base/map.h"
#include "base/mem.h"

struct eo_error;
struct eo_runner;

struct eo_count {
	const char *symbol; /* a kernel's function, or "[user]" */
	/* instructions a batch of the workload; or samples of one run */
	double before, after;
};

struct eo_counts {
	struct eo_count *items; /* the most first, of either kernel */
	size_t n, cap;
	struct eo_map numbers; /* of rows, by symbol, from 1 */
	struct eo_arena arena;
};

void eo_counts_release(struct eo_counts *p);

/*
 * Counts them, before and after: boots each kernel of the runner (icount, one
 * CPU) twice, with one and with three batches of the workload, by a plugin of
 * QEMU's. The difference is two batches and nothing of the boot. @maps are
 * both kernels' System.map. EO_ERR_ENV when the plugin is not to be found.
 */
struct eo_error *eo_counts_take(const struct eo_runner *r,
				const char *const maps[2],
				struct eo_counts *out);

/*
 * Adds up what the plugin wrote by symbol, times @factor, as .before or
 * .after of @to. EO_ERR_INPUT when one of both is not what it should be.
 */
struct eo_error *eo_counts_add(struct eo_counts *to, const char *map,
			       const char *counts, double factor, int after);
/* Adds @n to the row of @symbol, .before or .after. */
void eo_counts_put(struct eo_counts *to, const char *symbol, double n,
		   int after);
/* Brings the rows in order and drops the empty ones: nothing is added then. */
void eo_counts_sort(struct eo_counts *p);

#endif
