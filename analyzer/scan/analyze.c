// SPDX-License-Identifier: GPL-2.0-only
#include "scan/analyze.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "base/wire.h"
#include "facts/ast.h"
#include "facts/callers.h"
#include "facts/cfg.h"
#include "facts/dom.h"
#include "facts/live.h"
#include "facts/summary.h"
#include "facts/wrapper.h"
#include "model/model.h"
#include "rules/rule.h"
#include "scan/context.h"
#include "scan/unseen.h"
#include "tu/unit.h"

#define MAX_ROUNDS 16 /* wrappers of wrappers of … */

/* State of analysing one unit. */
struct job {
	struct eo_unit *u;
	struct eo_model *model;
	const struct eo_ask *ask; /* or NULL */
	struct eo_callers callers;
	struct eo_summaries summaries;
	struct eo_map funcs; /* name → struct eo_func, those with a call */
	struct eo_analysis *out;
	void (*visit)(const struct eo_analyzed *at, void *data);
	void *data;
};

static bool mentions_model(const struct job *j, const struct eo_use *use)
{
	for (size_t i = 0; i < use->callees.n; i++)
		if (eo_model_call(j->model, use->callees.items[i]))
			return true;
	return false;
}

/* Builds the functions that mention a call of the model. */
static void build_funcs(struct job *j)
{
	struct eo_map_entry *e;

	eo_map_for_each(e, &j->callers.uses) {
		const struct eo_use *use = e->value;

		if (!use->in_main || eo_map_has(&j->funcs, e->key) ||
		    !mentions_model(j, use))
			continue;
		eo_map_set(&j->funcs, e->key,
			   eo_func_build(j->u, j->model,
					 eo_unit_function(j->u, e->key)));
	}
}

/* @w as the model has it: ending in a call that other units know too. */
static void report_wrapper(struct job *j, const struct eo_model_call *w)
{
	const struct eo_use *use = eo_callers_use(&j->callers, w->name);
	struct eo_arena *a = &j->out->found.arena;
	struct eo_found_wrapper *found = eo_vec_push(&j->out->wrappers);

	found->name = eo_arena_strdup(a, w->name);
	found->ends_in = eo_arena_strdup(a, w->ends_in);
	found->also = w->also ? eo_arena_strdup(a, w->also) : NULL;
	found->always = w->always;
	found->own_books = w->own_books;
	found->subject = w->subject;
	found->is_static = use && use->is_static;
}

static bool find_wrappers(struct job *j)
{
	struct eo_map_entry *e;
	bool any = false;

	eo_map_for_each(e, &j->funcs) {
		struct eo_model_call w;

		if (eo_wrapper_find(&j->summaries, e->value,
				    &j->summaries.arena, &w))
			any |= eo_model_add_wrapper(j->model, &w, true);
	}
	return any;
}

/* Whether nobody has to do with what it also writes but what makes the call. */
static bool keeps_own_books(const struct job *j, const struct eo_model_call *w)
{
	const struct eo_names *who =
		w->also ? eo_callers_of_static(&j->callers, w->also) : NULL;

	for (size_t i = 0; who && i < who->n; i++) {
		const struct eo_model_call *c =
			eo_model_call(j->model, who->items[i]);

		if (!c || !eo_streq(c->ends_in, w->ends_in))
			return false;
	}
	return who && !w->more_books;
}

static void report_wrappers(struct job *j)
{
	struct eo_map_entry *e;

	eo_map_for_each(e, &j->model->local) {
		struct eo_model_call *w = e->value;

		w->own_books = keeps_own_books(j, w);
		/* Of what gives a value only its own unit is told. */
		if (!w->returns)
			report_wrapper(j, w);
	}
}

static void begin(struct job *j)
{
	bool more = true;

	eo_callers_build(j->u, &j->callers);
	for (int round = 0; more && round < MAX_ROUNDS; round++) {
		/* What a new wrapper does changes what its callers do. */
		eo_summaries_release(&j->summaries);
		eo_summaries_init(&j->summaries, j->u, j->model,
				  j->ask ? &j->ask->context->externs : NULL);
		build_funcs(j);
		more = find_wrappers(j);
	}
	report_wrappers(j);
}

static void end(struct job *j)
{
	struct eo_map_entry *e;

	eo_map_for_each(e, &j->funcs)
		eo_func_free(e->value);
	eo_map_release(&j->funcs);
	eo_summaries_release(&j->summaries);
	eo_callers_release(&j->callers);
}

