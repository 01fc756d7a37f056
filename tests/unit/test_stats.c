// SPDX-License-Identifier: GPL-2.0-only
/* Statistics, on values worked out by hand or taken from printed tables. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "verify/bench/stats.h"

static void near_to(double got, double want, double by)
{
	if (!(fabs(got - want) <= by))
		fail_msg("%.9g, not %.9g", got, want);
}

static void medians(void **state)
{
	const double odd[] = { 5, 1, 3 }, even[] = { 4, 1, 2, 9 };

	(void)state;
	near_to(eo_stats_median(odd, 3), 3, 0);
	near_to(eo_stats_median(even, 4), 3, 0);
	near_to(odd[0], 5, 0); /* left as it was */
}

/*
 * All signs alike: of the 2^n equally likely ways one is as extreme on
 * either side, so p = 2 / 2^n.
 */
static void wilcoxon_all_alike(void **state)
{
	const double v[] = { 1, 2, 3, 4, 5, 6 };
	const double minus[] = { -3, -1, -2, -7, -5 };

	(void)state;
	near_to(eo_stats_wilcoxon(v, 6), 2.0 / 64, 1e-12);
	near_to(eo_stats_wilcoxon(minus, 5), 2.0 / 32, 1e-12);
	near_to(eo_stats_wilcoxon(v, 1), 1, 0);
}

/*
 * 1, 2, 3, -4, 5: the ranks of the negative sum up to 4. Subsets of
 * {1..5} with a sum of at most 4: {}, {1}, {2}, {3}, {4}, {1,2}, {1,3}:
 * 7 of 32, both sides 14 of 32.
 */
static void wilcoxon_by_hand(void **state)
{
	const double v[] = { 1, 2, 3, -4, 5 };
	const double zeros[] = { 0, 1, 0, 2, 3, -4, 5, 0 };
	const double nothing[] = { 0, 0 };

	(void)state;
	near_to(eo_stats_wilcoxon(v, 5), 14.0 / 32, 1e-12);
	near_to(eo_stats_wilcoxon(zeros, 8), 14.0 / 32, 1e-12);
	near_to(eo_stats_wilcoxon(nothing, 2), 1, 0);
}

/*
 * Ties: sizes 1, 1, 2 have the ranks 1.5, 1.5, 3. The negative 1 sums up to
 * 1.5: {}, {1.5}, {1.5'}: 3 of 8, both sides 6 of 8.
 */
static void wilcoxon_ties(void **state)
{
	const double v[] = { -1, 1, 2 };

	(void)state;
	near_to(eo_stats_wilcoxon(v, 3), 6.0 / 8, 1e-12);
}

/*
 * The printed tables (Wilcoxon 1945; McCornack 1965): for n = 10 the sum 8
 * has p = 0.0488 on both sides and 9 has 0.0645; for n = 20 the critical
 * value at 0.05 is 52.
 */
static void wilcoxon_tables(void **state)
{
	double v[20];

	(void)state;
	for (int i = 0; i < 10; i++)
		v[i] = i + 1;
	v[7] = -8;
	near_to(eo_stats_wilcoxon(v, 10), 50.0 / 1024, 1e-12);
	v[7] = 8;
	v[8] = -9;
	near_to(eo_stats_wilcoxon(v, 10), 66.0 / 1024, 1e-12);
	for (int i = 0; i < 20; i++)
		v[i] = i + 1;
	v[19] = -20;
	v[18] = -19;
	v[12] = -13; /* 52 */
	assert_true(eo_stats_wilcoxon(v, 20) <= 0.05);
	v[12] = 13;
	v[13] = -14; /* 53 */
	assert_true(eo_stats_wilcoxon(v, 20) > 0.05);
}

/*
 * n = 60, the negative ranks sum up to 600: mean 915, variance
 * 60*61*121/24 = 18452.5, z = (600 - 915 + 0.5)/135.84 = -2.3152, and
 * P(|Z| >= 2.3152) = 0.0206.
 */
static void wilcoxon_many(void **state)
{
	double v[60];
	int sum = 0;

	(void)state;
	for (int i = 60; i > 0; i--) {
		bool minus = sum + i <= 600;

		v[i - 1] = minus ? -i : i;
		sum += minus ? i : 0;
	}
	assert_int_equal(sum, 600);
	near_to(eo_stats_wilcoxon(v, 60), 0.0206, 0.0001);
}

static void pairs_needed(void **state)
{
	(void)state;
	assert_int_equal(eo_stats_min_pairs(0.05, 1), 6); /* 2/64 = 0.031 */
	assert_int_equal(eo_stats_min_pairs(0.05, 2), 7);
	assert_int_equal(eo_stats_min_pairs(0.05, 4), 8);
	assert_int_equal(eo_stats_min_pairs(0.05, 12), 9); /* 0.0039 */
}

