// SPDX-License-Identifier: GPL-2.0-only
#include "facts/cfg.h"

#include <stdlib.h>

#include "base/err.h"
#include "facts/ast.h"

void eo_cfg_free(struct eo_cfg *cfg)
{
	if (!cfg)
		return;
	for (size_t i = 0; i < cfg->n; i++) {
		free(cfg->items[i].succ.items);
		free(cfg->items[i].pred.items);
	}
	free(cfg->items);
	free(cfg->loops.items);
	free(cfg);
}

const char *eo_atom_kind_name(enum eo_atom_kind k)
{
	static const char *const names[] = {
#define X(name) #name,
		EO_ATOM_KINDS(X)
#undef X
	};

	return names[k];
}

/* How many successors an atom of this kind must have; -1: any number. */
static int expected_succ(const struct eo_atom *a)
{
	switch (a->kind) {
	case EO_A_EXIT:
		return 0;
	case EO_A_BRANCH:
		return 2;
	case EO_A_SWITCH:
		return -1;
	case EO_A_CALL:
		return !a->node->noreturn;
	default:
		return 1;
	}
}

static bool linked(const struct eo_links *l, unsigned to)
{
	for (size_t i = 0; i < l->n; i++)
		if (l->items[i] == to)
			return true;
	return false;
}

/*
 * An atom that is reached goes somewhere, as often as its kind says; every
 * edge is known at both of its ends; entry has no way in and exit none out.
 * (A loop without end leaves exit unreached: that is fine.) A call that does
 * not come back goes nowhere.
 */
const char *eo_cfg_validate(const struct eo_func *f, struct eo_arena *arena)
{
	const struct eo_cfg *cfg = f->cfg;
	EO_CLEANUP(eo_freep)
	bool *live = eo_cfg_reach(cfg, EO_CFG_ENTRY, true, NULL, NULL);

	if (cfg->n < 2 || cfg->items[0].kind != EO_A_ENTRY ||
	    cfg->items[1].kind != EO_A_EXIT)
		return "entry and exit are not in their places";
	if (cfg->items[EO_CFG_ENTRY].pred.n)
		return "something leads to the entry";
	for (unsigned i = 0; i < cfg->n; i++) {
		const struct eo_atom *a = &cfg->items[i];
		int want = expected_succ(a);

		if (live[i] && want >= 0 && a->succ.n != (size_t)want)
			return eo_arena_printf(
				arena,
				"atom %u (%s) has %zu successors, not %d", i,
				eo_atom_kind_name(a->kind), a->succ.n, want);
		for (size_t j = 0; j < a->succ.n; j++)
			if (a->succ.items[j] >= cfg->n ||
			    !linked(&cfg->items[a->succ.items[j]].pred, i))
				return eo_arena_printf(
					arena,
					"edge %zu of atom %u has one end", j,
					i);
		for (size_t j = 0; j < a->pred.n; j++)
			if (a->pred.items[j] >= cfg->n ||
			    !linked(&cfg->items[a->pred.items[j]].succ, i))
				return eo_arena_printf(
					arena, "atom %u does not know atom %u",
					a->pred.items[j], i);
	}
	return NULL;
}

void eo_cfg_dump(const struct eo_func *f, const struct eo_unit *u, FILE *to)
{
	struct eo_arena arena = { 0 };

	fprintf(to, "function %s %u-%u%s%s\n", f->name, f->line, f->end_line,
		f->unsupported ? " unsupported: " : "",
		f->unsupported ? f->unsupported : "");
	for (unsigned i = 0; i < f->cfg->n; i++) {
		const struct eo_atom *a = &f->cfg->items[i];

		if (i > 1 && !a->pred.n)
			continue; /* dead code */
		fprintf(to, "%4u %-8s", i, eo_atom_kind_name(a->kind));
		for (size_t j = 0; j < a->succ.n; j++)
			fprintf(to, " ->%u", a->succ.items[j]);
		if (a->node)
			fprintf(to, "  %u: %s", a->node->pos.line,
				eo_node_text(u, a->node, &arena));
		if (a->var)
			fprintf(to, "  [%s%s%s]", a->var->name,
				a->kind == EO_A_CLEANUP ? ": " : "",
				a->kind == EO_A_CLEANUP ? a->var->cleanup : "");
		fputc('\n', to);
	}
	for (size_t i = 0; i < f->cfg->loops.n; i++) {
		const struct eo_loop *l = &f->cfg->loops.items[i];

		fprintf(to, "loop %u: head %u body %u out %u%s%s\n",
			l->node->pos.line, l->head, l->body, l->out,
			l->node->walk ? " walk, empty when " : "",
			l->node->walk ? l->node->walk->empty : "");
	}
	eo_arena_release(&arena);
}

bool *eo_cfg_reach(const struct eo_cfg *cfg, unsigned from, bool with_start,
		   eo_edge_skip skip, void *data)
{
	bool *seen = eo_zalloc(cfg->n * sizeof(*seen));
	EO_CLEANUP(eo_freep)
	unsigned *stack = eo_alloc((cfg->n + 1) * sizeof(*stack));
	size_t top = 0;

	stack[top++] = from;
	while (top) {
		unsigned i = stack[--top];
		const struct eo_links *succ = &cfg->items[i].succ;

		for (size_t j = 0; j < succ->n; j++) {
			unsigned to = succ->items[j];

			if (seen[to] || (skip && skip(cfg, i, j, data)))
				continue;
			seen[to] = true;
			if (to != from)
				stack[top++] = to;
		}
	}
	if (with_start)
		seen[from] = true;
	return seen;
}

bool *eo_cfg_reach_back(const struct eo_cfg *cfg, unsigned from)
{
	bool *seen = eo_zalloc(cfg->n * sizeof(*seen));
	EO_CLEANUP(eo_freep)
	unsigned *stack = eo_alloc((cfg->n + 1) * sizeof(*stack));
	size_t top = 0;

	stack[top++] = from;
	while (top) {
		const struct eo_links *pred = &cfg->items[stack[--top]].pred;

		for (size_t j = 0; j < pred->n; j++) {
			if (seen[pred->items[j]])
				continue;
			seen[pred->items[j]] = true;
			stack[top++] = pred->items[j];
		}
	}
	return seen;
}
