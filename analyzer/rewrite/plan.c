// SPDX-License-Identifier: GPL-2.0-only
/* Which findings one patch mends, and the order of the patches. */
#include <stdlib.h>

#include "base/mem.h"
#include "finding/finding.h"
#include "rewrite/rewrite.h"

void eo_plan_release(struct eo_plan *p)
{
	struct eo_plan_step *step;

	eo_vec_for_each(step, p)
		free(step->items);
	free(p->items);
	*p = (struct eo_plan){ 0 };
}

/* Whether some rule's patch is made that way. */
static bool anybody_makes(const struct eo_findings *findings, const char *name)
{
	const struct eo_finding *f;

	eo_vec_for_each(f, findings) {
		const struct eo_strategy *s =
			eo_rewrite_strategy(f->rule, name);

		if (f->fix == EO_FIX_AUTO && s && s->is_made)
			return true;
	}
	return false;
}

void eo_rewrite_plan(const struct eo_findings *findings,
		     bool (*wanted)(const struct eo_finding *f, void *data),
		     void *data, const char *strategy, struct eo_plan *out)
{
	for (size_t i = 0; i < findings->n; i++) {
		const struct eo_finding *f = &findings->items[i];
		const struct eo_strategy *s;
		struct eo_plan_step *step;

		if (f->fix != EO_FIX_AUTO || !wanted(f, data))
			continue;
		s = strategy ? eo_rewrite_strategy(f->rule, strategy) : NULL;
		if (!s)
			s = eo_rewrite_strategy(f->rule, NULL);
		/* Another finding's patch will do it. */
		if (s && !s->is_made && anybody_makes(findings, s->name))
			continue;
		step = eo_vec_push(out);
		*eo_vec_push(step) = f;
		step->strategy = s;
	}
}
