// SPDX-License-Identifier: GPL-2.0-only
#include "scan/context.h"

#include <stdlib.h>

#include "base/err.h"
#include "base/str.h"
#include "base/wire.h"
#include "facts/summary.h"
#include "facts/callers.h"
#include "scan/analyze.h"
#include "scan/rounds.h"
#include "scan/scan.h"
#include "tree/candidates.h"
#include "tree/definitions.h"
#include "tree/tree.h"
#include "tu/unit.h"

/*
 * What is read for context only. A proof that rests on more than this is one
 * that nobody would check by hand either.
 */
#define LEARN_ROUNDS 4
#define LEARN_NAMES 96
#define LEARN_FILES 48
#define HEAT_ROUNDS 2
#define HEAT_NAMES 48
#define HEAT_FILES 24

void eo_context_release(struct eo_context *c)
{
	eo_externs_release(&c->externs);
	eo_callgraph_release(&c->graph);
	eo_map_release(&c->asked);
	eo_map_release(&c->asking);
	eo_map_release(&c->opened);
}

void eo_context_put(struct eo_str *to, const struct eo_context *c, bool answer,
		    const struct eo_callers *callers,
		    struct eo_summaries *summaries)
{
	struct eo_map_entry *e;

	eo_callgraph_put(to, callers, summaries->model);
	if (!answer)
		return;
	eo_map_for_each(e, &c->asking) {
		const struct eo_use *use = eo_callers_use(callers, e->key);

		if (use && use->in_main && !use->is_static)
			eo_summary_put(to, eo_summary_of(summaries, e->key));
	}
}

bool eo_context_get(struct eo_wire *w, const char *file, struct eo_context *c)
{
	bool ok = eo_callgraph_get(w, file, &c->graph);

	while (ok && w->left)
		ok = eo_externs_get(w, &c->externs);
	return ok;
}

/* Reads @files for what they say, and nothing else. */
static struct eo_error *gather(struct eo_rounds *s, const struct eo_map *files,
			       size_t most)
{
	const struct eo_names none = { 0 };
	struct eo_error *err = NULL;
	struct eo_map_entry *e;

	s->batch.n = 0;
	eo_map_for_each(e, files)
		if (s->batch.n < most)
			*eo_vec_push(&s->batch) =
				eo_arena_strdup(&s->arena, e->key);
	if (s->batch.n)
		err = eo_rounds_open_build(s, &none);
	s->facts_only = true;
	if (!err && s->batch.n)
		err = eo_rounds_run_batch(s);
	s->facts_only = false;
	return err;
}

/* Adds @name to those of this round, once in a scan. */
static void ask(struct eo_rounds *s, struct eo_names *names, const char *name)
{
	if (names->n >= LEARN_NAMES || !eo_set_add(&s->context.asked, name))
		return;
	eo_set_add(&s->context.asking, name);
	*eo_vec_push(names) = eo_arena_strdup(&s->arena, name);
}

static void ask_all(struct eo_rounds *s, struct eo_names *names,
		    const struct eo_map *set)
{
	struct eo_map_entry *e;

	eo_map_for_each(e, set)
		ask(s, names, e->key);
}

/* What the findings lack, and what those who answered lacked in turn. */
static void next_questions(struct eo_rounds *s, struct eo_names *names)
{
	const struct eo_map *known = &s->context.externs.known;
	struct eo_map_entry *e;

	eo_map_release(&s->context.asking);
	eo_map_for_each(e, &s->results)
		ask_all(s, names, &((struct eo_analysis *)e->value)->wanted);
	eo_map_for_each(e, known)
		if (e->value)
			ask_all(s, names,
				&((struct eo_summary *)e->value)->lacks);
}

/* The files with something undecided, again: more is known now. */
static struct eo_error *look_again(struct eo_rounds *s)
{
	struct eo_map_entry *e;

	s->batch.n = 0;
	eo_map_for_each(e, &s->results)
		if (((struct eo_analysis *)e->value)->wanted.n)
			*eo_vec_push(&s->batch) = e->key;
	return s->batch.n ? eo_rounds_run_batch(s) : NULL;
}

struct eo_error *eo_context_learn(struct eo_rounds *s)
{
	struct eo_error *err = NULL;

	for (int round = 0; !err && round < LEARN_ROUNDS; round++) {
		EO_CLEANUP(eo_names_free) struct eo_names names = { 0 };
		EO_CLEANUP(eo_map_release) struct eo_map files = { 0 };

		next_questions(s, &names);
		if (!names.n)
			break;
		err = eo_definitions_find(s->tree, names.items, names.n,
					  s->opts->jobs, &files);
		if (!err)
			err = gather(s, &files, LEARN_FILES);
	}
	return err || !s->context.externs.known.n ? err : look_again(s);
}

/* The functions with findings, and what calls them, whose callers may be in
 * files that nobody has looked at. */
static void open_ends(struct eo_rounds *s, struct eo_names *names)
{
	struct eo_map_entry *e, *end;

	eo_map_for_each(e, &s->results) {
		const struct eo_analysis *a = e->value;
		EO_CLEANUP(eo_map_release) struct eo_map ends = { 0 };
		struct eo_finding *f;

		eo_vec_for_each(f, &a->found)
			if (!eo_callgraph_chain(&s->context.graph, s->model,
						f->file, f->function,
						&s->arena))
				eo_callgraph_open_ends(&s->context.graph,
						       f->file, f->function,
						       &ends);
		eo_map_for_each(end, &ends)
			if (names->n < HEAT_NAMES &&
			    eo_set_add(&s->context.opened, end->key))
				*eo_vec_push(names) =
					eo_arena_strdup(&s->arena, end->key);
	}
}

/* The files that name one of @names and were not looked at yet. */
static struct eo_error *
namers(struct eo_rounds *s, const struct eo_names *names, struct eo_map *files)
{
	EO_CLEANUP(eo_candidates_release) struct eo_candidates c = { 0 };
	struct eo_gaps gaps = { 0 };
	struct eo_candidate *it;
	struct eo_error *err = eo_candidates_find(
		s->tree, names->items, names->n, s->opts->jobs, &gaps, &c);

	eo_gaps_release(&gaps);
	eo_vec_for_each(it, &c)
		if (!eo_map_has(&s->results, it->file))
			eo_set_add(files, it->file);
	return err;
}

struct eo_error *eo_context_heat(struct eo_rounds *s)
{
	struct eo_error *err = NULL;

	for (int round = 0; !err && round < HEAT_ROUNDS; round++) {
		EO_CLEANUP(eo_names_free) struct eo_names names = { 0 };
		EO_CLEANUP(eo_map_release) struct eo_map files = { 0 };

		open_ends(s, &names);
		if (!names.n)
			break;
		err = namers(s, &names, &files);
		if (!err)
			err = gather(s, &files, HEAT_FILES);
	}
	return err;
}
