// SPDX-License-Identifier: GPL-2.0-only
/*
 * flush-before-check, the other way about: the test that leaves, and what
 * makes its variables, go before the call. For code that the call cannot move
 * past: a lock, something that reads what it has done, the rest of a ladder.
 */
#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "facts/ast.h"
#include "finding/finding.h"
#include "rewrite/rules.h"
#include "rules/rule.h"
#include "smpl/ctext.h"

#define MAX_VALUES 4

struct hoist {
	struct eo_code *c;
	const struct eo_site *site;
	const struct eo_finding *f;
	struct eo_place call, test;
	struct eo_span lines; /* of the test */
	const struct eo_node *values[MAX_VALUES]; /* statements, in order */
	size_t n_values;
};

static struct eo_error *refuse(const struct hoist *h, const struct eo_node *n,
			       const char *why)
{
	return eo_code_refuse(h->c, n->pos.line, "%s", why);
}

/* What makes the test's variables: plain assignments between the two. */
static struct eo_error *find_values(struct hoist *h)
{
	const struct eo_step *s;

	eo_vec_for_each(s, &h->f->steps) {
		const struct eo_node *found = NULL;

		if (strcmp(s->kind, "value"))
			continue;
		for (size_t i = h->call.index + 1; i < h->test.index; i++) {
			const struct eo_node *n = h->call.parent->kid[i];

			if (n->kind == EO_N_ASSIGN && !n->compound &&
			    n->kid[1]->pos.line == s->line &&
			    n->kid[1]->pos.column == s->column)
				found = n;
		}
		if (!found || h->n_values == MAX_VALUES)
			return eo_code_refuse(
				h->c, s->line,
				"what the test needs is not made in a statement of its own");
		h->values[h->n_values++] = found;
	}
	return NULL;
}

/* What comes before in a value's way: it has to be of the values as well. */
static struct eo_error *check_values(const struct hoist *h)
{
	const struct eo_node *call = h->call.stmt;

	for (size_t i = 0; i < h->n_values; i++) {
		const struct eo_var *var = h->values[i]->kid[0]->var;

		if (h->values[i]->kid[0]->kind != EO_N_NAME ||
		    eo_code_mentions(call, var))
			return refuse(h, h->values[i],
				      "the call is given what the test needs");
		for (size_t k = h->call.index + 1; k < h->test.index; k++) {
			const struct eo_node *n = h->call.parent->kid[k];

			if (n == h->values[i])
				break;
			if (eo_code_mentions(n, var) || eo_code_sets(n, var))
				return refuse(
					h, n,
					"this needs the variable as it was before");
		}
	}
	return NULL;
}

static struct eo_error *find_places(struct hoist *h)
{
	const struct eo_node *root = h->site->f->body;
	const struct eo_node *cond = eo_code_step(root, h->f, "test");

	eo_try(eo_code_call_place(h->c, h->site, &h->call));
	if (!h->f->guard || !cond || !eo_code_place(root, cond, &h->test) ||
	    h->test.stmt->kind != EO_N_IF || h->test.parent != h->call.parent ||
	    h->test.index < h->call.index || !h->test.stmt->kid[0])
		return eo_code_refuse(
			h->c, h->f->line,
			"the test is no if of the same block as the call");
	if (!eo_code_leaves(h->test.stmt->kid[1]))
		return refuse(h, h->test.stmt, "the test has no way out");
	for (size_t i = h->call.index; i <= h->test.index; i++)
		if (h->call.parent->kid[i]->kind == EO_N_LABEL)
			return refuse(h, h->call.parent->kid[i],
				      "a label stands in between");
	h->lines = eo_code_lines(h->c, h->test.stmt);
	if (!h->lines.end ||
	    eo_code_has_directive(h->c,
				  (struct eo_span){ h->call.stmt->pos.offset,
						    h->lines.end }))
		return refuse(h, h->test.stmt,
			      "an #if or a macro is in the way");
	return NULL;
}

/* Whether the branch does nothing but return what is returned before, too. */
static bool only_returns(const struct hoist *h)
{
	const struct eo_node *n = h->test.stmt->kid[1];

	if (n->kind == EO_N_COMPOUND && n->n_kids == 1)
		n = n->kid[0];
	if (n->kind != EO_N_RETURN)
		return false;
	return !n->kid[0] ||
	       eo_streq(eo_node_text(h->c->u, n->kid[0], h->c->arena),
			h->f->result);
}

