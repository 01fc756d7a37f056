// SPDX-License-Identifier: GPL-2.0-only
#include "smpl/ctext.h"

#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"

static size_t skip_literal(const char *s, size_t n, size_t i)
{
	char quote = s[i++];

	while (i < n && s[i] != quote && s[i] != '\n')
		i += s[i] == '\\' && i + 1 < n ? 2 : 1;
	return i < n ? i + 1 : n;
}

static size_t skip_comment(const char *s, size_t n, size_t i)
{
	bool block = s[i + 1] == '*';

	for (i += 2; i < n; i++) {
		if (!block && s[i] == '\n')
			return i;
		if (block && s[i] == '*' && i + 1 < n && s[i + 1] == '/')
			return i + 2;
	}
	return n;
}

static bool is_comment(const char *s, size_t n, size_t i)
{
	return i + 1 < n && s[i] == '/' && (s[i + 1] == '*' || s[i + 1] == '/');
}

size_t eo_ctext_next(const char *s, size_t n, size_t i)
{
	if (i >= n)
		return n;
	if (is_comment(s, n, i))
		return skip_comment(s, n, i);
	if (s[i] == '"' || s[i] == '\'')
		return skip_literal(s, n, i);
	if (!eo_is_ident(s[i]))
		return i + 1;
	while (i < n && eo_is_ident(s[i]))
		i++;
	return i;
}

size_t eo_ctext_blank(const char *s, size_t n, size_t i)
{
	for (;;) {
		if (i < n && strchr(" \t\r\n\\", s[i]) && s[i])
			i++;
		else if (is_comment(s, n, i))
			i = skip_comment(s, n, i);
		else
			return i;
	}
}

size_t eo_ctext_close(const char *s, size_t n, size_t i)
{
	size_t depth = 0;

	for (; i < n; i = eo_ctext_next(s, n, i)) {
		if (s[i] == '(' || s[i] == '[' || s[i] == '{')
			depth++;
		else if (s[i] == ')' || s[i] == ']' || s[i] == '}')
			depth--;
		if (!depth)
			return i + 1;
	}
	return 0;
}

bool eo_ctext_is_word(const char *s, size_t n, size_t i, const char *word)
{
	size_t len = strlen(word);

	return i + len <= n && memcmp(s + i, word, len) == 0 &&
	       (i + len == n || !eo_is_ident(s[i + len])) &&
	       (i == 0 || !eo_is_ident(s[i - 1]));
}

/* To the semicolon; an opening brace in it is an initialiser or the like. */
static size_t skip_simple(const char *s, size_t n, size_t i)
{
	while (i < n && s[i] != ';') {
		if (s[i] == '}' || s[i] == ')' || s[i] == ']')
			return 0;
		if (s[i] == '(' || s[i] == '[' || s[i] == '{')
			i = eo_ctext_close(s, n, i);
		else
			i = eo_ctext_next(s, n, i);
		if (!i)
			return 0;
	}
	return i < n ? i + 1 : 0;
}

static size_t skip_do(const char *s, size_t n, size_t i)
{
	i = eo_ctext_statement(s, n, i);
	return i ? skip_simple(s, n, i) : 0;
}

/* After the condition of an if: its branches. */
static size_t skip_branches(const char *s, size_t n, size_t i)
{
	size_t end = eo_ctext_statement(s, n, i), next;

	if (!end)
		return 0;
	next = eo_ctext_blank(s, n, end);
	if (!eo_ctext_is_word(s, n, next, "else"))
		return end;
	return eo_ctext_statement(s, n, next + strlen("else"));
}

size_t eo_ctext_statement(const char *s, size_t n, size_t i)
{
	size_t word, after;

	i = eo_ctext_blank(s, n, i);
	if (i >= n)
		return 0;
	if (s[i] == '{')
		return eo_ctext_close(s, n, i);
	if (eo_ctext_is_word(s, n, i, "do"))
		return skip_do(s, n, i + 2);
	word = eo_ctext_next(s, n, i);
	after = eo_ctext_blank(s, n, word);
	if (!eo_is_ident(s[i]) || after >= n || s[after] != '(')
		return skip_simple(s, n, i);
	after = eo_ctext_close(s, n, after);
	if (!after)
		return 0;
	if (eo_ctext_is_word(s, n, i, "if"))
		return skip_branches(s, n, after);
	after = eo_ctext_blank(s, n, after);
	/* A loop, by keyword or by macro: a statement follows. */
	if (after < n && (s[after] == '{' || eo_is_ident(s[after])))
		return eo_ctext_statement(s, n, after);
	return skip_simple(s, n, i);
}

size_t eo_ctext_at(const char *s, size_t n, unsigned line, unsigned column)
{
	const char *p = s, *end = s + n;

	for (; p && line > 1; line--) {
		p = memchr(p, '\n', (size_t)(end - p));
		p = p ? p + 1 : NULL;
	}
	if (!p || !line || !column || column - 1 > (size_t)(end - p))
		return n;
	return (size_t)(p - s) + column - 1;
}

/* The argument that begins at @i, to the comma or bracket that ends it. */
static size_t skip_argument(const char *s, size_t n, size_t i)
{
	while (i < n && s[i] != ',' && s[i] != ')') {
		if (s[i] == '(' || s[i] == '[' || s[i] == '{')
			i = eo_ctext_close(s, n, i);
		else
			i = eo_ctext_next(s, n, i);
		if (!i)
			return n;
	}
	return i;
}

static void add_squeezed(struct eo_str *out, const char *s, size_t n)
{
	EO_CLEANUP(eo_freep) char *text = eo_squeeze(s, n);

	eo_str_add(out, text);
}

bool eo_ctext_call(const char *s, size_t n, size_t i, unsigned arg,
		   struct eo_str *out)
{
	size_t name = i, open, end;

	if (i >= n || !eo_is_ident(s[i]))
		return false;
	open = eo_ctext_blank(s, n, eo_ctext_next(s, n, i));
	if (open >= n || s[open] != '(')
		return false;
	end = eo_ctext_close(s, n, open);
	if (!end)
		return false;
	if (!arg) {
		add_squeezed(out, s + name, end - name);
		return true;
	}
	for (i = open + 1; --arg; i++) {
		i = skip_argument(s, n, i);
		if (i >= n || s[i] != ',')
			return false;
	}
	end = skip_argument(s, n, i);
	add_squeezed(out, s + i, end - i);
	return true;
}
