// SPDX-License-Identifier: GPL-2.0-only
/*
 * What `earlyout verify` said of a patch, check by check, logs behind a click.
 * Subjects, authors and compilers' words may be anybody's.
 */
#include "reports/html/html.h"

#include <string.h>

#include "base/err.h"
#include "db/verifications.h"
#include "reports/escape.h"
#include "verify/diffid.h"

/* How the verdict of a check is drawn: its class, and a sign. */
static const char *const verdicts[][3] = {
	{ "pass", "proved", "✓" },
	{ "warn", "assumed", "!" },
	{ "fail", "failed", "✗" },
	{ "skipped", "skipped", "–" },
};

static void add_verdict(struct eo_str *to, const char *verdict)
{
	size_t i = 0;

	while (i < 3 && !eo_streq(verdict, verdicts[i][0]))
		i++;
	eo_str_addf(to,
		    "<span class=\"state %s\"><span aria-hidden=\"true\">%s"
		    "</span> %s</span>",
		    verdicts[i][1], verdicts[i][2], verdicts[i][0]);
}

static void add_check(struct eo_str *to, const struct eo_verified_check *c)
{
	eo_str_add(to, "<tr><th scope=\"row\">");
	eo_add_html(to, c->name);
	eo_str_add(to, "</th>\n<td data-label=\"Verdict\">");
	add_verdict(to, c->verdict);
	eo_str_add(to, "</td>\n<td data-label=\"What was seen\">");
	eo_add_html(to, c->reason);
	if (c->log && *c->log)
		eo_html_folded(to, "Log", c->log);
	eo_str_add(to, "</td>\n<td class=\"word\" data-label=\"Took\">");
	eo_html_duration(to, c->duration_ms);
	eo_str_add(to, "</td></tr>\n");
}

static void add_warnings(struct eo_str *to, const struct eo_verification *v,
			 bool comes, const char *title)
{
	const struct eo_verified_warning *w;
	bool begun = false;

	eo_vec_for_each(w, &v->warnings) {
		if (w->comes != comes)
			continue;
		if (!begun)
			eo_str_addf(to,
				    "<details><summary>%s</summary>\n"
				    "<ul class=\"plain\">\n",
				    title);
		begun = true;
		eo_str_add(to, "<li>");
		eo_add_html(to, w->tool);
		eo_str_add(to, ": <code>");
		eo_add_html(to, w->text);
		eo_str_add(to, "</code></li>\n");
	}
	if (begun)
		eo_str_add(to, "</ul></details>\n");
}

static const char *fate_words(const char *fate)
{
	static const char *const words[][2] = {
		{ "proved", "gone, by a proof" },
		{ "shape", "gone, but for its shape alone" },
		{ "hidden", "gone from sight, not from the code" },
		{ "stays", "still there" },
		{ "new", "new with this patch" },
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (eo_streq(fate, words[i][0]))
			return words[i][1];
	}
	return "";
}

static void add_fates(struct eo_str *to, const struct eo_verification *v)
{
	static const char *const heads[] = { "Finding", "What becomes of it",
					     "Why" };
	const struct eo_verified_finding *f;

	if (!v->findings.n)
		return;
	eo_html_table(to, "class=\"cards fates\"", heads, 3);
	eo_vec_for_each(f, &v->findings) {
		eo_str_add(to, "<tr><th scope=\"row\"><code>");
		eo_add_html(to, f->function);
		eo_str_add(to, "</code><span class=\"place\">");
		eo_add_html(to, f->rule);
		eo_str_addf(to,
			    "</span></th>\n<td data-label="
			    "\"What becomes of it\">%s</td>\n"
			    "<td data-label=\"Why\">",
			    fate_words(f->fate));
		eo_add_html(to, f->why);
		eo_str_add(to, "</td></tr>\n");
	}
	eo_str_add(to, "</tbody></table>\n");
}

