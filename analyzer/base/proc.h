/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Running other programs: always by argument vector, never through a shell.
 * The child leads a process group of its own, and the whole group is killed
 * when the time is out or the user interrupts.
 */
#ifndef EO_BASE_PROC_H
#define EO_BASE_PROC_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/str.h"

struct eo_error;

struct eo_proc {
	const char *const *argv; /* NULL-terminated; argv[0] is sought in PATH */
	const char *cwd; /* NULL: ours */
	const char *const *env; /* NULL, or "NAME=value" to add, NULL-ended */
	const char *input; /* standard input; NULL: /dev/null */
	size_t input_len;
	unsigned timeout_ms; /* 0: none */
	size_t max_output; /* bytes kept of each of out and err; 0: 64 MiB */
	const char *const *join; /* NULL, or files to write "0" to in the child
				  * before it becomes its program, NULL-ended:
				  * cgroup.procs of a group made for it */
	/*
	 * NULL, or called about ten times a second as long as it runs. An
	 * error ends the child, and is what eo_proc_run() gives.
	 */
	struct eo_error *(*watch)(pid_t pid, void *data);
	void *watch_data;
};

struct eo_proc_result {
	struct eo_str out, err;
	int status; /* exit code, or 128 + signal */
	bool truncated; /* more than max_output came */
};

void eo_proc_result_release(struct eo_proc_result *r);

/*
 * Runs it to its end. An error says that it could not be started
 * (EO_ERR_ENV, with what to install when it is not there), took too long
 * (EO_ERR_TIMEOUT) or was interrupted (EO_ERR_INTERRUPTED); a status other
 * than 0 is not an error of this function. @r is zeroed by the caller and
 * released by it in every case.
 */
struct eo_error *eo_proc_run(const struct eo_proc *p, struct eo_proc_result *r);

/* The same, and a status other than 0 is an error that quotes stderr's end. */
struct eo_error *eo_proc_check(const struct eo_proc *p,
			       struct eo_proc_result *r);

/*
 * Ctrl-C. After eo_interrupt_init(), SIGINT and SIGTERM set a flag that long
 * work asks for; a second one ends the process as usual.
 */
void eo_interrupt_init(void);
bool eo_interrupted(void);
struct eo_error *eo_interrupt_error(void);

#endif
