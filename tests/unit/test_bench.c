// SPDX-License-Identifier: GPL-2.0-only
/* What a measurement says, line by line, and the design of a comparison. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "verify/bench/cpio.h"
#include "verify/bench/record.h"
#include "verify/bench/study.h"

static const char plain[] = "hello 1 pond\n"
			    "env kernel 6.99.1 #1 SMP\n"
			    "metric splash.wall ns lower a frog's jump\n"
			    "metric frogs 1/s higher frogs\n"
			    "# a comment\n"
			    "sample splash.wall 0 900\n"
			    "sample splash.wall 1 100.5\n"
			    "sample splash.wall 2 300\n"
			    "sample splash.wall 3 200\n"
			    "sample frogs 1 7e3\n"
			    "end\n";

static void lines(void **state)
{
	EO_CLEANUP(eo_record_release) struct eo_record l = { 0 };

	(void)state;
	assert_null(eo_record_parse("x", plain, strlen(plain), false, &l));
	assert_string_equal(l.workload, "pond");
	assert_int_equal(l.metrics.n, 2);
	assert_int_equal(l.samples.n, 5);
	assert_string_equal(l.metrics.items[0].words, "a frog's jump");
	assert_false(l.metrics.items[0].higher_is_better);
	assert_true(l.metrics.items[1].higher_is_better);
	assert_string_equal(l.env.items[0].value, "6.99.1 #1 SMP");
	/* The median without the warm-up. */
	assert_true(eo_record_value(&l, "splash.wall") == 200);
	assert_true(eo_record_value(&l, "frogs") == 7000);
	assert_null(eo_record_metric(&l, "toads"));
}

static void refused_n(const char *text, size_t n, bool framed, const char *what)
{
	EO_CLEANUP(eo_record_release) struct eo_record l = { 0 };
	struct eo_error *err = eo_record_parse("x", text, n, framed, &l);

	assert_non_null(err);
	assert_int_equal(eo_error_kind(err), EO_ERR_INPUT);
	if (!strstr(eo_error_message(err), what))
		fail_msg("%s", eo_error_message(err));
	eo_error_free(err);
}

static void refused(const char *text, const char *what)
{
	refused_n(text, strlen(text), false, what);
}

#define HEAD "hello 1 x\nmetric a ns lower a\n"

static void bad_lines(void **state)
{
	(void)state;
	refused("", "without \"end\"");
	refused(HEAD "sample a 1 2\n", "without \"end\"");
	refused(HEAD "sample a 1 2\nend", "x:4: the line is cut off");
	refused(HEAD "sample b 1 2\nend\n", "x:3: no metric");
	refused(HEAD "sample a one 2\nend\n", "x:3: a sample is");
	refused(HEAD "sample a 1\nend\n", "x:3: a sample is");
	refused(HEAD "sample a 1 2 3\nend\n", "x:3: a sample is");
	refused(HEAD "sample a 1 nan\nend\n", "from 0");
	refused(HEAD "sample a 1 -1\nend\n", "from 0");
	refused(HEAD "sample a 1 inf\nend\n", "from 0");
	refused(HEAD "sample a 0 5\nend\n", "no sample behind the warm-up");
	refused(HEAD "sample a 1 0\nend\n", "a median of 0");
	refused(HEAD "end\n", "no sample behind");
	refused("hello 1 x\nend\n", "it measured nothing");
	refused(HEAD "metric a ns lower a\nend\n", "declared twice");
	refused("metric a ns best a\nend\n", "a metric is");
	refused("metric A ns lower a\nend\n", "a metric is");
	refused("hello 2 x\nend\n", "another version");
	refused(HEAD "sample a 1 2\nend\nsample a 1 2\n", "behind the end");
	refused("Segmentation fault\n", "a line begins with");
	refused("hello 1 x\nfail the pond is dry\n", "x:2: the pond is dry");
	refused_n("hello 1\0x\n", 10, false, "NUL");
}

/* CRC32 of "123456789" is cbf43926: the check value of the algorithm. */
static void frames(void **state)
{
	static const char good[] = "eo 0 cbf43926 123456789\n";
	static const char *const wrong[] = {
		"eo 0 cbf43927 123456789\n",
		"the frame is damaged",
		"eo 0 cbf43926 123456780\n",
		"the frame is damaged",
		"eo 1 cbf43926 123456789\n",
		"a frame is missing",
		"[    1.2] random: crng init\n",
		"no frame",
		"eo 0 cbf43926\n",
		"is damaged",
	};

	(void)state;
	/* Well framed; what is in it is none of the format. */
	refused_n(good, strlen(good), true, "a line begins with");
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i += 2)
		refused_n(wrong[i], strlen(wrong[i]), true, wrong[i + 1]);
}

