// SPDX-License-Identifier: GPL-2.0-only
/* Clocks, files and control groups. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "verify/bench/guest/guest.h"

#define TOP "earlyout-bench"
#define SPIN_NS 10000000

static int64_t clock_ns(clockid_t id)
{
	struct timespec t;

	clock_gettime(id, &t);
	return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

void guest_times(struct guest_times *t)
{
	struct rusage u;

	getrusage(RUSAGE_SELF, &u);
	t->sys = u.ru_stime.tv_sec * INT64_C(1000000000) +
		 u.ru_stime.tv_usec * INT64_C(1000);
	t->cpu = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
	t->wall = clock_ns(CLOCK_MONOTONIC);
}

void guest_spin(void)
{
	static unsigned long state;
	int64_t end;

	if (!state)
		state = (unsigned long)guest_number("seed", 0);
	if (!state)
		return;
	/* Marsaglia's xorshift, 13, 7, 17 (2003). */
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	end = clock_ns(CLOCK_MONOTONIC) + (int64_t)(state % SPIN_NS);
	while (clock_ns(CLOCK_MONOTONIC) < end)
		;
}

void guest_metric_times(const char *name, const char *words)
{
	char full[100];

	snprintf(full, sizeof(full), "%s.wall", name);
	guest_metric(full, "ns", false, words);
	snprintf(full, sizeof(full), "%s.sys", name);
	guest_metric(full, "ns", false, words);
}

void guest_sample_times(const char *name, unsigned batch,
			const struct guest_times *since, long operations)
{
	struct guest_times now;
	char full[100];

	guest_times(&now);
	snprintf(full, sizeof(full), "%s.wall", name);
	guest_sample(full, batch,
		     (double)(now.wall - since->wall) / (double)operations);
	snprintf(full, sizeof(full), "%s.sys", name);
	guest_sample(full, batch,
		     (double)(now.sys - since->sys) / (double)operations);
}

void guest_write(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);

	if (fd < 0 || write(fd, text, strlen(text)) < 0)
		guest_fail("cannot write '%s' to %s: %m", text, path);
	close(fd);
}

long guest_read(const char *path)
{
	static char buf[65536];
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	long size = 0;
	ssize_t n;

	if (fd < 0)
		guest_fail("cannot open %s: %m", path);
	while ((n = read(fd, buf, sizeof(buf))) > 0)
		size += n;
	if (n < 0)
		guest_fail("cannot read %s: %m", path);
	close(fd);
	return size;
}

static const char *root(void)
{
	return guest_text("cgroup", "/sys/fs/cgroup");
}

const char *guest_cgroup_path(const char *name, const char *file)
{
	static char paths[4][300];
	static unsigned turn;
	char *path = paths[turn++ % 4];

	snprintf(path, sizeof(paths[0]), "%s/" TOP "%s%s%s%s", root(),
		 *name ? "/" : "", name, *file ? "/" : "", file);
	return path;
}

void guest_cgroup_make(const char *name)
{
	const char *path = guest_cgroup_path(name, "");

	if (mkdir(path, 0755) && errno != EEXIST)
		guest_fail("cannot make the control group %s: %m", path);
}

void guest_cgroup_init(const char *controllers)
{
	char path[300];

	snprintf(path, sizeof(path), "%s/cgroup.subtree_control", root());
	guest_write(path, controllers);
	guest_cgroup_make("");
	guest_write(guest_cgroup_path("", "cgroup.subtree_control"),
		    controllers);
}

void guest_cgroup_join(const char *name)
{
	char top[300];

	snprintf(top, sizeof(top), "%s/cgroup.procs", root());
	guest_write(*name ? guest_cgroup_path(name, "cgroup.procs") : top, "0");
}

void guest_cgroup_exit(void)
{
	const char *top = guest_cgroup_path("", "");
	DIR *dir = opendir(top);
	struct dirent *e;

	guest_cgroup_join("");
	while (dir && (e = readdir(dir)))
		if (e->d_name[0] != '.')
			rmdir(guest_cgroup_path(e->d_name, ""));
	if (dir)
		closedir(dir);
	rmdir(guest_cgroup_path("", ""));
}

void guest_child(void (*work)(void *), void *arg)
{
	int status = 0;
	pid_t pid = fork();

	if (pid < 0)
		guest_fail("cannot fork: %m");
	if (pid == 0) {
		work(arg);
		_exit(0);
	}
	if (waitpid(pid, &status, 0) != pid || status)
		guest_fail("a child ended with status %#x", status);
}

void guest_touch_page(void)
{
	long size = sysconf(_SC_PAGESIZE);
	char *p = mmap(NULL, (size_t)size, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		guest_fail("mmap: %m");
	*(volatile char *)p = 1;
	munmap(p, (size_t)size);
}

int guest_cpus(void)
{
	return (int)sysconf(_SC_NPROCESSORS_ONLN);
}
