// SPDX-License-Identifier: GPL-2.0-only
/* How a finding stands: against earlier runs, suppressed, reviewed, heavy. */
#include "reports/html/html.h"

#include "base/err.h"
#include "reports/escape.h"

static void add_tag(struct eo_str *to, const char *class, const char *word)
{
	eo_str_addf(to, " <span class=\"tag%s%s\">", *class ? " " : "", class);
	eo_add_html(to, word);
	eo_str_add(to, "</span>");
}

static void add_weight(struct eo_str *to, double weight)
{
	eo_str_addf(to, "%.1f%%", 100 * weight);
}

void eo_html_row_tags(const struct eo_html *h, const struct eo_row *r,
		      struct eo_str *to)
{
	if (h->run.compared_to && !eo_streq(r->status, "unchanged"))
		add_tag(to, "high", r->status);
	if (r->suppressed)
		add_tag(to, "low", "suppressed");
	if (r->review)
		add_tag(to, eo_row_is_aside(r) ? "low" : "", r->review);
	if (r->known)
		add_tag(to, "low", "in the baseline");
	if (r->weight >= 0) {
		eo_str_add(to, " <span class=\"tag\">");
		add_weight(to, r->weight);
		eo_str_add(to, " of the profile</span>");
	}
	if (r->gain >= 0) {
		eo_str_add(to, " <span class=\"tag high\">saves ");
		add_weight(to, r->gain);
		eo_str_add(to, "</span>");
	}
}

static void add_suppression(struct eo_str *to, const struct eo_standing *s)
{
	if (!s->suppressed_by)
		return;
	eo_html_term(to, "Suppressed");
	eo_add_html(to, s->suppressed_reason);
	eo_str_add(to, " (<code>");
	eo_add_html(to, s->suppressed_at);
	eo_str_add(to, "</code>");
	if (s->suppressed_date) {
		eo_str_add(to, ", ");
		eo_add_html(to, s->suppressed_date);
	}
	eo_str_add(to, ")</dd></div>\n");
}

void eo_html_standing(const struct eo_html *h, const struct eo_html_one *one,
		      struct eo_str *to)
{
	const struct eo_standing *s = one->standing;

	eo_html_section(one, to, "standing", "Standing");
	eo_str_add(to, "<dl class=\"facts\">\n");
	eo_html_term(to, "Status");
	eo_add_html(to, s->status);
	if (s->last_run)
		eo_str_addf(to, ", seen before in run %lld",
			    (long long)s->last_run);
	eo_str_add(to, "</dd></div>\n");
	add_suppression(to, s);
	if (s->has_baseline)
		eo_html_fact(to, "In the baseline", s->known ? "yes" : "no");
	if (s->weight >= 0) {
		eo_html_term(to, "Weight");
		add_weight(to, s->weight);
		eo_str_add(to, " of the profile ");
		eo_add_html(to, h->run.profile);
		eo_str_add(to, "</dd></div>\n");
	}
	eo_str_add(to, "</dl>\n</section>\n");
}

static size_t count_status(const struct eo_html *h, const char *status)
{
	const struct eo_standing *s;
	const struct eo_absent *a;
	size_t n = 0;

	eo_vec_for_each(s, &h->standings)
		n += eo_streq(s->status, status);
	eo_vec_for_each(a, &h->standings.absent)
		n += eo_streq(a->status, status);
	return n;
}

static void add_absent(const struct eo_html *h, struct eo_str *to)
{
	const struct eo_absent *a;

	if (!h->standings.absent.n)
		return;
	eo_str_add(to, "<table class=\"cards\"><thead><tr>"
		       "<th scope=\"col\">No longer found</th>"
		       "<th scope=\"col\">Rule</th>"
		       "<th scope=\"col\">Call</th>"
		       "<th scope=\"col\">Why</th></tr></thead>\n<tbody>\n");
	eo_vec_for_each(a, &h->standings.absent) {
		eo_str_add(to, "<tr><th scope=\"row\"><code>");
		eo_add_html(to, a->function);
		eo_str_add(to, "</code><span class=\"place\"><code>");
		eo_add_html(to, a->file);
		eo_str_add(to, "</code></span></th>\n"
			       "<td class=\"word\" data-label=\"Rule\">");
		eo_add_html(to, a->rule);
		eo_str_add(to, "</td>\n<td data-label=\"Call\"><code>");
		eo_add_html(to, a->call);
		eo_str_addf(to,
			    "</code></td>\n<td data-label=\"Why\">%s"
			    "</td></tr>\n",
			    eo_streq(a->status, "resolved") ?
				    "resolved" :
				    "not looked at this time");
	}
	eo_str_add(to, "</tbody></table>\n");
}

void eo_html_changes(const struct eo_html *h, struct eo_str *to)
{
	static const char *const rows[][2] = {
		{ "new", "new" },
		{ "reopened", "found again" },
		{ "unchanged", "as before" },
		{ "resolved", "resolved" },
		{ "unseen", "not looked at this time" },
	};

	if (!h->run.compared_to)
		return;
	eo_str_addf(to,
		    "<section aria-labelledby=\"changes\">\n"
		    "<h2 id=\"changes\">Since run %lld</h2>\n"
		    "<dl class=\"numbers\">\n",
		    (long long)h->run.compared_to);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		eo_html_term(to, rows[i][1]);
		eo_add_count(to, count_status(h, rows[i][0]));
		eo_str_add(to, "</dd></div>\n");
	}
	eo_str_add(to, "</dl>\n");
	add_absent(h, to);
	eo_str_add(to, "</section>\n");
}
