/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which functions of the running kernel a workload's time is in: perf(1)
 * samples where the CPU is while the workload runs on this machine.
 */
#ifndef EO_VERIFY_BENCH_PERF_H
#define EO_VERIFY_BENCH_PERF_H

struct eo_counts;
struct eo_error;
struct eo_runner;
struct eo_str;

/* EO_ERR_ENV with what to install, when perf is not to be had. */
struct eo_error *eo_perf_need(void);

/*
 * Measures the running kernel once more (@r is an EO_HOST), under `perf
 * record`: the workload's own processes, and the kernel threads that they
 * make, in the kernel and outside. Appends lines "SAMPLES|[k] SYMBOL", the
 * most first. EO_ERR_INPUT when perf may not look, or saw nothing.
 */
struct eo_error *eo_perf_take(const struct eo_runner *r, struct eo_str *out);

/*
 * Adds such lines to @to, as before or after; what is outside of the kernel
 * becomes the one row "[user]". EO_ERR_INPUT when a line is another.
 */
struct eo_error *eo_perf_add(struct eo_counts *to, const char *lines,
			     int after);

#endif
