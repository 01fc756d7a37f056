// SPDX-License-Identifier: GPL-2.0-only
#include "tree/makefile.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "tree/expr.h"

struct reader {
	struct eo_makefile *m;
	const char *arch;
	struct {
		const struct eo_expr **items; /* of the open conditionals */
		size_t n, cap;
	} open;
	bool in_define, in_rule;
};

void eo_makefile_release(struct eo_makefile *m)
{
	struct eo_assignment *as;

	eo_vec_for_each(as, m)
		free(as->right.items);
	free(m->items);
	eo_arena_release(&m->arena);
	*m = (struct eo_makefile){ 0 };
}

/* The logical line at *p with its continuations joined and its comment cut. */
static char *next_line(const char **p)
{
	struct eo_str line = { 0 };
	bool comment = false;
	const char *s = *p;

	for (; *s && *s != '\n'; s++) {
		if (s[0] == '\\' && s[1] == '\n') {
			eo_str_addc(&line, ' ');
			s++;
		} else if (s[0] == '\\' && s[1] == '#') {
			eo_str_addc(&line, *++s);
		} else {
			comment |= *s == '#';
			if (!comment)
				eo_str_addc(&line, *s);
		}
	}
	*p = s + (*s == '\n');
	return eo_str_take(&line);
}

/* The first CONFIG_ symbol in @s, as an expression; unknown without. */
static const struct eo_expr *symbol_in(struct reader *r, const char *s)
{
	const char *p = strstr(s, "CONFIG_");
	size_t n = 0;

	while (p && eo_is_ident(p[n]))
		n++;
	return eo_expr_macro(&r->m->arena, p ? p : "", n);
}

/* "$(CONFIG_X),y" and its like, the text inside of ifeq's parentheses. */
static const struct eo_expr *parse_ifeq(struct reader *r, const char *args,
					bool equal)
{
	const struct eo_expr *e = symbol_in(r, args);
	EO_CLEANUP(eo_freep) char *rest = NULL;
	const char *comma = strchr(args, ','), *close = strrchr(args, ')');
	size_t n;

	if (!comma || !close || close < comma || strstr(args, "$(filter") ||
	    strstr(args, "$(shell"))
		return eo_expr_macro(&r->m->arena, "", 0);
	rest = eo_squeeze(comma + 1, (size_t)(close - comma - 1));
	n = strlen(rest);
	if (n == 0 || eo_streq(rest, "n"))
		return equal ? eo_expr_not(&r->m->arena, e) : e;
	if (eo_streq(rest, "y"))
		return equal ? e : eo_expr_not(&r->m->arena, e);
	if (eo_streq(rest, "m") && !equal)
		return eo_expr_parse_cpp(&r->m->arena, "1", 1);
	return eo_expr_macro(&r->m->arena, "", 0);
}

/* The condition of a line that opens one, or NULL. */
static const struct eo_expr *parse_if(struct reader *r, const char *line)
{
	if (eo_starts_with(line, "ifeq"))
		return parse_ifeq(r, line + 4, true);
	if (eo_starts_with(line, "ifneq"))
		return parse_ifeq(r, line + 5, false);
	if (eo_starts_with(line, "ifdef "))
		return symbol_in(r, line);
	if (eo_starts_with(line, "ifndef "))
		return eo_expr_not(&r->m->arena, symbol_in(r, line));
	return NULL;
}

/* True when @line was a conditional's. */
static bool take_conditional(struct reader *r, const char *line)
{
	const struct eo_expr *e = parse_if(r, line), **top;
	struct eo_arena *a = &r->m->arena;

	if (e) {
		*eo_vec_push(&r->open) = e;
		return true;
	}
	if (eo_starts_with(line, "endif")) {
		r->open.n -= r->open.n > 0;
		return true;
	}
	if (!eo_starts_with(line, "else") || eo_is_ident(line[4]))
		return false;
	if (!r->open.n)
		return true;
	top = &r->open.items[r->open.n - 1];
	*top = eo_expr_not(a, *top);
	line += 4;
	line += strspn(line, " \t");
	e = parse_if(r, line);
	if (e)
		*top = eo_expr_and(a, *top, e);
	return true;
}

