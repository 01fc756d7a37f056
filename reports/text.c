// SPDX-License-Identifier: GPL-2.0-only
#include "reports/report.h"

#include <errno.h>
#include <stdbool.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "db/db.h"
#include "db/history.h"
#include "finding/finding.h"
#include "reports/escape.h"

struct text {
	struct eo_str out;
	struct eo_arena arena;
	struct eo_run run;
	struct eo_findings findings;
	struct eo_standings standings;
	struct eo_gaps gaps;
	bool full;
};

static void release(struct text *t)
{
	eo_str_release(&t->out);
	eo_arena_release(&t->arena);
	eo_findings_release(&t->findings);
	eo_standings_release(&t->standings);
	eo_gaps_release(&t->gaps);
}

/* What is behind the message, in brackets. */
static void add_tags(struct text *t, const struct eo_finding *f,
		     const struct eo_standing *s)
{
	eo_str_addf(&t->out, " [%s, %s", eo_confidence_name(f->confidence),
		    eo_fix_name(f->fix));
	/* In the first run everything is new. */
	if (t->run.compared_to && !eo_streq(s->status, "unchanged"))
		eo_str_addf(&t->out, ", %s", s->status);
	if (s->suppressed_by)
		eo_str_add(&t->out, ", suppressed");
	if (s->review)
		eo_str_addf(&t->out, ", %s", s->review);
	if (s->has_baseline && s->known)
		eo_str_add(&t->out, ", in the baseline");
	if (s->weight >= 0)
		eo_str_addf(&t->out, ", %.1f%%", 100 * s->weight);
	eo_str_add(&t->out, "]\n");
}

static void add_note(struct text *t, const char *what, const char *note)
{
	if (!note)
		return;
	eo_str_addf(&t->out, "\t%s: ", what);
	eo_add_line(&t->out, note);
	eo_str_addc(&t->out, '\n');
}

static void add_details(struct text *t, const struct eo_finding *f,
			const struct eo_standing *s)
{
	const char **hot;

	add_note(t, "id", s->id);
	eo_vec_for_each(hot, &f->hot)
		add_note(t, "hot", *hot);
	if (s->suppressed_by) {
		EO_CLEANUP(eo_freep)
		char *where = eo_asprintf("suppressed at %s", s->suppressed_at);

		add_note(t, where, s->suppressed_reason);
	}
	add_note(t, s->review, s->review_note);
}

/*
 * `file:line:col: rule: message`, as compilers write it and editors read it,
 * and how sure it is and who may mend it, where compilers name the warning.
 */
static void add_finding(struct text *t, const struct eo_finding *f,
			const struct eo_standing *s)
{
	if (s->suppressed_by && !t->full)
		return;
	eo_add_line(&t->out, f->file);
	eo_str_addf(&t->out, ":%u:%u: ", f->line, f->column);
	eo_add_line(&t->out, f->rule);
	eo_str_add(&t->out, ": ");
	eo_add_line(&t->out, f->message);
	add_tags(t, f, s);
	add_note(t, "note", f->dissent);
	if (t->full)
		add_details(t, f, s);
}

/* `resolved: file: function: rule: call`: no place for an editor to go to. */
static void add_absent(struct text *t, const struct eo_absent *a)
{
	if (eo_streq(a->status, "unseen") && !t->full)
		return;
	eo_str_addf(&t->out, "%s: ", a->status);
	eo_add_line(&t->out, a->file);
	eo_str_add(&t->out, ": ");
	eo_add_line(&t->out, a->function);
	eo_str_add(&t->out, ": ");
	eo_add_line(&t->out, a->rule);
	eo_str_add(&t->out, ": ");
	eo_add_line(&t->out, a->call);
	eo_str_addc(&t->out, '\n');
}

static size_t count_status(const struct text *t, const char *status)
{
	const struct eo_standing *s;
	const struct eo_absent *a;
	size_t n = 0;

	eo_vec_for_each(s, &t->standings)
		n += eo_streq(s->status, status);
	eo_vec_for_each(a, &t->standings.absent)
		n += eo_streq(a->status, status);
	return n;
}

static void add_comparison(struct text *t)
{
	static const char *const statuses[] = { "new", "reopened", "unchanged",
						"resolved" };
	const struct eo_run *r = &t->run;

	if (r->compared_to) {
		eo_str_addf(&t->out,
			    "since run %lld:", (long long)r->compared_to);
		for (size_t i = 0; i < 4; i++)
			eo_str_addf(&t->out, "%s %zu %s", i ? "," : "",
				    count_status(t, statuses[i]), statuses[i]);
		if (count_status(t, "unseen"))
			eo_str_addf(&t->out, ", %zu not looked at this time",
				    count_status(t, "unseen"));
		eo_str_addc(&t->out, '\n');
	}
	if (!r->scope)
		return;
	eo_str_add(&t->out, "limited by ");
	eo_add_line(&t->out, r->scope);
	eo_str_add(&t->out, ": ");
	eo_add_plural(&t->out, r->left_out, "candidate file",
		      "candidate files");
	eo_str_add(&t->out, " left out; what is known of them stays\n");
}

