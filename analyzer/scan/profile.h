/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads what perf says of where the time goes: the table of
 * `perf report --stdio` (with or without children, with call graphs), or
 * `perf script` folded into stacks, "a;b;c 123" a line. Which one it is shows
 * by itself.
 */
#ifndef EO_SCAN_PROFILE_H
#define EO_SCAN_PROFILE_H

#include <stddef.h>

#include "base/mem.h"

struct eo_error;

struct eo_share {
	const char *symbol;
	double self; /* of the whole, 0 to 1 */
	double total; /* with all it calls; below 0: the profile says nothing */
};

struct eo_profile {
	const char *format; /* "perf-report", "folded" */
	struct eo_share *items; /* kernel functions, as they first come */
	size_t n, cap;
	struct eo_arena arena;
};

/*
 * Parts that the compiler split off (x.part.0, x.constprop.0) count for their
 * function, and rows of several processes are added up. Of several events'
 * tables the first counts. Where stacks mark kernel frames ("x_[k]"), only
 * those are taken.
 *
 * EO_ERR_INPUT when it is empty, neither format, has a NUL byte, no function
 * of the kernel, or a line that is neither a row nor decoration
 * ("NAME:LINE: …").
 */
struct eo_error *eo_profile_parse(const char *name, const char *text, size_t n,
				  struct eo_profile *out);
void eo_profile_release(struct eo_profile *p);

#endif
