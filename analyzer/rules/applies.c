// SPDX-License-Identifier: GPL-2.0-only
/* Why a rule has nothing to say of a call, for who asks about that call. */
#include <string.h>

#include "model/model.h"
#include "rules/case.h"

/* What a rule looks for, and what it says when that is not there. */
static const struct shape {
	const char *rule;
	bool samples; /* else deferrable calls */
	const char *absent;
} shapes[] = {
	{ "flush-before-walk", false,
	  "no walk of the model's iterators comes behind the call" },
	{ "flush-before-check", false,
	  "no test that every path behind the call comes to has a side that leaves without its product and another that uses it" },
	{ "flush-repeated", false,
	  "no path comes here from the same call with the same arguments, or not every one does" },
	{ "flush-in-loop", false,
	  "it is in no loop over the descendants of a root, or not called for each of them" },
	{ "flush-unthresholded-hot", false,
	  "the function is not known to be hot, or no form of the call that waits for enough to do is known here" },
	{ "rusage-hot-loop", true,
	  "it is in no loop without end, or its results are not variables of the function alone" },
	{ "rusage-one-field", true,
	  "it fills no single struct that is a variable of the function alone" },
	{ "rusage-unused-path", true,
	  "no condition behind the call decides whether its results are used, or they are not variables of the function alone" },
};

static const char *absence(const struct eo_rule *rule,
			   const struct eo_site *site)
{
	bool sample = site->call->kind == EO_CALL_SAMPLE;

	for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++) {
		if (strcmp(shapes[i].rule, rule->name))
			continue;
		if (shapes[i].samples == sample)
			return shapes[i].absent;
		return sample ?
			       "it is a sample, and the rule is about flushes" :
			       "it is a flush, and the rule is about samples";
	}
	return "it is not in the shape of the rule";
}

void eo_rules_check(const struct eo_rule *rule, const struct eo_site *site,
		    struct eo_findings *found, struct eo_findings *rejected)
{
	size_t before = found->n + rejected->n;
	struct eo_case c;

	if (!rule->check)
		return;
	rule->check(rule, site, found, rejected);
	if (found->n + rejected->n > before)
		return;
	eo_case_begin(&c, rule, site);
	eo_case_oblige(&c, EO_APPLIES, EO_PROOF_FAILED, "%s",
		       absence(rule, site));
	eo_case_call_step(&c);
	eo_case_end(&c, false, found, rejected);
}

bool eo_rules_applies(const struct eo_finding *f)
{
	const struct eo_obligation *o;

	eo_vec_for_each(o, &f->obligations) {
		if (strcmp(o->name, EO_APPLIES) == 0)
			return false;
	}
	return true;
}
