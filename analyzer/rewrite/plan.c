// SPDX-License-Identifier: GPL-2.0-only
/* Which findings one patch mends, and the order of the patches. */
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "finding/finding.h"
#include "rewrite/rewrite.h"

void eo_plan_release(struct eo_plan *p)
{
	struct eo_plan_step *step;

	eo_vec_for_each(step, p)
		free(step->items);
	free(p->items);
	*p = (struct eo_plan){ 0 };
}

/* Whether some rule's patch is made that way. */
static bool anybody_makes(const struct eo_findings *findings, const char *name)
{
	const struct eo_finding *f;

	eo_vec_for_each(f, findings) {
		const struct eo_strategy *s =
			eo_rewrite_strategy(f->rule, name);

		if (f->fix == EO_FIX_AUTO && s && s->is_made)
			return true;
	}
	return false;
}

#define ONE_FIELD "rusage-one-field"
#define HOT_LOOP "rusage-hot-loop"
#define IDLE_VISIT "idle-visit"

static size_t dir_len(const char *file)
{
	const char *slash = strrchr(file, '/');

	return slash ? (size_t)(slash - file) : 0;
}

static bool same_dir(const struct eo_finding *a, const struct eo_finding *b)
{
	size_t n = dir_len(a->file);

	return n == dir_len(b->file) && !memcmp(a->file, b->file, n);
}

/*
 * Numbers that are shown beside each other have to come from one source: the
 * samples of a folder change together, also one that nothing but "own-time"
 * is assumed of.
 */
static bool goes_along(const struct eo_finding *f)
{
	const struct eo_obligation *o;

	if (f->fix == EO_FIX_AUTO)
		return true;
	eo_vec_for_each(o, &f->obligations)
		if (o->state != EO_PROOF_PROVED && strcmp(o->name, "own-time"))
			return false;
	return f->obligations.n > 1;
}

/* Whether it is about a visit, and not about what is done in one. */
static bool is_visit(const struct eo_finding *f)
{
	const struct eo_step *s;

	eo_vec_for_each(s, &f->steps)
		if (strcmp(s->kind, "visit") == 0)
			return true;
	return false;
}

/* Whether mending @lead in that way mends @f, or needs it mended. */
static bool belongs_to(const struct eo_finding *f,
		       const struct eo_plan_step *step)
{
	const struct eo_finding *lead = step->items[0];

	if (strcmp(f->rule, lead->rule))
		return false;
	if (strcmp(f->rule, ONE_FIELD) == 0)
		return same_dir(f, lead) && goes_along(f);
	return strcmp(f->rule, IDLE_VISIT) == 0 && step->strategy->on_word &&
	       eo_streq(f->file, lead->file) &&
	       eo_streq(f->call, lead->function) && is_visit(f);
}

/* State of planning. */
struct planner {
	const struct eo_findings *findings;
	bool (*wanted)(const struct eo_finding *f, void *data);
	void *data;
	const char *strategy;
	struct eo_plan *out;
	bool *taken;
};

static void add_companions(struct planner *p, struct eo_plan_step *step)
{
	for (size_t i = 0; i < p->findings->n; i++) {
		const struct eo_finding *f = &p->findings->items[i];

		if (p->taken[i] || !belongs_to(f, step) ||
		    !p->wanted(f, p->data))
			continue;
		p->taken[i] = true;
		*eo_vec_push(step) = f;
	}
}

/* Whether all is proved but what @s takes somebody's word for. */
static bool lacks_word_only(const struct eo_finding *f,
			    const struct eo_strategy *s)
{
	const struct eo_obligation *o;
	const char *why;

	if (!s || !s->on_word || f->fix != EO_FIX_MANUAL ||
	    !eo_rewrite_offers(s, f, &why))
		return false;
	if (eo_streq(f->rule, IDLE_VISIT) && !s->needs &&
	    (!f->guard || is_visit(f)))
		return false; /* mended where the lock is taken, if at all */
	eo_vec_for_each(o, &f->obligations)
		if (o->state != EO_PROOF_PROVED && strcmp(o->name, s->on_word))
			return false;
	return true;
}

/* How it is mended, NULL when not at all. */
static const struct eo_strategy *way_of(const struct planner *p,
					const struct eo_finding *f)
{
	const struct eo_strategy *s = NULL;

	if (p->strategy)
		s = eo_rewrite_strategy(f->rule, p->strategy);
	if (lacks_word_only(f, s))
		return s;
	if (f->fix != EO_FIX_AUTO)
		return NULL;
	return s && !s->on_word ? s : eo_rewrite_strategy(f->rule, NULL);
}

static void add_step(struct planner *p, size_t i)
{
	const struct eo_finding *f = &p->findings->items[i];
	const struct eo_strategy *s = way_of(p, f);
	struct eo_plan_step *step;

	if (p->taken[i] || (!s && f->fix != EO_FIX_AUTO) ||
	    !p->wanted(f, p->data))
		return;
	p->taken[i] = true;
	/* Another finding's patch will do it. */
	if (s && !s->is_made && anybody_makes(p->findings, s->name))
		return;
	step = eo_vec_push(p->out);
	*eo_vec_push(step) = f;
	step->strategy = s;
	add_companions(p, step);
}

void eo_rewrite_plan(const struct eo_findings *findings,
		     bool (*wanted)(const struct eo_finding *f, void *data),
		     void *data, const char *strategy, struct eo_plan *out)
{
	EO_CLEANUP(eo_freep)
	bool *taken = eo_zalloc(findings->n + 1);
	struct planner p = { findings, wanted, data, strategy, out, taken };

	/* A sample is made cheap first, then taken only where it is used. */
	for (int late = 0; late < 2; late++)
		for (size_t i = 0; i < findings->n; i++)
			if (eo_streq(findings->items[i].rule, HOT_LOOP) ==
			    !!late)
				add_step(&p, i);
}
