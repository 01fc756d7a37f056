// SPDX-License-Identifier: GPL-2.0-only
#include "verify/cgroup.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/str.h"

#define ROOT "/sys/fs/cgroup"
#define REMOVE_TRIES 50

/* The folder of our own group that has @controller; NULL: none. */
static char *own_dir(const char *controller)
{
	EO_CLEANUP(eo_str_release) struct eo_str text = { 0 };
	struct eo_error *err = eo_file_read("/proc/self/cgroup", &text);
	char *save = NULL, *found = NULL;

	eo_error_free(err);
	if (err)
		return NULL;
	/* "9:pids:/path"; version 2 is "0::/path" and has all controllers */
	for (char *line = strtok_r(text.s, "\n", &save); line && !found;
	     line = strtok_r(NULL, "\n", &save)) {
		char *names = strchr(line, ':');
		char *path = names ? strchr(names + 1, ':') : NULL;

		if (!path)
			continue;
		*path++ = '\0';
		if (eo_streq(names + 1, controller))
			found = eo_asprintf(ROOT "/%s%s", controller, path);
	}
	return found;
}

static bool put(const char *dir, const char *file, size_t value)
{
	EO_CLEANUP(eo_freep) char *path = eo_path_join(dir, file);
	EO_CLEANUP(eo_freep) char *text = eo_asprintf("%zu", value);
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	bool ok;

	if (fd < 0)
		return false;
	ok = write(fd, text, strlen(text)) == (ssize_t)strlen(text);
	close(fd);
	return ok;
}

/* A new group below @parent; NULL when we may not. */
static char *make_below(const char *parent)
{
	static unsigned counter;
	char *dir =
		eo_asprintf("%s/earlyout-%d-%u", parent, (int)getpid(),
			    __atomic_add_fetch(&counter, 1, __ATOMIC_RELAXED));

	if (mkdir(dir, 0755) == 0)
		return dir;
	free(dir);
	return NULL;
}

static void add(struct eo_cgroup *c, char *dir)
{
	c->dirs[c->n] = dir;
	c->join[c->n++] = eo_path_join(dir, "cgroup.procs");
}

static void add_v1(struct eo_cgroup *c, const char *controller,
		   const char *file, size_t value)
{
	EO_CLEANUP(eo_freep) char *parent = own_dir(controller);
	char *dir = parent ? make_below(parent) : NULL;

	if (!dir)
		return;
	if (put(dir, file, value)) {
		add(c, dir);
		return;
	}
	rmdir(dir);
	free(dir);
}

/* Beside our own group: one with processes in it has no controlled children. */
static void add_v2(struct eo_cgroup *c, unsigned processes, size_t memory)
{
	EO_CLEANUP(eo_freep) char *own = own_dir("");
	char *slash = own ? strrchr(own, '/') : NULL;
	char *dir;

	if (!slash || strlen(own) <= strlen(ROOT) + 1)
		return;
	*slash = '\0';
	dir = make_below(own);
	if (!dir)
		return;
	if (put(dir, "pids.max", processes) | put(dir, "memory.max", memory)) {
		add(c, dir);
		return;
	}
	rmdir(dir);
	free(dir);
}

void eo_cgroup_make(struct eo_cgroup *c, unsigned processes, size_t memory)
{
	*c = (struct eo_cgroup){ 0 };
	add_v1(c, "pids", "pids.max", processes);
	add_v1(c, "memory", "memory.limit_in_bytes", memory);
	if (!c->n)
		add_v2(c, processes, memory);
}

void eo_cgroup_release(struct eo_cgroup *c)
{
	const struct timespec wait = { .tv_nsec = 10000000 };

	for (size_t i = 0; i < c->n; i++) {
		/* those that were killed may take a moment to be gone */
		for (int try = 0;
		     try < REMOVE_TRIES && rmdir(c->dirs[i]) && errno == EBUSY;
		     try++)
			nanosleep(&wait, NULL);
		free(c->dirs[i]);
		free((char *)c->join[i]);
	}
	*c = (struct eo_cgroup){ 0 };
}