/* Shows what was found since there were @before. */
static void show(const struct job *j, const struct eo_site *site, size_t before)
{
	for (; j->visit && before < j->out->found.n; before++)
		j->visit(&(struct eo_analyzed){ &j->out->found.items[before],
						site },
			 j->data);
}

static void check_site(struct job *j, const struct eo_site *site)
{
	size_t n, before = j->out->found.n;
	const struct eo_rule *rules = eo_rules_all(&n);

	j->out->calls++;
	for (size_t i = 0; i < n; i++)
		eo_rules_check(&rules[i], site, &j->out->found,
			       &j->out->rejected);
	show(j, site, before);
}

static bool is_undecided(const struct eo_finding *f)
{
	const struct eo_obligation *o;

	eo_vec_for_each(o, &f->obligations)
		if (o->state == EO_PROOF_UNKNOWN)
			return true;
	return false;
}

/*
 * What the summaries lacked since the last time is wanted when a finding of
 * @found, from the @first on, is undecided: it may be why.
 */
static void note_wanted(struct job *j, size_t first)
{
	struct eo_map *lacking = &j->summaries.wanted;
	struct eo_map_entry *e;
	bool undecided = false;

	for (size_t i = first; i < j->out->found.n; i++)
		undecided |= is_undecided(&j->out->found.items[i]);
	if (undecided)
		eo_map_for_each(e, lacking)
			eo_set_add(&j->out->wanted, e->key);
	eo_map_release(lacking);
}

static void check_func(struct job *j, const struct eo_func *f)
{
	size_t first = j->out->found.n;
	struct eo_dom dom, postdom;

	j->out->functions++;
	if (f->unsupported) {
		eo_gaps_add(&j->out->gaps,
			    &(struct eo_gap){ .file = j->u->file,
					      .function = f->name,
					      .engine = EO_ENGINE_CLANG,
					      .reason = EO_GAP_UNSUPPORTED,
					      .detail = f->unsupported });
		return;
	}
	eo_map_release(&j->summaries.wanted);
	eo_dom_build(f->cfg, false, &dom);
	eo_dom_build(f->cfg, true, &postdom);
	for (unsigned i = 0; i < f->cfg->n; i++) {
		const struct eo_atom *at = &f->cfg->items[i];
		struct eo_site site = { j->u,	     j->model, f,
					&dom,	     &postdom, &j->summaries,
					&j->callers, NULL,     i };

		if (at->kind != EO_A_CALL || dom.idom[i] == EO_DOM_NONE)
			continue;
		site.call = eo_model_call(j->model, at->node->name);
		if (site.call)
			check_site(j, &site);
	}
	eo_dom_release(&dom);
	eo_dom_release(&postdom);
	note_wanted(j, first);
}

/* Adds @name and what it calls, as far as the main file defines it. */
static void add_machine(struct job *j, struct eo_machinery *m, const char *name)
{
	const struct eo_use *use = eo_callers_use(&j->callers, name);
	struct eo_machine *machine;

	if (!use || !use->in_main || eo_map_has(&m->machines, name))
		return;
	machine = eo_zalloc(sizeof(*machine));
	eo_map_set(&m->machines, name, machine);
	machine->func =
		eo_func_build(j->u, j->model, eo_unit_function(j->u, name));
	eo_dom_build(machine->func->cfg, false, &machine->dom);
	eo_dom_build(machine->func->cfg, true, &machine->postdom);
	for (size_t i = 0; i < use->callees.n; i++)
		add_machine(j, m, use->callees.items[i]);
}

static void release_machines(struct eo_machinery *m)
{
	struct eo_map_entry *e;

	eo_map_for_each(e, &m->machines) {
		struct eo_machine *machine = e->value;

		eo_func_free(machine->func);
		eo_dom_release(&machine->dom);
		eo_dom_release(&machine->postdom);
		free(machine);
	}
	eo_map_release(&m->machines);
}

/* The calls of the model that are defined here: what they do inside. */
static void check_inside(struct job *j)
{
	struct eo_machinery m = { .u = j->u,
				  .model = j->model,
				  .summaries = &j->summaries,
				  .callers = &j->callers };
	struct eo_map_entry *e;
	size_t n, first = j->out->found.n;
	const struct eo_rule *rules = eo_rules_all(&n);

	eo_map_for_each(e, &j->model->calls)
		add_machine(j, &m, e->key);
	for (size_t i = 0; i < n && m.machines.n; i++)
		if (rules[i].check_inside)
			rules[i].check_inside(&rules[i], &m, &j->out->found,
					      &j->out->rejected);
	show(j,
	     &(struct eo_site){ .u = j->u,
				.model = j->model,
				.summaries = &j->summaries,
				.callers = &j->callers },
	     first);
	release_machines(&m);
	note_wanted(j, first);
}

