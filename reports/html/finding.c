// SPDX-License-Identifier: GPL-2.0-only
/* finding-<id>.html: one finding, so that a reviewer can judge it here. */
#include "reports/html/html.h"

#include "base/err.h"
#include "reports/escape.h"
#include "reports/jsonw.h"

static const char *const confidence_words[] = {
	[EO_LOW] = "worth a look",
	[EO_MEDIUM] = "one obligation rests on the model's word",
	[EO_HIGH] = "every obligation is proved",
};

static const char *const fix_words[] = {
	[EO_FIX_NONE] = "none is known",
	[EO_FIX_MANUAL] = "by hand: the proof is not complete",
	[EO_FIX_AUTO] = "earlyout writes it, every obligation holds",
};

static void add_headline(const struct eo_html *h, struct eo_str *to,
			 const struct eo_html_one *one)
{
	const struct eo_finding *f = one->f;
	int level = *one->ids ? 2 : 1;

	eo_str_add(to, "<div class=\"lede\">\n<p class=\"eyebrow\">");
	eo_add_html(to, f->rule);
	eo_str_add(to, " in <code>");
	eo_add_html(to, f->file);
	eo_str_addf(to, "<wbr>:%u:%u</code></p>\n<h%d>", f->line, f->column,
		    level);
	eo_add_html(to, f->message);
	eo_str_addf(to,
		    "</h%d>\n<p><span class=\"tag %s\">%s confidence</span> "
		    "<span class=\"tag\">fix: %s</span> "
		    "<span class=\"tag\">seen by ",
		    level, eo_confidence_name(f->confidence),
		    eo_confidence_name(f->confidence), eo_fix_name(f->fix));
	eo_html_engines(to, f->engines);
	eo_str_add(to, "</span>");
	eo_html_row_tags(h, one->row, to);
	eo_str_add(to, "</p>\n</div>\n");
}

static void add_worded(struct eo_str *to, const char *term, const char *name,
		       const char *words)
{
	eo_html_term(to, term);
	eo_str_addf(to, "%s: %s</dd></div>\n", name, words);
}

static void add_facts(const struct eo_html_one *one, struct eo_str *to)
{
	const struct eo_finding *f = one->f;

	eo_html_section(one, to, "facts", "Facts");
	eo_str_add(to, "<dl class=\"facts\">\n");
	eo_html_code_fact(to, "Function", f->function);
	eo_html_code_fact(to, "Call", f->call_text ? f->call_text : f->call);
	eo_html_code_fact(to, "Ends in", f->ends_in);
	eo_html_code_fact(to, "Read by", f->walk);
	eo_html_code_fact(to, "Test that can come first", f->guard);
	if (f->result) {
		eo_html_term(to, "Early return");
		eo_str_addf(to, "<code>return%s", *f->result ? " " : "");
		eo_add_html(to, f->result);
		eo_str_add(to, ";</code></dd></div>\n");
	}
	add_worded(to, "Confidence", eo_confidence_name(f->confidence),
		   confidence_words[f->confidence]);
	add_worded(to, "Fix", eo_fix_name(f->fix), fix_words[f->fix]);
	eo_html_code_fact(to, "Id", f->id);
	eo_str_add(to, "</dl>\n</section>\n");
}

static void add_commands(const struct eo_html *h, const struct eo_html_one *one,
			 struct eo_str *to)
{
	const struct eo_finding *f = one->f;
	EO_CLEANUP(eo_freep)
	char *place = eo_asprintf("%s:%u", f->file, f->line);

