/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Benchmarks as drawings, by gnuplot(1): SVG, without scripts, with nothing
 * fetched from anywhere and only the fonts that the reader has. Texts are the
 * measured program's; they are escaped here.
 */
#ifndef EO_REPORTS_PLOT_H
#define EO_REPORTS_PLOT_H

#include <stdbool.h>

struct eo_bench;
struct eo_bench_samples;
struct eo_error;
struct eo_str;

/*
 * Appends an "<svg …>…</svg>" to @to: every sample of the metric @metric
 * ("empty.wall") before and after, pair by pair, both medians, and the change
 * with its 95% interval. @samples is of the same bench, as
 * eo_db_get_bench_samples() gives it. EO_ERR_INPUT when it has no pair of
 * that metric; EO_ERR_ENV without gnuplot.
 */
struct eo_error *eo_plot_samples(const struct eo_bench *b,
				 const struct eo_bench_samples *samples,
				 const char *metric, struct eo_str *to);

/* Whether a bench has what eo_plot_curve() needs: 3 numbers of CPUs. */
bool eo_plot_has_curve(const struct eo_bench *b, const char *metric);
/*
 * The same of the cost against the number of possible CPUs, before and after,
 * with a line through each by least squares; beyond what was measured it is
 * dashed, in the interval in which a measurement would lie at 95%, and
 * written beside it that it is an extrapolation.
 */
struct eo_error *eo_plot_curve(const struct eo_bench *b, const char *metric,
			       struct eo_str *to);

#endif
