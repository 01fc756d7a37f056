/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * From the command line that compiles a file, whichever compiler it is for,
 * what libclang needs to see the same program: macros, include paths, the
 * dialect, the target. Everything that only says what code to make, what to
 * warn of and what to write is dropped, so that no flag that clang does not
 * know is left.
 */
#ifndef EO_TREE_FLAGS_H
#define EO_TREE_FLAGS_H

#include <stdbool.h>
#include <stddef.h>

struct eo_arena;
struct eo_words;

/* Whether the command compiles one C file. */
bool eo_flags_is_compile(const struct eo_words *command);
/* What it writes (the argument of -o), or NULL. */
const char *eo_flags_output(const struct eo_words *command);

/*
 * The flags of a compiler's command, NULL-terminated, in @a, where the words
 * of @command live, too. Relative paths get @base before them if not NULL.
 */
const char *const *eo_flags_for_clang(struct eo_arena *a,
				      const struct eo_words *command,
				      const char *base);

/* Another file's flags as they would be for @file: its name in KBUILD_*. */
const char *const *eo_flags_rename(struct eo_arena *a, const char *const *flags,
				   const char *file);

#endif
