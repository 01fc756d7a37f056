// SPDX-License-Identifier: GPL-2.0-only
#include "tu/pool.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/proc.h"
#include "base/progress.h"
#include "base/str.h"

#define POLL_MS 50
#define IDLE SIZE_MAX
#define MAX_RESULT (256u << 20)

struct worker {
	pid_t pid; /* 0: not started */
	int fd; /* job numbers go out, results come in */
	size_t job; /* IDLE when it has none */
	long long started_ms;
	struct eo_str in; /* what came of the result so far */
};

struct pool {
	const struct eo_pool_options *opts;
	const struct eo_pool_jobs *jobs;
	struct worker *workers;
	size_t next, finished;
};

static long long now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000LL + ts.tv_nsec / 1000000;
}

static bool full_io(int fd, void *p, size_t n, bool out)
{
	for (size_t done = 0; done < n;) {
		ssize_t r = out ? write(fd, (char *)p + done, n - done) :
				  read(fd, (char *)p + done, n - done);

		if (r < 0 && errno == EINTR)
			continue;
		if (r <= 0)
			return false;
		done += (size_t)r;
	}
	return true;
}

/* A crash of libclang must not leave core files; memory has its limit. */
static void limit_worker(const struct eo_pool_options *opts)
{
	struct rlimit none = { 0, 0 };
	struct rlimit mem = { opts->max_memory, opts->max_memory };

	setrlimit(RLIMIT_CORE, &none);
#if !defined(__SANITIZE_ADDRESS__)
	if (opts->max_memory)
		setrlimit(RLIMIT_AS, &mem);
#else
	(void)mem; /* its shadow memory is larger than any limit */
#endif
}

static void __attribute__((noreturn)) worker_main(const struct pool *pool,
						  int fd)
{
	size_t job;

	signal(SIGINT, SIG_IGN); /* the parent ends us */
	signal(SIGTERM, SIG_DFL);
	limit_worker(pool->opts);
	while (full_io(fd, &job, sizeof(job), false)) {
		struct eo_str out = { 0 };
		uint64_t len;

		pool->jobs->work(job, &out, pool->jobs->data);
		len = out.len;
		if (!full_io(fd, &len, sizeof(len), true) ||
		    (len && !full_io(fd, out.s, out.len, true)))
			break;
		eo_str_release(&out);
	}
	_exit(0);
}

static struct eo_error *start(struct pool *pool, struct worker *w)
{
	int fd[2];

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fd))
		return eo_error_errno(errno, "cannot make a socket pair");
	w->pid = fork();
	if (w->pid < 0) {
		close(fd[0]);
		close(fd[1]);
		w->pid = 0;
		return eo_error_errno(errno, "cannot start a worker");
	}
	if (w->pid == 0) {
		/* Not to keep the others' sockets open. */
		for (size_t i = 0; i < pool->opts->workers; i++)
			if (pool->workers[i].pid && &pool->workers[i] != w)
				close(pool->workers[i].fd);
		close(fd[0]);
		worker_main(pool, fd[1]);
	}
	close(fd[1]);
	w->fd = fd[0];
	w->job = IDLE;
	return NULL;
}

/* Ends a worker and says how it ended. */
static int stop(struct worker *w, bool kill_it)
{
	int status = 0;

	if (!w->pid)
		return 0;
	if (kill_it)
		kill(w->pid, SIGKILL);
	close(w->fd);
	while (waitpid(w->pid, &status, 0) < 0 && errno == EINTR)
		;
	w->pid = 0;
	w->job = IDLE;
	eo_str_release(&w->in);
	return status;
}

static void finish(struct pool *pool, size_t job, enum eo_job_state state,
		   const char *p, size_t len)
{
	const struct eo_pool_jobs *jobs = pool->jobs;

	pool->finished++;
	if (pool->opts->what)
		eo_progress(pool->opts->what, pool->finished, jobs->n,
			    jobs->name ? jobs->name(job, jobs->data) : NULL);
	jobs->done(job, state, p, len, jobs->data);
}

