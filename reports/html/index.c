// SPDX-License-Identifier: GPL-2.0-only
/* index.html: what was scanned, what was found, what was not looked at. */
#include "reports/html/html.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "reports/escape.h"

/* A longer ledger starts folded. */
#define LONG_LEDGER 12
/* Findings on the overview. */
#define FIRST_ROWS 10

static size_t count_auto(const struct eo_html *h)
{
	const struct eo_row *r;
	size_t n = 0;

	eo_vec_for_each(r, &h->rows)
		n += r->fix == EO_FIX_AUTO && !eo_row_is_aside(r);
	return n;
}

static size_t count_aside(const struct eo_html *h)
{
	const struct eo_row *r;
	size_t n = 0;

	eo_vec_for_each(r, &h->rows)
		n += eo_row_is_aside(r);
	return n;
}

static void add_what_was_looked_at(const struct eo_html *h, struct eo_str *to)
{
	if (h->gaps.n) {
		eo_str_add(to, "<strong>The scan is incomplete</strong>: ");
		eo_add_plural(to, h->gaps.n, "thing was", "things were");
		eo_str_add(to, " <a href=\"#coverage\">not looked at</a>.");
	} else if (h->run.scope) {
		eo_str_add(to, "The scan was limited by <code>");
		eo_add_html(to, h->run.scope);
		eo_str_add(to, "</code>; ");
		eo_add_plural(to, h->run.left_out, "file was", "files were");
		eo_str_add(to, " left out.");
	} else {
		eo_str_add(to, "Everything was looked at.");
	}
}

static void add_headline(const struct eo_html *h, struct eo_str *to)
{
	size_t fixes = count_auto(h), aside = count_aside(h);
	size_t open = h->rows.n - aside;

	eo_str_add(to, "<div class=\"lede\">\n<h1>");
	if (open)
		eo_add_plural(to, open, "finding", "findings");
	else
		eo_str_add(to, aside ? "Nothing left" : "Nothing found");
	eo_str_add(to, " in ");
	eo_html_tree_name(h, to);
	eo_str_add(to, "</h1>\n<p>");
	if (open) {
		eo_str_add(to, "Expensive work that some path never uses. ");
		if (fixes) {
			eo_add_count(to, fixes);
			eo_str_addf(to, " %s a fix that is proved safe. ",
				    fixes == 1 ? "has" : "have");
		}
	}
	if (aside) {
		eo_add_plural(to, aside, "finding is", "findings are");
		eo_str_add(to, " put aside: suppressed, or reviewed as "
			       "false-positive or wont-fix. ");
	}
	add_what_was_looked_at(h, to);
	eo_str_add(to, "</p>\n</div>\n");
}

/* One row of the table: a rule's findings by confidence, and put aside. */
struct tally {
	const char *rule;
	size_t by[EO_HIGH + 1], aside, reviewed;
};

struct tallies {
	struct tally *items;
	size_t n, cap;
};

static void release_tallies(struct tallies *t)
{
	free(t->items);
}

static struct tally *tally_of(struct tallies *all, const char *rule)
{
	struct tally *t;

	eo_vec_for_each(t, all) {
		if (eo_streq(t->rule, rule))
			return t;
	}
	t = eo_vec_push(all);
	t->rule = rule;
	return t;
}

static void count_rows(const struct eo_html *h, struct tallies *all)
{
	const struct eo_row *r;

	eo_vec_for_each(r, &h->rows) {
		struct tally *t = tally_of(all, r->rule);

		t->reviewed += r->review != NULL;
		if (eo_row_is_aside(r))
			t->aside++;
		else
			t->by[r->confidence]++;
	}
}

static void add_cell(struct eo_str *to, const char *label, size_t n)
{
	eo_str_addf(to, "<td class=\"number\" data-label=\"%s\">", label);
	eo_add_count(to, n);
	eo_str_add(to, "</td>\n");
}