static void check_all(struct job *j)
{
	struct eo_map_entry *e;

	eo_map_for_each(e, &j->funcs)
		check_func(j, e->value);
	check_inside(j);
	eo_unseen_calls(j->u, j->model, &j->funcs, &j->out->gaps);
}

static void analyze(struct job *j)
{
	const struct eo_ask *ask = j->ask;
	bool facts_only = ask && ask->facts_only;

	begin(j);
	if (!facts_only)
		check_all(j);
	if (ask)
		eo_context_put(&j->out->context, ask->context,
			       facts_only && !j->u->errors, &j->callers,
			       &j->summaries);
	end(j);
}

void eo_analyze_unit(struct eo_unit *u, struct eo_model *model,
		     const struct eo_ask *ask, struct eo_analysis *out)
{
	struct job j = { .u = u, .model = model, .ask = ask, .out = out };

	analyze(&j);
}

void eo_analyze_each(struct eo_unit *u, struct eo_model *model,
		     struct eo_analysis *out,
		     void (*visit)(const struct eo_analyzed *at, void *data),
		     void *data)
{
	struct job j = {
		.u = u, .model = model, .out = out, .visit = visit, .data = data
	};

	analyze(&j);
}

void eo_analysis_release(struct eo_analysis *a)
{
	eo_findings_release(&a->found);
	eo_findings_release(&a->rejected);
	eo_gaps_release(&a->gaps);
	eo_map_release(&a->wanted);
	eo_str_release(&a->context);
	free(a->wrappers.items);
	a->wrappers.items = NULL;
	a->wrappers.n = a->wrappers.cap = 0;
}

static void dump_wrappers(const struct job *j, FILE *to)
{
	const struct eo_found_wrapper *w;

	eo_vec_for_each(w, &j->out->wrappers)
		fprintf(to, "wrapper %s ends in %s%s%s%s%s%s\n", w->name,
			w->ends_in, w->always ? "" : ", not always",
			w->also ? ", also writes " : "", w->also ? w->also : "",
			w->own_books ? " for itself" : "",
			w->is_static ? ", static" : "");
}

/* The variables whose values are still wanted behind a call. */
static void dump_live(const struct eo_func *f, const struct eo_live *live,
		      unsigned atom, FILE *to)
{
	const struct eo_links *succ = &f->cfg->items[atom].succ;
	const char *sep = ": live ";

	for (size_t i = 0; succ->n && i < f->vars.n; i++) {
		const struct eo_var *v = f->vars.items[i];

		if (!eo_var_is_plain(v) || !eo_live_in(live, succ->items[0], v))
			continue;
		fprintf(to, "%s%s", sep, v->name);
		sep = ", ";
	}
}

static void dump_facts(const struct job *j, const struct eo_func *f, FILE *to)
{
	struct eo_arena a = { 0 };
	struct eo_live live;

	eo_live_build(f, &live);
	for (unsigned i = 0; i < f->cfg->n; i++) {
		const struct eo_atom *at = &f->cfg->items[i];
		const struct eo_summary *s;

		if (at->kind != EO_A_CALL)
			continue;
		fprintf(to, "%s:%u: call %s", j->u->file, at->node->pos.line,
			eo_node_text(j->u, at->node, &a));
		s = at->node->name ?
			    eo_summary_of((struct eo_summaries *)&j->summaries,
					  at->node->name) :
			    NULL;
		if (!s)
			fputs(": indirect", to);
		else if (s->unknown)
			fprintf(to, ": unknown: %s", s->unknown);
		if (s && s->writes)
			fprintf(to, ": writes %s", s->writes);
		if (s)
			fprintf(to, "%s%s%s%s%s",
				eo_model_call(j->model, s->name) ? ": model" :
								   "",
				s->outputs ? ": output" : "",
				s->sleeps ? ": may sleep" : "",
				s->acquires ? ": acquires" : "",
				s->releases ? ": releases" : "");
		dump_live(f, &live, i, to);
		fputc('\n', to);
	}
	eo_live_release(&live);
	eo_arena_release(&a);
}

