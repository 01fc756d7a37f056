// SPDX-License-Identifier: GPL-2.0-only
#include "verify/usage.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <fts.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"

struct process {
	pid_t pid, parent;
	size_t memory;
	bool in;
};

struct processes {
	struct process *items;
	size_t n, cap;
};

/* proc(5): "pid (comm) state ppid …", comm may hold anything. */
static void add_process(struct processes *all, const char *pid)
{
	char path[64], text[512];
	const char *p;
	int parent, fd;
	long rss = 0;
	ssize_t n;

	snprintf(path, sizeof(path), "/proc/%.20s/stat", pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return;
	n = read(fd, text, sizeof(text) - 1);
	close(fd);
	if (n <= 0)
		return;
	text[n] = '\0';
	p = strrchr(text, ')');
	if (!p || sscanf(p, ") %*c %d", &parent) != 1)
		return;
	/* rss is field 24; the state behind the name is field 3 */
	for (int field = 3; p && field <= 24; field++)
		p = strchr(p + 1, ' ');
	if (p)
		rss = strtol(p, NULL, 10);
	*eo_vec_push(all) = (struct process){
		.pid = atoi(pid),
		.parent = parent,
		.memory = (size_t)rss * (size_t)sysconf(_SC_PAGESIZE),
	};
}

static bool is_in(const struct processes *all, pid_t pid)
{
	const struct process *p;

	eo_vec_for_each(p, all)
		if (p->pid == pid)
			return p->in;
	return false;
}

/* Until no more come in: parents may be listed behind their children. */
static void mark_descendants(struct processes *all)
{
	bool more = true;
	struct process *p;

	while (more) {
		more = false;
		eo_vec_for_each(p, all) {
			if (p->in || !is_in(all, p->parent))
				continue;
			p->in = true;
			more = true;
		}
	}
}

void eo_usage_of(pid_t pid, struct eo_usage *out)
{
	struct processes all = { 0 };
	DIR *d = opendir("/proc");
	struct dirent *de;
	struct process *p;

	*out = (struct eo_usage){ 0 };
	while (d && (de = readdir(d)))
		if (isdigit((unsigned char)de->d_name[0]))
			add_process(&all, de->d_name);
	if (d)
		closedir(d);
	eo_vec_for_each(p, &all)
		p->in = p->pid == pid;
	mark_descendants(&all);
	eo_vec_for_each(p, &all) {
		out->processes += p->in;
		out->memory += p->in ? p->memory : 0;
	}
	free(all.items);
}

size_t eo_usage_of_dir(const char *dir)
{
	char *paths[] = { (char *)dir, NULL };
	FTS *fts = fts_open(paths, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
	size_t sum = 0;
	FTSENT *e;

	while (fts && (e = fts_read(fts)))
		if (e->fts_info != FTS_DP && e->fts_statp &&
		    e->fts_info != FTS_NS)
			sum += (size_t)e->fts_statp->st_blocks * 512;
	if (fts)
		fts_close(fts);
	return sum;
}
