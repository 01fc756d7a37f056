// SPDX-License-Identifier: GPL-2.0-only
/*
 * idle-visit: where a test behind the lock says that nothing is pending, to
 * leave before the work: by way of a label where the lock is given back.
 */
#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "facts/ast.h"
#include "facts/cfg.h"
#include "facts/dom.h"
#include "facts/locks.h"
#include "finding/finding.h"
#include "model/model.h"
#include "rewrite/helper.h"
#include "rewrite/idle.h"
#include "rewrite/rules.h"
#include "rules/idle.h"
#include "rules/path.h"
#include "rules/rule.h"
#include "tu/unit.h"

struct idle {
	struct eo_code *c;
	struct eo_func *f;
	struct eo_dom dom, postdom;
	struct eo_site site; /* at the lock */
	unsigned test, release;
	struct eo_place lock_at, release_at;
	const char *label;
};

static void idle_release(struct idle *k)
{
	if (!k->f)
		return;
	eo_dom_release(&k->dom);
	eo_dom_release(&k->postdom);
	eo_func_free(k->f);
}

const struct eo_step *eo_idle_step(const struct eo_finding *f, const char *kind)
{
	const struct eo_step *s;

	eo_vec_for_each(s, &f->steps)
		if (strcmp(s->kind, kind) == 0)
			return s;
	return NULL;
}

/* The atom of that kind at the place of a step, 0 when there is none. */
static unsigned atom_at(const struct eo_func *f, enum eo_atom_kind kind,
			const struct eo_step *s)
{
	for (unsigned i = 0; s && i < f->cfg->n; i++) {
		const struct eo_atom *at = &f->cfg->items[i];

		if (at->kind == kind && at->node->pos.line == s->line &&
		    at->node->pos.column == s->column)
			return i;
	}
	return 0;
}

static struct eo_error *find_atoms(struct idle *k, const struct eo_finding *f)
{
	k->site.atom = atom_at(k->f, EO_A_CALL, eo_idle_step(f, "lock"));
	k->test = atom_at(k->f, EO_A_BRANCH, eo_idle_step(f, "test"));
	if (!k->site.atom || !k->test)
		return eo_code_refuse(k->c, f->line,
				      "a macro takes the lock, or tests");
	return NULL;
}

static struct eo_error *find_release(struct idle *k, const struct eo_finding *f)
{
	const struct eo_cfg *cfg = k->f->cfg;

	for (unsigned i = 0; i < cfg->n; i++) {
		const struct eo_atom *at = &cfg->items[i];

		if (at->kind != EO_A_CALL || !at->node->name ||
		    eo_lock_net_of(k->c->u, k->site.model, at->node->name)
				    .most >= 0 ||
		    !eo_dominates(&k->dom, k->site.atom, i))
			continue;
		if (k->release || !eo_dominates(&k->postdom, i, k->site.atom))
			return eo_code_refuse(
				k->c, at->node->pos.line,
				"the lock is given back in more than one place");
		k->release = i;
	}
	return k->release ? NULL :
			    eo_code_refuse(
				    k->c, f->line,
				    "where the lock is given back is not seen");
}

/* Both are statements of the function's outermost block. */
static struct eo_error *find_places(struct idle *k)
{
	const struct eo_cfg *cfg = k->f->cfg;
	const struct eo_node *lock = cfg->items[k->site.atom].node;
	const struct eo_node *unlock = cfg->items[k->release].node;

	if (!eo_code_place(k->f->body, lock, &k->lock_at) ||
	    !eo_code_place(k->f->body, unlock, &k->release_at) ||
	    k->lock_at.parent != k->f->body ||
	    (k->release_at.parent != k->f->body &&
	     k->release_at.parent->kind != EO_N_LABEL))
		return eo_code_refuse(
			k->c, lock->pos.line,
			"the lock is not taken and given back at the function's outermost level");
	if (k->release_at.parent->kind == EO_N_LABEL)
		k->label = k->release_at.parent->name;
	for (size_t i = k->lock_at.index; i < k->f->body->n_kids; i++) {
		const struct eo_node *n = k->f->body->kid[i];

		for (size_t v = 0; n->kind == EO_N_DECL && v < n->n_kids; v++)
			if (n->kid[v]->var && n->kid[v]->var->cleanup)
				return eo_code_refuse(
					k->c, n->pos.line,
					"a goto would jump into the scope of a variable with a cleanup");
	}
	return NULL;
}

