// SPDX-License-Identifier: GPL-2.0-only
/*
 * Readers in parallel on many control groups, while every CPU charges pages
 * to them: the lock that a flush takes is fought for. What a reader waits is
 * what matters, in the middle (p50) and for the unlucky (p99), and how much
 * of the CPUs' time it takes in the kernel, spinning for that lock included:
 * what contention costs.
 */
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "verify/bench/guest/guest.h"

#define MAX_PROCESSES 1024
#define HOP 64 /* pages that an updater charges to a group before the next */

static struct {
	long groups, reads, readers, updaters;
	uint32_t *latencies; /* shared: reads of each reader, in ns */
	pid_t updater[MAX_PROCESSES];
} storm;

static const char *group(long i)
{
	static char name[40];

	snprintf(name, sizeof(name), "s%ld", i % storm.groups);
	return name;
}

static void __attribute__((noreturn)) update(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	sched_setaffinity(0, sizeof(set), &set);
	for (long i = cpu;; i++) {
		guest_cgroup_join(group(i));
		for (int n = 0; n < HOP; n++)
			guest_touch_page();
	}
}

static void start_updaters(void)
{
	for (long i = 0; i < storm.updaters; i++) {
		pid_t pid = fork();

		if (pid < 0)
			guest_fail("cannot fork: %m");
		if (pid == 0)
			update((int)(i % guest_cpus()));
		storm.updater[i] = pid;
	}
}

static void stop_updaters(void)
{
	for (long i = 0; i < storm.updaters; i++) {
		if (waitpid(storm.updater[i], NULL, WNOHANG))
			guest_fail(
				"an updater ended by itself: this was no storm");
		kill(storm.updater[i], SIGKILL);
		waitpid(storm.updater[i], NULL, 0);
	}
}

static int64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

static void __attribute__((noreturn)) read_stats(long reader)
{
	uint32_t *to = storm.latencies + reader * storm.reads;
	char path[300];

	for (long i = 0; i < storm.reads; i++) {
		int64_t start;

		strcpy(path,
		       guest_cgroup_path(group(i * 7 + reader), "cpu.stat"));
		start = now_ns();
		if (guest_read(path) <= 0)
			_exit(1);
		to[i] = (uint32_t)(now_ns() - start);
	}
	_exit(0);
}

static int by_size(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return x < y ? -1 : x > y;
}

/* Of children that were waited for: of the readers, while updaters run. */
static double readers_sys_ns(void)
{
	struct rusage u;

	getrusage(RUSAGE_CHILDREN, &u);
	return (double)u.ru_stime.tv_sec * 1e9 +
	       (double)u.ru_stime.tv_usec * 1e3;
}

static void measure(unsigned batch)
{
	size_t n = (size_t)(storm.readers * storm.reads);
	pid_t pids[MAX_PROCESSES];
	double sys = readers_sys_ns();
	int64_t start = now_ns();
	int status;

	for (long i = 0; i < storm.readers; i++) {
		pids[i] = fork();
		if (pids[i] < 0)
			guest_fail("cannot fork: %m");
		if (pids[i] == 0)
			read_stats(i);
	}
	for (long i = 0; i < storm.readers; i++)
		if (waitpid(pids[i], &status, 0) != pids[i] || status)
			guest_fail("a reader ended with status %#x", status);
	start = now_ns() - start;
	qsort(storm.latencies, n, sizeof(*storm.latencies), by_size);
	guest_sample("p50", batch, storm.latencies[n / 2]);
	guest_sample("p99", batch, storm.latencies[n * 99 / 100]);
	guest_sample("reader.sys", batch, (readers_sys_ns() - sys) / (double)n);
	guest_sample("reads", batch, (double)n * 1e9 / (double)start);
}

static void run(void)
{
	long batches = guest_number("batches", 5);
	size_t size;

	storm.groups = guest_number("groups", 64);
	storm.reads = guest_number("reads", 2000);
	storm.readers = guest_number("readers", guest_cpus());
	storm.updaters = guest_number("updaters", guest_cpus());
	if (storm.groups < 1 || storm.reads < 1 || storm.readers < 1 ||
	    storm.readers > MAX_PROCESSES || storm.updaters > MAX_PROCESSES)
		guest_fail(
			"groups, reads and readers from 1, at most %d processes",
			MAX_PROCESSES);
	size = (size_t)(storm.readers * storm.reads) * sizeof(*storm.latencies);
	storm.latencies = mmap(NULL, size, PROT_READ | PROT_WRITE,
			       MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (storm.latencies == MAP_FAILED)
		guest_fail("mmap: %m");
	guest_cgroup_init("+memory");
	for (long i = 0; i < storm.groups; i++)
		guest_cgroup_make(group(i));
	guest_metric("p50", "ns", false, "read of cpu.stat in a storm, median");
	guest_metric("p99", "ns", false,
		     "read of cpu.stat in a storm, 99th percentile");
	guest_metric("reader.sys", "ns", false, "read of cpu.stat in a storm");
	guest_metric("reads", "1/s", true, "reads of cpu.stat in a storm");
	start_updaters();
	for (unsigned b = 0; b <= batches; b++)
		measure(b);
	stop_updaters();
	guest_cgroup_exit();
}

const struct guest_workload guest_flush_storm = {
	.name = "flush-storm",
	.stands_for = "readers in parallel on many control groups, updaters "
		      "on all CPUs",
	.params = "groups=64 reads=2000 readers=CPUS updaters=CPUS batches=5 "
		  "cgroup=DIR",
	.run = run,
};
