// SPDX-License-Identifier: GPL-2.0-only
#include "reports/bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "db/bench.h"
#include "reports/escape.h"
#include "verify/bench/stats.h"

#define NAME_WIDTH 44 /* of a metric, at least */
#define TOP 15 /* functions of a profile that are shown in any case */
#define NOTABLE 0.003 /* and those that differ by so much of the whole */
#define LAST_LINES 12 /* of a console, that are shown */
#define ALPHA 0.05 /* of a study, before Bonferroni */

/* "7.02 us", "3.51 ms", "12.7k instructions", "826K 1/s". */
void eo_bench_value(double v, const char *unit, char *to, size_t n)
{
	bool ns = !strcmp(unit, "ns");

	if (ns && v >= 1e9)
		snprintf(to, n, "%.3g s", v / 1e9);
	else if (ns && v >= 1e6)
		snprintf(to, n, "%.3g ms", v / 1e6);
	else if (ns && v >= 1000)
		snprintf(to, n, "%.3g us", v / 1000);
	else if (ns || v < 1000)
		snprintf(to, n, "%.3g %s", v, unit);
	else if (v >= 1e6)
		snprintf(to, n, "%.2fM %s", v / 1e6, unit);
	else
		snprintf(to, n, "%.2fk %s", v / 1e3, unit);
}

static void format_change(double change, char *to, size_t n)
{
	snprintf(to, n, "%+.2f%%", change * 100);
}

/* More than one quantity of a thing needs its name: ", system CPU time". */
static void metric_name(const struct eo_bench_metric *m, struct eo_str *to)
{
	eo_add_line(to, m->words);
	if (strcmp(m->quantity, "time") != 0 &&
	    strcmp(m->quantity, "guest instructions") != 0)
		eo_str_addf(to, ", %s", m->quantity);
}

/* As wide as the longest name, so that columns stand below each other. */
static int name_width(const struct eo_bench *b)
{
	const struct eo_bench_metric *m;
	size_t width = NAME_WIDTH;

	eo_vec_for_each(m, &b->metrics) {
		EO_CLEANUP(eo_str_release) struct eo_str name = { 0 };

		metric_name(m, &name);
		if (name.len > width)
			width = name.len;
	}
	return (int)width;
}

static const char *last_lines(const char *console)
{
	size_t n = strlen(console);
	unsigned lines = 0;

	while (n && strchr("\r\n", console[n - 1]))
		n--;
	for (; n; n--)
		if (console[n - 1] == '\n' && ++lines == LAST_LINES)
			break;
	return console + n;
}

void eo_bench_console(const struct eo_bench *b, bool last, struct eo_str *to)
{
	const char *line = b->console ? b->console : "";

	if (last)
		line = last_lines(line);
	while (*line) {
		EO_CLEANUP(eo_freep)
		char *one = eo_strndup(line, strcspn(line, "\r\n"));

		eo_str_add(to, *one && last ? "  | " : "");
		eo_add_line(to, one);
		eo_str_add(to, *one ? "\n" : "");
		line += strcspn(line, "\r\n");
		line += strspn(line, "\r\n");
	}
}

static void add_warnings(const struct eo_bench *b, struct eo_str *to)
{
	if (b->distorting) {
		eo_str_add(to,
			   "NO EVIDENCE: these debugging options distort: ");
		eo_add_line(to, b->distorting);
		eo_str_addc(to, '\n');
	}
	if (b->failure) {
		eo_str_add(to, "FAILED: ");
		eo_add_line(to, b->failure);
		eo_str_addc(to, '\n');
		eo_bench_console(b, true, to);
		eo_str_addf(to,
			    "(`earlyout bench console %lld` has all of "
			    "what it printed)\n",
			    (long long)b->id);
	}
}

static void add_head(const struct eo_bench *b, struct eo_str *to)
{
	char when[40] = "";
	time_t t = (time_t)b->started;
	struct tm tm = { 0 };

	gmtime_r(&t, &tm);
	strftime(when, sizeof(when), "%Y-%m-%d %H:%M UTC", &tm);
	eo_str_addf(to, "bench %lld: ", (long long)b->id);
	eo_add_line(to, b->workload);
	eo_str_add(to, " (");
	eo_add_line(to, b->params);
	eo_str_add(to, "), ");
	eo_add_line(to, b->what);
	eo_str_addf(to, "\n%s, ", when);
	eo_add_line(to, b->machine);
	eo_str_add(to, "; Linux ");
	eo_add_line(to, b->kernel);
	eo_str_add(to, ", ");
	eo_add_line(to, b->config);
	eo_str_addf(to, "\nmeasured for %.0f s, until: ",
		    (double)b->duration_ms / 1000);
	eo_add_line(to, b->stopped);
	eo_str_add(to, "\n");
	add_warnings(b, to);
}

