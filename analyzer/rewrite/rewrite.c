// SPDX-License-Identifier: GPL-2.0-only
#include "rewrite/rewrite.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "finding/finding.h"
#include "smpl/smpl.h"
#include "tree/overlay.h"
#include "tree/tree.h"

#define DEFAULT_TIMEOUT_MS 120000

struct eo_rewriter {
	const struct eo_tree *tree;
	struct eo_model *model;
	struct eo_rewriter_options opts;
};

void eo_change_release(struct eo_change *c)
{
	struct eo_changed_file *file;

	eo_vec_for_each(file, &c->files)
		eo_str_release(&file->text);
	free(c->files.items);
	free(c->notes.items);
	eo_arena_release(&c->arena);
	*c = (struct eo_change){ 0 };
}

void eo_rewriter_open(const struct eo_tree *tree, struct eo_model *model,
		      const struct eo_rewriter_options *opts,
		      struct eo_rewriter **out)
{
	struct eo_rewriter *r = eo_zalloc(sizeof(*r));

	r->tree = tree;
	r->model = model;
	r->opts = *opts;
	if (!r->opts.timeout_ms)
		r->opts.timeout_ms = DEFAULT_TIMEOUT_MS;
	*out = r;
}

void eo_rewriter_close(struct eo_rewriter *r)
{
	free(r);
}

/* By the rule's semantic patch. */
static struct eo_error *by_smpl(struct eo_rewriter *r,
				const struct eo_overlay *overlay,
				const struct eo_finding *f,
				struct eo_change *out)
{
	const struct eo_smpl_options opts = {
		.jobs = r->opts.jobs ? r->opts.jobs : 1,
		.timeout_ms = r->opts.timeout_ms,
		.overlay = overlay,
	};
	EO_CLEANUP(eo_str_release) struct eo_str old = { 0 };
	struct eo_changed_file *file;
	struct eo_finding now = *f;

	/* Patches before this one may have moved the function. */
	if (eo_overlay_get(overlay, f->file))
		now.line = now.function_line = now.function_end = 0;
	eo_try(eo_overlay_read(overlay, r->tree, f->file, &old));
	file = eo_vec_push(&out->files);
	file->file = eo_arena_strdup(&out->arena, f->file);
	eo_try(eo_smpl_fix(r->tree, r->model, &now, &opts, &file->text));
	if (old.len == file->text.len &&
	    !memcmp(eo_str_get(&old), eo_str_get(&file->text), old.len))
		return eo_error_new(EO_ERR_INPUT,
				    "the semantic patch changed nothing");
	return NULL;
}

struct eo_error *eo_rewrite_make(struct eo_rewriter *r,
				 const struct eo_overlay *overlay,
				 const struct eo_plan_step *step,
				 struct eo_change *out)
{
	const struct eo_finding *f = step->items[0];

	if (!step->strategy || !step->strategy->is_made)
		return eo_error_new(
			EO_ERR_INPUT, "%s: no diff is made for that: %s",
			step->strategy ? step->strategy->name : f->rule,
			step->strategy ? step->strategy->cons :
					 "there is no fix of it");
	out->strategy = step->strategy->name;
	return by_smpl(r, overlay, f, out);
}
