/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The assignments of a Kbuild makefile, each with the CONFIG_ symbols that
 * the ifeq/ifdef blocks around it want set. Nothing is expanded but what
 * Kbuild's lists of objects really use: $(addprefix), $(subst m,y,…).
 */
#ifndef EO_TREE_MAKEFILE_H
#define EO_TREE_MAKEFILE_H

#include <stddef.h>

#include "base/mem.h"

struct eo_map;

struct eo_assignment {
	const char *left; /* "obj-$(CONFIG_X)" */
	struct {
		const char **items; /* words of the right side */
		size_t n, cap;
	} right;
	const struct eo_expr *when;
};

struct eo_makefile {
	struct eo_assignment *items;
	size_t n, cap;
	struct eo_arena arena;
};

/* Appends what @text says. @arch is the value of $(SRCARCH). */
void eo_makefile_parse(struct eo_makefile *m, const char *text,
		       const char *arch);
void eo_makefile_release(struct eo_makefile *m);

#endif
