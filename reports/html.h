/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the files of the HTML report share. A page is a string that the parts
 * append to; everything that is not our own markup goes through eo_add_html().
 */
#ifndef EO_REPORTS_HTML_H
#define EO_REPORTS_HTML_H

#include "base/mem.h"
#include "base/str.h"
#include "db/db.h"
#include "db/history.h"
#include "finding/finding.h"

/* All that the pages show. */
struct eo_html {
	const char *db_path;
	struct eo_arena arena;
	struct eo_run run;
	struct eo_findings findings;
	struct eo_standings standings; /* in the order of the findings */
	struct eo_reviews *reviews; /* one a finding */
	struct eo_gaps gaps;
	struct eo_series series;
	struct eo_str css;
};

/* The pages; appended to @to. */
void eo_html_index(const struct eo_html *h, struct eo_str *to);
void eo_html_finding(const struct eo_html *h, const struct eo_finding *f,
		     struct eo_str *to);

/* From <!doctype> to the open <main>, and from there to the end. */
void eo_html_begin(const struct eo_html *h, struct eo_str *to,
		   const char *title);
void eo_html_end(const struct eo_html *h, struct eo_str *to);

/* "<dt>NAME</dt><dd>", for what the caller adds and closes by "</dd>". */
void eo_html_term(struct eo_str *to, const char *name);
/* The whole row with @value as text or as code; nothing when it is NULL. */
void eo_html_fact(struct eo_str *to, const char *name, const char *value);
void eo_html_code_fact(struct eo_str *to, const char *name, const char *value);
/* "2026-09-17 16:10 UTC" as a time element. */
void eo_html_time(struct eo_str *to, int64_t seconds);
/* "1.2 s", "1 min 4 s" */
void eo_html_duration(struct eo_str *to, int64_t ms);
/* "clang, smpl" */
void eo_html_engines(struct eo_str *to, unsigned engines);
/* "Linux 6.12.117" */
void eo_html_tree_name(const struct eo_html *h, struct eo_str *to);
/* A heading, and the text folded below it. */
void eo_html_folded(struct eo_str *to, const char *summary, const char *text);
/* "earlyout WORDS --tree … --db …" as a line of a shell. @last: or NULL. */
void eo_html_command(const struct eo_html *h, struct eo_str *to,
		     const char *words, const char *last);

/* The function's lines with what matters marked, and the test put in. */
void eo_html_source(struct eo_str *to, const struct eo_finding *f);
/* Tags for a row or a headline: new, suppressed, reviewed, heavy. */
void eo_html_standing_tags(const struct eo_html *h, const struct eo_finding *f,
			   struct eo_str *to);
/* A finding's section: status, suppression, weight, reviews. */
void eo_html_standing(const struct eo_html *h, const struct eo_finding *f,
		      struct eo_str *to);
/* The index's section: what is new, what is gone. */
void eo_html_changes(const struct eo_html *h, struct eo_str *to);
/* Fills in standings and reviews; the findings are there. */
struct eo_error *eo_html_load_standing(struct eo_db *db, struct eo_html *h);
void eo_html_release_standing(struct eo_html *h);

/* A unified diff, signs kept. */
void eo_html_diff(struct eo_str *to, const char *diff);

/* The patch for @f in the series, or NULL. */
const struct eo_patch *eo_html_patch(const struct eo_html *h,
				     const struct eo_finding *f);

#endif
