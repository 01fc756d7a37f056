// SPDX-License-Identifier: GPL-2.0-only
/* The file .earlyoutignore. */
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "finding/finding.h"
#include "finding/suppress.h"

#define BLANKS " \t"
#define FORM \
	"write `WHAT YYYY-MM-DD REASON`, WHAT an id, a rule, a path, or a rule and a path"

static bool looks_like_date(const char *s)
{
	static const char form[] = "dddd-dd-dd";

	for (size_t i = 0; i < sizeof(form); i++) {
		bool digit = s[i] >= '0' && s[i] <= '9';

		if (form[i] == 'd' ? !digit : s[i] != form[i])
			return false;
	}
	return true;
}

static bool is_day(const char *date)
{
	static const int days[] = { 31, 28, 31, 30, 31, 30,
				    31, 31, 30, 31, 30, 31 };
	int y = atoi(date), m = atoi(date + 5), d = atoi(date + 8);
	bool leap = (y % 4 == 0 && y % 100) || y % 400 == 0;

	return m >= 1 && m <= 12 && d >= 1 &&
	       d <= days[m - 1] + (m == 2 && leap);
}

static bool is_id(const char *s)
{
	return strlen(s) == 16 && strspn(s, "0123456789abcdef") == 16;
}

/* One word in front of the date. NULL, or what is wrong with it. */
static const char *take_word(struct eo_ignore *g, const char *word,
			     eo_is_rule_fn *is_rule)
{
	const char **slot = NULL;

	if (is_id(word))
		slot = &g->id;
	else if (is_rule(word))
		slot = &g->rule;
	else if (strpbrk(word, "/*?.["))
		slot = &g->path;
	else
		return "is no id (16 hexadecimal digits), no rule (`earlyout rules list`) and no path";
	if (*slot || g->id || (slot == &g->id && (g->rule || g->path)))
		return "is one word too many in front of the date";
	*slot = word;
	return NULL;
}

/* Cuts the next word off *s; empty at the end. */
static char *next_word(char **s)
{
	char *word = *s + strspn(*s, BLANKS);
	size_t n = strcspn(word, BLANKS);

	*s = word + n;
	if (word[n]) {
		word[n] = '\0';
		++*s;
	}
	return word;
}

static struct eo_error *bad(const char *name, unsigned line, const char *word,
			    const char *what)
{
	return eo_error_new(EO_ERR_INPUT, "%s:%u: %s %s; " FORM, name, line,
			    word, what);
}

static struct eo_error *parse_line(const char *name, unsigned line, char *s,
				   eo_is_rule_fn *is_rule,
				   struct eo_ignores *out)
{
	struct eo_ignore g = { .line = line };
	const char *word, *why;
	char *reason;

	for (;;) {
		word = next_word(&s);
		if (!*word)
			return bad(name, line, "the line", "has no date");
		if (looks_like_date(word))
			break;
		why = take_word(&g, word, is_rule);
		if (why)
			return bad(name, line, word, why);
	}
	if (!is_day(word))
		return bad(name, line, word, "is no day of the calendar");
	if (!g.id && !g.rule && !g.path)
		return bad(name, line, "the line", "does not say what");
	g.date = word;
	reason = s + strspn(s, BLANKS);
	if (!*reason)
		return bad(name, line, "the line", "has no reason");
	g.reason = reason;
	*eo_vec_push(out) = g;
	return NULL;
}

struct eo_error *eo_ignores_parse(const char *name, const char *text, size_t n,
				  eo_is_rule_fn *is_rule,
				  struct eo_ignores *out)
{
	const char *end = text + n;
	unsigned line = 0;

	while (text < end) {
		const char *nl = memchr(text, '\n', (size_t)(end - text));
		size_t len = (size_t)((nl ? nl : end) - text);
		char *s;

		line++;
		if (memchr(text, '\0', len))
			return bad(name, line, "the line", "has a NUL byte");
		s = eo_arena_strndup(&out->arena, text, len);
		text += len + (nl != NULL);
		while (len && strchr(BLANKS "\r", s[len - 1]))
			s[--len] = '\0';
		s += strspn(s, BLANKS);
		if (*s && *s != '#')
			eo_try(parse_line(name, line, s, is_rule, out));
	}
	return NULL;
}

void eo_ignores_release(struct eo_ignores *list)
{
	free(list->items);
	eo_arena_release(&list->arena);
	*list = (struct eo_ignores){ 0 };
}

/* "drivers/gpu/" is all below it. */
static bool path_matches(const char *glob, const char *file)
{
	if (eo_ends_with(glob, "/") && eo_starts_with(file, glob))
		return true;
	return fnmatch(glob, file, 0) == 0;
}

const struct eo_ignore *eo_ignores_find(const struct eo_ignores *list,
					const struct eo_finding *f,
					const char *origin)
{
	const struct eo_ignore *g;

	eo_vec_for_each(g, list) {
		if (g->id && strcmp(g->id, f->id) &&
		    !(origin && !strcmp(g->id, origin)))
			continue;
		if (g->rule && !eo_streq(g->rule, f->rule))
			continue;
		if (g->path && !path_matches(g->path, f->file))
			continue;
		return g;
	}
	return NULL;
}
