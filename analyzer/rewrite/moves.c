// SPDX-License-Identifier: GPL-2.0-only
/*
 * Statements that move or go: a call to behind the test that leaves without
 * it (flush-before-check), the second of two (flush-repeated), a sample and
 * the reference around it under a condition (rusage-unused-path).
 */
#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "facts/ast.h"
#include "facts/cfg.h"
#include "facts/summary.h"
#include "finding/finding.h"
#include "rewrite/rules.h"
#include "rules/path.h"
#include "rules/rule.h"

struct at_step {
	const struct eo_step *step;
	const struct eo_node *found;
};

/* The last one there is the innermost. */
static void visit_step(const struct eo_node *n, void *data)
{
	struct at_step *d = data;

	if (n->pos.line == d->step->line && n->pos.column == d->step->column)
		d->found = n;
}

/* The node at the first step of that kind, NULL when there is none. */
static const struct eo_node *node_at(const struct eo_site *site,
				     const struct eo_finding *f,
				     const char *kind)
{
	const struct eo_step *s;

	eo_vec_for_each(s, &f->steps) {
		struct at_step d = { s, NULL };

		if (strcmp(s->kind, kind))
			continue;
		eo_node_visit(site->f->body, visit_step, &d);
		return d.found;
	}
	return NULL;
}

/* The call as a statement of a block, with lines for itself. */
static struct eo_error *
call_place(struct eo_code *c, const struct eo_site *site, struct eo_place *out)
{
	const struct eo_node *call = site->f->cfg->items[site->atom].node;

	*out = (struct eo_place){ 0 };
	if (!eo_code_place(site->f->body, call, out) || out->stmt != call ||
	    out->parent->kind != EO_N_COMPOUND || out->parent->n_kids < 2 ||
	    !eo_code_with_comment(c, call).end)
		return eo_code_refuse(
			c, call->pos.line,
			"the call is no statement of a block, on lines of its own");
	return NULL;
}

