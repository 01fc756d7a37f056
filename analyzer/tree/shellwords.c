// SPDX-License-Identifier: GPL-2.0-only
#include "tree/shellwords.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"

void eo_words_release(struct eo_words *w)
{
	free(w->items);
	*w = (struct eo_words){ 0 };
}

/* The quoted part at @p, added to @word; past its end. */
static const char *take_quoted(const char *p, struct eo_str *word)
{
	char quote = *p++;

	for (; *p && *p != quote; p++) {
		/* in double quotes a backslash protects these only */
		if (quote == '"' && *p == '\\' && p[1] &&
		    strchr("\"\\$`", p[1]))
			p++;
		eo_str_addc(word, *p);
	}
	return *p ? p + 1 : p;
}

static const char *take_word(const char *p, struct eo_str *word)
{
	while (*p && !strchr(" \t\n;&|", *p)) {
		if (*p == '\'' || *p == '"') {
			p = take_quoted(p, word);
		} else if (*p == '\\' && p[1]) {
			if (p[1] != '\n')
				eo_str_addc(word, p[1]);
			p += 2;
		} else {
			eo_str_addc(word, *p++);
		}
	}
	return p;
}

bool eo_shell_next(const char **p, struct eo_arena *a, struct eo_words *out)
{
	const char *s = *p + strspn(*p, " \t\n;&|");

	out->n = 0;
	if (!*s)
		return false;
	while (*s && !strchr("\n;&|", *s)) {
		EO_CLEANUP(eo_str_release) struct eo_str word = { 0 };

		s = take_word(s, &word);
		*eo_vec_push(out) = eo_arena_strdup(a, eo_str_get(&word));
		while (*s == ' ' || *s == '\t' ||
		       (s[0] == '\\' && s[1] == '\n'))
			s += *s == '\\' ? 2 : 1;
	}
	*p = s;
	return true;
}
