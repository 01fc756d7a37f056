/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The statistics of paired measurements, on GSL.
 *
 * A pair is one measurement of each kernel, made close together in time, and
 * its change is (after - before) / before. All that is said is about the
 * changes of pairs: what drifts from one pair to the next drops out.
 */
#ifndef EO_VERIFY_BENCH_STATS_H
#define EO_VERIFY_BENCH_STATS_H

#include <stdbool.h>
#include <stddef.h>

struct eo_interval {
	double low, high;
};

/* Of @n values, at least 1; @v stays as it is. */
double eo_stats_median(const double *v, size_t n);

/*
 * Where the median of what the @n values were drawn from lies, at @level
 * (0.95): the percentile bootstrap (Efron 1979), 4,000 resamples. The same
 * @seed gives the same interval.
 */
struct eo_interval eo_stats_bootstrap_median(const double *v, size_t n,
					     double level, unsigned long seed);

/*
 * Wilcoxon's signed-rank test (Wilcoxon 1945) that the changes lie around 0:
 * p, both sides. Zeros are left out and ties share their ranks. Exact, by the
 * distribution of the ranks' sums, for up to 50 that are left; then by the
 * normal approximation with corrections for ties and continuity. 1 when
 * nothing is left.
 */
double eo_stats_wilcoxon(const double *v, size_t n);

/*
 * The fewest pairs with which the test can come out below @alpha after
 * Bonferroni's correction for @metrics of them: the least n with
 * 2 / 2^n <= alpha / metrics.
 */
size_t eo_stats_min_pairs(double alpha, size_t metrics);

enum eo_verdict {
	EO_IMPROVED,
	EO_REGRESSED,
	EO_NO_CHANGE, /* none that is consistent */
};

/* "improved", "regressed", "no consistent change". */
const char *eo_verdict_name(enum eo_verdict v);

struct eo_effect {
	size_t n; /* pairs */
	double before, after; /* medians */
	double change; /* median of the pairs' changes: -0.12 is 12% less */
	struct eo_interval interval; /* of that median, 95% */
	double p;
	double noise; /* the largest change among pairs of the same kernel */
	double layout; /* reach of patches without effect; 0: not measured */
	enum eo_verdict verdict;
};

struct eo_pairs {
	const double *before, *after;
	size_t n;
};

struct eo_judgement {
	bool higher_is_better;
	double alpha; /* after correction: p has to be at most this */
	double floor; /* no smaller change is ever believed */
	unsigned long seed;
};

/* The largest |change|; 0 without pairs. */
double eo_stats_noise(const struct eo_pairs *same);

/*
 * How far one more such pair may lie from 0, at @level, when the changes of
 * those there are spread around it normally: Student's t with as many degrees
 * of freedom as there are pairs, times the root of their mean square. 0
 * without pairs.
 */
double eo_stats_reach(const struct eo_pairs *same, double level);

/*
 * The whole of it. A change is consistent when its interval leaves 0 out,
 * p is small enough, and it is larger than the noise of pairs of the same
 * kernel (@noise), than the effect of other addresses (@layout) and than the
 * floor. @ab has at least one pair.
 */
void eo_stats_judge(const struct eo_pairs *ab, double noise, double layout,
		    const struct eo_judgement *how, struct eo_effect *out);

/* y = a + b x through @n points, at least 3, by least squares. */
struct eo_line_fit {
	double a, b;
	double cov_aa, cov_ab, cov_bb, sigma; /* of a, b; residual's spread */
	size_t n;
};

void eo_stats_fit(const double *x, const double *y, size_t n,
		  struct eo_line_fit *out);
/*
 * What the line gives at @x, and the interval in which a new measurement
 * there would lie at @level (Student's t, n - 2 degrees of freedom).
 */
double eo_stats_predict(const struct eo_line_fit *fit, double x, double level,
			struct eo_interval *interval);

#endif
