// SPDX-License-Identifier: GPL-2.0-only
#include "facts/callgraph.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "base/wire.h"
#include "facts/callers.h"
#include "model/model.h"

/* A function: "name", or "file\nname" of a static one. */
struct node {
	const char *name;
	bool is_static;
	struct {
		struct node **items;
		size_t n, cap;
	} callers;
	struct eo_names slots; /* hot members that it is put into */
};

void eo_callgraph_release(struct eo_callgraph *g)
{
	struct eo_map_entry *e;

	eo_map_for_each(e, &g->nodes) {
		struct node *n = e->value;

		free(n->callers.items);
		free(n->slots.items);
	}
	eo_map_release(&g->nodes);
	eo_arena_release(&g->arena);
}

static bool is_static(const struct eo_callers *c, const char *name)
{
	const struct eo_use *use = eo_callers_use(c, name);

	return use && use->in_main && use->is_static;
}

static void put_node(struct eo_str *to, const struct eo_callers *c,
		     const char *name)
{
	eo_wire_put_str(to, name);
	eo_wire_put_u32(to, is_static(c, name));
}

void eo_callgraph_put(struct eo_str *to, const struct eo_callers *callers,
		      const struct eo_model *model)
{
	struct eo_map_entry *e;

	eo_wire_put_u32(to, (uint32_t)callers->uses.n);
	eo_map_for_each(e, &callers->uses) {
		const struct eo_use *use = e->value;

		put_node(to, callers, e->key);
		eo_wire_put_u32(to, (uint32_t)use->called_by.n);
		for (size_t i = 0; i < use->called_by.n; i++)
			put_node(to, callers, use->called_by.items[i]);
		for (size_t i = 0; i < use->slots.n; i++)
			if (eo_map_has(&model->hot, use->slots.items[i]))
				eo_wire_put_str(to, use->slots.items[i]);
		eo_wire_put_str(to, "");
	}
}

static struct node *find_node(const struct eo_callgraph *g, const char *file,
			      const char *name, bool local)
{
	EO_CLEANUP(eo_freep)
	char *key = local ? eo_asprintf("%s\n%s", file, name) : eo_strdup(name);

	return eo_map_get(&g->nodes, key);
}

static struct node *add_node(struct eo_callgraph *g, const char *file,
			     const char *name, bool local)
{
	EO_CLEANUP(eo_freep)
	char *key = local ? eo_asprintf("%s\n%s", file, name) : eo_strdup(name);
	struct node *n = eo_map_get(&g->nodes, key);

	if (n)
		return n;
	n = eo_arena_new(&g->arena, struct node);
	n->name = eo_arena_strdup(&g->arena, name);
	n->is_static = local;
	eo_map_set(&g->nodes, key, n);
	return n;
}

static struct node *get_node(struct eo_wire *w, const char *file,
			     struct eo_callgraph *g)
{
	const char *name = eo_wire_get_str(w, &g->arena);
	bool local = eo_wire_get_u32(w);

	if (name && !w->bad)
		return add_node(g, file, name, local);
	w->bad = true;
	return NULL;
}

static void add_caller(struct node *n, struct node *caller)
{
	for (size_t i = 0; i < n->callers.n; i++)
		if (n->callers.items[i] == caller)
			return;
	*eo_vec_push(&n->callers) = caller;
}

static void add_slot(struct node *n, const char *slot)
{
	for (size_t i = 0; i < n->slots.n; i++)
		if (strcmp(n->slots.items[i], slot) == 0)
			return;
	*eo_vec_push(&n->slots) = slot;
}

bool eo_callgraph_get(struct eo_wire *w, const char *file,
		      struct eo_callgraph *g)
{
	const char *slot;

	for (uint32_t n = eo_wire_get_u32(w); n && !w->bad; n--) {
		struct node *node = get_node(w, file, g);

		for (uint32_t k = eo_wire_get_u32(w); k && !w->bad; k--) {
			struct node *caller = get_node(w, file, g);

			if (caller)
				add_caller(node, caller);
		}
		while ((slot = eo_wire_get_str(w, &g->arena)) && *slot)
			if (node)
				add_slot(node, slot);
	}
	return !w->bad;
}

/* Breadth first from a function to its callers; each with who it calls. */
struct climb {
	struct eo_map seen; /* key: address of the node */
	struct step {
		const struct node *node;
		size_t below; /* index + 1 of the step it came from */
	} *items;
	size_t n, cap;
};

static void climb_release(struct climb *c)
{
	eo_map_release(&c->seen);
	free(c->items);
}

static void climb_to(struct climb *c, const struct node *n, size_t below)
{
	char key[32];

	snprintf(key, sizeof(key), "%p", (const void *)n);
	if (eo_set_add(&c->seen, key))
		*eo_vec_push(c) = (struct step){ n, below };
}

/* All that reach @n, itself first. */
static void climb(struct climb *c, const struct node *n)
{
	climb_to(c, n, 0);
	for (size_t i = 0; i < c->n; i++) {
		const struct node *at = c->items[i].node;

		for (size_t k = 0; k < at->callers.n; k++)
			climb_to(c, at->callers.items[k], i + 1);
	}
}

static const struct node *node_of(const struct eo_callgraph *g,
				  const char *file, const char *function)
{
	const struct node *n = find_node(g, file, function, true);

	return n ? n : find_node(g, file, function, false);
}

static const char *spell(const struct climb *c, size_t i, const char *root,
			 struct eo_arena *a)
{
	EO_CLEANUP(eo_str_release) struct eo_str s = { 0 };

	eo_str_addf(&s, "%s: %s()", root, c->items[i].node->name);
	while (c->items[i].below) {
		i = c->items[i].below - 1;
		eo_str_addf(&s, " > %s()", c->items[i].node->name);
	}
	return eo_arena_strdup(a, eo_str_get(&s));
}

const char *eo_callgraph_chain(const struct eo_callgraph *g,
			       const struct eo_model *model, const char *file,
			       const char *function, struct eo_arena *a)
{
	const struct node *n = node_of(g, file, function);
	EO_CLEANUP(climb_release) struct climb c = { 0 };

	if (!n)
		return NULL;
	climb(&c, n);
	for (size_t i = 0; i < c.n; i++) {
		const struct node *at = c.items[i].node;
		const char *root = eo_model_root(model, at->name);

		if (at->slots.n)
			root = at->slots.items[0];
		if (root)
			return spell(&c, i, root, a);
	}
	return NULL;
}

void eo_callgraph_open_ends(const struct eo_callgraph *g, const char *file,
			    const char *function, struct eo_map *names)
{
	const struct node *n = node_of(g, file, function);
	EO_CLEANUP(climb_release) struct climb c = { 0 };

	if (!n)
		return;
	climb(&c, n);
	for (size_t i = 0; i < c.n; i++)
		if (!c.items[i].node->is_static)
			eo_set_add(names, c.items[i].node->name);
}
