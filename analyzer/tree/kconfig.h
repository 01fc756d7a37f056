/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The symbols of a tree's Kconfig files, as far as one needs them to switch
 * something on: what a symbol depends on, whether a user can set it at all,
 * and who selects it.
 */
#ifndef EO_TREE_KCONFIG_H
#define EO_TREE_KCONFIG_H

#include <stdbool.h>
#include <stddef.h>

struct eo_error;
struct eo_expr;
struct eo_kconfig;

struct eo_kconfig_symbol {
	const char *name; /* without CONFIG_ */
	bool boolean; /* bool or tristate: it can be "y" */
	bool prompt; /* a user can set it */
	const struct eo_expr *visible; /* when the prompt is there */
	const struct eo_expr *depends; /* with what is around it; never NULL */
	struct {
		const char **items; /* names of symbols that select it */
		size_t n, cap;
	} selected_by;
};

/* Reads the Kconfig file of @root and all that it sources for @arch. */
struct eo_error *eo_kconfig_open(const char *root, const char *arch,
				 struct eo_kconfig **out);
void eo_kconfig_free(struct eo_kconfig *k);
/* NULL: this architecture's Kconfig has no such symbol. */
const struct eo_kconfig_symbol *eo_kconfig_find(const struct eo_kconfig *k,
						const char *name);

#endif
