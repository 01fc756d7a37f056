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

	eo_str_add(to, "<div class=\"lede\">\n<p class=\"eyebrow\">");
	eo_add_html(to, f->rule);
	eo_str_add(to, " in <code>");
	eo_add_html(to, f->file);
	eo_str_addf(to, "<wbr>:%u:%u</code></p>\n<h1>", f->line, f->column);
	eo_add_html(to, f->message);
	eo_str_addf(to,
		    "</h1>\n<p><span class=\"tag %s\">%s confidence</span> "
		    "<span class=\"tag\">fix: %s</span> "
		    "<span class=\"tag\">seen by ",
		    eo_confidence_name(f->confidence),
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

static void add_facts(struct eo_str *to, const struct eo_finding *f)
{
	eo_str_add(to, "<section aria-labelledby=\"facts\">\n"
		       "<h2 id=\"facts\">Facts</h2>\n<dl class=\"facts\">\n");
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

static bool shows(const struct eo_finding *f, unsigned line)
{
	return f->source && line >= f->function_line && line <= f->function_end;
}

static void add_step(struct eo_str *to, const struct eo_finding *f, size_t i)
{
	const struct eo_step *s = &f->steps.items[i];

	eo_str_addf(to, "<li id=\"step-%zu\"><span class=\"kind\">", i + 1);
	eo_add_html(to, s->kind);
	eo_str_add(to, "</span> ");
	if (shows(f, s->line))
		eo_str_addf(to, "<a href=\"#L%u\">line %u</a>", s->line,
			    s->line);
	else if (s->line)
		eo_str_addf(to, "line %u", s->line);
	eo_str_add(to, "<p>");
	eo_add_html(to, s->text);
	eo_str_add(to, "</p></li>\n");
}

static void add_walkthrough(struct eo_str *to, const struct eo_finding *f)
{
	eo_str_add(to, "<section class=\"walkthrough\""
		       " aria-labelledby=\"source\">\n"
		       "<h2 id=\"source\">In the source</h2>\n"
		       "<div class=\"beside\">\n");
	if (f->source)
		eo_html_source(to, f);
	else
		eo_str_add(to, "<p>The function's text was not recorded: only "
			       "clang reads it.</p>\n");
	if (f->steps.n) {
		eo_str_add(to, "<div>\n<h3>From the call to where its work is "
			       "not used</h3>\n<ol class=\"steps\">\n");
		for (size_t i = 0; i < f->steps.n; i++)
			add_step(to, f, i);
		eo_str_add(to, "</ol>\n</div>\n");
	}
	eo_str_add(to, "</div>\n</section>\n");
}

static void add_obligation(struct eo_str *to, const struct eo_obligation *o)
{
	static const char *const signs[] = {
		[EO_PROOF_PROVED] = "✓",
		[EO_PROOF_ASSUMED] = "○",
		[EO_PROOF_UNKNOWN] = "?",
		[EO_PROOF_FAILED] = "✗",
	};

	eo_str_add(to, "<tr><th scope=\"row\">");
	eo_add_html(to, o->name);
	eo_str_addf(to,
		    "</th>\n<td data-label=\"State\">"
		    "<span class=\"state %s\"><span aria-hidden=\"true\">%s"
		    "</span> %s</span></td>\n"
		    "<td data-label=\"What decided\">",
		    eo_proof_name(o->state), signs[o->state],
		    eo_proof_name(o->state));
	eo_add_html(to, o->detail);
	eo_str_add(to, "</td></tr>\n");
}

static void add_obligations(struct eo_str *to, const struct eo_finding *f)
{
	const struct eo_obligation *o;

	eo_str_add(to, "<section aria-labelledby=\"proof\">\n"
		       "<h2 id=\"proof\">Proof</h2>\n");
	if (!f->obligations.n) {
		eo_str_add(to, "<p>Nothing was proved of this one.</p>\n"
			       "</section>\n");
		return;
	}
	eo_str_add(to, "<table class=\"cards\"><thead><tr>"
		       "<th scope=\"col\">Obligation</th>"
		       "<th scope=\"col\">State</th>"
		       "<th scope=\"col\">What decided</th>"
		       "</tr></thead>\n<tbody>\n");
	eo_vec_for_each(o, &f->obligations)
		add_obligation(to, o);
	eo_str_add(to, "</tbody></table>\n</section>\n");
}

static void add_engine(const struct eo_html *h, struct eo_str *to,
		       const struct eo_finding *f, enum eo_engine engine,
		       const char *how)
{
	const struct eo_gap *g =
		eo_gaps_find(&h->gaps, engine, f->file, f->function);

	eo_str_addf(to,
		    "<tr><th scope=\"row\">%s</th>\n"
		    "<td data-label=\"Says\">",
		    eo_engine_name(engine));
	if (f->engines & engine) {
		eo_str_add(to, "found it");
	} else if (g) {
		eo_str_addf(to, "could not look: %s",
			    eo_gap_reason_name(g->reason));
		if (g->detail) {
			eo_str_add(to, "; ");
			eo_add_html(to, g->detail);
		}
	} else {
		eo_str_add(to, "looked, and does not find it");
	}
	eo_str_addf(to, "</td>\n<td data-label=\"Looks at\">%s</td></tr>\n",
		    how);
}

static void add_engines(const struct eo_html *h, struct eo_str *to,
			const struct eo_finding *f)
{
	eo_str_add(to, "<section aria-labelledby=\"engines\">\n"
		       "<h2 id=\"engines\">Both engines&#39; word</h2>\n"
		       "<table class=\"cards\"><thead><tr>"
		       "<th scope=\"col\">Engine</th>"
		       "<th scope=\"col\">Says</th>"
		       "<th scope=\"col\">Looks at</th>"
		       "</tr></thead>\n<tbody>\n");
	add_engine(h, to, f, EO_ENGINE_CLANG,
		   "types, macros and paths, as one configuration compiles");
	add_engine(h, to, f, EO_ENGINE_SMPL,
		   "the text under every <code>#ifdef</code>");
	eo_str_add(to, "</tbody></table>\n");
	if (f->dissent) {
		eo_str_add(to, "<p class=\"note\"><strong>Where they "
			       "differ:</strong> ");
		eo_add_html(to, f->dissent);
		eo_str_add(to, "</p>\n");
	}
	eo_str_add(to, "</section>\n");
}

static void add_hot(struct eo_str *to, const struct eo_finding *f)
{
	const char **hot;

	if (!f->hot.n)
		return;
	eo_str_add(to, "<section aria-labelledby=\"hot\">\n"
		       "<h2 id=\"hot\">Why it matters here</h2>\n<ul>\n");
	eo_vec_for_each(hot, &f->hot) {
		eo_str_add(to, "<li>");
		eo_add_html(to, *hot);
		eo_str_add(to, "</li>\n");
	}
	eo_str_add(to, "</ul>\n</section>\n");
}

static void add_patch(struct eo_str *to, const struct eo_patch *p)
{
	if (!p)
		return;
	eo_str_add(to, "<section aria-labelledby=\"patch\">\n"
		       "<h2 id=\"patch\">Patch</h2>\n<p class=\"subject\">"
		       "<span class=\"muted\">Subject:</span> ");
	eo_add_html(to, p->subject);
	eo_str_add(to, "</p>\n");
	if (p->body) {
		eo_str_add(to, "<pre class=\"body\">");
		eo_add_html(to, p->body);
		eo_str_add(to, "</pre>\n");
	}
	if (p->diff)
		eo_html_diff(to, p->diff);
	if (p->mail)
		eo_html_folded(to, "The mail as it would be sent", p->mail);
	eo_str_add(to, "</section>\n");
}

static void add_commands(const struct eo_html *h, struct eo_str *to,
			 const struct eo_finding *f)
{
	EO_CLEANUP(eo_freep)
	char *place = eo_asprintf("%s:%u", f->file, f->line);

	eo_str_add(to,
		   "<section aria-labelledby=\"again\">\n"
		   "<h2 id=\"again\">Check it yourself</h2>\n"
		   "<pre class=\"commands\" tabindex=\"0\"><code>"
		   "<span class=\"muted\"># why this is a finding</span>\n");
	eo_html_command(h, to, "explain", place);
	eo_str_add(to, "<span class=\"muted\"># write the mails</span>\n");
	eo_html_command(h, to, "patch -o patches", NULL);
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

void eo_html_finding(const struct eo_html *h, const struct eo_html_one *one,
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
	add_headline(h, to, one);
	add_walkthrough(to, f);
	add_obligations(to, f);
	add_patch(to, eo_html_patch(h, f));
	eo_html_review(h, one, to);
	add_engines(h, to, f);
	add_hot(to, f);
	eo_html_standing(h, one, to);
	add_facts(to, f);
	add_commands(h, to, f);
	add_neighbours(h, one->row, to);
	eo_html_keys(to, false);
	eo_html_end(h, to, &frame);
}
