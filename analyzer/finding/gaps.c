// SPDX-License-Identifier: GPL-2.0-only
#include "finding/finding.h"

#include <stdlib.h>

#include "base/err.h"
#include "base/str.h"
#include "base/wire.h"

static const char *const reason_names[] = {
#define X(id, name) [EO_GAP_##id] = name,
	EO_GAP_REASONS(X)
#undef X
};

#define N_REASONS (sizeof(reason_names) / sizeof(reason_names[0]))

const char *eo_gap_reason_name(enum eo_gap_reason r)
{
	return reason_names[r];
}

bool eo_gap_reason_parse(const char *s, enum eo_gap_reason *out)
{
	for (size_t i = 0; i < N_REASONS; i++) {
		if (eo_streq(reason_names[i], s)) {
			*out = (enum eo_gap_reason)i;
			return true;
		}
	}
	return false;
}

void eo_gaps_release(struct eo_gaps *list)
{
	free(list->items);
	eo_map_release(&list->seen);
	eo_arena_release(&list->arena);
	*list = (struct eo_gaps){ 0 };
}

static const char *keep(struct eo_gaps *list, const char *s)
{
	return s ? eo_arena_strdup(&list->arena, s) : NULL;
}

void eo_gaps_add(struct eo_gaps *list, const struct eo_gap *gap)
{
	const struct eo_gap from = *gap; /* @gap may be in @list and move */
	EO_CLEANUP(eo_str_release) struct eo_str bytes = { 0 };
	struct eo_gap *g;
	char key[17];

	eo_gap_put(&bytes, &from);
	eo_hash_hex(bytes.s, bytes.len, key);
	if (!eo_set_add(&list->seen, key))
		return;
	g = eo_vec_push(list);
	*g = from;
	g->file = keep(list, from.file ? from.file : "");
	g->function = keep(list, from.function);
	g->detail = keep(list, from.detail);
}

static bool covers(const struct eo_gap *g, const char *file,
		   const char *function)
{
	return (!*g->file || eo_streq(g->file, file)) &&
	       (!g->function || eo_streq(g->function, function));
}

/* 0: the whole scan, 1: a file, 2 or 3: a function. */
static int narrowness(const struct eo_gap *g)
{
	return (*g->file != '\0') + 2 * (g->function != NULL);
}

const struct eo_gap *eo_gaps_find(const struct eo_gaps *list,
				  enum eo_engine engine, const char *file,
				  const char *function)
{
	const struct eo_gap *g, *best = NULL;

	eo_vec_for_each(g, list) {
		if (g->engine != engine || !covers(g, file, function))
			continue;
		if (!best || narrowness(g) > narrowness(best))
			best = g;
	}
	return best;
}

void eo_gap_put(struct eo_str *to, const struct eo_gap *g)
{
	eo_wire_put_str(to, g->file ? g->file : "");
	eo_wire_put_str(to, g->function);
	eo_wire_put_u32(to, g->engine);
	eo_wire_put_u32(to, g->reason);
	eo_wire_put_str(to, g->detail);
}

bool eo_gap_get(struct eo_wire *w, struct eo_gaps *list)
{
	EO_CLEANUP(eo_arena_release) struct eo_arena a = { 0 };
	struct eo_gap g = { 0 };
	uint32_t reason;

	g.file = eo_wire_get_str(w, &a);
	g.function = eo_wire_get_str(w, &a);
	g.engine = eo_wire_get_u32(w);
	reason = eo_wire_get_u32(w);
	g.detail = eo_wire_get_str(w, &a);
	if (!g.file || reason >= N_REASONS ||
	    (g.engine != EO_ENGINE_CLANG && g.engine != EO_ENGINE_SMPL))
		w->bad = true;
	if (w->bad)
		return false;
	g.reason = (enum eo_gap_reason)reason;
	eo_gaps_add(list, &g);
	return true;
}
