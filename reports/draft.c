// SPDX-License-Identifier: GPL-2.0-only
#include "reports/draft.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/proc.h"
#include "base/progress.h"
#include "base/str.h"
#include "finding/finding.h"
#include "reports/subject.h"
#include "tree/git.h"
#include "tree/origin.h"
#include "tree/tree.h"

static void release_step(struct eo_draft_step *s)
{
	free(s->prefix);
	free(s->subject);
	free(s->body);
	free(s->diff);
	free(s->fixes);
	free(s->since);
	eo_change_release(&s->change);
	eo_evidences_release(&s->evidence);
	eo_recipients_release(&s->recipients);
}

void eo_draft_release(struct eo_draft *d)
{
	struct eo_draft_step *s;

	eo_vec_for_each(s, d)
		release_step(s);
	free(d->items);
	free(d->plan.items);
	free(d->name);
	free(d->title);
	free(d->base);
	free(d->changes);
	free(d->range_diff);
	eo_overlay_release(&d->overlay);
	eo_map_release(&d->files);
	eo_scratch_release(&d->scratch);
	*d = (struct eo_draft){ 0 };
}

/*
 * Turns an error about one finding into a warning, so that the others get
 * their patch; what is no finding's fault (Ctrl-C) stays an error.
 */
static struct eo_error *forgive(struct eo_writer *w, const struct eo_finding *f,
				struct eo_error *err)
{
	EO_CLEANUP(eo_freep)
	char *place = eo_asprintf("%s:%u: ", f->file, f->line);
	const char *why;

	if (!err || eo_error_kind(err) == EO_ERR_INTERRUPTED)
		return err;
	w->failed++;
	why = eo_error_message(err);
	if (eo_starts_with(why, place))
		why += strlen(place);
	eo_str_addf(w->warnings, "%sno patch: %s\n", place, why);
	eo_error_free(err);
	return NULL;
}

/* The overlay begins as the series before this one has left it. */
static void inherit(struct eo_draft *d)
{
	struct eo_map_entry *e;

	if (!d->after)
		return;
	eo_map_for_each(e, &d->after->overlay.files) {
		const struct eo_str *text =
			eo_overlay_get(&d->after->overlay, e->key);

		eo_overlay_put(&d->overlay, e->key, text->s, text->len);
	}
}

/* Makes the changes, each on top of those before it. */
static struct eo_error *make_changes(struct eo_writer *w, struct eo_draft *d)
{
	for (size_t i = 0; i < d->plan.n; i++) {
		const struct eo_plan_step *p = d->plan.items[i];
		const struct eo_finding *f = p->items[0];
		struct eo_change change = { 0 };
		struct eo_changed_file *file;
		struct eo_draft_step *s;
		struct eo_error *err;

		eo_progress("patch", i, d->plan.n, f->file);
		err = eo_rewrite_make(w->rewriter, &d->overlay, p, &change);
		if (err) {
			eo_change_release(&change);
			eo_try(forgive(w, f, err));
			continue;
		}
		eo_vec_for_each(file, &change.files)
			eo_overlay_put(&d->overlay, file->file, file->text.s,
				       file->text.len);
		s = eo_vec_push(d);
		s->plan = p;
		s->change = change;
	}
	return NULL;
}

/* The touched files as they are in the tree: what the series begins with. */
static struct eo_error *put_base(struct eo_writer *w, struct eo_draft *d)
{
	struct eo_draft_step *s;

	eo_vec_for_each(s, d) {
		struct eo_changed_file *file;

		eo_vec_for_each(file, &s->change.files) {
			EO_CLEANUP(eo_str_release) struct eo_str text = { 0 };

			if (!eo_set_add(&d->files, file->file))
				continue;
			eo_try(eo_overlay_read(d->after ? &d->after->overlay :
							  NULL,
					       w->tree, file->file, &text));
			eo_try(eo_scratch_put(&d->scratch, file->file,
					      eo_str_get(&text), text.len));
		}
	}
	eo_try(eo_scratch_commit(&d->scratch, "The files as they are.\n"));
	return eo_scratch_mark_base(&d->scratch);
}

/*
 * The commit that the series applies to, for whoever cannot apply it to what
 * they have; nothing when the tree has none that says what the files are.
 */
static struct eo_error *find_base(struct eo_writer *w, struct eo_draft *d)
{
	struct {
		const char **items;
		size_t n, cap;
	} argv = { 0 };
	static const char *const head[] = { "git",  "--literal-pathspecs",
					    "diff", "--quiet",
					    "HEAD", "--" };
	EO_CLEANUP(eo_proc_result_release) struct eo_proc_result r = { 0 };
	struct eo_map_entry *e;
	struct eo_error *err;

	if (!w->tree->revision || d->after)
		return NULL;
	for (size_t i = 0; i < sizeof(head) / sizeof(head[0]); i++)
		*eo_vec_push(&argv) = head[i];
	eo_map_for_each(e, &d->files)
		*eo_vec_push(&argv) = e->key;
	*eo_vec_push(&argv) = NULL;
	err = eo_git(w->tree, argv.items, &r);
	free(argv.items);
	if (!err && r.status == 0)
		d->base = eo_strdup(w->tree->revision);
	return err;
}

/* "Fixes: …" for each commit that brought in what the patch mends. */
static struct eo_error *find_origins(struct eo_writer *w,
				     struct eo_draft_step *s)
{
	EO_CLEANUP(eo_map_release) struct eo_map seen = { 0 };
	EO_CLEANUP(eo_str_release) struct eo_str lines = { 0 };

