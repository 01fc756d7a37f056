// SPDX-License-Identifier: GPL-2.0-only
#include "scan/profile_lines.h"

#include <string.h>

#include "base/str.h"

/* Call graphs stand further to the right than any row's percentage. */
#define GRAPH_COLUMN 8
/* Up to here a double counts without loss. */
#define MAX_COUNT 9007199254740992.0

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static void skip_blanks(struct eo_piece *p)
{
	while (p->n && is_blank(*p->s)) {
		p->s++;
		p->n--;
	}
}

static void advance(struct eo_piece *p, size_t n)
{
	p->s += n;
	p->n -= n;
}

/* "12.34%", with blanks before it. The locale has no say in it. */
static bool take_percent(struct eo_piece *p, double *out)
{
	struct eo_piece at = *p;
	double scale = 1, value = 0;

	skip_blanks(&at);
	if (!at.n || !is_digit(*at.s))
		return false;
	for (; at.n && is_digit(*at.s); advance(&at, 1))
		value = value * 10 + (*at.s - '0');
	if (at.n && *at.s == '.')
		for (advance(&at, 1); at.n && is_digit(*at.s); advance(&at, 1))
			value += (*at.s - '0') * (scale /= 10);
	if (!at.n || *at.s != '%')
		return false;
	advance(&at, 1);
	*p = at;
	*out = value;
	return true;
}

/* What perf puts before a symbol: kernel, user, guest, hypervisor. */
static bool is_level(const char *s)
{
	return s[0] == '[' && s[1] && strchr(".kguH!", s[1]) && s[2] == ']';
}

static bool take_symbol(struct eo_piece rest, struct eo_profile_row_line *out)
{
	for (size_t i = 0; i + 3 < rest.n; i++) {
		if (!is_level(rest.s + i) || (i && !is_blank(rest.s[i - 1])) ||
		    !is_blank(rest.s[i + 3]))
			continue;
		out->kernel = rest.s[i + 1] == 'k' || rest.s[i + 1] == 'g';
		advance(&rest, i + 3);
		skip_blanks(&rest);
		out->symbol = rest;
		for (out->symbol.n = 0; out->symbol.n < rest.n &&
					!is_blank(rest.s[out->symbol.n]);)
			out->symbol.n++;
		return out->symbol.n > 0;
	}
	return false;
}

/* Rules, boxes, "[...]": no letter and no digit. */
static bool is_drawing(struct eo_piece p)
{
	for (size_t i = 0; i < p.n; i++)
		if (eo_is_ident(p.s[i]))
			return false;
	return true;
}

static bool is_graph(struct eo_piece line)
{
	struct eo_piece p = line;
	size_t column = 0;

	for (; p.n && is_blank(*p.s); advance(&p, 1))
		column += *p.s == '\t' ? GRAPH_COLUMN : 1;
	return column >= GRAPH_COLUMN || (p.n && *p.s == '|') ||
	       (p.n > 1 && !memcmp(p.s, "--", 2));
}

/* perf's browser begins rows that can be unfolded with a sign. */
static void skip_fold_sign(struct eo_piece *p)
{
	struct eo_piece at = *p;

	skip_blanks(&at);
	if (at.n > 1 && (*at.s == '+' || *at.s == '-') && is_blank(at.s[1])) {
		advance(&at, 1);
		*p = at;
	}
}

enum eo_line_kind eo_profile_table_line(struct eo_piece line,
					struct eo_profile_row_line *out,
					const char **why)
{
	struct eo_piece p = line;

	*out = (struct eo_profile_row_line){ .second = -1 };
	if (is_drawing(line) || *line.s == '#')
		return EO_LINE_DECORATION;
	skip_fold_sign(&p);
	if (!take_percent(&p, &out->first)) {
		*why = "is no row of perf's table, which begins with a percentage";
		return is_graph(line) ? EO_LINE_DECORATION : EO_LINE_BAD;
	}
	take_percent(&p, &out->second);
	if (!take_symbol(p, out)) {
		*why = "has a percentage and no symbol behind it ([k] name): it is cut off, or perf report ran with a --sort that leaves symbols out";
		return is_graph(line) ? EO_LINE_DECORATION : EO_LINE_BAD;
	}
	if (out->first <= 100 && out->second <= 100)
		return EO_LINE_OK;
	*why = "has more than 100%";
	return EO_LINE_BAD;
}

enum eo_line_kind eo_profile_stack_line(struct eo_piece line,
					struct eo_piece *frames, double *count,
					const char **why)
{
	size_t at = line.n;

	if (is_drawing(line) || *line.s == '#')
		return EO_LINE_DECORATION;
	while (at && is_digit(line.s[at - 1]))
		at--;
	*count = 0;
	for (size_t i = at; i < line.n && *count <= MAX_COUNT; i++)
		*count = *count * 10 + (line.s[i] - '0');
	*why = at == line.n ? "does not end in a count, as `a;b;c 123` does" :
			      "has a count that is too large";
	if (at == line.n || *count > MAX_COUNT)
		return EO_LINE_BAD;
	*why = "has no frame before its count";
	if (!at || !is_blank(line.s[at - 1]))
		return EO_LINE_BAD;
	*frames = line;
	for (frames->n = at; frames->n && is_blank(line.s[frames->n - 1]);)
		frames->n--;
	return frames->n ? EO_LINE_OK : EO_LINE_BAD;
}

struct eo_piece eo_profile_function(struct eo_piece symbol)
{
	struct eo_piece name = symbol;

	name.n = 0;
	while (name.n < symbol.n && eo_is_ident(symbol.s[name.n]))
		name.n++;
	/* x.part.0, x+0x12; anything else is no C function */
	if (name.n < symbol.n && !strchr(".+", symbol.s[name.n]))
		name.n = 0;
	if (name.n && is_digit(*name.s))
		name.n = 0;
	return name;
}
