// SPDX-License-Identifier: GPL-2.0-only
/*
 * idle-visit, for whoever knows that the field may be read without the locks:
 * a test before the loop, where it is the same one in every visit.
 */
#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "facts/ast.h"
#include "facts/cfg.h"
#include "facts/dom.h"
#include "finding/finding.h"
#include "rewrite/idle.h"
#include "rewrite/rules.h"
#include "rules/idle.h"
#include "rules/path.h"
#include "rules/rule.h"
#include "tu/unit.h"

struct once {
	struct eo_code *c;
	const struct eo_finding *f;
	const struct eo_loop *loop;
	struct eo_site head; /* at the loop */
	unsigned test, idle; /* the branch in the loop, and its side with
			      * nothing to do; 0: it is in another function */
};

static bool is_at(const struct eo_node *n, const struct eo_step *s)
{
	return s && n->pos.line == s->line && n->pos.column == s->column;
}

/* The loop of the finding's steps, and the test if it is in it. */
static struct eo_error *find(struct once *o)
{
	const struct eo_step *loop = eo_idle_step(o->f, "loop");
	const struct eo_step *test = eo_idle_step(o->f, "test");
	const struct eo_cfg *cfg = o->head.f->cfg;
	unsigned unset;

	for (size_t i = 0; i < cfg->loops.n; i++)
		if (is_at(cfg->loops.items[i].node, loop))
			o->loop = &cfg->loops.items[i];
	if (!o->loop || !o->f->guard)
		return eo_code_refuse(o->c, o->f->line,
				      "the loop of visits is not seen");
	o->head.atom = o->loop->head;
	for (unsigned i = 0; i < cfg->n; i++)
		if (cfg->items[i].kind == EO_A_BRANCH &&
		    is_at(cfg->items[i].node, test) &&
		    eo_idle_field(cfg->items[i].node, &unset)) {
			o->test = i;
			o->idle = *o->f->guard == '!' ? unset : !unset;
		}
	return NULL;
}

static bool other_side(const struct eo_cfg *cfg, unsigned from, size_t nth,
		       void *data)
{
	const struct once *o = data;

	(void)cfg;
	return o->test && from == o->test && nth != o->idle;
}

/* "return n;" */
static struct eo_error *way_out(struct once *o, const char **out)
{
	EO_CLEANUP(eo_freep)
	bool *set =
		eo_cfg_reach(o->head.f->cfg, o->head.atom, true, other_side, o);
	struct eo_reason why = { 0 };
	const char *result = eo_path_result(&o->head, set, o->c->arena, &why);

	if (!result)
		return eo_code_refuse(o->c, why.line, "%s", why.text);
	*out = eo_arena_printf(o->c->arena, "return%s%s", *result ? " " : "",
			       result);
	return NULL;
}

static struct eo_error *put(struct once *o, const char *test, const char *leave)
{
	struct eo_code *c = o->c;
	const struct eo_node *loop = o->loop->node;
	const char *indent = eo_code_indent(c, loop->pos.offset);
	struct eo_place at = { 0 };

	if (!eo_code_place(o->head.f->body, loop, &at) || at.stmt != loop)
		return eo_code_refuse(c, loop->pos.line,
				      "the loop is no statement by itself");
	return eo_code_insert_before(
		c, &at,
		eo_arena_printf(c->arena, "%s%sif (%s)\n%s\t%s;\n\n",
				eo_idle_comment(c, indent, NULL), indent, test,
				indent, leave));
}

static void tell(const struct once *o, const char *test)
{
	eo_code_note(
		o->c, EO_NOTE_CHANGE,
		"Test %s once, before the loop, and leave when it says that nothing is pending.",
		test);
	eo_code_note(
		o->c, EO_NOTE_SAFE,
		"The test is the same one in every visit, and the function does nothing from the loop on when all visits leave. The test with the lock held stays, so that work is done only where it says so.");
	eo_code_note(
		o->c, EO_NOTE_RACE,
		"What becomes pending right behind the test, wherever that is, is seen the next time, as if it had come after the last visit.");
	eo_code_note(
		o->c, EO_NOTE_VALUE,
		"Where there is something to do, one more test is made, without the locks.");
	o->c->out->subject = eo_arena_printf(&o->c->out->arena,
					     "test for idle before the loop");
}

struct eo_error *eo_rewrite_once(struct eo_code *c, const struct eo_site *site,
				 const struct eo_finding *f)
{
	struct once o = { .c = c, .f = f, .head = *site };
	const char *leave = NULL, *test;

	eo_try(find(&o));
	eo_try(way_out(&o, &leave));
	test = eo_idle_lockless(c, f->guard);
	eo_try(put(&o, test, leave));
	tell(&o, test);
	return NULL;
}