	for (size_t i = 0; i < s->plan->n; i++) {
		const struct eo_finding *f = s->plan->items[i];
		EO_CLEANUP(eo_freep) char *commit = NULL;

		eo_try(eo_git_origin(w->tree, f->file, f->line, f->call,
				     &commit));
		if (commit && eo_set_add(&seen, commit))
			eo_str_addf(&lines, "%s%s", lines.len ? "\n" : "",
				    commit);
	}
	if (lines.len)
		s->fixes = eo_str_take(&lines);
	return NULL;
}

static bool is_taken(const struct eo_draft *d, const struct eo_draft_step *own)
{
	struct eo_draft_step *s;

	eo_vec_for_each(s, d)
		if (s != own && s->subject &&
		    eo_streq(s->subject, own->subject))
			return true;
	return false;
}

static struct eo_error *name_step(struct eo_writer *w, const struct eo_draft *d,
				  struct eo_draft_step *s)
{
	const struct eo_finding *f = s->plan->items[0];
	EO_CLEANUP(eo_freep) char *what = NULL;

	eo_try(eo_subject_prefix(w->tree, f->file, &s->prefix));
	s->subject = eo_subject(s->prefix, f, s->change.subject);
	if (!is_taken(d, s))
		return NULL;
	/* Two patches of one name are hard to talk about. */
	what = eo_asprintf("%s in %s()", s->subject + strlen(s->prefix) + 2,
			   f->function);
	free(s->subject);
	s->subject = eo_subject(s->prefix, f, what);
	return NULL;
}

static bool shares_file(const struct eo_draft_step *a,
			const struct eo_draft_step *b)
{
	for (size_t i = 0; i < a->change.files.n; i++)
		for (size_t k = 0; k < b->change.files.n; k++)
			if (eo_streq(a->change.files.items[i].file,
				     b->change.files.items[k].file))
				return true;
	return false;
}

static bool shares_function(const struct eo_draft_step *a,
			    const struct eo_draft_step *b)
{
	for (size_t i = 0; i < a->plan->n; i++)
		for (size_t k = 0; k < b->plan->n; k++)
			if (eo_streq(a->plan->items[i]->file,
				     b->plan->items[k]->file) &&
			    eo_streq(a->plan->items[i]->function,
				     b->plan->items[k]->function))
				return true;
	return false;
}

/* The patch before @s without which it does not apply, or means nothing. */
static struct eo_error *find_foundation(struct eo_draft *d,
					struct eo_draft_step *s)
{
	unsigned sharing = 0;
	bool applies = true;

	for (struct eo_draft_step *b = d->items; b < s; b++) {
		if (!shares_file(b, s))
			continue;
		sharing = (unsigned)(b - d->items) + 1;
		if (shares_function(b, s))
			s->builds_on = sharing;
	}
	if (!sharing || s->builds_on == sharing)
		return NULL;
	eo_try(eo_scratch_applies(&d->scratch, s->diff, &applies));
	if (!applies)
		s->builds_on = sharing;
	return NULL;
}

static bool is_changed_before(const struct eo_draft *d,
			      const struct eo_draft_step *s)
{
	for (const struct eo_draft_step *b = d->items; b < s; b++)
		if (shares_function(b, s))
			return true;
	return false;
}

/* The message, with its trailers. The caller frees. */
static char *make_message(const struct eo_writer *w,
			  const struct eo_draft_step *s)
{
	struct eo_str out = { 0 };

	eo_str_addf(&out, "%s\n\n%s\n", s->subject, s->body);
	for (const char *p = s->fixes; p && *p;) {
		size_t n = strcspn(p, "\n");

		eo_str_addf(&out, "Fixes: %.*s\n", (int)n, p);
		p += n + (p[n] == '\n');
	}
	eo_str_addf(&out, "Signed-off-by: %s <%s>\n", w->author.name,
		    w->author.address);
	return eo_str_take(&out);
}

static struct eo_error *commit_step(struct eo_writer *w, struct eo_draft *d,
				    struct eo_draft_step *s)
{
	const struct eo_mail mail = {
		.model = w->model,
		.step = s->plan,
		.change = &s->change,
		.evidence = &s->evidence,
		.changed_before = is_changed_before(d, s),
	};
	EO_CLEANUP(eo_str_release) struct eo_str body = { 0 }, diff = { 0 };
	EO_CLEANUP(eo_freep) char *message = NULL;

	eo_try(eo_scratch_diff(&d->scratch, &diff));
	s->diff = eo_str_take(&diff);
	eo_try(name_step(w, d, s));
	eo_try(find_origins(w, s));
	for (size_t i = 0; i < s->plan->n; i++)
		eo_try(eo_db_get_evidence(w->db, s->plan->items[i]->id, s->diff,
					  &s->evidence));
	eo_mail_body(&mail, &body);
	s->body = eo_str_take(&body);
	message = make_message(w, s);
	eo_try(eo_scratch_commit(&d->scratch, message));
	eo_try(find_foundation(d, s));
	return eo_recipients_ask(w->tree, s->diff, &s->recipients, w->warnings);
}

static struct eo_error *commit_steps(struct eo_writer *w, struct eo_draft *d)
{
	struct eo_draft_step *s;

	eo_vec_for_each(s, d) {
		struct eo_changed_file *file;

		eo_vec_for_each(file, &s->change.files)
			eo_try(eo_scratch_put(&d->scratch, file->file,
					      eo_str_get(&file->text),
					      file->text.len));
		eo_try(commit_step(w, d, s));
	}
	return NULL;
}

struct eo_error *eo_draft_make(struct eo_writer *w, struct eo_draft *d)
{
	inherit(d);
	eo_try(make_changes(w, d));
	if (!d->n)
		return NULL;
	eo_try(eo_scratch_open(&w->author, &d->scratch));
	eo_try(put_base(w, d));
	eo_try(find_base(w, d));
	return commit_steps(w, d);
}
