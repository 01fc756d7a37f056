// SPDX-License-Identifier: GPL-2.0-only
#include "rewrite/make.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/map.h"
#include "base/str.h"
#include "finding/finding.h"
#include "model/model.h"
#include "rewrite/helper.h"
#include "rewrite/includes.h"
#include "rewrite/rules.h"
#include "rules/rule.h"
#include "scan/analyze.h"
#include "tree/build.h"
#include "tree/overlay.h"
#include "tree/tree.h"
#include "tu/unit.h"

static const struct {
	const char *rule;
	eo_rewrite_fn fn;
} table[] = {
	{ "flush-before-check", eo_rewrite_check },
	{ "flush-in-loop", eo_rewrite_unloop },
	{ "flush-repeated", eo_rewrite_drop },
	{ "flush-unthresholded-hot", eo_rewrite_form },
	{ "idle-visit", eo_rewrite_idle },
	{ "rusage-unused-path", eo_rewrite_under },
	{ "rusage-one-field", eo_rewrite_field },
	{ "rusage-hot-loop", eo_rewrite_lazy },
};

static eo_rewrite_fn fn_of(const char *rule)
{
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		if (strcmp(table[i].rule, rule) == 0)
			return table[i].fn;
	return NULL;
}

bool eo_make_has_rule(const char *rule)
{
	return fn_of(rule) != NULL;
}

/* One file of the change. */
struct job {
	const struct eo_source *src;
	const struct eo_plan_step *step;
	const struct eo_overlay *overlay;
	struct eo_change *out;
	struct eo_code code;
	struct eo_helper helper;
	struct eo_findings *fresh; /* what the analysis finds now */
	bool *taken; /* those that are to be mended */
	struct eo_map warnings; /* file → how many it had before, a number */
	struct eo_error *err;
};

struct words {
	const char **items;
	size_t n, cap;
};

/* @args, and that everything that looks wrong is to be said. */
static void be_strict(const char *const *args, struct words *out)
{
	while (*args)
		*eo_vec_push(out) = *args++;
	*eo_vec_push(out) = "-Wall";
	*eo_vec_push(out) = NULL;
}

struct eo_error *eo_make_parse(const struct eo_source *src,
			       const struct eo_overlay *overlay,
			       const char *file, struct eo_unit **out)
{
	const char *const *args = src->args;
	struct words words = { 0 };
	const char *why = NULL;
	struct eo_error *err;

	if (src->build) {
		args = eo_build_flags(src->build, file, &why);
		if (!args)
			return eo_error_new(EO_ERR_INPUT, "%s: %s", file, why);
		if (chdir(eo_build_dir(src->build)))
			return eo_error_errno(errno, "%s",
					      eo_build_dir(src->build));
	}
	be_strict(args, &words);
	err = eo_unit_parse_over(src->tree->root, overlay, file, words.items,
				 out);
	free(words.items);
	return err;
}

/* Whether a fresh finding is the one of the scan; @well: in every word. */
static bool is_same(const struct eo_finding *f, const struct eo_finding *g,
		    bool well)
{
	return eo_streq(f->rule, g->rule) && eo_streq(f->file, g->file) &&
	       eo_streq(f->function, g->function) &&
	       (!well || eo_streq(f->call_text, g->call_text));
}

/* Finds each of the step's findings among what the analysis says now. */
static struct eo_error *pair(struct job *j)
{
	for (size_t i = 0; i < j->step->n; i++) {
		const struct eo_finding *f = j->step->items[i];
		bool found = false;

		if (!eo_streq(f->file, j->code.u->file))
			continue;
		for (int well = 1; well >= 0 && !found; well--) {
			for (size_t k = 0; k < j->fresh->n && !found; k++) {
				found = !j->taken[k] &&
					is_same(f, &j->fresh->items[k], well);
				if (found)
					j->taken[k] = true;
			}
		}
		if (!found)
			return eo_error_new(
				EO_ERR_INPUT,
				eo_overlay_get(j->overlay, f->file) ?
					"%s: nothing left to mend in %s(): a patch before this one did" :
					"%s: what other files say of %s() is part of the proof, and a patch is made of this one alone",
				f->file, f->function);
	}
	return NULL;
}

static void visit(const struct eo_analyzed *at, void *data)
{
	struct job *j = data;
	const struct eo_finding *f = at->finding;

	for (size_t k = 0; k < j->fresh->n && !j->err; k++) {
		const struct eo_finding *g = &j->fresh->items[k];

		if (!j->taken[k] || g->line != f->line ||
		    g->column != f->column || !is_same(g, f, true))
			continue;
		j->taken[k] = false;
		j->err = fn_of(f->rule)(&j->code, at->site, f);
	}
}

static struct eo_error *edit_unit(struct job *j, struct eo_unit *u)
{
	struct eo_analysis first = { 0 }, again = { 0 };
	struct eo_error *err;

	if (u->errors)
		return eo_error_new(EO_ERR_INPUT, "%s: does not compile: %s",
				    u->file, u->first_error);
	eo_analyze_unit(u, j->src->model, NULL, &first);
	eo_model_forget_local(j->src->model);
	j->fresh = &first.found;
	j->taken = eo_zalloc(first.found.n + 1);
	err = pair(j);
	if (!err) {
		eo_analyze_each(u, j->src->model, &again, visit, j);
		eo_model_forget_local(j->src->model);
		err = j->err;
	}
	eo_freep(&j->taken);
	eo_analysis_release(&first);
	eo_analysis_release(&again);
	return err;
}

