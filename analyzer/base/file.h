/* SPDX-License-Identifier: GPL-2.0-only */
/* Files and folders. Paths are bytes: spaces, quotes, newlines are all fine. */
#ifndef EO_BASE_FILE_H
#define EO_BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"

struct eo_error;

/* The whole of a regular file, appended to @out. */
struct eo_error *eo_file_read(const char *path, struct eo_str *out);
/*
 * Replaces @path by way of a temporary file beside it and rename(2): a reader
 * sees the old or the new, a full disk leaves the old.
 */
struct eo_error *eo_file_write(const char *path, const void *p, size_t n);
/*
 * The same without waiting for the disk: for many files that can be made
 * again, where a power cut may leave some of them empty.
 */
struct eo_error *eo_file_write_again(const char *path, const void *p, size_t n);
struct eo_error *eo_mkdirs(const char *path);
bool eo_is_dir(const char *path);
bool eo_is_file(const char *path);
/* Removes a folder and all in it; symlinks are removed, never followed. */
struct eo_error *eo_remove_tree(const char *path);
/* A new, empty folder below $TMPDIR. The caller frees *path and removes it. */
struct eo_error *eo_temp_dir(char **path);

/* "a/b"; the caller frees. */
char *eo_path_join(const char *a, const char *b);
/* realpath(3); the caller frees *out. */
struct eo_error *eo_path_real(const char *path, char **out);
/* $XDG_CACHE_HOME/earlyout, $XDG_STATE_HOME/earlyout; the caller frees. */
struct eo_error *eo_cache_dir(char **out);
struct eo_error *eo_state_dir(char **out);

#endif
