// SPDX-License-Identifier: GPL-2.0-only
#include "reports/series.h"

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/err.h"
#include "base/file.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/proc.h"
#include "base/progress.h"
#include "base/str.h"
#include "db/db.h"
#include "db/history.h"
#include "finding/finding.h"
#include "model/model.h"
#include "reports/mail.h"
#include "reports/outbox.h"
#include "reports/recipients.h"
#include "reports/scratch.h"
#include "reports/subject.h"
#include "rewrite/rewrite.h"
#include "tree/overlay.h"
#include "tree/tree.h"

/* One patch on its way from a finding to a mail. */
struct step {
	const struct eo_finding *finding;
	struct eo_change change;
	char *prefix, *subject, *body, *diff;
	struct eo_recipients recipients;
};

struct work {
	const struct eo_tree *tree;
	struct eo_model *model;
	const struct eo_series_options *opts;
	struct eo_str *warnings;
	unsigned *failed;
	struct eo_run run;
	struct eo_arena arena;
	struct eo_findings findings;
	struct eo_standings standings;
	struct eo_plan plan;
	struct eo_identity author;
	struct eo_scratch scratch;
	struct eo_outbox outbox;
	struct eo_map files; /* touched: those in the scratch repository */
	struct step *items;
	size_t n, cap;
};

static void work_release(struct work *w)
{
	struct step *s;

	eo_vec_for_each(s, w) {
		free(s->prefix);
		free(s->subject);
		free(s->body);
		free(s->diff);
		eo_recipients_release(&s->recipients);
		eo_change_release(&s->change);
	}
	free(w->items);
	eo_plan_release(&w->plan);
	eo_map_release(&w->files);
	eo_outbox_release(&w->outbox);
	eo_scratch_release(&w->scratch);
	eo_identity_release(&w->author);
	eo_findings_release(&w->findings);
	eo_standings_release(&w->standings);
	eo_arena_release(&w->arena);
}

/*
 * Turns an error about one finding into a warning, so that the others get
 * their patch; what is no finding's fault (Ctrl-C) stays an error.
 */
static struct eo_error *forgive(struct work *w, const struct eo_finding *f,
				struct eo_error *err)
{
	if (!err || eo_error_kind(err) == EO_ERR_INTERRUPTED)
		return err;
	++*w->failed;
	eo_str_addf(w->warnings, "%s:%u: no patch: %s\n", f->file, f->line,
		    eo_error_message(err));
	eo_error_free(err);
	return NULL;
}

static void close_rewriter(struct eo_rewriter **r)
{
	eo_rewriter_close(*r);
}

/* Nobody mends what people have put aside. */
static bool is_wanted(const struct eo_finding *f, void *data)
{
	const struct work *w = data;
	const struct eo_standing *s = eo_standings_find(&w->standings, f->id);

	return eo_mail_can_tell(f) && !(s && eo_standing_is_aside(s));
}

/* Makes the changes, each on top of those before it. */
static struct eo_error *make_changes(struct work *w)
{
	const struct eo_rewriter_options opts = {
		.jobs = w->opts->jobs ? w->opts->jobs : 1,
	};
	EO_CLEANUP(eo_overlay_release) struct eo_overlay overlay = { 0 };
	EO_CLEANUP(close_rewriter) struct eo_rewriter *r = NULL;
	struct eo_plan_step *p;

	eo_rewriter_open(w->tree, w->model, &opts, &r);
	eo_vec_for_each(p, &w->plan) {
		const struct eo_finding *f = p->items[0];
		struct eo_change change = { 0 };
		struct eo_changed_file *file;
		struct eo_error *err;
		struct step *s;

		eo_progress("patch", (size_t)(p - w->plan.items), w->plan.n,
			    f->file);
		err = eo_rewrite_make(r, &overlay, p, &change);
		if (err) {
			eo_change_release(&change);
			eo_try(forgive(w, f, err));
			continue;
		}
		eo_vec_for_each(file, &change.files)
			eo_overlay_put(&overlay, file->file, file->text.s,
				       file->text.len);
		s = eo_vec_push(w);
		s->finding = f;
		s->change = change;
	}
	return NULL;
}

/* The touched files as they are in the tree: what the series begins with. */
static struct eo_error *put_base(struct work *w)
{
	struct step *s;

	eo_vec_for_each(s, w) {
		struct eo_changed_file *file;

		eo_vec_for_each(file, &s->change.files) {
			EO_CLEANUP(eo_str_release) struct eo_str text = { 0 };

			if (!eo_set_add(&w->files, file->file))
				continue;
			eo_try(eo_overlay_read(NULL, w->tree, file->file,
					       &text));
			eo_try(eo_scratch_put(&w->scratch, file->file,
					      eo_str_get(&text), text.len));
		}
	}
	eo_try(eo_scratch_commit(&w->scratch, "The files as they are.\n"));
	return eo_scratch_mark_base(&w->scratch);
}

