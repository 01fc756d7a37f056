// SPDX-License-Identifier: GPL-2.0-only
#include "finding/finding.h"

#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "base/wire.h"

#define ENGINES (EO_ENGINE_CLANG | EO_ENGINE_SMPL)

static const char *const confidence_names[] = {
	[EO_LOW] = "low",
	[EO_MEDIUM] = "medium",
	[EO_HIGH] = "high",
};

static const char *const fix_names[] = {
	[EO_FIX_NONE] = "none",
	[EO_FIX_MANUAL] = "manual",
	[EO_FIX_AUTO] = "auto",
};

static const char *const proof_names[] = {
	[EO_PROOF_PROVED] = "proved",
	[EO_PROOF_ASSUMED] = "assumed",
	[EO_PROOF_UNKNOWN] = "unknown",
	[EO_PROOF_FAILED] = "failed",
};

#define N_NAMES(names) (sizeof(names) / sizeof((names)[0]))

static bool parse_name(const char *const *names, size_t n, const char *s,
		       unsigned *out)
{
	for (size_t i = 0; i < n; i++) {
		if (eo_streq(names[i], s)) {
			*out = (unsigned)i;
			return true;
		}
	}
	return false;
}

const char *eo_confidence_name(enum eo_confidence c)
{
	return confidence_names[c];
}

const char *eo_fix_name(enum eo_fix f)
{
	return fix_names[f];
}

const char *eo_proof_name(enum eo_proof p)
{
	return proof_names[p];
}

bool eo_confidence_parse(const char *s, enum eo_confidence *out)
{
	unsigned i;

	if (!parse_name(confidence_names, N_NAMES(confidence_names), s, &i))
		return false;
	*out = (enum eo_confidence)i;
	return true;
}

bool eo_fix_parse(const char *s, enum eo_fix *out)
{
	unsigned i;

	if (!parse_name(fix_names, N_NAMES(fix_names), s, &i))
		return false;
	*out = (enum eo_fix)i;
	return true;
}

bool eo_proof_parse(const char *s, enum eo_proof *out)
{
	unsigned i;

	if (!parse_name(proof_names, N_NAMES(proof_names), s, &i))
		return false;
	*out = (enum eo_proof)i;
	return true;
}

const char *eo_engine_name(enum eo_engine e)
{
	return e == EO_ENGINE_CLANG ? "clang" : "smpl";
}

void eo_findings_release(struct eo_findings *list)
{
	struct eo_finding *f;

	eo_vec_for_each(f, list) {
		free(f->hot.items);
		free(f->obligations.items);
		free(f->steps.items);
	}
	free(list->items);
	eo_arena_release(&list->arena);
	*list = (struct eo_findings){ 0 };
}

struct eo_finding *eo_findings_add(struct eo_findings *list)
{
	return eo_vec_push(list);
}

static const char *keep(struct eo_findings *list, const char *s)
{
	return s ? eo_arena_strdup(&list->arena, s) : NULL;
}

void eo_finding_add_obligation(struct eo_findings *list, struct eo_finding *f,
			       const char *name, enum eo_proof state,
			       const char *detail)
{
	struct eo_obligation *o = eo_vec_push(&f->obligations);

	o->name = keep(list, name);
	o->state = state;
	o->detail = keep(list, detail);
}

void eo_finding_add_step(struct eo_findings *list, struct eo_finding *f,
			 const char *kind, unsigned line, unsigned column,
			 const char *text)
{
	struct eo_step *s = eo_vec_push(&f->steps);

	s->kind = keep(list, kind);
	s->line = line;
	s->column = column;
	s->text = keep(list, text);
}

void eo_finding_add_hot(struct eo_findings *list, struct eo_finding *f,
			const char *evidence)
{
	const char **hot = eo_vec_push(&f->hot);

	*hot = keep(list, evidence);
}

/* The plain strings of a finding, in the order they go over the wire. */
#define FINDING_STRINGS(X) \
	X(rule)            \
	X(file)            \
	X(function)        \
	X(call)            \
	X(call_text)       \
	X(ends_in)         \
	X(guard)           \
	X(head)            \
	X(walk)            \
	X(result)          \
	X(message)         \
	X(dissent)         \
	X(source)

/* The same of its numbers. */
#define FINDING_NUMBERS(X) \
	X(line)            \
	X(column)          \
	X(function_line)   \
	X(function_end)    \
	X(walk_line)       \
	X(engines)

