/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One boot of a kernel in QEMU, with a workload as its init. The guest gets
 * no network, no disk and no folder of ours; what it measured comes back by
 * a serial port of its own, framed, and its console is kept apart.
 */
#ifndef EO_VERIFY_BENCH_QEMU_H
#define EO_VERIFY_BENCH_QEMU_H

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"

struct eo_error;
struct eo_record;

#define EO_BOOT_MEMORY_MB 1024

struct eo_boot {
	const char *kernel; /* bzImage */
	const char *initramfs;
	const char *workload; /* with its parameters, "io-stat reads=100" */
	bool icount; /* count instructions: TCG, one nanosecond each */
	const char *plugin, *counts; /* of QEMU's, and its file; or NULL */
	bool kvm; /* where there is /dev/kvm; else TCG */
	unsigned cpus; /* that are booted, from 1 */
	unsigned possible; /* CPUs that could be plugged in; at least @cpus */
	unsigned memory_mb;
	unsigned timeout_s;
};

/*
 * Boots it, to its end. A panic, an oops, a hang and results that are not
 * whole are an EO_ERR_INPUT that says which; a QEMU that does not start is
 * an EO_ERR_ENV. @console gets what the kernel printed in every case.
 */
struct eo_error *eo_boot_run(const struct eo_boot *boot, struct eo_record *out,
			     struct eo_str *console);

/* Whether this machine has a usable /dev/kvm. */
bool eo_boot_has_kvm(void);
/* "QEMU emulator version 7.2.22 …"; the caller frees. */
struct eo_error *eo_boot_version(char **out);

#endif
