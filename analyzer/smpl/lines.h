/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A file as lines that are changed one by one, while all others keep every
 * byte, their kind of line end and a missing last newline too.
 */
#ifndef EO_SMPL_LINES_H
#define EO_SMPL_LINES_H

#include <stdbool.h>
#include <stddef.h>

struct eo_error;
struct eo_str;

struct eo_line {
	char *s; /* without its end */
	const char *end; /* "\n", "\r\n", or "" */
	bool touched; /* written by us or by spatch */
};

/* Zeroed to begin with. */
struct eo_lines {
	struct eo_line *items;
	size_t n, cap;
};

void eo_lines_release(struct eo_lines *lines);
/* @text has no NUL byte. */
void eo_lines_split(struct eo_lines *lines, const char *text, size_t n);
/* Appends the text to @out; with @unix_ends, each line with "\n" behind it. */
void eo_lines_join(const struct eo_lines *lines, bool unix_ends,
		   struct eo_str *out);

/* Each makes the line a touched one, and takes a copy of @n bytes of @s. */
void eo_lines_set(struct eo_lines *lines, size_t at, const char *s, size_t n);
/* With the line end of its neighbour. */
void eo_lines_insert(struct eo_lines *lines, size_t at, const char *s,
		     size_t n);
void eo_lines_remove(struct eo_lines *lines, size_t at);

/*
 * Applies the hunks of @diff (unified, no context) that lie within the lines
 * @first to @last, numbered from 1, and says how many in @applied. An error
 * says that the diff does not fit the lines; then nothing is changed.
 */
struct eo_error *eo_lines_patch(struct eo_lines *lines, const char *diff,
				unsigned first, unsigned last, size_t *applied);

#endif
