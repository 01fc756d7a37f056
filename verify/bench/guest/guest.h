/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The programs that are measured: one static binary, which is init of the
 * guest and a program of its own on any machine. Plain C and glibc, so that
 * a measured loop is system calls and little else.
 *
 * What it says are lines, the same that a hook prints (earlyout(1), HOOKS):
 *
 *	hello 1 WORKLOAD
 *	env NAME VALUE…
 *	metric NAME UNIT lower|higher WORDS…
 *	sample NAME BATCH VALUE
 *	fail WORDS…
 *	end
 *
 * As init each line is framed, "eo NUMBER CRC32 LINE" with the IEEE 802.3
 * CRC of LINE in hexadecimal, and they go to a port of their own after the
 * last measurement: neither the kernel's chatter nor the port's interrupts
 * meet what is measured.
 */
#ifndef EO_GUEST_GUEST_H
#define EO_GUEST_GUEST_H

#include <stdbool.h>
#include <stdint.h>

struct guest_workload {
	const char *name;
	const char *stands_for; /* in one line */
	const char *params; /* "reads=20000 batches=35", with the defaults */
	void (*run)(void);
};

extern const struct guest_workload guest_io_stat, guest_cgroup_stat,
	guest_sqpoll, guest_flush_storm;

/* What was given as NAME=VALUE on the command line, else @fallback. */
long guest_number(const char *name, long fallback);
const char *guest_text(const char *name, const char *fallback);
/* Whether the case is to be measured: "only=" begins its name, or is not. */
bool guest_wants(const char *name);

/* What is measured. A metric is declared before its first sample. */
void guest_metric(const char *name, const char *unit, bool higher_is_better,
		  const char *words);
/* @batch counts from 0; batch 0 warms up and is not counted as evidence. */
void guest_sample(const char *name, unsigned batch, double value);
void guest_env(const char *name, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
/* Says so and ends; as init, the machine too. */
void guest_fail(const char *fmt, ...)
	__attribute__((format(printf, 1, 2), noreturn));
void guest_say_hello(const char *workload);
void guest_say_distorting(void); /* debugging options, as env */
void guest_say_failure(const char *words);
/* Writes out what was said; @to is a file descriptor. */
void guest_flush(int to, bool framed);

/* Nanoseconds: of the clock, of this process, of it in the kernel. */
struct guest_times {
	int64_t wall, cpu, sys;
};
void guest_times(struct guest_times *t);
/*
 * Spins for up to 10 ms, by chance ("seed=N"; without one not at all). What
 * comes by the clock, as the timer's tick, meets each batch at another place
 * then, and not at the same one in every boot of a kernel.
 */
void guest_spin(void);
/* Per operation since @since: "NAME.wall" and "NAME.sys" of the batch. */
void guest_sample_times(const char *name, unsigned batch,
			const struct guest_times *since, long operations);
/* Declares the two. */
void guest_metric_times(const char *name, const char *words);

/* Of @n values, from 1; @v is sorted. */
double guest_median(double *v, unsigned n);

/* Control groups, version 2, below a folder of our own; these never fail. */
void guest_cgroup_init(const char *controllers); /* "+io +memory" */
void guest_cgroup_make(const char *name);
void guest_cgroup_join(const char *name); /* this process; "": the top */
/* "…/NAME/FILE", good until the fourth call after this one. */
const char *guest_cgroup_path(const char *name, const char *file);
void guest_cgroup_exit(void); /* removes them */

void guest_write(const char *path, const char *text);
/* Reads a file whole, from open to close, and gives its size. */
long guest_read(const char *path);
/* Runs @work in a child and waits for it; it must exit with 0. */
void guest_child(void (*work)(void *), void *arg);
/* A new page is charged to this process's group, and given back. */
void guest_touch_page(void);
int guest_cpus(void); /* online */
#endif
