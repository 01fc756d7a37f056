// SPDX-License-Identifier: GPL-2.0-only
/*
 * rusage-one-field: a sample that fills a whole struct, a sum over the thread
 * group, of which one field is used.
 */
#include "base/err.h"
#include "base/map.h"
#include "base/str.h"
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
			  const struct eo_map *fields, enum eo_answer in_sight,
			  unsigned near)
{
	if (in_sight == EO_NO)
		eo_case_oblige(
			c, "one-field", EO_PROOF_FAILED,
			"%s gets out of sight: any of its fields may be used",
			var->name);
	else if (fields->n != 1)
		eo_case_oblige(c, "one-field", EO_PROOF_FAILED,
			       "%zu fields of %s are used", fields->n,
			       var->name);
	else if (in_sight == EO_PERHAPS)
		eo_case_oblige(
			c, "one-field", EO_PROOF_UNKNOWN,
			"the address of %s is handed on at line %u, from where the other fields of %s can be reached",
			fields->items[0].key, near, var->name);
	else
		eo_case_oblige(c, "one-field", EO_PROOF_PROVED,
			       "%s is the only field of %s that is used",
			       fields->items[0].key, var->name);
}

/* Where the result is used: loads of it, and calls that it is handed to. */
static void add_steps(struct eo_case *c, const struct eo_outs *outs)
{
	const struct eo_cfg *cfg = c->site->f->cfg;
	EO_CLEANUP(eo_freep) bool *use = eo_sample_use_set(c->site, outs);
	EO_CLEANUP(eo_freep)
	bool *behind = eo_cfg_reach(cfg, c->site->atom, false, NULL, NULL);
	unsigned line = 0;

	eo_case_call_step(c);
	for (unsigned i = 0; i < cfg->n; i++) {
		const struct eo_node *n = cfg->items[i].node;

		if (!use[i] || !behind[i] || !n || n->pos.line == line)
			continue;
		eo_case_step(c, "use", n, "this is used of it");
		line = n->pos.line;
	}
}

static void describe(struct eo_case *c, const struct eo_outs *outs,
		     const char *field)
{
	const struct eo_model_call *call = c->site->call;

	add_steps(c, outs);
	c->f->message = eo_arena_printf(
		eo_case_arena(c),
		"%s() fills all of %s, of which %s%s is used%s%s", c->f->call,
		outs->vars[0]->name, field ? "only " : "",
		field ? field : "nothing", call->cheaper ? ": ask " : "",
		call->cheaper ? call->cheaper : "");
}

/* How the model says to ask for the one field that is used, or NULL. */
static const struct eo_model_field *source_of(const struct eo_site *site,
					      const struct eo_map *fields)
{
	const struct eo_model_field *f = site->call->fields;

	while (fields->n == 1 && f && !eo_streq(f->name, fields->items[0].key))
		f = f->next;
	return fields->n == 1 ? f : NULL;
}

/*
 * The sum over the thread group becomes the time of the task alone. That is
 * what is meant where a task asks about itself.
 */
static void oblige_own(struct eo_case *c, const struct eo_node *call)
{
	const struct eo_site *site = c->site;
	const char *who = site->call->subject < call->n_kids ?
				  eo_node_text(site->u,
					       call->kid[site->call->subject],
					       eo_case_arena(c)) :
				  "";

	if (eo_streq(who, site->model->self))
		eo_case_oblige(
			c, "own-time", EO_PROOF_PROVED,
			"the task asks about its own work: what other threads of its group did is not part of that");
	else
		eo_case_oblige(
			c, "own-time", EO_PROOF_ASSUMED,
			"what is wanted of %s is its own time, not the sum over its thread group",
			who);
}

void eo_rule_rusage_one_field(const struct eo_rule *rule,
			      const struct eo_site *site,
			      struct eo_findings *found,
			      struct eo_findings *rejected)
{
	EO_CLEANUP(eo_map_release) struct eo_map fields = { 0 };
	const struct eo_model_field *source;
	struct eo_outs outs;
	struct eo_case c;
	enum eo_answer in_sight;
	unsigned near;

	eo_sample_outs(site, &outs);
	if (!site->call->record || !outs.local || outs.n != 1)
		return;
	in_sight = eo_sample_fields(site, outs.vars[0], &fields, &near);
	eo_case_begin(&c, rule, site);
	oblige_fields(&c, outs.vars[0], &fields, in_sight, near);
	source = source_of(site, &fields);
	if (source)
		oblige_own(&c, site->f->cfg->items[site->atom].node);
	describe(&c, &outs, fields.n ? fields.items[0].key : NULL);
	eo_case_end(&c, source != NULL, found, rejected);
}