/* Whether what the function returns is set already where it would leave. */
static struct eo_error *check_result(struct idle *k)
{
	const struct eo_cfg *cfg = k->f->cfg;

	for (unsigned i = 0; i < cfg->n; i++) {
		const struct eo_atom *at = &cfg->items[i];
		const struct eo_node *value;
		long long number;
		bool set = false;

		if (at->kind != EO_A_RETURN || !at->node->kid[0] ||
		    !eo_dominates(&k->dom, k->release, i))
			continue;
		value = at->node->kid[0];
		if (eo_node_constant(value, &number))
			continue;
		if (value->kind != EO_N_NAME)
			return eo_code_refuse(
				k->c, value->pos.line,
				"what it returns is computed there");
		for (unsigned d = 0; d < cfg->n && !set; d++)
			set = cfg->items[d].kind == EO_A_STORE &&
			      cfg->items[d].node &&
			      cfg->items[d].node->var == value->var &&
			      eo_dominates(&k->dom, d, k->site.atom);
		for (unsigned d = 0; d < cfg->n && !set; d++)
			set = cfg->items[d].kind == EO_A_STORE &&
			      cfg->items[d].var == value->var &&
			      eo_dominates(&k->dom, d, k->site.atom);
		if (!set)
			return eo_code_refuse(
				k->c, value->pos.line,
				"%s has no value yet where nothing is pending",
				value->var->name);
	}
	return NULL;
}

const struct eo_loop *eo_idle_turn(const struct eo_site *site)
{
	const struct eo_cfg *cfg = site->f->cfg;
	const struct eo_loop *turn = NULL;

	for (size_t i = 0; i < cfg->loops.n; i++)
		if (eo_code_has(cfg->loops.items[i].node,
				cfg->items[site->atom].node))
			turn = &cfg->loops.items[i]; /* inner ones later */
	return turn;
}

static bool next_turn(const struct eo_cfg *cfg, unsigned from, size_t nth,
		      void *data)
{
	const struct eo_loop *turn = data;

	return turn && cfg->items[from].succ.items[nth] == turn->head;
}

/* The test has to mean the same right behind the lock. */
static struct eo_error *check_test(struct idle *k)
{
	const struct eo_cfg *cfg = k->f->cfg;
	const struct eo_node *test = cfg->items[k->test].node;
	void *turn = (void *)eo_idle_turn(&k->site);
	EO_CLEANUP(eo_freep)
	bool *between = eo_cfg_reach(cfg, k->site.atom, false, next_turn, turn);
	struct eo_reason why = { 0 };
	enum eo_answer same;

	for (unsigned i = 0; i < cfg->n; i++) {
		EO_CLEANUP(eo_freep)
		bool *on = eo_cfg_reach(cfg, i, false, next_turn, turn);

		between[i] &= on[k->test];
	}
	/* A variable that is set in between has no value there. */
	same = eo_path_same_before(&k->site, test, between, k->c->arena, &why);
	return same == EO_YES ? NULL :
				eo_code_refuse(k->c, why.line, "%s", why.text);
}

static bool has_label(const struct eo_node *n, const char *name)
{
	if (!n)
		return false;
	if (n->kind == EO_N_LABEL && eo_streq(n->name, name))
		return true;
	for (size_t i = 0; i < n->n_kids; i++)
		if (has_label(n->kid[i], name))
			return true;
	return false;
}

static const char *new_label(const struct idle *k)
{
	const char *name = "unlock";

	for (unsigned i = 2; has_label(k->f->body, name); i++)
		name = eo_arena_printf(k->c->arena, "unlock%u", i);
	return name;
}

