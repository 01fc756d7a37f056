// SPDX-License-Identifier: GPL-2.0-only
#include "cli/marks.h"

#include <libgen.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/err.h"
#include "base/file.h"
#include "db/db.h"
#include "finding/finding.h"
#include "rules/rule.h"
#include "tree/tree.h"

#define IGNORE_FILE ".earlyoutignore"

static bool is_rule(const char *name)
{
	return eo_rules_by_name(name) != NULL;
}

static struct eo_error *read_ignores(struct eo_db *db, struct eo_marks *m)
{
	EO_CLEANUP(eo_freep) char *copy = eo_strdup(eo_db_path(db));
	EO_CLEANUP(eo_freep)
	char *path = eo_path_join(dirname(copy), IGNORE_FILE);
	EO_CLEANUP(eo_str_release) struct eo_str text = { 0 };

	if (access(path, F_OK))
		return NULL;
	eo_try(eo_file_read(path, &text));
	return eo_ignores_parse(path, eo_str_get(&text), text.len, is_rule,
				&m->ignores);
}

struct eo_error *eo_marks_prepare(struct eo_db *db, const char *baseline,
				  struct eo_marks *m)
{
	eo_try(read_ignores(db, m));
	m->has_baseline = baseline != NULL;
	return baseline ? eo_db_get_baseline(db, baseline, &m->baseline) : NULL;
}

static void mark_comment(struct eo_marks *m, struct eo_mark *mark,
			 const struct eo_finding *f,
			 const struct eo_silencer *s)
{
	mark->suppressed_by = "comment";
	mark->suppressed_at =
		eo_arena_printf(&m->arena, "%s:%u", f->file, s->begin);
	mark->suppressed_reason = eo_arena_strdup(&m->arena, s->reason);
}

static void mark_ignored(struct eo_marks *m, struct eo_mark *mark,
			 const struct eo_ignore *g)
{
	mark->suppressed_by = "ignore-file";
	mark->suppressed_at =
		eo_arena_printf(&m->arena, IGNORE_FILE ":%u", g->line);
	mark->suppressed_reason = g->reason;
	mark->suppressed_date = g->date;
}

/* The comments of the file at hand; findings come sorted by file. */
struct comments {
	const char *file;
	struct eo_silencers all;
};

static void comments_release(struct comments *c)
{
	eo_silencers_release(&c->all);
}

static struct eo_error *load_comments(const struct eo_tree *tree,
				      const char *file, struct eo_marks *m,
				      struct comments *c)
{
	EO_CLEANUP(eo_freep) char *path = NULL;
	EO_CLEANUP(eo_str_release) struct eo_str text = { 0 };

	if (eo_streq(c->file, file))
		return NULL;
	eo_silencers_release(&c->all);
	c->file = file;
	path = eo_path_join(tree->root, file);
	eo_try(eo_file_read(path, &text));
	eo_silencers_read(file, eo_str_get(&text), text.len, is_rule, &c->all,
			  &m->warnings);
	return NULL;
}

static bool in_baseline(const struct eo_marks *m, const struct eo_finding *f,
			const struct eo_mark *mark)
{
	return eo_map_has(&m->baseline.ids, f->id) ||
	       (mark->origin && eo_map_has(&m->baseline.ids, mark->origin));
}

struct eo_error *eo_marks_set(struct eo_db *db, const struct eo_tree *tree,
			      const struct eo_findings *found,
			      struct eo_marks *m)
{
	EO_CLEANUP(comments_release) struct comments c = { 0 };

	m->items = eo_zalloc((found->n + 1) * sizeof(*m->items));
	eo_try(eo_moves_find(db, tree, found, m));
	for (size_t i = 0; i < found->n; i++) {
		const struct eo_finding *f = &found->items[i];
		struct eo_mark *mark = &m->items[i];
		const struct eo_silencer *s;
		const struct eo_ignore *g;

		eo_try(load_comments(tree, f->file, m, &c));
		s = eo_silencers_find(&c.all, f->rule, f->line);
		g = eo_ignores_find(&m->ignores, f, mark->origin);
		if (g)
			((struct eo_ignore *)g)->used = true;
		if (s)
			mark_comment(m, mark, f, s);
		else if (g)
			mark_ignored(m, mark, g);
		mark->known = in_baseline(m, f, mark);
	}
	return NULL;
}

/* What suppresses nothing in one file. */
static struct eo_error *stale_comments(const struct eo_tree *tree,
				       const char *file,
				       const struct eo_findings *found,
				       struct eo_marks *m)
{
	EO_CLEANUP(eo_silencers_release) struct eo_silencers all = { 0 };
	EO_CLEANUP(eo_str_release) struct eo_str text = { 0 };
	EO_CLEANUP(eo_str_release) struct eo_str said = { 0 };
	EO_CLEANUP(eo_freep) char *path = eo_path_join(tree->root, file);
	const struct eo_finding *f;
	const struct eo_silencer *s;

	eo_try(eo_file_read(path, &text));
	eo_silencers_read(file, eo_str_get(&text), text.len, is_rule, &all,
			  &said);
	eo_vec_for_each(f, found) {
		s = eo_streq(f->file, file) ?
			    eo_silencers_find(&all, f->rule, f->line) :
			    NULL;
		if (s)
			((struct eo_silencer *)s)->used = true;
	}
	eo_vec_for_each(s, &all) {
		if (!s->used)
			eo_str_addf(
				&m->warnings,
				"%s:%u: nothing to suppress here: %s finds nothing at the call; take the comment out\n",
				file, s->begin, s->rule);
	}
	return NULL;
}

/* Whether something of the file was not looked at. */
static bool has_gap(const struct eo_gaps *gaps, const char *file)
{
	const struct eo_gap *g;

	eo_vec_for_each(g, gaps) {
		if (!*g->file || eo_streq(g->file, file))
			return true;
	}
	return false;
}

static void add_files(struct eo_map *files, const struct eo_findings *list,
		      const struct eo_gaps *gaps)
{
	const struct eo_finding *f;

	eo_vec_for_each(f, list) {
		if (!has_gap(gaps, f->file))
			eo_set_add(files, f->file);
	}
}

struct eo_error *eo_marks_stale(const struct eo_tree *tree,
				const struct eo_findings *found,
				const struct eo_findings *rejected,
				const struct eo_gaps *gaps, struct eo_marks *m)
{
	EO_CLEANUP(eo_map_release) struct eo_map files = { 0 };
	const struct eo_map_entry *e;
	const struct eo_ignore *g;

	add_files(&files, found, gaps);
	add_files(&files, rejected, gaps);
	eo_map_for_each(e, &files)
		eo_try(stale_comments(tree, e->key, found, m));
	eo_vec_for_each(g, &m->ignores) {
		if (!g->used && !gaps->n)
			eo_str_addf(
				&m->warnings,
				IGNORE_FILE
				":%u: nothing to suppress: no finding is like it; take the line out\n",
				g->line);
	}
	return NULL;
}

void eo_marks_release(struct eo_marks *m)
{
	free(m->items);
	free(m->scope.items);
	eo_ignores_release(&m->ignores);
	eo_baseline_release(&m->baseline);
	eo_str_release(&m->warnings);
	eo_arena_release(&m->arena);
}
