// SPDX-License-Identifier: GPL-2.0-only
#include "reports/report.h"

#include <errno.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "db/db.h"
#include "finding/finding.h"
#include "reports/escape.h"

/*
 * `file:line:col: rule: message`, as compilers write it and editors read it,
 * and how sure it is and who may mend it, where compilers name the warning.
 */
static void add_finding(struct eo_str *to, const struct eo_finding *f)
{
	eo_add_line(to, f->file);
	eo_str_addf(to, ":%u:%u: ", f->line, f->column);
	eo_add_line(to, f->rule);
	eo_str_add(to, ": ");
	eo_add_line(to, f->message);
	eo_str_addf(to, " [%s, %s]\n", eo_confidence_name(f->confidence),
		    eo_fix_name(f->fix));
	if (f->dissent) {
		eo_str_add(to, "\tnote: ");
		eo_add_line(to, f->dissent);
		eo_str_addc(to, '\n');
	}
}

static void add_summary(struct eo_str *to, const struct eo_run *run,
			const struct eo_findings *findings,
			const struct eo_gaps *gaps)
{
	size_t n[EO_HIGH + 1] = { 0 };
	struct eo_finding *f;

	eo_vec_for_each(f, findings)
		n[f->confidence]++;
	eo_add_plural(to, findings->n, "finding", "findings");
	if (findings->n)
		eo_str_addf(to, " (%zu high, %zu medium, %zu low)", n[EO_HIGH],
			    n[EO_MEDIUM], n[EO_LOW]);
	eo_str_addf(to, "; %zu of ", run->analyzed);
	eo_add_plural(to, run->candidates, "candidate file", "candidate files");
	eo_str_addf(to, " looked at, of %zu in the tree", run->files);
	if (!gaps->n)
		eo_str_add(to, "\n");
	else
		eo_str_addf(to, "; incomplete, not looked at (%zu):\n",
			    gaps->n);
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

struct eo_error *eo_report_text(struct eo_db *db, int64_t run_id, FILE *to)
{
	EO_CLEANUP(eo_arena_release) struct eo_arena arena = { 0 };
	EO_CLEANUP(eo_findings_release) struct eo_findings findings = { 0 };
	EO_CLEANUP(eo_gaps_release) struct eo_gaps gaps = { 0 };
	EO_CLEANUP(eo_str_release) struct eo_str out = { 0 };
	const struct eo_finding *f;
	const struct eo_gap *g;
	struct eo_run run;

	eo_try(eo_db_get_run(db, run_id, &arena, &run));
	eo_try(eo_db_get_findings(db, run.id, &findings));
	eo_try(eo_db_get_gaps(db, run.id, &gaps));
	eo_vec_for_each(f, &findings)
		add_finding(&out, f);
	add_summary(&out, &run, &findings, &gaps);
	eo_vec_for_each(g, &gaps)
		add_gap(&out, g);
	if (fwrite(out.s, 1, out.len, to) != out.len || fflush(to))
		return eo_error_errno(errno, "cannot write the findings");
	return NULL;
}
