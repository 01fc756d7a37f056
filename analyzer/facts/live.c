// SPDX-License-Identifier: GPL-2.0-only
#include "facts/live.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "facts/ast.h"
#include "facts/cfg.h"

#define WORD_BITS (sizeof(unsigned long) * CHAR_BIT)

bool eo_var_is_plain(const struct eo_var *var)
{
	return (var->scope == EO_VAR_LOCAL || var->scope == EO_VAR_PARAM) &&
	       !var->addressed && !var->aggregate && !var->cleanup;
}

const struct eo_node *eo_place_outer(const struct eo_node *place)
{
	if (place->kind == EO_N_MEMBER && !place->arrow)
		return place->kid[0];
	if (place->kind == EO_N_SUBSCRIPT && place->kid[0] &&
	    place->kid[0]->aggregate)
		return place->kid[0];
	return NULL;
}

struct eo_var *eo_place_var(const struct eo_node *place)
{
	for (; place; place = eo_place_outer(place))
		if (place->kind == EO_N_NAME || place->kind == EO_N_VAR)
			return place->var;
	return NULL;
}

static unsigned long *row(const struct eo_live *l, unsigned atom)
{
	return l->bits + atom * l->words;
}

static void set(unsigned long *bits, const struct eo_var *v, bool on)
{
	unsigned long mask = 1UL << (v->index % WORD_BITS);

	if (on)
		bits[v->index / WORD_BITS] |= mask;
	else
		bits[v->index / WORD_BITS] &= ~mask;
}

/* What the atom itself reads and writes, on the set behind it. */
static void transfer(const struct eo_atom *a, unsigned long *bits)
{
	struct eo_var *v = a->node ? eo_place_var(a->node) : NULL;

	if (a->kind == EO_A_STORE && v && eo_var_is_plain(v))
		set(bits, v, false);
	else if ((a->kind == EO_A_LOAD || a->kind == EO_A_STORE) && v)
		set(bits, v, true);
	if (a->kind == EO_A_CLEANUP)
		set(bits, a->var, true);
}

void eo_live_build(const struct eo_func *f, struct eo_live *out)
{
	size_t n = f->cfg->n;
	EO_CLEANUP(eo_freep) unsigned long *now = NULL;
	bool changed = true;

	out->n_vars = f->vars.n;
	out->words = f->vars.n / WORD_BITS + 1;
	out->bits = eo_zalloc(n * out->words * sizeof(*out->bits));
	now = eo_alloc(out->words * sizeof(*now));
	while (changed) {
		changed = false;
		for (unsigned i = (unsigned)n; i-- > 0;) {
			const struct eo_atom *a = &f->cfg->items[i];

			memset(now, 0, out->words * sizeof(*now));
			for (size_t s = 0; s < a->succ.n; s++)
				for (size_t w = 0; w < out->words; w++)
					now[w] |= row(out, a->succ.items[s])[w];
			transfer(a, now);
			if (memcmp(now, row(out, i), out->words * sizeof(*now)))
				changed = true;
			memcpy(row(out, i), now, out->words * sizeof(*now));
		}
	}
}

void eo_live_release(struct eo_live *l)
{
	free(l->bits);
	l->bits = NULL;
}

bool eo_live_in(const struct eo_live *l, unsigned atom,
		const struct eo_var *var)
{
	return !eo_var_is_plain(var) || (row(l, atom)[var->index / WORD_BITS] >>
						 (var->index % WORD_BITS) &
					 1);
}
