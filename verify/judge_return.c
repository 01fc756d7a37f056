// SPDX-License-Identifier: GPL-2.0-only
/* Does an early return return what the function did there? */
#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "finding/finding.h"
#include "verify/apply.h"
#include "verify/checks.h"
#include "verify/judge.h"

/* The line that begins at @p without its mark, squeezed; the caller frees. */
static char *line_of(const char *p)
{
	return *p ? eo_squeeze(p + 1, strcspn(p + 1, "\n")) : eo_strdup("");
}

static const char *next_line(const char *p)
{
	p += strcspn(p, "\n");
	return *p ? p + 1 : p;
}

/* "if (list_empty(&x->list))" and what it returns: its value, "" for none;
 * NULL when it is no early return. The caller frees. */
static char *returned(const char *p)
{
	EO_CLEANUP(eo_freep) char *test = line_of(p);
	EO_CLEANUP(eo_freep) char *then = line_of(next_line(p));
	const char *at = strstr(test, ") return");
	const char *value;

	if (at)
		value = at + 8;
	else if (*next_line(p) == '+' && eo_starts_with(then, "return"))
		value = then + 6;
	else
		return NULL;
	return eo_squeeze(value, strcspn(value, ";"));
}

/* "0", "-EINVAL", "NULL", nothing: what cannot be equal to another. */
static bool is_constant(const char *value)
{
	for (; *value; value++)
		if (!isupper((unsigned char)*value) &&
		    !isdigit((unsigned char)*value) && *value != '-' &&
		    *value != '_')
			return false;
	return true;
}

void eo_judge_return(size_t step, const struct eo_finding *f,
		     const struct eo_applied *patch, struct eo_checks *out)
{
	bool ours = false;

	if (!f->result || !f->head)
		return;
	for (const char *p = patch->diff; *p; p = next_line(p)) {
		EO_CLEANUP(eo_freep) char *line = line_of(p);
		EO_CLEANUP(eo_freep) char *value = NULL;

		if (eo_starts_with(p, "+++ b/"))
			ours = eo_streq(line + 5, f->file);
		if (!ours || *p != '+' || !strstr(line, "if (") ||
		    !strstr(line, f->head))
			continue;
		value = returned(p);
		if (value && strcmp(value, f->result))
			eo_checks_add(
				out, step, "result",
				is_constant(value) && is_constant(f->result) ?
					EO_FAIL :
					EO_WARN,
				"",
				"%s() returned \"%s\" when there was nothing to do, and the new early return gives \"%s\"",
				f->function, f->result, value);
	}
}
