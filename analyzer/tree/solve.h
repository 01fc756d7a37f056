/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What else a configuration needs so that a symbol can be set. No full
 * solver: it follows dependencies, takes the first alternative that this
 * architecture has, and never comes back on a choice. "make olddefconfig"
 * has the last word, and what it takes back is reported.
 */
#ifndef EO_TREE_SOLVE_H
#define EO_TREE_SOLVE_H

#include <stdbool.h>

struct eo_kconfig;
struct eo_map;

struct eo_solve {
	const struct eo_kconfig *kconfig;
	const struct eo_map *config; /* as eo_dotconfig_read() gives it */
	struct eo_map *on, *off; /* what to change: grows */
	/*
	 * A symbol that no user can set follows from its default, or else
	 * from another that selects it: that is tried in a second round.
	 */
	bool select;
};

void eo_solve(struct eo_solve *s, const char *symbol);

/*
 * Why @symbol is off in @config: "CONFIG_X could not be set: depends on Y".
 * The caller frees it.
 */
char *eo_solve_why(const struct eo_kconfig *kconfig,
		   const struct eo_map *config, const char *arch,
		   const char *symbol);

#endif
