// SPDX-License-Identifier: GPL-2.0-only
#include "model/model.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/str.h"

struct eo_model *eo_model_new(void)
{
	return eo_zalloc(sizeof(struct eo_model));
}

/* The name lists are grown with malloc; everything else is in the arena. */
void eo_model_free(struct eo_model *m)
{
	struct eo_map_entry *e;

	if (!m)
		return;
	eo_model_forget_local(m);
	eo_map_for_each(e, &m->calls) {
		struct eo_model_call *call = e->value;

		free(call->writes.items);
		if (!call->ends_in) /* a wrapper shares them */
			for (struct eo_model_field *f = call->fields; f;
			     f = f->next)
				free(f->outs.items);
	}
	eo_map_for_each(e, &m->effects) {
		struct eo_model_effect *effect = e->value;

		free(effect->records.items);
		free(effect->readers.items);
	}
	eo_map_release(&m->calls);
	eo_map_release(&m->effects);
	eo_map_release(&m->walks);
	eo_map_release(&m->descents);
	eo_map_release(&m->visits);
	eo_map_release(&m->idle);
	eo_map_release(&m->tests);
	eo_map_release(&m->traits);
	eo_map_release(&m->families);
	eo_map_release(&m->hot);
	eo_map_release(&m->roots);
	eo_map_release(&m->root_families);
	eo_map_release(&m->sleeps);
	eo_map_release(&m->stops);
	eo_arena_release(&m->arena);
	free(m);
}

const struct eo_model_call *eo_model_call(const struct eo_model *m,
					  const char *name)
{
	const struct eo_model_call *c;

	if (!name)
		return NULL;
	c = eo_map_get(&m->calls, name);
	return c ? c : eo_map_get(&m->local, name);
}

void eo_model_forget_local(struct eo_model *m)
{
	struct eo_map_entry *e;

	eo_map_for_each(e, &m->local)
		free(((struct eo_model_call *)e->value)->writes.items);
	eo_map_release(&m->local);
}

static const char *copy(struct eo_model *m, const char *s)
{
	return s ? eo_arena_strdup(&m->arena, s) : NULL;
}

bool eo_model_add_wrapper(struct eo_model *m, const struct eo_model_call *w,
			  bool local)
{
	const struct eo_model_call *end = eo_model_call(m, w->ends_in);
	struct eo_model_call *call;

	if (eo_model_call(m, w->name) || !end)
		return false;
	call = eo_arena_new(&m->arena, struct eo_model_call);
	*call = *end;
	call->name = copy(m, w->name);
	call->ends_in = end->ends_in ? end->ends_in : end->name;
	call->always = w->always && (!end->ends_in || end->always);
	call->also = copy(m, w->also ? w->also : end->also);
	call->own_books = w->also ? w->own_books : end->own_books;
	call->more_books = w->more_books || end->more_books;
	call->subject = w->subject;
	call->returns = w->returns;
	if (w->returns) { /* and no argument's, and no struct's field */
		call->outs = 0;
		call->record = call->cheaper = NULL;
		call->fields = NULL;
	}
	call->writes = (struct eo_names){ 0 };
	for (size_t i = 0; i < end->writes.n; i++)
		*eo_vec_push(&call->writes) = end->writes.items[i];
	eo_map_set(local ? &m->local : &m->calls, call->name, call);
	return true;
}

/* What is said of @name itself, or else of the last family that it is of. */
static void *said_of(const struct eo_map *names, const struct eo_map *families,
		     const char *name)
{
	struct eo_map_entry *e;
	void *said = eo_map_get(names, name);

	if (!said)
		eo_map_for_each(e, families)
			if (eo_starts_with(name, e->key))
				said = e->value;
	return said;
}

enum eo_trait eo_model_trait(const struct eo_model *m, const char *name)
{
	return name ? (enum eo_trait)(intptr_t)said_of(&m->traits, &m->families,
						       name) :
		      EO_TRAIT_NONE;
}

const char *eo_model_root(const struct eo_model *m, const char *name)
{
	return said_of(&m->roots, &m->root_families, name);
}

static bool has_name(const struct eo_names *names, const char *name)
{
	for (size_t i = 0; i < names->n; i++)
		if (strcmp(names->items[i], name) == 0)
			return true;
	return false;
}

static const struct eo_model_effect *
effect_of(const struct eo_model *m, const struct eo_names *effects, size_t i)
{
	return eo_map_get(&m->effects, effects->items[i]);
}

bool eo_model_writes_record(const struct eo_model *m,
			    const struct eo_names *effects, const char *record)
{
	for (size_t i = 0; record && i < effects->n; i++)
		if (has_name(&effect_of(m, effects, i)->records, record))
			return true;
	return false;
}

bool eo_model_is_reader(const struct eo_model *m,
			const struct eo_names *effects, const char *name)
{
	for (size_t i = 0; name && i < effects->n; i++)
		if (has_name(&effect_of(m, effects, i)->readers, name))
			return true;
	return false;
}

static void hash_names(struct eo_str *s, const struct eo_names *names)
{
	for (size_t i = 0; i < names->n; i++)
		eo_str_addf(s, " %s", names->items[i]);
	eo_str_addc(s, '\n');
}

void eo_model_hash(const struct eo_model *m, char out[17])
{
	EO_CLEANUP(eo_str_release) struct eo_str s = { 0 };
	struct eo_map_entry *e;

	eo_map_for_each(e, &m->calls) {
		const struct eo_model_call *c = e->value;

		if (c->ends_in)
			continue; /* found in the tree, not said by a model */
		eo_str_addf(&s, "call %s %d %u %d %x %s", c->name, (int)c->kind,
			    c->subject, c->holds, c->outs,
			    c->record ? c->record : "");
		hash_names(&s, &c->writes);
	}
	eo_map_for_each(e, &m->effects) {
		const struct eo_model_effect *effect = e->value;

		eo_str_addf(&s, "effect %s", effect->name);
		hash_names(&s, &effect->records);
		hash_names(&s, &effect->readers);
	}
	eo_map_for_each(e, &m->walks) {
		const struct eo_model_walk *w = e->value;

		eo_str_addf(&s, "walk %s %u %s\n", w->name, w->head, w->empty);
	}
	eo_map_for_each(e, &m->descents)
		eo_str_addf(&s, "descent %s\n", e->key);
	eo_map_for_each(e, &m->visits)
		eo_str_addf(&s, "visit %s\n", e->key);
	eo_map_for_each(e, &m->idle)
		eo_str_addf(&s, "idle %s\n", e->key);
	eo_map_for_each(e, &m->tests)
		eo_str_addf(&s, "test %s\n", e->key);
	eo_map_for_each(e, &m->traits)
		eo_str_addf(&s, "trait %s %d\n", e->key,
			    (int)(intptr_t)e->value);
	eo_map_for_each(e, &m->families)
		eo_str_addf(&s, "family %s %d\n", e->key,
			    (int)(intptr_t)e->value);
	eo_map_for_each(e, &m->hot)
		eo_str_addf(&s, "hot %s\n", e->key);
	eo_map_for_each(e, &m->roots)
		eo_str_addf(&s, "root %s\n", e->key);
	eo_map_for_each(e, &m->root_families)
		eo_str_addf(&s, "root %s*\n", e->key);
	eo_map_for_each(e, &m->sleeps)
		eo_str_addf(&s, "sleep %s\n", e->key);
	eo_map_for_each(e, &m->stops)
		eo_str_addf(&s, "stop %s\n", e->key);
	eo_hash_hex(eo_str_get(&s), s.len, out);
}
