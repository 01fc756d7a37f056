// SPDX-License-Identifier: GPL-2.0-only
#include "verify/diffid.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/str.h"

void eo_diff_hunk(const char *head, unsigned long *before, unsigned long *after)
{
	const char *plus = strchr(head, '+');
	char *end;

	*before = *after = 1;
	strtoul(head + 4, &end, 10);
	if (*end == ',')
		*before = strtoul(end + 1, NULL, 10);
	if (!plus)
		return;
	strtoul(plus + 1, &end, 10);
	if (*end == ',')
		*after = strtoul(end + 1, NULL, 10);
}

static const char *next_line(const char *p)
{
	p += strcspn(p, "\n");
	return *p ? p + 1 : p;
}

/* Adds what a hunk changes; gives the line behind it. */
static const char *add_hunk(const char *p, struct eo_str *to)
{
	unsigned long before, after;

	eo_diff_hunk(p, &before, &after);
	for (p = next_line(p); *p && (before || after); p = next_line(p)) {
		if (*p != '+' && *p != '\\')
			before -= before > 0;
		if (*p != '-' && *p != '\\')
			after -= after > 0;
		if (*p == '+' || *p == '-')
			eo_str_addf(to, "%.*s\n", (int)strcspn(p, "\r\n"), p);
	}
	return p;
}

void eo_diff_id(const char *diff, char out[17])
{
	EO_CLEANUP(eo_str_release) struct eo_str s = { 0 };
	const char *p = diff;

	while (*p) {
		if (eo_starts_with(p, "@@ -")) {
			p = add_hunk(p, &s);
			continue;
		}
		if (eo_starts_with(p, "--- ") || eo_starts_with(p, "+++ "))
			eo_str_addf(&s, "%.*s\n", (int)strcspn(p, "\t\r\n"), p);
		p = next_line(p);
	}
	eo_hash_hex(eo_str_get(&s), s.len, out);
}