struct eo_error *eo_rewrite_drop(struct eo_code *c, const struct eo_site *site,
				 const struct eo_finding *f)
{
	const struct eo_node *first = node_at(site, f, "call");
	struct eo_place at;
	struct eo_span s;

	eo_try(call_place(c, site, &at));
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

static void visit_names(const struct eo_node *n, void *data)
{
	struct at_step *d = data; /* step NULL: found is the variable's NAME */

	if (n->kind == EO_N_NAME && d->found && n->var == d->found->var)
		d->step = (const struct eo_step *)n;
}

static bool mentions(const struct eo_node *n, const struct eo_node *name)
{
	struct at_step d = { NULL, name };

	eo_node_visit(n, visit_names, &d);
	return d.step != NULL;
}

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
		    mentions(b->call, n->kid[0]))) {
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

static bool leaves(const struct eo_node *n)
{
	if (n->kind == EO_N_COMPOUND)
		return n->n_kids && leaves(n->kid[n->n_kids - 1]);
	return n->kind == EO_N_RETURN || n->kind == EO_N_GOTO ||
	       n->kind == EO_N_BREAK || n->kind == EO_N_CONTINUE;
}

/* Behind the if, with an empty line between them. */
static void put_behind(struct eo_code *c, struct eo_span test, const char *text)
{
	size_t next = test.end + strspn(c->s + test.end, " \t\r");

	if (next < c->n && c->s[next] == '\n')
		eo_edits_insert(&c->edits, next + 1, "%s", text);
	else
		eo_edits_insert(&c->edits, test.end, "\n%s", text);
}

/* At the head of the branch that uses it, behind its declarations. */
static struct eo_error *put_inside(struct eo_code *c,
				   const struct eo_node *test, const char *text,
				   const char *indent)
{
	struct eo_place at = { test->kid[1], test, 1 };
	const struct eo_node *block = test->kid[1];
	EO_CLEANUP(eo_freep) char *deeper = NULL;
	bool decl = false;

	if (test->kid[2])
		return eo_code_refuse(c, test->pos.line,
				      "the test has an else");
	if (block->kind == EO_N_COMPOUND) {
		for (size_t i = 0; i < block->n_kids; i++) {
			at = (struct eo_place){ block->kid[i], block, i };
			if (block->kid[i]->kind != EO_N_DECL)
				break;
			decl = true;
		}
		if (!block->n_kids)
			return eo_code_refuse(c, test->pos.line,
					      "the branch is empty");
	}
	deeper = eo_asprintf("%s\t", indent);
	return eo_code_insert_before(
		c, &at,
		eo_arena_printf(c->arena, "%s%s",
				eo_code_reindent(c, text, indent, deeper),
				decl ? "\n" : ""));
}

struct eo_error *eo_rewrite_sink(struct eo_code *c, const struct eo_site *site,
				 const struct eo_finding *f)
{
	const struct eo_node *cond = node_at(site, f, "test");
	struct eo_place call, test = { 0 };
	struct eo_span lines, behind;
	struct eo_reason reader;
	const char *text;

	eo_try(call_place(c, site, &call));
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
	if (leaves(test.stmt->kid[1]) && !test.stmt->kid[2]) {
		put_behind(c, behind, text);
		return NULL;
	}
	for (size_t i = test.index + 1; i < test.parent->n_kids; i++)
		if (eo_path_reads_below(site, test.parent->kid[i], c->arena,
					&reader) != EO_NO)
			return eo_code_refuse(
				c, test.parent->kid[i]->pos.line,
				"what the call does is used behind the branch too");
	return put_inside(c, test.stmt, text,
			  eo_code_indent(c, call.stmt->pos.offset));
}

/* Whether the statement takes or gives back the sample's reference. */
static bool is_reference(const struct eo_node *n, const struct eo_finding *f)
{
	const struct eo_step *s;

	eo_vec_for_each(s, &f->steps)
		if (!strcmp(s->kind, "reference") && n->kind == EO_N_CALL &&
		    s->line == n->pos.line && s->column == n->pos.column)
			return true;
	return false;
}

static size_t count_references(const struct eo_finding *f)
{
	const struct eo_step *s;
	size_t n = 0;

	eo_vec_for_each(s, &f->steps)
		n += !strcmp(s->kind, "reference");
	return n;
}

/* "!(x)" is "!x". */
static const char *condition(struct eo_code *c, const char *guard)
{
	size_t n = strlen(guard);

	for (size_t i = 2; i + 1 < n; i++)
		if (!eo_is_ident(guard[i]) && guard[i] != '.' &&
		    !(guard[i] == '-' && guard[i + 1] == '>') &&
		    guard[i] != '>')
			return guard;
	return eo_starts_with(guard, "!(") ?
		       eo_arena_printf(c->arena, "!%.*s", (int)n - 3,
				       guard + 2) :
		       guard;
}

struct eo_error *eo_rewrite_under(struct eo_code *c, const struct eo_site *site,
				  const struct eo_finding *f)
{
	struct eo_place at;
	size_t first, last, refs = 0;
	struct eo_span from, to;
	const char *indent, *text;
	EO_CLEANUP(eo_freep) char *deeper = NULL;
	bool block;

	eo_try(call_place(c, site, &at));
	for (first = at.index;
	     first && is_reference(at.parent->kid[first - 1], f); first--)
		refs++;
	for (last = at.index; last + 1 < at.parent->n_kids &&
			      is_reference(at.parent->kid[last + 1], f);
	     last++)
		refs++;
	if (refs != count_references(f))
		return eo_code_refuse(
			c, f->line,
			"something else happens while the reference around the sample is held");
	from = eo_code_with_comment(c, at.parent->kid[first]);
	to = eo_code_lines(c, at.parent->kid[last]);
	if (!from.end || !to.end ||
	    eo_code_has_directive(c, (struct eo_span){ from.start, to.end }))
		return eo_code_refuse(c, f->line,
				      "an #if or a macro is in the way");
	indent = eo_code_indent(c, at.stmt->pos.offset);
	deeper = eo_asprintf("%s\t", indent);
	text = eo_code_reindent(
		c, eo_code_text(c, (struct eo_span){ from.start, to.end }),
		indent, deeper);
	block = eo_code_next_line(c, from.start) != to.end;
	eo_edits_replace(
		&c->edits, from.start, to.end,
		eo_arena_printf(c->arena, "%sif (%s)%s\n%s%s%s", indent,
				condition(c, f->guard), block ? " {" : "", text,
				block ? indent : "", block ? "}\n" : ""));
	eo_code_note(c, EO_NOTE_CHANGE, "Sample only when %s%s.",
		     condition(c, f->guard),
		     refs ? ", and take the reference for it only then" : "");
	return NULL;
}
