// SPDX-License-Identifier: GPL-2.0-only
/* What happens today, and why needlessly: a paragraph a rule. */
#include <string.h>

#include "base/err.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/str.h"
#include "finding/finding.h"
#include "model/model.h"
#include "reports/mail.h"
#include "reports/subject.h"
#include "rewrite/rewrite.h"

bool eo_mail_has_step(const struct eo_finding *f, const char *kind)
{
	for (size_t i = 0; i < f->steps.n; i++)
		if (eo_streq(f->steps.items[i].kind, kind))
			return true;
	return false;
}

void eo_mail_functions(const struct eo_mail *m, struct eo_str *s)
{
	struct eo_map names = { 0 };

	for (size_t i = 0; i < m->step->n; i++)
		eo_set_add(&names, m->step->items[i]->function);
	for (size_t i = 0; i < names.n; i++)
		eo_str_addf(s, "%s%s()",
			    !i		     ? "" :
			    i + 1 == names.n ? " and " :
					       ", ",
			    names.items[i].key);
	eo_map_release(&names);
}

static const struct eo_finding *first(const struct eo_mail *m)
{
	return m->step->items[0];
}

/* "barn_show() calls", "barn_show() and cow_show() call". */
static void add_who(const struct eo_mail *m, struct eo_str *s, const char *verb)
{
	size_t before = s->len;

	eo_mail_functions(m, s);
	eo_str_addf(s, " %s%s ", verb,
		    strstr(s->s + before, ") and ") ? "" : "s");
}

/* The modelled call whose cost @f is about: f->call, or what it ends in. */
static const struct eo_model_call *costly_call(const struct eo_mail *m)
{
	const struct eo_finding *f = first(m);
	const struct eo_model_call *call = eo_model_call(m->model, f->call);

	if ((!call || call->ends_in) && f->ends_in)
		call = eo_model_call(m->model, f->ends_in);
	return call;
}

/* "hay_flush() locks the hay", then @rest. */
static void add_cost(const struct eo_mail *m, struct eo_str *s,
		     const char *rest)
{
	const struct eo_model_call *call = costly_call(m);
	const char *name = first(m)->call;

	if (!call || !call->cost)
		eo_str_addf(s, "%s() is called", name);
	else if (eo_streq(call->name, name))
		eo_str_addf(s, "%s() %s", name, call->cost);
	else
		eo_str_addf(s, "%s() ends in %s(), which %s", name, call->name,
			    call->cost);
	eo_str_add(s, rest);
}

static const struct eo_obligation *obligation(const struct eo_finding *f,
					      const char *name)
{
	const struct eo_obligation *o;

	eo_vec_for_each(o, &f->obligations)
		if (eo_streq(o->name, name))
			return o;
	return NULL;
}

static void any_rule(const struct eo_mail *m, struct eo_str *s)
{
	add_who(m, s, "call");
	eo_str_addf(s,
		    "%s(), and not every path behind it uses what the call "
		    "does. ",
		    first(m)->call);
	add_cost(m, s, ", on the other paths for nothing.");
}

static void before_walk(const struct eo_mail *m, struct eo_str *s)
{
	const struct eo_finding *f = first(m);
	EO_CLEANUP(eo_freep) char *head = eo_head_name(f->head ? f->head : "");
	EO_CLEANUP(eo_freep) char *rest = NULL;

	if (!f->head || !f->walk || m->step->n > 1) {
		any_rule(m, s);
		return;
	}
	rest = eo_asprintf(
		", even when %s is empty and there is nothing to walk.", head);
	eo_str_addf(s, "%s() calls %s() and then walks %s with %s()",
		    f->function, f->call, head, f->walk);
	eo_str_add(s, ". The walk is all that uses what the call brings up to "
		      "date. ");
	add_cost(m, s, rest);
}

static void before_check(const struct eo_mail *m, struct eo_str *s)
{
	const struct eo_finding *f = first(m);
	EO_CLEANUP(eo_freep)
	char *guard = f->guard ? eo_squeeze(f->guard, strlen(f->guard)) : NULL;

	if (!guard || m->step->n > 1) {
		any_rule(m, s);
		return;
	}
	eo_str_addf(s,
		    "%s() calls %s() and then leaves when %s, without having "
		    "used what the call does. ",
		    f->function, f->call, guard);
	add_cost(m, s, ", on that path for nothing.");
}

static void repeated(const struct eo_mail *m, struct eo_str *s)
{
	add_who(m, s, "call");
	eo_str_addf(s, "%s() twice on the same path and for the same thing. ",
		    first(m)->call);
	add_cost(m, s, ", the second time for nothing.");
}

static void in_loop(const struct eo_mail *m, struct eo_str *s)
{
	add_who(m, s, "call");
	eo_str_addf(s,
		    "%s() in a loop, for each descendant of a root; one call "
		    "for the root covers them all. ",
		    first(m)->call);
	add_cost(m, s, ", as often as there are descendants.");
}

static void on_hot_path(const struct eo_mail *m, struct eo_str *s)
{
	const struct eo_finding *f = first(m);

	add_who(m, s, "call");
	eo_str_addf(s, "%s() on a hot path", f->call);
	if (f->hot.n)
		eo_str_addf(s, " (%s)", f->hot.items[0]);
	eo_str_add(s, ", however little there is to do. ");
	add_cost(m, s, ", every time.");
}

