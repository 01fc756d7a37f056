/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What there is to say of a rule, for people: the text files of
 * analyzer/rules/doc/, whose README.md describes their form.
 */
#ifndef EO_RULES_DOC_H
#define EO_RULES_DOC_H

#include <stddef.h>

#include "base/mem.h"

struct eo_error;
struct eo_rule;

/* An obligation of the rule's proof, and what has to be so. */
struct eo_rule_duty {
	const char *name, *meaning;
};

struct eo_rule_doc {
	const char *why, *before, *after, *confidence, *fix;
	const char *smpl; /* why it has no semantic patch; NULL: it has one */
	struct {
		struct eo_rule_duty *items;
		size_t n, cap;
	} duties;
	struct eo_arena arena;
};

/* Reads @rule's file. @out is zeroed by the caller and released by it. */
struct eo_error *eo_rule_doc_load(const struct eo_rule *rule,
				  struct eo_rule_doc *out);
void eo_rule_doc_release(struct eo_rule_doc *d);

#endif
