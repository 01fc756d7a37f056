// SPDX-License-Identifier: GPL-2.0-only
#include "rules/rule.h"

#include <string.h>

#include "base/str.h"
#include "facts/ast.h"
#include "facts/callers.h"
#include "facts/cfg.h"
#include "finding/finding.h"
#include "model/model.h"

#define EO_RULE(id, name, what, fix)                  \
	void eo_rule_##id(const struct eo_rule *rule, \
			  const struct eo_site *site, \
			  struct eo_findings *found,  \
			  struct eo_findings *rejected);
#define EO_INSIDE_RULE(id, name, what, fix)             \
	void eo_rule_##id(const struct eo_rule *rule,   \
			  const struct eo_machinery *m, \
			  struct eo_findings *found,    \
			  struct eo_findings *rejected);
#include "rules/rule_list.def"
#undef EO_RULE
#undef EO_INSIDE_RULE

static const struct eo_rule rules[] = {
#define EO_RULE(id, name, what, fix) { name, what, fix, eo_rule_##id, NULL },
#define EO_INSIDE_RULE(id, name, what, fix) \
	{ name, what, fix, NULL, eo_rule_##id },
#include "rules/rule_list.def"
#undef EO_RULE
#undef EO_INSIDE_RULE
};

const struct eo_rule *eo_rules_all(size_t *n)
{
	*n = sizeof(rules) / sizeof(rules[0]);
	return rules;
}

const struct eo_rule *eo_rules_by_name(const char *name)
{
	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++)
		if (strcmp(rules[i].name, name) == 0)
			return &rules[i];
	return NULL;
}

/* Text of the function's lines, whole, for the report. */
static const char *source_of(const struct eo_site *site, struct eo_arena *a)
{
	const char *p = eo_str_get(&site->u->text), *start, *nl;
	unsigned line = 1;

	for (; line < site->f->line && (nl = strchr(p, '\n')); line++)
		p = nl + 1;
	start = p;
	for (; line <= site->f->end_line && (nl = strchr(p, '\n')); line++)
		p = nl + 1;
	if (line <= site->f->end_line)
		p += strlen(p);
	return eo_arena_strndup(a, start, (size_t)(p - start));
}

/* Evidence that the function is hot: an operations struct that has it. */
static void add_hot(const struct eo_site *site, struct eo_findings *list,
		    struct eo_finding *f)
{
	const struct eo_use *use = eo_callers_use(site->callers, site->f->name);

	for (size_t i = 0; use && i < use->slots.n; i++)
		if (eo_map_has(&site->model->hot, use->slots.items[i]))
			eo_finding_add_hot(list, f, use->slots.items[i]);
}

struct eo_finding *eo_rules_new_finding(const struct eo_rule *rule,
					const struct eo_site *site,
					struct eo_findings *list)
{
	const struct eo_node *call = site->f->cfg->items[site->atom].node;
	struct eo_finding *f = eo_findings_add(list);
	struct eo_arena *a = &list->arena;

	f->rule = rule->name;
	f->file = eo_arena_strdup(a, site->u->file);
	f->line = call->pos.line;
	f->column = call->pos.column;
	f->function = eo_arena_strdup(a, site->f->name);
	f->function_line = site->f->line;
	f->function_end = site->f->end_line;
	f->call = eo_arena_strdup(a, site->call->name);
	f->call_text = eo_node_text(site->u, call, a);
	if (site->call->ends_in)
		f->ends_in = eo_arena_strdup(a, site->call->ends_in);
	f->engines = EO_ENGINE_CLANG;
	f->source = source_of(site, a);
	add_hot(site, list, f);
	return f;
}

static bool decides_on_fix_only(const struct eo_obligation *o)
{
	return strcmp(o->name, "early-path") == 0;
}

bool eo_rules_refuted(const struct eo_finding *f)
{
	const struct eo_obligation *o;

	eo_vec_for_each(o, &f->obligations)
		if (o->state == EO_PROOF_FAILED && !decides_on_fix_only(o))
			return true;
	return false;
}

void eo_rules_judge(struct eo_finding *f, bool can_fix)
{
	const struct eo_obligation *o;
	bool all = true;

	f->confidence = EO_HIGH;
	eo_vec_for_each(o, &f->obligations) {
		all &= o->state == EO_PROOF_PROVED;
		if (decides_on_fix_only(o))
			continue;
		if (o->state == EO_PROOF_ASSUMED && f->confidence > EO_MEDIUM)
			f->confidence = EO_MEDIUM;
		if (o->state >= EO_PROOF_UNKNOWN)
			f->confidence = EO_LOW;
	}
	f->fix = all && can_fix ? EO_FIX_AUTO : EO_FIX_MANUAL;
}
