// SPDX-License-Identifier: GPL-2.0-only
#include "rules/case.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/err.h"
#include "facts/ast.h"
#include "facts/callers.h"
#include "facts/cfg.h"
#include "model/model.h"

void eo_case_begin(struct eo_case *c, const struct eo_rule *rule,
		   const struct eo_site *site)
{
	*c = (struct eo_case){ .site = site };
	c->f = eo_rules_new_finding(rule, site, &c->list);
}

void eo_case_end(struct eo_case *c, bool can_fix, struct eo_findings *found,
		 struct eo_findings *rejected)
{
	eo_rules_judge(c->f, can_fix);
	eo_findings_copy(eo_rules_refuted(c->f) ? rejected : found, c->f);
	eo_findings_release(&c->list);
}

struct eo_arena *eo_case_arena(const struct eo_case *c)
{
	return (struct eo_arena *)&c->list.arena;
}

void eo_case_oblige(struct eo_case *c, const char *name, enum eo_proof state,
		    const char *fmt, ...)
{
	EO_CLEANUP(eo_freep) char *detail = NULL;
	va_list ap;

	va_start(ap, fmt);
	if (vasprintf(&detail, fmt, ap) < 0)
		eo_oom();
	va_end(ap);
	eo_finding_add_obligation(&c->list, c->f, name, state, detail);
}

void eo_case_step(struct eo_case *c, const char *kind, const struct eo_node *at,
		  const char *text)
{
	eo_finding_add_step(&c->list, c->f, kind, at->pos.line, at->pos.column,
			    text);
}

void eo_case_call_step(struct eo_case *c)
{
	const struct eo_site *site = c->site;

	eo_case_step(c, "call", site->f->cfg->items[site->atom].node,
		     eo_arena_printf(eo_case_arena(c), "%s() %s",
				     site->call->name, site->call->cost));
}

void eo_case_exit_steps(struct eo_case *c, const bool *atoms, const char *text)
{
	const struct eo_func *f = c->site->f;
	bool any = false;

	for (unsigned i = 0; i < f->cfg->n; i++) {
		if (!atoms[i] || f->cfg->items[i].kind != EO_A_RETURN)
			continue;
		eo_case_step(c, "return", f->cfg->items[i].node, text);
		any = true;
	}
	if (!any && atoms[EO_CFG_EXIT])
		eo_finding_add_step(&c->list, c->f, "return", f->end_line, 1,
				    text);
}

const char *eo_case_at_line(const struct eo_case *c, const struct eo_reason *r)
{
	return r->line ? eo_arena_printf(eo_case_arena(c), "line %u: %s",
					 r->line, r->text) :
			 r->text;
}

void eo_case_deferrable(struct eo_case *c)
{
	const struct eo_model_call *call = c->site->call;

	if (call->holds)
		eo_case_oblige(
			c, "deferrable", EO_PROOF_FAILED,
			"it returns with a lock held that is released later");
	else if (call->also && call->own_books)
		eo_case_oblige(
			c, "deferrable", EO_PROOF_ASSUMED,
			"%s; %s() also writes %s, which nobody reads but to decide whether to make the call",
			call->lost, call->name, call->also);
	else if (call->also)
		eo_case_oblige(c, "deferrable", EO_PROOF_UNKNOWN,
			       "%s() also writes %s", call->name, call->also);
	else
		eo_case_oblige(c, "deferrable", EO_PROOF_PROVED, "%s",
			       call->lost);
}

void eo_case_likely(struct eo_case *c, unsigned branch, unsigned nth)
{
	if (c->site->f->cfg->items[branch].unlikely >> nth & 1)
		eo_case_oblige(
			c, "likely", EO_PROOF_UNKNOWN,
			"the code says that this way is hardly ever taken");
}

/* Static, called by nobody here, and only put where hot roots are: a function
 * that mentions it does so to put it there. */
static bool only_hot_slots(const struct eo_site *site, const struct eo_use *use)
{
	if (!use || !use->is_static || use->mentions > use->assigned ||
	    !use->slots.n)
		return false;
	for (size_t i = 0; i < use->slots.n; i++)
		if (!eo_map_has(&site->model->hot, use->slots.items[i]))
			return false;
	return true;
}

void eo_case_callers(struct eo_case *c)
{
	const struct eo_func *f = c->site->f;
	const struct eo_use *use = eo_callers_use(c->site->callers, f->name);

	if (only_hot_slots(c->site, use))
		eo_case_oblige(
			c, "callers", EO_PROOF_PROVED,
			"%s() is static and only called through .%s: nobody reads the result behind it",
			f->name, use->slots.items[0]);
	else
		eo_case_oblige(
			c, "callers", EO_PROOF_ASSUMED,
			"%s() has other callers, which might read the result behind it",
			f->name);
}

void eo_case_early_path(struct eo_case *c, const bool *early,
			const struct eo_trace *trace, const char *nothing)
{
	struct eo_arena *a = eo_case_arena(c);
	struct eo_reason why = { 0 };
	const char *result = eo_path_result(c->site, early, a, &why);

	if (early[c->site->atom])
		eo_case_oblige(c, "early-path", EO_PROOF_FAILED,
			       "the call is in a loop that would go on");
	else if (trace->effect.text)
		eo_case_oblige(c, "early-path", EO_PROOF_FAILED, "%s",
			       eo_case_at_line(c, &trace->effect));
	else if (trace->leak.text)
		eo_case_oblige(c, "early-path", EO_PROOF_FAILED, "%s",
			       eo_case_at_line(c, &trace->leak));
	else if (trace->unknown.text)
		eo_case_oblige(c, "early-path", EO_PROOF_UNKNOWN, "%s",
			       eo_case_at_line(c, &trace->unknown));
	else if (!eo_path_stands_alone(c->site, a, &why))
		eo_case_oblige(c, "early-path", EO_PROOF_UNKNOWN, "%s",
			       eo_case_at_line(c, &why));
	else if (!result)
		eo_case_oblige(c, "early-path", EO_PROOF_FAILED, "%s",
			       eo_case_at_line(c, &why));
	else {
		eo_case_oblige(c, "early-path", EO_PROOF_PROVED,
			       "%s, all that is left is to return%s%s", nothing,
			       *result ? " " : "", result);
		c->f->result = result;
	}
}