/* The step of that kind, or NULL. */
static const struct eo_step *step_of(const struct eo_finding *f,
				     const char *kind)
{
	const struct eo_step *step;

	eo_vec_for_each(step, &f->steps)
		if (eo_streq(step->kind, kind))
			return step;
	return NULL;
}

/* What it means that nothing is pending, as the model puts it: " (…)". */
static char *meaning(const struct eo_finding *f)
{
	const struct eo_obligation *o = obligation(f, "idle-path");
	const char *open = o && o->detail ? strchr(o->detail, '(') : NULL;
	const char *close = open ? strchr(open, ')') : NULL;

	return close ? eo_asprintf(" %.*s", (int)(close + 1 - open), open) :
		       eo_strdup("");
}

/* The visit of each CPU itself, or what it does on each. */
static void idle_visit(const struct eo_mail *m, struct eo_str *s)
{
	static const char visits[] = "this visits ";
	const struct eo_finding *f = first(m);
	const struct eo_step *visit = step_of(f, "visit");
	const struct eo_step *test = step_of(f, "test");
	EO_CLEANUP(eo_freep) char *means = meaning(f);

	if (visit && eo_starts_with(visit->text, visits))
		eo_str_addf(s,
			    "%s() calls %s() for %s. Each call takes a lock "
			    "before it turns out that nothing is pending%s.",
			    f->function, f->call, visit->text + strlen(visits),
			    means);
	else if (f->guard && test && strstr(test->text, "goes on"))
		eo_str_addf(s,
			    "%s() takes a lock with %s() and does its work, "
			    "although %s says that nothing is pending%s.",
			    f->function, f->call, f->guard, means);
	else if (f->guard)
		eo_str_addf(s,
			    "%s() takes a lock with %s() before it finds out, "
			    "by %s, that nothing is pending%s.",
			    f->function, f->call, f->guard, means);
	else
		any_rule(m, s);
}

static void hot_loop(const struct eo_mail *m, struct eo_str *s)
{
	add_who(m, s, "take");
	if (m->changed_before) {
		eo_str_add(s, "a sample on every turn of a loop without end, "
			      "and not every turn uses it.");
		return;
	}
	eo_str_addf(s,
		    "a sample with %s() on every turn of a loop without end, "
		    "and not every turn uses it. ",
		    first(m)->call);
	add_cost(m, s, ", also on the turns that do nothing.");
}

/* The field that all the findings use, or NULL. The caller frees. */
static char *one_field_name(const struct eo_mail *m)
{
	static const char is_only[] = " is the only field of ";
	char *field = NULL;

	for (size_t i = 0; i < m->step->n; i++) {
		const struct eo_obligation *o =
			obligation(m->step->items[i], "one-field");
		const char *end = o && o->detail ? strstr(o->detail, is_only) :
						   NULL;
		size_t n = end ? (size_t)(end - o->detail) : 0;

		if (!end || (field && (strlen(field) != n ||
				       memcmp(field, o->detail, n)))) {
			eo_freep(&field);
			return NULL;
		}
		if (!field)
			field = eo_strndup(o->detail, n);
	}
	return field;
}

static void one_field(const struct eo_mail *m, struct eo_str *s)
{
	EO_CLEANUP(eo_freep) char *field = one_field_name(m);

	add_who(m, s, "ask");
	eo_str_addf(s, "for all that %s() fills in, for the sake of one field",
		    first(m)->call);
	if (field)
		eo_str_addf(s, ", %s", field);
	eo_str_add(s, ". ");
	add_cost(m, s, ".");
}

static void unused_path(const struct eo_mail *m, struct eo_str *s)
{
	const struct eo_finding *f = first(m);
	EO_CLEANUP(eo_freep)
	char *guard = f->guard ? eo_squeeze(f->guard, strlen(f->guard)) : NULL;

	if (!guard || m->step->n > 1) {
		any_rule(m, s);
		return;
	}
	eo_str_addf(s,
		    "%s() takes a sample with %s() and uses it only when %s, "
		    "which is known before. ",
		    f->function, f->call, guard);
	add_cost(m, s, ", on every other path for nothing.");
	if (eo_mail_has_step(f, "reference"))
		eo_str_add(s, " So is the reference that is held around it.");
}

void eo_mail_today(const struct eo_mail *m, struct eo_str *s)
{
	static const struct {
		const char *rule;
		void (*say)(const struct eo_mail *m, struct eo_str *s);
	} words[] = {
		{ "flush-before-walk", before_walk },
		{ "flush-before-check", before_check },
		{ "work-before-check", before_check },
		{ "flush-repeated", repeated },
		{ "flush-in-loop", in_loop },
		{ "flush-unthresholded-hot", on_hot_path },
		{ "idle-visit", idle_visit },
		{ "rusage-hot-loop", hot_loop },
		{ "rusage-one-field", one_field },
		{ "rusage-unused-path", unused_path },
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (!eo_streq(words[i].rule, first(m)->rule))
			continue;
		words[i].say(m, s);
		return;
	}
	any_rule(m, s);
}
