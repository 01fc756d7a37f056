// SPDX-License-Identifier: GPL-2.0-only
/* Which fixes are automatic: those that can be made. */
#include "base/err.h"
#include "base/progress.h"
#include "finding/finding.h"
#include "rewrite/make.h"
#include "rewrite/rewrite.h"
#include "tree/overlay.h"

static bool any(const struct eo_finding *f, void *data)
{
	(void)data;
	return f->fix == EO_FIX_AUTO;
}

/* What no patch could be made of is for people. */
static void give_up(struct eo_findings *findings,
		    const struct eo_plan_step *step, const char *why)
{
	for (size_t i = 0; i < step->n; i++) {
		struct eo_finding *f =
			&findings->items[step->items[i] - findings->items];

		f->fix = EO_FIX_MANUAL;
		eo_finding_add_obligation(findings, f, EO_PATCH,
					  EO_PROOF_FAILED, why);
	}
}

/* @err is the finding's fault, and not that of the machine. */
static struct eo_error *judge(struct eo_findings *findings,
			      const struct eo_plan_step *step,
			      struct eo_error *err)
{
	if (err && eo_error_kind(err) == EO_ERR_INTERRUPTED)
		return err;
	if (err && eo_error_kind(err) == EO_ERR_INPUT)
		give_up(findings, step, eo_error_message(err));
	eo_error_free(err);
	return NULL;
}

static bool smpl_looked(const struct eo_gaps *gaps, const char *file)
{
	const struct eo_gap *g;

	eo_vec_for_each(g, gaps)
		if (g->engine == EO_ENGINE_SMPL && eo_streq(g->file, file))
			return false;
	return true;
}

/*
 * What a semantic patch has found, it can mend; what it looked at and did not
 * find may be out of reach. Where spatch failed, nothing is known of either.
 */
static bool has_to_be_tried(const struct eo_finding *f,
			    const struct eo_gaps *smpl)
{
	return eo_make_has_rule(f->rule) ||
	       (smpl && !(f->engines & EO_ENGINE_SMPL) &&
		smpl_looked(smpl, f->file));
}

struct eo_error *eo_rewrite_settle(struct eo_rewriter *r,
				   struct eo_findings *findings,
				   const struct eo_gaps *smpl)
{
	EO_CLEANUP(eo_plan_release) struct eo_plan plan = { 0 };
	EO_CLEANUP(eo_overlay_release) struct eo_overlay as_it_is = { 0 };

	eo_rewrite_plan(findings, any, NULL, NULL, &plan);
	for (size_t i = 0; i < plan.n; i++) {
		struct eo_plan_step *step = &plan.items[i];
		struct eo_change change = { 0 };
		struct eo_error *err;

		if (!has_to_be_tried(step->items[0], smpl))
			continue;
		eo_progress("fixes", i, plan.n, step->items[0]->file);
		err = eo_rewrite_make(r, &as_it_is, step, &change);
		eo_change_release(&change);
		eo_try(judge(findings, step, err));
	}
	return NULL;
}
