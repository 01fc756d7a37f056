/* SPDX-License-Identifier: GPL-2.0-only */
/* Where a workload is measured: the measure functions of a study. */
#ifndef EO_VERIFY_BENCH_RUNNER_H
#define EO_VERIFY_BENCH_RUNNER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"

struct eo_arena;
struct eo_error;
struct eo_record;
struct eo_shot;
struct eo_workload;

enum eo_runner_kind { EO_QEMU, EO_ICOUNT, EO_HOOK, EO_HOST };

/* "qemu", "icount", "command", "host". */
const char *eo_runner_name(enum eo_runner_kind kind);
/* EO_ERR_USAGE when there is none of that name. */
struct eo_error *eo_runner_parse(const char *name, enum eo_runner_kind *out);

#define EO_PLACEBOS 3
#define EO_KERNELS (2 + EO_PLACEBOS)

struct eo_runner {
	enum eo_runner_kind kind;
	const struct eo_workload *workload;
	const char *params; /* of the workload */
	/* bzImages by enum eo_arm, the placebos one after the other, or NULL */
	const char *kernels[EO_KERNELS];
	const char *initramfs;
	const char *hook; /* the program, of EO_HOOK */
	const char *guest; /* earlyout-guest, of EO_HOST */
	/*
	 * Of EO_HOST: the records of the kernel before, one behind the other,
	 * of which each measurement of it takes the next.
	 */
	const char *said;
	bool kvm, allow_debug;
	unsigned cpus, possible; /* booted; in all */
	unsigned timeout_s; /* of one measurement */
};

/*
 * The debugging options that whoever measured saw: of "env distorting", and
 * of the command line; those that are not yet in @out are appended to it.
 */
void eo_runner_distorting(const struct eo_record *r, struct eo_str *out);

/*
 * An eo_measure_fn; @ctx is a struct eo_runner. Counted instructions are
 * given as such, and what cannot be counted (rates, the kernel's own clocks)
 * is left out. A kernel that sees another number of possible CPUs than it
 * was to have has failed. One that has debugging options which distort is an
 * EO_ERR_ENV, but for .allow_debug.
 */
struct eo_error *eo_runner_measure(void *ctx, const struct eo_shot *what,
				   struct eo_record *out,
				   struct eo_str *console);

/*
 * Of EO_HOST: the command that measures once, as an argv that ends in NULL,
 * into @argv, which has room for EO_GUEST_WORDS. Strings are in @a, or in @r.
 */
#define EO_GUEST_WORDS 64
void eo_runner_words(const struct eo_runner *r, unsigned seed,
		     struct eo_arena *a, const char **argv);

/*
 * Runs a program that measures: what it prints is appended to @said, its
 * complaints to @console. @env: added to ours, or NULL. EO_ERR_INPUT when it
 * takes longer or fails.
 */
struct eo_error *eo_runner_run(const char *const *argv, const char *const *env,
			       unsigned timeout_s, struct eo_str *said,
			       struct eo_str *console);

/*
 * Of EO_HOST: measures the running kernel and appends what it says, a whole
 * record. EO_ERR_INPUT when that is none.
 */
struct eo_error *eo_runner_say(const struct eo_runner *r, unsigned seed,
			       struct eo_str *said);

/* What a hook gets in its environment, for its documentation and tests. */
#define EO_HOOK_PHASE "EARLYOUT_PHASE" /* "before" or "after" */
#define EO_HOOK_KERNEL "EARLYOUT_KERNEL" /* the bzImage, or "" */
#define EO_HOOK_WORKLOAD "EARLYOUT_WORKLOAD" /* with its parameters */
#define EO_HOOK_REPETITION "EARLYOUT_REPETITION" /* from 0 */

#endif
