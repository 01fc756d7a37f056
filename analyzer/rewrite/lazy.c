// SPDX-License-Identifier: GPL-2.0-only
/*
 * rusage-hot-loop: a sample that is taken on every turn of a loop is taken
 * when the first work of the turn starts, and used once when the turn's work
 * is done. A turn without work takes none.
 */
#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "facts/ast.h"
#include "rewrite/head.h"
#include "rewrite/rules.h"
#include "rewrite/turn.h"
#include "rules/rule.h"
#include "smpl/ctext.h"

/* The code that it becomes. */
struct lazy {
	struct eo_turn t;
	const char *tag, *start_fn, *timer;
};

static void lazy_release(struct lazy *z)
{
	eo_turn_release(&z->t);
}

/* "foo_update_time" → "foo_" "time". */
static void split_name(const char *name, size_t *verb, size_t *n_verb)
{
	static const char *const verbs[] = { "update",	"end",	"stop",
					     "account", "add",	"finish",
					     "note",	"count" };

	*verb = *n_verb = 0;
	for (const char *p = name; *p;) {
		size_t n = strcspn(p, "_");

		for (size_t i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++)
			if (n == strlen(verbs[i]) && !memcmp(p, verbs[i], n)) {
				*verb = (size_t)(p - name);
				*n_verb = n;
			}
		p += n + (p[n] == '_');
	}
}

static struct eo_error *choose_names(struct lazy *z)
{
	static const char *const timers[] = { "ist", "timer", "lap",
					      "work_timer" };
	const char *name = z->t.consumer->name;
	struct eo_arena *a = z->t.c->arena;
	size_t verb, n;

	split_name(name, &verb, &n);
	if (n && name[verb + n] == '_') {
		z->tag = eo_arena_printf(a, "%.*s%s", (int)verb, name,
					 name + verb + n + 1);
		z->start_fn = eo_arena_printf(a, "%.*sstart%s", (int)verb, name,
					      name + verb + n);
	} else {
		z->tag = eo_arena_printf(a, "%s_timer", name);
		z->start_fn = eo_arena_printf(a, "%s_start", name);
	}
	for (size_t i = 1; i < 4 && !z->timer; i++)
		if (!eo_turn_count(z->t.c, timers[i]))
			z->timer = timers[i];
	if (!z->timer || eo_turn_count(z->t.c, z->start_fn) ||
	    eo_turn_count(z->t.c, z->tag))
		return eo_code_refuse(z->t.c, 0,
				      "the names for it (%s, %s()) are taken",
				      z->tag, z->start_fn);
	return NULL;
}

/* The sample's statement with @to in place of its variable. */
static const char *sample_text(const struct lazy *z, const char *to)
{
	struct eo_span s = eo_code_stmt(z->t.c, z->t.sample.stmt);
	EO_CLEANUP(eo_str_release) struct eo_str out = { 0 };

	for (size_t i = s.start, next; i < s.end; i = next) {
		next = eo_ctext_next(z->t.c->s, z->t.c->n, i);
		if (eo_ctext_is_word(z->t.c->s, z->t.c->n, i, z->t.var->name) &&
		    (i == 0 ||
		     (z->t.c->s[i - 1] != '>' && z->t.c->s[i - 1] != '.')))
			eo_str_add(&out, to);
		else
			eo_str_addn(&out, z->t.c->s + i, next - i);
	}
	return eo_arena_strdup(z->t.c->arena, eo_str_get(&out));
}

/* The struct, and the function that starts the sample. */
static void add_functions(struct lazy *z)
{
	struct eo_code *c = z->t.c;
	const struct eo_func *first = z->t.consumer;
	const char *member =
		eo_arena_printf(c->arena, "%s->%s", z->timer, z->t.var->name);
	const char *start = eo_arena_printf(c->arena,
					    "static void %s(struct %s *%s)\n{\n"
					    "\tif (%s->started)\n\t\treturn;\n"
					    "\t%s->started = true;\n\t%s\n}\n",
					    z->start_fn, z->tag, z->timer,
					    z->timer, z->timer,
					    sample_text(z, member));

	for (size_t i = 0; i < z->t.starts.funcs.n; i++)
		if (z->t.starts.funcs.items[i]->line < first->line)
			first = z->t.starts.funcs.items[i];
	eo_edits_insert(&c->edits, eo_head_start(c, first),
			"struct %s {\n\tbool started;\n\t%s %s;\n};\n\n",
			z->tag, z->t.type, z->t.var->name);
	if (first == z->t.consumer)
		eo_edits_insert(&c->edits, eo_head_end(c, first), "\n%s",
				start);
	else
		eo_edits_insert(&c->edits, eo_head_start(c, first), "%s\n",
				start);
}

