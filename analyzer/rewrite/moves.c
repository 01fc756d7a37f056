// SPDX-License-Identifier: GPL-2.0-only
/*
 * Calls that move or go: to behind the test that leaves without it
 * (flush-before-check), the second of two (flush-repeated).
 */
#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "facts/ast.h"
#include "facts/cfg.h"
#include "facts/summary.h"
#include "finding/finding.h"
#include "rewrite/helper.h"
#include "rewrite/rules.h"
#include "rules/path.h"
#include "rules/rule.h"

struct eo_error *eo_rewrite_drop(struct eo_code *c, const struct eo_site *site,
				 const struct eo_finding *f)
{
	const struct eo_node *first = eo_code_step(site->f->body, f, "call");
	struct eo_place at;
	struct eo_span s;

	eo_try(eo_code_call_place(c, site, &at));
	s = eo_code_with_comment(c, at.stmt);
	if (!first || !first->pos.in_main || first->pos.offset > s.start ||
	    eo_code_has_directive(c,
				  (struct eo_span){ first->pos.offset, s.end }))
		return eo_code_refuse(c, f->line,
				      "an #if stands between the two calls");
	eo_code_remove_lines(c, s);
	eo_code_note(c, EO_NOTE_CHANGE, "Drop the second call of %s().",
		     f->call);
	return NULL;
}

/* What stands in the way between the call and the test. */
struct between {
	const struct eo_site *site;
	const struct eo_node *call, *bad;
};

static void visit_between(const struct eo_node *n, void *data)
{
	struct between *b = data;
	struct eo_call_effect e;

	if (n->kind == EO_N_CALL) {
		eo_call_effect(b->site->summaries, n, &e);
		if (e.unknown || e.writes || e.outputs || e.acquires ||
		    e.releases)
			b->bad = n;
	} else if (n->kind == EO_N_VAR && n->var->cleanup) {
		b->bad = n;
	} else if ((n->kind == EO_N_ASSIGN || n->kind == EO_N_INCDEC) &&
		   (n->kid[0]->kind != EO_N_NAME ||
		    n->kid[0]->var->scope == EO_VAR_GLOBAL ||
		    n->kid[0]->var->scope == EO_VAR_STATIC ||
		    eo_code_mentions(b->call, n->kid[0]->var))) {
		b->bad = n;
	} else if (n->kind == EO_N_ASM || n->kind == EO_N_GOTO ||
		   n->kind == EO_N_LABEL) {
		b->bad = n;
	}
}

static struct eo_error *check_between(struct eo_code *c,
				      const struct eo_site *site,
				      const struct eo_place *call,
				      const struct eo_place *test)
{
	struct between b = { site, call->stmt, NULL };
	struct eo_reason reader;

	for (size_t i = call->index + 1; i < test->index; i++)
		eo_node_visit(call->parent->kid[i], visit_between, &b);
	eo_node_visit(test->stmt->kid[0], visit_between, &b);
	if (b.bad)
		return eo_code_refuse(
			c, b.bad->pos.line,
			"the call cannot move past this: a lock, an effect, or a change of what it is given");
	for (size_t i = call->index + 1; i <= test->index; i++) {
		const struct eo_node *n = i < test->index ?
						  call->parent->kid[i] :
						  test->stmt->kid[0];

		if (eo_path_reads_below(site, n, c->arena, &reader) != EO_NO)
			return eo_code_refuse(
				c, n->pos.line,
				"this may read what the call writes");
	}
	return NULL;
}

static struct eo_error *sink(struct eo_code *c, const struct eo_site *site,
			     const struct eo_finding *f)
{
	const struct eo_node *cond = eo_code_step(site->f->body, f, "test");
	struct eo_place call, test = { 0 };
	struct eo_span lines, behind;
	struct eo_reason reader;
	const char *text;

	eo_try(eo_code_call_place(c, site, &call));
	if (!cond || !eo_code_place(site->f->body, cond, &test) ||
	    test.stmt->kind != EO_N_IF || test.parent != call.parent ||
	    test.index < call.index)
		return eo_code_refuse(
			c, f->line,
			"the test is no if of the same block as the call");
	eo_try(check_between(c, site, &call, &test));
	lines = eo_code_with_comment(c, call.stmt);
	behind = eo_code_lines(c, test.stmt);
	if (!behind.end ||
	    eo_code_has_directive(c,
				  (struct eo_span){ lines.start, behind.end }))
		return eo_code_refuse(c, test.stmt->pos.line,
				      "an #if or a macro is in the way");
	text = eo_code_text(c, lines);
	eo_code_remove_lines(c, lines);
	eo_code_note(
		c, EO_NOTE_CHANGE,
		"Move the call of %s() behind the test of line %u, which leaves without what it does.",
		f->call, cond->pos.line);
	if (eo_code_leaves(test.stmt->kid[1]) && !test.stmt->kid[2] &&
	    eo_path_reads_below(site, test.stmt->kid[1], c->arena, &reader) ==
		    EO_NO) {
		eo_code_put_behind(c, behind, text);
		return NULL;
	}
	if (test.stmt->kid[2])
		return eo_code_refuse(c, test.stmt->pos.line,
				      "the test has an else");
	for (size_t i = test.index + 1; i < test.parent->n_kids; i++)
		if (eo_path_reads_below(site, test.parent->kid[i], c->arena,
					&reader) != EO_NO)
			return eo_code_refuse(
				c, test.parent->kid[i]->pos.line,
				"what the call does is used behind the branch too");
	return eo_code_put_inside(c, test.stmt, 1, "", text);
}

/* Forgets what a way that was tried in vain has written down. */
static void start_over(struct eo_code *c, size_t edits, size_t notes)
{
	c->edits.n = edits;
	c->out->notes.n = notes;
}

struct eo_error *eo_rewrite_check(struct eo_code *c, const struct eo_site *site,
				  const struct eo_finding *f)
{
	size_t edits = c->edits.n, notes = c->out->notes.n;
	struct eo_error *err, *other;

	if (eo_streq(c->helper->step->strategy->name, "hoist-test"))
		return eo_rewrite_hoist(c, site, f);
	err = sink(c, site, f);
	if (!err)
		return NULL;
	start_over(c, edits, notes);
	other = eo_rewrite_hoist(c, site, f);
	eo_error_free(other ? other : err);
	if (other)
		start_over(c, edits, notes);
	return other ? err : NULL;
}
