// SPDX-License-Identifier: GPL-2.0-only
/*
 * What reviewers of such patches have asked for, on the lists, that the
 * message shows: speed that is claimed and not measured, or measured where it
 * cannot be. What the diff shows is in judge_asks.c.
 */
#include <ctype.h>
#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "verify/bench/fragment.h"
#include "verify/checks.h"
#include "verify/input.h"
#include "verify/judge.h"

#define MAX_TITLE 200

const char *eo_find_word(const char *text, const char *word)
{
	for (const char *p = text; (p = strcasestr(p, word)); p++)
		if (p == text || !eo_is_ident(p[-1]))
			return p;
	return NULL;
}

static const char *claim_in(const char *text)
{
	static const char *const claims[] = {
		"faster",      "cheaper",    "overhead", "speed up",
		"speeds up",   "speedup",    "latency",	 "latencies",
		"performance", "throughput", "optimize", "optimise",
		"scalability",
	};

	for (size_t i = 0; i < sizeof(claims) / sizeof(claims[0]); i++)
		if (eo_find_word(text, claims[i]))
			return claims[i];
	return NULL;
}

static size_t digits_at(const char *p)
{
	size_t n = strspn(p, "0123456789.,");

	while (n && !isdigit((unsigned char)p[n - 1]))
		n--;
	return n;
}

static bool is_unit(const char *p)
{
	static const char *const units[] = {
		"us",	 "ns",	   "ms",	   "usec",    "nsec", "msec",
		"sec",	 "secs",   "second",	   "seconds", "K",    "M",
		"G",	 "KIOPS",  "MIOPS",	   "IOPS",    "ops",  "x",
		"times", "cycles", "instructions", "MB",      "GB",   "MiB",
		"GiB",	 "kIOPS",
	};

	if (*p == '%')
		return true;
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		size_t n = strlen(units[i]);

		if (!strncmp(p, units[i], n) && !eo_is_ident(p[n]))
			return true;
	}
	return eo_starts_with(p, "\xc2\xb5s") || eo_starts_with(p, "\xce\xbcs");
}

/* In a column of a table, with blanks before it. */
static bool in_column(const char *begin, const char *p)
{
	return p > begin && (p[-1] == '\t' ||
			     (p > begin + 1 && p[-1] == ' ' && p[-2] == ' '));
}

/* "41.0 us", "16%", "570K"; or a row of a table: two numbers in columns. */
static bool line_has_number(const char *p, size_t n)
{
	const char *begin = p, *end = p + n;
	unsigned columns = 0;
	size_t len;

	for (; p < end; p += len ? len : 1) {
		bool alone = p == begin ||
			     (!eo_is_ident(p[-1]) && p[-1] != '.');

		len = alone ? digits_at(p) : 0;
		if (!len)
			continue;
		if (is_unit(p + len + (p[len] == ' ')))
			return true;
		columns += in_column(begin, p);
	}
	return columns > 1;
}

static bool has_number(const char *text)
{
	for (const char *p = text; *p; p += *p == '\n') {
		size_t n = strcspn(p, "\n");

		if (line_has_number(p, n))
			return true;
		p += n;
	}
	return false;
}

static bool ends_clause(const char *p, const char *marks)
{
	return eo_starts_with(p, "\n\n") ||
	       (*p && strchr(marks, *p) && isspace((unsigned char)p[1]));
}

/* The part of a sentence around @p, squeezed; the caller frees. */
static char *clause(const char *text, const char *p)
{
	const char *begin = p, *end = p;

	while (begin > text && !ends_clause(begin - 1, ".;:)"))
		begin--;
	while (*end && !ends_clause(end, ".,;:)"))
		end++;
	return eo_squeeze(begin, (size_t)(end - begin));
}

/*
 * What the numbers are from: "a lockdep-enabled guest", but neither "without
 * lockdep" nor a "lockdep splat", which is about something else.
 */
static bool is_setting(const char *text, const char *p)
{
	static const char *const others[] = {
		"without",  "w/o",     "no ",	  "disabled",	    " off",
		"=n",	    "not set", "splat",	  "warning",	    "report",
		"complain", "assert",  "annotat", "false positive",
	};
	EO_CLEANUP(eo_freep) char *around = clause(text, p);

	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		if (eo_find_word(around, others[i]))
			return false;
	return true;
}

static const char *distorted_by(const char *text)
{
	const char *name;

	for (size_t i = 0; (name = eo_distorting_name(i)); i++)
		for (const char *p = text; (p = strcasestr(p, name)); p++)
			if (!eo_is_ident(p[strlen(name)]) &&
			    is_setting(text, p))
				return name;
	return NULL;
}

/* Commits are named by number and title, which is not what this one claims. */
static void blank_titles(char *text)
{
	for (char *p = text; (p = strstr(p, "(\"")); p++) {
		char *end = strstr(p, "\")");

		if (end && end - p < MAX_TITLE)
			memset(p, ' ', (size_t)(end - p));
	}
}

/* What stands between the message and the diff is read by reviewers, too. */
static char *words_of(const struct eo_mail *m)
{
	const char *diff = strstr(m->diff, "diff --git ");
	char *text = eo_asprintf("%s\n\n%s\n\n%.*s", m->subject, m->message,
				 (int)(diff ? diff - m->diff : 0), m->diff);

	blank_titles(text);
	return text;
}

static void speed(size_t step, const struct eo_mail *m, struct eo_checks *out)
{
	EO_CLEANUP(eo_freep) char *words = words_of(m);
	const char *claim = claim_in(words);
	const char *distorting = distorted_by(words);
	bool numbers = has_number(words);

	if (claim && !numbers)
		eo_checks_add(
			out, step, "review", EO_WARN, "",
			"it claims to be better (\"%s\") and has no numbers",
			claim);
	if (claim && numbers && distorting)
		eo_checks_add(
			out, step, "review", EO_WARN, "",
			"its numbers are from a kernel with %s, which distorts them: measure without",
			distorting);
}

void eo_judge_words(size_t step, const struct eo_mail *mail,
		    const struct eo_applied *patch, struct eo_checks *out)
{
	size_t before = out->n;

	speed(step, mail, out);
	eo_judge_asks(step, patch, out);
	if (mail->no_subject)
		eo_checks_add(out, step, "review", EO_WARN, "",
			      "the input shows no subject");
	if (out->n == before)
		eo_checks_add(
			out, step, "review", EO_PASS, "",
			"nothing that reviewers of such patches ask for is missing");
}
