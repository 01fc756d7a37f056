// SPDX-License-Identifier: GPL-2.0-only
#include "smpl/style.h"

#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "smpl/ctext.h"
#include "smpl/lines.h"

#define WIDTH 80
#define TAB 8

static size_t indent_of(const char *s)
{
	return strspn(s, " \t");
}

/* The line without its indentation; trailing white space still there. */
static const char *code(const struct eo_lines *lines, size_t at)
{
	return lines->items[at].s + indent_of(lines->items[at].s);
}

static bool ends_in(const char *s, char c)
{
	size_t n = strlen(s);

	while (n && strchr(" \t", s[n - 1]))
		n--;
	return n && s[n - 1] == c;
}

static bool is_only(const char *s, char c)
{
	return *s == c && s[1 + indent_of(s + 1)] == '\0';
}

static bool is_word(const char *s, const char *word)
{
	return eo_ctext_is_word(s, strlen(s), 0, word);
}

/* Past "if (…)" or "else if (…)" at @s, 0 when it is neither. */
static size_t condition_end(const char *s)
{
	size_t n = strlen(s), i = 0;

	if (is_word(s, "else"))
		i = eo_ctext_blank(s, n, strlen("else"));
	if (!eo_ctext_is_word(s, n, i, "if"))
		return 0;
	i = eo_ctext_blank(s, n, i + strlen("if"));
	return i < n && s[i] == '(' ? eo_ctext_close(s, n, i) : 0;
}

/* An if, an else or a "} else" that no brace follows on its line. */
static bool is_bare_header(const char *s)
{
	size_t end;

	if (*s == '}')
		s += 1 + indent_of(s + 1);
	end = condition_end(s);
	if (!end && is_word(s, "else"))
		end = strlen("else");
	return end && s[end + indent_of(s + end)] == '\0';
}

static void set_line(struct eo_lines *lines, size_t at, const char *indent,
		     size_t n_indent, const char *text)
{
	EO_CLEANUP(eo_str_release) struct eo_str s = { 0 };

	eo_str_addn(&s, indent, n_indent);
	eo_str_add(&s, text);
	eo_lines_set(lines, at, s.s, s.len);
}

/* "if (x)return y;" becomes two lines. */
static void split_body(struct eo_lines *lines, size_t at)
{
	const char *s = code(lines, at);
	size_t end = condition_end(s), body;
	EO_CLEANUP(eo_str_release) struct eo_str below = { 0 };

	if (!end)
		return;
	body = end + indent_of(s + end);
	if (!s[body] || s[body] == '{' || s[body] == '/')
		return;
	eo_str_addn(&below, lines->items[at].s,
		    (size_t)(s - lines->items[at].s));
	eo_str_addc(&below, '\t');
	eo_str_add(&below, s + body);
	eo_lines_set(lines, at, lines->items[at].s,
		     (size_t)(s - lines->items[at].s) + end);
	eo_lines_insert(lines, at + 1, below.s, below.len);
}

/* One space where spatch puts none: "){", "else{", "}else". */
static void space_braces(struct eo_lines *lines, size_t at)
{
	EO_CLEANUP(eo_str_release) struct eo_str out = { 0 };
	const char *s = lines->items[at].s;
	size_t n = strlen(s);

	for (size_t i = 0, next; i < n; i = next) {
		next = eo_ctext_next(s, n, i);
		if (i && s[i] == '{' &&
		    (s[i - 1] == ')' || eo_is_ident(s[i - 1])))
			eo_str_addc(&out, ' ');
		if (i && s[i - 1] == '}' && eo_ctext_is_word(s, n, i, "else"))
			eo_str_addc(&out, ' ');
		eo_str_addn(&out, s + i, next - i);
	}
	if (out.len > n)
		eo_lines_set(lines, at, out.s, out.len);
}

/* Makes one line of line @at and the next. */
static void join_next(struct eo_lines *lines, size_t at)
{
	EO_CLEANUP(eo_str_release) struct eo_str s = { 0 };
	const char *first = lines->items[at].s;
	size_t n = strlen(first);

	while (n && strchr(" \t", first[n - 1]))
		n--;
	eo_str_addn(&s, first, n);
	eo_str_addc(&s, ' ');
	eo_str_add(&s, code(lines, at + 1));
	eo_lines_set(lines, at, s.s, s.len);
	eo_lines_remove(lines, at + 1);
}

