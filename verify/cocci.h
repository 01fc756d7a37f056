/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kernel's own scripts/coccinelle on some files, in the sandbox, several
 * at a time; and one of ours beside them, which looks for pointers that are
 * used before they are tested.
 */
#ifndef EO_VERIFY_COCCI_H
#define EO_VERIFY_COCCI_H

#include <stddef.h>

#include "base/str.h"
#include "verify/complaints.h"

struct eo_error;
struct eo_kbuild;
struct eo_map;

struct eo_cocci {
	struct eo_complaints said;
	struct eo_str log;
	size_t scripts; /* 0: the tree has none, and nothing was asked */
	size_t silent; /* those that failed or took too long on a file */
};

/*
 * Each semantic patch that has a mode report, with the options that it asks
 * for, on each of @files. What it says of a text is kept in the folder
 * @cache. @out is zeroed by the caller and released by it.
 */
struct eo_error *eo_cocci_run(const struct eo_kbuild *k,
			      const struct eo_map *files, const char *cache,
			      struct eo_cocci *out);
void eo_cocci_release(struct eo_cocci *c);

#endif
