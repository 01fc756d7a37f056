// SPDX-License-Identifier: GPL-2.0-only
#include "tree/solve.h"

#include <stddef.h>

#include "base/err.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/str.h"
#include "tree/dotconfig.h"
#include "tree/expr.h"
#include "tree/kconfig.h"

/* 1: true in @config, 0: false, -1: not known. */
static int eval(const struct eo_expr *e, const struct eo_map *config)
{
	int a, b;

	switch (e->kind) {
	case EO_EXPR_TRUE:
		return 1;
	case EO_EXPR_FALSE:
		return 0;
	case EO_EXPR_SYMBOL:
		return eo_dotconfig_on(config, e->symbol);
	case EO_EXPR_NOT:
		a = eval(e->a, config);
		return a < 0 ? a : !a;
	case EO_EXPR_AND:
	case EO_EXPR_OR:
		a = eval(e->a, config);
		b = eval(e->b, config);
		if (a == (e->kind == EO_EXPR_OR) ||
		    b == (e->kind == EO_EXPR_OR))
			return e->kind == EO_EXPR_OR;
		return a < 0 || b < 0 ? -1 : a;
	default:
		return -1;
	}
}

/* Whether the symbols of @e that would have to be set exist. */
static bool possible(const struct eo_solve *s, const struct eo_expr *e,
		     bool truth)
{
	const struct eo_kconfig_symbol *sym;

	switch (e->kind) {
	case EO_EXPR_SYMBOL:
		sym = eo_kconfig_find(s->kconfig, e->symbol);
		return !truth || (sym && sym->boolean);
	case EO_EXPR_NOT:
		return possible(s, e->a, !truth);
	case EO_EXPR_AND:
	case EO_EXPR_OR:
		if (truth == (e->kind == EO_EXPR_AND))
			return possible(s, e->a, truth) &&
			       possible(s, e->b, truth);
		return possible(s, e->a, truth) || possible(s, e->b, truth);
	case EO_EXPR_UNKNOWN:
		return false;
	default:
		return (e->kind == EO_EXPR_TRUE) == truth;
	}
}

static void satisfy(struct eo_solve *s, const struct eo_expr *e, bool truth)
{
	if (eval(e, s->config) == truth)
		return;
	switch (e->kind) {
	case EO_EXPR_SYMBOL:
		if (truth)
			eo_solve(s, e->symbol);
		else
			eo_set_add(s->off, e->symbol);
		break;
	case EO_EXPR_NOT:
		satisfy(s, e->a, !truth);
		break;
	case EO_EXPR_AND:
	case EO_EXPR_OR:
		if (truth == (e->kind == EO_EXPR_AND)) {
			satisfy(s, e->a, truth);
			satisfy(s, e->b, truth);
		} else {
			satisfy(s, possible(s, e->a, truth) ? e->a : e->b,
				truth);
		}
		break;
	default:
		break;
	}
}

/* The selector that is the least trouble to set, or NULL. */
static const char *choose_selector(const struct eo_solve *s,
				   const struct eo_kconfig_symbol *sym)
{
	const char *best = NULL;
	int best_rank = 0;

	for (size_t i = 0; i < sym->selected_by.n; i++) {
		const char *name = sym->selected_by.items[i];
		const struct eo_kconfig_symbol *by =
			eo_kconfig_find(s->kconfig, name);
		int rank;

		if (!by || !by->boolean)
			continue;
		if (eval(by->depends, s->config) == 1)
			rank = 4; /* nothing else is needed */
		else
			rank = possible(s, by->depends, true) ? 2 : 0;
		rank += by->prompt;
		if (rank > best_rank) {
			best_rank = rank;
			best = name;
		}
	}
	return best;
}

void eo_solve(struct eo_solve *s, const char *symbol)
{
	const struct eo_kconfig_symbol *sym =
		eo_kconfig_find(s->kconfig, symbol);
	const char *selector;

	if (!sym || !sym->boolean || eo_dotconfig_yes(s->config, symbol) ||
	    eo_map_has(s->on, symbol))
		return;
	eo_set_add(s->on, symbol);
	satisfy(s, sym->depends, true);
	if (sym->prompt) {
		satisfy(s, sym->visible, true);
		if (eval(sym->visible, s->config) != 0 || !s->select)
			return;
	}
	selector = s->select ? choose_selector(s, sym) : NULL;
	if (selector)
		eo_solve(s, selector);
}

/* The symbols of @e that keep it from being @truth. */
static void blame(const struct eo_expr *e, bool truth,
		  const struct eo_map *config, struct eo_str *to)
{
	if (eval(e, config) == truth)
		return;
	switch (e->kind) {
	case EO_EXPR_SYMBOL:
		eo_str_addf(to, "%s%s%s", to->len ? ", " : "", truth ? "" : "!",
			    e->symbol);
		break;
	case EO_EXPR_NOT:
		blame(e->a, !truth, config, to);
		break;
	case EO_EXPR_AND:
	case EO_EXPR_OR:
		blame(e->a, truth, config, to);
		blame(e->b, truth, config, to);
		break;
	default:
		break;
	}
}

char *eo_solve_why(const struct eo_kconfig *kconfig,
		   const struct eo_map *config, const char *arch,
		   const char *symbol)
{
	const struct eo_kconfig_symbol *sym = eo_kconfig_find(kconfig, symbol);
	EO_CLEANUP(eo_str_release) struct eo_str on = { 0 };

	if (!sym)
		return eo_asprintf(
			"CONFIG_%s could not be set: no Kconfig file for %s has it",
			symbol, arch);
	blame(sym->depends, true, config, &on);
	if (on.len)
		return eo_asprintf("CONFIG_%s could not be set: depends on %s",
				   symbol, eo_str_get(&on));
	if (!sym->prompt)
		return eo_asprintf(
			"CONFIG_%s could not be set: only other symbols set it",
			symbol);
	return eo_asprintf(
		"CONFIG_%s could not be set: `make olddefconfig` took it back",
		symbol);
}
