// SPDX-License-Identifier: GPL-2.0-only
#include "verify/bench/stats.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_fit.h>
#include <gsl/gsl_rng.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"

#define RESAMPLES 4000
#define EXACT_MAX 50

double eo_stats_median(const double *v, size_t n)
{
	EO_CLEANUP(eo_freep) double *copy = eo_alloc(n * sizeof(*copy));

	memcpy(copy, v, n * sizeof(*copy));
	return gsl_stats_median(copy, 1, n);
}

struct eo_interval eo_stats_bootstrap_median(const double *v, size_t n,
					     double level, unsigned long seed)
{
	EO_CLEANUP(eo_freep) double *drawn = eo_alloc(n * sizeof(*drawn));
	EO_CLEANUP(eo_freep)
	double *medians = eo_alloc(RESAMPLES * sizeof(*medians));
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
	struct eo_interval out;

	gsl_rng_set(rng, seed);
	for (size_t r = 0; r < RESAMPLES; r++) {
		for (size_t i = 0; i < n; i++)
			drawn[i] = v[gsl_rng_uniform_int(rng, n)];
		medians[r] = gsl_stats_median(drawn, 1, n);
	}
	gsl_rng_free(rng);
	gsl_sort(medians, 1, RESAMPLES);
	out.low = gsl_stats_quantile_from_sorted_data(medians, 1, RESAMPLES,
						      (1 - level) / 2);
	out.high = gsl_stats_quantile_from_sorted_data(medians, 1, RESAMPLES,
						       (1 + level) / 2);
	return out;
}

/* Differences that are not 0, by their size, with twice their ranks. */
struct ranked {
	double value;
	size_t rank2; /* shared ranks end in .5, so they are doubled */
};

static int by_size(const void *a, const void *b)
{
	double x = fabs(((const struct ranked *)a)->value);
	double y = fabs(((const struct ranked *)b)->value);

	return x < y ? -1 : x > y;
}

/* Fills @r and gives their number; *ties is the sum of t^3 - t. */
static size_t rank(const double *v, size_t n, struct ranked *r, double *ties)
{
	size_t m = 0;

	for (size_t i = 0; i < n; i++)
		if (v[i] != 0)
			r[m++].value = v[i];
	qsort(r, m, sizeof(*r), by_size);
	*ties = 0;
	for (size_t i = 0, j; i < m; i = j) {
		double t;

		for (j = i + 1; j < m && fabs(r[j].value) == fabs(r[i].value);
		     j++)
			;
		for (size_t k = i; k < j; k++)
			r[k].rank2 = i + 1 + j;
		t = (double)(j - i);
		*ties += t * t * t - t;
	}
	return m;
}

/* P(sum of the ranks of positive signs <= w), all signs equally likely. */
static double exact_tail(const struct ranked *r, size_t m, size_t w2)
{
	size_t max = m * (m + 1);
	EO_CLEANUP(eo_freep)
	double *p = eo_zalloc((max + 1) * sizeof(*p));
	double sum = 0;

	p[0] = 1;
	for (size_t i = 0; i < m; i++) {
		for (size_t s = max + 1; s-- > 0;)
			p[s] = (p[s] +
				(s >= r[i].rank2 ? p[s - r[i].rank2] : 0)) /
			       2;
	}
	for (size_t s = 0; s <= w2; s++)
		sum += p[s];
	return sum;
}

static double normal_tail(size_t m, double w, double ties)
{
	double n = (double)m, mean = n * (n + 1) / 4;
	double var = n * (n + 1) * (2 * n + 1) / 24 - ties / 48;

	return gsl_cdf_ugaussian_P((w - mean + 0.5) / sqrt(var));
}

