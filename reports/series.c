// SPDX-License-Identifier: GPL-2.0-only
#include "reports/series.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/err.h"
#include "base/mem.h"
#include "db/db.h"
#include "db/history.h"
#include "finding/finding.h"
#include "reports/draft.h"
#include "reports/outbox.h"
#include "reports/proposal.h"
#include "reports/subject.h"
#include "tree/tree.h"

/* One writing: all that is made of the findings of a run. */
struct work {
	struct eo_writer w;
	struct eo_run run;
	struct eo_arena arena;
	struct eo_findings findings;
	struct eo_standings standings;
	struct eo_plan plan;
	struct eo_drafts drafts;
	struct eo_outbox outbox;
	struct {
		struct eo_proposal *items; /* their texts are the outbox's */
		size_t n, cap;
	} proposals;
};

void eo_written_release(struct eo_written *w)
{
	eo_str_release(&w->folder);
	eo_str_release(&w->files);
	eo_str_release(&w->warnings);
}

static void work_release(struct work *work)
{
	struct eo_draft *d;

	eo_vec_for_each(d, &work->drafts)
		eo_draft_release(d);
	free(work->drafts.items);
	free(work->proposals.items);
	eo_plan_release(&work->plan);
	eo_outbox_release(&work->outbox);
	if (work->w.rewriter)
		eo_rewriter_close(work->w.rewriter);
	eo_identity_release(&work->w.author);
	eo_findings_release(&work->findings);
	eo_standings_release(&work->standings);
	eo_arena_release(&work->arena);
}

/* Nobody mends what people have put aside. */
static bool is_wanted(const struct eo_finding *f, void *data)
{
	const struct work *work = data;
	const struct eo_standing *s =
		eo_standings_find(&work->standings, f->id);

	return !(s && eo_standing_is_aside(s));
}

static bool is_planned(const struct eo_plan *plan, const struct eo_finding *f)
{
	const struct eo_plan_step *p;

	eo_vec_for_each(p, plan)
		for (size_t i = 0; i < p->n; i++)
			if (eo_streq(p->items[i]->id, f->id))
				return true;
	return false;
}

static bool is_manual(struct work *work, const struct eo_finding *f)
{
	return f->fix == EO_FIX_MANUAL && is_wanted(f, work) &&
	       !is_planned(&work->plan, f);
}

static struct eo_error *load(struct work *work, struct eo_written *out)
{
	const struct eo_series_options *opts = work->w.opts;
	const struct eo_finding *f;

	eo_try(eo_db_get_run(work->w.db, opts->run, &work->arena, &work->run));
	eo_try(eo_db_get_findings(work->w.db, work->run.id, &work->findings));
	eo_try(eo_db_get_standings(work->w.db, work->run.id, &work->standings));
	eo_rewrite_plan(&work->findings, is_wanted, work, opts->strategy,
			&work->plan);
	eo_vec_for_each(f, &work->findings)
		out->manual += is_manual(work, f);
	return NULL;
}

static void add_file(struct eo_written *out, const char *name,
		     const char *subject)
{
	eo_str_addf(&out->files, "%s: %s\n", name, subject);
}

static struct eo_error *make_proposals(struct work *work,
				       struct eo_written *out)
{
	const struct eo_finding *f;

	eo_vec_for_each(f, &work->findings) {
		EO_CLEANUP(eo_freep)
		char *prefix = NULL, *subject = NULL, *name = NULL;
		EO_CLEANUP(eo_str_release) struct eo_str text = { 0 };
		struct eo_proposal *p;

		if (!is_manual(work, f))
			continue;
		eo_try(eo_subject_prefix(work->w.tree, f->file, &prefix));
		subject = eo_subject(prefix, f, NULL);
		name = eo_proposal_name(subject, work->proposals.n + 1);
		eo_proposal_text(work->w.model, f, subject, &text);
		p = eo_vec_push(&work->proposals);
		p->finding = f->id;
		p->name = eo_arena_strdup(&work->arena, name);
		p->text = eo_str_take(&text);
		eo_outbox_add(&work->outbox, p->name, (char *)p->text);
		add_file(out, name, subject);
		out->proposals++;
	}
	return NULL;
}

/* Makes one series; what of it could be made is counted. */
static struct eo_error *make_series(struct work *work, struct eo_draft *d,
				    struct eo_written *out)
{
	size_t before = work->outbox.n;

	eo_try(eo_draft_make(&work->w, d));
	if (!d->n)
		return NULL;
	eo_try(eo_draft_reroll(&work->w, d));
	eo_try(eo_draft_mails(&work->w, d, &work->outbox));
	for (size_t i = 0; i < d->n + 1; i++)
		add_file(out, work->outbox.items[before + i].name,
			 i ? d->items[i - 1].subject : "cover letter");
	out->patches += (unsigned)d->n;
	out->series++;
	out->version = d->version;
	eo_str_clear(&out->folder);
	eo_str_add(&out->folder, d->name);
	return NULL;
}

