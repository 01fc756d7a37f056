// SPDX-License-Identifier: GPL-2.0-only
#include "facts/dom.h"

#include <stdlib.h>

#include "base/err.h"
#include "base/mem.h"
#include "facts/cfg.h"

struct work {
	const struct eo_cfg *cfg;
	bool post;
	unsigned *order; /* atoms in reverse postorder */
	unsigned *number; /* an atom's place in it, EO_DOM_NONE: none */
	unsigned n;
};

static const struct eo_links *out_of(const struct work *w, unsigned atom)
{
	return w->post ? &w->cfg->items[atom].pred : &w->cfg->items[atom].succ;
}

static const struct eo_links *into(const struct work *w, unsigned atom)
{
	return w->post ? &w->cfg->items[atom].succ : &w->cfg->items[atom].pred;
}

/* Depth first without recursion: a graph may be thousands of atoms deep. */
static void number_atoms(struct work *w, unsigned root)
{
	size_t n = w->cfg->n;
	EO_CLEANUP(eo_freep) unsigned *stack = eo_alloc(n * sizeof(*stack));
	EO_CLEANUP(eo_freep) size_t *next = eo_zalloc(n * sizeof(*next));
	EO_CLEANUP(eo_freep) bool *seen = eo_zalloc(n * sizeof(*seen));
	unsigned at = (unsigned)n;
	size_t top = 0;

	stack[top++] = root;
	seen[root] = true;
	while (top) {
		unsigned atom = stack[top - 1];
		const struct eo_links *out = out_of(w, atom);

		if (next[atom] == out->n) {
			w->order[--at] = atom;
			top--;
			continue;
		}
		atom = out->items[next[atom]++];
		if (!seen[atom]) {
			seen[atom] = true;
			stack[top++] = atom;
		}
	}
	w->n = (unsigned)n - at;
	for (unsigned i = 0; i < w->n; i++) {
		w->order[i] = w->order[at + i];
		w->number[w->order[i]] = i;
	}
}

static unsigned intersect(const struct work *w, const unsigned *idom,
			  unsigned a, unsigned b)
{
	while (a != b) {
		while (w->number[a] > w->number[b])
			a = idom[a];
		while (w->number[b] > w->number[a])
			b = idom[b];
	}
	return a;
}

static bool improve(const struct work *w, unsigned *idom, unsigned atom)
{
	const struct eo_links *in = into(w, atom);
	unsigned best = EO_DOM_NONE;

	for (size_t i = 0; i < in->n; i++) {
		unsigned from = in->items[i];

		if (idom[from] == EO_DOM_NONE)
			continue;
		best = best == EO_DOM_NONE ? from :
					     intersect(w, idom, from, best);
	}
	if (best == idom[atom])
		return false;
	idom[atom] = best;
	return true;
}

void eo_dom_build(const struct eo_cfg *cfg, bool post, struct eo_dom *out)
{
	struct work w = { .cfg = cfg, .post = post };
	bool changed = true;

	w.order = eo_alloc(cfg->n * sizeof(*w.order));
	w.number = eo_alloc(cfg->n * sizeof(*w.number));
	out->idom = eo_alloc(cfg->n * sizeof(*out->idom));
	out->root = post ? EO_CFG_EXIT : EO_CFG_ENTRY;
	for (size_t i = 0; i < cfg->n; i++)
		out->idom[i] = w.number[i] = EO_DOM_NONE;
	number_atoms(&w, out->root);
	out->idom[out->root] = out->root;
	while (changed) {
		changed = false;
		for (unsigned i = 1; i < w.n; i++)
			changed |= improve(&w, out->idom, w.order[i]);
	}
	free(w.order);
	free(w.number);
}

void eo_dom_release(struct eo_dom *d)
{
	free(d->idom);
	d->idom = NULL;
}

bool eo_dominates(const struct eo_dom *d, unsigned a, unsigned b)
{
	if (d->idom[b] == EO_DOM_NONE)
		return false;
	while (b != a && b != d->root)
		b = d->idom[b];
	return b == a;
}
