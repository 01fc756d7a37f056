// SPDX-License-Identifier: GPL-2.0-only
#include "verify/checks.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/err.h"
#include "base/str.h"
#include "finding/finding.h"

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

void eo_checks_took(struct eo_checks *c, int64_t ms)
{
	if (c->n)
		c->items[c->n - 1].duration_ms = ms;
}

void eo_checks_say(struct eo_checks *c, size_t step, const char *tool,
		   bool comes, const char *fingerprint, const char *text)
{
	*eo_vec_push(&c->said) = (struct eo_said){
		.step = step,
		.tool = tool,
		.comes = comes,
		.fingerprint = eo_arena_strdup(&c->arena, fingerprint),
		.text = eo_arena_strdup(&c->arena, text),
	};
}

static const char *copy(struct eo_checks *c, const char *s)
{
	return eo_arena_strdup(&c->arena, s ? s : "");
}

void eo_checks_became(struct eo_checks *c, size_t step,
		      const struct eo_finding *f, const char *fate,
		      const char *why)
{
	*eo_vec_push(&c->became) = (struct eo_became){
		.step = step,
		.finding = copy(c, f->id),
		.rule = copy(c, f->rule),
		.file = copy(c, f->file),
		.function = copy(c, f->function),
		.fate = fate,
		.why = copy(c, why),
	};
}

void eo_checks_release(struct eo_checks *c)
{
	free(c->items);
	free(c->said.items);
	free(c->became.items);
	eo_arena_release(&c->arena);
	*c = (struct eo_checks){ 0 };
}

enum eo_outcome eo_checks_verdict(const struct eo_checks *c)
{
	enum eo_outcome all = EO_PASS;
	const struct eo_check *it;

	eo_vec_for_each(it, c) {
		if (it->verdict == EO_FAIL)
			return EO_FAIL;
		if (it->verdict == EO_SKIPPED &&
		    (eo_streq(it->name, "applies") ||
		     eo_streq(it->name, "build") || eo_streq(it->name, "scan")))
			all = EO_SKIPPED;
	}
	return all;
}

const char *eo_outcome_name(enum eo_outcome v)
{
	static const char *const names[] = { "pass", "warn", "fail",
					     "skipped" };

	return names[v];
}
