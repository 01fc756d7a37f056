/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Looks for many names in a text at once, quickly: Wu and Manber's algorithm
 * (1994), with blocks of two bytes. The longer the shortest name, the larger
 * its steps. It does not know comments and strings: a hit is to be looked at.
 */
#ifndef EO_TREE_SEARCH_H
#define EO_TREE_SEARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct eo_search {
	const char *const *names;
	size_t *lens;
	size_t n;
	size_t window; /* length of the shortest name */
	uint32_t *next; /* names with the same last block of the window */
	uint32_t *first; /* by block: index + 1 */
	unsigned char *shift; /* by block: how far to go on */
};

/* @names must stay as long as @s. */
void eo_search_init(struct eo_search *s, const char *const *names, size_t n);
void eo_search_release(struct eo_search *s);

/* Whether one of the names is in the text as a whole identifier. */
bool eo_search_hit(const struct eo_search *s, const char *text, size_t len);
/* The index of an identifier among the names, or -1. */
long eo_search_index(const struct eo_search *s, const char *id, size_t len);

#endif
