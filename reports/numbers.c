// SPDX-License-Identifier: GPL-2.0-only
/* What was measured, as a commit message tells it. */
#include <math.h>
#include <string.h>

#include "base/err.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/str.h"
#include "db/evidence.h"
#include "reports/fill.h"
#include "reports/mail.h"

#define PARAGRAPH "\n\n"
/* With fewer no signed-rank test can find a change: 2 / 2^5 > 0.05. */
#define LEAST_PAIRS 6

/*
 * Maintainers do not take numbers from a kernel that checks itself: such are
 * said where there are no others, and what distorts them with them.
 */
static bool is_quoted(const struct eo_evidences *list,
		      const struct eo_evidence *e)
{
	const struct eo_evidence *other;

	if (!e->workload || e->n < LEAST_PAIRS)
		return false;
	if (!e->distorting)
		return true;
	eo_vec_for_each(other, list)
		if (other->workload && !other->distorting &&
		    other->n >= LEAST_PAIRS)
			return false;
	return true;
}

/* Three significant digits, as 7.02, 49.1, 12700. */
static char *quantity(double v, const char *unit)
{
	int digits = 2;

	for (double a = fabs(v); a >= 10 && digits; a /= 10)
		digits--;
	return eo_asprintf("%.*f%s%s", digits, v, unit && *unit ? " " : "",
			   unit ? unit : "");
}

/* A change may be too small to be believed, however narrow its interval. */
static bool is_consistent(const struct eo_evidence *e)
{
	return (e->low > 0 || e->high < 0) &&
	       !eo_streq(e->verdict, "no consistent change");
}

/* "-22.1% (-22.4% to -20.0%)", or that it is none to be believed. */
static char *change(const struct eo_evidence *e)
{
	if (!is_consistent(e))
		return eo_asprintf("no consistent change (%+.1f%% to %+.1f%%)",
				   100 * e->low, 100 * e->high);
	return eo_asprintf("%+.1f%% (%+.1f%% to %+.1f%%)", 100 * e->change,
			   100 * e->low, 100 * e->high);
}

/* How many columns the first one of the table needs. */
static size_t width_of(const struct eo_evidences *list)
{
	const struct eo_evidence *e;
	size_t width = 0;

	eo_vec_for_each(e, list)
		if (is_quoted(list, e)) {
			size_t n = eo_columns(e->workload, strlen(e->workload));

			width = n > width ? n : width;
		}
	return width;
}

/* Where, on what and how often: a line of its own for each setting. */
static char *setting(const struct eo_evidence *e)
{
	EO_CLEANUP(eo_freep)
	char *distorted =
		e->distorting ?
			eo_asprintf(" and debugging options that distort, "
				    "which makes this no evidence (%s)",
				    e->distorting) :
			eo_strdup("");

	return eo_asprintf("Measured with Linux %s%s%s%s%s%s: the medians of "
			   "%u pairs%s%s, before and after, with the median "
			   "paired change and its confidence interval:",
			   e->kernel ? e->kernel : "", e->config ? ", " : "",
			   e->config ? e->config : "", distorted,
			   e->machine ? ", on " : "",
			   e->machine ? e->machine : "", e->n,
			   e->metric ? " of the " : "",
			   e->metric ? e->metric : "");
}

static void add_row(const struct eo_evidence *e, size_t width, struct eo_str *s)
{
	EO_CLEANUP(eo_freep) char *before = quantity(e->before, e->unit);
	EO_CLEANUP(eo_freep) char *after = quantity(e->after, e->unit);
	EO_CLEANUP(eo_freep) char *delta = change(e);
	size_t n = eo_columns(e->workload, strlen(e->workload));

	/* The table ends where a mail's line does, or goes to a second one. */
	eo_str_addf(s, "  %s%*s  %9s  %9s\n", e->workload, (int)(width - n), "",
		    before, after);
	eo_str_addf(s, "  %*s  %s\n", (int)width, "", delta);
}

/* How common the case is, once for each count that was taken. */
static void add_common(const struct eo_evidences *list, struct eo_str *s)
{
	EO_CLEANUP(eo_map_release) struct eo_map told = { 0 };
	const struct eo_evidence *e;

	eo_vec_for_each(e, list)
		if (is_quoted(list, e) && e->common &&
		    eo_set_add(&told, e->common))
			eo_str_addf(s, PARAGRAPH "This is not rare: %s",
				    e->common);
}

void eo_mail_numbers(const struct eo_evidences *list, struct eo_str *s)
{
	EO_CLEANUP(eo_map_release) struct eo_map told = { 0 };
	const struct eo_evidence *e, *row;
	bool any = false, downside = false;

	eo_vec_for_each(e, list) {
		EO_CLEANUP(eo_freep) char *where = setting(e);

		if (!is_quoted(list, e))
			continue;
		any = true;
		downside |= e->downside;
		if (!eo_set_add(&told, where))
			continue;
		eo_str_addf(s, PARAGRAPH "%s" PARAGRAPH, where);
		eo_vec_for_each(row, list) {
			EO_CLEANUP(eo_freep) char *here = setting(row);

			if (is_quoted(list, row) && eo_streq(here, where))
				add_row(row, width_of(list), s);
		}
	}
	add_common(list, s);
	if (any && !downside)
		eo_str_add(s, PARAGRAPH
			   "What it costs where there is something to do was "
			   "not measured.");
}
