// SPDX-License-Identifier: GPL-2.0-only
#include "tree/clex.h"

#include <ctype.h>
#include <string.h>

#include "base/str.h"

/* The length of a backslash with its end of line, or 0. */
static size_t continuation(const char *p, const char *end)
{
	if (*p != '\\' || end - p < 2)
		return 0;
	if (p[1] == '\n')
		return 2;
	return end - p > 2 && p[1] == '\r' && p[2] == '\n' ? 3 : 0;
}

/* From a quote to past the one that closes it; a literal ends with its line. */
static const char *skip_literal(const char *p, const char *end)
{
	char quote = *p++;

	while (p < end && *p != quote && *p != '\n') {
		size_t n = continuation(p, end);

		if (!n && *p == '\\' && end - p > 1)
			n = 2;
		p += n ? n : 1;
	}
	return p < end && *p == quote ? p + 1 : p;
}

static const char *skip_to_newline(const char *p, const char *end)
{
	while (p < end && *p != '\n') {
		size_t n = continuation(p, end);

		p += n ? n : 1;
	}
	return p;
}

/* Past a comment or literal that starts at @p, or @p. */
static const char *skip_opaque(const char *p, const char *end)
{
	if (*p == '"' || *p == '\'')
		return skip_literal(p, end);
	if (*p != '/' || end - p < 2)
		return p;
	if (p[1] == '/')
		return skip_to_newline(p, end);
	if (p[1] != '*')
		return p;
	p = memmem(p + 2, (size_t)(end - p - 2), "*/", 2);
	return p ? p + 2 : end;
}

static const char *directive_end(const char *p, const char *end)
{
	while (p < end && *p != '\n') {
		const char *q = skip_opaque(p, end);
		size_t n = continuation(p, end);

		p = q > p ? q : p + (n ? n : 1);
	}
	return p;
}

static enum eo_clex_kind give(struct eo_clex *lx, enum eo_clex_kind kind,
			      const char *from, const char *to,
			      const char **tok, size_t *len)
{
	*tok = from;
	*len = (size_t)(to - from);
	lx->p = to;
	return kind;
}

enum eo_clex_kind eo_clex_next(struct eo_clex *lx, const char **tok,
			       size_t *len)
{
	while (lx->p < lx->end) {
		const char *p = lx->p, *q = skip_opaque(p, lx->end);
		size_t n = continuation(p, lx->end);

		if (q > p || n) {
			lx->in_line |= *p == '"' || *p == '\'';
			lx->p = q > p ? q : p + n;
		} else if (isspace((unsigned char)*p)) {
			if (*p == '\n')
				lx->in_line = false;
			lx->p++;
		} else if (*p == '#' && lx->directives && !lx->in_line) {
			return give(lx, EO_CLEX_DIRECTIVE, p + 1,
				    directive_end(p, lx->end), tok, len);
		} else if (eo_is_ident(*p)) {
			for (q = p; q < lx->end && eo_is_ident(*q); q++)
				;
			lx->in_line = true;
			if (!isdigit((unsigned char)*p))
				return give(lx, EO_CLEX_IDENT, p, q, tok, len);
			lx->p = q;
		} else {
			lx->in_line = true;
			lx->p++;
		}
	}
	return EO_CLEX_END;
}
