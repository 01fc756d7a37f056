// SPDX-License-Identifier: GPL-2.0-only
#include "reports/html/html.h"

#include <string.h>

#include "base/err.h"
#include "reports/escape.h"

static const char *line_class(const char *s, bool in_hunk)
{
	if (eo_starts_with(s, "@@"))
		return "hunk";
	if (!in_hunk)
		return "meta";
	return *s == '+' ? "add" : *s == '-' ? "del" : "same";
}

void eo_html_diff(struct eo_str *to, const char *diff)
{
	bool in_hunk = false; /* "---" is a removed line in there */

	eo_str_add(to, "<pre class=\"diff\" tabindex=\"0\"><code>");
	for (const char *s = diff; *s;) {
		size_t n = strcspn(s, "\n");

		if (eo_starts_with(s, "diff "))
			in_hunk = false;
		if (eo_starts_with(s, "@@"))
			in_hunk = true;
		eo_str_addf(to, "<span class=\"%s\">", line_class(s, in_hunk));
		eo_add_html_n(to, s, n);
		eo_str_add(to, "\n</span>");
		s += n + (s[n] == '\n');
	}
	eo_str_add(to, "</code></pre>\n");
}
