/* SPDX-License-Identifier: GPL-2.0-only */
/* The program that runs in a guest: where it is, and as an initramfs. */
#ifndef EO_VERIFY_BENCH_GUEST_H
#define EO_VERIFY_BENCH_GUEST_H

#include <stdbool.h>

struct eo_error;

/*
 * The static program: beside this one in guest/, or in
 * ../libexec/earlyout when installed. The caller frees *out.
 */
struct eo_error *eo_guest_path(char **out);
/* QEMU's plugin that counts instructions, which is beside it. */
struct eo_error *eo_guest_plugin(char **out);
/* Writes an initramfs with it as /init to @path. */
struct eo_error *eo_guest_initramfs(const char *path);

/* A workload, as the program knows it too; its file in guest/ says what it does. */
struct eo_workload {
	const char *name;
	const char *stands_for;
	/* Parameters for time, and for counting instructions; "" if none. */
	const char *time, *count;
	bool counts; /* the same number of instructions from boot to boot */
	unsigned cpus; /* that time needs at least */
};

extern const struct eo_workload eo_workloads[];
extern const unsigned eo_n_workloads;

/* NULL when there is none of that name. */
const struct eo_workload *eo_workload_find(const char *name);

#endif
