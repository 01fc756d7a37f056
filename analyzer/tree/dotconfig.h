/* SPDX-License-Identifier: GPL-2.0-only */
/* A kernel's .config: read, and changed. */
#ifndef EO_TREE_DOTCONFIG_H
#define EO_TREE_DOTCONFIG_H

#include <stdbool.h>

struct eo_error;
struct eo_map;

/*
 * Every symbol (without CONFIG_) that is set, added to @values. Their values
 * in the map are to be asked for by eo_dotconfig_on() only.
 */
struct eo_error *eo_dotconfig_read(const char *path, struct eo_map *values);
/* Set to y, or m: compiled either way. */
bool eo_dotconfig_on(const struct eo_map *values, const char *symbol);
/* Set to y, so that #ifdef CONFIG_X holds. */
bool eo_dotconfig_yes(const struct eo_map *values, const char *symbol);

/*
 * Rewrites the file with the symbols of @on set to y and those of @off (and
 * not of @on) not set. What follows from that is for "make olddefconfig".
 */
struct eo_error *eo_dotconfig_change(const char *path, const struct eo_map *on,
				     const struct eo_map *off);

#endif