static struct eo_error *give(struct pool *pool, struct worker *w)
{
	if (!w->pid)
		eo_try(start(pool, w));
	w->job = pool->next++;
	w->started_ms = now_ms();
	/* A worker that died meanwhile shows in take(). */
	full_io(w->fd, &w->job, sizeof(w->job), true);
	return NULL;
}

static void crashed(struct pool *pool, struct worker *w)
{
	size_t job = w->job;
	int status = stop(w, true);
	char msg[80];

	if (WIFSIGNALED(status))
		snprintf(msg, sizeof(msg), "the worker died of signal %d (%s)",
			 WTERMSIG(status), strsignal(WTERMSIG(status)));
	else
		snprintf(msg, sizeof(msg), "the worker ended with status %d",
			 WEXITSTATUS(status));
	finish(pool, job, EO_JOB_CRASHED, msg, strlen(msg));
}

/* Reads what a worker sent; its job is done when all of it is there. */
static void take(struct pool *pool, struct worker *w)
{
	char buf[65536];
	ssize_t n = read(w->fd, buf, sizeof(buf));
	uint64_t len;

	if (n < 0 && errno == EINTR)
		return;
	if (n <= 0) {
		crashed(pool, w);
		return;
	}
	eo_str_addn(&w->in, buf, (size_t)n);
	if (w->in.len < sizeof(len))
		return;
	memcpy(&len, w->in.s, sizeof(len));
	if (len > MAX_RESULT) {
		crashed(pool, w);
		return;
	}
	if (w->in.len == sizeof(len) + len) {
		size_t job = w->job;

		w->job = IDLE;
		finish(pool, job, EO_JOB_DONE, w->in.s + sizeof(len), len);
		eo_str_clear(&w->in);
	}
}

static void check_time(struct pool *pool, struct worker *w)
{
	size_t job = w->job;
	char msg[80];

	if (!pool->opts->timeout_ms ||
	    now_ms() - w->started_ms <= pool->opts->timeout_ms)
		return;
	snprintf(msg, sizeof(msg), "took longer than %g s",
		 pool->opts->timeout_ms / 1000.0);
	stop(w, true);
	finish(pool, job, EO_JOB_TIMEOUT, msg, strlen(msg));
}

static struct eo_error *turn(struct pool *pool)
{
	size_t n = pool->opts->workers;
	EO_CLEANUP(eo_freep) struct pollfd *pf = eo_zalloc(n * sizeof(*pf));

	for (size_t i = 0; i < n; i++) {
		struct worker *w = &pool->workers[i];

		if (w->job == IDLE && pool->next < pool->jobs->n)
			eo_try(give(pool, w));
		pf[i].fd = w->job == IDLE ? -1 : w->fd;
		pf[i].events = POLLIN;
	}
	if (poll(pf, n, POLL_MS) < 0 && errno != EINTR)
		return eo_error_errno(errno, "poll");
	if (eo_interrupted())
		return eo_interrupt_error();
	for (size_t i = 0; i < n; i++) {
		if (pf[i].fd >= 0 && pf[i].revents)
			take(pool, &pool->workers[i]);
		else if (pf[i].fd >= 0)
			check_time(pool, &pool->workers[i]);
	}
	return NULL;
}

struct eo_error *eo_pool_run(const struct eo_pool_options *opts,
			     const struct eo_pool_jobs *jobs)
{
	struct pool pool = { .opts = opts, .jobs = jobs };
	struct eo_error *err = NULL;

	pool.workers = eo_zalloc(opts->workers * sizeof(*pool.workers));
	for (size_t i = 0; i < opts->workers; i++)
		pool.workers[i].job = IDLE;
	while (!err && pool.finished < jobs->n)
		err = turn(&pool);
	for (size_t i = 0; i < opts->workers; i++)
		stop(&pool.workers[i], err != NULL);
	free(pool.workers);
	eo_progress_end();
	return err;
}