/* The edits become a changed file. */
static struct eo_error *finish_unit(struct job *j)
{
	struct eo_changed_file *file = eo_vec_push(&j->out->files);

	file->file = eo_arena_strdup(&j->out->arena, j->code.u->file);
	if (!eo_edits_apply(&j->code.edits, j->code.s, j->code.n, &file->text))
		return eo_code_refuse(
			&j->code, 0,
			"two changes of the patch are about the same bytes");
	if (file->text.len == j->code.n &&
	    !memcmp(eo_str_get(&file->text), j->code.s, j->code.n))
		return eo_code_refuse(&j->code, 0, "nothing was changed");
	return NULL;
}

static struct eo_error *change_file(struct job *j, const char *file)
{
	struct eo_unit *u = NULL;
	struct eo_error *err;

	eo_try(eo_make_parse(j->src, j->overlay, file, &u));
	eo_map_set(&j->warnings, file, (void *)(uintptr_t)u->warnings);
	j->code = (struct eo_code){ .u = u,
				    .helper = &j->helper,
				    .s = eo_str_get(&u->text),
				    .n = u->text.len,
				    .out = j->out,
				    .arena = &j->out->arena };
	err = edit_unit(j, u);
	if (!err)
		err = finish_unit(j);
	eo_edits_release(&j->code.edits);
	eo_unit_free(u);
	return err;
}

/* How many findings of the rule there are in the function. */
static size_t count_left(const struct eo_findings *list,
			 const struct eo_finding *f)
{
	const struct eo_finding *g;
	size_t n = 0;

	eo_vec_for_each(g, list)
		n += is_same(f, g, true);
	return n;
}

/* A diagnostic without the path of the tree. */
static const char *in_tree(const struct job *j, const char *message)
{
	const char *root = j->src->tree->root;
	size_t n = strlen(root);

	return eo_starts_with(message, root) && message[n] == '/' ?
		       message + n + 1 :
		       message;
}

/* What came out has to compile, with nothing left to mend. */
static struct eo_error *check_file(struct job *j, const struct eo_overlay *now,
				   const char *file)
{
	struct eo_analysis a = { 0 };
	struct eo_error *err = NULL;
	struct eo_unit *u = NULL;

	eo_try(eo_make_parse(j->src, now, file, &u));
	if (u->errors) {
		err = eo_error_new(EO_ERR_INPUT,
				   "%s: the changed code would not compile: %s",
				   file, in_tree(j, u->first_error));
	} else if (u->warnings > (uintptr_t)eo_map_get(&j->warnings, file)) {
		err = eo_error_new(EO_ERR_INPUT,
				   "%s: the changed code has a new warning: %s",
				   file, in_tree(j, u->last_warning));
	} else {
		eo_analyze_unit(u, j->src->model, NULL, &a);
		eo_model_forget_local(j->src->model);
	}
	for (size_t i = 0; !err && i < j->step->n; i++) {
		const struct eo_finding *f = j->step->items[i];

		if (count_left(&a.found, f))
			err = eo_error_new(
				EO_ERR_INPUT,
				"%s: the change would leave %s() as it is for %s",
				file, f->function, f->rule);
	}
	eo_analysis_release(&a);
	eo_unit_free(u);
	return err;
}

/* All files together: what they no longer need, and what came out. */
static struct eo_error *finish(struct job *j)
{
	EO_CLEANUP(eo_overlay_release) struct eo_overlay now = { 0 };
	struct eo_changed_file *file;
	struct eo_map_entry *e;

	if (j->overlay)
		eo_map_for_each(e, &j->overlay->files) {
			const struct eo_str *s = e->value;

			eo_overlay_put(&now, e->key, eo_str_get(s), s->len);
		}
	eo_vec_for_each(file, &j->out->files)
		eo_overlay_put(&now, file->file, eo_str_get(&file->text),
			       file->text.len);
	eo_vec_for_each(file, &j->out->files) {
		if (!eo_ends_with(file->file, ".c"))
			continue;
		if (j->helper.call)
			eo_try(eo_includes_drop(j->src, &now, j->helper.call,
						file, j->out));
		eo_try(check_file(j, &now, file->file));
	}
	return NULL;
}

static struct eo_error *make(struct job *j)
{
	struct eo_map_entry *e;

	eo_try(eo_helper_plan(&j->helper, j->src, j->overlay, j->step));
	eo_map_for_each(e, &j->helper.shared)
		eo_try(change_file(j, e->key));
	eo_try(eo_helper_declare(&j->helper, j->out));
	return finish(j);
}

struct eo_error *eo_make_change(const struct eo_source *src,
				const struct eo_overlay *overlay,
				const struct eo_plan_step *step,
				struct eo_change *out)
{
	struct job j = {
		.src = src, .step = step, .overlay = overlay, .out = out
	};
	struct eo_error *err = make(&j);

	eo_helper_release(&j.helper);
	eo_map_release(&j.warnings);
	return err;
}
