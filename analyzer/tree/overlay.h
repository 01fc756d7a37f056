/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A state of the tree that is in no file yet: some files as they are to be,
 * all others as the tree has them. Each patch of a series is made from the
 * overlay that the patches before it left.
 */
#ifndef EO_TREE_OVERLAY_H
#define EO_TREE_OVERLAY_H

#include <stddef.h>

#include "base/map.h"

struct eo_error;
struct eo_str;
struct eo_tree;

/* Zeroed to begin with. */
struct eo_overlay {
	struct eo_map files; /* path relative to the tree → struct eo_str */
};

void eo_overlay_release(struct eo_overlay *o);
/* From now on @file is these @n bytes. Copies. */
void eo_overlay_put(struct eo_overlay *o, const char *file, const char *text,
		    size_t n);
/* What @file is, NULL where the overlay has no word on it. Do not free. */
const struct eo_str *eo_overlay_get(const struct eo_overlay *o,
				    const char *file);
/* The text of @file, from the overlay or the tree, appended to @out. */
struct eo_error *eo_overlay_read(const struct eo_overlay *o,
				 const struct eo_tree *tree, const char *file,
				 struct eo_str *out);

#endif