struct replace {
	struct lazy *z;
	const struct eo_var *param;
	struct eo_error *err;
};

/* The uses of the consumer's parameter become those of the timer's member. */
static void visit_param(const struct eo_node *n, void *data)
{
	struct replace *r = data;
	struct lazy *z = r->z;
	EO_CLEANUP(eo_freep) char *text = NULL;
	struct eo_span s;

	if (n->kind != EO_N_NAME || n->var != r->param || r->err)
		return;
	s = eo_code_expr(z->t.c, n);
	if (!s.end || (z->t.by_address && memcmp(z->t.c->s + s.end, "->", 2))) {
		r->err = eo_code_refuse(
			z->t.c, n->pos.line,
			"the sample is handed on, or a macro uses it");
		return;
	}
	text = eo_asprintf("%s->%s%s", z->timer, z->t.var->name,
			   z->t.by_address ? "." : "");
	eo_edits_replace(&z->t.c->edits, s.start,
			 s.end + (z->t.by_address ? 2 : 0), text);
}

/* Where the consumer can leave, before it does anything. */
static struct eo_error *edit_way_out(struct lazy *z)
{
	struct eo_code *c = z->t.c;
	const struct eo_node *body = z->t.consumer->body, *first = NULL;

	for (size_t i = 0; i < body->n_kids && !first; i++) {
		const struct eo_node *n = body->kid[i];

		if (n->kind != EO_N_DECL)
			first = n;
		for (size_t v = 0; !first && v < n->n_kids; v++)
			if (n->kid[v]->kid[0] &&
			    n->kid[v]->kid[0]->kind == EO_N_CALL)
				return eo_code_refuse(
					c, n->pos.line,
					"something is called before it can leave");
	}
	if (!first || !eo_code_lines(c, first).end)
		return eo_code_refuse(c, z->t.consumer->line,
				      "there is no place to leave from");
	eo_edits_insert(&c->edits, eo_code_with_comment(c, first).start,
			"\tif (!%s->started)\n\t\treturn;\n"
			"\t%s->started = false;\n",
			z->timer, z->timer);
	return NULL;
}

static const char *timer_param(const struct lazy *z)
{
	return eo_arena_printf(z->t.c->arena, "struct %s *%s", z->tag,
			       z->timer);
}

/* The parameter of the consumer, and a way out when nothing was started. */
static struct eo_error *edit_consumer(struct lazy *z)
{
	const struct eo_var *param = eo_turn_param(z->t.consumer, z->t.arg);
	struct replace r = { z, param, NULL };

	eo_try(eo_head_set_param(z->t.c, z->t.consumer, param->name,
				 timer_param(z)));
	eo_head_rename(z->t.c, z->t.consumer, param->name, z->timer);
	eo_try(edit_way_out(z));
	eo_node_visit(z->t.consumer->body, visit_param, &r);
	return r.err;
}

/* Braces around a loop or branch whose one statement gets some. */
static struct eo_error *brace_around(struct lazy *z, const struct eo_node *root,
				     const struct eo_node *stmt)
{
	struct eo_code *c = z->t.c;
	struct eo_place at = { 0 };
	struct eo_span s = eo_code_lines(c, stmt);
	size_t head = s.start;

	if (!eo_code_place(root, stmt, &at) || at.stmt != stmt ||
	    (at.parent->kind != EO_N_FOR && at.parent->kind != EO_N_WHILE))
		return NULL;
	while (head && strchr(" \t\r\n", c->s[head - 1]))
		head--;
	if (!s.end || !head || c->s[head - 1] != ')')
		return eo_code_refuse(
			c, stmt->pos.line,
			"a comment stands where braces have to go");
	eo_edits_insert(&c->edits, head, " {");
	eo_edits_insert(&c->edits, s.end, "%s}\n",
			eo_code_indent(c, at.parent->pos.offset));
	return brace_around(z, root, at.parent);
}

