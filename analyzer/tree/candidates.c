// SPDX-License-Identifier: GPL-2.0-only
#include "tree/candidates.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/proc.h"
#include "finding/finding.h"
#include "tree/clex.h"
#include "tree/search.h"
#include "tree/tree.h"
#include "tree/walk.h"

/* What one thread found. The strings are its own arena's. */
struct part {
	const struct eo_search *search;
	struct eo_candidates found;
	struct eo_gaps gaps;
};

void eo_candidates_release(struct eo_candidates *c)
{
	free(c->items);
	eo_arena_release(&c->arena);
	*c = (struct eo_candidates){ 0 };
}

/* Bit i % 64 for each name i that stands outside of comments and strings. */
static unsigned long long names_in(const struct eo_search *search,
				   const char *text, size_t len)
{
	struct eo_clex lx = { .p = text, .end = text + len };
	unsigned long long names = 0;
	const char *tok;
	size_t n;

	while (eo_clex_next(&lx, &tok, &n) != EO_CLEX_END) {
		long i = eo_search_index(search, tok, n);

		if (i >= 0)
			names |= 1ULL << (i % 64);
	}
	return names;
}

static void add_gap(struct eo_gaps *gaps, const char *file,
		    enum eo_gap_reason reason, const char *detail)
{
	static const unsigned engines[] = { EO_ENGINE_CLANG, EO_ENGINE_SMPL };

	for (size_t i = 0; i < sizeof(engines) / sizeof(engines[0]); i++) {
		struct eo_gap gap = { .file = file,
				      .engine = engines[i],
				      .reason = reason,
				      .detail = detail };

		eo_gaps_add(gaps, &gap);
	}
}

static void on_text(void *ctx, const char *file, const char *text, size_t len)
{
	struct part *part = ctx;
	bool kernel = eo_tree_is_kernel_path(file);
	unsigned long long names = 0;

	part->found.files++;
	if (kernel && memchr(text, '\0', len)) {
		add_gap(&part->gaps, file, EO_GAP_NOT_C,
			"it has a NUL byte, so it is no C source; replace or remove it");
		return;
	}
	if (eo_search_hit(part->search, text, len))
		names = names_in(part->search, text, len);
	if (names && !kernel)
		part->found.outside++;
	if (!names || !kernel)
		return;
	*eo_vec_push(&part->found) = (struct eo_candidate){
		.file = eo_arena_strdup(&part->found.arena, file),
		.names = names,
	};
}

static void on_unreadable(void *ctx, const char *path, bool folder,
			  const char *why)
{
	struct part *part = ctx;
	EO_CLEANUP(eo_freep) char *detail = NULL;

	part->found.files += !folder;
	if (!eo_tree_is_kernel_path(path))
		return;
	detail = eo_asprintf(
		"cannot read the %s: %s; give yourself the right to read it",
		folder ? "folder" : "file", why);
	add_gap(&part->gaps, path, EO_GAP_UNREADABLE, detail);
}

static int by_file(const void *a, const void *b)
{
	const struct eo_candidate *x = a, *y = b;

	return strcmp(x->file, y->file);
}

static int by_gap_file(const void *a, const void *b)
{
	const struct eo_gap *x = a, *y = b;
	int c = strcmp(x->file, y->file);

	return c ? c : (int)x->engine - (int)y->engine;
}

/* All parts' finds in one list, in an order that no thread decides. */
static void gather(struct part *parts, unsigned n, struct eo_gaps *gaps,
		   struct eo_candidates *out)
{
	struct eo_gaps all = { 0 };
	struct eo_candidate *c;
	struct eo_gap *g;

	for (struct part *p = parts; p < parts + n; p++) {
		out->files += p->found.files;
		out->outside += p->found.outside;
		eo_vec_for_each(c, &p->found)
			*eo_vec_push(out) = (struct eo_candidate){
				.file = eo_arena_strdup(&out->arena, c->file),
				.names = c->names,
			};
		eo_vec_for_each(g, &p->gaps)
			eo_gaps_add(&all, g);
		eo_candidates_release(&p->found);
		eo_gaps_release(&p->gaps);
	}
	if (out->n)
		qsort(out->items, out->n, sizeof(*out->items), by_file);
	if (all.n)
		qsort(all.items, all.n, sizeof(*all.items), by_gap_file);
	eo_vec_for_each(g, &all)
		eo_gaps_add(gaps, g);
	eo_gaps_release(&all);
}

struct eo_error *eo_candidates_find(const struct eo_tree *tree,
				    const char *const *names, size_t n_names,
				    unsigned jobs, struct eo_gaps *gaps,
				    struct eo_candidates *out)
{
	unsigned threads = eo_walk_threads(jobs);
	struct part *parts = eo_zalloc(threads * sizeof(*parts));
	void **ctx = eo_zalloc(threads * sizeof(*ctx));
	EO_CLEANUP(eo_search_release) struct eo_search search;
	struct eo_walk_ops ops = { .text = on_text,
				   .unreadable = on_unreadable };
	struct eo_error *err;

	eo_search_init(&search, names, n_names);
	for (unsigned i = 0; i < threads; i++) {
		parts[i].search = &search;
		ctx[i] = &parts[i];
	}
	err = eo_walk_sources(tree->root, &ops, ctx, threads);
	gather(parts, threads, gaps, out);
	free(parts);
	free(ctx);
	return err;
}
