/* SPDX-License-Identifier: GPL-2.0-only */
/* What can be measured of one state of the source: before, and behind each
 * patch of a series. */
#ifndef EO_VERIFY_STATE_H
#define EO_VERIFY_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/map.h"
#include "base/str.h"
#include "scan/scan.h"
#include "verify/cocci.h"
#include "verify/complaints.h"

struct eo_error;
struct eo_kbuild;
struct eo_model;
struct eo_tree;

struct eo_what {
	const struct eo_tree *tree; /* the checkout */
	const char *model; /* --model, or NULL */
	const char *build, *compile_commands; /* flags of it, or NULL */
	const struct eo_kbuild *kbuild;
	const char *no_build; /* why nothing can be built, or NULL */
	const struct eo_map *touched; /* the set of .c files that change */
	const struct eo_map *files; /* those, and some that include a header */
	const char *cache; /* a folder for what Coccinelle said */
	unsigned jobs;
	bool smpl;
	const char *title; /* for the progress: which patch, number */
	size_t number, total; /* of how many */
};

struct eo_state {
	struct eo_complaints compiler, sparse;
	struct eo_cocci cocci;
	struct eo_str make_log;
	struct eo_map built; /* set of .c files whose object came out */
	struct eo_map unbuilt; /* set of those that make has no rule for */
	struct eo_map sizes; /* "function" → (void *)(uintptr_t)bytes */
	struct eo_scan scan;
	const char *scan_problem; /* no scan, and why */
	const char *make_problem; /* it was ended: time, memory … */
	int64_t build_ms, cocci_ms, scan_ms; /* side by side */
	struct eo_arena arena;
};

/* Measures what is in the scratch tree now; builds and scans run beside each
 * other. @s is zeroed by the caller and released by it. */
struct eo_error *eo_state_measure(const struct eo_what *w, struct eo_state *s);
/* Progress: which @checks of which patch are running. */
void eo_state_show(const struct eo_what *w, const char *checks);
void eo_state_release(struct eo_state *s);

#endif
