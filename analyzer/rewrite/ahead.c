// SPDX-License-Identifier: GPL-2.0-only
/*
 * idle-visit, for whoever knows that the field may be read without the lock:
 * test before the lock, and leave the visit there.
 */
#include <string.h>

#include "base/err.h"
#include "base/map.h"
#include "base/str.h"
#include "facts/ast.h"
#include "facts/cfg.h"
#include "facts/dom.h"
#include "finding/finding.h"
#include "model/model.h"
#include "rewrite/idle.h"
#include "rewrite/rules.h"
#include "rules/idle.h"
#include "rules/path.h"
#include "rules/rule.h"
#include "tu/unit.h"

struct ahead {
	struct eo_code *c;
	const struct eo_finding *f;
	struct eo_site *site; /* at the lock */
	unsigned test, idle; /* the branch, and its side with nothing to do */
	const struct eo_loop *turn; /* that the lock is taken in, or NULL */
	struct eo_place at; /* of the lock */
};

static const struct eo_node *test_of(const struct ahead *h)
{
	return h->site->f->cfg->items[h->test].node;
}

static struct eo_error *find_places(struct ahead *h)
{
	const struct eo_node *lock = h->site->f->cfg->items[h->site->atom].node;
	unsigned unset;

	if (!h->f->guard || !eo_idle_field(test_of(h), &unset))
		return eo_code_refuse(h->c, h->f->line,
				      "the test is in another function");
	h->idle = *h->f->guard == '!' ? unset : !unset;
	if (!eo_code_place(h->site->f->body, lock, &h->at) ||
	    h->at.stmt->kind == EO_N_DECL ||
	    !eo_code_lines(h->c, h->at.stmt).end)
		return eo_code_refuse(
			h->c, lock->pos.line,
			"the lock is taken in no statement on lines of its own");
	h->turn = eo_idle_turn(h->site);
	return NULL;
}

static bool other_side(const struct eo_cfg *cfg, unsigned from, size_t nth,
		       void *data)
{
	const struct ahead *h = data;

	if (h->turn && cfg->items[from].succ.items[nth] == h->turn->head)
		return true;
	return from == h->test && nth != h->idle;
}

/* "return NULL;", "continue;": how such a visit ends. */
static struct eo_error *way_out(struct ahead *h, const char **out)
{
	const struct eo_cfg *cfg = h->site->f->cfg;
	EO_CLEANUP(eo_freep)
	bool *path = eo_cfg_reach(cfg, h->site->atom, false, other_side, h);
	struct eo_reason why = { 0 };
	const char *result;

	if (h->turn) {
		*out = "continue";
		return path[EO_CFG_EXIT] || path[h->turn->out] ?
			       eo_code_refuse(
				       h->c, test_of(h)->pos.line,
				       "where nothing is pending, the loop is left") :
			       NULL;
	}
	result = eo_path_result(h->site, path, h->c->arena, &why);
	if (!result)
		return eo_code_refuse(h->c, why.line, "%s", why.text);
	*out = eo_arena_printf(h->c->arena, "return%s%s", *result ? " " : "",
			       result);
	return NULL;
}

struct names {
	const struct eo_node *lock;
	bool made;
};

static void visit_name(const struct eo_node *n, void *data)
{
	struct names *d = data;

	d->made |= n->kind == EO_N_NAME && eo_code_sets(d->lock, n->var);
}

static struct eo_error *check_names(const struct ahead *h)
{
	struct names d = { h->at.stmt, false };

	eo_node_visit(test_of(h), visit_name, &d);
	return d.made ? eo_code_refuse(h->c, h->at.stmt->pos.line,
				       "the lock says what is to be tested") :
			NULL;
}

const char *eo_idle_lockless(const struct eo_code *c, const char *guard)
{
	bool not = *guard == '!';

	if (strstr(guard, "READ_ONCE("))
		return guard;
	return eo_arena_printf(c->arena, "%sREAD_ONCE(%s)", not? "!" : "",
			       guard + not);
}

static void tell(const struct ahead *h, const char *test)
{
	eo_code_note(
		h->c, EO_NOTE_CHANGE,
		"Test %s before the lock is taken, and leave when it says that nothing is pending.",
		test);
	eo_code_note(
		h->c, EO_NOTE_SAFE,
		"The test with the lock held stays, so that work is done only where it says so.");
	eo_code_note(
		h->c, EO_NOTE_RACE,
		"What becomes pending right behind the test is seen by the next visit, as if it had come after this one.");
	eo_code_note(
		h->c, EO_NOTE_VALUE,
		"Where there is something to do, one more test is made, without the lock.");
	h->c->out->subject = eo_arena_printf(&h->c->out->arena,
					     "test for idle before the lock");
}

struct eo_error *eo_rewrite_ahead(struct eo_code *c, struct eo_site *site,
				  const struct eo_finding *f, unsigned test)
{
	struct ahead h = { .c = c, .f = f, .site = site, .test = test };
	const char *phrase, *leave, *indent, *text, *guard;

	eo_try(find_places(&h));
	eo_try(check_names(&h));
	eo_try(way_out(&h, &leave));
	phrase = eo_idle_phrase(site, test_of(&h));
	guard = eo_idle_lockless(c, f->guard);
	indent = eo_code_indent(c, h.at.stmt->pos.offset);
	text = eo_arena_printf(c->arena, "%s%sif (%s)\n%s\t%s;\n\n",
			       eo_idle_comment(c, indent, phrase), indent,
			       guard, indent, leave);
	if (eo_code_has_directive(c,
				  (struct eo_span){ h.at.stmt->pos.offset,
						    test_of(&h)->pos.offset }))
		return eo_code_refuse(c, f->line,
				      "an #if stands between lock and test");
	eo_try(eo_code_insert_before(c, &h.at, text));
	tell(&h, guard);
	return NULL;
}