/* "}" and "else", and "else" and "{", belong on one line. */
static void join_braces(struct eo_lines *lines)
{
	for (size_t i = 0; i + 1 < lines->n; i++) {
		const struct eo_line *line = &lines->items[i];

		if ((line->touched || line[1].touched) &&
		    is_only(code(lines, i), '}') &&
		    is_word(code(lines, i + 1), "else"))
			join_next(lines, i);
		line = &lines->items[i];
		if (i + 1 < lines->n && line[1].touched &&
		    is_only(code(lines, i + 1), '{') &&
		    is_bare_header(code(lines, i)))
			join_next(lines, i);
	}
}

/* Spaces at the left become tabs, as many as fit. */
static void tabify(struct eo_lines *lines, size_t at)
{
	EO_CLEANUP(eo_str_release) struct eo_str s = { 0 };
	const char *line = lines->items[at].s;
	size_t n = indent_of(line), column = 0;

	for (size_t i = 0; i < n; i++)
		column += line[i] == '\t' ? TAB - column % TAB : 1;
	for (; column >= TAB; column -= TAB)
		eo_str_addc(&s, '\t');
	for (; column; column--)
		eo_str_addc(&s, ' ');
	eo_str_add(&s, line + n);
	if (strcmp(eo_str_get(&s), line))
		eo_lines_set(lines, at, s.s, s.len);
}

#define MAX_DEPTH 128

/* The brackets that are open, each with the line of its statement. */
struct open_brackets {
	size_t line[MAX_DEPTH];
	size_t n;
	size_t closed; /* the line of the one that was closed last */
	bool was_close; /* … and nothing came after it */
};

static void see_token(struct open_brackets *open, char c, size_t line)
{
	if (strchr("([{", c) && open->n < MAX_DEPTH)
		open->line[open->n++] =
			c == '{' && open->was_close ? open->closed : line;
	if (strchr(")]}", c) && open->n)
		open->closed = open->line[--open->n];
	open->was_close = c == ')';
}

/*
 * The line that begins the statement whose block the "}" at the start of @at
 * closes: of "if (a &&", not of "b) {".
 */
static size_t opening_line(const struct eo_lines *lines, size_t at)
{
	struct open_brackets open = { 0 };
	EO_CLEANUP(eo_str_release) struct eo_str s = { 0 };
	size_t line = at, first;

	while (line && lines->items[line].s[0] != '{')
		line--;
	first = line;
	for (size_t i = line; i < at; i++)
		eo_str_addf(&s, "%s\n", lines->items[i].s);
	for (size_t i = 0, next; i < s.len; i = next) {
		next = eo_ctext_next(s.s, s.len, i);
		if (s.s[i] != ' ' && s.s[i] != '\t' && s.s[i] != '\n' &&
		    s.s[i] != '/')
			see_token(&open, s.s[i], line);
		for (size_t j = i; j < next; j++)
			line += s.s[j] == '\n';
	}
	return open.n ? open.line[open.n - 1] : first;
}

/*
 * A closing brace stands under what it closes; a line that opens a block is
 * where it was; others are as deep as the code that follows, one more when
 * they are all of an if's body.
 */
static void indent_line(struct eo_lines *lines, size_t at)
{
	const char *s = code(lines, at), *as;
	size_t next = at, n;
	bool body;

	if (!*s) {
		eo_lines_set(lines, at, "", 0);
		return;
	}
	if (*s == '}') {
		as = lines->items[opening_line(lines, at)].s;
		set_line(lines, at, as, indent_of(as), s);
		return;
	}
	while (next < lines->n &&
	       (lines->items[next].touched || !*code(lines, next)))
		next++;
	if (ends_in(s, '{') || next == lines->n || *code(lines, next) == '}') {
		tabify(lines, at);
		return;
	}
	as = lines->items[next].s;
	n = indent_of(as);
	body = at && lines->items[at - 1].touched &&
	       is_bare_header(code(lines, at - 1));
	if (body) {
		EO_CLEANUP(eo_freep) char *deep = eo_asprintf("\t%s", s);

		set_line(lines, at, as, n, deep);
	} else {
		set_line(lines, at, as, n, s);
	}
}

static bool is_comment(const char *s)
{
	size_t n = strlen(s);

	return eo_starts_with(s, "/*") && n &&
	       eo_ctext_next(s, n, 0) >= n - strspn(s + n, " ") &&
	       eo_ends_with(s, "*/");
}

