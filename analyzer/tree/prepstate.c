// SPDX-License-Identifier: GPL-2.0-only
#include "tree/prepstate.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/file.h"
#include "base/str.h"
#include "base/wire.h"

#define FORMAT "earlyout-prepared/1"
#define NO_FLAGS UINT32_MAX

void eo_prepstate_release(struct eo_prepstate *s)
{
	eo_map_release(&s->on);
	eo_map_release(&s->off);
	eo_map_release(&s->files);
	eo_arena_release(&s->arena);
	*s = (struct eo_prepstate){ 0 };
}

static void put_set(struct eo_str *to, const struct eo_map *set)
{
	const struct eo_map_entry *e;

	eo_wire_put_u32(to, (uint32_t)set->n);
	eo_map_for_each(e, set)
		eo_wire_put_str(to, e->key);
}

static void put_file(struct eo_str *to, const char *name,
		     const struct eo_prepfile *f)
{
	uint32_t n = 0;

	while (f->flags && f->flags[n])
		n++;
	eo_wire_put_str(to, name);
	eo_wire_put_str(to, f->makefile);
	eo_wire_put_str(to, f->why);
	eo_wire_put_u32(to, f->flags ? n : NO_FLAGS);
	for (uint32_t i = 0; i < n; i++)
		eo_wire_put_str(to, f->flags[i]);
}

struct eo_error *eo_prepstate_write(const char *path,
				    const struct eo_prepstate *s)
{
	EO_CLEANUP(eo_str_release) struct eo_str out = { 0 };
	const struct eo_map_entry *e;

	eo_wire_put_str(&out, FORMAT);
	eo_wire_put_str(&out, s->identity);
	put_set(&out, &s->on);
	put_set(&out, &s->off);
	eo_wire_put_u32(&out, (uint32_t)s->files.n);
	eo_map_for_each(e, &s->files)
		put_file(&out, e->key, e->value);
	return eo_file_write(path, eo_str_get(&out), out.len);
}

static void get_set(struct eo_wire *w, struct eo_arena *a, struct eo_map *set)
{
	uint32_t n = eo_wire_get_u32(w);

	for (uint32_t i = 0; i < n && !w->bad; i++) {
		const char *name = eo_wire_get_str(w, a);

		if (name)
			eo_set_add(set, name);
	}
}

static void get_file(struct eo_wire *w, struct eo_prepstate *s)
{
	const char *name = eo_wire_get_str(w, &s->arena);
	struct eo_prepfile *f = eo_arena_new(&s->arena, struct eo_prepfile);
	const char **flags;
	uint32_t n;

	f->makefile = eo_wire_get_str(w, &s->arena);
	f->why = eo_wire_get_str(w, &s->arena);
	n = eo_wire_get_u32(w);
	if (n != NO_FLAGS) {
		if (w->bad || n > w->left) {
			w->bad = true;
			return;
		}
		flags = eo_arena_alloc(&s->arena, (n + 1) * sizeof(*flags));
		for (uint32_t i = 0; i < n; i++)
			flags[i] = eo_wire_get_str(w, &s->arena);
		f->flags = flags;
	}
	if (name && !w->bad)
		eo_map_set(&s->files, name, f);
}

void eo_prepstate_read(const char *path, struct eo_prepstate *s)
{
	EO_CLEANUP(eo_str_release) struct eo_str text = { 0 };
	struct eo_error *err = eo_is_file(path) ? eo_file_read(path, &text) :
						  NULL;
	struct eo_wire w = { .p = eo_str_get(&text), .left = text.len };
	bool known;
	uint32_t n;

	eo_prepstate_release(s);
	eo_error_free(err); /* as good as none */
	known = eo_streq(eo_wire_get_str(&w, &s->arena), FORMAT);
	s->identity = eo_wire_get_str(&w, &s->arena);
	get_set(&w, &s->arena, &s->on);
	get_set(&w, &s->arena, &s->off);
	n = eo_wire_get_u32(&w);
	for (uint32_t i = 0; i < n && !w.bad; i++)
		get_file(&w, s);
	if (!known || w.bad || w.left)
		eo_prepstate_release(s);
}
