/* SPDX-License-Identifier: GPL-2.0-only */
/* What the two files of idle-visit share. */
#ifndef EO_RULES_IDLE_H
#define EO_RULES_IDLE_H

#include <stdbool.h>

#include "rules/path.h"
#include "rules/rule.h"

/* What a visit locks, and the test behind that. */
struct eo_visit {
	const struct eo_rule *rule;
	const struct eo_machinery *m;
	struct eo_site site; /* at the lock, in the visited function */
	const struct eo_loop *within; /* or in the turn of this loop itself */
	unsigned branch, idle; /* the test, and its side with nothing to do */
	const struct eo_node *field; /* that it asks about */
	const char *mark; /* the model's phrase about the field, or NULL */
	bool unlocks; /* the lock is given back there */
	bool early; /* all it does is done before the test */
	bool leaves; /* the idle side does nothing but leave */
	struct eo_reason work; /* what it does, otherwise */
};

/*
 * The field that a test is of, as in p->f, p->f == NULL, p->f != 0; @unset:
 * which side is taken when it is NULL or 0. NULL for another kind of test.
 */
const struct eo_node *eo_idle_field(const struct eo_node *cond,
				    unsigned *unset);
/* The model's phrase about the field: it says whether something is pending. */
const char *eo_idle_mark(const struct eo_model *model,
			 const struct eo_node *field);
/* Whether atom @i belongs to the visit. */
bool eo_idle_in_visit(const struct eo_visit *v, unsigned i);
/* Whether a test of v->field comes before the lock in the turn itself. */
bool eo_idle_asked_in_turn(const struct eo_visit *v);

/* The one test for all visits of a loop. */
struct eo_once {
	const char *guard; /* "!g->queued", before the loop; NULL: each visit
			    * has a test of its own, and */
	const char *why; /* says what makes it so */
};

/*
 * Whether the test of @v, which leaves, can be made once, before @loop.
 * @around: at the call in the loop by which the visited function is reached;
 * or, in the loop's own function, anywhere. Texts in @a.
 */
void eo_idle_once(const struct eo_visit *v, const struct eo_site *around,
		  const struct eo_loop *loop, struct eo_arena *a,
		  struct eo_once *out);

/*
 * The lock of a turn (v->site, v->within), and behind it a loop that asks a
 * function of @m for the next one that is pending: which finds none at once.
 */
void eo_idle_check_source(struct eo_visit *v, const char *visits,
			  struct eo_findings *found,
			  struct eo_findings *rejected);

#endif