/* The start at the head of a branch, behind its declarations. */
static struct eo_error *add_start(struct lazy *z, const struct eo_start *s)
{
	struct eo_code *c = z->t.c;
	const struct eo_node *root = z->t.site->f->body, *stmt;
	EO_CLEANUP(eo_freep)
	char *call = eo_asprintf("%s(%s%s);", z->start_fn,
				 s->function ? "" : "&", z->timer);
	EO_CLEANUP(eo_freep) char *text = NULL;
	struct eo_place at = { s->parent->kid[s->index], s->parent, s->index };
	bool behind_decl = false;

	stmt = at.stmt;
	if (s->parent->kind == EO_N_IF && stmt->kind == EO_N_COMPOUND) {
		at.parent = stmt;
		at.index = 0;
		while (at.index + 1 < stmt->n_kids &&
		       stmt->kid[at.index]->kind == EO_N_DECL) {
			at.index++;
			behind_decl = true;
		}
		at.stmt = stmt->kid[at.index];
	} else if (s->parent->kind == EO_N_IF && stmt->kind == EO_N_IF) {
		return eo_code_refuse(c, stmt->pos.line,
				      "the work starts in an else-if");
	}
	if (!eo_code_lines(c, at.stmt).end)
		return eo_code_refuse(
			c, at.stmt->pos.line,
			"where work starts, statements share a line or a macro makes them");
	text = eo_asprintf("%s%s\n%s", eo_code_indent(c, at.stmt->pos.offset),
			   call, behind_decl ? "\n" : "");
	eo_try(eo_code_insert_before(c, &at, text));
	return at.parent == s->parent && s->parent->kind == EO_N_IF &&
			       !s->function ?
		       brace_around(z, root, s->parent) :
		       NULL;
}

/* "if (x) { use(); other(); }" needs no braces when one is left. */
static struct eo_error *drop_use(struct lazy *z)
{
	struct eo_code *c = z->t.c;
	const struct eo_node *block = z->t.use_at.parent, *other;
	struct eo_span use = eo_code_with_comment(c, z->t.use), rest, all;
	struct eo_place at = { 0 };

	if (!use.end || block->kind != EO_N_COMPOUND || block->n_kids < 2)
		return eo_code_refuse(
			c, z->t.use->pos.line,
			"the use is all that a branch does, or shares its line");
	other = block->kid[block->kid[0] == z->t.use ? 1 : 0];
	rest = eo_code_with_comment(c, other);
	all = eo_code_stmt(c, block);
	if (block->n_kids > 2 || other->kind == EO_N_IF || !rest.end ||
	    !eo_code_place(z->t.site->f->body, block, &at) ||
	    at.parent->kind != EO_N_IF || at.parent->kid[2] ||
	    eo_code_next_line(c, rest.start) != rest.end || !all.end ||
	    c->s[all.start - 1] != ' ') {
		eo_code_remove_lines(c, use);
		return NULL;
	}
	eo_edits_remove(&c->edits, all.start - 1, all.start + 1);
	eo_edits_remove(&c->edits, use.start, use.end);
	eo_edits_remove(&c->edits, eo_code_line(c, all.end - 1),
			eo_code_next_line(c, all.end));
	return NULL;
}

/* The timer: a new one every turn. */
static struct eo_error *add_timer(struct lazy *z)
{
	struct eo_code *c = z->t.c;
	size_t i = 0;
	struct eo_span s;

	while (i < z->t.body->n_kids && z->t.body->kid[i]->kind == EO_N_DECL)
		i++;
	if (i) {
		s = eo_code_lines(c, z->t.body->kid[i - 1]);
		if (!s.end)
			return eo_code_refuse(c, z->t.loop->pos.line,
					      "declarations share a line");
		eo_edits_insert(&c->edits, s.end, "%sstruct %s %s = { };\n",
				eo_code_indent(c, s.start), z->tag, z->timer);
		return NULL;
	}
	s = eo_code_with_comment(c, z->t.body->kid[0]);
	if (!s.end)
		return eo_code_refuse(c, z->t.loop->pos.line,
				      "there is no place for a declaration");
	eo_edits_insert(&c->edits, s.start, "%sstruct %s %s = { };\n\n",
			eo_code_indent(c, z->t.body->kid[0]->pos.offset),
			z->tag, z->timer);
	return NULL;
}

