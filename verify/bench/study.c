// SPDX-License-Identifier: GPL-2.0-only
#include "verify/bench/study.h"

#include <gsl/gsl_rng.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/proc.h"
#include "base/progress.h"

#define ALPHA 0.05
#define LEVEL 0.95

/* A study on its way. */
struct run {
	const struct eo_plan *plan;
	struct eo_study *s;
	gsl_rng *rng;
	double start, longest; /* longest: of the pairs so far */
};

const char *eo_arm_name(enum eo_arm arm)
{
	static const char *const names[] = { "before", "after", "placebo" };

	return names[arm];
}

const char *eo_phase_name(enum eo_phase phase)
{
	static const char *const names[] = { "warm-up", "same", "layout",
					     "pairs", "curve" };

	return names[phase];
}

void eo_study_release(struct eo_study *s)
{
	struct eo_shot *shot;

	eo_vec_for_each(shot, &s->shots) {
		eo_record_release(&shot->record);
		eo_str_release(&shot->console);
		free(shot->failure);
	}
	free(s->shots.items);
	free(s->results.items);
	free(s->curve.items);
	*s = (struct eo_study){ 0 };
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* One measurement in its thread. */
struct task {
	const struct eo_plan *plan;
	struct eo_shot shot;
	struct eo_error *err;
	pthread_t thread;
};

static void *measure(void *arg)
{
	struct task *t = arg;
	double start = now();

	t->err = t->plan->measure(t->plan->ctx, &t->shot, &t->shot.record,
				  &t->shot.console);
	t->shot.seconds = now() - start;
	return NULL;
}

/* Keeps what was measured; a failure of it ends the study. */
static struct eo_error *keep(struct run *r, struct task *t)
{
	struct eo_error *err = t->err;

	if (err && eo_error_kind(err) == EO_ERR_INPUT) {
		t->shot.failure = eo_strdup(eo_error_message(err));
		eo_error_free(err);
		eo_record_release(&t->shot.record);
		r->s->failed = true;
		r->s->stopped = "a measurement failed";
		err = NULL;
	}
	*eo_vec_push(&r->s->shots) = t->shot;
	return err;
}

static struct eo_error *do_tasks(struct run *r, struct task *t, size_t n)
{
	struct eo_error *err = NULL;

	for (size_t i = 0; i < n; i++) {
		t[i].plan = r->plan;
		t[i].shot.position = (unsigned)i;
		if (!r->plan->parallel ||
		    pthread_create(&t[i].thread, NULL, measure, &t[i])) {
			t[i].thread = pthread_self();
			measure(&t[i]);
		}
	}
	for (size_t i = 0; i < n; i++) {
		struct eo_error *one;

		if (!pthread_equal(t[i].thread, pthread_self()))
			pthread_join(t[i].thread, NULL);
		one = keep(r, &t[i]);
		if (err)
			eo_error_free(one);
		else
			err = one;
	}
	return err;
}

static unsigned seed_of(struct run *r)
{
	return 1 + (unsigned)gsl_rng_uniform_int(r->rng, 1000000000);
}

/* Two measurements that belong together, in random order. */
static struct eo_error *do_pair(struct run *r, enum eo_phase phase,
				unsigned number, enum eo_arm second,
				unsigned possible)
{
	struct task t[2] = { 0 };
	unsigned swap = gsl_rng_uniform_int(r->rng, 2) ? 1 : 0;
	double start = now();

	if (eo_interrupted())
		return eo_interrupt_error();
	for (unsigned i = 0; i < 2; i++)
		t[i].shot = (struct eo_shot){
			.phase = phase,
			.pair = number,
			.second = i != swap,
			.arm = i != swap ? second : EO_BEFORE,
			.possible = possible,
			.seed = seed_of(r),
		};
	eo_try(do_tasks(r, t, 2));
	r->longest = fmax(r->longest, now() - start);
	return NULL;
}

static bool has_time(const struct run *r)
{
	return now() - r->start + r->longest <= r->plan->budget_s;
}

static struct eo_error *warm_up(struct run *r)
{
	for (unsigned i = 0; i < r->plan->warmups && !r->s->failed; i++) {
		for (unsigned arm = EO_BEFORE; arm <= EO_AFTER; arm++) {
			struct task t = { .shot = { .phase = EO_WARMUP,
						    .pair = i,
						    .second = arm == EO_AFTER,
						    .arm = arm,
						    .seed = seed_of(r) } };

			eo_progress("bench: warm-up", 0, 0, eo_arm_name(arm));
			if (!r->s->failed)
				eo_try(do_tasks(r, &t, 1));
		}
	}
	return NULL;
}

static struct eo_error *controls(struct run *r)
{
	const struct eo_plan *p = r->plan;

	for (unsigned i = 0; i < p->same && !r->s->failed; i++) {
		eo_progress("bench: before against itself", i + 1, p->same, "");
		eo_try(do_pair(r, EO_SAME, i, EO_BEFORE, 0));
	}
	for (unsigned i = 0; i < p->layouts && !r->s->failed; i++) {
		eo_progress("bench: same code elsewhere", i + 1, p->layouts,
			    "");
		eo_try(do_pair(r, EO_LAYOUT, i, EO_PLACEBO, 0));
	}
	return NULL;
}

const struct eo_record *eo_study_record(const struct eo_study *s)
{
	const struct eo_shot *shot;

	eo_vec_for_each(shot, &s->shots) {
		if (!shot->failure)
			return &shot->record;
	}
	return NULL;
}

static const struct eo_shot *shot_of(const struct eo_study *s,
				     enum eo_phase phase, unsigned pair,
				     bool second, unsigned possible)
{
	const struct eo_shot *shot;

	eo_vec_for_each(shot, &s->shots) {
		if (shot->phase == phase && shot->pair == pair &&
		    shot->second == second && shot->possible == possible &&
		    !shot->failure)
			return shot;
	}
	return NULL;
}

size_t eo_study_pairs(const struct eo_study *s, enum eo_phase phase,
		      const char *metric, double *before, double *after)
{
	size_t n = 0;

	for (unsigned i = 0; i < s->shots.n; i++) {
		const struct eo_shot *a = shot_of(s, phase, i, false, 0);
		const struct eo_shot *b = shot_of(s, phase, i, true, 0);

		if (!a || !b || !eo_record_metric(&a->record, metric) ||
		    !eo_record_metric(&b->record, metric))
			continue;
		before[n] = eo_record_value(&a->record, metric);
		after[n++] = eo_record_value(&b->record, metric);
	}
	return n;
}

/* Adds a metric's result; false when there is no pair of it. */
static bool judge(const struct run *r, const struct eo_metric *m,
		  size_t n_metrics)
{
	size_t room = r->s->shots.n;
	EO_CLEANUP(eo_freep) double *before = eo_alloc(room * sizeof(double));
	EO_CLEANUP(eo_freep) double *after = eo_alloc(room * sizeof(double));
	struct eo_pairs pairs = { before, after, 0 };
	const struct eo_judgement how = {
		.higher_is_better = m->higher_is_better,
		.alpha = ALPHA / (double)n_metrics,
		.floor = r->plan->floor,
		.seed = r->plan->seed,
	};
	struct eo_result *result;
	double noise, layout;

	pairs.n = eo_study_pairs(r->s, EO_SAME, m->name, before, after);
	noise = eo_stats_noise(&pairs);
	pairs.n = eo_study_pairs(r->s, EO_LAYOUT, m->name, before, after);
	layout = eo_stats_reach(&pairs, LEVEL);
	pairs.n = eo_study_pairs(r->s, EO_PAIRS, m->name, before, after);
	if (!pairs.n)
		return false;
	result = eo_vec_push(&r->s->results);
	result->metric = m->name;
	eo_stats_judge(&pairs, noise, layout, &how, &result->effect);
	return true;
}

/* All results anew; whether their intervals are narrow enough. */
static bool judge_all(const struct run *r)
{
	const struct eo_record *lines = eo_study_record(r->s);
	const struct eo_metric *m;
	bool narrow = true;

	r->s->results.n = 0;
	if (!lines)
		return false;
	eo_vec_for_each(m, &lines->metrics) {
		const struct eo_interval *i;

		if (!judge(r, m, lines->metrics.n))
			return false;
		i = &r->s->results.items[r->s->results.n - 1].effect.interval;
		narrow = narrow && (i->high - i->low) / 2 <= r->plan->narrow;
	}
	return narrow;
}

static size_t least_pairs(const struct run *r)
{
	const struct eo_record *lines = eo_study_record(r->s);

	if (r->plan->min_pairs)
		return r->plan->min_pairs;
	return eo_stats_min_pairs(ALPHA, lines ? lines->metrics.n : 1);
}

static struct eo_error *compare(struct run *r)
{
	const struct eo_plan *p = r->plan;
	char detail[60];

	for (size_t n = 0; !r->s->failed; n++) {
		bool narrow = n && judge_all(r) && n >= least_pairs(r);

		if (narrow || n >= p->max_pairs || (n && !has_time(r))) {
			r->s->stopped = narrow		  ? "narrow enough" :
					n >= p->max_pairs ? "enough pairs" :
							    "the budget is out";
			return NULL;
		}
		snprintf(detail, sizeof(detail), "(%.0f of %u s)",
			 now() - r->start, p->budget_s);
		eo_progress("bench: pair", n + 1, 0, detail);
		eo_try(do_pair(r, EO_PAIRS, (unsigned)n, EO_AFTER, 0));
	}
	judge_all(r);
	return NULL;
}

static void add_points(struct run *r, unsigned number, unsigned possible)
{
	const struct eo_study *s = r->s;
	const struct eo_shot *a = shot_of(s, EO_CURVE, number, false, possible);
	const struct eo_shot *b = shot_of(s, EO_CURVE, number, true, possible);
	const struct eo_metric *m;

	if (!a || !b)
		return;
	eo_vec_for_each(m, &a->record.metrics) {
		struct eo_curve_point *p;

		if (!eo_record_metric(&b->record, m->name))
			continue;
		p = eo_vec_push(&r->s->curve);
		p->metric = m->name;
		p->possible = possible;
		p->before = eo_record_value(&a->record, m->name);
		p->after = eo_record_value(&b->record, m->name);
	}
}

static struct eo_error *draw_curve(struct run *r)
{
	const struct eo_plan *p = r->plan;

	for (unsigned i = 0; i < p->n_curve && !r->s->failed; i++) {
		eo_progress("bench: numbers of CPUs", i + 1, p->n_curve, "");
		eo_try(do_pair(r, EO_CURVE, i, EO_AFTER, p->curve[i]));
		add_points(r, i, p->curve[i]);
	}
	return NULL;
}

struct eo_error *eo_study_run(const struct eo_plan *plan, struct eo_study *out)
{
	struct run r = { .plan = plan, .s = out, .start = now() };
	struct eo_error *err;

	r.rng = gsl_rng_alloc(gsl_rng_mt19937);
	gsl_rng_set(r.rng, plan->seed);
	err = warm_up(&r);
	if (!err)
		err = controls(&r);
	if (!err)
		err = compare(&r);
	if (!err)
		err = draw_curve(&r);
	gsl_rng_free(r.rng);
	out->seconds = now() - r.start;
	return err;
}
