// SPDX-License-Identifier: GPL-2.0-only
#include "tree/lockfile.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/err.h"
#include "base/proc.h"
#include "base/progress.h"

#define POLL_US 100000

struct eo_error *eo_lockfile_open(const char *path, int *fd)
{
	*fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
	if (*fd < 0)
		return eo_error_errno(errno, "cannot open %s", path);
	return NULL;
}

struct eo_error *eo_lockfile_lock(int fd, bool alone)
{
	while (flock(fd, (alone ? LOCK_EX : LOCK_SH) | LOCK_NB)) {
		if (errno != EWOULDBLOCK && errno != EINTR)
			return eo_error_errno(errno, "cannot lock the cache");
		if (eo_interrupted())
			return eo_interrupt_error();
		eo_progress("waiting", 0, 0,
			    "for another earlyout that uses this tree's cache");
		usleep(POLL_US);
	}
	return NULL;
}