static void add_head(struct eo_str *to, const struct eo_verification *v,
		     bool ours)
{
	const struct eo_verified_patch *p = &v->patches.items[0];

	eo_str_add(to, "<p>");
	if (ours) {
		eo_str_add(to, "The patch above");
	} else {
		eo_str_add(to, "Another patch that makes it go: <strong>");
		eo_add_html(to, p->subject);
		eo_str_add(to, "</strong>");
		if (*p->author) {
			eo_str_add(to, ", by ");
			eo_add_html(to, p->author);
		}
	}
	eo_str_add(to, ", on Linux ");
	eo_add_html(to, v->version);
	eo_str_add(to, ", ");
	eo_html_time(to, v->started);
	eo_str_add(to, ", in ");
	eo_html_duration(to, v->duration_ms);
	eo_str_add(to, v->sandbox ? ", in a sandbox.</p>\n" :
				    ", <strong>without a sandbox</strong>."
				    "</p>\n");
}

static void add_one(struct eo_str *to, const struct eo_verification *v,
		    bool ours)
{
	static const char *const heads[] = { "Check", "Verdict",
					     "What was seen", "Took" };
	const struct eo_verified_check *c;

	add_head(to, v, ours);
	eo_html_table(to, "class=\"cards checks\"", heads, 4);
	eo_vec_for_each(c, &v->checks)
		add_check(to, c);
	eo_str_add(to, "</tbody></table>\n");
	add_warnings(to, v, true, "Warnings that are new with the patch");
	add_warnings(to, v, false, "Warnings that are gone with it");
	add_fates(to, v);
}

struct eo_error *eo_html_verified(const struct eo_html *h,
				  const struct eo_html_one *one,
				  struct eo_str *to)
{
	EO_CLEANUP(eo_verified_release) struct eo_verified all = { 0 };
	const struct eo_patch *p = eo_html_patch(h, one->f->id);
	const struct eo_verification *v;
	char id[17] = "";

	if (p && p->diff)
		eo_diff_id(p->diff, id);
	eo_try(eo_db_get_verified_all(h->db, h->run.root, id, one->f->id,
				      &all));
	if (!p && !all.n)
		return NULL;
	eo_html_section(one, to, "verified", "Verification");
	if (p &&
	    !(all.n && eo_streq(all.items[0].patches.items[0].diff_id, id)))
		eo_str_add(to, "<p>This patch is not verified yet: "
			       "<code>earlyout verify patches</code> applies, "
			       "builds and checks it, and scans again.</p>\n");
	eo_vec_for_each(v, &all)
		add_one(to, v, eo_streq(v->patches.items[0].diff_id, id));
	eo_str_add(to, "</section>\n");
	return NULL;
}

/* "✓ 12 pass, ! 1 warn: words": a cell of the overview. */
struct eo_error *eo_html_verdict(const struct eo_html *h, struct eo_str *to,
				 const struct eo_patch *p)
{
	EO_CLEANUP(eo_verified_release) struct eo_verified all = { 0 };
	const struct eo_verified_check *c;
	char id[17] = "";

	if (p->diff)
		eo_diff_id(p->diff, id);
	eo_try(eo_db_get_verified_all(h->db, h->run.root, id, NULL, &all));
	if (!all.n) {
		eo_str_add(to, "<span class=\"muted\">not verified</span>");
		return NULL;
	}
	eo_str_add(to, "<ul class=\"plain verdicts\">\n");
	eo_vec_for_each(c, &all.items[0].checks) {
		if (eo_streq(c->verdict, "skipped"))
			continue;
		eo_str_add(to, "<li>");
		eo_add_html(to, c->name);
		eo_str_add(to, " ");
		add_verdict(to, c->verdict);
		if (!eo_streq(c->verdict, "pass")) {
			eo_str_add(to, ": ");
			eo_add_html(to, c->reason);
		}
		eo_str_add(to, "</li>\n");
	}
	eo_str_add(to, "</ul>");
	return NULL;
}
