/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Benchmarks: every comparison of two kernels, with its machine, its results
 * and every sample. Fields are as the schema has them (migrations/, "version
 * 5"): seconds since the epoch, milliseconds, changes as 0.01 for 1%.
 */
#ifndef EO_DB_BENCH_H
#define EO_DB_BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"

struct eo_db;
struct eo_error;
struct eo_str;

struct eo_bench_metric {
	const char *metric, *words, *quantity, *unit;
	bool higher_is_better;
	unsigned pairs; /* 0: nothing below is set */
	double before, after, change, low, high, p, noise, layout;
	const char *verdict;
};

struct eo_bench_sample {
	const char *metric;
	unsigned batch;
	double value;
};

struct eo_bench_shot {
	const char *phase, *arm;
	unsigned pair, position, possible;
	bool second;
	double seconds;
	const char *failure, *console; /* or NULL */
	const struct eo_bench_sample *samples;
	size_t n_samples;
};

struct eo_bench_point {
	const char *metric;
	unsigned possible;
	double before, after;
};

/* Instructions of a function, a batch of the workload. */
struct eo_bench_function {
	const char *symbol;
	double before, after;
};

struct eo_bench_env {
	const char *name, *value;
};

/* A growing array of T, to be put into the database or read from it. */
#define EO_BENCH_LIST(type)    \
	struct {               \
		type *items;   \
		size_t n, cap; \
	}

struct eo_bench {
	int64_t id; /* given by eo_db_put_bench() */
	const char *root; /* of the tree */
	const char *workload, *params, *stands_for, *runner, *what;
	const char *patch, *finding; /* or NULL */
	const char *before_kernel, *after_kernel;
	unsigned cpus, possible, budget_s;
	int64_t started, duration_ms, seed;
	const char *stopped, *failure, *distorting; /* the last two or NULL */
	const char *machine, *kernel, *config, *command;
	const char *console; /* when read: of the failure, or NULL */
	EO_BENCH_LIST(struct eo_bench_metric) metrics;
	EO_BENCH_LIST(struct eo_bench_point) curve;
	EO_BENCH_LIST(struct eo_bench_env) env; /* names differ */
	EO_BENCH_LIST(struct eo_bench_function) profile; /* the most first */
	const char *profile_unit; /* when read: "instructions", "samples" */
	EO_BENCH_LIST(struct eo_bench_shot) shots; /* for putting only */
	struct eo_arena arena;
};

void eo_bench_release(struct eo_bench *b);

/* All of it in one transaction; sets b->id. */
struct eo_error *eo_db_put_bench(struct eo_db *db, struct eo_bench *b);
/*
 * The bench @id, or the last when it is 0, without its shots, into a zeroed
 * @out. None: EO_ERR_INPUT.
 */
struct eo_error *eo_db_get_bench(struct eo_db *db, int64_t id,
				 struct eo_bench *out);

/* Samples of pairs, without those that warm up; what a plot shows. */
struct eo_bench_pair_sample {
	const char *metric;
	unsigned pair; /* from 0 */
	bool second; /* after */
	double value;
};

struct eo_bench_samples {
	struct eo_bench_pair_sample *items; /* as they were measured */
	size_t n, cap;
	struct eo_arena arena;
};

struct eo_error *eo_db_get_bench_samples(struct eo_db *db, int64_t id,
					 struct eo_bench_samples *out);
void eo_bench_samples_release(struct eo_bench_samples *s);

/* Those that are evidence for the finding @id, the last first; caller frees. */
struct eo_error *eo_db_get_benches_of(struct eo_db *db, const char *id,
				      int64_t **out, size_t *n);

/* One line of the list. */
struct eo_bench_row {
	int64_t id, started;
	const char *workload, *runner, *what, *verdicts; /* "improved 2, …" */
};

struct eo_bench_rows {
	struct eo_bench_row *items; /* the last first */
	size_t n, cap;
	struct eo_arena arena;
};

struct eo_error *eo_db_list_benches(struct eo_db *db,
				    struct eo_bench_rows *out);
void eo_bench_rows_release(struct eo_bench_rows *rows);

/* Everything of it, samples too, as the JSON object "earlyout-bench/1". */
struct eo_error *eo_db_get_bench_json(struct eo_db *db, int64_t id,
				      struct eo_str *out);
/* The samples as CSV, with a head. */
struct eo_error *eo_db_get_bench_csv(struct eo_db *db, int64_t id,
				     struct eo_str *out);

#endif