struct labels {
	const char *name;
	size_t n;
};

static void visit_goto(const struct eo_node *n, void *data)
{
	struct labels *l = data;

	l->n += n->kind == EO_N_GOTO && eo_streq(n->name, l->name);
}

/* A label that only the test goes to would be left without a use. */
static struct eo_error *check_label(const struct hoist *h)
{
	const struct eo_node *n = h->test.stmt->kid[1];
	struct labels l = { 0 };

	while (n->kind == EO_N_COMPOUND)
		n = n->kid[n->n_kids - 1];
	if (n->kind != EO_N_GOTO)
		return NULL;
	l.name = n->name;
	eo_node_visit(h->site->f->body, visit_goto, &l);
	return l.n > 1 ? NULL : refuse(h, n, "nobody else goes to that label");
}

/* "if (CONDITION)" as it stands, up to where its branch begins. */
static const char *head_of(const struct hoist *h)
{
	const struct eo_code *c = h->c;
	size_t open = h->test.stmt->pos.offset, close;

	while (open < c->n && c->s[open] != '(')
		open = eo_ctext_next(c->s, c->n, open);
	close = eo_ctext_close(c->s, c->n, open);
	return close ? eo_code_text(c,
				    (struct eo_span){ h->test.stmt->pos.offset,
						      close }) :
		       NULL;
}

/* What is left of the test where it was: nothing, or the rest of a ladder. */
static struct eo_error *take_out(struct hoist *h)
{
	const struct eo_node *test = h->test.stmt, *rest = test->kid[2];
	struct eo_span all = eo_code_with_comment(h->c, test);

	if (!rest) {
		eo_code_remove_lines(h->c, all);
		return NULL;
	}
	if (rest->kind != EO_N_IF || !rest->pos.in_main)
		return refuse(h, test, "the test has an else");
	eo_edits_remove(&h->c->edits, test->pos.offset, rest->pos.offset);
	return NULL;
}

/* The test as it comes to stand before the call. */
static struct eo_error *new_test(struct hoist *h, struct eo_str *out)
{
	const char *indent = eo_code_indent(h->c, h->test.stmt->pos.offset);
	const char *result = h->f->result, *head = head_of(h);

	if (only_returns(h) && !h->test.stmt->kid[2]) {
		eo_str_add(out,
			   eo_code_text(h->c, eo_code_with_comment(
						      h->c, h->test.stmt)));
		return NULL;
	}
	if (!result || !head)
		return refuse(h, h->test.stmt,
			      "what is returned there is not known before");
	eo_try(check_label(h));
	eo_str_addf(out, "%s%s\n%s\treturn%s%s;\n", indent, head, indent,
		    *result ? " " : "", result);
	return NULL;
}

static struct eo_error *move(struct hoist *h)
{
	EO_CLEANUP(eo_str_release) struct eo_str text = { 0 };

	for (size_t i = 0; i < h->n_values; i++) {
		struct eo_span s = eo_code_with_comment(h->c, h->values[i]);

		if (!s.end)
			return refuse(
				h, h->values[i],
				"it shares its line, or a macro makes it");
		eo_str_add(&text, eo_code_text(h->c, s));
		eo_code_remove_lines(h->c, s);
	}
	eo_try(new_test(h, &text));
	eo_try(take_out(h));
	eo_str_addc(&text, '\n');
	return eo_code_insert_before(h->c, &h->call, eo_str_get(&text));
}

struct eo_error *eo_rewrite_hoist(struct eo_code *c, const struct eo_site *site,
				  const struct eo_finding *f)
{
	struct hoist h = { .c = c, .site = site, .f = f };

	eo_try(find_places(&h));
	eo_try(find_values(&h));
	eo_try(check_values(&h));
	eo_try(move(&h));
	eo_code_note(c, EO_NOTE_CHANGE,
		     "Test %s before the call of %s(), and return there%s.",
		     f->guard, f->call,
		     h.n_values ? "; what the test needs moves along" : "");
	return NULL;
}
