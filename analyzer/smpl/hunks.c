// SPDX-License-Identifier: GPL-2.0-only
/* The diff that spatch prints, applied to the lines it is about. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "smpl/lines.h"

struct hunk {
	size_t at; /* index of the first old line; of what follows, if none */
	size_t n_old, n_new;
	const char *body; /* the lines behind the @@ line */
};

struct hunks {
	struct hunk *items;
	size_t n, cap;
};

static void hunks_release(struct hunks *h)
{
	free(h->items);
}

static const char *line_end(const char *p)
{
	return p + strcspn(p, "\n");
}

static const char *next_line(const char *p)
{
	p = line_end(p);
	return *p ? p + 1 : p;
}

/* "12,3" or "12", which is "12,1". */
static const char *parse_range(const char *p, size_t *at, size_t *n)
{
	char *end;

	*at = strtoul(p, &end, 10);
	*n = 1;
	if (*end == ',')
		*n = strtoul(end + 1, &end, 10);
	return end;
}

static void parse_hunks(const char *diff, struct hunks *hunks)
{
	const char *p = diff;

	while (*p) {
		struct hunk h = { 0 };
		size_t skip;

		if (!eo_starts_with(p, "@@ -")) {
			p = next_line(p);
			continue;
		}
		p = parse_range(p + strlen("@@ -"), &h.at, &h.n_old);
		if (eo_starts_with(p, " +"))
			parse_range(p + 2, &skip, &h.n_new);
		h.at -= h.n_old && h.at;
		h.body = p = next_line(p);
		*eo_vec_push(hunks) = h;
		/* What a line of it says is not to be taken for a header. */
		for (size_t i = h.n_old + h.n_new; i && *p; i--)
			p = next_line(p);
	}
}

/* The old lines must be those of the file, and the new ones be there. */
static bool fits(const struct hunk *h, const struct eo_lines *lines)
{
	const char *p = h->body;

	if (h->at > lines->n || h->n_old > lines->n - h->at)
		return false;
	for (size_t i = 0; i < h->n_old; i++, p = next_line(p)) {
		const char *s = lines->items[h->at + i].s;
		size_t len = (size_t)(line_end(p) - p);

		if (*p != '-' || strlen(s) != len - 1 ||
		    memcmp(s, p + 1, len - 1))
			return false;
	}
	for (size_t i = 0; i < h->n_new; i++, p = next_line(p))
		if (*p != '+')
			return false;
	return true;
}

/* A line that replaces another keeps that one's end. */
static void apply(const struct hunk *h, struct eo_lines *lines)
{
	const char *p = h->body;
	size_t at = h->at;

	for (size_t i = 0; i < h->n_old; i++)
		p = next_line(p);
	for (size_t i = 0; i < h->n_new; i++, at++, p = next_line(p)) {
		size_t len = (size_t)(line_end(p) - p) - 1;

		if (i < h->n_old)
			eo_lines_set(lines, at, p + 1, len);
		else
			eo_lines_insert(lines, at, p + 1, len);
	}
	for (size_t i = h->n_new; i < h->n_old; i++)
		eo_lines_remove(lines, at);
}

struct eo_error *eo_lines_patch(struct eo_lines *lines, const char *diff,
				unsigned first, unsigned last, size_t *applied)
{
	EO_CLEANUP(hunks_release) struct hunks hunks = { 0 };
	const struct hunk *h;

	*applied = 0;
	parse_hunks(diff, &hunks);
	eo_vec_for_each(h, &hunks)
		if (!fits(h, lines))
			return eo_error_new(
				EO_ERR_INTERNAL,
				"the diff that spatch made does not fit the file at line %zu",
				h->at + 1);
	/* From the end, so that the numbers of the others stay true. */
	for (size_t i = hunks.n; i--;) {
		h = &hunks.items[i];
		if (h->at + 1 < first || h->at + h->n_old > last)
			continue;
		apply(h, lines);
		(*applied)++;
	}
	return NULL;
}