/* No verdict is one with fewer pairs than the test needs to find a change. */
static bool is_short(const struct eo_bench *b, const struct eo_bench_metric *m)
{
	return m->pairs < eo_stats_min_pairs(ALPHA, b->metrics.n);
}

static void add_verdict(const struct eo_bench *b,
			const struct eo_bench_metric *m, struct eo_str *to)
{
	eo_str_add(to, m->verdict);
	if (is_short(b, m))
		eo_str_addf(to,
			    "; %u of %zu pairs are too few to tell, give it a "
			    "longer --budget",
			    m->pairs, eo_stats_min_pairs(ALPHA, b->metrics.n));
}

static void add_numbers(const struct eo_bench_metric *m, struct eo_str *to)
{
	char before[40], after[40], change[20], low[20], high[20];

	eo_bench_value(m->before, m->unit, before, sizeof(before));
	eo_bench_value(m->after, m->unit, after, sizeof(after));
	format_change(m->change, change, sizeof(change));
	format_change(m->low, low, sizeof(low));
	format_change(m->high, high, sizeof(high));
	eo_str_addf(to,
		    "\n    %s before, %s after: %s (%s to %s), n %u, p %.2g",
		    before, after, change, low, high, m->pairs, m->p);
	eo_str_addf(to, ", noise %.2f%%", m->noise * 100);
	if (m->layout > 0)
		eo_str_addf(to, ", other addresses %.2f%%", m->layout * 100);
	eo_str_addc(to, '\n');
}

/* The saving against the number of CPUs: a line through it, and where to. */
static void add_fit(const struct eo_bench *b, const struct eo_bench_metric *m,
		    struct eo_str *to)
{
	static const unsigned far[] = { 128, 256, 512 };
	EO_CLEANUP(eo_freep) double *x = eo_alloc(b->curve.n * sizeof(*x));
	EO_CLEANUP(eo_freep) double *y = eo_alloc(b->curve.n * sizeof(*y));
	const struct eo_bench_point *p;
	struct eo_line_fit fit;
	size_t n = 0;

	eo_vec_for_each(p, &b->curve) {
		if (strcmp(p->metric, m->metric) != 0)
			continue;
		eo_str_addf(to,
			    "    %3u possible CPUs: %.5g before, %.5g after\n",
			    p->possible, p->before, p->after);
		x[n] = p->possible;
		y[n++] = p->after - p->before;
	}
	if (n < 3)
		return;
	eo_stats_fit(x, y, n, &fit);
	eo_str_addf(
		to,
		"    a line through the differences: %+.4g %s, and %+.4g for each possible CPU\n",
		fit.a, m->unit, fit.b);
	for (size_t i = 0; i < sizeof(far) / sizeof(far[0]); i++) {
		struct eo_interval in;
		double v = eo_stats_predict(&fit, far[i], 0.95, &in);

		eo_str_addf(
			to,
			"    extrapolated, not measured: %u CPUs %+.4g (%+.4g to %+.4g)\n",
			far[i], v, in.low, in.high);
	}
}

static void add_function(const struct eo_bench_function *f, double before,
			 double after, struct eo_str *to)
{
	eo_str_addf(to, "    %6.2f%% %6.2f%% %+12.0f  ",
		    100 * f->before / before, 100 * f->after / after,
		    f->after - f->before);
	eo_add_line(to, f->symbol);
	eo_str_addc(to, '\n');
}

/* Where the work is: the functions with the most of it. */
static void add_profile(const struct eo_bench *b, struct eo_str *to)
{
	const struct eo_bench_function *f;
	double before = 0, after = 0;

	eo_vec_for_each(f, &b->profile) {
		before += f->before;
		after += f->after;
	}
	if (before <= 0 || after <= 0)
		return;
	eo_str_addf(to,
		    "  %s: %.0f before, %.0f after\n"
		    "     before   after   difference  function\n",
		    strcmp(b->profile_unit, "samples") ?
			    "instructions of a batch, all cases together" :
			    "samples of one run, by perf",
		    before, after);
	for (size_t i = 0; i < b->profile.n; i++) {
		f = &b->profile.items[i];
		if (i < TOP || fabs(f->after - f->before) > NOTABLE * before)
			add_function(f, before, after, to);
	}
}

void eo_bench_text(const struct eo_bench *b, struct eo_str *to)
{
	const struct eo_bench_metric *m;

	add_head(b, to);
	eo_vec_for_each(m, &b->metrics) {
		eo_str_add(to, "  ");
		metric_name(m, to);
		if (!m->pairs) {
			eo_str_add(to, ": no pair was measured\n");
			continue;
		}
		eo_str_add(to, ": ");
		add_verdict(b, m, to);
		add_numbers(m, to);
		if (b->curve.n)
			add_fit(b, m, to);
	}
	add_profile(b, to);
}

