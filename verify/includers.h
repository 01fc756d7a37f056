/* SPDX-License-Identifier: GPL-2.0-only */
/* Who includes a header: what has to build with it. */
#ifndef EO_VERIFY_INCLUDERS_H
#define EO_VERIFY_INCLUDERS_H

#include <stddef.h>

struct eo_error;
struct eo_map;

/*
 * Adds .c files of the tree at @root that include @header (relative to it) to
 * the set @out, @most at most: those beside the header and beside what is in
 * @out first, then those with the shortest paths, which most kernels have.
 * Of arch/ only this machine's.
 */
struct eo_error *eo_includers(const char *root, const char *header, size_t most,
			      struct eo_map *out);

#endif
