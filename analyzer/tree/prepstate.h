/* SPDX-License-Identifier: GPL-2.0-only */
/* What is kept about a prepared configuration, so that it is made once. */
#ifndef EO_TREE_PREPSTATE_H
#define EO_TREE_PREPSTATE_H

#include <stdbool.h>

#include "base/map.h"
#include "base/mem.h"

struct eo_error;

struct eo_prepfile {
	const char *makefile; /* stamp of the makefile that builds it */
	const char *const *flags; /* or NULL: Kbuild does not build it */
	const char *why; /* or NULL */
};

struct eo_prepstate {
	const char *identity; /* of the tree as it was then; NULL: none */
	struct eo_map on, off; /* the symbols that were wanted */
	struct eo_map files; /* file → struct eo_prepfile */
	struct eo_arena arena;
};

void eo_prepstate_release(struct eo_prepstate *s);
/* Whatever cannot be read whole counts as not there: identity is NULL then. */
void eo_prepstate_read(const char *path, struct eo_prepstate *s);
/* All or nothing: written last, it says that the rest is complete. */
struct eo_error *eo_prepstate_write(const char *path,
				    const struct eo_prepstate *s);

#endif
