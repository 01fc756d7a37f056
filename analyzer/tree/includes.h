/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which files a changed header can reach, by the text of their #include
 * lines: under whatever condition, for any architecture. Rather one file too
 * many than one too few. Headers are sought beside the file that includes
 * them and in include/, include/uapi/ and the same of each architecture; one
 * that comes by another -I counts when it has itself changed.
 */
#ifndef EO_TREE_INCLUDES_H
#define EO_TREE_INCLUDES_H

#include <stddef.h>

struct eo_map;

/*
 * Adds to the set @out those of @files that include one of @changed, a set of
 * paths below @root, directly or by way of others.
 */
void eo_includes_reach(const char *root, const char *const *files, size_t n,
		       const struct eo_map *changed, struct eo_map *out);

#endif
