// SPDX-License-Identifier: GPL-2.0-only
/* The overview's patch series: versions, patches, how each came out. */
#include "reports/html/html.h"

#include "base/err.h"
#include "db/evidence.h"
#include "reports/escape.h"

static void add_evidence(struct eo_str *to, const struct eo_evidence *e)
{
	eo_str_add(to, "<li>");
	eo_add_html(to, e->workload);
	eo_str_add(to, ": ");
	if (eo_streq(e->verdict, "no consistent change"))
		eo_str_add(to, e->verdict);
	else
		eo_str_addf(to,
			    "<strong class=\"state %s\">%+.1f%%</strong> "
			    "(%+.1f%% to %+.1f%%)",
			    eo_streq(e->verdict, "improved") ? "proved" :
							       "failed",
			    100 * e->change, 100 * e->low, 100 * e->high);
	eo_str_add(to, ", ");
	eo_add_html(to, e->metric);
	if (e->distorting) {
		eo_str_add(to, ", no evidence: ");
		eo_add_html(to, e->distorting);
	}
	eo_str_add(to, "</li>\n");
}

static struct eo_error *add_measured(const struct eo_html *h, struct eo_str *to,
				     const struct eo_patch *p)
{
	EO_CLEANUP(eo_evidences_release) struct eo_evidences all = { 0 };
	const struct eo_evidence *e;

	eo_try(eo_db_get_evidence(h->db, p->finding, p->diff, &all));
	eo_str_add(to, "<td data-label=\"Measured\">");
	if (!all.n)
		eo_str_add(to, "<span class=\"muted\">not measured</span>");
	else
		eo_str_add(to, "<ul class=\"plain\">\n");
	eo_vec_for_each(e, &all)
		add_evidence(to, e);
	eo_str_add(to, all.n ? "</ul></td>" : "</td>");
	return NULL;
}

static struct eo_error *add_patch(const struct eo_html *h, struct eo_str *to,
				  const struct eo_patch *p)
{
	eo_str_add(to, "<tr><th scope=\"row\"><a");
	eo_html_href(h, to, "finding", p->finding, "patch");
	eo_str_addf(to, "><span class=\"muted\">[PATCH %u/%u]</span> ",
		    p->number, p->total);
	eo_add_html(to, p->subject);
	eo_str_add(to, "</a><span class=\"place\"><code>");
	eo_add_html(to, p->file);
	eo_str_add(to, "</code></span></th>\n");
	eo_str_add(to, "<td data-label=\"Checks\">");
	eo_try(eo_html_verdict(h, to, p));
	eo_str_add(to, "</td>\n");
	eo_try(add_measured(h, to, p));
	eo_str_add(to, "</tr>\n");
	return NULL;
}

static void add_earlier(struct eo_str *to, const struct eo_series *s)
{
	eo_str_addf(to, "<li>v%u, ", s->version);
	eo_html_time(to, s->created);
	eo_str_addf(to, ", of run %lld", (long long)s->run);
	eo_str_add(to, "</li>\n");
}

/* What is new in this version, and those that were before. */
static struct eo_error *add_versions(const struct eo_html *h, struct eo_str *to,
				     const struct eo_series *s)
{
	struct eo_arena arena = { 0 };
	struct eo_series *earlier = NULL;
	struct eo_error *err;
	size_t n = 0;

	if (!s->rerolls)
		return NULL;
	err = eo_db_get_earlier(h->db, s->id, &arena, &earlier, &n);
	if (!err) {
		eo_str_addf(to,
			    "<p>This is version %u, written after:</p>\n"
			    "<ul>\n",
			    s->version);
		for (size_t i = 0; i < n; i++)
			add_earlier(to, &earlier[i]);
		eo_str_add(to, "</ul>\n");
		if (s->changes)
			eo_html_folded(to, "Changes since the version before",
				       s->changes);
		if (s->range_diff)
			eo_html_folded(to, "Range-diff", s->range_diff);
	}
	eo_arena_release(&arena);
	return err;
}

static struct eo_error *add_one(const struct eo_html *h, struct eo_str *to,
				const struct eo_series *s)
{
	static const char *const heads[] = { "Patch", "Checks", "Measured" };

	if (h->writing.series.n > 1 || s->title) {
		eo_str_add(to, "<h3>");
		eo_add_html(to, s->title ? s->title : s->name);
		eo_str_add(to, "</h3>\n");
	}
	eo_html_table(to, "class=\"cards series\"", heads, 3);
	for (size_t i = 0; i < s->n; i++)
		eo_try(add_patch(h, to, &s->items[i]));
	eo_str_add(to, "</tbody></table>\n");
	eo_try(add_versions(h, to, s));
	if (s->cover)
		eo_html_folded(to, "Cover letter", s->cover);
	return NULL;
}

static void add_proposal(const struct eo_html *h, struct eo_str *to,
			 const struct eo_proposal *p)
{
	const struct eo_row *r = eo_map_get(&h->ids, p->finding);

	if (!r)
		return;
	eo_str_add(to, "<li><a");
	eo_html_href(h, to, "finding", p->finding, "ways");
	eo_str_add(to, "><code>");
	eo_add_html(to, r->function);
	eo_str_add(to, "</code></a>: ");
	eo_add_html(to, r->message);
	eo_str_add(to, "</li>\n");
}

static void add_proposals(const struct eo_html *h, struct eo_str *to)
{
	const struct eo_proposal *p;

	if (!h->writing.proposals.n)
		return;
	eo_str_add(to, "<h3>Proposals, for people to decide</h3>\n"
		       "<ul class=\"plain\">\n");
	eo_vec_for_each(p, &h->writing.proposals)
		add_proposal(h, to, p);
	eo_str_add(to, "</ul>\n");
}

struct eo_error *eo_html_series(const struct eo_html *h, struct eo_str *to)
{
	const struct eo_series *s;

	eo_str_add(to, "<section aria-labelledby=\"series\">\n"
		       "<h2 id=\"series\">Patch series</h2>\n");
	if (!h->writing.series.n && !h->writing.proposals.n)
		eo_str_add(to, "<p>Not written yet: <code>earlyout patch"
			       "</code> does, as below.</p>\n");
	eo_vec_for_each(s, &h->writing.series)
		eo_try(add_one(h, to, s));
	add_proposals(h, to);
	eo_str_add(to, "</section>\n");
	return NULL;
}
