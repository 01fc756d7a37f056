/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A rule: one view of the analysis of partially dead expensive calls. It
 * looks at one call in one function and says what it found, obligation by
 * obligation. A new rule is one file, one row of rule_list.def, one test.
 */
#ifndef EO_RULES_RULE_H
#define EO_RULES_RULE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/map.h"
#include "facts/dom.h"

struct eo_callers;
struct eo_finding;
struct eo_findings;
struct eo_func;
struct eo_model;
struct eo_model_call;
struct eo_summaries;
struct eo_unit;

/* What a rule is given: everything known about one call. */
struct eo_site {
	const struct eo_unit *u;
	const struct eo_model *model;
	const struct eo_func *f;
	const struct eo_dom *dom; /* of f->cfg */
	const struct eo_dom *postdom;
	struct eo_summaries *summaries;
	const struct eo_callers *callers;
	const struct eo_model_call *call;
	unsigned atom; /* the CALL, in f->cfg */
};

/*
 * What the modelled calls that this unit defines are made of: the functions
 * of the main file that they call, and those in turn.
 */
struct eo_machine {
	struct eo_func *func;
	struct eo_dom dom, postdom;
};

struct eo_machinery {
	const struct eo_unit *u;
	const struct eo_model *model;
	struct eo_summaries *summaries;
	const struct eo_callers *callers;
	struct eo_map machines; /* name → struct eo_machine */
};

struct eo_rule {
	const char *name; /* "flush-before-walk", also its .cocci's */
	const char *what; /* what is true of the call, one line */
	const char *fix; /* the safe fix, one line */
	/*
	 * Looks at @site. What it holds to be a finding is appended to
	 * @found; what it looked at and rejected, with the obligation that
	 * failed, to @rejected (for `explain`). Rule, file, function, call
	 * and positions are filled in by eo_rules_new_finding().
	 */
	void (*check)(const struct eo_rule *rule, const struct eo_site *site,
		      struct eo_findings *found, struct eo_findings *rejected);
	/* The same for what is inside of a modelled call. One of the two. */
	void (*check_inside)(const struct eo_rule *rule,
			     const struct eo_machinery *m,
			     struct eo_findings *found,
			     struct eo_findings *rejected);
};

/* All rules, in the order of rule_list.def; *n of them. */
const struct eo_rule *eo_rules_all(size_t *n);
/* NULL when there is no such rule. */
const struct eo_rule *eo_rules_by_name(const char *name);

/*
 * Lets @rule look at @site. Where it has nothing to say, @rejected gets one
 * with the obligation EO_APPLIES, failed, whose detail says why.
 */
#define EO_APPLIES "applies"
void eo_rules_check(const struct eo_rule *rule, const struct eo_site *site,
		    struct eo_findings *found, struct eo_findings *rejected);
/* False for those: the rule is not about such a call. */
bool eo_rules_applies(const struct eo_finding *f);

/*
 * A function that the file knows and that ends in the same call as the site's,
 * but not always: the form of flush-unthresholded-hot. NULL: there is none.
 */
const char *eo_rules_form(const struct eo_site *site);

/* A finding for @site in @list, with what every finding has. */
struct eo_finding *eo_rules_new_finding(const struct eo_rule *rule,
					const struct eo_site *site,
					struct eo_findings *list);
/*
 * Confidence and fix from the obligations, by the rule of design.md: all
 * proved is high, one that rests on the model medium, one unknown low; a fix
 * is automatic when all are proved and @can_fix. The obligation named
 * "early-path" decides on the fix only.
 */
void eo_rules_judge(struct eo_finding *f, bool can_fix);
/* Whether an obligation that a finding cannot do without has failed. */
bool eo_rules_refuted(const struct eo_finding *f);

#endif
