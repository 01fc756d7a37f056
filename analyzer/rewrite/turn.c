// SPDX-License-Identifier: GPL-2.0-only
#include "rewrite/turn.h"

#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "facts/ast.h"
#include "facts/callers.h"
#include "facts/cfg.h"
#include "finding/finding.h"
#include "rules/rule.h"
#include "rules/sample.h"
#include "smpl/ctext.h"
#include "tu/unit.h"

struct find_node {
	const struct eo_finding *f;
	const char *kind;
	enum eo_node_kind kinds[3];
	const struct eo_node *found;
	const struct eo_var *var;
};

/* The node at the place of the finding's step. */
static void visit_step(const struct eo_node *n, void *data)
{
	struct find_node *d = data;
	const struct eo_step *s;

	eo_vec_for_each(s, &d->f->steps)
		for (size_t k = 0; k < 3; k++)
			if (!strcmp(s->kind, d->kind) &&
			    n->kind == d->kinds[k] && n->pos.line == s->line &&
			    n->pos.column == s->column && !d->found)
				d->found = n;
}

static void visit_decl(const struct eo_node *n, void *data)
{
	struct find_node *d = data;

	if (n->kind == EO_N_DECL && n->n_kids == 1 &&
	    n->kid[0]->var == d->var && !n->kid[0]->kid[0])
		d->found = n;
}

static void visit_names(const struct eo_node *n, void *data)
{
	struct find_node *d = data;

	if (n->kind == EO_N_NAME && n->var->scope != EO_VAR_GLOBAL &&
	    n->var->scope != EO_VAR_STATIC && n->var != d->var)
		d->found = n;
}

/* "struct usage x;": the type's text. */
static struct eo_error *find_decl(struct eo_turn *t)
{
	struct find_node d = { .var = t->var };
	struct eo_span s;
	size_t n;

	eo_node_visit(t->site->f->body, visit_decl, &d);
	s = d.found ? eo_code_lines(t->c, d.found) : (struct eo_span){ 0 };
	if (!s.end)
		return eo_code_refuse(
			t->c, t->var->pos.line,
			"%s is declared beside others, or initialised",
			t->var->name);
	t->decl = d.found;
	s = eo_code_stmt(t->c, d.found);
	n = s.end - s.start - 1;
	while (n && eo_is_ident(t->c->s[s.start + n - 1]))
		n--;
	while (n && t->c->s[s.start + n - 1] == ' ')
		n--;
	t->type = eo_arena_strndup(t->c->arena, t->c->s + s.start, n);
	return NULL;
}

static struct eo_error *find_places(struct eo_turn *t,
				    const struct eo_finding *f)
{
	const struct eo_node *root = t->site->f->body;
	const struct eo_node *call = t->site->f->cfg->items[t->site->atom].node;
	struct find_node loop = { .f = f,
				  .kind = "loop",
				  .kinds = { EO_N_WHILE, EO_N_FOR, EO_N_DO } };
	struct find_node use = { .f = f,
				 .kind = "use",
				 .kinds = { EO_N_CALL, EO_N_NAME, EO_N_NAME } };
	struct find_node names = { .var = t->var };

	eo_node_visit(root, visit_step, &loop);
	eo_node_visit(root, visit_step, &use);
	if (!loop.found || !use.found)
		return eo_code_refuse(t->c, f->line,
				      "a macro makes the loop, or the use");
	t->loop = loop.found;
	t->body = loop.found->kid[loop.found->kind == EO_N_WHILE ? 1 :
				  loop.found->kind == EO_N_FOR	 ? 3 :
								   0];
	if (!eo_code_place(root, call, &t->sample) ||
	    t->sample.parent != t->body || t->body->kind != EO_N_COMPOUND)
		return eo_code_refuse(
			t->c, f->line,
			"the sample is not a statement of the loop's own block");
	if (!eo_code_place(root, use.found, &t->use_at) ||
	    t->use_at.stmt->kind != EO_N_CALL || !t->use_at.stmt->name)
		return eo_code_refuse(t->c, use.found->pos.line,
				      "the use is no call by itself");
	t->use = t->use_at.stmt;
	eo_node_visit(call, visit_names, &names);
	if (names.found)
		return eo_code_refuse(
			t->c, f->line,
			"the sample depends on %s, which is not known where work starts",
			names.found->var->name);
	for (size_t i = t->sample.index + 1; i < t->body->n_kids; i++)
		if (eo_code_has(t->body->kid[i], t->use))
			t->top = (struct eo_place){ t->body->kid[i], t->body,
						    i };
	return t->top.stmt ? NULL :
			     eo_code_refuse(t->c, t->use->pos.line,
					    "the use is not behind the sample");
}

