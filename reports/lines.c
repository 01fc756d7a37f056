// SPDX-License-Identifier: GPL-2.0-only
/* The formats by name, and the one that looks like coccicheck's. */
#include "reports/report.h"

#include "base/err.h"
#include "base/str.h"
#include "reports/escape.h"
#include "reports/shown.h"

static void add_warning(struct eo_str *to, const struct eo_finding *f)
{
	unsigned column = f->column ? f->column - 1 : 0;

	eo_add_line(to, f->file);
	eo_str_addf(to, ":%u:%u-%zu: WARNING: ", f->line, column,
		    column + eo_characters(f->call));
	eo_add_line(to, f->message);
	eo_str_addf(to, " (%s)\n", f->rule);
}

struct eo_error *eo_report_coccicheck(struct eo_db *db, int64_t run, FILE *to)
{
	EO_CLEANUP(eo_shown_release) struct eo_shown s = { 0 };
	EO_CLEANUP(eo_str_release) struct eo_str out = { 0 };

	eo_try(eo_shown_load(db, run, &s));
	for (size_t i = 0; i < s.findings.n; i++)
		if (!eo_standing_is_aside(&s.standings.items[i]))
			add_warning(&out, &s.findings.items[i]);
	return eo_write_findings(&out, to);
}

struct eo_error *eo_report_print(struct eo_db *db, int64_t run,
				 enum eo_format format, FILE *to)
{
	switch (format) {
	case EO_FORMAT_JSON:
		return eo_report_json(db, run, to);
	case EO_FORMAT_JSONL:
		return eo_report_jsonl(db, run, to);
	case EO_FORMAT_SARIF:
		return eo_report_sarif(db, run, to);
	case EO_FORMAT_COCCICHECK:
		return eo_report_coccicheck(db, run, to);
	case EO_FORMAT_MARKDOWN:
		return eo_report_markdown(db, run, to);
	default:
		return eo_report_text(db, run, to);
	}
}
