// SPDX-License-Identifier: GPL-2.0-only
/*
 * rusage-unused-path: a sample, the reference around it and the variables that
 * only serve it go under the condition on which it is used: to the head of
 * the branch that uses it where that comes next, else into one of their own.
 */
#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "facts/ast.h"
#include "facts/cfg.h"
#include "facts/summary.h"
#include "finding/finding.h"
#include "rewrite/rules.h"
#include "rules/rule.h"
#include "smpl/ctext.h"

struct under {
	struct eo_code *c;
	const struct eo_site *site;
	const struct eo_finding *f;
	struct eo_place at; /* of the call */
	size_t first, last; /* of the statements that go with it */
	size_t refs;
	const struct eo_node *test; /* the if right behind, or NULL */
	size_t branch; /* of it, that uses the sample; 0: what follows it */
	struct {
		struct eo_span *items;
		size_t n, cap;
	} decls; /* lines of declarations that go along */
};

static void under_release(struct under *w)
{
	eo_freep(&w->decls.items);
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

struct count {
	const struct eo_var *var;
	size_t n;
};

static void visit_count(const struct eo_node *n, void *data)
{
	struct count *k = data;

	k->n += n->kind == EO_N_NAME && n->var == k->var;
}

static size_t uses(const struct eo_node *n, const struct eo_var *var)
{
	struct count k = { var, 0 };

	eo_node_visit(n, visit_count, &k);
	return k.n;
}

/* How often it is named in what moves, and in the branch that it moves to. */
static size_t uses_there(const struct under *w, const struct eo_var *var)
{
	size_t n = 0;

	for (size_t i = w->first; i <= w->last; i++)
		n += uses(w->at.parent->kid[i], var);
	if (w->test && w->branch)
		n += uses(w->test->kid[w->branch], var);
	return n;
}

/* How often the text has the word: code behind an #if names it, too. */
static size_t words(const struct under *w, const char *name)
{
	const struct eo_node *body = w->site->f->body;
	const struct eo_code *c = w->c;
	size_t n = 0;

	for (size_t i = body->pos.offset; i < body->end.offset;
	     i = eo_ctext_next(c->s, c->n, i))
		n += eo_ctext_is_word(c->s, c->n, i, name);
	return n;
}

static bool only_serves(const struct under *w, const struct eo_var *var,
			size_t more)
{
	size_t n = uses(w->site->f->body, var);

	return var->scope == EO_VAR_LOCAL && !var->cleanup &&
	       uses_there(w, var) + more == n && words(w, var->name) == n + 1;
}

/* "t = what the sample is of;", which nothing else looks at. */
static bool is_setup(const struct under *w, const struct eo_node *n)
{
	struct eo_call_effect e;
	const struct eo_node *value;

	if (n->kind != EO_N_ASSIGN || n->compound ||
	    n->kid[0]->kind != EO_N_NAME)
		return false;
	value = n->kid[1];
	if (value->kind == EO_N_CALL) {
		eo_call_effect(w->site->summaries, value, &e);
		if (e.unknown || e.writes || e.outputs || e.acquires ||
		    e.releases)
			return false;
	} else if (value->kind != EO_N_NAME && value->kind != EO_N_MEMBER) {
		return false;
	}
	return only_serves(w, n->kid[0]->var, 1);
}

/* The statements around the call that go with it. */
static struct eo_error *find_range(struct under *w)
{
	struct eo_node **kid;

	eo_try(eo_code_call_place(w->c, w->site, &w->at));
	kid = w->at.parent->kid;
	w->first = w->last = w->at.index;
	for (; w->first && is_reference(kid[w->first - 1], w->f); w->first--)
		w->refs++;
	for (; w->last + 1 < w->at.parent->n_kids &&
	       is_reference(kid[w->last + 1], w->f);
	     w->last++)
		w->refs++;
	if (w->refs != count_references(w->f))
		return eo_code_refuse(
			w->c, w->f->line,
			"something else happens while the reference around the sample is held");
	while (w->first && is_setup(w, kid[w->first - 1]))
		w->first--;
	return NULL;
}

/* The if that decides, where it comes next and decides nothing else. */
static void find_branch(struct under *w)
{
	const struct eo_node *cond =
		eo_code_step(w->site->f->body, w->f, "test");
	const struct eo_node *n, *decides;
	struct eo_span s;
	bool negated = eo_starts_with(w->f->guard, "!(");

	if (!cond || w->last + 1 >= w->at.parent->n_kids)
		return;
	n = w->at.parent->kid[w->last + 1];
	if (n->kind != EO_N_IF)
		return;
	decides = n->kid[0];
	while (decides->kind == EO_N_NOT) {
		negated = !negated;
		decides = decides->kid[0];
	}
	while (cond->kind == EO_N_NOT) {
		negated = !negated;
		cond = cond->kid[0];
	}
	s = eo_code_lines(w->c, n);
	if (decides != cond || !s.end ||
	    eo_code_has_directive(
		    w->c, (struct eo_span){ w->at.stmt->pos.offset, s.end }))
		return;
	if (!negated)
		w->branch = 1;
	else if (n->kid[2])
		w->branch = 2;
	else if (!eo_code_leaves(n->kid[1]))
		return;
	if (w->branch == 2 && n->kid[2]->kind == EO_N_IF)
		return; /* of a ladder */
	w->test = n;
}

static bool all_only_serve(const struct under *w, const struct eo_node *decl)
{
	for (size_t i = 0; i < decl->n_kids; i++)
		if (!decl->kid[i]->var || decl->kid[i]->kid[0] ||
		    !only_serves(w, decl->kid[i]->var, 0))
			return false;
	return decl->n_kids > 0;
}

/* Declarations of what nobody else names; not past the if. */
static void find_decls(struct under *w)
{
	const struct eo_node *blocks[] = { w->site->f->body, w->at.parent };

	if (w->test && !w->branch)
		return;
	for (size_t b = w->at.parent == w->site->f->body; b < 2; b++)
		for (size_t i = 0; i < blocks[b]->n_kids; i++) {
			const struct eo_node *n = blocks[b]->kid[i];
			struct eo_span s;

			if (n->kind != EO_N_DECL || !all_only_serve(w, n))
				continue;
			s = eo_code_with_comment(w->c, n);
			if (s.end && !eo_code_has_directive(w->c, s))
				*eo_vec_push(&w->decls) = s;
		}
}

/* Takes the declarations out; their text, as if it stood at @indent. */
static const char *take_decls(struct under *w, const char *indent)
{
	EO_CLEANUP(eo_str_release) struct eo_str all = { 0 };
	struct eo_span *s;

	eo_vec_for_each(s, &w->decls) {
		const char *text = eo_code_text(w->c, *s);

		eo_str_add(&all,
			   eo_code_reindent(w->c, text,
					    eo_code_indent(w->c, s->start),
					    indent));
	}
	for (size_t i = 0; i < w->decls.n; i++) {
		struct eo_span run = w->decls.items[i];

		while (i + 1 < w->decls.n &&
		       w->decls.items[i + 1].start == run.end)
			run.end = w->decls.items[++i].end;
		eo_code_remove_lines(w->c, run);
	}
	return eo_arena_strdup(w->c->arena, eo_str_get(&all));
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

/* A branch of its own, with the same condition. */
static void wrap(struct under *w, struct eo_span s, const char *indent,
		 const char *decls)
{
	struct eo_code *c = w->c;
	EO_CLEANUP(eo_freep) char *deeper = eo_asprintf("%s\t", indent);
	const char *text =
		eo_code_reindent(c, eo_code_text(c, s), indent, deeper);
	bool block = *decls || eo_code_next_line(c, s.start) != s.end;

	eo_edits_replace(
		&c->edits, s.start, s.end,
		eo_arena_printf(c->arena, "%sif (%s)%s\n%s%s%s%s%s", indent,
				condition(c, w->f->guard), block ? " {" : "",
				eo_code_reindent(c, decls, indent, deeper),
				*decls ? "\n" : "", text, block ? indent : "",
				block ? "}\n" : ""));
}

static struct eo_error *move(struct under *w)
{
	struct eo_code *c = w->c;
	struct eo_span from =
		eo_code_with_comment(c, w->at.parent->kid[w->first]);
	struct eo_span to = eo_code_lines(c, w->at.parent->kid[w->last]);
	struct eo_span s = { from.start, to.end };
	const char *indent = eo_code_indent(c, w->at.stmt->pos.offset);
	const char *decls, *text;

	if (!from.end || !to.end || eo_code_has_directive(c, s))
		return eo_code_refuse(c, w->f->line,
				      "an #if or a macro is in the way");
	decls = take_decls(w, indent);
	if (!w->test) {
		wrap(w, s, indent, decls);
		return NULL;
	}
	text = eo_code_text(c, s);
	eo_code_remove_lines(c, s);
	if (w->branch)
		return eo_code_put_inside(c, w->test, w->branch, decls, text);
	eo_code_put_behind(c, eo_code_lines(c, w->test), text);
	return NULL;
}

struct eo_error *eo_rewrite_under(struct eo_code *c, const struct eo_site *site,
				  const struct eo_finding *f)
{
	EO_CLEANUP(under_release)
	struct under w = { .c = c, .site = site, .f = f };

	if (!f->guard)
		return eo_code_refuse(c, f->line, "a macro makes the test");
	eo_try(find_range(&w));
	find_branch(&w);
	find_decls(&w);
	eo_try(move(&w));
	eo_code_note(c, EO_NOTE_CHANGE, "Sample only when %s%s.",
		     condition(c, f->guard),
		     w.refs ? ", and take the reference for it only then" : "");
	if (w.decls.n)
		eo_code_note(c, EO_NOTE_CHANGE,
			     "The variables that only serve it move along.");
	return NULL;
}
