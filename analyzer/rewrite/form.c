// SPDX-License-Identifier: GPL-2.0-only
/*
 * flush-unthresholded-hot: another function of the same kind in the call's
 * place, one that does nothing while there is little to do.
 */
#include <string.h>

#include "base/err.h"
#include "facts/ast.h"
#include "facts/cfg.h"
#include "finding/finding.h"
#include "rewrite/rules.h"
#include "rules/rule.h"

struct eo_error *eo_rewrite_form(struct eo_code *c, const struct eo_site *site,
				 const struct eo_finding *f)
{
	const struct eo_node *call = site->f->cfg->items[site->atom].node;
	const char *form = eo_rules_form(site);
	struct eo_span s = eo_code_expr(c, call);
	size_t n = strlen(call->name);

	if (!form || !s.end || strncmp(c->s + s.start, call->name, n) ||
	    eo_is_ident(c->s[s.start + n]))
		return eo_code_refuse(c, call->pos.line,
				      "a macro makes the call");
	eo_edits_replace(&c->edits, s.start, s.start + n, form);
	eo_code_note(
		c, EO_NOTE_CHANGE,
		"Call %s() instead, which does the same when there is enough to do.",
		form);
	eo_code_note(
		c, EO_NOTE_VALUE,
		"Readers may see numbers that are older than before, by as much as %s() leaves undone.",
		form);
	c->out->subject = eo_arena_printf(&c->out->arena, "use %s()", form);
	(void)f;
	return NULL;
}
