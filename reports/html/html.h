/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the files of the HTML report share. A page is a string that the parts
 * append to; everything that is not our own markup goes through eo_add_html().
 */
#ifndef EO_REPORTS_HTML_HTML_H
#define EO_REPORTS_HTML_HTML_H

#include "base/map.h"
#include "base/mem.h"
#include "base/str.h"
#include "db/db.h"
#include "db/history.h"
#include "db/rows.h"
#include "finding/finding.h"

struct eo_jsonw;

/* Text that a page carries, and what its policy allows it by. */
struct eo_html_asset {
	struct eo_str text;
	char hash[64]; /* "sha256-…", in quotes */
};

/* What all pages of a run share. */
struct eo_html {
	struct eo_db *db;
	bool live; /* served: decisions go to the database */
	bool single; /* all in one page */
	const char *who; /* the reviewer if a page does not say; live only */
	struct eo_arena arena;
	struct eo_run run;
	struct eo_rows rows;
	struct eo_map ids; /* id → struct eo_row */
	struct eo_standings standings; /* for what is absent */
	struct eo_gaps gaps;
	struct eo_writing writing; /* the last of the run */
	struct eo_map patches; /* id of what it mends → struct eo_patch */
	struct eo_html_asset css, list_js, finding_js;
};

/* One finding's page: the finding, and how it stands. */
struct eo_html_one {
	const struct eo_finding *f;
	const struct eo_standing *standing;
	const struct eo_row *row; /* of h->rows */
	const char *ids; /* what ids begin with: "" but in a single page */
	struct eo_reviews reviews;
};

/* Rows on a page of the list. */
#define EO_HTML_PAGE 50

/* The pages; appended to @to. @n: which page of the list, from 0. */
struct eo_error *eo_html_index(const struct eo_html *h, struct eo_str *to);
void eo_html_list(const struct eo_html *h, size_t n, struct eo_str *to);
struct eo_error *eo_html_finding(const struct eo_html *h,
				 const struct eo_html_one *one,
				 struct eo_str *to);
/* What a finding's page has in it, and the single page of each. */
struct eo_error *eo_html_article(const struct eo_html *h,
				 const struct eo_html_one *one,
				 struct eo_str *to);

/* From <!doctype> to the open <main>, and from there to the end. */
struct eo_html_frame {
	const char *title;
	const char *here; /* the page in the menu: "index.html", or NULL */
	const struct eo_html_asset *script; /* or NULL */
	const char *data; /* JSON for the script, or NULL */
};
void eo_html_begin(const struct eo_html *h, struct eo_str *to,
		   const struct eo_html_frame *frame);
void eo_html_end(const struct eo_html *h, struct eo_str *to,
		 const struct eo_html_frame *frame);

/* What every page's script is told. */
void eo_html_put_common(const struct eo_html *h, struct eo_jsonw *w);
/* The members of a row's object; and those of them that few rows have. */
void eo_html_put_row(struct eo_jsonw *w, const struct eo_row *r);
void eo_html_put_rare(struct eo_jsonw *w, const struct eo_row *r);
/* JSON for a script, in an element with @attribute. */
void eo_html_json(struct eo_str *to, const char *attribute, const char *json);
/* All rows and what is absent, for the list's script: see pack.c. */
void eo_html_packed_rows(const struct eo_html *h, struct eo_str *to);
/* The bar with the reviewer's name, what is collected, and help. */
void eo_html_review_bar(const struct eo_html *h, struct eo_str *to);
/* The dialog that lists the keys. @list: those of the list too. */
void eo_html_keys(struct eo_str *to, bool list);
/* A table of @n rows, with @id (`id="rows"`) in its tag. */
void eo_html_rows(const struct eo_html *h, struct eo_str *to, const char *id,
		  const struct eo_row *rows, size_t n);

/*
 * ` href="…"` of a page: "index.html", "list.html", or "finding" with its @id;
 * and a @part of it, or NULL. In a single page they are parts of that.
 */
void eo_html_href(const struct eo_html *h, struct eo_str *to, const char *page,
		  const char *id, const char *part);
/* A finding's section, up to and with its heading. */
void eo_html_section(const struct eo_html_one *one, struct eo_str *to,
		     const char *id, const char *title);
/* A table's head, and what is before it: from <table> to the open <tbody>. */
void eo_html_table(struct eo_str *to, const char *attributes,
		   const char *const *heads, size_t n);

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
void eo_html_source(struct eo_str *to, const struct eo_html_one *one);
/* Tags for a row or a headline: new, suppressed, reviewed, heavy. */
void eo_html_row_tags(const struct eo_html *h, const struct eo_row *r,
		      struct eo_str *to);
/* A finding's section: status, suppression, weight. */
void eo_html_standing(const struct eo_html *h, const struct eo_html_one *one,
		      struct eo_str *to);
/* The review: its history, and the controls that a script brings to life. */
void eo_html_review(const struct eo_html *h, const struct eo_html_one *one,
		    struct eo_str *to);
/* The index's section: what is new, what is gone. */
void eo_html_changes(const struct eo_html *h, struct eo_str *to);

/* A unified diff, signs kept. */
void eo_html_diff(struct eo_str *to, const char *diff);

/* The patch that mends the finding @id, or NULL. */
const struct eo_patch *eo_html_patch(const struct eo_html *h, const char *id);

/* A finding's sections; those with an error read the database. */
void eo_html_walkthrough(const struct eo_html_one *one, struct eo_str *to);
void eo_html_proof(const struct eo_html_one *one, struct eo_str *to);
void eo_html_engine_words(const struct eo_html *h,
			  const struct eo_html_one *one, struct eo_str *to);
void eo_html_hot(const struct eo_html *h, const struct eo_html_one *one,
		 struct eo_str *to);
void eo_html_mend(const struct eo_html *h, const struct eo_html_one *one,
		  struct eo_str *to);
struct eo_error *eo_html_benches(const struct eo_html *h,
				 const struct eo_html_one *one,
				 struct eo_str *to);
struct eo_error *eo_html_verified(const struct eo_html *h,
				  const struct eo_html_one *one,
				  struct eo_str *to);
/* How the checks of a patch came out, in a line each. */
struct eo_error *eo_html_verdict(const struct eo_html *h, struct eo_str *to,
				 const struct eo_patch *p);
/* The overview's patch series. */
struct eo_error *eo_html_series(const struct eo_html *h, struct eo_str *to);

/* Parts of the pages that the single page has too, without their frame. */
struct eo_error *eo_html_overview(const struct eo_html *h, struct eo_str *to);
void eo_html_list_data(const struct eo_html *h, struct eo_str *to);
void eo_html_list_body(const struct eo_html *h, size_t from, size_t n,
		       bool script, struct eo_str *to);

#endif
