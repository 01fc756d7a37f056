// SPDX-License-Identifier: GPL-2.0-only
#include "reports/fill.h"

#include <stdbool.h>
#include <string.h>

#include "base/err.h"
#include "base/str.h"

size_t eo_columns(const char *s, size_t n)
{
	size_t columns = 0;

	for (size_t i = 0; i < n; i++)
		columns += ((unsigned char)s[i] & 0xc0) != 0x80;
	return columns;
}

/* Where the line that is being filled stands. */
struct filler {
	struct eo_str *out;
	size_t width, column;
};

static void end_line(struct filler *f)
{
	if (f->column)
		eo_str_addc(f->out, '\n');
	f->column = 0;
}

static void add_words(struct filler *f, const char *s, size_t n)
{
	const char *end = s + n;

	while (s < end) {
		const char *word;
		size_t len;

		s += strspn(s, " ");
		word = s;
		while (s < end && *s != ' ')
			s++;
		len = eo_columns(word, (size_t)(s - word));
		if (!len)
			return;
		if (f->column && f->column + 1 + len > f->width)
			end_line(f);
		else if (f->column)
			eo_str_addc(f->out, ' '), f->column++;
		eo_str_addn(f->out, word, (size_t)(s - word));
		f->column += len;
	}
}

void eo_fill(struct eo_str *out, const char *text, size_t width)
{
	struct filler f = { .out = out, .width = width };
	bool gap = false, any = false;

	while (*text) {
		size_t n = strcspn(text, "\n");

		if (n == 0) {
			end_line(&f);
			gap = any;
		} else {
			if (gap)
				eo_str_addc(out, '\n');
			gap = false;
			any = true;
			if (*text == ' ') {
				end_line(&f);
				eo_str_addn(out, text, n);
				eo_str_addc(out, '\n');
			} else {
				add_words(&f, text, n);
			}
		}
		text += n + (text[n] == '\n');
	}
	end_line(&f);
}
