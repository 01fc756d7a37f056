// SPDX-License-Identifier: GPL-2.0-only
/* A finding's page: the ways to mend it, and the patch or the proposal. */
#include "reports/html/html.h"

#include "base/err.h"
#include "reports/escape.h"
#include "rewrite/rewrite.h"

const struct eo_patch *eo_html_patch(const struct eo_html *h, const char *id)
{
	return eo_map_get(&h->patches, id);
}

static const struct eo_proposal *proposal_of(const struct eo_html *h,
					     const char *id)
{
	const struct eo_proposal *p;

	eo_vec_for_each(p, &h->writing.proposals) {
		if (eo_streq(p->finding, id))
			return p;
	}
	return NULL;
}

static const char *state_of(const struct eo_strategy *s,
			    const struct eo_patch *p)
{
	if (p && eo_streq(p->strategy, s->name))
		return "the patch above";
	if (!s->is_made)
		return "for people to decide; no diff is written";
	return s->is_default ? "what is taken" : "on demand";
}

static void add_strategy(struct eo_str *to, const struct eo_strategy *s,
			 const struct eo_patch *p)
{
	eo_str_addf(to,
		    "<tr><th scope=\"row\">%s<span class=\"place\">%s</span>"
		    "</th>\n<td data-label=\"For it\">%s</td>\n"
		    "<td data-label=\"Against it\">%s</td>\n"
		    "<td data-label=\"Here\">%s</td></tr>\n",
		    s->name, s->what, s->pros, s->cons, state_of(s, p));
}

/* The texts are ours: see eo_rewrite_strategies(). */
static void add_strategies(const struct eo_html *h, struct eo_str *to,
			   const struct eo_finding *f, const struct eo_patch *p)
{
	static const char *const heads[] = { "Way", "For it", "Against it",
					     "Here" };
	size_t n;
	const struct eo_strategy *all = eo_rewrite_strategies(f->rule, &n);
	bool more = false;
	const char *why;

	if (!n)
		return;
	eo_html_table(to, "class=\"cards\"", heads, 4);
	for (size_t i = 0; i < n; i++) {
		if (!eo_rewrite_offers(&all[i], f, &why))
			continue;
		add_strategy(to, &all[i], p);
		more |= all[i].is_made &&
			!(p && eo_streq(p->strategy, all[i].name));
	}
	eo_str_add(to, "</tbody></table>\n");
	if (!p || !more)
		return;
	eo_str_add(to, "<p>Another way than the patch&#39;s:</p>\n"
		       "<pre class=\"commands\" tabindex=\"0\"><code>");
	for (size_t i = 0; i < n; i++) {
		EO_CLEANUP(eo_freep)
		char *words = eo_asprintf("patch --strategy %s -o patches",
					  all[i].name);

		if (all[i].is_made && eo_rewrite_offers(&all[i], f, &why) &&
		    !eo_streq(p->strategy, all[i].name))
			eo_html_command(h, to, words, NULL);
	}
	eo_str_add(to, "</code></pre>\n");
}

static void add_link(const struct eo_html *h, struct eo_str *to, const char *id)
{
	const struct eo_row *r = eo_map_get(&h->ids, id);

	if (r) {
		eo_str_add(to, "<a");
		eo_html_href(h, to, "finding", id, NULL);
		eo_str_add(to, "><code>");
		eo_add_html(to, r->function);
		eo_str_addf(to, "</code>, line %u</a>", r->line);
	} else {
		eo_add_html(to, id);
	}
}

/* One patch may mend several findings. */
static void add_others(const struct eo_html *h, struct eo_str *to,
		       const struct eo_finding *f, const struct eo_patch *p)
{
	const char *before = "<p>It mends ";

	if (!eo_streq(p->finding, f->id)) {
		eo_str_add(to, before);
		add_link(h, to, p->finding);
		before = ", and ";
	}
	for (size_t i = 0; i < p->n_also; i++) {
		if (eo_streq(p->also[i], f->id))
			continue;
		eo_str_add(to, before);
		add_link(h, to, p->also[i]);
		before = ", and ";
	}
	if (*before == ',')
		eo_str_add(to, ", too.</p>\n");
}

static void add_patch(const struct eo_html *h, const struct eo_html_one *one,
		      struct eo_str *to, const struct eo_patch *p)
{
	eo_str_addf(to,
		    "<p class=\"subject\"><span class=\"muted\">"
		    "[PATCH %u/%u]</span> ",
		    p->number, p->total);
	eo_add_html(to, p->subject);
	eo_str_add(to, "</p>\n");
	if (p->body) {
		eo_str_add(to, "<pre class=\"body\">");
		eo_add_html(to, p->body);
		eo_str_add(to, "</pre>\n");
	}
	add_others(h, to, one->f, p);
	if (p->diff)
		eo_html_diff(to, p->diff);
	if (p->mail)
		eo_html_folded(to, "The mail as it would be sent", p->mail);
}

static void add_missing(const struct eo_html *h, struct eo_str *to,
			const struct eo_finding *f)
{
	const struct eo_proposal *p = proposal_of(h, f->id);

	if (p) {
		eo_str_add(to, "<p>No patch: the proof is not complete. What "
			       "could be done is written up, for people to "
			       "decide.</p>\n");
		eo_html_folded(to, "The proposal", p->text);
		return;
	}
	eo_str_add(to, "<p>");
	eo_str_add(to, f->fix == EO_FIX_AUTO ?
			       "The patch is not written yet:" :
		       f->fix == EO_FIX_MANUAL ?
			       "There is no patch, as the proof is not "
			       "complete; this writes up what could be done:" :
			       "No fix is known.");
	eo_str_add(to, "</p>\n");
	if (f->fix == EO_FIX_NONE)
		return;
	eo_str_add(to, "<pre class=\"commands\" tabindex=\"0\"><code>");
	eo_html_command(h, to,
			f->fix == EO_FIX_AUTO ? "patch -o patches" :
						"patch --proposals -o patches",
			NULL);
	eo_str_add(to, "</code></pre>\n");
}

void eo_html_mend(const struct eo_html *h, const struct eo_html_one *one,
		  struct eo_str *to)
{
	const struct eo_patch *p = eo_html_patch(h, one->f->id);

	if (p) {
		eo_html_section(one, to, "patch", "Patch");
		add_patch(h, one, to, p);
		eo_str_add(to, "</section>\n");
	}
	eo_html_section(one, to, "ways", "Ways to mend it");
	if (!p)
		add_missing(h, to, one->f);
	add_strategies(h, to, one->f, p);
	eo_str_add(to, "</section>\n");
}