static struct eo_error *commit_step(struct work *w, struct step *s)
{
	EO_CLEANUP(eo_str_release) struct eo_str body = { 0 }, diff = { 0 };
	EO_CLEANUP(eo_freep) char *message = NULL;

	eo_try(eo_subject_prefix(w->tree, s->finding->file, &s->prefix));
	s->subject = eo_subject(s->prefix, s->finding);
	eo_mail_body(w->model, s->finding, &body);
	s->body = eo_str_take(&body);
	message = eo_asprintf("%s\n\n%s\nSigned-off-by: %s <%s>\n", s->subject,
			      s->body, w->author.name, w->author.address);
	eo_try(eo_scratch_commit(&w->scratch, message));
	eo_try(eo_scratch_diff(&w->scratch, &diff));
	s->diff = eo_str_take(&diff);
	return eo_recipients_ask(w->tree, s->diff, &s->recipients, w->warnings);
}

static struct eo_error *commit_steps(struct work *w)
{
	struct step *s;

	eo_vec_for_each(s, w) {
		struct eo_changed_file *file;

		eo_vec_for_each(file, &s->change.files)
			eo_try(eo_scratch_put(&w->scratch, file->file,
					      file->text.s, file->text.len));
		eo_try(commit_step(w, s));
	}
	return NULL;
}

/*
 * The commit that the series applies to, for whoever cannot apply it to what
 * they have; nothing when the tree has none that says what the files are.
 */
static struct eo_error *add_base_commit(struct work *w, struct eo_str *out)
{
	struct {
		const char **items;
		size_t n, cap;
	} argv = { 0 };
	static const char *const env[] = { "GIT_DIR", "GIT_WORK_TREE",
					   "GIT_INDEX_FILE",
					   "GIT_OPTIONAL_LOCKS=0", NULL };
	static const char *const head[] = { "git",  "--literal-pathspecs",
					    "diff", "--quiet",
					    "HEAD", "--" };
	struct eo_proc p = { .cwd = w->tree->root, .env = env };
	EO_CLEANUP(eo_proc_result_release) struct eo_proc_result r = { 0 };
	struct eo_map_entry *e;
	struct eo_error *err;

	if (!w->tree->revision)
		return NULL;
	for (size_t i = 0; i < sizeof(head) / sizeof(head[0]); i++)
		*eo_vec_push(&argv) = head[i];
	eo_map_for_each(e, &w->files)
		*eo_vec_push(&argv) = e->key;
	*eo_vec_push(&argv) = NULL;
	p.argv = argv.items;
	err = eo_proc_run(&p, &r);
	free(argv.items);
	if (!err && r.status == 0)
		eo_str_addf(out, "\nbase-commit: %s\n", w->tree->revision);
	return err;
}

/* @mail with @headers at the end of its headers, @trailer before its "-- ". */
static char *dress(const struct eo_str *mail, const char *headers,
		   const char *trailer)
{
	EO_CLEANUP(eo_str_release) struct eo_str out = { 0 };
	const char *body = strstr(mail->s, "\n\n") + 1;
	const char *end = mail->s + mail->len, *sig = end;

	for (const char *p = body; (p = strstr(p, "\n-- \n")); p++)
		sig = p + 1;
	eo_str_addn(&out, mail->s, (size_t)(body - mail->s));
	eo_str_add(&out, headers);
	eo_str_addn(&out, body, (size_t)(sig - body));
	eo_str_add(&out, trailer);
	eo_str_addn(&out, sig, (size_t)(end - sig));
	return eo_str_take(&out);
}

