/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where work starts: the branches of some code in which something happens
 * that others can see, reached only when there is something to do.
 */
#ifndef EO_REWRITE_WORKS_H
#define EO_REWRITE_WORKS_H

#include <stdbool.h>
#include <stddef.h>

struct eo_node;
struct eo_site;

/* One place where work starts. */
struct eo_start {
	const struct eo_node *parent; /* a branch begins at parent->kid[index]; */
	size_t index; /* … or COMPOUND: before that statement */
	const char *function; /* that has it; NULL: the one at hand */
};

struct eo_starts {
	struct eo_start *items;
	size_t n, cap;
	/* Calls of functions of this file that have such places. */
	struct {
		const struct eo_node **items;
		size_t n, cap;
	} calls;
	/* Work that runs whether or not there is something to do. */
	struct {
		const struct eo_node **items;
		size_t n, cap;
	} always;
	/* The callees' trees, which the places point into. */
	struct {
		struct eo_func **items;
		size_t n, cap;
	} funcs;
};

void eo_starts_release(struct eo_starts *s);
/* Adds those of the statement @n, of the function that @site is in. */
void eo_starts_find(const struct eo_site *site, const struct eo_node *n,
		    struct eo_starts *out);

#endif
