// SPDX-License-Identifier: GPL-2.0-only
/* What reviewers use: history, decisions, keys. Scripts bring it to life. */
#include "reports/html/html.h"

#include "base/err.h"
#include "reports/escape.h"
#include "reports/jsonw.h"

void eo_html_put_common(const struct eo_html *h, struct eo_jsonw *w)
{
	eo_jsonw_bool(w, "live", h->live);
	eo_jsonw_bool(w, "single", h->single);
	eo_jsonw_number(w, "run", h->run.id);
	eo_jsonw_text(w, "database", eo_db_path(h->db));
	eo_jsonw_text(w, "who", h->who);
	eo_jsonw_bool(w, "compared", h->run.compared_to != 0);
}

void eo_html_review_bar(const struct eo_html *h, struct eo_str *to)
{
	eo_str_add(to, "<div class=\"bar\" id=\"bar\" hidden>\n"
		       "<label>You are <input type=\"text\" id=\"who\""
		       " maxlength=\"200\" autocomplete=\"name\"></label>\n"
		       "<button type=\"button\" id=\"undo\" disabled>Undo"
		       "</button>\n");
	if (!h->live)
		eo_str_add(to,
			   "<button type=\"button\" id=\"save\" disabled>Save "
			   "decisions</button>\n"
			   "<button type=\"button\" id=\"forget\" disabled>"
			   "Forget them</button>\n");
	eo_str_add(to, "<button type=\"button\" id=\"help\">Keys</button>\n"
		       "<p id=\"said\" role=\"status\"></p>\n</div>\n"
		       "<div id=\"stale\" role=\"alert\"></div>\n");
}

static void add_key(struct eo_str *to, const char *key, const char *what)
{
	eo_str_addf(to, "<div><dt><kbd>%s</kbd></dt><dd>%s</dd></div>\n", key,
		    what);
}

void eo_html_keys(struct eo_str *to, bool list)
{
	eo_str_add(to,
		   "<dialog id=\"keys\" aria-labelledby=\"keys-title\">\n"
		   "<h2 id=\"keys-title\">Keys</h2>\n<dl class=\"keys\">\n");
	add_key(to, "j", "the next finding");
	add_key(to, "k", "the one before");
	if (list) {
		add_key(to, "o", "open it");
		add_key(to, "x", "select it for the buttons above");
		add_key(to, "/", "search");
	} else {
		add_key(to, "l", "back to the list");
		add_key(to, "e", "write a note");
	}
	add_key(to, "c", "confirm");
	add_key(to, "f", "false positive");
	add_key(to, "n", "the next without a review");
	add_key(to, "u", "undo");
	add_key(to, "?", "this list");
	eo_str_add(to, "</dl>\n<label><input type=\"checkbox\" id=\"keys-on\""
		       " checked> Keys of one letter are in use</label>\n"
		       "<form method=\"dialog\"><button>Close</button></form>\n"
		       "</dialog>\n");
}

static void add_history(struct eo_str *to, const struct eo_html_one *one)
{
	const struct eo_review *r;

	eo_str_addf(
		to,
		"<table class=\"cards history\" id=\"%shistory\"%s><caption>"
		"History</caption><thead><tr>"
		"<th scope=\"col\">When</th>"
		"<th scope=\"col\">Status</th>"
		"<th scope=\"col\">Who</th>"
		"<th scope=\"col\">Note</th></tr></thead>\n<tbody>\n",
		one->ids, one->reviews.n ? "" : " hidden");
	eo_vec_for_each(r, &one->reviews) {
		eo_str_addf(to, "<tr%s><th scope=\"row\">",
			    r->undone_by ? " class=\"undone\"" : "");
		eo_html_time(to, r->made);
		eo_str_add(to, "</th>\n<td data-label=\"Status\">");
		eo_add_html(to, r->status);
		if (r->undone_by) {
			eo_str_add(to, ", taken back by ");
			eo_add_html(to, r->undone_by);
		}
		eo_str_add(to, "</td>\n<td data-label=\"Who\">");
		eo_add_html(to, r->who);
		eo_str_add(to, "</td>\n<td data-label=\"Note\">");
		eo_add_html(to, r->note);
		eo_str_add(to, "</td></tr>\n");
	}
	eo_str_add(to, "</tbody></table>\n");
}

static void add_controls(const struct eo_html *h, const struct eo_html_one *one,
			 struct eo_str *to)
{
	static const char *const statuses[][2] = {
		{ "confirmed", "Confirm" },
		{ "false-positive", "False positive" },
		{ "wont-fix", "Won&#39;t fix" },
		{ "sent", "Sent" },
		{ "merged", "Merged" },
	};

	if (!h->single)
		eo_html_review_bar(h, to);
	eo_str_addf(to,
		    "<div class=\"decide\" id=\"%sdecide\" hidden>\n"
		    "<label>Note <textarea id=\"%snote\" rows=\"3\""
		    " maxlength=\"2000\"></textarea></label>\n<div>\n",
		    one->ids, one->ids);
	for (size_t i = 0; i < sizeof(statuses) / sizeof(statuses[0]); i++)
		eo_str_addf(to,
			    "<button type=\"button\" data-decide=\"%s\">%s"
			    "</button>\n",
			    statuses[i][0], statuses[i][1]);
	eo_str_add(to, "</div>\n</div>\n");
}

void eo_html_review(const struct eo_html *h, const struct eo_html_one *one,
		    struct eo_str *to)
{
	eo_html_section(one, to, "review", "Review");
	eo_str_addf(to, "<p>Now: <strong id=\"%snow\">", one->ids);
	eo_add_html(to, one->row->review ? one->row->review : "no review yet");
	eo_str_add(to, "</strong></p>\n");
	add_controls(h, one, to);
	add_history(to, one);
	eo_str_add(to, "</section>\n");
}