static void bootstrap(void **state)
{
	const double same[] = { 7, 7, 7, 7 };
	double v[101];
	struct eo_interval a, b;

	(void)state;
	a = eo_stats_bootstrap_median(same, 4, 0.95, 1);
	near_to(a.low, 7, 0);
	near_to(a.high, 7, 0);
	/*
	 * 0..100: the median's ranks have a spread of sqrt(101)/2 = 5.02, so
	 * 95% of the resampled medians lie within 50 -+ 9.85.
	 */
	for (int i = 0; i < 101; i++)
		v[i] = i;
	a = eo_stats_bootstrap_median(v, 101, 0.95, 1);
	near_to(a.low, 50 - 9.85, 1.5);
	near_to(a.high, 50 + 9.85, 1.5);
	b = eo_stats_bootstrap_median(v, 101, 0.95, 1);
	near_to(a.low, b.low, 0);
	near_to(a.high, b.high, 0);
}

static struct eo_effect judged(const double *before, const double *after,
			       double noise, double layout, bool higher)
{
	const struct eo_pairs ab = { before, after, 6 };
	const struct eo_judgement how = { .higher_is_better = higher,
					  .alpha = 0.05,
					  .floor = 0.002,
					  .seed = 1 };
	struct eo_effect e;

	eo_stats_judge(&ab, noise, layout, &how, &e);
	return e;
}

static void verdicts(void **state)
{
	/* 10% less, give or take; then the other way, then to and fro. */
	const double a[] = { 100, 110, 100, 100, 120, 100 };
	const double b[] = { 90, 99, 89, 91, 108, 90 };
	const double c[] = { 101, 109, 102, 98, 121, 99 };
	struct eo_effect e = judged(a, b, 0.01, 0, false);

	(void)state;
	assert_int_equal(e.verdict, EO_IMPROVED);
	near_to(e.change, -0.1, 1e-12);
	near_to(e.before, 100, 0);
	near_to(e.after, 90.5, 1e-12);
	near_to(e.p, 2.0 / 64, 1e-12);
	assert_true(e.interval.low >= -0.11 && e.interval.high <= -0.09);
	assert_int_equal(judged(a, b, 0.01, 0, true).verdict, EO_REGRESSED);
	assert_int_equal(judged(b, a, 0.01, 0, false).verdict, EO_REGRESSED);
	assert_int_equal(judged(b, a, 0.01, 0, true).verdict, EO_IMPROVED);
	/* Within the noise, or what other addresses do: not believed. */
	assert_int_equal(judged(a, b, 0.15, 0, false).verdict, EO_NO_CHANGE);
	assert_int_equal(judged(a, b, 0.01, 0.15, false).verdict, EO_NO_CHANGE);
	assert_int_equal(judged(a, c, 0, 0, false).verdict, EO_NO_CHANGE);
	assert_int_equal(judged(a, a, 0, 0, false).verdict, EO_NO_CHANGE);
	assert_string_equal(eo_verdict_name(EO_NO_CHANGE),
			    "no consistent change");
}

static void noise(void **state)
{
	const double a[] = { 100, 200 }, b[] = { 101, 194 };
	const struct eo_pairs p = { a, b, 2 }, none = { a, b, 0 };

	(void)state;
	near_to(eo_stats_noise(&p), 0.03, 1e-12);
	near_to(eo_stats_noise(&none), 0, 0);
	/* t(0.975, 2) = 4.3027, root of (0.0001 + 0.0009) / 2 = 0.022361. */
	near_to(eo_stats_reach(&p, 0.95), 4.3027 * 0.022361, 1e-5);
	near_to(eo_stats_reach(&none, 0.95), 0, 0);
}

/*
 * Points (1,1), (2,3), (3,4), (4,6): b = 1.6, a = -0.5, residuals -0.1, 0.3,
 * -0.3, 0.1, their squares sum up to 0.2, sigma = sqrt(0.1). At x = 10 the
 * prediction is 15.5 -+ t(0.975, 2) sigma sqrt(1 + 1/4 + 7.5^2/5), which is
 * 4.3027 * 0.31623 * 3.5355 = 4.8105.
 */
static void line(void **state)
{
	const double x[] = { 1, 2, 3, 4 }, y[] = { 1, 3, 4, 6 };
	struct eo_interval i;
	struct eo_line_fit f;

	(void)state;
	eo_stats_fit(x, y, 4, &f);
	near_to(f.a, -0.5, 1e-9);
	near_to(f.b, 1.6, 1e-9);
	near_to(eo_stats_predict(&f, 10, 0.95, &i), 15.5, 1e-9);
	near_to(i.low, 15.5 - 4.8105, 0.001);
	near_to(i.high, 15.5 + 4.8105, 0.001);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(medians),
		cmocka_unit_test(wilcoxon_all_alike),
		cmocka_unit_test(wilcoxon_by_hand),
		cmocka_unit_test(wilcoxon_ties),
		cmocka_unit_test(wilcoxon_tables),
		cmocka_unit_test(wilcoxon_many),
		cmocka_unit_test(pairs_needed),
		cmocka_unit_test(bootstrap),
		cmocka_unit_test(verdicts),
		cmocka_unit_test(noise),
		cmocka_unit_test(line),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
