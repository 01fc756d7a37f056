// SPDX-License-Identifier: GPL-2.0-only
#include "verify/checks.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/err.h"

void eo_checks_add(struct eo_checks *c, size_t step, const char *name,
		   enum eo_outcome verdict, const char *log, const char *fmt,
		   ...)
{
	struct eo_check *check = eo_vec_push(c);
	char *text;
	va_list ap;

	va_start(ap, fmt);
	if (vasprintf(&text, fmt, ap) < 0)
		eo_oom();
	va_end(ap);
	*check = (struct eo_check){
		.step = step,
		.name = name,
		.verdict = verdict,
		.reason = eo_arena_strdup(&c->arena, text),
		.log = eo_arena_strdup(&c->arena, log ? log : ""),
	};
	free(text);
}

void eo_checks_release(struct eo_checks *c)
{
	free(c->items);
	eo_arena_release(&c->arena);
	*c = (struct eo_checks){ 0 };
}

const char *eo_outcome_name(enum eo_outcome v)
{
	static const char *const names[] = { "pass", "warn", "fail",
					     "skipped" };

	return names[v];
}
