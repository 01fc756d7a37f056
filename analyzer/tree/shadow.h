/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A shadow of a source tree: a folder of symbolic links that stands in for it
 * where Kbuild would refuse the tree itself: its path has a space or a colon
 * in it, or somebody has configured it in place.
 */
#ifndef EO_TREE_SHADOW_H
#define EO_TREE_SHADOW_H

#include <stdbool.h>

struct eo_error;

/* Whether Kbuild would refuse to build @root into another folder. */
bool eo_shadow_needed(const char *root, const char *arch);
/* Makes @dir (removed first) the shadow of @root, without what was built. */
struct eo_error *eo_shadow_make(const char *root, const char *arch,
				const char *dir);

#endif
