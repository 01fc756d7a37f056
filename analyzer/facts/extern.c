// SPDX-License-Identifier: GPL-2.0-only
#include "facts/extern.h"

#include "base/wire.h"
#include "facts/summary.h"

static void release_sets(struct eo_summary *s)
{
	if (!s)
		return;
	eo_map_release(&s->lacks);
	eo_map_release(&s->records);
	eo_map_release(&s->callees);
}

void eo_externs_release(struct eo_externs *x)
{
	struct eo_map_entry *e;

	eo_map_for_each(e, &x->known)
		release_sets(e->value);
	eo_map_release(&x->known);
	eo_arena_release(&x->arena);
}

const struct eo_summary *eo_externs_find(const struct eo_externs *x,
					 const char *name)
{
	return x ? eo_map_get(&x->known, name) : NULL;
}

static void put_set(struct eo_str *to, const struct eo_map *set)
{
	struct eo_map_entry *e;

	eo_wire_put_u32(to, (uint32_t)set->n);
	eo_map_for_each(e, set)
		eo_wire_put_str(to, e->key);
}

static void get_set(struct eo_wire *w, struct eo_arena *a, struct eo_map *set)
{
	for (uint32_t n = eo_wire_get_u32(w); n && !w->bad; n--) {
		const char *key = eo_wire_get_str(w, a);

		if (key)
			eo_set_add(set, key);
		else
			w->bad = true;
	}
}

/* The flags of a summary, in the order of the wire. */
#define FLAGS(X)         \
	X(writes_memory) \
	X(outputs) X(acquires) X(releases) X(sleeps) X(calls_model) X(reads_raw)

void eo_summary_put(struct eo_str *to, const struct eo_summary *s)
{
	eo_wire_put_str(to, s->name);
	eo_wire_put_str(to, s->opaque);
	eo_wire_put_str(to, s->writes);
	eo_wire_put_u32(to, s->writes_params);
	eo_wire_put_u32(to, s->writes_beyond);
	eo_wire_put_u32(to, s->reassigned);
#define X(flag) eo_wire_put_u32(to, s->flag);
	FLAGS(X)
#undef X
	put_set(to, &s->lacks);
	put_set(to, &s->records);
	put_set(to, &s->callees);
}

bool eo_externs_get(struct eo_wire *w, struct eo_externs *x)
{
	struct eo_arena *a = &x->arena;
	struct eo_summary *s = eo_arena_new(a, struct eo_summary);
	bool twice;

	s->name = eo_wire_get_str(w, a);
	s->opaque = eo_wire_get_str(w, a);
	s->writes = eo_wire_get_str(w, a);
	s->writes_params = eo_wire_get_u32(w);
	s->writes_beyond = eo_wire_get_u32(w);
	s->reassigned = eo_wire_get_u32(w);
#define X(flag) s->flag = eo_wire_get_u32(w);
	FLAGS(X)
#undef X
	get_set(w, a, &s->lacks);
	get_set(w, a, &s->records);
	get_set(w, a, &s->callees);
	twice = w->bad || !s->name || eo_map_has(&x->known, s->name);
	if (twice) {
		if (s->name)
			release_sets(eo_map_get(&x->known, s->name));
		release_sets(s);
	}
	if (s->name)
		eo_map_set(&x->known, s->name, twice ? NULL : s);
	return !w->bad && s->name;
}
