// SPDX-License-Identifier: GPL-2.0-only
#include "reports/plot.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/proc.h"
#include "base/str.h"
#include "db/bench.h"
#include "verify/bench/stats.h"

#define GNUPLOT_MS 20000
#define FAR 2 /* how far beyond the last point a curve is drawn, as a factor */
#define STEPS 32

/* Colours that are told apart by those who see no red, too (Okabe and Ito). */
#define BEFORE "#d55e00"
#define AFTER "#0072b2"

static const char head[] = "set terminal svg size 720,380 dynamic noenhanced "
			   "font 'sans-serif,13' background '#ffffff'\n"
			   "set border 3 lc '#555555'\n"
			   "set tics nomirror textcolor '#333333'\n"
			   "set grid ytics lc '#dddddd'\n"
			   "set key below left horizontal textcolor '#333333'\n"
			   "set style fill transparent solid 0.15 noborder\n";

/*
 * A text of gnuplot's: in single quotes nothing is substituted, and a quote
 * in it is written twice. Its SVG keeps "<" and "&" apart from the markup.
 */
static void add_text(struct eo_str *to, const char *text)
{
	eo_str_addc(to, '\'');
	for (; *text; text++) {
		if (*text == '\'')
			eo_str_addc(to, '\'');
		eo_str_addc(to, (unsigned char)*text < ' ' || *text == '`' ?
					' ' :
					*text);
	}
	eo_str_addc(to, '\'');
}

static struct eo_error *draw(const struct eo_str *script, struct eo_str *to)
{
	EO_CLEANUP(eo_proc_result_release) struct eo_proc_result r = { 0 };
	/* Without the user's ~/.gnuplot. */
	const char *const argv[] = { "gnuplot", "--default-settings", "-",
				     NULL };
	const char *const env[] = { "LC_ALL=C.UTF-8", NULL };
	const struct eo_proc p = { .argv = argv,
				   .env = env,
				   .input = script->s,
				   .input_len = script->len,
				   .timeout_ms = GNUPLOT_MS };
	const char *start, *end;

	eo_try(eo_proc_check(&p, &r));
	start = strstr(eo_str_get(&r.out), "<svg");
	end = start ? strstr(start, "</svg>") : NULL;
	if (!end)
		return eo_error_new(EO_ERR_ENV, "gnuplot drew nothing: %s",
				    eo_str_get(&r.err));
	eo_str_addn(to, start, (size_t)(end - start) + strlen("</svg>"));
	eo_str_addc(to, '\n');
	return NULL;
}

static const struct eo_bench_metric *metric_of(const struct eo_bench *b,
					       const char *metric)
{
	const struct eo_bench_metric *m;

	eo_vec_for_each(m, &b->metrics)
		if (!strcmp(m->metric, metric))
			return m;
	return NULL;
}

static struct eo_error *nothing(const char *metric, const char *what)
{
	return eo_error_new(EO_ERR_INPUT, "%s: the bench has no %s of it",
			    metric, what);
}

/* Microseconds from 1,000 ns on. */
static double scale_of(const struct eo_bench_metric *m, const char **unit)
{
	bool us = !strcmp(m->unit, "ns") && m->before >= 1000;

	*unit = us ? "us" : m->unit;
	return us ? 1000 : 1;
}

static void add_axes(const struct eo_bench *b, const struct eo_bench_metric *m,
		     const char *unit, const char *x, struct eo_str *s)
{
	EO_CLEANUP(eo_freep)
	char *title = b->distorting ?
			      eo_asprintf("%s (NO EVIDENCE: %s distorts)",
					  m->words, b->distorting) :
			      eo_strdup(m->words);

	eo_str_add(s, head);
	eo_str_addf(s, "set xlabel '%s' textcolor '#333333'\nset ylabel ", x);
	add_text(s, unit);
	eo_str_add(s, " textcolor '#333333'\nset title ");
	add_text(s, title);
	eo_str_add(s, " textcolor '#111111'\n");
}

/* A data block: pair and value, both arms a little apart. */
static size_t add_samples(const struct eo_bench_samples *samples,
			  const char *metric, bool second, double scale,
			  struct eo_str *s)
{
	const struct eo_bench_pair_sample *p;
	size_t n = 0;

	eo_str_addf(s, "$%s << EOD\n", second ? "after" : "before");
	eo_vec_for_each(p, samples) {
		if (p->second != second || strcmp(p->metric, metric) != 0)
			continue;
		eo_str_addf(s, "%g %.10g\n", p->pair + (second ? 1.15 : 0.85),
			    p->value / scale);
		n++;
	}
	eo_str_add(s, "EOD\n");
	return n;
}

