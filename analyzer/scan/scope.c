// SPDX-License-Identifier: GPL-2.0-only
#include "scan/scope.h"

#include <stdlib.h>

#include "base/err.h"
#include "base/map.h"
#include "base/str.h"
#include "finding/finding.h"
#include "scan/analyze.h"
#include "tree/candidates.h"
#include "tree/history.h"
#include "tree/includes.h"
#include "tree/tree.h"

struct names {
	const char **items;
	size_t n, cap;
};

/* The set of functions, and which of them were looked for already. */
struct search {
	const struct eo_tree *tree;
	const struct eo_map *analysed;
	unsigned jobs;
	struct eo_map names;
	size_t done;
	struct eo_map *out;
};

static void search_release(struct search *s)
{
	eo_map_release(&s->names);
}

static void names_release(struct names *n)
{
	free(n->items);
}

/* Wrappers that others can call, of the files that are in already. */
static void add_wrappers(struct search *s)
{
	const struct eo_map_entry *e;

	eo_map_for_each(e, s->out) {
		const struct eo_analysis *a = eo_map_get(s->analysed, e->key);

		for (size_t i = 0; a && i < a->wrappers.n; i++)
			if (!a->wrappers.items[i].is_static)
				eo_set_add(&s->names,
					   a->wrappers.items[i].name);
	}
}

/* The files that name one of the new names. */
static struct eo_error *add_callers(struct search *s)
{
	EO_CLEANUP(names_release) struct names names = { 0 };
	EO_CLEANUP(eo_candidates_release) struct eo_candidates c = { 0 };
	EO_CLEANUP(eo_gaps_release) struct eo_gaps gaps = { 0 };
	const struct eo_candidate *it;

	for (; s->done < s->names.n; s->done++)
		*eo_vec_push(&names) = s->names.items[s->done].key;
	eo_try(eo_candidates_find(s->tree, names.items, names.n, s->jobs, &gaps,
				  &c));
	eo_vec_for_each(it, &c)
		if (eo_map_has(s->analysed, it->file))
			eo_set_add(s->out, it->file);
	return NULL;
}

static void add_changed(struct search *s, const struct eo_changes *changes)
{
	EO_CLEANUP(names_release) struct names files = { 0 };
	EO_CLEANUP(eo_map_release) struct eo_map headers = { 0 };
	const struct eo_map_entry *e;

	eo_map_for_each(e, s->analysed)
		*eo_vec_push(&files) = e->key;
	eo_map_for_each(e, &changes->files) {
		if (eo_map_has(s->analysed, e->key))
			eo_set_add(s->out, e->key);
		/* it may be gone, or have lost its last modelled call */
		if (eo_ends_with(e->key, ".c"))
			eo_set_add(s->out, e->key);
		/* .c files are included now and then, too */
		if (eo_ends_with(e->key, ".h") || eo_ends_with(e->key, ".c"))
			eo_set_add(&headers, e->key);
	}
	if (headers.n)
		eo_includes_reach(s->tree->root, files.items, files.n, &headers,
				  s->out);
}

struct eo_error *eo_scope_find(const struct eo_tree *tree,
			       const struct eo_changes *changes,
			       const struct eo_map *analysed, unsigned jobs,
			       struct eo_map *out)
{
	EO_CLEANUP(search_release)
	struct search s = {
		.tree = tree, .analysed = analysed, .jobs = jobs, .out = out
	};
	const struct eo_map_entry *e;

	add_changed(&s, changes);
	eo_map_for_each(e, &changes->functions)
		eo_set_add(&s.names, e->key);
	for (;;) {
		add_wrappers(&s);
		if (s.done == s.names.n)
			return NULL;
		eo_try(add_callers(&s));
	}
}
