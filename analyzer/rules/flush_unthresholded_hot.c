// SPDX-License-Identifier: GPL-2.0-only
/*
 * flush-unthresholded-hot: on a hot path, the call itself, where the file has
 * a form of it that does nothing while there is little to do. For a reader to
 * judge: whether slightly old counts will do is not in the code.
 */
#include "base/str.h"
#include "facts/ast.h"
#include "facts/callers.h"
#include "facts/cfg.h"
#include "model/model.h"
#include "rules/case.h"

void eo_rule_flush_unthresholded_hot(const struct eo_rule *rule,
				     const struct eo_site *site,
				     struct eo_findings *found,
				     struct eo_findings *rejected);

static bool is_form(const struct eo_site *site, const struct eo_model_call *w,
		    const char *end)
{
	return w->ends_in && !w->always && eo_streq(w->ends_in, end) &&
	       eo_callers_use(site->callers, w->name);
}

const char *eo_rules_form(const struct eo_site *site)
{
	const struct eo_map *maps[] = { &site->model->local,
					&site->model->calls };
	const char *end = site->call->ends_in ? site->call->ends_in :
						site->call->name;

	for (size_t i = 0; i < 2; i++) {
		struct eo_map_entry *e;

		eo_map_for_each(e, maps[i])
			if (is_form(site, e->value, end))
				return e->key;
	}
	return NULL;
}

void eo_rule_flush_unthresholded_hot(const struct eo_rule *rule,
				     const struct eo_site *site,
				     struct eo_findings *found,
				     struct eo_findings *rejected)
{
	const char *form = eo_rules_form(site);
	struct eo_case c;

	if (site->call->kind != EO_CALL_DEFERRABLE || site->call->holds ||
	    !site->call->always || !form)
		return;
	eo_case_begin(&c, rule, site);
	if (!c.f->hot.n) {
		eo_findings_release(&c.list);
		return;
	}
	eo_case_oblige(
		&c, "old-counts", EO_PROOF_UNKNOWN,
		"whether slightly old counts will do here is not in the code");
	eo_case_step(&c, "call", site->f->cfg->items[site->atom].node,
		     eo_arena_printf(eo_case_arena(&c), "%s() %s",
				     site->call->name, site->call->cost));
	c.f->message = eo_arena_printf(
		eo_case_arena(&c),
		"%s() runs on a hot path (.%s) whatever there is to do: would %s() do?",
		c.f->call, c.f->hot.items[0], form);
	eo_case_end(&c, false, found, rejected);
}
