/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The design of a comparison: what is measured, in which order, until when.
 *
 *   warm-up     each kernel once; kept, and not counted
 *   same        pairs of the before kernel with itself: the noise floor
 *   layout      pairs with kernels of the same code at other addresses
 *   pairs       before and after, in random order within the pair, until the
 *               intervals are narrow enough or the time is out
 *   curve       both kernels with other numbers of possible CPUs
 *
 * Every measurement is kept, and none is left out as an outlier. It knows
 * nothing of kernels: the runner is a function.
 */
#ifndef EO_VERIFY_BENCH_STUDY_H
#define EO_VERIFY_BENCH_STUDY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"
#include "verify/bench/record.h"
#include "verify/bench/stats.h"

struct eo_error;

/* EO_PLACEBO is the first of several: the pair's number says which. */
enum eo_arm { EO_BEFORE, EO_AFTER, EO_PLACEBO };
enum eo_phase { EO_WARMUP, EO_SAME, EO_LAYOUT, EO_PAIRS, EO_CURVE };

const char *eo_arm_name(enum eo_arm arm); /* "before", "after", "placebo" */
const char *eo_phase_name(enum eo_phase phase); /* "warm-up", "same", … */

/* One measurement: a boot, or one run of a hook. */
struct eo_shot {
	enum eo_phase phase;
	unsigned pair; /* from 0, in its phase */
	bool second; /* of the pair: what stands in for "after" */
	unsigned position; /* 0: was measured first of the pair, 1: last */
	enum eo_arm arm; /* what was measured */
	unsigned possible; /* CPUs; 0: the plan's own */
	unsigned seed; /* of the chance inside of it; not 0 */
	double seconds; /* that it took */
	struct eo_record record;
	struct eo_str console;
	char *failure; /* why there is no result, or NULL */
};

/*
 * Measures once. EO_ERR_INPUT says that what was measured failed: it is kept
 * as such, and ends the study. Any other error is the study's. With
 * .parallel it is called from two threads at a time.
 */
typedef struct eo_error *(*eo_measure_fn)(void *ctx, const struct eo_shot *what,
					  struct eo_record *out,
					  struct eo_str *console);

struct eo_plan {
	eo_measure_fn measure;
	void *ctx;
	bool parallel; /* both of a pair at a time: counts, never times */
	unsigned warmups, same, layouts; /* measurements a kernel; pairs */
	size_t min_pairs; /* 0: as few as the metrics allow */
	size_t max_pairs;
	unsigned budget_s; /* no pair begins that would pass it */
	double narrow; /* half an interval's width, 0.005 is 0.5% */
	double floor; /* see struct eo_judgement */
	unsigned long seed;
	const unsigned *curve; /* numbers of possible CPUs */
	size_t n_curve;
};

struct eo_result {
	const char *metric;
	struct eo_effect effect;
};

/* One number of possible CPUs, and what both kernels took with it. */
struct eo_curve_point {
	const char *metric;
	unsigned possible;
	double before, after;
};

struct eo_study {
	struct {
		struct eo_shot *items;
		size_t n, cap;
	} shots;
	struct {
		struct eo_result *items;
		size_t n, cap;
	} results; /* one a metric */
	struct {
		struct eo_curve_point *items;
		size_t n, cap;
	} curve;
	const char *stopped; /* why: "narrow enough", "budget", … */
	bool failed; /* the last shot says why */
	double seconds;
};

/*
 * Runs the plan. Metrics are those of the first measurement, without those
 * in @skip (a NULL-ended list of suffixes, or NULL).
 */
struct eo_error *eo_study_run(const struct eo_plan *plan, struct eo_study *out);
void eo_study_release(struct eo_study *s);

/* The metrics as the first measurement that succeeded declared them. */
const struct eo_record *eo_study_record(const struct eo_study *s);

/*
 * Every metric's values of a phase's whole pairs, in order; both arrays have
 * room for shots.n. Gives the number of pairs.
 */
size_t eo_study_pairs(const struct eo_study *s, enum eo_phase phase,
		      const char *metric, double *before, double *after);

#endif
