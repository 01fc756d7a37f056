/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The .cmd files of a build directory: beside each object Kbuild keeps the
 * command that made it.
 */
#ifndef EO_TREE_CMDFILE_H
#define EO_TREE_CMDFILE_H

#include <stdbool.h>

struct eo_arena;
struct eo_words;

/*
 * The command that compiled @file (relative to the source tree: "mm/a.c") in
 * the build directory @dir. False: it was not compiled there.
 */
bool eo_cmdfile_get(const char *dir, const char *file, struct eo_arena *a,
		    struct eo_words *command);

/*
 * The command of some other C file near @file: of its folder, else of one
 * above, else of those that every prepared build has. *of is that file's
 * object, in @a.
 */
bool eo_cmdfile_nearest(const char *dir, const char *file, struct eo_arena *a,
			struct eo_words *command, const char **of);

#endif
