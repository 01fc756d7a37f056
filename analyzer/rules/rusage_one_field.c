// SPDX-License-Identifier: GPL-2.0-only
/*
 * rusage-one-field: a sample that fills a whole struct, a sum over the thread
 * group, of which one field is used.
 */
#include "base/err.h"
#include "base/map.h"
#include "facts/ast.h"
#include "facts/cfg.h"
#include "model/model.h"
#include "rules/case.h"
#include "rules/sample.h"

void eo_rule_rusage_one_field(const struct eo_rule *rule,
			      const struct eo_site *site,
			      struct eo_findings *found,
			      struct eo_findings *rejected);

static void oblige_fields(struct eo_case *c, const struct eo_var *var,
			  const struct eo_map *fields, bool in_sight)
{
	if (!in_sight)
		eo_case_oblige(
			c, "one-field", EO_PROOF_FAILED,
			"%s gets out of sight: any of its fields may be used",
			var->name);
	else if (fields->n != 1)
		eo_case_oblige(c, "one-field", EO_PROOF_FAILED,
			       "%zu fields of %s are used", fields->n,
			       var->name);
	else
		eo_case_oblige(c, "one-field", EO_PROOF_PROVED,
			       "%s is the only field of %s that is used",
			       fields->items[0].key, var->name);
}

void eo_rule_rusage_one_field(const struct eo_rule *rule,
			      const struct eo_site *site,
			      struct eo_findings *found,
			      struct eo_findings *rejected)
{
	EO_CLEANUP(eo_map_release) struct eo_map fields = { 0 };
	const struct eo_node *call = site->f->cfg->items[site->atom].node;
	struct eo_outs outs;
	struct eo_case c;
	bool in_sight;

	eo_sample_outs(site, &outs);
	if (!site->call->record || !outs.local || outs.n != 1)
		return;
	in_sight = eo_sample_fields(site, outs.vars[0], &fields);
	eo_case_begin(&c, rule, site);
	oblige_fields(&c, outs.vars[0], &fields, in_sight);
	eo_case_step(&c, "call", call,
		     eo_arena_printf(eo_case_arena(&c), "%s() %s",
				     site->call->name, site->call->cost));
	c.f->message = eo_arena_printf(
		eo_case_arena(&c),
		"%s() fills all of %s, of which only %s is used%s%s", c.f->call,
		outs.vars[0]->name, fields.n ? fields.items[0].key : "nothing",
		site->call->cheaper ? ": ask " : "",
		site->call->cheaper ? site->call->cheaper : "");
	eo_case_end(&c, false, found, rejected);
}
