/* SPDX-License-Identifier: GPL-2.0-only */
/* A line of a profile, taken apart. For profile.c and its tests. */
#ifndef EO_SCAN_PROFILE_LINES_H
#define EO_SCAN_PROFILE_LINES_H

#include <stdbool.h>
#include <stddef.h>

/* A piece of the text; not NUL-terminated. */
struct eo_piece {
	const char *s;
	size_t n;
};

/* A row of perf report's table. */
struct eo_profile_row_line {
	double first, second; /* percent; second < 0: one column */
	struct eo_piece symbol;
	bool kernel;
};

enum eo_line_kind {
	EO_LINE_OK,
	EO_LINE_DECORATION, /* empty, comment, rule, call graph */
	EO_LINE_BAD,
};

/* On EO_LINE_BAD, *why says what is wrong. */
enum eo_line_kind eo_profile_table_line(struct eo_piece line,
					struct eo_profile_row_line *out,
					const char **why);
/* "a;b;c 123": the frames, and how often. */
enum eo_line_kind eo_profile_stack_line(struct eo_piece line,
					struct eo_piece *frames, double *count,
					const char **why);

/* The C identifier that a symbol begins with, n 0 when it is none. */
struct eo_piece eo_profile_function(struct eo_piece symbol);

#endif
