// SPDX-License-Identifier: GPL-2.0-only
#include "facts/locks.h"

#include "base/err.h"
#include "base/mem.h"
#include "facts/ast.h"
#include "facts/cfg.h"
#include "model/model.h"

#define LIMIT 4 /* counts are kept from -LIMIT to LIMIT */
#define MAX_DEPTH 6 /* bodies within bodies */

/* A set of counts: bit c + LIMIT. */
typedef unsigned counts;

#define COUNT(c) (1u << ((c) + LIMIT))

struct counter {
	const struct eo_unit *u;
	const struct eo_model *model;
};

static counts of_function(const struct counter *k, const char *name,
			  unsigned depth);

static int clamp(int c)
{
	return c > LIMIT ? LIMIT : c < -LIMIT ? -LIMIT : c;
}

/* Every sum of a count of @a and one of @b. */
static counts add(counts a, counts b)
{
	counts sum = 0;

	for (int i = -LIMIT; i <= LIMIT; i++)
		for (int j = -LIMIT; j <= LIMIT; j++)
			if (a & COUNT(i) && b & COUNT(j))
				sum |= COUNT(clamp(i + j));
	return sum;
}

static counts of_atom(const struct counter *k, const struct eo_atom *a,
		      unsigned depth)
{
	if (a->kind == EO_A_CLEANUP)
		return of_function(k, a->var->cleanup, depth);
	if (a->kind == EO_A_CALL && a->node->name)
		return of_function(k, a->node->name, depth);
	return COUNT(0);
}

/* Forward over the graph until nothing is new: the counts at the exit. */
static counts of_graph(const struct counter *k, const struct eo_cfg *cfg,
		       unsigned depth)
{
	EO_CLEANUP(eo_freep) counts *in = eo_zalloc(cfg->n * sizeof(*in));
	EO_CLEANUP(eo_freep) counts *own = eo_zalloc(cfg->n * sizeof(*own));
	bool changed = true;

	in[EO_CFG_ENTRY] = COUNT(0);
	while (changed) {
		changed = false;
		for (unsigned i = 0; i < cfg->n; i++) {
			const struct eo_atom *a = &cfg->items[i];
			counts out;

			if (!in[i])
				continue;
			if (!own[i])
				own[i] = of_atom(k, a, depth);
			out = add(in[i], own[i]);
			for (size_t s = 0; s < a->succ.n; s++) {
				counts *to = &in[a->succ.items[s]];

				changed |= (*to | out) != *to;
				*to |= out;
			}
		}
	}
	return in[EO_CFG_EXIT] ? in[EO_CFG_EXIT] : COUNT(0);
}

static counts of_function(const struct counter *k, const char *name,
			  unsigned depth)
{
	const struct eo_unit_function *uf;
	struct eo_func *f;
	counts c;

	switch (eo_model_trait(k->model, name)) {
	case EO_TRAIT_ACQUIRE:
		return COUNT(1);
	case EO_TRAIT_RELEASE:
		return COUNT(-1);
	case EO_TRAIT_NONE:
		break;
	default:
		return COUNT(0);
	}
	uf = eo_unit_function(k->u, name);
	if (!uf || depth == MAX_DEPTH)
		return COUNT(0);
	f = eo_func_build(k->u, k->model, uf);
	c = of_graph(k, f->cfg, depth + 1);
	eo_func_free(f);
	return c;
}

struct eo_lock_net eo_lock_net_of(const struct eo_unit *u,
				  const struct eo_model *model,
				  const char *name)
{
	struct counter k = { u, model };
	counts c = of_function(&k, name, 0);
	struct eo_lock_net net = { LIMIT, -LIMIT };

	for (int i = -LIMIT; i <= LIMIT; i++) {
		if (!(c & COUNT(i)))
			continue;
		if (i < net.least)
			net.least = i;
		if (i > net.most)
			net.most = i;
	}
	return net;
}
