/* SPDX-License-Identifier: GPL-2.0-only */
/* The kernel's own scripts/coccinelle, on some files, in the sandbox. */
#ifndef EO_VERIFY_COCCI_H
#define EO_VERIFY_COCCI_H

#include <stddef.h>

struct eo_complaints;
struct eo_error;
struct eo_kbuild;
struct eo_map;
struct eo_str;

/*
 * Each semantic patch that has a mode report, on each of @files. What it says
 * of a text is kept in the folder @cache. @scripts: how many there are.
 */
struct eo_error *eo_cocci_run(const struct eo_kbuild *k,
			      const struct eo_map *files, const char *cache,
			      struct eo_complaints *out, struct eo_str *log,
			      size_t *scripts);

#endif