/* "a && IDLE" in an if needs no second part: nothing else comes here. */
static void drop_operand(struct idle *k, const struct eo_node *test)
{
	struct eo_place at = { 0 };
	const struct eo_node *and;
	struct eo_span keep, all;

	if (!eo_code_place(k->f->body, test, &at) || at.stmt->kind != EO_N_IF)
		return;
	and = at.stmt->kid[0];
	if (and->kind != EO_N_AND || and->kid[1] != test)
		return;
	keep = eo_code_expr(k->c, and->kid[0]);
	all = eo_code_expr(k->c, and);
	if (!keep.end || !all.end || keep.start != all.start ||
	    memchr(k->c->s + keep.end, '*', all.end - keep.end) ||
	    memchr(k->c->s + keep.end, ')', all.end - keep.end))
		return;
	eo_edits_remove(&k->c->edits, keep.end, all.end);
}

const char *eo_idle_phrase(const struct eo_site *site,
			   const struct eo_node *test)
{
	unsigned unset;
	const struct eo_node *field = eo_idle_field(test, &unset);

	return field ? eo_idle_mark(site->model, field) : NULL;
}

const char *eo_idle_comment(const struct eo_code *c, const char *indent,
			    const char *phrase)
{
	const char *text = eo_arena_printf(
		c->arena, "/* Nothing to do here: %s */", phrase ? phrase : "");

	if (!phrase || 8 * strlen(indent) + strlen(text) > 80)
		text = "/* Nothing to do here */";
	return eo_arena_printf(c->arena, "%s%s\n", indent, text);
}

static struct eo_error *edit(struct idle *k, const struct eo_finding *f)
{
	const struct eo_node *test = k->f->cfg->items[k->test].node;
	struct eo_code *c = k->c;
	const char *phrase = eo_idle_phrase(&k->site, test);
	struct eo_span lock = eo_code_lines(c, k->lock_at.stmt);
	struct eo_span unlock = eo_code_lines(c, k->release_at.stmt);
	const char *indent, *old = k->label;
	bool blank;

	if (!lock.end || !unlock.end ||
	    eo_code_has_directive(c,
				  (struct eo_span){ lock.start, unlock.end }))
		return eo_code_refuse(
			c, f->line,
			"an #if stands between the lock and where it is given back");
	if (!old)
		k->label = new_label(k);
	indent = eo_code_indent(c, lock.end - 1);
	blank = c->s[lock.end + strspn(c->s + lock.end, "\r")] == '\n';
	eo_edits_insert(&c->edits, lock.end, "%s%s%sif (%s)\n%s\tgoto %s;\n%s",
			blank ? "\n" : "", eo_idle_comment(c, indent, phrase),
			indent, f->guard, indent, k->label, blank ? "" : "\n");
	if (!old)
		eo_edits_insert(&c->edits, unlock.start, "%s:\n", k->label);
	drop_operand(k, test);
	eo_code_note(
		c, EO_NOTE_CHANGE,
		"Test %s right behind the lock, and go to where the lock is given back when it says that nothing is pending.",
		f->guard);
	eo_code_note(
		c, EO_NOTE_SAFE,
		"The test is made with the lock held, as before. The lock is given back in one place, which every path goes through.");
	c->out->subject = eo_arena_printf(
		&c->out->arena, "do no work where nothing is pending");
	return NULL;
}

struct eo_error *eo_rewrite_idle(struct eo_code *c, const struct eo_site *site,
				 const struct eo_finding *f)
{
	EO_CLEANUP(idle_release) struct idle k = { .c = c, .site = *site };
	const struct eo_unit_function *uf = eo_unit_function(c->u, f->function);
	bool once = c->helper->step->strategy->needs;

	if (eo_idle_step(f, "visit") && !once)
		return NULL; /* what it visits is mended */
	k.f = eo_func_build(c->u, site->model, uf);
	eo_dom_build(k.f->cfg, false, &k.dom);
	eo_dom_build(k.f->cfg, true, &k.postdom);
	k.site.f = k.f;
	k.site.dom = &k.dom;
	k.site.postdom = &k.postdom;
	if (once)
		return eo_rewrite_once(c, &k.site, f);
	eo_try(find_atoms(&k, f));
	eo_try(check_test(&k));
	if (c->helper->step->strategy->on_word)
		return eo_rewrite_ahead(c, &k.site, f, k.test);
	eo_try(find_release(&k, f));
	eo_try(find_places(&k));
	eo_try(check_result(&k));
	return edit(&k, f);
}
