// SPDX-License-Identifier: GPL-2.0-only
/* What reviewers of such patches have asked for, that the diff shows. */
#include <stdbool.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "verify/apply.h"
#include "verify/checks.h"
#include "verify/judge.h"

/* One line of a hunk without its mark, squeezed; the caller frees. */
static char *line_of(const char *p)
{
	return *p ? eo_squeeze(p + 1, strcspn(p + 1, "\n")) : eo_strdup("");
}

static const char *next_line(const char *p)
{
	p += strcspn(p, "\n");
	return *p ? p + 1 : p;
}

static bool is_name_at(const char *text, const char *p, size_t n)
{
	return (p == text || !eo_is_ident(p[-1])) && !eo_is_ident(p[n]);
}

/* @name as a whole word: of "tsk->x" and "tsk", not of "tsks". */
static bool names(const char *text, const char *name)
{
	size_t n = strlen(name);

	for (const char *p = text; n && (p = strstr(p, name)); p++)
		if (is_name_at(text, p, n))
			return true;
	return false;
}

/* Whether the diff takes a "#define @name" away, too: it only moves. */
static bool is_moved(const char *diff, const char *name)
{
	for (const char *p = diff; *p; p = next_line(p)) {
		EO_CLEANUP(eo_freep) char *line = line_of(p);

		if (*p == '-' && eo_starts_with(line, "#define ") &&
		    names(line, name))
			return true;
	}
	return false;
}

/* "#define PREFIX_NAME (1U << 19)" among the added lines of a uapi header. */
static void new_flag(size_t step, const struct eo_applied *patch,
		     struct eo_checks *out)
{
	bool uapi = false;

	for (const char *p = patch->diff; *p; p = next_line(p)) {
		EO_CLEANUP(eo_freep) char *line = line_of(p), *name = NULL;

		if (eo_starts_with(p, "+++ "))
			uapi = strstr(line, "include/uapi/");
		if (!uapi || *p != '+' || !eo_starts_with(line, "#define ") ||
		    !(strstr(line, "<<") || strstr(line, "BIT")))
			continue;
		name = eo_strndup(line + 8, strcspn(line + 8, " ("));
		if (!is_moved(patch->diff, name))
			eo_checks_add(
				out, step, "review", EO_WARN, "",
				"a new flag for userspace, %s: could what it switches off simply be made cheap, or fixed?",
				name);
	}
}

/* A call that takes a reference, and what gives it back. */
struct reference {
	char *get, *put; /* "get_frog", "put_frog"; NULL: none is taken */
	char *of; /* its argument */
	bool conditional; /* what is done with it is, from now on */
};

static void forget(struct reference *r)
{
	eo_freep(&r->get);
	eo_freep(&r->put);
	eo_freep(&r->of);
	*r = (struct reference){ 0 };
}

/* "get_frog(frog);": of a name with the word "get" in it. */
static void take(struct reference *r, const char *line)
{
	size_t n = 0, of;
	const char *get;

	while (eo_is_ident(line[n]))
		n++;
	get = memmem(line, n, "get", 3);
	if (!get || line[n] != '(' || (get[3] != '_' && get[3] != '(') ||
	    (get > line && get[-1] != '_'))
		return;
	of = strcspn(line + n + 1, ",)");
	if (strcmp(line + n + 1 + of, ");") != 0)
		return;
	forget(r);
	r->get = eo_strndup(line, n);
	r->put = eo_strdup(r->get);
	memcpy(r->put + (get - line), "put", 3);
	r->of = eo_strndup(line + n + 1, of);
}

/*
 * A reference that is taken and given back around work that the patch makes
 * conditional, with nothing else in between that uses it.
 */
static void reference(size_t step, const struct eo_applied *patch,
		      struct eo_checks *out)
{
	struct reference r = { 0 };

	for (const char *p = patch->diff; *p; p = next_line(p)) {
		EO_CLEANUP(eo_freep) char *line = line_of(p);
		EO_CLEANUP(eo_freep) char *then = line_of(next_line(p));

		if (eo_starts_with(p, "@@")) {
			forget(&r);
		} else if (*p == '+' && r.get && eo_starts_with(line, "if (") &&
			   *next_line(p) == '+' && names(then, r.of)) {
			r.conditional = true;
		} else if (*p == ' ' && r.get && names(line, r.put) &&
			   names(line, r.of)) {
			if (r.conditional)
				eo_checks_add(
					out, step, "review", EO_WARN, "",
					"the reference of %s(%s) is now needed under the new condition alone: take it there",
					r.get, r.of);
			forget(&r);
		} else if (*p == ' ' && r.get && names(line, r.of)) {
			forget(&r);
		} else if (*p == ' ') {
			take(&r, line);
		}
	}
	forget(&r);
}

/* A flag, and the field that says no more than that flag. */
struct alias {
	char *flag, *field;
};

/* The last "FLAGS & X" of @line: the name X, or NULL; the caller frees. */
static char *flag_in(const char *line)
{
	const char *at = NULL;
	size_t n = 0;

	for (const char *p = line; (p = strstr(p, " & ")); p += 3)
		at = p + 3;
	while (at && eo_is_ident(at[n]))
		n++;
	return n ? eo_strndup(at, n) : NULL;
}

/* "d->y = true;": the name y, or NULL; the caller frees. */
static char *field_in(const char *line, const char *set)
{
	const char *end = strstr(line, set), *p = end;

	while (p && p > line && eo_is_ident(p[-1]))
		p--;
	if (!p || p < line + 2 || p == end || p[-1] != '>')
		return NULL;
	return eo_strndup(p, (size_t)(end - p));
}

/* "if (ctx->flags & X) d->y = true;", or "d->y = !!(ctx->flags & X);" */
static bool find_alias(const char *diff, struct alias *a)
{
	for (const char *p = diff; *p; p = next_line(p)) {
		EO_CLEANUP(eo_freep) char *line = line_of(p);
		EO_CLEANUP(eo_freep) char *then = line_of(next_line(p));

		if (*p != '+')
			continue;
		if (eo_starts_with(line, "if (") && *next_line(p) == '+')
			a->field = field_in(then, " = true;");
		else
			a->field = field_in(line, " = !!(");
		a->flag = a->field ? flag_in(line) : NULL;
		if (a->flag)
			return true;
		eo_freep(&a->field);
		a->field = NULL;
	}
	return false;
}

/* The same condition under two names, both of which are tested. */
static void two_names(size_t step, const struct eo_applied *patch,
		      struct eo_checks *out)
{
	struct alias a = { 0 };
	bool flag = false, field = false;

	if (!find_alias(patch->diff, &a))
		return;
	for (const char *p = patch->diff; *p; p = next_line(p)) {
		EO_CLEANUP(eo_freep) char *line = line_of(p);
		EO_CLEANUP(eo_freep) char *then = line_of(next_line(p));
		bool sets = names(then, a.field) && strstr(then, " = true;");

		if (*p != '+' || !strstr(line, "if ("))
			continue;
		flag |= !sets && names(line, a.flag);
		field |= names(line, a.field);
	}
	if (flag && field)
		eo_checks_add(
			out, step, "review", EO_WARN, "",
			"%s and %s are the same condition under two names, and both are tested",
			a.flag, a.field);
	eo_freep(&a.flag);
	eo_freep(&a.field);
}

void eo_judge_asks(size_t step, const struct eo_applied *patch,
		   struct eo_checks *out)
{
	new_flag(step, patch, out);
	reference(step, patch, out);
	two_names(step, patch, out);
}
