/* SPDX-License-Identifier: GPL-2.0-only */
/* A lock between processes, on a file that is made for it: flock(2). */
#ifndef EO_TREE_LOCKFILE_H
#define EO_TREE_LOCKFILE_H

#include <stdbool.h>

struct eo_error;

/* The descriptor of the lock, not locked yet; close(2) gives it back. */
struct eo_error *eo_lockfile_open(const char *path, int *fd);
/*
 * Locks it, alone or with others who read; a lock of the other kind is given
 * up first. Waits, which ends with an error on Ctrl-C.
 */
struct eo_error *eo_lockfile_lock(int fd, bool alone);

#endif