double eo_stats_wilcoxon(const double *v, size_t n)
{
	EO_CLEANUP(eo_freep) struct ranked *r = eo_zalloc((n + 1) * sizeof(*r));
	size_t plus2 = 0, least2;
	double ties, tail;
	size_t m = rank(v, n, r, &ties);

	if (m == 0)
		return 1;
	for (size_t i = 0; i < m; i++)
		plus2 += r[i].value > 0 ? r[i].rank2 : 0;
	least2 = m * (m + 1) - plus2;
	if (plus2 < least2)
		least2 = plus2;
	tail = m <= EXACT_MAX ? exact_tail(r, m, least2) :
				normal_tail(m, (double)least2 / 2, ties);
	return tail > 0.5 ? 1 : 2 * tail;
}

size_t eo_stats_min_pairs(double alpha, size_t metrics)
{
	size_t n = 1;

	while (ldexp(2, -(int)n) > alpha / (double)(metrics ? metrics : 1))
		n++;
	return n;
}

const char *eo_verdict_name(enum eo_verdict v)
{
	static const char *const names[] = {
		[EO_IMPROVED] = "improved",
		[EO_REGRESSED] = "regressed",
		[EO_NO_CHANGE] = "no consistent change",
	};

	return names[v];
}

static double change(const struct eo_pairs *p, size_t i)
{
	return (p->after[i] - p->before[i]) / p->before[i];
}

double eo_stats_noise(const struct eo_pairs *same)
{
	double max = 0;

	for (size_t i = 0; i < same->n; i++)
		max = fmax(max, fabs(change(same, i)));
	return max;
}

double eo_stats_reach(const struct eo_pairs *same, double level)
{
	double n = (double)same->n, squares = 0;

	if (!same->n)
		return 0;
	for (size_t i = 0; i < same->n; i++)
		squares += change(same, i) * change(same, i);
	return gsl_cdf_tdist_Pinv((1 + level) / 2, n) * sqrt(squares / n);
}

static bool is_consistent(const struct eo_effect *e,
			  const struct eo_judgement *how)
{
	double least = fmax(fmax(e->noise, e->layout), how->floor);

	return (e->interval.low > 0 || e->interval.high < 0) &&
	       e->p <= how->alpha && fabs(e->change) > least;
}

void eo_stats_judge(const struct eo_pairs *ab, double noise, double layout,
		    const struct eo_judgement *how, struct eo_effect *out)
{
	EO_CLEANUP(eo_freep)
	double *changes = eo_alloc(ab->n * sizeof(*changes));

	for (size_t i = 0; i < ab->n; i++)
		changes[i] = change(ab, i);
	*out = (struct eo_effect){
		.n = ab->n,
		.before = eo_stats_median(ab->before, ab->n),
		.after = eo_stats_median(ab->after, ab->n),
		.change = eo_stats_median(changes, ab->n),
		.interval = eo_stats_bootstrap_median(changes, ab->n, 0.95,
						      how->seed),
		.p = eo_stats_wilcoxon(changes, ab->n),
		.noise = noise,
		.layout = layout,
		.verdict = EO_NO_CHANGE,
	};
	if (is_consistent(out, how))
		out->verdict = (out->change > 0) == how->higher_is_better ?
				       EO_IMPROVED :
				       EO_REGRESSED;
}

void eo_stats_fit(const double *x, const double *y, size_t n,
		  struct eo_line_fit *out)
{
	double sum_of_squares;

	gsl_fit_linear(x, 1, y, 1, n, &out->a, &out->b, &out->cov_aa,
		       &out->cov_ab, &out->cov_bb, &sum_of_squares);
	out->sigma = sqrt(sum_of_squares / (double)(n - 2));
	out->n = n;
}

double eo_stats_predict(const struct eo_line_fit *fit, double x, double level,
			struct eo_interval *interval)
{
	double t = gsl_cdf_tdist_Pinv((1 + level) / 2, (double)fit->n - 2);
	double y, error;

	gsl_fit_linear_est(x, fit->a, fit->b, fit->cov_aa, fit->cov_ab,
			   fit->cov_bb, &y, &error);
	error = sqrt(error * error + fit->sigma * fit->sigma);
	interval->low = y - t * error;
	interval->high = y + t * error;
	return y;
}
