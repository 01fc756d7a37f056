// SPDX-License-Identifier: GPL-2.0-only
#include "verify/store.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "db/verifications.h"
#include "tree/tree.h"
#include "verify/checks.h"
#include "verify/diffid.h"
#include "verify/input.h"

struct job {
	struct eo_arena arena;
	struct eo_written_patches written;
	struct eo_verification v;
};

static void job_release(struct job *j)
{
	free(j->written.items);
	eo_verification_release(&j->v);
	eo_arena_release(&j->arena);
}

/* The newest patch of ours that makes the same change. */
static const struct eo_written_patch *
find_written(const struct eo_written_patches *all, const char *id)
{
	const struct eo_written_patch *p;

	eo_vec_for_each(p, all) {
		char its[17];

		eo_diff_id(p->diff ? p->diff : "", its);
		if (!strcmp(its, id))
			return p;
	}
	return NULL;
}

/* The mail's diff has nothing in it beside @diff. */
static bool is_same(const char *mail, const char *diff)
{
	const char *at = strstr(mail, "diff --git ");
	size_t n = strlen(diff);

	return n && at && !strncmp(at, diff, n) &&
	       (!at[n] || eo_starts_with(at + n, "-- \n"));
}

struct eo_error *eo_verify_is_ours(struct eo_db *db, const struct eo_tree *tree,
				   const struct eo_input *in, bool *ours)
{
	EO_CLEANUP(job_release) struct job j = { 0 };
	const struct eo_written_patch *p;
	const struct eo_mail *m;

	eo_try(eo_db_get_written_patches(db, tree->root, &j.arena, &j.written));
	*ours = true;
	eo_vec_for_each(m, in) {
		bool found = false;

		eo_vec_for_each(p, &j.written)
			found |= p->diff && is_same(m->diff, p->diff);
		*ours &= found;
	}
	return NULL;
}

static void add_patches(const struct eo_input *in,
			const struct eo_written_patches *written,
			struct eo_arena *a, struct eo_verification *v)
{
	const struct eo_mail *m;

	eo_vec_for_each(m, in) {
		struct eo_verified_patch *p = eo_vec_push(&v->patches);
		const struct eo_written_patch *ours;
		char id[17];

		eo_diff_id(m->diff, id);
		ours = find_written(written, id);
		*p = (struct eo_verified_patch){
			.subject = m->subject,
			.author = m->author,
			.version = m->version,
			.diff_id = eo_arena_strdup(a, id),
			.series = ours ? ours->series : 0,
			.series_n = ours ? ours->n : 0,
		};
	}
}

static void add_checks(const struct eo_checks *c, struct eo_verification *v)
{
	const struct eo_check *check;
	const struct eo_said *said;
	const struct eo_became *f;

	eo_vec_for_each(check, c)
		*eo_vec_push(&v->checks) = (struct eo_verified_check){
			check->step,
			check->name,
			eo_outcome_name(check->verdict),
			check->reason,
			check->log,
			check->duration_ms,
		};
	eo_vec_for_each(said, &c->said)
		*eo_vec_push(&v->warnings) = (struct eo_verified_warning){
			said->step, said->tool,	 said->fingerprint,
			said->text, said->comes,
		};
	eo_vec_for_each(f, &c->became)
		*eo_vec_push(&v->findings) = (struct eo_verified_finding){
			f->step,     f->finding, f->rule, f->file,
			f->function, f->fate,	 f->why,
		};
}

static const char *verdict_of(const struct eo_checks *c)
{
	enum eo_outcome v = eo_checks_verdict(c);

	return v == EO_SKIPPED ? "incomplete" : eo_outcome_name(v);
}

struct eo_error *eo_verify_store(struct eo_db *db, const struct eo_tree *tree,
				 const struct eo_input *in,
				 const struct eo_checks *c,
				 const struct eo_verify_run *run)
{
	EO_CLEANUP(job_release)
	struct job j = { .v = {
				 .root = tree->root,
				 .input = run->input,
				 .title = in->items[0].subject,
				 .base = in->base,
				 .version = tree->version,
				 .revision = tree->revision,
				 .tool_version = EO_VERSION,
				 .notes = in->notes.s,
				 .verdict = verdict_of(c),
				 .sandbox = run->sandbox,
				 .started = run->started,
				 .duration_ms = run->duration_ms,
			 } };

	eo_try(eo_db_get_written_patches(db, tree->root, &j.arena, &j.written));
	add_patches(in, &j.written, &j.arena, &j.v);
	add_checks(c, &j.v);
	return eo_db_put_verification(db, &j.v);
}
