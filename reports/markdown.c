// SPDX-License-Identifier: GPL-2.0-only
/* A run as Markdown that is as well read as plain text, in a mail. */
#include "reports/report.h"

#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "reports/escape.h"
#include "reports/shown.h"

/* `code`, in as many backticks as the text does not have in a row. */
static void add_code(struct eo_str *to, const char *s)
{
	EO_CLEANUP(eo_str_release) struct eo_str line = { 0 };
	size_t longest = 0, ticks = 0;

	eo_add_line(&line, s);
	for (const char *p = eo_str_get(&line); *p; p++) {
		ticks = *p == '`' ? ticks + 1 : 0;
		longest = ticks > longest ? ticks : longest;
	}
	for (size_t i = 0; i <= longest; i++)
		eo_str_addc(to, '`');
	if (longest)
		eo_str_addc(to, ' ');
	eo_str_add(to, eo_str_get(&line));
	if (longest)
		eo_str_addc(to, ' ');
	for (size_t i = 0; i <= longest; i++)
		eo_str_addc(to, '`');
}

/* A block whose lines are indented is code whatever they hold. */
static void add_block(struct eo_str *to, const char *text)
{
	for (const char *s = text; *s;) {
		size_t n = strcspn(s, "\n");
		EO_CLEANUP(eo_freep) char *line = eo_strndup(s, n);

		eo_str_add(to, "    ");
		for (const char *p = line; *p; p++) { /* tabs stay tabs */
			char one[2] = { *p, 0 };

			if (*p == '\t' || (unsigned char)*p >= 0x80)
				eo_str_addc(to, *p);
			else
				eo_add_line(to, one);
		}
		eo_str_addc(to, '\n');
		s += n + (s[n] == '\n');
	}
	eo_str_addc(to, '\n');
}

static void add_path(struct eo_str *to, const struct eo_finding *f)
{
	const struct eo_step *s;
	unsigned n = 0;

	if (!f->steps.n)
		return;
	eo_str_add(to, "From the call to where its work is not used:\n\n");
	eo_vec_for_each(s, &f->steps) {
		eo_str_addf(to, "%u. line %u, ", ++n, s->line);
		eo_add_markdown(to, s->kind);
		eo_str_add(to, ": ");
		eo_add_markdown(to, s->text);
		eo_str_addc(to, '\n');
	}
	eo_str_addc(to, '\n');
}

static void add_obligations(struct eo_str *to, const struct eo_finding *f)
{
	const struct eo_obligation *o;

	if (!f->obligations.n)
		return;
	eo_str_add(to, "What has to hold for the fix:\n\n");
	eo_vec_for_each(o, &f->obligations) {
		eo_str_add(to, "- ");
		eo_add_markdown(to, o->name);
		eo_str_addf(to, " is **%s**", eo_proof_name(o->state));
		if (o->detail) {
			eo_str_add(to, ": ");
			eo_add_markdown(to, o->detail);
		}
		eo_str_addc(to, '\n');
	}
	eo_str_addc(to, '\n');
}

static void add_finding(struct eo_str *to, const struct eo_shown *s, size_t i)
{
	const struct eo_finding *f = &s->findings.items[i];
	const struct eo_standing *st = &s->standings.items[i];
	const struct eo_patch *p = eo_shown_patch(s, f->id);

	eo_str_add(to, "## ");
	eo_add_markdown(to, f->rule);
	eo_str_add(to, " in ");
	add_code(to, f->function);
	eo_str_add(to, "\n\n");
	add_code(to, f->file);
	eo_str_addf(to, " line %u: ", f->line);
	eo_add_markdown(to, f->message);
	eo_str_addf(to, " (%s confidence, fix: %s, %s, id %s",
		    eo_confidence_name(f->confidence), eo_fix_name(f->fix),
		    st->status, f->id);
	if (st->review)
		eo_str_addf(to, ", reviewed: %s", st->review);
	if (st->weight >= 0)
		eo_str_addf(to, ", %.1f%% of the profile", 100 * st->weight);
	eo_str_add(to, ")\n\n");
	add_path(to, f);
	add_obligations(to, f);
	if (p && p->diff)
		add_block(to, p->diff);
}

static void add_summary(struct eo_str *to, const struct eo_shown *s)
{
	const struct eo_standing *st;
	size_t aside = 0;

	eo_vec_for_each(st, &s->standings)
		aside += eo_standing_is_aside(st);
	eo_str_add(to, "# earlyout: Linux ");
	eo_add_markdown(to, s->run.version);
	eo_str_add(to, "\n\n");
	eo_add_plural(to, s->findings.n - aside, "finding", "findings");
	if (aside)
		eo_str_addf(to, ", %zu put aside", aside);
	if (s->run.compared_to)
		eo_str_addf(to,
			    "; since run %lld: %zu new, %zu reopened,"
			    " %zu resolved",
			    (long long)s->run.compared_to,
			    eo_shown_count(s, "new"),
			    eo_shown_count(s, "reopened"),
			    eo_shown_count(s, "resolved"));
	eo_str_add(to, ". ");
	eo_add_count(to, s->run.analyzed);
	eo_str_add(to, " of ");
	eo_add_plural(to, s->run.candidates, "candidate file",
		      "candidate files");
	eo_str_add(to, " looked at");
	if (s->gaps.n)
		eo_str_addf(to, "; **incomplete**, not looked at: %zu",
			    s->gaps.n);
	eo_str_add(to, ".\n\n");
}

struct eo_error *eo_report_markdown(struct eo_db *db, int64_t run, FILE *to)
{
	EO_CLEANUP(eo_shown_release) struct eo_shown s = { 0 };
	EO_CLEANUP(eo_str_release) struct eo_str out = { 0 };

	eo_try(eo_shown_load(db, run, &s));
	add_summary(&out, &s);
	for (size_t i = 0; i < s.findings.n; i++)
		if (!eo_standing_is_aside(&s.standings.items[i]))
			add_finding(&out, &s, i);
	return eo_write_findings(&out, to);
}
