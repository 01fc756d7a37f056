// SPDX-License-Identifier: GPL-2.0-only
#include "rewrite/rewrite.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/map.h"
#include "base/wire.h"
#include "finding/finding.h"
#include "model/model.h"
#include "rewrite/make.h"
#include "smpl/smpl.h"
#include "tree/build.h"
#include "tree/overlay.h"
#include "tree/tree.h"
#include "tu/pool.h"

#define DEFAULT_TIMEOUT_MS 120000
#define WORKER_MEMORY ((size_t)4 << 30)

struct eo_rewriter {
	const struct eo_tree *tree;
	struct eo_model *model;
	struct eo_rewriter_options opts;
	struct eo_build *build;
	struct eo_map known; /* set: files that flags were asked for */
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
	if (!r->opts.jobs)
		r->opts.jobs = 1;
	if (!r->opts.timeout_ms)
		r->opts.timeout_ms = DEFAULT_TIMEOUT_MS;
	*out = r;
}

void eo_rewriter_close(struct eo_rewriter *r)
{
	if (!r)
		return;
	eo_build_free(r->build);
	eo_map_release(&r->known);
	free(r);
}

/* By the rule's semantic patch. */
static struct eo_error *by_smpl(struct eo_rewriter *r,
				const struct eo_overlay *overlay,
				const struct eo_finding *f,
				struct eo_change *out)
{
	const struct eo_smpl_options opts = {
		.jobs = r->opts.jobs,
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

struct names {
	const char **items;
	size_t n, cap;
};

/* Flags for the step's files, as the scan had them. */
static struct eo_error *ask_flags(struct eo_rewriter *r,
				  const struct eo_plan_step *step)
{
	struct names names = { 0 }, files = { 0 };
	struct eo_error *err = NULL;
	struct eo_map_entry *e;

	for (size_t i = 0; i < step->n; i++)
		if (eo_set_add(&r->known, step->items[i]->file))
			*eo_vec_push(&files) = step->items[i]->file;
	eo_map_for_each(e, &r->model->calls)
		*eo_vec_push(&names) = e->key;
	if (files.n && r->build) {
		err = eo_build_add(r->build, files.items, files.n, names.items,
				   names.n);
	} else if (files.n) {
		const struct eo_build_options opts = {
			.build_dir = r->opts.build_dir,
			.compile_commands = r->opts.compile_commands,
			.files = files.items,
			.n_files = files.n,
			.names = names.items,
			.n_names = names.n,
			.jobs = r->opts.jobs,
		};

		err = eo_build_open(r->tree, &opts, &r->build);
	}
	free(names.items);
	free(files.items);
	return err;
}

/* What the worker and its parent share. */
struct task {
	struct eo_rewriter *r;
	const struct eo_overlay *overlay;
	const struct eo_plan_step *step;
	struct eo_change *out;
	struct eo_error *err;
};

static void put_change(struct eo_str *to, const struct eo_change *c)
{
	const struct eo_changed_file *file;
	const struct eo_note *note;

	eo_wire_put_str(to, c->subject);
	eo_wire_put_u32(to, (uint32_t)c->files.n);
	eo_vec_for_each(file, &c->files) {
		eo_wire_put_str(to, file->file);
		eo_wire_put_str(to, eo_str_get(&file->text));
	}
	eo_wire_put_u32(to, (uint32_t)c->notes.n);
	eo_vec_for_each(note, &c->notes) {
		eo_wire_put_u32(to, note->kind);
		eo_wire_put_str(to, note->text);
	}
}

static bool get_change(struct eo_wire *w, struct eo_change *c)
{
	c->subject = eo_wire_get_str(w, &c->arena);
	for (uint32_t n = eo_wire_get_u32(w); n && !w->bad; n--) {
		struct eo_changed_file *file = eo_vec_push(&c->files);
		const char *text;

		file->file = eo_wire_get_str(w, &c->arena);
		text = eo_wire_get_str(w, &c->arena);
		if (!file->file || !text)
			return false;
		eo_str_add(&file->text, text);
	}
	for (uint32_t n = eo_wire_get_u32(w); n && !w->bad; n--) {
		struct eo_note *note = eo_vec_push(&c->notes);

		note->kind = eo_wire_get_u32(w);
		note->text = eo_wire_get_str(w, &c->arena);
	}
	return !w->bad;
}

static void work(size_t i, struct eo_str *to, void *data)
{
	struct task *t = data;
	const struct eo_source src = { .tree = t->r->tree,
				       .model = t->r->model,
				       .build = t->r->build,
				       .args = t->r->opts.args };
	struct eo_change change = { 0 };
	struct eo_error *err =
		eo_make_change(&src, t->overlay, t->step, &change);

	(void)i;
	eo_wire_put_u32(to, err != NULL);
	if (err)
		eo_wire_put_str(to, eo_error_message(err));
	else
		put_change(to, &change);
	eo_error_free(err);
	eo_change_release(&change);
}

static void done(size_t i, enum eo_job_state state, const char *p, size_t len,
		 void *data)
{
	struct task *t = data;
	struct eo_wire w = { p, len, false };
	EO_CLEANUP(eo_arena_release) struct eo_arena a = { 0 };
	const char *why;

	(void)i;
	if (state != EO_JOB_DONE) {
		t->err = eo_error_new(EO_ERR_INPUT, "%.*s", (int)len, p);
		return;
	}
	if (eo_wire_get_u32(&w)) {
		why = eo_wire_get_str(&w, &a);
		t->err = eo_error_new(EO_ERR_INPUT, "%s",
				      why ? why :
					    "a worker's answer is damaged");
	} else if (!get_change(&w, t->out)) {
		t->err = eo_error_new(EO_ERR_INTERNAL,
				      "a worker's answer is damaged");
	}
}

static const char *job_name(size_t i, void *data)
{
	(void)i;
	return ((struct task *)data)->step->items[0]->file;
}

/* By our own rewriter, in a worker: libclang may crash on what it is given. */
static struct eo_error *by_us(struct eo_rewriter *r,
			      const struct eo_overlay *overlay,
			      const struct eo_plan_step *step,
			      struct eo_change *out)
{
	struct task t = { .r = r, .overlay = overlay, .step = step, .out = out };
	const struct eo_pool_options pool = { .workers = 1,
					      .timeout_ms = r->opts.timeout_ms,
					      .max_memory = WORKER_MEMORY };
	const struct eo_pool_jobs jobs = { 1, work, done, job_name, &t };

	if (!r->opts.args)
		eo_try(ask_flags(r, step));
	eo_try(eo_pool_run(&pool, &jobs));
	return t.err;
}

struct eo_error *eo_rewrite_make(struct eo_rewriter *r,
				 const struct eo_overlay *overlay,
				 const struct eo_plan_step *step,
				 struct eo_change *out)
{
	const struct eo_finding *f = step->items[0];

	if (!step->strategy)
		return eo_error_new(EO_ERR_INPUT,
				    "%s:%u: there is no fix of %s", f->file,
				    f->line, f->rule);
	if (!step->strategy->is_made)
		return eo_error_new(EO_ERR_INPUT,
				    "%s:%u: no diff is made for %s: %s",
				    f->file, f->line, step->strategy->name,
				    step->strategy->cons);
	out->strategy = step->strategy->name;
	if (eo_make_has_rule(f->rule))
		return by_us(r, overlay, step, out);
	return by_smpl(r, overlay, f, out);
}
