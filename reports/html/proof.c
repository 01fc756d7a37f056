// SPDX-License-Identifier: GPL-2.0-only
/*
 * A finding's page: the function with its path, what is proved, what each
 * engine says, and why the place is hot.
 */
#include "reports/html/html.h"

#include <string.h>

#include "base/err.h"
#include "reports/escape.h"

static bool shows(const struct eo_finding *f, unsigned line)
{
	return f->source && line >= f->function_line && line <= f->function_end;
}

static void add_step(const struct eo_html_one *one, struct eo_str *to, size_t i)
{
	const struct eo_finding *f = one->f;
	const struct eo_step *s = &f->steps.items[i];

	eo_str_addf(to, "<li id=\"%sstep-%zu\"><span class=\"kind\">", one->ids,
		    i + 1);
	eo_add_html(to, s->kind);
	eo_str_add(to, "</span> ");
	if (shows(f, s->line))
		eo_str_addf(to, "<a href=\"#%sL%u\">line %u</a>", one->ids,
			    s->line, s->line);
	else if (s->line)
		eo_str_addf(to, "line %u", s->line);
	eo_str_add(to, "<p>");
	eo_add_html(to, s->text);
	eo_str_add(to, "</p></li>\n");
}

void eo_html_walkthrough(const struct eo_html_one *one, struct eo_str *to)
{
	const struct eo_finding *f = one->f;
	int level = *one->ids ? 4 : 3;

	eo_html_section(one, to, "source", "In the source");
	eo_str_add(to, "<div class=\"beside\">\n");
	if (f->source)
		eo_html_source(to, one);
	else
		eo_str_add(to, "<p>The function&#39;s text was not recorded: "
			       "only clang reads it.</p>\n");
	if (f->steps.n) {
		eo_str_addf(to,
			    "<div>\n<h%d>From the call to where its work is "
			    "not used</h%d>\n<ol class=\"steps\">\n",
			    level, level);
		for (size_t i = 0; i < f->steps.n; i++)
			add_step(one, to, i);
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

void eo_html_proof(const struct eo_html_one *one, struct eo_str *to)
{
	static const char *const heads[] = { "Obligation", "State",
					     "What decided" };
	const struct eo_obligation *o;

	eo_html_section(one, to, "proof", "Proof");
	if (!one->f->obligations.n) {
		eo_str_add(to, "<p>Nothing was proved of this one.</p>\n"
			       "</section>\n");
		return;
	}
	eo_html_table(to, "class=\"cards\"", heads, 3);
	eo_vec_for_each(o, &one->f->obligations)
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

void eo_html_engine_words(const struct eo_html *h,
			  const struct eo_html_one *one, struct eo_str *to)
{
	static const char *const heads[] = { "Engine", "Says", "Looks at" };
	const struct eo_finding *f = one->f;

	eo_html_section(one, to, "engines", "Both engines&#39; word");
	eo_html_table(to, "class=\"cards\"", heads, 3);
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

static bool is_member(const char *s)
{
	while (eo_is_ident(*s))
		s++;
	return !*s;
}

/*
 * "seq_show: a() > b()": why it is called often, and the way down to here;
 * "seq_show": it stands there itself.
 */
static void add_chain(struct eo_str *to, const char *chain)
{
	const char *colon = strstr(chain, ": ");
	const char *s = colon ? colon + 2 : chain;

	eo_str_add(to, "<li>");
	if (colon) {
		eo_add_html_n(to, chain, (size_t)(colon - chain));
		eo_str_add(to, "\n<ol class=\"chain\">");
	}
	while (colon && *s) {
		const char *next = strstr(s, " > ");
		size_t n = next ? (size_t)(next - s) : strlen(s);

		eo_str_add(to, "<li><code>");
		eo_add_html_n(to, s, n);
		eo_str_add(to, "</code></li>");
		s += n + (next ? 3 : 0);
	}
	if (colon) {
		eo_str_add(to, "</ol>");
	} else if (is_member(chain)) {
		eo_str_add(to, "called through <code>.");
		eo_add_html(to, chain);
		eo_str_add(to, "</code> of an operations struct");
	} else {
		eo_add_html(to, chain);
	}
	eo_str_add(to, "</li>\n");
}

void eo_html_hot(const struct eo_html *h, const struct eo_html_one *one,
		 struct eo_str *to)
{
	double weight = one->standing->weight;
	const char **hot;

	if (!one->f->hot.n && weight < 0)
		return;
	eo_html_section(one, to, "hot", "Why it matters here");
	if (weight >= 0) {
		eo_str_addf(to,
			    "<p class=\"share\"><strong>%.1f%%</strong> of the "
			    "time in the profile ",
			    100 * weight);
		eo_add_html(to, h->run.profile);
		eo_str_add(to,
			   " is spent in this function, or in the call.</p>\n");
	}
	eo_str_add(to, "<ul class=\"hot\">\n");
	eo_vec_for_each(hot, &one->f->hot)
		add_chain(to, *hot);
	eo_str_add(to, "</ul>\n</section>\n");
}