void eo_bench_markdown(const struct eo_bench *b, struct eo_str *to)
{
	const struct eo_bench_metric *m;

	eo_str_addf(to, "**Bench %lld**: ", (long long)b->id);
	eo_add_markdown(to, b->workload);
	eo_str_add(to, ", ");
	eo_add_markdown(to, b->what);
	eo_str_add(to, ". ");
	eo_add_markdown(to, b->machine);
	eo_str_add(to, "; Linux ");
	eo_add_markdown(to, b->kernel);
	eo_str_add(to, ", ");
	eo_add_markdown(to, b->config);
	eo_str_add(to, ".\n\n");
	add_warnings(b, to);
	eo_str_add(to, "| | before | after | change | 95% | p | n | verdict |\n"
		       "| --- | --- | --- | --- | --- | --- | --- | --- |\n");
	eo_vec_for_each(m, &b->metrics) {
		char before[40], after[40];

		if (!m->pairs)
			continue;
		eo_bench_value(m->before, m->unit, before, sizeof(before));
		eo_bench_value(m->after, m->unit, after, sizeof(after));
		eo_str_add(to, "| ");
		eo_add_markdown(to, m->words);
		eo_str_addf(
			to,
			", %s | %s | %s | %+.2f%% | %+.2f%% to %+.2f%% | %.2g | %u | %s |\n",
			m->quantity, before, after, m->change * 100,
			m->low * 100, m->high * 100, m->p, m->pairs,
			m->verdict);
	}
}

static void add_cells(const struct eo_bench *b, struct eo_str *to)
{
	const struct eo_bench_metric *m;
	int width = name_width(b);

	eo_str_addf(to, "  %-*s %11s %11s\n", width, "", "before", "after");
	eo_vec_for_each(m, &b->metrics) {
		EO_CLEANUP(eo_str_release) struct eo_str name = { 0 };
		char before[40], after[40];

		if (!m->pairs)
			continue;
		metric_name(m, &name);
		eo_bench_value(m->before,
			       strcmp(m->unit, "instructions") ? m->unit : "",
			       before, sizeof(before));
		eo_bench_value(m->after,
			       strcmp(m->unit, "instructions") ? m->unit : "",
			       after, sizeof(after));
		eo_str_addf(to, "  %-*s %11s %11s\n", width, eo_str_get(&name),
			    before, after);
	}
}

static void add_claims(const struct eo_bench *b, struct eo_str *to)
{
	const struct eo_bench_metric *m;

	eo_vec_for_each(m, &b->metrics) {
		EO_CLEANUP(eo_str_release) struct eo_str name = { 0 };

		if (!m->pairs)
			continue;
		metric_name(m, &name);
		if (is_short(b, m))
			eo_str_addf(to, "%s: %u pairs are too few to tell.\n",
				    name.s, m->pairs);
		else if (!strcmp(m->verdict, "no consistent change"))
			eo_str_addf(to, "%s: no consistent change.\n", name.s);
		else
			eo_str_addf(
				to,
				"%s: %s, the median paired change is %+.1f%% (%+.1f%% to %+.1f%%, %u pairs).\n",
				name.s, m->verdict, m->change * 100,
				m->low * 100, m->high * 100, m->pairs);
	}
}

void eo_bench_table(const struct eo_bench *b, struct eo_str *to)
{
	add_warnings(b, to);
	eo_str_add(to, strcmp(b->runner, "icount") ?
			       "Medians on " :
			       "Guest instructions an operation, on ");
	eo_add_line(to, b->machine);
	eo_str_add(to, ", Linux ");
	eo_add_line(to, b->kernel);
	eo_str_add(to, ":\n\n");
	add_cells(b, to);
	eo_str_addc(to, '\n');
	add_claims(b, to);
}

void eo_bench_compare(const struct eo_bench *a, const struct eo_bench *b,
		      struct eo_str *to)
{
	const struct eo_bench_metric *m, *o;
	int width = name_width(a);

	eo_str_addf(to, "  %-*s %14s %14s\n", width, "", "bench", "bench");
	eo_str_addf(to, "  %-*s %14lld %14lld\n", width, "median change",
		    (long long)a->id, (long long)b->id);
	eo_vec_for_each(m, &a->metrics) {
		eo_vec_for_each(o, &b->metrics) {
			EO_CLEANUP(eo_str_release) struct eo_str s = { 0 };

			if (strcmp(m->metric, o->metric) || !m->pairs ||
			    !o->pairs)
				continue;
			metric_name(m, &s);
			eo_str_addf(to, "  %-*s %+13.2f%% %+13.2f%%  %s\n",
				    width, eo_str_get(&s), m->change * 100,
				    o->change * 100,
				    m->low > o->high || o->low > m->high ?
					    "differ: the intervals are apart" :
					    "agree: the intervals meet");
		}
	}
	add_warnings(a, to);
	add_warnings(b, to);
}
