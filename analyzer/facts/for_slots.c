// SPDX-License-Identifier: GPL-2.0-only
#include "facts/for_slots.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"

/* Behind a string or character constant that starts at @p. */
static const char *skip_quoted(const char *p)
{
	char quote = *p++;

	while (*p && *p != quote)
		p += *p == '\\' && p[1] ? 2 : 1;
	return *p ? p + 1 : p;
}

/* Behind a comment that starts at @p, or @p. */
static const char *skip_comment(const char *p)
{
	const char *end;

	if (p[0] != '/' || (p[1] != '*' && p[1] != '/'))
		return p;
	end = strstr(p + 2, p[1] == '*' ? "*/" : "\n");
	if (!end)
		return p + strlen(p);
	return end + (p[1] == '*' ? 2 : 1);
}

/*
 * The parts of a header whose text starts behind "for (": a part is there
 * when something other than white space stands before its semicolon. What is
 * in brackets and braces (statement expressions have semicolons) is not
 * looked into. False when there are not two semicolons to see: a macro has
 * them.
 */
static bool header(const char *p, struct eo_for_header *out)
{
	bool there[3] = { false, false, false };
	unsigned part = 0, depth = 0;

	for (; *p && part < 3; p++) {
		if (*p == '"' || *p == '\'') {
			there[part] = true;
			p = skip_quoted(p) - 1;
			continue;
		}
		if (skip_comment(p) != p) {
			p = skip_comment(p) - 1;
			continue;
		}
		if (strchr("([{", *p))
			depth++;
		if (strchr(")]}", *p) && depth-- == 0)
			break;
		if (*p == ';' && depth == 0)
			part++;
		else if (!isspace((unsigned char)*p))
			there[part] = true;
	}
	*out = (struct eo_for_header){ there[0], there[1], there[2] };
	return part == 2;
}

void eo_for_slots_parse(const char *text, struct eo_for_slots *out)
{
	const char *p = text;

	while (*p) {
		if (*p == '"' || *p == '\'') {
			p = skip_quoted(p);
			continue;
		}
		if (!eo_is_ident(*p)) {
			p++;
			continue;
		}
		if (strncmp(p, "for", 3) == 0 && !eo_is_ident(p[3])) {
			const char *q = p + 3 + strspn(p + 3, " \t\n");

			if (*q == '(')
				header(q + 1, eo_vec_push(out));
		}
		while (eo_is_ident(*p))
			p++;
	}
}

bool eo_for_slots_at(const char *text, struct eo_for_header *out)
{
	const char *p = text + 3;

	if (strncmp(text, "for", 3) || eo_is_ident(*p))
		return false;
	p += strspn(p, " \t\n");
	if (*p != '(')
		return false;
	return header(p + 1, out);
}

struct cursors {
	CXCursor *items;
	size_t n, cap;
};

static enum CXChildVisitResult collect(CXCursor c, CXCursor parent,
				       CXClientData data)
{
	struct cursors *list = data;

	(void)parent;
	if (clang_getCursorKind(c) == CXCursor_ForStmt)
		*eo_vec_push(list) = c;
	return CXChildVisit_Recurse;
}

void eo_for_slots_of(CXCursor fn, struct eo_for_slots *out, CXCursor **cursors)
{
	CXPrintingPolicy policy = clang_getCursorPrintingPolicy(fn);
	CXString s = clang_getCursorPrettyPrinted(fn, policy);
	struct cursors list = { 0 };

	clang_visitChildren(fn, collect, &list);
	eo_for_slots_parse(clang_getCString(s), out);
	clang_disposeString(s);
	clang_PrintingPolicy_dispose(policy);
	if (out->n != list.n)
		out->n = 0;
	*cursors = list.items;
}