/* Wherever it is cut, it is refused: a lost line never goes unseen. */
static void cut_anywhere(void **state)
{
	(void)state;
	for (size_t n = 0; n < strlen(plain); n++) {
		char *copy = eo_alloc(n ? n : 1); /* of the exact size */

		memcpy(copy, plain, n);
		refused_n(copy, n, false, "");
		free(copy);
	}
}

/* The format's fixed parts, and that all is aligned to four bytes. */
static void initramfs(void **state)
{
	EO_CLEANUP(eo_str_release) struct eo_str s = { 0 };
	const char *p;

	(void)state;
	eo_cpio_initramfs("hello", 5, &s);
	assert_int_equal(s.len % 4, 0);
	assert_memory_equal(s.s, "070701", 6);
	p = memmem(s.s, s.len, "init\0", 5);
	assert_non_null(p);
	assert_int_equal((p - s.s - 110) % 4, 0); /* the head is 110 bytes */
	assert_memory_equal(p - 110, "070701", 6);
	assert_memory_equal(p - 110 + 14, "000081ED", 8); /* S_IFREG | 0755 */
	assert_memory_equal(p - 110 + 54, "00000005", 8);
	/* 110 + 5 is 115: one byte of padding, then the data. */
	assert_memory_equal(p + 6, "hello\0\0\0", 8);
	assert_non_null(memmem(s.s, s.len, "TRAILER!!!", 11));
}

/* A runner that draws from a distribution, instead of booting. */
struct fake {
	gsl_rng *rng;
	double before, after, placebo; /* what is measured, in the middle */
	double noise; /* relative spread of a measurement */
	double drift; /* growth from one measurement to the next */
	unsigned calls, fail_at; /* fail_at: 0 never */
};

static struct eo_error *draw(void *ctx, const struct eo_shot *what,
			     struct eo_record *out, struct eo_str *console)
{
	EO_CLEANUP(eo_str_release) struct eo_str text = { 0 };
	struct fake *f = ctx;
	double v = what->arm == EO_BEFORE ? f->before :
		   what->arm == EO_AFTER  ? f->after :
					    f->placebo;

	f->calls++;
	eo_str_add(console, "Linux version 6.99\n");
	if (f->calls == f->fail_at)
		return eo_error_new(EO_ERR_INPUT, "the kernel panicked");
	if (what->possible)
		v = v * what->possible;
	v *= 1 + gsl_ran_gaussian(f->rng, f->noise);
	v *= 1 + f->drift * f->calls;
	eo_str_add(&text, HEAD "metric b ns lower b\n");
	for (int i = 0; i < 3; i++)
		eo_str_addf(&text, "sample a %d %.9g\nsample b %d %.9g\n", i,
			    v + i, i, 2 * v);
	eo_str_add(&text, "end\n");
	return eo_record_parse("fake", text.s, text.len, false, out);
}

static void run_study(struct fake *f, struct eo_plan *plan, struct eo_study *s)
{
	f->rng = gsl_rng_alloc(gsl_rng_mt19937);
	gsl_rng_set(f->rng, plan->seed * 7 + 1);
	plan->measure = draw;
	plan->ctx = f;
	assert_null(eo_study_run(plan, s));
	gsl_rng_free(f->rng);
}

static const struct eo_plan a_plan = {
	.warmups = 1,
	.same = 3,
	.max_pairs = 20,
	.budget_s = 3600,
	.narrow = 0.002,
	.floor = 0.002,
	.seed = 1,
};

/* The same kernel twice: nothing, 20 times of 20, as noisy as it may be. */
static void same_twice(void **state)
{
	static const double noises[] = { 0, 0.001, 0.02, 0.2 };

	(void)state;
	for (unsigned i = 0; i < 20; i++) {
		EO_CLEANUP(eo_study_release) struct eo_study s = { 0 };
		struct fake f = { .before = 1000,
				  .after = 1000,
				  .noise = noises[i % 4] };
		struct eo_plan plan = a_plan;

		plan.seed = i + 1;
		run_study(&f, &plan, &s);
		assert_int_equal(s.results.n, 2);
		for (size_t m = 0; m < 2; m++)
			assert_int_equal(s.results.items[m].effect.verdict,
					 EO_NO_CHANGE);
	}
}

static void better_and_worse(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 20; i++) {
		EO_CLEANUP(eo_study_release) struct eo_study s = { 0 };
		EO_CLEANUP(eo_study_release) struct eo_study t = { 0 };
		struct fake f = { .before = 1000,
				  .after = 880,
				  .noise = 0.02,
				  .drift = 0.01 };
		struct fake g = { .before = 880,
				  .after = 1000,
				  .noise = 0.02,
				  .drift = 0.01 };
		struct eo_plan plan = a_plan;

		plan.seed = i + 1;
		run_study(&f, &plan, &s);
		run_study(&g, &plan, &t);
		assert_int_equal(s.results.items[0].effect.verdict,
				 EO_IMPROVED);
		assert_int_equal(t.results.items[0].effect.verdict,
				 EO_REGRESSED);
		assert_true(fabs(s.results.items[0].effect.change + 0.12) <
			    0.03);
	}
}