static size_t width(const char *s)
{
	size_t column = 0;

	for (; *s; s++)
		column += *s == '\t' ? TAB - column % TAB : 1;
	return column;
}

/*
 * Wraps @text at @max columns; the lines go to @out, split by newlines.
 * Gives the number of words on the last line.
 */
static size_t wrap(const char *indent, const char *text, size_t max,
		   struct eo_str *out)
{
	size_t words = 0, column = 0;

	for (const char *p = text; *p;) {
		size_t n = strcspn(p, " ");

		if (!column || column + 1 + n > max) {
			eo_str_addf(out, "%s%s *", column ? "\n" : "", indent);
			column = width(indent) + 2;
			words = 0;
		}
		eo_str_addf(out, " %.*s", (int)n, p);
		column += 1 + n;
		words++;
		p += n + (p[n] == ' ');
	}
	return words;
}

/*
 * A comment too long for its line: in the block form, wrapped at words, and
 * a little narrower when that saves one or two of them from standing alone.
 */
static void wrap_comment(struct eo_lines *lines, size_t at)
{
	EO_CLEANUP(eo_freep) char *text = NULL;
	EO_CLEANUP(eo_freep) char *indent = NULL;
	EO_CLEANUP(eo_str_release) struct eo_str out = { 0 };
	const char *s = code(lines, at);
	size_t max = WIDTH;

	if (!is_comment(s) || width(lines->items[at].s) <= WIDTH)
		return;
	text = eo_squeeze(s + 2, strlen(s) - 4);
	indent = eo_strndup(lines->items[at].s,
			    (size_t)(s - lines->items[at].s));
	while (wrap(indent, text, max, &out) < 3 && max > WIDTH * 3 / 4) {
		eo_str_clear(&out);
		max--;
	}
	set_line(lines, at++, indent, strlen(indent), "/*");
	for (const char *p = eo_str_get(&out); *p;) {
		size_t n = strcspn(p, "\n");

		eo_lines_insert(lines, at++, p, n);
		p += n + (p[n] == '\n');
	}
	eo_str_clear(&out);
	eo_str_addf(&out, "%s */", indent);
	eo_lines_insert(lines, at, out.s, out.len);
}

/* First line of the comment that is all there is on the lines up to @last. */
static size_t comment_start(const struct eo_lines *lines, size_t last)
{
	for (size_t i = last + 1; i--;) {
		const char *s = lines->items[i].s, *c = code(lines, i);

		if (lines->items[i].touched || (i < last && strstr(s, "*/")))
			break;
		if (eo_starts_with(c, "/*") || eo_starts_with(c, "//"))
			return i;
		if (strstr(s, "/*"))
			break;
	}
	return last + 1;
}

static bool ends_comment(const char *s)
{
	const char *c = s + indent_of(s);

	return eo_starts_with(c, "//") ||
	       (ends_in(s, '/') && strlen(s) > 1 && strstr(s, "*/") &&
		!strstr(strstr(s, "*/") + 2, "*/"));
}

/*
 * spatch inserts right before the statement: between it and the comment that
 * speaks of it. What was inserted moves up over that comment.
 */
static void pass_comments(struct eo_lines *lines)
{
	for (size_t i = 1; i < lines->n; i++) {
		size_t last = i, start;

		if (!lines->items[i].touched || lines->items[i - 1].touched ||
		    *code(lines, i) == '}' || ends_in(code(lines, i), '{') ||
		    !ends_comment(lines->items[i - 1].s))
			continue;
		while (last + 1 < lines->n && lines->items[last + 1].touched)
			last++;
		start = comment_start(lines, i - 1);
		for (size_t k = i; start < i && k <= last; k++) {
			struct eo_line moved = lines->items[k];
			size_t to = start + (k - i);

			memmove(&lines->items[to + 1], &lines->items[to],
				(k - to) * sizeof(moved));
			lines->items[to] = moved;
		}
		i = last;
	}
}

void eo_style_lines(struct eo_lines *lines)
{
	for (size_t i = 0; i < lines->n; i++)
		if (lines->items[i].touched) {
			split_body(lines, i);
			space_braces(lines, i);
		}
	join_braces(lines);
	pass_comments(lines);
	for (size_t i = 0; i < lines->n; i++)
		if (lines->items[i].touched)
			indent_line(lines, i);
	for (size_t i = 0; i < lines->n; i++)
		if (lines->items[i].touched)
			wrap_comment(lines, i);
	eo_style_braces(lines);
}
