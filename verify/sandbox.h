/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Runs a program that a stranger's patch may have had a hand in, a kernel's
 * makefiles say, in bubblewrap: no network, no home, none of the user's
 * environment, the system's folders read-only, and of everything else only
 * the folders that are bound; with limits on time, memory, processes and
 * disk. On Ctrl-C, and when a limit is passed, all of it ends.
 */
#ifndef EO_VERIFY_SANDBOX_H
#define EO_VERIFY_SANDBOX_H

#include <stdbool.h>
#include <stddef.h>

struct eo_error;
struct eo_proc;
struct eo_proc_result;

/* A folder or file of ours that is in the sandbox, at @to. */
struct eo_bind {
	const char *from, *to; /* absolute */
	bool writable;
};

struct eo_limits {
	unsigned timeout_ms; /* of the clock on the wall; 0: 10 minutes */
	size_t memory; /* bytes, of all processes together; 0: 4 GiB */
	unsigned processes; /* at a time; 0: 256 */
	size_t disk; /* bytes more than at the start in what is writable, and
		      * in each of /tmp and /dev/shm; 0: 4 GiB */
};

struct eo_sandbox {
	/*
	 * --no-sandbox: it runs as we do, at real paths, the binds are not
	 * made. Memory, processes and disk are watched all the same.
	 */
	bool off;
	const struct eo_bind *binds;
	size_t n_binds;
	struct eo_limits limits;
};

/*
 * Whether there is a sandbox here. An EO_ERR_ENV says what is missing: no
 * bubblewrap, or a kernel that gives users no namespaces.
 */
struct eo_error *eo_sandbox_check(void);

/*
 * As eo_proc_run(): of @p count argv, cwd (a path inside), env (all that the
 * program gets beside PATH, HOME and LC_ALL), input, max_output and watch. A limit
 * that was passed is an EO_ERR_TIMEOUT or, but for time, an EO_ERR_INPUT that
 * says which. A group of processes that cannot be limited by the kernel (no
 * writable cgroup) is counted ten times a second.
 */
struct eo_error *eo_sandbox_run(const struct eo_sandbox *s,
				const struct eo_proc *p,
				struct eo_proc_result *r);

#endif