struct eo_error *eo_plot_samples(const struct eo_bench *b,
				 const struct eo_bench_samples *samples,
				 const char *metric, struct eo_str *to)
{
	const struct eo_bench_metric *m = metric_of(b, metric);
	EO_CLEANUP(eo_str_release) struct eo_str s = { 0 };
	const char *unit;
	double scale;

	if (!m || !m->pairs)
		return nothing(metric, "pair");
	scale = scale_of(m, &unit);
	add_axes(b, m, unit, "pair", &s);
	if (!add_samples(samples, metric, false, scale, &s) ||
	    !add_samples(samples, metric, true, scale, &s))
		return nothing(metric, "sample");
	eo_str_addf(&s, "set xrange [0.5:%u.5]\nset xtics 1, %u\n", m->pairs,
		    m->pairs / 10 + 1);
	eo_str_addf(&s,
		    "plot [] '+' using 1:(%.10g):(%.10g) with filledcurves lc "
		    "'" AFTER "' title '95%% interval of the change', "
		    "%.10g lw 1.5 lc '" BEFORE "' notitle, "
		    "%.10g lw 1.5 lc '" AFTER "' notitle, "
		    "$before with points pt 7 ps 0.5 lc '" BEFORE
		    "' title 'before', "
		    "$after with points pt 5 ps 0.5 lc '" AFTER
		    "' title 'after: %+.2f%% (%+.2f%% to %+.2f%%)'\n",
		    m->before * (1 + m->low) / scale,
		    m->before * (1 + m->high) / scale, m->before / scale,
		    m->after / scale, m->change * 100, m->low * 100,
		    m->high * 100);
	return draw(&s, to);
}

static size_t points_of(const struct eo_bench *b, const char *metric,
			bool after, double *x, double *y)
{
	const struct eo_bench_point *p;
	size_t n = 0;

	eo_vec_for_each(p, &b->curve) {
		if (strcmp(p->metric, metric) != 0)
			continue;
		x[n] = p->possible;
		y[n++] = after ? p->after : p->before;
	}
	return n;
}

bool eo_plot_has_curve(const struct eo_bench *b, const char *metric)
{
	const struct eo_bench_point *p;
	size_t n = 0;

	eo_vec_for_each(p, &b->curve)
		n += !strcmp(p->metric, metric);
	return n >= 3 && metric_of(b, metric);
}

/* The points of one kernel, and the line through them with its interval. */
static double add_line(const struct eo_bench *b, const char *metric, bool after,
		       double scale, struct eo_str *s)
{
	EO_CLEANUP(eo_freep) double *x = eo_alloc(b->curve.n * sizeof(*x));
	EO_CLEANUP(eo_freep) double *y = eo_alloc(b->curve.n * sizeof(*y));
	size_t n = points_of(b, metric, after, x, y);
	const char *name = after ? "after" : "before";
	struct eo_line_fit fit;
	double last = 0;

	eo_str_addf(s, "$%s << EOD\n", name);
	for (size_t i = 0; i < n; i++) {
		eo_str_addf(s, "%g %.10g\n", x[i], y[i] / scale);
		last = x[i] > last ? x[i] : last;
	}
	eo_str_addf(s, "EOD\n$%s_line << EOD\n", name);
	eo_stats_fit(x, y, n, &fit);
	for (int i = 0; i <= STEPS; i++) {
		double at = last * FAR * i / STEPS;
		struct eo_interval in;
		double v = eo_stats_predict(&fit, at, 0.95, &in);

		eo_str_addf(s, "%g %.10g %.10g %.10g\n", at, v / scale,
			    in.low / scale, in.high / scale);
	}
	eo_str_add(s, "EOD\n");
	return last;
}

static void add_curves(const char *name, const char *colour, double last,
		       struct eo_str *s)
{
	eo_str_addf(s,
		    "$%s_line using 1:($1 >= %g ? $3 : NaN):4 with "
		    "filledcurves lc '%s' notitle, "
		    "$%s_line using 1:($1 <= %g ? $2 : NaN) with lines lw 1.5 "
		    "lc '%s' notitle, "
		    "$%s_line using 1:($1 >= %g ? $2 : NaN) with lines lw 1.5 "
		    "dt 2 lc '%s' notitle, "
		    "$%s with points pt 7 lc '%s' title '%s'",
		    name, last, colour, name, last, colour, name, last, colour,
		    name, colour, name);
}

struct eo_error *eo_plot_curve(const struct eo_bench *b, const char *metric,
			       struct eo_str *to)
{
	const struct eo_bench_metric *m = metric_of(b, metric);
	EO_CLEANUP(eo_str_release) struct eo_str s = { 0 };
	const char *unit;
	double scale, last;

	if (!eo_plot_has_curve(b, metric))
		return nothing(metric, "curve");
	scale = scale_of(m, &unit);
	add_axes(b, m, unit, "possible CPUs", &s);
	add_line(b, metric, false, scale, &s);
	last = add_line(b, metric, true, scale, &s);
	eo_str_addf(&s,
		    "set arrow from %g, graph 0 to %g, graph 1 nohead dt 3 lc "
		    "'#888888'\n"
		    "set label 'extrapolated, not measured' at %g, graph 0.04 "
		    "offset 1 textcolor '#555555'\nplot ",
		    last, last, last);
	add_curves("before", BEFORE, last, &s);
	eo_str_add(&s, ", ");
	add_curves("after", AFTER, last, &s);
	eo_str_addc(&s, '\n');
	return draw(&s, to);
}
