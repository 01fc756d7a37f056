/* SPDX-License-Identifier: GPL-2.0-only */
/* A compile_commands.json (clang's JSON compilation database). */
#ifndef EO_TREE_COMPDB_H
#define EO_TREE_COMPDB_H

#include <stdbool.h>

struct eo_error;
struct eo_words;
struct eo_arena;
struct eo_compdb;

/* @root: the tree whose files count. An error: no JSON, or none of them. */
struct eo_error *eo_compdb_open(const char *path, const char *root,
				struct eo_compdb **out);
void eo_compdb_free(struct eo_compdb *db);

/* The folder of the first entry. */
const char *eo_compdb_dir(const struct eo_compdb *db);

/*
 * The command that compiles @file, and the folder it runs in. False: no
 * entry. The words live in @a.
 */
bool eo_compdb_get(const struct eo_compdb *db, const char *file,
		   struct eo_arena *a, struct eo_words *command,
		   const char **dir);
/* The kernel's file that has the most folders in common with @file, or NULL. */
const char *eo_compdb_nearest(const struct eo_compdb *db, const char *file);
/* Whether any of the kernel's files is below @prefix ("arch/x86/"). */
bool eo_compdb_has_folder(const struct eo_compdb *db, const char *prefix);

#endif
