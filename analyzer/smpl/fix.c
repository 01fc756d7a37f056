// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/proc.h"
#include "base/str.h"
#include "finding/finding.h"
#include "model/model.h"
#include "smpl/lines.h"
#include "smpl/read.h"
#include "smpl/smpl.h"
#include "smpl/spatch.h"
#include "smpl/style.h"
#include "tree/overlay.h"

/* The copy that spatch gets: a name that no diff and no shell trips over. */
#define COPY "source.c"

struct fix {
	const struct eo_tree *tree;
	const struct eo_model *model;
	const struct eo_finding *f;
	const struct eo_overlay *overlay;
	struct eo_spatch spatch;
	struct eo_lines lines;
	struct eo_str copy; /* the text with "\n" behind each line */
	unsigned first, last; /* lines of the function */
};

static void fix_release(struct fix *fix)
{
	eo_spatch_release(&fix->spatch);
	eo_lines_release(&fix->lines);
	eo_str_release(&fix->copy);
}

static struct eo_error *prepare(struct fix *fix)
{
	EO_CLEANUP(eo_freep) char *copy = NULL;
	EO_CLEANUP(eo_str_release) struct eo_str text = { 0 };

	eo_try(eo_overlay_read(fix->overlay, fix->tree, fix->f->file, &text));
	if (text.len && memchr(text.s, '\0', text.len))
		return eo_error_new(EO_ERR_INPUT,
				    "%s: has NUL bytes, which is no C source",
				    fix->f->file);
	eo_lines_split(&fix->lines, eo_str_get(&text), text.len);
	eo_lines_join(&fix->lines, true, &fix->copy);
	copy = eo_path_join(fix->spatch.dir, COPY);
	return eo_file_write(copy, eo_str_get(&fix->copy), fix->copy.len);
}

static struct eo_error *run(const struct fix *fix, const char *mode,
			    struct eo_proc_result *r)
{
	struct eo_error *err =
		eo_spatch_run(&fix->spatch, mode, fix->spatch.dir, COPY, r);

	if (!err && r->status)
		err = eo_error_new(EO_ERR_ENV,
				   "spatch ended with status %d: %.500s",
				   r->status, eo_str_get(&r->err));
	return err ? eo_error_wrap(err, "%s", fix->f->file) : NULL;
}

/* Whether spatch speaks of the call that is to be fixed. */
static bool is_same(const struct eo_finding *f, const struct eo_finding *g)
{
	if (f->line == g->line)
		return true;
	return f->function && eo_streq(f->function, g->function) &&
	       eo_streq(f->call, g->call);
}

/* Where the function is that has the call, when the finding does not say. */
static struct eo_error *find_function(struct fix *fix)
{
	EO_CLEANUP(eo_proc_result_release) struct eo_proc_result r = { 0 };
	EO_CLEANUP(eo_findings_release) struct eo_findings found = { 0 };
	EO_CLEANUP(eo_gaps_release) struct eo_gaps gaps = { 0 };
	const struct eo_spatch_file file = { fix->f->rule, fix->f->file,
					     &fix->copy };
	const struct eo_finding *g;

	fix->first = fix->f->function_line;
	fix->last = fix->f->function_end;
	if (fix->first && fix->last)
		return NULL;
	eo_try(run(fix, "earlyout", &r));
	if (!eo_spatch_read(&file, fix->model, &r, &found, &gaps))
		return eo_error_new(EO_ERR_ENV,
				    "%s: spatch ended before it was done",
				    fix->f->file);
	eo_vec_for_each(g, &found) {
		if (!is_same(fix->f, g))
			continue;
		fix->first = g->function_line;
		fix->last = g->function_end;
	}
	return NULL;
}

/* What the early return gives, as whoever proved the finding says. */
static void set_result(struct fix *fix)
{
	const char *result = fix->f->result;

	for (size_t i = 0; result && i < fix->lines.n; i++) {
		const struct eo_line *line = &fix->lines.items[i];
		size_t n = line->touched ? strspn(line->s, " \t") : 0;
		EO_CLEANUP(eo_freep) char *new = NULL;

		if (!n || strcspn(line->s + n, " ;") != strlen("return") ||
		    !eo_starts_with(line->s + n, "return"))
			continue;
		new = eo_asprintf("%.*sreturn%s%s;", (int)n, line->s,
				  *result ? " " : "", result);
		eo_lines_set(&fix->lines, i, new, strlen(new));
	}
}

static struct eo_error *transform(struct fix *fix)
{
	EO_CLEANUP(eo_proc_result_release) struct eo_proc_result r = { 0 };
	const struct eo_finding *f = fix->f;
	size_t applied = 0;

	eo_try(run(fix, "patch", &r));
	if (fix->first)
		eo_try(eo_lines_patch(&fix->lines, eo_str_get(&r.out),
				      fix->first, fix->last, &applied));
	if (!applied)
		return eo_error_new(
			EO_ERR_INPUT,
			"%s:%u: the semantic patch %s changes nothing in %s()",
			f->file, f->line, f->rule,
			f->function ? f->function : "the function");
	return NULL;
}

struct eo_error *eo_smpl_fix(const struct eo_tree *tree,
			     const struct eo_model *model,
			     const struct eo_finding *f,
			     const struct eo_smpl_options *opts,
			     struct eo_str *text)
{
	EO_CLEANUP(fix_release)
	struct fix fix = {
		.tree = tree, .model = model, .f = f, .overlay = opts->overlay
	};

	eo_try(eo_spatch_init(&fix.spatch, f->rule, model, opts->timeout_ms));
	eo_try(prepare(&fix));
	eo_try(find_function(&fix));
	eo_try(transform(&fix));
	set_result(&fix);
	eo_style_lines(&fix.lines);
	eo_lines_join(&fix.lines, false, text);
	return NULL;
}
