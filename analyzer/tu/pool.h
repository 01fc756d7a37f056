/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A pool of worker processes: each does one job at a time and sends back
 * bytes. A job that crashes, takes too long or too much memory costs that
 * job, not the scan: its worker is replaced.
 */
#ifndef EO_TU_POOL_H
#define EO_TU_POOL_H

#include <stddef.h>

struct eo_error;
struct eo_str;

enum eo_job_state {
	EO_JOB_DONE,
	EO_JOB_CRASHED, /* the worker died: a signal, or out of memory */
	EO_JOB_TIMEOUT,
};

struct eo_pool_options {
	unsigned workers; /* at least 1 */
	unsigned timeout_ms; /* a job; 0: none */
	size_t max_memory; /* bytes of address space a worker; 0: no limit */
	const char *what; /* for the progress line, or NULL */
};

struct eo_pool_jobs {
	size_t n;
	/* In the worker: does job @i and appends its result to @out. */
	void (*work)(size_t i, struct eo_str *out, void *data);
	/*
	 * In the parent, once a job, in the order in which they end: what came
	 * of job @i; @p has @len bytes when state is DONE, else a sentence.
	 */
	void (*done)(size_t i, enum eo_job_state state, const char *p,
		     size_t len, void *data);
	/* The name of job @i, for the progress line. */
	const char *(*name)(size_t i, void *data);
	void *data;
};

/*
 * Does all jobs. The workers are forks of this process, so @work sees memory
 * as it was at the call and cannot change ours. An error: no worker could be
 * started, or Ctrl-C; jobs not yet done are then not reported.
 */
struct eo_error *eo_pool_run(const struct eo_pool_options *opts,
			     const struct eo_pool_jobs *jobs);

#endif
