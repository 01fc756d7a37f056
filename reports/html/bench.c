// SPDX-License-Identifier: GPL-2.0-only
/* A finding's page: what measuring says, as a table and as drawings. */
#include "reports/html/html.h"

#include <nettle/base64.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "db/bench.h"
#include "reports/bench.h"
#include "reports/escape.h"
#include "reports/plot.h"

static void add_percent(struct eo_str *to, double share)
{
	eo_str_addf(to, "%+.1f%%", 100 * share);
}

static void add_value(struct eo_str *to, const char *label, double v,
		      const char *unit)
{
	char text[80];

	eo_bench_value(v, unit, text, sizeof(text));
	eo_str_addf(to, "<td data-label=\"%s\">", label);
	eo_add_html(to, text);
	eo_str_add(to, "</td>\n");
}

static void add_numbers(const struct eo_bench_metric *m, struct eo_str *to)
{
	add_value(to, "Before", m->before, m->unit);
	add_value(to, "After", m->after, m->unit);
	eo_str_add(to, "<td data-label=\"Change\">");
	add_percent(to, m->change);
	eo_str_add(to, "<span class=\"place\">");
	add_percent(to, m->low);
	eo_str_add(to, " to ");
	add_percent(to, m->high);
	eo_str_addf(
		to,
		"</span></td>\n<td data-label=\"Pairs\">"
		"%u<span class=\"place\">p %.2g, noise %.1f%%</span></td>\n",
		m->pairs, m->p, 100 * m->noise);
}

static void add_metric(const struct eo_bench_metric *m, struct eo_str *to)
{
	bool good = eo_streq(m->verdict, "improved");
	bool bad = eo_streq(m->verdict, "regressed");

	eo_str_add(to, "<tr><th scope=\"row\">");
	eo_add_html(to, m->words);
	eo_str_add(to, "<span class=\"place\">");
	eo_add_html(to, m->quantity);
	eo_str_add(to, "</span></th>\n");
	if (m->pairs)
		add_numbers(m, to);
	else
		eo_str_add(to, "<td colspan=\"4\">no pair was measured</td>\n");
	eo_str_addf(to, "<td data-label=\"Verdict\"><span class=\"state%s\">",
		    good ? " proved" :
		    bad	 ? " failed" :
			   "");
	eo_add_html(to, m->verdict ? m->verdict : "none");
	eo_str_add(to, "</span></td></tr>\n");
}

/* As a picture: its own styles are none that the page's policy allows. */
static void add_picture(struct eo_str *to, const struct eo_str *svg,
			const char *what, const struct eo_bench_metric *m)
{
	size_t n = BASE64_ENCODE_RAW_LENGTH(svg->len);
	EO_CLEANUP(eo_freep) char *text = eo_alloc(n + 1);

	base64_encode_raw(text, svg->len, (const uint8_t *)svg->s);
	text[n] = 0;
	eo_str_addf(to, "<img class=\"plot\" alt=\"%s: ", what);
	eo_add_html(to, m->words);
	eo_str_add(to, ", ");
	eo_add_html(to, m->quantity);
	eo_str_add(to, "; the table has the numbers\""
		       " src=\"data:image/svg+xml;base64,");
	eo_str_add(to, text);
	eo_str_add(to, "\">\n");
}

/* Without gnuplot the table has to do; *why is then said once. */
static void add_plots(const struct eo_bench *b,
		      const struct eo_bench_samples *samples,
		      const struct eo_bench_metric *m, struct eo_str *to,
		      struct eo_error **why)
{
	EO_CLEANUP(eo_str_release) struct eo_str dots = { 0 }, curve = { 0 };
	struct eo_error *err = NULL;

	if (m->pairs)
		err = eo_plot_samples(b, samples, m->metric, &dots);
	if (!err && eo_plot_has_curve(b, m->metric))
		err = eo_plot_curve(b, m->metric, &curve);
	if (dots.len)
		add_picture(to, &dots, "Samples before and after", m);
	if (curve.len)
		add_picture(to, &curve, "Cost against the number of CPUs", m);
	if (*why)
		eo_error_free(err);
	else
		*why = err;
}

static void add_note(struct eo_str *to, const char *what, const char *text)
{
	if (!text)
		return;
	eo_str_addf(to, "<p class=\"note\"><strong>%s</strong> ", what);
	eo_add_html(to, text);
	eo_str_add(to, "</p>\n");
}

static void add_head(const struct eo_html_one *one, const struct eo_bench *b,
		     struct eo_str *to)
{
	EO_CLEANUP(eo_str_release) struct eo_str console = { 0 };
	int level = *one->ids ? 4 : 3;