static void add_tally(const struct eo_html *h, struct eo_str *to,
		      const struct tally *t)
{
	eo_str_addf(to, "<tr><th scope=\"row\"><a href=\"%s#rule=",
		    h->single ? "" : "list.html");
	eo_add_uri(to, t->rule);
	eo_str_add(to, "\">");
	eo_add_html(to, t->rule);
	eo_str_add(to, "</a></th>\n");
	add_cell(to, "High", t->by[EO_HIGH]);
	add_cell(to, "Medium", t->by[EO_MEDIUM]);
	add_cell(to, "Low", t->by[EO_LOW]);
	add_cell(to, "Put aside", t->aside);
	add_cell(to, "Reviewed", t->reviewed);
	eo_str_add(to, "</tr>\n");
}

static void add_tallies(const struct eo_html *h, struct eo_str *to)
{
	EO_CLEANUP(release_tallies) struct tallies all = { 0 };
	const struct tally *t;

	count_rows(h, &all);
	eo_str_add(to, "<table class=\"cards tally\"><caption>By rule and "
		       "confidence</caption><thead><tr>"
		       "<th scope=\"col\">Rule</th>"
		       "<th scope=\"col\" class=\"number\">High</th>"
		       "<th scope=\"col\" class=\"number\">Medium</th>"
		       "<th scope=\"col\" class=\"number\">Low</th>"
		       "<th scope=\"col\" class=\"number\">Put aside</th>"
		       "<th scope=\"col\" class=\"number\">Reviewed</th>"
		       "</tr></thead>\n<tbody>\n");
	eo_vec_for_each(t, &all)
		add_tally(h, to, t);
	eo_str_add(to, "</tbody></table>\n");
}

static void add_findings(const struct eo_html *h, struct eo_str *to)
{
	size_t n = h->rows.n < FIRST_ROWS ? h->rows.n : FIRST_ROWS;

	if (!h->rows.n)
		return;
	eo_str_add(to, "<section aria-labelledby=\"findings\">\n"
		       "<h2 id=\"findings\">Findings</h2>\n");
	add_tallies(h, to);
	if (n < h->rows.n)
		eo_str_addf(to, "<h3>The first %zu, as they rank</h3>\n", n);
	eo_html_rows(h, to, h->single ? "" : "id=\"rows\"", h->rows.items, n);
	eo_str_add(to, "<p class=\"more\"><a");
	eo_html_href(h, to, "list.html", NULL, NULL);
	eo_str_add(to, ">All findings, to search and to review</a></p>\n"
		       "</section>\n");
}

static void add_gap_row(struct eo_str *to, const struct eo_gap *g)
{
	eo_str_add(to, "<tr><th scope=\"row\">");
	if (*g->file) {
		eo_str_add(to, "<code>");
		eo_add_html(to, g->file);
		eo_str_add(to, "</code>");
	} else {
		eo_str_add(to, "the whole scan");
	}
	eo_str_add(to, "</th>\n<td data-label=\"Function\">");
	if (g->function) {
		eo_str_add(to, "<code>");
		eo_add_html(to, g->function);
		eo_str_add(to, "</code>");
	} else {
		eo_str_add(to, "all");
	}
	eo_str_addf(to,
		    "</td>\n<td data-label=\"Engine\">%s</td>\n"
		    "<td data-label=\"Reason\">%s</td>\n"
		    "<td data-label=\"Detail\">",
		    eo_engine_name((enum eo_engine)g->engine),
		    eo_gap_reason_name(g->reason));
	eo_add_html(to, g->detail);
	eo_str_add(to, "</td></tr>\n");
}

static void add_ledger(const struct eo_html *h, struct eo_str *to)
{
	const struct eo_gap *g;

	eo_str_add(to, "<p><strong>Not looked at:</strong> nothing is known "
		       "of these places. The detail says what to do.</p>\n");
	eo_str_addf(to, "<details%s><summary>",
		    h->gaps.n > LONG_LEDGER ? "" : " open");
	eo_add_plural(to, h->gaps.n, "entry", "entries");
	eo_str_add(to, " in the ledger</summary>\n"
		       "<table class=\"cards\"><thead><tr>"
		       "<th scope=\"col\">File</th>"
		       "<th scope=\"col\">Function</th>"
		       "<th scope=\"col\">Engine</th>"
		       "<th scope=\"col\">Reason</th>"
		       "<th scope=\"col\">Detail</th></tr></thead>\n<tbody>\n");
	eo_vec_for_each(g, &h->gaps)
		add_gap_row(to, g);
	eo_str_add(to, "</tbody></table></details>\n");
}