static struct eo_error *make_all(struct work *work, struct eo_written *out)
{
	const struct eo_series_options *opts = work->w.opts;
	const struct eo_rewriter_options how = {
		.build_dir = opts->build_dir,
		.compile_commands = opts->compile_commands,
		.jobs = opts->jobs ? opts->jobs : 1,
	};
	struct eo_draft *d;

	if (work->plan.n) {
		eo_try(eo_identity_get(opts->from, work->w.tree,
				       &work->w.author));
		eo_rewriter_open(work->w.tree, work->w.model, &how,
				 &work->w.rewriter);
		eo_try(eo_draft_cut(&work->w, &work->plan, opts->split,
				    &work->drafts));
	}
	eo_vec_for_each(d, &work->drafts)
		eo_try(make_series(work, d, out));
	if (opts->proposals)
		eo_try(make_proposals(work, out));
	return NULL;
}

static const char **ids_after_first(struct work *work,
				    const struct eo_plan_step *p)
{
	const char **ids =
		eo_arena_alloc(&work->arena, (p->n + 1) * sizeof(*ids));

	for (size_t i = 1; i < p->n; i++)
		ids[i - 1] = p->items[i]->id;
	return ids;
}

static void add_patches(struct work *work, const struct eo_draft *d,
			struct eo_series *series)
{
	for (size_t i = 0; i < d->n; i++) {
		const struct eo_draft_step *s = &d->items[i];

		*eo_vec_push(series) = (struct eo_patch){
			.finding = s->plan->items[0]->id,
			.file = s->change.files.items[0].file,
			.subject = s->subject,
			.body = s->body,
			.diff = s->diff,
			.mail = s->mail,
			.number = (unsigned)i + 1,
			.total = (unsigned)d->n,
			.strategy = s->change.strategy,
			.fixes = s->fixes,
			.also = ids_after_first(work, s->plan),
			.n_also = s->plan->n - 1,
		};
	}
}

static struct eo_error *add_series(struct work *work, struct eo_draft *d,
				   int64_t now, struct eo_writing *writing)
{
	EO_CLEANUP(eo_str_release) struct eo_str pack = { 0 };
	struct eo_series *s = eo_vec_push(&writing->series);

	*s = (struct eo_series){
		.run = work->run.id,
		.cover = d->cover,
		.created = now,
		.name = d->name,
		.title = d->title,
		.version = d->version,
		.rerolls = d->rerolls,
		.changes = d->changes,
		.range_diff = d->range_diff,
		.base = d->base,
	};
	add_patches(work, d, s);
	eo_try(eo_scratch_pack(&d->scratch, &pack));
	s->bundle_len = pack.len;
	s->bundle = memcpy(eo_arena_alloc(&work->arena, pack.len), pack.s,
			   pack.len);
	return NULL;
}

static struct eo_error *store(struct work *work)
{
	struct eo_writing writing = {
		.run = work->run.id,
		.strategy = work->w.opts->strategy,
		.created = time(NULL),
	};
	struct eo_error *err = NULL;
	struct eo_draft *d;

	eo_vec_for_each(d, &work->drafts)
		if (!err && d->n)
			err = add_series(work, d, writing.created, &writing);
	for (size_t i = 0; i < work->proposals.n; i++)
		*eo_vec_push(&writing.proposals) = work->proposals.items[i];
	if (!err)
		err = eo_db_put_writing(work->w.db, &writing);
	for (size_t i = 0; i < writing.series.n; i++)
		free(writing.series.items[i].items);
	free(writing.series.items);
	free(writing.proposals.items);
	return err;
}

struct eo_error *eo_series_write(struct eo_db *db, const struct eo_tree *tree,
				 struct eo_model *model,
				 const struct eo_series_options *opts,
				 struct eo_written *out)
{
	EO_CLEANUP(work_release)
	struct work work = {
		.w = { .db = db,
		       .tree = tree,
		       .model = model,
		       .opts = opts,
		       .run = &work.run,
		       .warnings = &out->warnings },
	};
	struct eo_error *err;

	eo_try(load(&work, out));
	if (!work.plan.n && !(opts->proposals && out->manual))
		return NULL;
	eo_try(eo_outbox_open(opts->dir, &work.outbox));
	err = make_all(&work, out);
	out->failed = work.w.failed;
	if (err || opts->dry_run || !work.outbox.n)
		return err;
	/* Nothing is seen outside before everything that can fail is done. */
	eo_try(eo_outbox_stage(&work.outbox));
	eo_try(store(&work));
	return eo_outbox_publish(&work.outbox, &out->warnings);
}
