/* SPDX-License-Identifier: GPL-2.0-only */
/* Names of architectures: uname's, Kbuild's ARCH and the folder below arch/. */
#ifndef EO_TREE_ARCH_H
#define EO_TREE_ARCH_H

#include <stdbool.h>
#include <stddef.h>

/* The folder of this machine's: "x86", "arm64". Never NULL, not freed. */
const char *eo_arch_of_host(void);
/* What to give make as ARCH for a machine of this kind: "x86_64", "arm64". */
const char *eo_arch_for_make(void);

/*
 * The default configuration for this machine in the tree @root, in the short
 * form that the kernel keeps it in; NULL: it is elsewhere, ask make. The
 * caller frees it.
 */
char *eo_arch_defconfig(const char *root);

/*
 * When @file is in arch/X with X other than @arch: true, and X is in @name,
 * which has room for @size bytes.
 */
bool eo_arch_is_foreign(const char *file, const char *arch, char *name,
			size_t size);

#endif
