/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Liveness: a local variable is live at an atom when some path from there
 * reads it before it is written. A variable whose address is taken, an
 * aggregate, and one with a cleanup count as read wherever they may be.
 */
#ifndef EO_FACTS_LIVE_H
#define EO_FACTS_LIVE_H

#include <stdbool.h>
#include <stddef.h>

struct eo_func;
struct eo_node;
struct eo_var;

struct eo_live {
	size_t n_vars;
	unsigned long *bits; /* a row of words an atom */
	size_t words;
};

void eo_live_build(const struct eo_func *f, struct eo_live *out);
void eo_live_release(struct eo_live *l);
/* Whether @var is live on the way into @atom. */
bool eo_live_in(const struct eo_live *l, unsigned atom,
		const struct eo_var *var);

/* Whether the compiler's word is enough that only named stores change it. */
bool eo_var_is_plain(const struct eo_var *var);
/* The place that @place is a part of: x for x.a and x[i]; NULL when it is not
 * part of another, or the other is behind a pointer. */
const struct eo_node *eo_place_outer(const struct eo_node *place);
/* The variable that a place is (part of); NULL behind a pointer. */
struct eo_var *eo_place_var(const struct eo_node *place);

#endif
