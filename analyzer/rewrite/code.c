// SPDX-License-Identifier: GPL-2.0-only
#include "rewrite/code.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "facts/ast.h"
#include "facts/cfg.h"
#include "finding/finding.h"
#include "rules/rule.h"
#include "smpl/ctext.h"
#include "tu/unit.h"

struct eo_error *eo_code_refuse(const struct eo_code *c, unsigned line,
				const char *fmt, ...)
{
	EO_CLEANUP(eo_freep) char *why = NULL;
	va_list ap;

	va_start(ap, fmt);
	if (vasprintf(&why, fmt, ap) < 0)
		eo_oom();
	va_end(ap);
	return line ? eo_error_new(EO_ERR_INPUT, "%s:%u: %s", c->u->file, line,
				   why) :
		      eo_error_new(EO_ERR_INPUT, "%s: %s", c->u->file, why);
}

void eo_code_note(struct eo_code *c, enum eo_note_kind kind, const char *fmt,
		  ...)
{
	EO_CLEANUP(eo_freep) char *text = NULL;
	va_list ap;

	va_start(ap, fmt);
	if (vasprintf(&text, fmt, ap) < 0)
		eo_oom();
	va_end(ap);
	*eo_vec_push(&c->out->notes) =
		(struct eo_note){ kind, eo_arena_strdup(&c->out->arena, text) };
}

bool eo_code_has(const struct eo_node *of, const struct eo_node *n)
{
	if (!of || of == n)
		return of != NULL;
	for (size_t i = 0; i < of->n_kids; i++)
		if (of->kid[i] && eo_code_has(of->kid[i], n))
			return true;
	return false;
}

bool eo_code_place(const struct eo_node *body, const struct eo_node *n,
		   struct eo_place *out)
{
	for (size_t i = 0; body && i < body->n_kids; i++) {
		if (!eo_code_has(body->kid[i], n))
			continue;
		if (eo_node_is_statement_place(body, i))
			*out = (struct eo_place){ body->kid[i], body, i };
		else if (body->kind != EO_N_IF && body->kind != EO_N_FOR &&
			 body->kind != EO_N_WHILE && body->kind != EO_N_DO &&
			 body->kind != EO_N_SWITCH)
			return true; /* an expression: no statement below */
		eo_code_place(body->kid[i], n, out);
		return out->stmt != NULL;
	}
	return out->stmt != NULL;
}

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

const struct eo_node *eo_code_step(const struct eo_node *root,
				   const struct eo_finding *f, const char *kind)
{
	const struct eo_step *s;

	eo_vec_for_each(s, &f->steps) {
		struct at_step d = { s, NULL };

		if (strcmp(s->kind, kind))
			continue;
		eo_node_visit(root, visit_step, &d);
		return d.found;
	}
	return NULL;
}

struct eo_error *eo_code_call_place(struct eo_code *c,
				    const struct eo_site *site,
				    struct eo_place *out)
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

struct find_var {
	const struct eo_var *var;
	bool named, set;
};

static void visit_var(const struct eo_node *n, void *data)
{
	struct find_var *f = data;
	bool sets = n->kind == EO_N_ASSIGN || n->kind == EO_N_INCDEC ||
		    n->kind == EO_N_ADDR;

	if (n->kind == EO_N_NAME && n->var == f->var)
		f->named = true;
	if (n->kind == EO_N_VAR && n->var == f->var && n->kid[0])
		f->set = true;
	if (sets && n->kid[0]->kind == EO_N_NAME && n->kid[0]->var == f->var)
		f->set = true;
}

bool eo_code_mentions(const struct eo_node *n, const struct eo_var *var)
{
	struct find_var f = { .var = var };

	eo_node_visit(n, visit_var, &f);
	return f.named;
}

bool eo_code_sets(const struct eo_node *n, const struct eo_var *var)
{
	struct find_var f = { .var = var };

	eo_node_visit(n, visit_var, &f);
	return f.set;
}

bool eo_code_leaves(const struct eo_node *n)
{
	if (!n)
		return false;
	if (n->kind == EO_N_COMPOUND)
		return n->n_kids && eo_code_leaves(n->kid[n->n_kids - 1]);
	return n->kind == EO_N_RETURN || n->kind == EO_N_GOTO ||
	       n->kind == EO_N_BREAK || n->kind == EO_N_CONTINUE;
}

