// SPDX-License-Identifier: GPL-2.0-only
#include "verify/bench/census.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/proc.h"

#define NFTW_FDS 32

/* nftw(3) hands nothing through to its callback. */
static __thread struct {
	const char *name;
	struct eo_census_count count;
} census;

/* A file of the kernel says that it has size 0 whatever is in it. */
static void count(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	char byte;
	ssize_t n = fd < 0 ? -1 : read(fd, &byte, 1);

	if (fd >= 0)
		close(fd);
	if (n < 0) {
		census.count.unread++;
		return;
	}
	census.count.files++;
	census.count.empty += n == 0;
}

static int look(const char *path, const struct stat *st, int type,
		struct FTW *ftw)
{
	(void)st;
	if (type == FTW_F && !strcmp(path + ftw->base, census.name))
		count(path);
	return eo_interrupted();
}

struct eo_error *eo_census_take(const char *root, const char *name,
				struct eo_census_count *out)
{
	census.name = name;
	census.count = (struct eo_census_count){ 0 };
	if (nftw(root, look, NFTW_FDS, FTW_PHYS) < 0)
		return eo_error_errno(errno, "cannot look through %s", root);
	if (eo_interrupted())
		return eo_interrupt_error();
	*out = census.count;
	if (out->files || out->unread)
		return NULL;
	return eo_error_new(
		EO_ERR_INPUT,
		"no %s below %s: is this a mount of cgroup version 2 with that controller on? Name another folder with --root",
		name, root);
}