static void add_number(struct eo_str *to, const char *what, size_t n)
{
	eo_html_term(to, what);
	eo_add_count(to, n);
	eo_str_add(to, "</dd></div>\n");
}

static void add_coverage(const struct eo_html *h, struct eo_str *to)
{
	eo_str_add(to, "<section aria-labelledby=\"coverage\">\n"
		       "<h2 id=\"coverage\">Coverage</h2>\n"
		       "<dl class=\"numbers\">\n");
	add_number(to, "C files in the tree", h->run.files);
	add_number(to, "name an expensive call", h->run.candidates);
	add_number(to, "of them looked at", h->run.analyzed);
	add_number(to, "name one outside of the kernel", h->run.outside);
	if (h->run.scope)
		add_number(to, "left out, the scan was limited",
			   h->run.left_out);
	eo_str_add(to, "</dl>\n");
	if (h->gaps.n)
		add_ledger(h, to);
	else if (!h->run.scope)
		eo_str_add(to, "<p>Everything was looked at, by both engines: "
			       "no file and no function is missing.</p>\n");
	eo_str_add(to, "</section>\n");
}

static void add_scan(const struct eo_html *h, struct eo_str *to)
{
	const struct eo_run *r = &h->run;

	eo_str_add(to, "<section aria-labelledby=\"scan\">\n"
		       "<h2 id=\"scan\">What was scanned</h2>\n"
		       "<dl class=\"facts\">\n");
	eo_html_code_fact(to, "Tree", r->root);
	eo_html_fact(to, "Version", r->version);
	if (r->revision)
		eo_html_code_fact(to, "Revision", r->revision);
	else
		eo_html_fact(to, "Revision", "not in git");
	eo_html_fact(to, "Compiler flags", r->build_origin);
	eo_html_code_fact(to, "Configuration", r->config_hash);
	eo_html_code_fact(to, "Cost model", r->model_hash);
	eo_html_term(to, "When");
	eo_html_time(to, r->started);
	eo_str_add(to, ", took ");
	eo_html_duration(to, r->duration_ms);
	eo_str_add(to, "</dd></div>\n");
	eo_html_code_fact(to, "Limited by", r->scope);
	eo_html_code_fact(to, "Baseline", r->baseline);
	eo_html_fact(to, "Profile", r->profile);
	eo_html_code_fact(to, "Command", r->command);
	eo_str_add(to, "</dl>\n</section>\n");
}

static void add_commands(const struct eo_html *h, struct eo_str *to)
{
	eo_str_add(to, "<section aria-labelledby=\"again\">\n"
		       "<h2 id=\"again\">Do it again</h2>\n"
		       "<pre class=\"commands\" tabindex=\"0\"><code>"
		       "<span class=\"muted\"># scan</span>\n");
	eo_html_command(h, to, "scan", NULL);
	eo_str_add(to, "<span class=\"muted\"># write the mails</span>\n");
	eo_html_command(h, to, "patch -o patches", NULL);
	eo_str_add(to, "<span class=\"muted\"># write these pages</span>\n");
	eo_html_command(h, to, "report -o report", NULL);
	eo_str_add(to, "</code></pre>\n</section>\n");
}

struct eo_error *eo_html_overview(const struct eo_html *h, struct eo_str *to)
{
	add_headline(h, to);
	add_findings(h, to);
	eo_html_changes(h, to);
	if (h->writing.series.n || h->writing.proposals.n || count_auto(h))
		eo_try(eo_html_series(h, to));
	add_coverage(h, to);
	add_scan(h, to);
	add_commands(h, to);
	return NULL;
}

struct eo_error *eo_html_index(const struct eo_html *h, struct eo_str *to)
{
	EO_CLEANUP(eo_str_release) struct eo_str title = { 0 };
	struct eo_html_frame frame = { .here = "index.html" };

	eo_str_addf(&title, "earlyout: Linux %s", h->run.version);
	frame.title = title.s;
	eo_html_begin(h, to, &frame);
	eo_try(eo_html_overview(h, to));
	eo_html_end(h, to, &frame);
	return NULL;
}
