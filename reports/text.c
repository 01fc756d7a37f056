// SPDX-License-Identifier: GPL-2.0-only
#include "reports/report.h"

#include <stdbool.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "reports/escape.h"
#include "reports/shown.h"

struct text {
	struct eo_str out;
	struct eo_shown s;
	bool full;
};

static void release(struct text *t)
{
	eo_str_release(&t->out);
	eo_shown_release(&t->s);
}

/* What is behind the message, in brackets. */
static void add_tags(struct text *t, const struct eo_finding *f,
		     const struct eo_standing *s)
{
	eo_str_addf(&t->out, " [%s, %s", eo_confidence_name(f->confidence),
		    eo_fix_name(f->fix));
	/* In the first run everything is new. */
	if (t->s.run.compared_to && !eo_streq(s->status, "unchanged"))
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

static void add_comparison(struct text *t)
{
	static const char *const statuses[] = { "new", "reopened", "unchanged",
						"resolved" };
	const struct eo_run *r = &t->s.run;

	if (r->compared_to) {
		eo_str_addf(&t->out,
			    "since run %lld:", (long long)r->compared_to);
		for (size_t i = 0; i < 4; i++)
			eo_str_addf(&t->out, "%s %zu %s", i ? "," : "",
				    eo_shown_count(&t->s, statuses[i]),
				    statuses[i]);
		if (eo_shown_count(&t->s, "unseen"))
			eo_str_addf(&t->out, ", %zu not looked at this time",
				    eo_shown_count(&t->s, "unseen"));
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

	for (size_t i = 0; i < t->s.findings.n; i++) {
		const struct eo_standing *s = &t->s.standings.items[i];

		if (s->suppressed_by)
			suppressed++;
		else if (eo_standing_is_aside(s))
			aside++;
		else if (!eo_standing_counts(s))
			known++;
		else
			n[t->s.findings.items[i].confidence]++;
	}
	all = n[EO_HIGH] + n[EO_MEDIUM] + n[EO_LOW];
	eo_add_plural(&t->out, all, "finding", "findings");
	if (t->s.run.baseline)
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
	eo_str_addf(&t->out, "; %zu of ", t->s.run.analyzed);
	eo_add_plural(&t->out, t->s.run.candidates, "candidate file",
		      "candidate files");
	eo_str_addf(&t->out, " looked at, of %zu in the tree", t->s.run.files);
	if (!t->s.gaps.n)
		eo_str_add(&t->out, "\n");
	else
		eo_str_addf(&t->out, "; incomplete, not looked at (%zu):\n",
			    t->s.gaps.n);
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

static struct eo_error *write_text(struct eo_db *db, int64_t run, bool full,
				   FILE *to)
{
	EO_CLEANUP(release) struct text t = { .full = full };
	const struct eo_absent *a;
	const struct eo_gap *g;

	eo_try(eo_shown_load(db, run, &t.s));
	for (size_t i = 0; i < t.s.findings.n; i++)
		add_finding(&t, &t.s.findings.items[i],
			    &t.s.standings.items[i]);
	eo_vec_for_each(a, &t.s.standings.absent)
		add_absent(&t, a);
	add_comparison(&t);
	add_summary(&t);
	eo_vec_for_each(g, &t.s.gaps)
		add_gap(&t.out, g);
	return eo_write_findings(&t.out, to);
}

struct eo_error *eo_report_text(struct eo_db *db, int64_t run, FILE *to)
{
	return write_text(db, run, false, to);
}

struct eo_error *eo_report_text_full(struct eo_db *db, int64_t run, FILE *to)
{
	return write_text(db, run, true, to);
}
