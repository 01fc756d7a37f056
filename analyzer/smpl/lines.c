// SPDX-License-Identifier: GPL-2.0-only
#include "smpl/lines.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"

void eo_lines_release(struct eo_lines *lines)
{
	struct eo_line *line;

	eo_vec_for_each(line, lines)
		free(line->s);
	free(lines->items);
	*lines = (struct eo_lines){ 0 };
}

void eo_lines_split(struct eo_lines *lines, const char *text, size_t n)
{
	const char *end = text + n;

	while (text < end) {
		const char *nl = memchr(text, '\n', (size_t)(end - text));
		const char *stop = nl ? nl : end;
		struct eo_line *line = eo_vec_push(lines);

		line->end = nl ? "\n" : "";
		if (nl && stop > text && stop[-1] == '\r') {
			line->end = "\r\n";
			stop--;
		}
		line->s = eo_strndup(text, (size_t)(stop - text));
		text = nl ? nl + 1 : end;
	}
}

void eo_lines_join(const struct eo_lines *lines, bool unix_ends,
		   struct eo_str *out)
{
	const struct eo_line *line;

	eo_vec_for_each(line, lines) {
		eo_str_add(out, line->s);
		eo_str_add(out, unix_ends ? "\n" : line->end);
	}
}

void eo_lines_set(struct eo_lines *lines, size_t at, const char *s, size_t n)
{
	char *copy = eo_strndup(s, n);

	free(lines->items[at].s);
	lines->items[at].s = copy;
	lines->items[at].touched = true;
}

/* A last line without an end gets one when another comes behind it. */
void eo_lines_insert(struct eo_lines *lines, size_t at, const char *s, size_t n)
{
	struct eo_line line = { .s = eo_strndup(s, n),
				.end = "\n",
				.touched = true };
	struct eo_line *near;

	if (lines->n) {
		near = &lines->items[at ? at - 1 : 0];
		line.end = near->end;
		if (!*near->end && at == lines->n)
			near->end = lines->n > 1 ? near[-1].end : "\n";
	}
	eo_vec_push(lines);
	memmove(&lines->items[at + 1], &lines->items[at],
		(lines->n - 1 - at) * sizeof(line));
	lines->items[at] = line;
}

void eo_lines_remove(struct eo_lines *lines, size_t at)
{
	free(lines->items[at].s);
	lines->n--;
	memmove(&lines->items[at], &lines->items[at + 1],
		(lines->n - at) * sizeof(*lines->items));
}
