/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A control group for one program, where we may make one: the kernel then
 * keeps to its limits itself. Version 1 (a folder a controller) and version 2.
 */
#ifndef EO_VERIFY_CGROUP_H
#define EO_VERIFY_CGROUP_H

#include <stddef.h>

#define EO_CGROUPS 2

struct eo_cgroup {
	char *dirs[EO_CGROUPS]; /* those that were made */
	const char *join[EO_CGROUPS + 1]; /* for eo_proc.join */
	size_t n;
};

/* None is no error: then @c is empty. */
void eo_cgroup_make(struct eo_cgroup *c, unsigned processes, size_t memory);
/* Call when all in it have ended. */
void eo_cgroup_release(struct eo_cgroup *c);

#endif