	eo_html_section(one, to, "again", "Check it yourself");
	eo_str_add(to,
		   "<pre class=\"commands\" tabindex=\"0\"><code>"
		   "<span class=\"muted\"># why this is a finding</span>\n");
	eo_html_command(h, to, "explain", place);
	eo_str_add(to, "<span class=\"muted\"># write the mails</span>\n");
	eo_html_command(h, to, "patch -o patches", NULL);
	eo_str_add(to, "<span class=\"muted\"># apply, build, check and scan "
		       "again</span>\n");
	eo_html_command(h, to, "verify", "patches");
	eo_str_add(to, "<span class=\"muted\"># what there is to measure it "
		       "with</span>\n");
	eo_html_command(h, to, "bench", "workloads");
	eo_str_add(to, "<span class=\"muted\"># write these pages</span>\n");
	eo_html_command(h, to, "report -o report", NULL);
	eo_str_add(to, "</code></pre>\n</section>\n");
}

/* The one before and the one after, as the list ranks them. */
static void put_neighbours(const struct eo_html *h, const struct eo_row *r,
			   struct eo_jsonw *w)
{
	size_t i = (size_t)(r - h->rows.items), next = i + 1;

	if (i > 0)
		eo_jsonw_text(w, "previous", h->rows.items[i - 1].id);
	if (next < h->rows.n)
		eo_jsonw_text(w, "next", h->rows.items[next].id);
	while (next < h->rows.n && h->rows.items[next].review)
		next++;
	if (next < h->rows.n)
		eo_jsonw_text(w, "open", h->rows.items[next].id);
}

static void put_data(const struct eo_html *h, const struct eo_html_one *one,
		     struct eo_str *to)
{
	struct eo_jsonw w = { .to = to };

	eo_jsonw_begin_object(&w, NULL);
	eo_html_put_common(h, &w);
	put_neighbours(h, one->row, &w);
	eo_jsonw_begin_array(&w, "rows");
	eo_jsonw_begin_object(&w, NULL);
	eo_html_put_row(&w, one->row);
	eo_jsonw_end(&w);
	eo_jsonw_end(&w);
	eo_jsonw_end(&w);
}

static void add_neighbours(const struct eo_html *h, const struct eo_row *r,
			   struct eo_str *to)
{
	size_t i = (size_t)(r - h->rows.items);

	eo_str_add(to, "<nav class=\"pager\" aria-label=\"Findings\">"
		       "<a href=\"list.html\">All findings</a> ");
	if (i > 0)
		eo_str_addf(to,
			    "<a rel=\"prev\" href=\"finding-%s.html\">"
			    "Previous</a> ",
			    h->rows.items[i - 1].id);
	if (i + 1 < h->rows.n)
		eo_str_addf(to,
			    "<a rel=\"next\" href=\"finding-%s.html\">"
			    "Next</a>",
			    h->rows.items[i + 1].id);
	eo_str_add(to, "</nav>\n");
}

struct eo_error *eo_html_article(const struct eo_html *h,
				 const struct eo_html_one *one,
				 struct eo_str *to)
{
	add_headline(h, to, one);
	eo_html_walkthrough(one, to);
	eo_html_proof(one, to);
	eo_html_mend(h, one, to);
	eo_try(eo_html_verified(h, one, to));
	eo_try(eo_html_benches(h, one, to));
	eo_html_review(h, one, to);
	eo_html_engine_words(h, one, to);
	eo_html_hot(h, one, to);
	eo_html_standing(h, one, to);
	add_facts(one, to);
	add_commands(h, one, to);
	return NULL;
}

struct eo_error *eo_html_finding(const struct eo_html *h,
				 const struct eo_html_one *one,
				 struct eo_str *to)
{
	EO_CLEANUP(eo_str_release) struct eo_str title = { 0 }, data = { 0 };
	struct eo_html_frame frame = { .script = &h->finding_js };
	const struct eo_finding *f = one->f;

	eo_str_addf(&title, "%s in %s()", f->rule, f->function);
	put_data(h, one, &data);
	frame.title = title.s;
	frame.data = data.s;
	eo_html_begin(h, to, &frame);
	eo_try(eo_html_article(h, one, to));
	add_neighbours(h, one->row, to);
	eo_html_keys(to, false);
	eo_html_end(h, to, &frame);
	return NULL;
}