size_t eo_code_line(const struct eo_code *c, size_t i)
{
	while (i && c->s[i - 1] != '\n')
		i--;
	return i;
}

size_t eo_code_next_line(const struct eo_code *c, size_t i)
{
	while (i < c->n && c->s[i] != '\n')
		i++;
	return i < c->n ? i + 1 : i;
}

const char *eo_code_indent(const struct eo_code *c, size_t i)
{
	const char *s = c->s + eo_code_line(c, i);

	return eo_arena_strndup(c->arena, s, strspn(s, " \t"));
}

const char *eo_code_text(const struct eo_code *c, struct eo_span s)
{
	return eo_arena_strndup(c->arena, c->s + s.start, s.end - s.start);
}

struct eo_span eo_code_expr(const struct eo_code *c, const struct eo_node *n)
{
	struct eo_span s = { n->pos.offset, n->end.offset };

	if (!n->pos.in_main || !n->end.in_main || s.end <= s.start ||
	    s.end > c->n)
		return (struct eo_span){ 0 };
	return s;
}

struct eo_span eo_code_stmt(const struct eo_code *c, const struct eo_node *n)
{
	struct eo_span s = { n->pos.offset, 0 };

	if (!n->pos.in_main || !n->end.in_main)
		return (struct eo_span){ 0 };
	s.end = eo_ctext_statement(c->s, c->n, s.start);
	if (s.end < n->end.offset)
		return (struct eo_span){ 0 };
	return s;
}

/* Past white space of the line and a comment that ends on it. */
static size_t line_rest(const struct eo_code *c, size_t i)
{
	i += strspn(c->s + i, " \t");
	if (c->s[i] == '/' && (c->s[i + 1] == '/' || c->s[i + 1] == '*'))
		i = eo_ctext_next(c->s, c->n, i);
	i += strspn(c->s + i, " \t\r");
	return i;
}

struct eo_span eo_code_lines(const struct eo_code *c, const struct eo_node *n)
{
	struct eo_span s = eo_code_stmt(c, n);
	size_t line, rest;

	if (!s.end)
		return s;
	line = eo_code_line(c, s.start);
	rest = line_rest(c, s.end);
	if (line + strspn(c->s + line, " \t") != s.start ||
	    (rest < c->n && c->s[rest] != '\n'))
		return (struct eo_span){ 0 };
	return (struct eo_span){ line, eo_code_next_line(c, rest) };
}

static bool is_blank_line(const struct eo_code *c, size_t line)
{
	size_t i = line + strspn(c->s + line, " \t\r");

	return i >= c->n || c->s[i] == '\n';
}

size_t eo_code_block(const struct eo_code *c, size_t i)
{
	size_t at = eo_code_line(c, i), prev;

	while (at) {
		prev = eo_code_line(c, at - 1);
		if (is_blank_line(c, prev))
			break;
		at = prev;
	}
	return at;
}

/* First byte of the comment whose last line is the one before @line. */
static size_t comment_above(const struct eo_code *c, size_t line)
{
	size_t at = line, first = line;

	while (at) {
		size_t prev = eo_code_line(c, at - 1);
		size_t code = prev + strspn(c->s + prev, " \t");
		size_t end;

		if (eo_starts_with(c->s + code, "//")) {
			at = first = prev;
			continue;
		}
		/* A block comment that begins here and ends above @first. */
		if (eo_starts_with(c->s + code, "/*")) {
			end = eo_ctext_next(c->s, c->n, code);
			end += strspn(c->s + end, " \t\r\n");
			return end >= first &&
					       end <= line + strspn(c->s + line,
								    " \t") &&
					       eo_code_line(c, end) == first ?
				       prev :
				       first;
		}
		if (first != line || c->s[code] != '*')
			return first;
		at = prev;
	}
	return first;
}

struct eo_span eo_code_with_comment(const struct eo_code *c,
				    const struct eo_node *n)
{
	struct eo_span s = eo_code_lines(c, n);

	if (s.end)
		s.start = comment_above(c, s.start);
	return s;
}

