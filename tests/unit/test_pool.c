// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/proc.h"
#include "base/str.h"
#include "tu/pool.h"

#define MAX_JOBS 200
#define LARGE (20u << 20)

enum { FINE, SEGV, LEAVES, HANGS, IS_LARGE, IS_EMPTY, IS_SLOW, NO_MEMORY };

/* What each job is to do, and what came of it. */
struct plan {
	int what[MAX_JOBS];
	int came[MAX_JOBS]; /* how often */
	enum eo_job_state state[MAX_JOBS];
	char *said[MAX_JOBS];
	size_t len[MAX_JOBS];
	size_t order[MAX_JOBS], n_order;
};

static void pause_ms(long ms)
{
	struct timespec t = { ms / 1000, ms % 1000 * 1000000 };

	nanosleep(&t, NULL);
}

static void work(size_t i, struct eo_str *out, void *data)
{
	struct plan *p = data;

	switch (p->what[i]) {
	case SEGV:
		signal(SIGSEGV, SIG_DFL); /* sanitizers have a handler */
		raise(SIGSEGV);
		break;
	case LEAVES:
		_exit(3);
	case HANGS:
		eo_str_add(out, "half of it");
		pause_ms(60000);
		break;
	case IS_LARGE:
		for (size_t n = 0; n < LARGE; n += 1024) {
			char block[1024];

			memset(block, 'a' + (int)(n >> 10) % 26, sizeof(block));
			eo_str_addn(out, block, sizeof(block));
		}
		return;
	case IS_EMPTY:
		return;
	case NO_MEMORY:
		memset(eo_alloc((size_t)2 << 30), 1, (size_t)2 << 30);
		break;
	case IS_SLOW:
		pause_ms(100);
		break;
	}
	p->what[i] = SEGV; /* in the worker's copy only */
	eo_str_addf(out, "job %zu", i);
}

static void done(size_t i, enum eo_job_state state, const char *s, size_t len,
		 void *data)
{
	struct plan *p = data;

	p->came[i]++;
	p->state[i] = state;
	p->said[i] = eo_strndup(s ? s : "", len);
	p->len[i] = len;
	p->order[p->n_order++] = i;
}

static struct eo_error *run(struct plan *p, size_t n, unsigned workers,
			    unsigned timeout_ms, size_t max_memory)
{
	struct eo_pool_options opts = { .workers = workers,
					.timeout_ms = timeout_ms,
					.max_memory = max_memory };
	struct eo_pool_jobs jobs = {
		.n = n, .work = work, .done = done, .data = p
	};

	return eo_pool_run(&opts, &jobs);
}

static void must(struct eo_error *err)
{
	if (err)
		fail_msg("%s", eo_error_message(err));
}

/* Every job was reported once; those of FINE gave what they should. */
static void check(struct plan *p, size_t n)
{
	assert_int_equal(p->n_order, n);
	for (size_t i = 0; i < n; i++) {
		char want[32];

		assert_int_equal(p->came[i], 1);
		if (p->what[i] != FINE && p->what[i] != IS_SLOW)
			continue;
		snprintf(want, sizeof(want), "job %zu", i);
		assert_int_equal(p->state[i], EO_JOB_DONE);
		assert_string_equal(p->said[i], want);
	}
}

static void free_plan(struct plan *p)
{
	for (size_t i = 0; i < MAX_JOBS; i++)
		free(p->said[i]);
}

static void all_jobs_are_done(void **state)
{
	struct plan p = { 0 };

	(void)state;
	must(run(&p, MAX_JOBS, 3, 0, 0));
	check(&p, MAX_JOBS);
	free_plan(&p);
}

static void no_jobs_are_no_work(void **state)
{
	struct plan p = { 0 };

	(void)state;
	must(run(&p, 0, 2, 0, 0));
	check(&p, 0);
}

static void more_workers_than_jobs(void **state)
{
	struct plan p = { 0 };

	(void)state;
	must(run(&p, 2, 16, 1000, 0));
	check(&p, 2);
	free_plan(&p);
}

static void results_come_as_they_end(void **state)
{
	struct plan p = { 0 };

	(void)state;
	p.what[0] = IS_SLOW;
	must(run(&p, 5, 2, 0, 0));
	check(&p, 5);
	assert_int_equal(p.order[p.n_order - 1], 0);
	free_plan(&p);
}

