// SPDX-License-Identifier: GPL-2.0-only
/* Comments that suppress: finding the comments of a C file, reading them. */
#include "finding/suppress.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/str.h"

#define WORD "earlyout:"

struct reader {
	const char *file, *p, *end;
	unsigned line;
	bool code; /* something stands before p on this line */
	eo_is_rule_fn *is_rule;
	struct eo_silencers *out;
	struct eo_str *warnings;
};

static bool at(const struct reader *r, const char *word)
{
	size_t n = strlen(word);

	return (size_t)(r->end - r->p) >= n && !memcmp(r->p, word, n);
}

/* A string or character literal; ends at the line's end at the latest. */
static void skip_literal(struct reader *r)
{
	char quote = *r->p++;

	while (r->p < r->end && *r->p != '\n') {
		char c = *r->p++;

		if (c == quote)
			return;
		if (c != '\\' || r->p == r->end)
			continue;
		r->line += *r->p == '\n';
		r->p++;
	}
}

/* Words of a comment, without the stars that begin its lines. */
static char *words_of(const char *s, const char *end)
{
	EO_CLEANUP(eo_str_release) struct eo_str text = { 0 };

	while (s < end) {
		const char *nl = memchr(s, '\n', (size_t)(end - s));
		const char *stop = nl ? nl : end;

		while (s < stop && isspace((unsigned char)*s))
			s++;
		while (s < stop && *s == '*')
			s++;
		eo_str_addn(&text, s, (size_t)(stop - s));
		eo_str_addc(&text, ' ');
		s = nl ? nl + 1 : end;
	}
	return eo_squeeze(eo_str_get(&text), text.len);
}

static void warn(const struct reader *r, unsigned line, const char *what,
		 const char *of)
{
	eo_str_addf(
		r->warnings,
		"%s:%u: comment suppresses nothing: %s%s; write `%s RULE: REASON`\n",
		r->file, line, what, of, WORD);
}

/* " RULE: REASON" */
static void take(struct reader *r, struct eo_silencer *s, const char *text)
{
	const char *rule = text + strspn(text, " ");
	const char *colon = strchr(rule, ':');
	const char *reason = colon ? colon + 1 + strspn(colon + 1, " ") : "";
	EO_CLEANUP(eo_freep)
	char *name = eo_squeeze(rule, colon ? (size_t)(colon - rule) :
					      strcspn(rule, " "));

	if (!*name)
		warn(r, s->begin, "it names no rule", "");
	else if (!r->is_rule(name))
		warn(r, s->begin, "no such rule: ", name);
	else if (!*reason)
		warn(r, s->begin, "it gives no reason", "");
	else {
		s->rule = eo_arena_strdup(&r->out->arena, name);
		s->reason = eo_arena_strdup(&r->out->arena, reason);
		*eo_vec_push(r->out) = *s;
	}
}

static void comment(struct reader *r)
{
	struct eo_silencer s = { .begin = r->line, .alone = !r->code };
	bool block = r->p[1] == '*';
	const char *body = r->p += 2;
	EO_CLEANUP(eo_freep) char *words = NULL;

	while (r->p < r->end && (block ? !at(r, "*/") : *r->p != '\n'))
		r->line += *r->p++ == '\n';
	s.end = r->line;
	words = words_of(body, r->p);
	if (block && r->p < r->end)
		r->p += 2;
	if (eo_starts_with(words, WORD))
		take(r, &s, words + strlen(WORD));
}

void eo_silencers_read(const char *file, const char *text, size_t n,
		       eo_is_rule_fn *is_rule, struct eo_silencers *out,
		       struct eo_str *warnings)
{
	struct reader r = { .file = file,
			    .p = text,
			    .end = text + n,
			    .line = 1,
			    .is_rule = is_rule,
			    .out = out,
			    .warnings = warnings };

	while (r.p < r.end) {
		char c = *r.p;

		if (at(&r, "//") || at(&r, "/*")) {
			comment(&r);
			continue;
		}
		if (c == '\n') {
			r.line++;
			r.code = false;
		} else if (!isspace((unsigned char)c)) {
			r.code = true;
		}
		if (c == '"' || c == '\'')
			skip_literal(&r);
		else
			r.p++;
	}
}

void eo_silencers_release(struct eo_silencers *s)
{
	free(s->items);
	eo_arena_release(&s->arena);
	*s = (struct eo_silencers){ 0 };
}

const struct eo_silencer *eo_silencers_find(const struct eo_silencers *s,
					    const char *rule, unsigned line)
{
	const struct eo_silencer *it;

	eo_vec_for_each(it, s) {
		if (strcmp(it->rule, rule))
			continue;
		if (it->begin == line || it->end == line ||
		    (it->alone && it->end + 1 == line))
			return it;
	}
	return NULL;
}