/* The first of @set in @s that is not inside of $( … ), or the end. */
static const char *outside_parens(const char *s, const char *set)
{
	int open = 0;

	for (; *s && (open || !strchr(set, *s)); s++) {
		if (*s == '(' || *s == '{')
			open++;
		else if ((*s == ')' || *s == '}') && open)
			open--;
	}
	return s;
}

/* The end of the word at @s, which may have $( … ) with blanks in it. */
static const char *word_end(const char *s)
{
	return outside_parens(s, " \t");
}

static void add_words(struct reader *r, struct eo_assignment *as,
		      const char *prefix, const char *s);

/* "$(addprefix P, words)": true when @word was one. */
static bool add_prefixed(struct reader *r, struct eo_assignment *as,
			 const char *word)
{
	EO_CLEANUP(eo_freep) char *copy = NULL, *prefix = NULL;
	char *comma;
	size_t n = strlen(word);

	if (!eo_starts_with(word, "$(addprefix ") || word[n - 1] != ')')
		return false;
	copy = eo_strndup(word + 12, n - 13);
	comma = strchr(copy, ',');
	if (!comma)
		return false;
	prefix = eo_squeeze(copy, (size_t)(comma - copy));
	if (!strchr(prefix, '$'))
		add_words(r, as, prefix, comma + 1);
	return true;
}

static void add_words(struct reader *r, struct eo_assignment *as,
		      const char *prefix, const char *s)
{
	static const char srcarch[] = "$(SRCARCH)";

	while (*(s += strspn(s, " \t"))) {
		const char *end = word_end(s);
		EO_CLEANUP(eo_freep)
		char *word = eo_strndup(s, (size_t)(end - s));
		const char *hole = strstr(word, srcarch);

		s = end;
		if (add_prefixed(r, as, word))
			continue;
		if (hole)
			*eo_vec_push(&as->right) = eo_arena_printf(
				&r->m->arena, "%s%.*s%s%s", prefix,
				(int)(hole - word), word, r->arch,
				hole + sizeof(srcarch) - 1);
		else
			*eo_vec_push(&as->right) = eo_arena_printf(
				&r->m->arena, "%s%s", prefix, word);
	}
}

/* "LEFT := words", also +=, =, ?=. False: @line is something else. */
static bool take_assignment(struct reader *r, const char *line)
{
	const char *op = outside_parens(line, "=");
	const char *left_end = op;
	struct eo_assignment *as;

	if (!*op)
		return false;
	while (left_end > line && strchr(":+?", left_end[-1]))
		left_end--;
	while (left_end > line && isblank((unsigned char)left_end[-1]))
		left_end--;
	if (left_end == line || outside_parens(line, " \t:") < left_end)
		return false; /* "target: VAR = x", "export VAR = x" */
	as = eo_vec_push(r->m);
	as->left =
		eo_arena_strndup(&r->m->arena, line, (size_t)(left_end - line));
	as->when = eo_expr_parse_cpp(&r->m->arena, "1", 1);
	for (size_t i = 0; i < r->open.n; i++)
		as->when =
			eo_expr_and(&r->m->arena, as->when, r->open.items[i]);
	add_words(r, as, "", op + 1);
	return true;
}

static void take_line(struct reader *r, const char *line)
{
	/* tabs indent recipes; outside of rules they are mere blanks */
	if (*line == '\t' && r->in_rule)
		return;
	line += strspn(line, " \t");
	if (r->in_define || eo_starts_with(line, "define ")) {
		r->in_define = !eo_starts_with(line, "endef");
		return;
	}
	if (!*line || take_conditional(r, line))
		return;
	r->in_rule = !take_assignment(r, line) && strchr(line, ':');
}

void eo_makefile_parse(struct eo_makefile *m, const char *text,
		       const char *arch)
{
	struct reader r = { .m = m, .arch = arch };

	while (*text) {
		EO_CLEANUP(eo_freep) char *line = next_line(&text);

		take_line(&r, line);
	}
	free(r.open.items);
}