static size_t shots_of(const struct eo_study *s, enum eo_phase phase)
{
	const struct eo_shot *shot;
	size_t n = 0;

	eo_vec_for_each(shot, &s->shots)
		n += shot->phase == phase;
	return n;
}

static void the_order(void **state)
{
	EO_CLEANUP(eo_study_release) struct eo_study s = { 0 };
	static const unsigned curve[] = { 1, 4 };
	struct fake f = { .before = 100, .after = 90, .placebo = 101 };
	struct eo_plan plan = a_plan;
	const struct eo_shot *shot;
	size_t after_first = 0;

	(void)state;
	plan.layouts = 2;
	plan.narrow = 0; /* never reached with any noise, but there is none */
	plan.curve = curve;
	plan.n_curve = 2;
	run_study(&f, &plan, &s);
	assert_string_equal(s.stopped, "narrow enough");
	assert_int_equal(shots_of(&s, EO_WARMUP), 2);
	assert_int_equal(shots_of(&s, EO_SAME), 6);
	assert_int_equal(shots_of(&s, EO_LAYOUT), 4);
	/* Two metrics need 7 pairs: 2 / 2^7 <= 0.05 / 2. */
	assert_int_equal(shots_of(&s, EO_PAIRS), 14);
	assert_int_equal(shots_of(&s, EO_CURVE), 4);
	assert_int_equal(s.curve.n, 4);
	assert_int_equal(s.curve.items[2].possible, 4);
	eo_vec_for_each(shot, &s.shots)
		after_first += shot->phase == EO_PAIRS && !shot->position &&
			       shot->arm == EO_AFTER;
	assert_in_range(after_first, 1, 6); /* in random order */
	/*
	 * (101 + 1.5) / (100 + 1.5) - 1 is what other addresses do, twice:
	 * times t(0.975, 2) of the tables, 4.3027.
	 */
	assert_true(fabs(s.results.items[0].effect.layout - 4.3027 / 101.5) <
		    1e-5);
	assert_true(s.results.items[0].effect.noise == 0);
	assert_int_equal(s.results.items[0].effect.verdict, EO_IMPROVED);
}

static void at_the_same_time(void **state)
{
	EO_CLEANUP(eo_study_release) struct eo_study s = { 0 };
	struct fake f = { .before = 100, .after = 120 };
	struct eo_plan plan = a_plan;

	(void)state;
	plan.parallel = true;
	plan.warmups = 0;
	run_study(&f, &plan, &s);
	assert_int_equal(shots_of(&s, EO_PAIRS), 14);
	assert_int_equal(s.results.items[0].effect.verdict, EO_REGRESSED);
}

/* What fails is kept, with its console, and nothing is measured after it. */
static void a_failure(void **state)
{
	(void)state;
	for (unsigned at = 1; at <= 20; at++) {
		EO_CLEANUP(eo_study_release) struct eo_study s = { 0 };
		struct fake f = { .before = 100, .after = 90, .fail_at = at };
		struct eo_plan plan = a_plan;
		const struct eo_shot *last;

		run_study(&f, &plan, &s);
		assert_true(s.failed);
		last = &s.shots.items[s.shots.n - 1];
		if (!last->failure)
			last--; /* its pair's other half was measured too */
		assert_string_equal(last->failure, "the kernel panicked");
		assert_string_equal(last->console.s, "Linux version 6.99\n");
		assert_true(s.shots.n <= at + 1);
	}
}

static void no_time(void **state)
{
	EO_CLEANUP(eo_study_release) struct eo_study s = { 0 };
	struct fake f = { .before = 100, .after = 90, .noise = 0.01 };
	struct eo_plan plan = a_plan;

	(void)state;
	plan.budget_s = 0;
	run_study(&f, &plan, &s);
	assert_string_equal(s.stopped, "the budget is out");
	/* One pair can tell nothing, and no verdict is made of it. */
	assert_int_equal(s.results.items[0].effect.n, 1);
	assert_int_equal(s.results.items[0].effect.verdict, EO_NO_CHANGE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines),
		cmocka_unit_test(bad_lines),
		cmocka_unit_test(frames),
		cmocka_unit_test(cut_anywhere),
		cmocka_unit_test(initramfs),
		cmocka_unit_test(same_twice),
		cmocka_unit_test(better_and_worse),
		cmocka_unit_test(the_order),
		cmocka_unit_test(at_the_same_time),
		cmocka_unit_test(a_failure),
		cmocka_unit_test(no_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
