// SPDX-License-Identifier: GPL-2.0-only
/*
 * The function's text, as a table of one row a line: number, code, mark. The
 * test that would come first is shown in its place, as lines without number.
 */
#include "reports/html/html.h"

#include <string.h>

#include "base/err.h"
#include "reports/escape.h"
#include "tu/lex.h"

/* A function of more lines than this is shown around what matters only. */
#define SHORT_FUNCTION 60
#define CONTEXT 6

static bool matters(const struct eo_finding *f, unsigned line)
{
	const struct eo_step *s;

	if (line == f->line || line == f->walk_line ||
	    line == f->function_line || line == f->function_end)
		return true;
	eo_vec_for_each(s, &f->steps) {
		if (s->line == line)
			return true;
	}
	return false;
}

static bool shown(const struct eo_finding *f, unsigned line)
{
	unsigned from = line > CONTEXT ? line - CONTEXT : 1;

	if (f->function_end - f->function_line < SHORT_FUNCTION)
		return true;
	for (unsigned i = from; i <= line + CONTEXT; i++) {
		if (i >= f->function_line && i <= f->function_end &&
		    matters(f, i))
			return true;
	}
	return false;
}

/* What is said of a line at its end: "the call", and the steps' numbers. */
static void add_marks(struct eo_str *to, const struct eo_html_one *one,
		      unsigned line)
{
	const struct eo_finding *f = one->f;

	if (line == f->line)
		eo_str_add(to, "<span class=\"mark\">the call</span>");
	if (line == f->walk_line && line != f->line)
		eo_str_add(to, "<span class=\"mark\">its reader</span>");
	for (size_t i = 0; i < f->steps.n; i++) {
		if (f->steps.items[i].line == line)
			eo_str_addf(to,
				    "<a class=\"num\" href=\"#%sstep-%zu\""
				    " aria-label=\"step %zu\">%zu</a>",
				    one->ids, i + 1, i + 1, i + 1);
	}
}

static const char *line_class(const struct eo_finding *f, unsigned line)
{
	if (line == f->line)
		return " class=\"call\"";
	return matters(f, line) && line != f->function_line &&
			       line != f->function_end ?
		       " class=\"key\"" :
		       "";
}

static const char *token_class(enum eo_lexeme_kind kind)
{
	static const char *const classes[] = {
		[EO_LEX_KEYWORD] = "tk",   [EO_LEX_CALL] = "tf",
		[EO_LEX_LITERAL] = "tl",   [EO_LEX_COMMENT] = "tc",
		[EO_LEX_DIRECTIVE] = "td",
	};
	size_t n = sizeof(classes) / sizeof(classes[0]);

	return (size_t)kind < n ? classes[kind] : NULL;
}

/* Bytes @from to @end of the source; a token may go over several lines. */
static void add_code(struct eo_str *to, const char *source, size_t from,
		     size_t end, const struct eo_lexemes *tokens)
{
	const struct eo_lexeme *t;

	eo_vec_for_each(t, tokens) {
		const char *class = token_class(t->kind);
		size_t a = t->from > from ? t->from : from;
		size_t b = t->end < end ? t->end : end;

		if (!class || a >= b)
			continue;
		eo_add_html_n(to, source + from, a - from);
		eo_str_addf(to, "<span class=\"%s\">", class);
		eo_add_html_n(to, source + a, b - a);
		eo_str_add(to, "</span>");
		from = b;
	}
	eo_add_html_n(to, source + from, end - from);
}

static void add_line(struct eo_str *to, const struct eo_html_one *one,
		     unsigned line, const char *s, size_t n,
		     const struct eo_lexemes *tokens)
{
	const struct eo_finding *f = one->f;
	size_t from = (size_t)(s - f->source);

	eo_str_addf(to,
		    "<tr id=\"%sL%u\"%s><td class=\"no\">%u</td>"
		    "<td class=\"code\"><code>",
		    one->ids, line, line_class(f, line), line);
	add_code(to, f->source, from, from + n, tokens);
	eo_str_add(to, "</code></td><td class=\"marks\">");
	add_marks(to, one, line);
	eo_str_add(to, "</td></tr>\n");
}

static void add_ghost_line(struct eo_str *to, const char *indent, size_t n,
			   const char *text, const char *mark)
{
	eo_str_add(to, "<tr class=\"ghost\"><td class=\"no\">+</td>"
		       "<td class=\"code\"><code><ins>");
	eo_add_html_n(to, indent, n);
	eo_add_html(to, text);
	eo_str_addf(to, "</ins></code></td><td class=\"marks\">%s</td></tr>\n",
		    mark);
}

/* The test, indented as the line it goes before. */
static void add_ghost(struct eo_str *to, const struct eo_finding *f,
		      const char *s)
{
	EO_CLEANUP(eo_freep) char *test = eo_asprintf("if (%s)", f->guard);
	EO_CLEANUP(eo_freep)
	char *leave = *f->result ? eo_asprintf("\treturn %s;", f->result) :
				   eo_strdup("\treturn;");
	size_t n = strspn(s, " \t");

	add_ghost_line(to, s, n, test,
		       "<span class=\"mark\">the test to add</span>");
	add_ghost_line(to, s, n, leave, "");
}

static void add_omitted(struct eo_str *to, unsigned from, unsigned end)
{
	eo_str_addf(to,
		    "<tr class=\"omitted\"><td class=\"no\">⋯</td>"
		    "<td colspan=\"2\">lines %u to %u are not shown</td>"
		    "</tr>\n",
		    from, end);
}

void eo_html_source(struct eo_str *to, const struct eo_html_one *one)
{
	const struct eo_finding *f = one->f;
	const char *s = f->source;
	unsigned omitted = 0; /* the first line of those */
	unsigned line = f->function_line;
	EO_CLEANUP(eo_lexemes_release) struct eo_lexemes tokens = { 0 };

	eo_lex(f->source, &tokens);
	eo_str_addf(to,
		    "<div class=\"scroll\" tabindex=\"0\" role=\"region\""
		    " aria-labelledby=\"%ssource\">\n"
		    "<table class=\"source\"><caption>",
		    one->ids);
	eo_add_html(to, f->file);
	eo_str_add(to, "</caption>\n<tbody>\n");
	for (; *s; line++) {
		size_t n = strcspn(s, "\n");

		if (shown(f, line)) {
			if (omitted)
				add_omitted(to, omitted, line - 1);
			omitted = 0;
			if (line == f->line && f->guard && f->result)
				add_ghost(to, f, s);
			add_line(to, one, line, s, n, &tokens);
		} else if (!omitted) {
			omitted = line;
		}
		s += n + (s[n] == '\n');
	}
	if (omitted)
		add_omitted(to, omitted, line - 1);
	eo_str_add(to, "</tbody></table>\n</div>\n");
}