void eo_analyze_dump(struct eo_unit *u, struct eo_model *model,
		     enum eo_dump what, const char *function, FILE *to)
{
	struct eo_analysis analysis = { 0 };
	struct job j = { .u = u, .model = model, .out = &analysis };
	struct eo_map_entry *e;

	begin(&j);
	if (what == EO_DUMP_FACTS)
		dump_wrappers(&j, to);
	eo_map_for_each(e, &j.funcs) {
		const struct eo_func *f = e->value;

		if (function && strcmp(function, f->name))
			continue;
		if (what == EO_DUMP_CFG)
			eo_cfg_dump(f, u, to);
		else
			dump_facts(&j, f, to);
	}
	end(&j);
	eo_analysis_release(&analysis);
}

void eo_analysis_put(struct eo_str *to, const struct eo_analysis *a)
{
	const struct eo_found_wrapper *w;
	struct eo_map_entry *e;

	eo_wire_put_u32(to, (uint32_t)a->found.n);
	for (size_t i = 0; i < a->found.n; i++)
		eo_finding_put(to, &a->found.items[i]);
	eo_wire_put_u32(to, (uint32_t)a->rejected.n);
	for (size_t i = 0; i < a->rejected.n; i++)
		eo_finding_put(to, &a->rejected.items[i]);
	eo_wire_put_u32(to, (uint32_t)a->gaps.n);
	for (size_t i = 0; i < a->gaps.n; i++)
		eo_gap_put(to, &a->gaps.items[i]);
	eo_wire_put_u32(to, (uint32_t)a->wrappers.n);
	eo_vec_for_each(w, &a->wrappers) {
		eo_wire_put_str(to, w->name);
		eo_wire_put_str(to, w->ends_in);
		eo_wire_put_str(to, w->also);
		eo_wire_put_u32(to, w->always);
		eo_wire_put_u32(to, w->own_books);
		eo_wire_put_u32(to, w->is_static);
		eo_wire_put_u32(to, w->subject);
	}
	eo_wire_put_u32(to, (uint32_t)a->wanted.n);
	eo_map_for_each(e, &a->wanted)
		eo_wire_put_str(to, e->key);
	eo_wire_put_u32(to, (uint32_t)a->functions);
	eo_wire_put_u32(to, (uint32_t)a->calls);
}

static bool get_wrappers(struct eo_wire *w, struct eo_analysis *out)
{
	struct eo_arena *a = &out->found.arena;

	for (uint32_t n = eo_wire_get_u32(w); n && !w->bad; n--) {
		struct eo_found_wrapper *found = eo_vec_push(&out->wrappers);

		found->name = eo_wire_get_str(w, a);
		found->ends_in = eo_wire_get_str(w, a);
		found->also = eo_wire_get_str(w, a);
		found->always = eo_wire_get_u32(w);
		found->own_books = eo_wire_get_u32(w);
		found->is_static = eo_wire_get_u32(w);
		found->subject = eo_wire_get_u32(w);
		if (!found->name || !found->ends_in)
			w->bad = true;
	}
	return !w->bad;
}

static bool get_wanted(struct eo_wire *w, struct eo_analysis *out)
{
	for (uint32_t n = eo_wire_get_u32(w); n && !w->bad; n--) {
		const char *name = eo_wire_get_str(w, &out->found.arena);

		if (name)
			eo_set_add(&out->wanted, name);
		else
			w->bad = true;
	}
	return !w->bad;
}

bool eo_analysis_has_gap(const struct eo_analysis *a, enum eo_gap_reason reason)
{
	for (size_t i = 0; i < a->gaps.n; i++)
		if (a->gaps.items[i].reason == reason)
			return true;
	return false;
}

bool eo_analysis_get(struct eo_wire *w, struct eo_analysis *out)
{
	bool ok = true;

	for (uint32_t n = eo_wire_get_u32(w); n && ok; n--)
		ok = eo_finding_get(w, &out->found);
	for (uint32_t n = eo_wire_get_u32(w); n && ok; n--)
		ok = eo_finding_get(w, &out->rejected);
	for (uint32_t n = eo_wire_get_u32(w); n && ok; n--)
		ok = eo_gap_get(w, &out->gaps);
	ok = ok && get_wrappers(w, out) && get_wanted(w, out);
	out->functions += eo_wire_get_u32(w);
	out->calls += eo_wire_get_u32(w);
	return ok && !w->bad;
}
