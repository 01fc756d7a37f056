/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Dominance: atom a dominates b when every path from the entry to b goes
 * through a; a post-dominates b when every path from b to the exit does.
 * By K. D. Cooper, T. J. Harvey, K. Kennedy: A Simple, Fast Dominance
 * Algorithm (2001).
 */
#ifndef EO_FACTS_DOM_H
#define EO_FACTS_DOM_H

#include <stdbool.h>

struct eo_cfg;

struct eo_dom {
	unsigned *idom; /* immediate dominator; EO_DOM_NONE where there is
			 * none: not reached */
	unsigned root;
};

#define EO_DOM_NONE (~0u)

/* The tree from the entry, or with @post the one from the exit backward. */
void eo_dom_build(const struct eo_cfg *cfg, bool post, struct eo_dom *out);
void eo_dom_release(struct eo_dom *d);
/* Every atom dominates itself; nothing dominates what is not reached. */
bool eo_dominates(const struct eo_dom *d, unsigned a, unsigned b);

#endif