/* Up to the use there must be nothing but tests. */
static struct eo_error *check_way(struct eo_turn *t, const struct eo_node *n)
{
	struct eo_starts work = { 0 };
	struct eo_error *err = NULL;

	while (!err && n != t->use) {
		const struct eo_node *next = NULL;

		if (n->kind == EO_N_IF) {
			eo_starts_find(t->site, n->kid[0], &work);
			for (size_t i = 1; i < n->n_kids; i++)
				if (n->kid[i] && eo_code_has(n->kid[i], t->use))
					next = n->kid[i];
		} else if (n->kind == EO_N_COMPOUND && n->n_kids &&
			   eo_code_has(n->kid[0], t->use)) {
			next = n->kid[0];
		}
		if (!next || work.n || work.always.n)
			err = eo_code_refuse(
				t->c, n->pos.line,
				"something happens between the turn's work and the use");
		n = next;
	}
	eo_starts_release(&work);
	return err;
}

const struct eo_var *eo_turn_param(const struct eo_func *f, size_t arg)
{
	return arg - 1 < f->vars.n &&
			       f->vars.items[arg - 1]->scope == EO_VAR_PARAM ?
		       f->vars.items[arg - 1] :
		       NULL;
}

size_t eo_turn_count(const struct eo_code *c, const char *word)
{
	size_t n = 0;

	for (size_t i = 0; i < c->n; i = eo_ctext_next(c->s, c->n, i))
		n += eo_ctext_is_word(c->s, c->n, i, word);
	return n;
}

/* The function that uses the sample: void, static, called here alone. */
static struct eo_error *find_consumer(struct eo_turn *t)
{
	const struct eo_unit_function *uf =
		eo_unit_function(t->c->u, t->use->name);
	const struct eo_use *use =
		eo_callers_use(t->site->callers, t->use->name);

	if (!uf || !uf->in_main || !use || !use->is_static ||
	    use->callers.n != 1 || eo_turn_count(t->c, uf->name) != 2)
		return eo_code_refuse(
			t->c, t->use->pos.line,
			"what uses the sample is no function of this file that is called here alone");
	t->consumer = eo_func_build(t->c->u, t->site->model, uf);
	for (size_t i = 1; i < t->use->n_kids; i++) {
		const struct eo_node *arg = t->use->kid[i];
		bool address = arg->kind == EO_N_ADDR;

		if (address)
			arg = arg->kid[0];
		if (arg->kind != EO_N_NAME)
			return eo_code_refuse(
				t->c, arg->pos.line,
				"what the use is given may change up to there");
		if (arg->var != t->var)
			continue;
		t->arg = i;
		t->by_address = address;
	}
	if (!t->arg || !t->consumer->is_void ||
	    !eo_turn_param(t->consumer, t->arg))
		return eo_code_refuse(t->c, t->use->pos.line,
				      "the use gives back a value");
	return NULL;
}

static struct eo_error *find_starts(struct eo_turn *t)
{
	for (size_t i = t->sample.index + 1; i < t->top.index; i++)
		eo_starts_find(t->site, t->body->kid[i], &t->starts);
	if (!t->starts.n)
		return eo_code_refuse(
			t->c, t->sample.stmt->pos.line,
			"no branch is seen in which the work of a turn starts");
	for (size_t i = 0; i < t->starts.calls.n; i++) {
		const char *name = t->starts.calls.items[i]->name;

		if (eo_turn_count(t->c, name) != 2)
			return eo_code_refuse(
				t->c, t->starts.calls.items[i]->pos.line,
				"%s() is called, or declared, elsewhere too",
				name);
	}
	return NULL;
}

struct eo_error *eo_turn_find(struct eo_code *c, const struct eo_site *site,
			      const struct eo_finding *f, struct eo_turn *t)
{
	struct eo_outs outs;

	t->c = c;
	t->site = site;
	eo_sample_outs(site, &outs);
	if (!outs.local || outs.n != 1)
		return eo_code_refuse(c, f->line,
				      "it has more than one result");
	t->var = outs.vars[0];
	eo_try(find_decl(t));
	eo_try(find_places(t, f));
	eo_try(check_way(t, t->top.stmt));
	eo_try(find_consumer(t));
	return find_starts(t);
}

void eo_turn_release(struct eo_turn *t)
{
	eo_func_free(t->consumer);
	eo_starts_release(&t->starts);
}