static void a_crash_costs_one_job(void **state)
{
	struct plan p = { 0 };

	(void)state;
	p.what[0] = SEGV;
	p.what[3] = LEAVES;
	p.what[4] = SEGV;
	p.what[9] = SEGV; /* the last */
	must(run(&p, 10, 2, 0, 0));
	check(&p, 10);
	for (size_t i = 0; i < 10; i++)
		if (p.what[i] != FINE)
			assert_int_equal(p.state[i], EO_JOB_CRASHED);
	assert_non_null(strstr(p.said[0], "signal 11"));
	assert_string_equal(p.said[3], "the worker ended with status 3");
	free_plan(&p);
}

static void all_of_them_may_crash(void **state)
{
	struct plan p = { 0 };

	(void)state;
	for (size_t i = 0; i < 20; i++)
		p.what[i] = i % 2 ? SEGV : LEAVES;
	must(run(&p, 20, 2, 0, 0));
	check(&p, 20);
	free_plan(&p);
}

static void a_hang_costs_its_time(void **state)
{
	struct plan p = { 0 };
	time_t start = time(NULL);

	(void)state;
	p.what[1] = HANGS;
	p.what[5] = HANGS;
	must(run(&p, 8, 2, 300, 0));
	check(&p, 8);
	assert_int_equal(p.state[1], EO_JOB_TIMEOUT);
	assert_int_equal(p.state[5], EO_JOB_TIMEOUT);
	assert_string_equal(p.said[1], "took longer than 0.3 s");
	assert_true(time(NULL) - start < 20);
	free_plan(&p);
}

static void a_result_may_be_large_or_empty(void **state)
{
	struct plan p = { 0 };

	(void)state;
	p.what[0] = IS_LARGE;
	p.what[2] = IS_EMPTY;
	p.what[3] = IS_LARGE;
	must(run(&p, 5, 2, 0, 0));
	check(&p, 5);
	assert_int_equal(p.state[0], EO_JOB_DONE);
	assert_int_equal(p.len[0], LARGE);
	for (size_t n = 0; n < LARGE; n += 1024)
		assert_int_equal(p.said[0][n], 'a' + (int)(n >> 10) % 26);
	assert_int_equal(p.len[3], LARGE);
	assert_int_equal(p.state[2], EO_JOB_DONE);
	assert_int_equal(p.len[2], 0);
	free_plan(&p);
}

static void memory_has_its_limit(void **state)
{
	struct plan p = { 0 };

	(void)state;
#ifdef __SANITIZE_ADDRESS__
	skip(); /* its shadow memory knows no limit */
#endif
	p.what[1] = NO_MEMORY;
	must(run(&p, 4, 2, 0, (size_t)1 << 30));
	check(&p, 4);
	assert_int_equal(p.state[1], EO_JOB_CRASHED);
	free_plan(&p);
}

/* Ctrl-C: an error, no worker is left behind. */
static void interrupted_work_ends(void **state)
{
	struct plan p = { 0 };

	(void)state;
	for (size_t i = 0; i < 4; i++)
		p.what[i] = HANGS;
	raise(SIGINT); /* the first one only sets the flag */
	struct eo_error *err = run(&p, 4, 2, 60000, 0);

	assert_non_null(err);
	assert_int_equal(eo_error_kind(err), EO_ERR_INTERRUPTED);
	assert_int_equal(p.n_order, 0);
	eo_error_free(err);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_jobs_are_done),
		cmocka_unit_test(no_jobs_are_no_work),
		cmocka_unit_test(more_workers_than_jobs),
		cmocka_unit_test(results_come_as_they_end),
		cmocka_unit_test(a_crash_costs_one_job),
		cmocka_unit_test(all_of_them_may_crash),
		cmocka_unit_test(a_hang_costs_its_time),
		cmocka_unit_test(a_result_may_be_large_or_empty),
		cmocka_unit_test(memory_has_its_limit),
		cmocka_unit_test(
			interrupted_work_ends), /* the last: it stays */
	};

	eo_interrupt_init();
	return cmocka_run_group_tests_name("pool", tests, NULL, NULL);
}