/* git encodes the sender of the patches, but not that of the cover letter. */
static void encode_from(const struct eo_identity *author, struct eo_str *mail)
{
	EO_CLEANUP(eo_freep)
	char *box = eo_asprintf("%s <%s>", author->name, author->address);
	EO_CLEANUP(eo_freep) char *encoded = eo_mailbox_encode(box);
	EO_CLEANUP(eo_str_release) struct eo_str out = { 0 };
	char *from = strstr(eo_str_get(mail), "\nFrom: ");
	char *end = from ? strstr(from, "\nDate: ") : NULL;

	if (!end)
		return;
	eo_str_addn(&out, mail->s, (size_t)(from - mail->s));
	eo_str_addf(&out, "\nFrom: %s%s", encoded, end);
	eo_str_clear(mail);
	eo_str_addn(mail, out.s, out.len);
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static int is_patch(const struct dirent *e)
{
	return eo_ends_with(e->d_name, ".patch");
}

/* Reads one of git's mails and puts it, dressed, in the outbox. */
static struct eo_error *take_mail(struct work *w, const char *name,
				  const struct step *s)
{
	EO_CLEANUP(eo_freep) char *path = eo_path_join(w->scratch.mails, name);
	EO_CLEANUP(eo_str_release) struct eo_str mail = { 0 };
	EO_CLEANUP(eo_str_release) struct eo_str headers = { 0 };
	EO_CLEANUP(eo_str_release) struct eo_str trailer = { 0 };
	struct eo_recipients all = { 0 };

	eo_try(eo_file_read(path, &mail));
	if (!strstr(eo_str_get(&mail), "\n\n"))
		return eo_error_new(EO_ERR_INTERNAL, "%s is no mail", name);
	if (s) {
		eo_recipients_headers(&s->recipients, &headers);
		eo_str_addf(&headers, EO_MAIL_MARK ": %s %s\n",
			    s->finding->rule, s->finding->id);
	} else {
		for (size_t i = 0; i < w->n; i++)
			eo_recipients_add(&all, &w->items[i].recipients);
		eo_recipients_headers(&all, &headers);
		eo_recipients_release(&all);
		eo_str_addf(&headers, EO_MAIL_MARK ": cover letter\n");
		eo_try(add_base_commit(w, &trailer));
		encode_from(&w->author, &mail);
	}
	eo_outbox_add(&w->outbox, name,
		      dress(&mail, eo_str_get(&headers), eo_str_get(&trailer)));
	return NULL;
}

static struct eo_error *make_mails(struct work *w)
{
	EO_CLEANUP(eo_str_release) struct eo_str cover = { 0 };
	struct eo_cover_entry *list = eo_alloc(w->n * sizeof(*list));
	struct eo_error *err;
	struct dirent **names;
	int found;

	for (size_t i = 0; i < w->n; i++)
		list[i] = (struct eo_cover_entry){
			.finding = w->items[i].finding,
			.prefix = w->items[i].prefix,
		};
	eo_mail_cover(&w->run, list, w->n, &cover);
	free(list);
	eo_try(eo_scratch_mails(&w->scratch, eo_str_get(&cover)));
	found = scandir(w->scratch.mails, &names, is_patch, by_name);
	if (found < 0)
		return eo_error_errno(errno, "cannot read %s",
				      w->scratch.mails);
	err = (size_t)found == w->n + 1 ?
		      NULL :
		      eo_error_new(EO_ERR_INTERNAL,
				   "git made %d mails of %zu patches", found,
				   w->n);
	for (int i = 0; i < found; i++) {
		if (!err)
			err = take_mail(w, names[i]->d_name,
					i ? &w->items[i - 1] : NULL);
		free(names[i]);
	}
	free(names);
	return err;
}

static struct eo_error *store(struct eo_db *db, struct work *w)
{
	struct eo_series series = {
		.run = w->run.id,
		.cover = w->outbox.items[0].text,
		.created = time(NULL),
	};
	struct eo_error *err;

	for (size_t i = 0; i < w->n; i++) {
		const struct step *s = &w->items[i];

		*eo_vec_push(&series) = (struct eo_patch){
			.finding = s->finding->id,
			.file = s->finding->file,
			.subject = s->subject,
			.body = s->body,
			.diff = s->diff,
			.mail = w->outbox.items[i + 1].text,
			.number = (unsigned)i + 1,
			.total = (unsigned)w->n,
		};
	}
	err = eo_db_put_series(db, &series);
	free(series.items);
	return err;
}

/* What is to be made; what has a fix and no words is told. */
static void make_plan(struct work *w)
{
	struct eo_finding *f;

	eo_rewrite_plan(&w->findings, is_wanted, w, NULL, &w->plan);
	eo_vec_for_each(f, &w->findings) {
		if (f->fix == EO_FIX_AUTO && !eo_mail_can_tell(f))
			eo_str_addf(
				w->warnings,
				"%s:%u: no patch: there is no message yet for a fix of %s\n",
				f->file, f->line, f->rule);
	}
}

struct eo_error *eo_series_write(struct eo_db *db, const struct eo_tree *tree,
				 struct eo_model *model,
				 const struct eo_series_options *opts,
				 struct eo_str *warnings, unsigned *n,
				 unsigned *failed)
{
	EO_CLEANUP(work_release)
	struct work w = {
		.tree = tree,
		.model = model,
		.opts = opts,
		.warnings = warnings,
		.failed = failed,
	};

	*n = *failed = 0;
	eo_try(eo_db_get_run(db, opts->run, &w.arena, &w.run));
	eo_try(eo_db_get_findings(db, w.run.id, &w.findings));
	eo_try(eo_db_get_standings(db, w.run.id, &w.standings));
	make_plan(&w);
	if (!w.plan.n)
		return NULL;
	eo_try(eo_outbox_open(opts->dir, &w.outbox));
	eo_try(eo_identity_get(opts->from, tree, &w.author));
	eo_try(eo_scratch_open(&w.author, &w.scratch));
	eo_try(make_changes(&w));
	if (!w.n)
		return NULL;
	eo_try(put_base(&w));
	eo_try(commit_steps(&w));
	eo_try(make_mails(&w));
	/* Nothing is seen outside before everything that can fail is done. */
	eo_try(eo_outbox_stage(&w.outbox));
	eo_try(store(db, &w));
	eo_try(eo_outbox_publish(&w.outbox, warnings));
	*n = (unsigned)w.n;
	return NULL;
}