	eo_str_addf(to, "<h%d>", level);
	eo_add_html(to, b->workload);
	eo_str_addf(to, "</h%d>\n<p>", level);
	eo_add_html(to, b->stands_for);
	eo_str_add(to, "</p>\n<p class=\"muted\">");
	eo_add_html(to, b->machine);
	eo_str_add(to, ", Linux ");
	eo_add_html(to, b->kernel);
	eo_str_add(to, ", ");
	eo_add_html(to, b->config);
	eo_str_add(to, "; ");
	eo_html_time(to, b->started);
	eo_str_add(to, "</p>\n");
	add_note(to, "It failed:", b->failure);
	eo_bench_console(b, true, &console);
	if (console.len) {
		eo_str_add(to, "<pre tabindex=\"0\">");
		eo_add_html(to, console.s);
		eo_str_add(to, "</pre>\n");
	}
	add_note(to,
		 "No evidence: debugging options distort it:", b->distorting);
}

static void add_environment(const struct eo_bench *b, struct eo_str *to)
{
	const struct eo_bench_env *e;

	eo_str_add(to, "<details><summary>Where and how it was measured"
		       "</summary>\n<dl class=\"facts\">\n");
	eo_html_code_fact(to, "Command", b->command);
	eo_html_code_fact(to, "Parameters", b->params);
	eo_html_fact(to, "What differs", b->what);
	eo_html_fact(to, "Ended by", b->stopped);
	eo_vec_for_each(e, &b->env)
		eo_html_fact(to, e->name, e->value);
	eo_str_add(to, "</dl></details>\n");
}

static void add_metrics(const struct eo_bench *b, struct eo_str *to)
{
	static const char *const heads[] = { "What",   "Before", "After",
					     "Change", "Pairs",	 "Verdict" };
	const struct eo_bench_metric *m;

	if (!b->metrics.n)
		return;
	eo_html_table(to, "class=\"cards measured\"", heads, 6);
	eo_vec_for_each(m, &b->metrics)
		add_metric(m, to);
	eo_str_add(to, "</tbody></table>\n");
}

static void add_profile(const struct eo_bench *b, struct eo_str *to)
{
	static const char *const heads[] = { "Function", "Before", "After" };
	const struct eo_bench_function *f;

	if (!b->profile.n)
		return;
	eo_str_addf(
		to,
		"<details><summary>Which functions the %s are in</summary>\n",
		b->profile_unit);
	eo_html_table(to, "class=\"cards measured\"", heads, 3);
	eo_vec_for_each(f, &b->profile) {
		eo_str_add(to, "<tr><th scope=\"row\"><code>");
		eo_add_html(to, f->symbol);
		eo_str_add(to, "</code></th>\n");
		add_value(to, "Before", f->before, b->profile_unit);
		add_value(to, "After", f->after, b->profile_unit);
		eo_str_add(to, "</tr>\n");
	}
	eo_str_add(to, "</tbody></table></details>\n");
}

static struct eo_error *add_bench(const struct eo_html *h,
				  const struct eo_html_one *one, int64_t id,
				  struct eo_str *to)
{
	EO_CLEANUP(eo_bench_samples_release)
	struct eo_bench_samples samples = { 0 };
	EO_CLEANUP(eo_bench_release) struct eo_bench b = { 0 };
	const struct eo_bench_metric *m;
	struct eo_error *why = NULL;

	eo_try(eo_db_get_bench(h->db, id, &b));
	eo_try(eo_db_get_bench_samples(h->db, id, &samples));
	add_head(one, &b, to);
	add_metrics(&b, to);
	eo_str_add(to, "<div class=\"plots\">\n");
	eo_vec_for_each(m, &b.metrics)
		add_plots(&b, &samples, m, to, &why);
	eo_str_add(to, "</div>\n");
	if (why)
		add_note(to, "Not drawn:", eo_error_message(why));
	eo_error_free(why);
	add_profile(&b, to);
	add_environment(&b, to);
	return NULL;
}

struct eo_error *eo_html_benches(const struct eo_html *h,
				 const struct eo_html_one *one,
				 struct eo_str *to)
{
	EO_CLEANUP(eo_freep) int64_t *ids = NULL;
	struct eo_error *err = NULL;
	size_t n = 0;

	eo_try(eo_db_get_benches_of(h->db, one->f->id, &ids, &n));
	if (!n)
		return NULL;
	eo_html_section(one, to, "measured", "Measured");
	for (size_t i = 0; !err && i < n; i++)
		err = add_bench(h, one, ids[i], to);
	eo_str_add(to, "</section>\n");
	return err;
}
