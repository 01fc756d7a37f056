// SPDX-License-Identifier: GPL-2.0-only
/*
 * list.html: all findings. The first rows are in the page for those who have
 * no script; with one, all rows come from the data, and are filtered there.
 */
#include "reports/html/html.h"

#include "base/err.h"
#include "reports/escape.h"
#include "reports/jsonw.h"

/* The function, and its place below. */
static void add_where(const struct eo_html *h, struct eo_str *to,
		      const struct eo_row *r)
{
	eo_str_add(to, "<tr><th scope=\"row\"><a");
	eo_html_href(h, to, "finding", r->id, NULL);
	eo_str_add(to, "><code>");
	eo_add_html(to, *r->function ? r->function : r->id);
	eo_str_add(to, "</code></a><span class=\"place\"><code>");
	eo_add_html(to, r->file);
	eo_str_addf(to, ":%u</code></span></th>\n", r->line);
}

static void add_row(const struct eo_html *h, struct eo_str *to,
		    const struct eo_row *r)
{
	add_where(h, to, r);
	eo_str_add(to, "<td class=\"word\" data-label=\"Rule\">");
	eo_add_html(to, r->rule);
	eo_str_add(
		to,
		"</td>\n<td class=\"guard\" data-label=\"Test that can come first\">");
	if (r->guard) {
		eo_str_add(to, "<code>");
		eo_add_html(to, r->guard);
		eo_str_add(to, "</code>");
	} else {
		eo_str_add(to, "none");
	}
	eo_str_addf(to,
		    "</td>\n<td data-label=\"Confidence\">"
		    "<span class=\"tag %s\">%s</span>",
		    eo_confidence_name(r->confidence),
		    eo_confidence_name(r->confidence));
	eo_html_row_tags(h, r, to);
	eo_str_addf(to,
		    "</td>\n<td data-label=\"Fix\">%s</td>\n"
		    "<td class=\"word\" data-label=\"Seen by\">",
		    eo_fix_name(r->fix));
	eo_html_engines(to, r->engines);
	eo_str_add(to, "</td></tr>\n");
}

void eo_html_rows(const struct eo_html *h, struct eo_str *to, const char *id,
		  const struct eo_row *rows, size_t n)
{
	static const char *const heads[] = {
		"Where",      "Rule", "Test that can come first",
		"Confidence", "Fix",  "Seen by",
	};
	EO_CLEANUP(eo_freep)
	char *attributes = eo_asprintf("class=\"cards rows\" %s", id);

	eo_html_table(to, attributes, heads, 6);
	for (size_t i = 0; i < n; i++)
		add_row(h, to, &rows[i]);
	eo_str_add(to, "</tbody></table>\n");
}

void eo_html_put_row(struct eo_jsonw *w, const struct eo_row *r)
{
	eo_jsonw_text(w, "id", r->id);
	eo_jsonw_text(w, "rule", r->rule);
	eo_jsonw_text(w, "file", r->file);
	eo_jsonw_number(w, "line", r->line);
	eo_jsonw_text(w, "function", r->function);
	eo_jsonw_text(w, "call", r->call);
	eo_jsonw_text(w, "guard", r->guard);
	eo_jsonw_text(w, "message", r->message);
	eo_jsonw_text(w, "confidence", eo_confidence_name(r->confidence));
	eo_jsonw_text(w, "fix", eo_fix_name(r->fix));
	eo_jsonw_number(w, "engines", r->engines);
	eo_jsonw_text(w, "status", r->status);
	eo_html_put_rare(w, r);
}

void eo_html_put_rare(struct eo_jsonw *w, const struct eo_row *r)
{
	if (r->suppressed)
		eo_jsonw_bool(w, "suppressed", true);
	if (r->known)
		eo_jsonw_bool(w, "known", true);
	eo_jsonw_text(w, "review", r->review);
	eo_jsonw_text(w, "note", r->note);
	eo_jsonw_text(w, "who", r->who);
	eo_jsonw_number(w, "version", r->version);
	if (r->weight >= 0)
		eo_jsonw_real(w, "weight", r->weight);
	if (r->gain >= 0)
		eo_jsonw_real(w, "gain", r->gain);
}

