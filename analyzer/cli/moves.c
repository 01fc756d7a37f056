// SPDX-License-Identifier: GPL-2.0-only
/* Findings whose file was renamed since they were last seen. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/file.h"
#include "cli/marks.h"
#include "db/db.h"
#include "finding/finding.h"
#include "tree/history.h"
#include "tree/tree.h"

struct search {
	const struct eo_tree *tree;
	struct eo_known_list known;
	struct eo_map ids; /* id → struct eo_known */
	struct eo_map current; /* a set: ids of this run */
	struct eo_map taken; /* a set: origins that are found again */
	struct eo_map renames; /* revision → struct eo_map: old → new */
	struct eo_arena arena;
};

static void search_release(struct search *s)
{
	struct eo_map_entry *e;

	eo_map_for_each(e, &s->renames) {
		eo_map_release(e->value);
		free(e->value);
	}
	eo_map_release(&s->renames);
	eo_map_release(&s->ids);
	eo_map_release(&s->current);
	eo_map_release(&s->taken);
	eo_known_release(&s->known);
	eo_arena_release(&s->arena);
}

/* The same but for white space. */
static bool same_text(const char *a, const char *b)
{
	if (!a || !b)
		return a == b;
	for (;;) {
		while (isspace((unsigned char)*a))
			a++;
		while (isspace((unsigned char)*b))
			b++;
		if (*a != *b)
			return false;
		if (!*a)
			return true;
		a++;
		b++;
	}
}

/* Whether @k can be what @f was: all but the file is the same. */
static bool may_be(const struct search *s, const struct eo_known *k,
		   const struct eo_finding *f)
{
	return strcmp(k->file, f->file) && eo_streq(k->rule, f->rule) &&
	       eo_streq(k->function, f->function) &&
	       same_text(k->call_text, f->call_text) &&
	       !eo_map_has(&s->current, k->id) &&
	       !eo_map_has(&s->taken, k->origin);
}

static struct eo_error *was_renamed(struct search *s, const struct eo_known *k,
				    const char *to, bool *yes)
{
	struct eo_map *renames;

	*yes = false;
	if (!k->revision || !s->tree->revision)
		return NULL;
	renames = eo_map_get(&s->renames, k->revision);
	if (!renames) {
		renames = eo_zalloc(sizeof(*renames));
		eo_map_set(&s->renames, k->revision, renames);
		eo_try(eo_git_renames(s->tree, k->revision, &s->arena,
				      renames));
	}
	*yes = eo_streq(eo_map_get(renames, k->file), to);
	return NULL;
}

static bool is_gone(const struct search *s, const char *file)
{
	EO_CLEANUP(eo_freep) char *path = eo_path_join(s->tree->root, file);

	return access(path, F_OK) != 0;
}

/*
 * What @f was: first what git says, else the one whose file is gone, if they
 * are not of several files. Identical calls of one function keep their order.
 */
static struct eo_error *find_one(struct search *s, const struct eo_finding *f,
				 const struct eo_known **out)
{
	const struct eo_known *k, *gone = NULL;
	bool several = false;

	*out = NULL;
	eo_vec_for_each(k, &s->known) {
		bool renamed;

		if (!may_be(s, k, f))
			continue;
		eo_try(was_renamed(s, k, f->file, &renamed));
		if (renamed) {
			*out = k;
			return NULL;
		}
		if (!is_gone(s, k->file))
			continue;
		if (!gone)
			gone = k;
		else if (strcmp(gone->file, k->file) &&
			 strcmp(gone->origin, k->origin))
			several = true;
	}
	if (!several)
		*out = gone;
	return NULL;
}

static struct eo_error *load(struct eo_db *db, const struct eo_findings *found,
			     struct search *s)
{
	const struct eo_finding *f;
	struct eo_known *k;

	eo_try(eo_db_get_known(db, s->tree->root, &s->known));
	eo_vec_for_each(k, &s->known)
		eo_map_set(&s->ids, k->id, k);
	eo_vec_for_each(f, found) {
		k = eo_map_get(&s->ids, f->id);
		eo_set_add(&s->current, f->id);
		if (k)
			eo_set_add(&s->taken, k->origin);
	}
	return NULL;
}

struct eo_error *eo_moves_find(struct eo_db *db, const struct eo_tree *tree,
			       const struct eo_findings *found,
			       struct eo_marks *m)
{
	EO_CLEANUP(search_release) struct search s = { .tree = tree };

	eo_try(load(db, found, &s));
	for (size_t i = 0; i < found->n; i++) {
		const struct eo_finding *f = &found->items[i];
		const struct eo_known *k = eo_map_get(&s.ids, f->id);

		if (!k) {
			eo_try(find_one(&s, f, &k));
		} else if (!strcmp(k->origin, f->id)) {
			continue; /* it never had another name */
		}
		if (!k)
			continue;
		eo_set_add(&s.taken, k->origin);
		m->items[i].origin = eo_arena_strdup(&m->arena, k->origin);
	}
	return NULL;
}
