// SPDX-License-Identifier: GPL-2.0-only
#include "rules/locks.h"

#include <limits.h>
#include <stdlib.h>

#include "base/err.h"
#include "base/mem.h"
#include "facts/ast.h"
#include "facts/cfg.h"
#include "facts/dom.h"
#include "facts/summary.h"
#include "rules/path.h"
#include "rules/rule.h"

#define NOT_YET INT_MIN

static const struct eo_atom *atom(const struct eo_site *site, unsigned i)
{
	return &site->f->cfg->items[i];
}

static void leaks(struct eo_reason *leak, const struct eo_node *n,
		  const char *text)
{
	if (leak->text)
		return;
	leak->text = text;
	leak->line = n ? n->pos.line : 0;
}

bool eo_locks_cleaned_anyway(const struct eo_site *site,
			     const struct eo_atom *at)
{
	for (unsigned i = 0; i < site->f->cfg->n; i++)
		if (atom(site, i)->kind == EO_A_STORE &&
		    atom(site, i)->var == at->var)
			return eo_dominates(site->dom, i, site->atom);
	return false;
}

/* Whether the variable of a CLEANUP has nothing to clean up: it stays 0. */
static bool stays_empty(const struct eo_site *site, const struct eo_var *var)
{
	bool set = false;

	for (unsigned i = 0; i < site->f->cfg->n; i++) {
		const struct eo_atom *at = atom(site, i);
		long long value;

		if (at->kind != EO_A_STORE || at->node->var != var)
			continue;
		if (!eo_node_constant(at->value, &value))
			return false;
		set = true;
	}
	return set && !var->addressed;
}

/* What an atom does to the number of locks that are held. */
static int effect(const struct eo_site *site, const struct eo_atom *at)
{
	const struct eo_summary *sum = NULL;

	if (at->kind == EO_A_CLEANUP && !eo_locks_cleaned_anyway(site, at) &&
	    !stays_empty(site, at->var))
		sum = eo_summary_of(site->summaries, at->var->cleanup);
	else if (at->kind == EO_A_CALL && at->node->name)
		sum = eo_summary_of(site->summaries, at->node->name);
	return sum ? (int)sum->acquires - (int)sum->releases : 0;
}

static const char *release_name(const struct eo_atom *at)
{
	return at->node ? at->node->name : at->var->cleanup;
}

/* What a locking function works on, as far as its name for it tells. */
static const struct eo_node *lock_of(const struct eo_atom *at)
{
	const struct eo_node *n = at->node;

	while (n && n->kind == EO_N_CALL) /* f(check(&x->lock)) */
		n = n->n_kids > 1 ? n->kid[1] : NULL;
	return n && (n->kind == EO_N_ADDR || n->kind == EO_N_NAME ||
		     n->kind == EO_N_MEMBER) ?
		       n :
		       NULL;
}

/*
 * Another lock than those that are taken behind the call: a release may only
 * look like the end of one of them.
 */
static bool is_stranger(const struct eo_site *site, const bool *set,
			const struct eo_atom *release)
{
	const struct eo_node *lock = lock_of(release);
	bool others = false;

	for (unsigned i = 0; lock && i < site->f->cfg->n; i++) {
		const struct eo_atom *at = atom(site, i);

		if (!set[i] || at->kind != EO_A_CALL || effect(site, at) <= 0 ||
		    !lock_of(at))
			continue;
		if (eo_node_equal(lock_of(at), lock))
			return false;
		others = true;
	}
	return others;
}

/* The number of locks held in front of each atom, more than at the call. */
struct held {
	const struct eo_site *site;
	const bool *set;
	int *before;
	unsigned *todo;
	size_t n_todo;
	struct eo_reason *leak;
};

static void arrive(struct held *h, unsigned at, int count)
{
	if (!h->set[at] || at == h->site->atom)
		return;
	if (h->before[at] == NOT_YET) {
		h->before[at] = count;
		h->todo[h->n_todo++] = at;
	} else if (h->before[at] != count) {
		leaks(h->leak, atom(h->site, at)->node,
		      "what is locked differs from path to path");
	}
}

static void leave(struct held *h, unsigned at, struct eo_arena *a)
{
	const struct eo_atom *here = atom(h->site, at);
	int change = effect(h->site, here);
	int count = h->before[at] + change;

	if (change < 0 &&
	    (count < 0 || (here->node && is_stranger(h->site, h->set, here))))
		leaks(h->leak, here->node,
		      eo_arena_printf(
			      a, "%s() gives back what is held at the call",
			      release_name(here)));
	if (at == EO_CFG_EXIT && count > 0)
		leaks(h->leak, NULL,
		      "a lock that is taken behind the call is kept");
	for (size_t i = 0; i < here->succ.n; i++)
		arrive(h, here->succ.items[i], count);
}

void eo_locks_trace(const struct eo_site *site, const bool *set,
		    struct eo_arena *a, struct eo_reason *leak)
{
	size_t n = site->f->cfg->n;
	EO_CLEANUP(eo_freep) int *before = eo_alloc(n * sizeof(*before));
	EO_CLEANUP(eo_freep) unsigned *todo = eo_alloc(n * sizeof(*todo));
	struct held h = { site, set, before, todo, 0, leak };
	const struct eo_links *out = &atom(site, site->atom)->succ;

	for (size_t i = 0; i < n; i++)
		before[i] = NOT_YET;
	for (size_t i = 0; i < out->n; i++)
		arrive(&h, out->items[i], 0);
	while (h.n_todo)
		leave(&h, todo[--h.n_todo], a);
}