static void add_count(struct text *t, size_t n, const char *what)
{
	if (n)
		eo_str_addf(&t->out, ", %zu %s", n, what);
}

/* The findings that count, and why others do not. */
static void add_totals(struct text *t)
{
	size_t n[EO_HIGH + 1] = { 0 }, all = 0;
	size_t suppressed = 0, aside = 0, known = 0;

	for (size_t i = 0; i < t->findings.n; i++) {
		const struct eo_standing *s = &t->standings.items[i];

		if (s->suppressed_by)
			suppressed++;
		else if (eo_standing_is_aside(s))
			aside++;
		else if (!eo_standing_counts(s))
			known++;
		else
			n[t->findings.items[i].confidence]++;
	}
	all = n[EO_HIGH] + n[EO_MEDIUM] + n[EO_LOW];
	eo_add_plural(&t->out, all, "finding", "findings");
	if (t->run.baseline)
		eo_str_add(&t->out, " not in the baseline");
	if (all)
		eo_str_addf(&t->out, " (%zu high, %zu medium, %zu low)",
			    n[EO_HIGH], n[EO_MEDIUM], n[EO_LOW]);
	add_count(t, suppressed, "suppressed");
	add_count(t, aside, "reviewed as false-positive or wont-fix");
	add_count(t, known, "in the baseline");
}

static void add_summary(struct text *t)
{
	add_totals(t);
	eo_str_addf(&t->out, "; %zu of ", t->run.analyzed);
	eo_add_plural(&t->out, t->run.candidates, "candidate file",
		      "candidate files");
	eo_str_addf(&t->out, " looked at, of %zu in the tree", t->run.files);
	if (!t->gaps.n)
		eo_str_add(&t->out, "\n");
	else
		eo_str_addf(&t->out, "; incomplete, not looked at (%zu):\n",
			    t->gaps.n);
}

/* `file: function: engine: reason: detail` */
static void add_gap(struct eo_str *to, const struct eo_gap *g)
{
	if (*g->file)
		eo_add_line(to, g->file);
	else
		eo_str_add(to, "whole scan");
	eo_str_add(to, ": ");
	if (g->function)
		eo_add_line(to, g->function);
	else
		eo_str_add(to, *g->file ? "whole file" : "all files");
	eo_str_addf(to, ": %s: %s", eo_engine_name((enum eo_engine)g->engine),
		    eo_gap_reason_name(g->reason));
	if (g->detail) {
		eo_str_add(to, ": ");
		eo_add_line(to, g->detail);
	}
	eo_str_addc(to, '\n');
}

static struct eo_error *load(struct eo_db *db, int64_t run, struct text *t)
{
	eo_try(eo_db_get_run(db, run, &t->arena, &t->run));
	eo_try(eo_db_get_findings(db, t->run.id, &t->findings));
	eo_try(eo_db_get_standings(db, t->run.id, &t->standings));
	/* Both are of one run, which does not change once it is stored. */
	if (t->standings.n != t->findings.n)
		return eo_error_new(EO_ERR_INTERNAL,
				    "run %lld: %zu findings, %zu standings",
				    (long long)t->run.id, t->findings.n,
				    t->standings.n);
	return eo_db_get_gaps(db, t->run.id, &t->gaps);
}

static struct eo_error *write_text(struct eo_db *db, int64_t run, bool full,
				   FILE *to)
{
	EO_CLEANUP(release) struct text t = { .full = full };
	const struct eo_absent *a;
	const struct eo_gap *g;

	eo_try(load(db, run, &t));
	for (size_t i = 0; i < t.findings.n; i++)
		add_finding(&t, &t.findings.items[i], &t.standings.items[i]);
	eo_vec_for_each(a, &t.standings.absent)
		add_absent(&t, a);
	add_comparison(&t);
	add_summary(&t);
	eo_vec_for_each(g, &t.gaps)
		add_gap(&t.out, g);
	if (fwrite(t.out.s, 1, t.out.len, to) != t.out.len || fflush(to))
		return eo_error_errno(errno, "cannot write the findings");
	return NULL;
}

struct eo_error *eo_report_text(struct eo_db *db, int64_t run, FILE *to)
{
	return write_text(db, run, false, to);
}

struct eo_error *eo_report_text_full(struct eo_db *db, int64_t run, FILE *to)
{
	return write_text(db, run, true, to);
}