unsigned eo_code_if_depth(const char *s, size_t at)
{
	unsigned depth = 0;

	for (const char *p = s; p && p < s + at;
	     p = strchr(p, '\n'), p = p ? p + 1 : NULL) {
		const char *w = p + strspn(p, " \t");

		if (*w != '#')
			continue;
		w += 1 + strspn(w + 1, " \t");
		if (eo_starts_with(w, "if"))
			depth++;
		else if (eo_starts_with(w, "endif") && depth)
			depth--;
	}
	return depth;
}

bool eo_code_has_directive(const struct eo_code *c, struct eo_span s)
{
	for (size_t i = eo_code_line(c, s.start); i < s.end;
	     i = eo_code_next_line(c, i))
		if (c->s[i + strspn(c->s + i, " \t")] == '#')
			return true;
	return false;
}

/* Whether the line before the one that begins at @line ends in @what. */
static bool ends_in(const struct eo_code *c, size_t line, char what)
{
	size_t i = line - 1; /* its "\n", after "\r" maybe */

	if (i && c->s[i - 1] == '\r')
		i--;
	return i && c->s[i - 1] == what;
}

void eo_code_remove_lines(struct eo_code *c, struct eo_span s)
{
	size_t prev = s.start ? eo_code_line(c, s.start - 1) : 0;
	bool blank_before = s.start && is_blank_line(c, prev);
	bool opens = s.start && ends_in(c, s.start, '{');
	bool blank_behind = s.end < c->n && is_blank_line(c, s.end);
	bool closes = s.end < c->n &&
		      c->s[s.end + strspn(c->s + s.end, " \t")] == '}';

	if (blank_behind && (blank_before || opens))
		s.end = eo_code_next_line(c, s.end);
	else if (blank_before && closes)
		s.start = prev;
	eo_edits_remove(&c->edits, s.start, s.end);
}

const char *eo_code_reindent(const struct eo_code *c, const char *text,
			     const char *from, const char *to)
{
	EO_CLEANUP(eo_str_release) struct eo_str out = { 0 };
	size_t n = strlen(from);

	for (const char *p = text; *p;) {
		size_t len = strcspn(p, "\n");

		if (strncmp(p, from, n) == 0) {
			eo_str_add(&out, to);
			eo_str_addn(&out, p + n, len - n);
		} else {
			eo_str_addn(&out, p, len);
		}
		if (p[len] == '\n')
			eo_str_addc(&out, '\n');
		p += len + (p[len] == '\n');
	}
	return eo_arena_strdup(c->arena, eo_str_get(&out));
}

/* "}" on a line of its own at @at, or before the else that comes there. */
static void close_brace(struct eo_code *c, size_t at, const char *indent)
{
	size_t word = at + strspn(c->s + at, " \t");

	if (eo_ctext_is_word(c->s, c->n, word, "else"))
		eo_edits_replace(&c->edits, at, word,
				 eo_arena_printf(c->arena, "%s} ", indent));
	else
		eo_edits_insert(&c->edits, at, "%s}\n", indent);
}

struct eo_error *eo_code_insert_before(struct eo_code *c,
				       const struct eo_place *p,
				       const char *text)
{
	struct eo_span s = eo_code_lines(c, p->stmt);
	size_t head;

	if (!s.end)
		return eo_code_refuse(
			c, p->stmt->pos.line,
			"the statement shares its line, or a macro makes it");
	if (p->parent->kind == EO_N_COMPOUND) {
		eo_edits_insert(&c->edits, comment_above(c, s.start), "%s",
				text);
		return NULL;
	}
	head = s.start;
	if (p->parent->kind == EO_N_LABEL || p->parent->kind == EO_N_CASE ||
	    p->parent->kind == EO_N_DEFAULT) {
		eo_edits_insert(&c->edits, head, "%s", text);
		return NULL;
	}
	while (head && strchr(" \t\r\n", c->s[head - 1]))
		head--;
	if (!head || (c->s[head - 1] != ')' && !eo_is_ident(c->s[head - 1])))
		return eo_code_refuse(
			c, p->stmt->pos.line,
			"a comment stands where braces have to go");
	eo_edits_insert(&c->edits, head, " {");
	eo_edits_insert(&c->edits, s.start, "%s", text);
	close_brace(c, s.end, eo_code_indent(c, head - 1));
	return NULL;
}