struct eo_finding *eo_findings_copy(struct eo_findings *to,
				    const struct eo_finding *f)
{
	const struct eo_finding from = *f; /* @f may be in @to and move */
	struct eo_finding *copy = eo_findings_add(to);
	struct eo_obligation *o;
	struct eo_step *s;
	const char **hot;

	*copy = from;
	copy->hot.items = NULL;
	copy->hot.n = copy->hot.cap = 0;
	copy->obligations.items = NULL;
	copy->obligations.n = copy->obligations.cap = 0;
	copy->steps.items = NULL;
	copy->steps.n = copy->steps.cap = 0;
#define X(name) copy->name = keep(to, from.name);
	FINDING_STRINGS(X)
#undef X
	eo_vec_for_each(hot, &from.hot)
		eo_finding_add_hot(to, copy, *hot);
	eo_vec_for_each(o, &from.obligations)
		eo_finding_add_obligation(to, copy, o->name, o->state,
					  o->detail);
	eo_vec_for_each(s, &from.steps)
		eo_finding_add_step(to, copy, s->kind, s->line, s->column,
				    s->text);
	return copy;
}

void eo_finding_put(struct eo_str *to, const struct eo_finding *f)
{
	struct eo_obligation *o;
	struct eo_step *s;
	const char **hot;

	eo_wire_put_str(to, f->id);
#define X(name) eo_wire_put_str(to, f->name);
	FINDING_STRINGS(X)
#undef X
#define X(name) eo_wire_put_u32(to, f->name);
	FINDING_NUMBERS(X)
#undef X
	eo_wire_put_u32(to, f->confidence);
	eo_wire_put_u32(to, f->fix);
	eo_wire_put_u32(to, (uint32_t)f->hot.n);
	eo_vec_for_each(hot, &f->hot)
		eo_wire_put_str(to, *hot);
	eo_wire_put_u32(to, (uint32_t)f->obligations.n);
	eo_vec_for_each(o, &f->obligations) {
		eo_wire_put_str(to, o->name);
		eo_wire_put_u32(to, o->state);
		eo_wire_put_str(to, o->detail);
	}
	eo_wire_put_u32(to, (uint32_t)f->steps.n);
	eo_vec_for_each(s, &f->steps) {
		eo_wire_put_str(to, s->kind);
		eo_wire_put_u32(to, s->line);
		eo_wire_put_u32(to, s->column);
		eo_wire_put_str(to, s->text);
	}
}

/* A number below @limit: what came may be garbage. */
static uint32_t get_below(struct eo_wire *w, uint32_t limit)
{
	uint32_t v = eo_wire_get_u32(w);

	if (v >= limit)
		w->bad = true;
	return w->bad ? 0 : v;
}

static void get_id(struct eo_wire *w, struct eo_findings *list,
		   struct eo_finding *f)
{
	const char *id = eo_wire_get_str(w, &list->arena);
	size_t n = id ? strlen(id) : 0;

	if (!id || n >= sizeof(f->id)) {
		w->bad = true;
		return;
	}
	memcpy(f->id, id, n + 1);
}

static void get_parts(struct eo_wire *w, struct eo_findings *list,
		      struct eo_finding *f)
{
	uint32_t n;

	for (n = eo_wire_get_u32(w); n && !w->bad; n--) {
		const char **hot = eo_vec_push(&f->hot);

		*hot = eo_wire_get_str(w, &list->arena);
	}
	for (n = eo_wire_get_u32(w); n && !w->bad; n--) {
		struct eo_obligation *o = eo_vec_push(&f->obligations);

		o->name = eo_wire_get_str(w, &list->arena);
		o->state = get_below(w, N_NAMES(proof_names));
		o->detail = eo_wire_get_str(w, &list->arena);
	}
	for (n = eo_wire_get_u32(w); n && !w->bad; n--) {
		struct eo_step *s = eo_vec_push(&f->steps);

		s->kind = eo_wire_get_str(w, &list->arena);
		s->line = eo_wire_get_u32(w);
		s->column = eo_wire_get_u32(w);
		s->text = eo_wire_get_str(w, &list->arena);
	}
}

bool eo_finding_get(struct eo_wire *w, struct eo_findings *list)
{
	struct eo_finding *f = eo_findings_add(list);

	get_id(w, list, f);
#define X(name) f->name = eo_wire_get_str(w, &list->arena);
	FINDING_STRINGS(X)
#undef X
#define X(name) f->name = eo_wire_get_u32(w);
	FINDING_NUMBERS(X)
#undef X
	f->confidence = get_below(w, N_NAMES(confidence_names));
	f->fix = get_below(w, N_NAMES(fix_names));
	if (f->engines & ~(unsigned)ENGINES)
		w->bad = true;
	get_parts(w, list, f);
	if (!w->bad)
		return true;
	free(f->hot.items);
	free(f->obligations.items);
	free(f->steps.items);
	list->n--;
	return false;
}
