// SPDX-License-Identifier: GPL-2.0-only
/*
 * What reviewers of such patches have asked for, on the lists: each row is
 * something that was said there, as a warning. These go by the text.
 */
#include <ctype.h>
#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "verify/apply.h"
#include "verify/checks.h"
#include "verify/input.h"
#include "verify/judge.h"

static const char *any_of(const char *text, const char *const *words)
{
	for (; *words; words++)
		if (strcasestr(text, *words))
			return *words;
	return NULL;
}

static bool has_number(const char *text)
{
	static const char *const units[] = { "%",      " us", " ns", " ms",
					     "IOPS",   "K,",  "x ",  " sec",
					     "cycles", NULL };

	for (const char *p = text; *p; p++)
		if (isdigit((unsigned char)*p) && any_of(text, units))
			return true;
	return false;
}

static void speed(size_t step, const struct eo_mail *m, struct eo_checks *out)
{
	static const char *const claims[] = { "faster",	     "overhead",
					      "speed",	     "latency",
					      "performance", "throughput",
					      "reduc",	     NULL };
	static const char *const distorting[] = {
		"lockdep",	 "KASAN",	  "KCSAN",
		"PROVE_LOCKING", "CONFIG_DEBUG_", "DEBUG_LOCK",
		"KMSAN",	 "UBSAN",	  NULL
	};
	bool numbers = has_number(m->message);
	const char *claim = any_of(m->message, claims);
	const char *bad = any_of(m->message, distorting);

	if (claim && !numbers)
		eo_checks_add(
			out, step, "review", EO_WARN, "",
			"it claims to be better (\"%s\") and has no numbers",
			claim);
	if (numbers && bad)
		eo_checks_add(
			out, step, "review", EO_WARN, "",
			"its numbers are from a kernel with %s, which distorts them: measure without",
			bad);
}

/* "#define PREFIX_NAME (1U << 19)" among the added lines of a uapi header. */
static void new_flag(size_t step, const struct eo_applied *patch,
		     struct eo_checks *out)
{
	bool uapi = false;

	for (const char *p = patch->diff; *p; p += *p == '\n') {
		size_t n = strcspn(p, "\n");

		if (eo_starts_with(p, "+++ "))
			uapi = memmem(p, n, "include/uapi/", 13);
		else if (uapi && eo_starts_with(p, "+#define") &&
			 memmem(p, n, "<<", 2))
			eo_checks_add(
				out, step, "review", EO_WARN, "",
				"a new flag for userspace, %.*s: could what it switches off simply be made cheap, or fixed?",
				(int)strcspn(p + 9, " \t\n"), p + 9);
		p += n;
	}
}

/* One line of a hunk without its mark, squeezed; the caller frees. */
static char *line_of(const char *p)
{
	return eo_squeeze(p + 1, strcspn(p + 1, "\n"));
}

/*
 * A reference that is taken and given back around one call, which the patch
 * makes conditional: it is needed under the condition alone.
 */
static void reference(size_t step, const struct eo_applied *patch,
		      struct eo_checks *out)
{
	EO_CLEANUP(eo_freep) char *got = NULL;
	bool made_conditional = false;

	for (const char *p = patch->diff; *p; p += *p == '\n') {
		EO_CLEANUP(eo_freep) char *line = line_of(p);

		if (eo_starts_with(p, "@@")) {
			eo_freep(&got);
			got = NULL;
			made_conditional = false;
		} else if (*p == ' ' && eo_starts_with(line, "get_")) {
			eo_freep(&got);
			got = eo_strdup(line);
		} else if (*p == '+' && eo_starts_with(line, "if (")) {
			made_conditional = got != NULL;
		} else if (*p == ' ' && made_conditional &&
			   eo_starts_with(line, "put_")) {
			eo_checks_add(
				out, step, "review", EO_WARN, "",
				"the reference of \"%s\" is now needed under the new condition alone: take it there",
				got);
			made_conditional = false;
		}
		p += strcspn(p, "\n");
	}
}

/* Two added conditions, one on a flag and one on a field that only that flag
 * sets: "if (ctx->flags & X) d->y = true;" */
static void two_names(size_t step, const struct eo_applied *patch,
		      struct eo_checks *out)
{
	EO_CLEANUP(eo_freep) char *flag = NULL, *field = NULL;
	size_t flags = 0, fields = 0;

	for (const char *p = patch->diff; *p; p += *p == '\n') {
		const char *next = p + strcspn(p, "\n");
		EO_CLEANUP(eo_freep) char *line = line_of(p);

		if (*p == '+' && !field && eo_starts_with(line, "if (") &&
		    strchr(line, '&') && eo_starts_with(next, "\n+")) {
			EO_CLEANUP(eo_freep) char *then = line_of(next + 1);
			char *set = strstr(then, " = true;");
			char *arrow = strstr(then, "->");

			if (set && arrow && arrow < set) {
				*set = '\0';
				field = eo_strdup(arrow + 2);
				flag = eo_strndup(
					strrchr(line, '&') + 2,
					strcspn(strrchr(line, '&') + 2, ")"));
			}
		}
		p = next;
	}
	for (const char *p = patch->diff; field && *p; p += *p == '\n') {
		size_t n = strcspn(p, "\n");

		if (*p == '+' && memmem(p, n, "if (", 4)) {
			flags += memmem(p, n, flag, strlen(flag)) != NULL;
			fields += memmem(p, n, field, strlen(field)) != NULL;
		}
		p += n;
	}
	if (flags > 1 && fields)
		eo_checks_add(
			out, step, "review", EO_WARN, "",
			"%s and %s are the same condition under two names, and both are tested",
			flag, field);
}

void eo_judge_words(size_t step, const struct eo_mail *mail,
		    const struct eo_applied *patch, struct eo_checks *out)
{
	size_t before = out->n;

	speed(step, mail, out);
	new_flag(step, patch, out);
	reference(step, patch, out);
	two_names(step, patch, out);
	if (mail->no_subject)
		eo_checks_add(out, step, "review", EO_WARN, "",
			      "the input shows no subject");
	if (out->n == before)
		eo_checks_add(
			out, step, "review", EO_PASS, "",
			"nothing that reviewers of such patches ask for is missing");
}