/* Filters, brought to life and filled by the script. */
static void add_filters(struct eo_str *to)
{
	static const char *const choices[][2] = {
		{ "rule", "Rule" },
		{ "confidence", "Confidence" },
		{ "status", "Since the run before" },
		{ "review", "Review" },
		{ "engine", "Seen by" },
		{ "fix", "Fix" },
	};

	eo_str_add(to, "<form class=\"filters\" id=\"filters\" role=\"search\""
		       " hidden>\n"
		       "<label class=\"wide\">Search <input type=\"search\""
		       " name=\"q\" autocomplete=\"off\" spellcheck=\"false\">"
		       "</label>\n"
		       "<label>File <input type=\"text\" name=\"file\""
		       " list=\"files\" autocomplete=\"off\""
		       " spellcheck=\"false\"></label>"
		       "<datalist id=\"files\"></datalist>\n");
	for (size_t i = 0; i < sizeof(choices) / sizeof(choices[0]); i++)
		eo_str_addf(
			to,
			"<label>%s <select name=\"%s\">"
			"<option value=\"\">any</option></select></label>\n",
			choices[i][1], choices[i][0]);
	eo_str_add(to, "<label>Sort by <select name=\"sort\">"
		       "<option value=\"\">rank</option>"
		       "<option value=\"share\">measured share</option>"
		       "<option value=\"gain\">gain</option>"
		       "<option value=\"confidence\">confidence</option>"
		       "<option value=\"file\">file</option></select></label>\n"
		       "<button type=\"reset\">Clear</button>\n</form>\n");
}

/* What acts on the rows that are selected. */
static void add_batch(struct eo_str *to)
{
	eo_str_add(
		to,
		"<div class=\"batch\" id=\"batch\" hidden>\n"
		"<p id=\"count\" role=\"status\"></p>\n"
		"<label class=\"all\"><input type=\"checkbox\" id=\"all\">"
		" Select all shown</label>\n"
		"<label class=\"wide\">Note <input type=\"text\""
		" id=\"batch-note\" maxlength=\"2000\"></label>\n"
		"<button type=\"button\" data-decide=\"confirmed\">Confirm"
		"</button>\n"
		"<button type=\"button\" data-decide=\"false-positive\">"
		"False positive</button>\n"
		"<button type=\"button\" data-decide=\"wont-fix\">Won&#39;t fix"
		"</button>\n</div>\n");
}

static void add_pager(const struct eo_html *h, size_t n, struct eo_str *to)
{
	size_t pages = (h->rows.n + EO_HTML_PAGE - 1) / EO_HTML_PAGE;

	eo_str_add(to,
		   "<nav class=\"pager\" id=\"pager\" aria-label=\"Pages\">");
	for (size_t i = 0; !h->single && pages > 1 && i < pages; i++) {
		eo_str_add(to, "<a href=\"list");
		if (i)
			eo_str_addf(to, "-%zu", i + 1);
		eo_str_addf(to, ".html\"%s>%zu</a> ",
			    i == n ? " aria-current=\"page\"" : "", i + 1);
	}
	eo_str_add(to, "</nav>\n");
}

void eo_html_list_body(const struct eo_html *h, size_t from, size_t n,
		       bool script, struct eo_str *to)
{
	if (script) {
		eo_html_review_bar(h, to);
		add_filters(to);
		add_batch(to);
	}
	eo_html_rows(h, to, "id=\"rows\"", h->rows.items + from, n);
	add_pager(h, h->single ? 0 : from / EO_HTML_PAGE, to);
	if (script) {
		eo_html_keys(to, true);
		eo_html_packed_rows(h, to);
	}
}

void eo_html_list_data(const struct eo_html *h, struct eo_str *to)
{
	struct eo_jsonw w = { .to = to };

	eo_jsonw_begin_object(&w, NULL);
	eo_html_put_common(h, &w);
	eo_jsonw_number(&w, "page", EO_HTML_PAGE);
	eo_jsonw_end(&w);
}

void eo_html_list(const struct eo_html *h, size_t n, struct eo_str *to)
{
	EO_CLEANUP(eo_str_release) struct eo_str title = { 0 }, data = { 0 };
	size_t from = n * EO_HTML_PAGE, left = h->rows.n - from;
	struct eo_html_frame frame = { .here = "list.html" };

	if (!n) {
		eo_html_list_data(h, &data);
		frame.script = &h->list_js;
		frame.data = data.s;
	}
	eo_str_addf(&title, "Findings in Linux %s", h->run.version);
	frame.title = title.s;
	eo_html_begin(h, to, &frame);
	eo_str_add(to, "<div class=\"lede\"><h1>");
	eo_add_plural(to, h->rows.n, "finding", "findings");
	eo_str_add(to, "</h1></div>\n");
	eo_html_list_body(h, from, left < EO_HTML_PAGE ? left : EO_HTML_PAGE,
			  !n, to);
	eo_html_end(h, to, &frame);
}
