/* SPDX-License-Identifier: GPL-2.0-only */
/* What a process and all below it use, and what is in a folder. */
#ifndef EO_VERIFY_USAGE_H
#define EO_VERIFY_USAGE_H

#include <stddef.h>
#include <sys/types.h>

struct eo_usage {
	unsigned processes;
	size_t memory; /* bytes resident; shared pages count each time */
};

/* Zeroes when @pid is gone. */
void eo_usage_of(pid_t pid, struct eo_usage *out);
/* Bytes on disk below @dir, which is not left and may change meanwhile. */
size_t eo_usage_of_dir(const char *dir);

#endif
