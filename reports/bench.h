/* SPDX-License-Identifier: GPL-2.0-only */
/* What a benchmark came to, in words. */
#ifndef EO_REPORTS_BENCH_H
#define EO_REPORTS_BENCH_H

#include <stdbool.h>
#include <stddef.h>

struct eo_bench;
struct eo_str;

/* "7.02 us", "12.70k instructions", for @unit "ns", "instructions". */
void eo_bench_value(double v, const char *unit, char *to, size_t n);

/*
 * What the measurement that failed had printed, made fit for a terminal:
 * all of it, or its last lines, each with a margin.
 */
void eo_bench_console(const struct eo_bench *b, bool last, struct eo_str *to);

/*
 * For a terminal: what was compared and where; a line a metric with medians,
 * the median paired change with its interval, p, the noise it stands out
 * from, the verdict; the fit against the number of CPUs, where there is a
 * curve; and what distorts or failed, which is never left out.
 */
void eo_bench_text(const struct eo_bench *b, struct eo_str *to);
/* The same as Markdown. */
void eo_bench_markdown(const struct eo_bench *b, struct eo_str *to);
/*
 * The table for a commit's message, with the sentence before it that says
 * where the numbers are from:
 *
 *	                             before     after
 *	  read of an empty io.stat   7.02 us   5.47 us
 */
void eo_bench_table(const struct eo_bench *b, struct eo_str *to);
/* Two benches of the same workload, side by side. */
void eo_bench_compare(const struct eo_bench *a, const struct eo_bench *b,
		      struct eo_str *to);

#endif
