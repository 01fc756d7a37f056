// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reading cpu.stat and memory.stat of many control groups, with none, one or
 * all of them updated since the last time: what a container host's monitor
 * does each second. (cgroup rstat, February 2019: about 1,600 groups.)
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "verify/bench/guest/guest.h"

static long n_groups;

static const char *name_of(long i)
{
	static char name[40];

	snprintf(name, sizeof(name), "g%ld", i);
	return name;
}

/* Charged there: the group's counters of this CPU are pending. */
static void update(long n)
{
	for (long i = 0; i < n; i++) {
		guest_cgroup_join(name_of(i));
		guest_touch_page();
	}
	if (n)
		guest_cgroup_join("");
}

/* Their names are made before anything is measured. */
static char **paths_of(const char *file)
{
	char **paths = calloc((size_t)n_groups, sizeof(*paths));

	for (long i = 0; paths && i < n_groups; i++) {
		paths[i] = strdup(guest_cgroup_path(name_of(i), file));
		if (!paths[i])
			guest_fail("out of memory");
	}
	if (!paths)
		guest_fail("out of memory");
	return paths;
}

static long read_all(char *const *paths)
{
	long size = 0;

	for (long i = 0; i < n_groups; i++)
		size += guest_read(paths[i]);
	return size;
}

/* One file, with so many groups updated before each round. */
static struct {
	const char *file, *which;
	char name[60];
	char **paths;
	long updated;
} cases[] = {
	{ .file = "cpu.stat", .which = "none" },
	{ .file = "cpu.stat", .which = "one", .updated = 1 },
	{ .file = "cpu.stat", .which = "all", .updated = -1 },
	{ .file = "memory.stat", .which = "none" },
	{ .file = "memory.stat", .which = "one", .updated = 1 },
	{ .file = "memory.stat", .which = "all", .updated = -1 },
};

#define N_CASES (sizeof(cases) / sizeof(cases[0]))

static void measure(const char *name, char *const *paths, long updated,
		    unsigned batch, long rounds)
{
	struct guest_times sum = { 0 }, start, now;

	if (!guest_wants(name))
		return;
	for (long r = 0; r < rounds; r++) {
		/* What is pending from before is none of this case. */
		read_all(cases[0].paths);
		update(updated);
		guest_spin();
		guest_times(&start);
		if (!read_all(paths))
			guest_fail("%s: all of the files are empty", name);
		guest_times(&now);
		sum.wall += now.wall - start.wall;
		sum.sys += now.sys - start.sys;
	}
	/* As if all of it had begun that long ago. */
	guest_times(&now);
	now.wall -= sum.wall;
	now.sys -= sum.sys;
	guest_sample_times(name, batch, &now, rounds * n_groups);
}

static void prepare(void)
{
	char words[100];

	guest_cgroup_init("+memory");
	for (long i = 0; i < n_groups; i++)
		guest_cgroup_make(name_of(i));
	for (size_t i = 0; i < N_CASES; i++) {
		snprintf(cases[i].name, sizeof(cases[i].name), "%s.%s",
			 cases[i].file, cases[i].which);
		snprintf(words, sizeof(words),
			 "read of %s, %s of the groups updated", cases[i].file,
			 cases[i].which);
		if (guest_wants(cases[i].name))
			guest_metric_times(cases[i].name, words);
		cases[i].paths = paths_of(cases[i].file);
		if (cases[i].updated < 0)
			cases[i].updated = n_groups;
	}
}

static void run(void)
{
	long rounds = guest_number("rounds", 4);
	long batches = guest_number("batches", 10);

	n_groups = guest_number("groups", 1600);
	if (n_groups < 1)
		guest_fail("groups=0: there is nothing to read");
	prepare();
	for (unsigned b = 0; b <= batches; b++)
		for (size_t i = 0; i < N_CASES; i++)
			measure(cases[i].name, cases[i].paths, cases[i].updated,
				b, rounds);
	guest_cgroup_exit();
}

const struct guest_workload guest_cgroup_stat = {
	.name = "cgroup-stat",
	.stands_for = "read cpu.stat and memory.stat of many control groups, "
		      "none, one and all of them updated in between",
	.params = "groups=1600 rounds=4 batches=10 only=CASE cgroup=DIR",
	.run = run,
};