/* The use moves up to where the turn's work is done. */
static struct eo_error *move_use(struct lazy *z)
{
	struct eo_code *c = z->t.c;
	struct eo_span top = eo_code_with_comment(c, z->t.top.stmt);
	EO_CLEANUP(eo_str_release) struct eo_str text = { 0 };

	if (!top.end)
		return eo_code_refuse(
			c, z->t.top.stmt->pos.line,
			"it shares its line, or a macro makes it");
	for (size_t i = 1; i < z->t.use->n_kids; i++)
		eo_str_addf(&text, "%s%s", i > 1 ? ", " : "",
			    i == z->t.arg ?
				    eo_arena_printf(c->arena, "&%s", z->timer) :
				    eo_code_text(
					    c,
					    eo_code_expr(c, z->t.use->kid[i])));
	eo_edits_insert(&c->edits, top.start, "%s%s(%s);\n\n",
			eo_code_indent(c, z->t.top.stmt->pos.offset),
			z->t.use->name, text.s);
	return drop_use(z);
}

static struct eo_error *edit_loop(struct lazy *z)
{
	struct eo_code *c = z->t.c;
	struct eo_span sample = eo_code_with_comment(c, z->t.sample.stmt);

	if (!sample.end)
		return eo_code_refuse(
			c, z->t.sample.stmt->pos.line,
			"it shares its line, or a macro makes it");
	eo_code_remove_lines(c, eo_code_lines(c, z->t.decl));
	eo_code_remove_lines(c, sample);
	eo_try(add_timer(z));
	eo_try(move_use(z));
	for (size_t i = 0; i < z->t.starts.n; i++)
		eo_try(add_start(z, &z->t.starts.items[i]));
	for (size_t i = 0; i < z->t.starts.calls.n; i++) {
		const struct eo_node *call = z->t.starts.calls.items[i];
		struct eo_span s = eo_code_expr(c, call);

		if (!s.end || c->s[s.end - 1] != ')')
			return eo_code_refuse(c, call->pos.line,
					      "a macro calls it");
		eo_edits_insert(&c->edits, s.end - 1, "%s&%s",
				call->n_kids > 1 ? ", " : "", z->timer);
	}
	for (size_t i = 0; i < z->t.starts.funcs.n; i++) {
		bool used = false;

		for (size_t k = 0; k < z->t.starts.n; k++)
			used |= eo_streq(z->t.starts.items[k].function,
					 z->t.starts.funcs.items[i]->name);
		if (used)
			eo_try(eo_head_add_param(c, z->t.starts.funcs.items[i],
						 timer_param(z)));
	}
	return NULL;
}

static void tell(struct lazy *z)
{
	EO_CLEANUP(eo_str_release) struct eo_str names = { 0 };
	const struct eo_starts *s = &z->t.starts;

	eo_code_note(
		z->t.c, EO_NOTE_CHANGE,
		"Start the sample where the first work of a turn starts, which is in %zu place%s, and end it once, when the work of the turn is done. A turn without work samples nothing.",
		s->n, s->n == 1 ? "" : "s");
	eo_code_note(
		z->t.c, EO_NOTE_SAFE,
		"The sample's start is a new one every turn; it is ended only where it was started.");
	for (size_t i = 0; i < s->always.n; i++)
		if (s->always.items[i]->name)
			eo_str_addf(&names, "%s%s()", i ? ", " : "",
				    s->always.items[i]->name);
	if (names.len)
		eo_code_note(
			z->t.c, EO_NOTE_VALUE,
			"Time in %s counts only on turns on which other work started before: it runs on every turn, also when there is nothing for it.",
			names.s);
	eo_code_note(
		z->t.c, EO_NOTE_VALUE,
		"A turn that works is counted whether or not the test of line %u holds behind it.",
		z->t.top.stmt->pos.line);
	z->t.c->out->subject = eo_arena_printf(
		&z->t.c->out->arena, "start the sample when work starts");
}

struct eo_error *eo_rewrite_lazy(struct eo_code *c, const struct eo_site *site,
				 const struct eo_finding *f)
{
	EO_CLEANUP(lazy_release) struct lazy z = { 0 };

	eo_try(eo_turn_find(c, site, f, &z.t));
	eo_try(choose_names(&z));
	add_functions(&z);
	eo_try(edit_consumer(&z));
	eo_try(edit_loop(&z));
	tell(&z);
	return NULL;
}
