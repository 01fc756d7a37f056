/* SPDX-License-Identifier: GPL-2.0-only */
/* An initramfs: the cpio archive that a kernel unpacks into its first root. */
#ifndef EO_VERIFY_BENCH_CPIO_H
#define EO_VERIFY_BENCH_CPIO_H

#include <stddef.h>

struct eo_str;

/*
 * Appends an archive that holds /init, with these bytes, and /dev/console,
 * in the format "newc" (Documentation/driver-api/early-userspace/
 * buffer-format.rst).
 */
void eo_cpio_initramfs(const void *init, size_t n, struct eo_str *to);

#endif
