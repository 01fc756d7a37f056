/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Findings that people do not want to hear of again, and why: a comment at
 * the call, or a line of the file .earlyoutignore. They stay findings, marked
 * as suppressed.
 *
 *	// earlyout: flush-before-walk: the list is never empty here
 *	cgroup_rstat_flush(cgrp);
 *
 * The comment stands alone above the call, or on its line; a long one may
 * take several lines when it is of the other kind, slash and star. Rule and reason have to be there.
 */
#ifndef EO_FINDING_SUPPRESS_H
#define EO_FINDING_SUPPRESS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/mem.h"

struct eo_error;
struct eo_finding;
struct eo_str;

/* Whether there is a rule of this name. */
typedef bool eo_is_rule_fn(const char *name);

/* One comment that suppresses. */
struct eo_silencer {
	unsigned begin, end; /* its first and last line */
	bool alone; /* no code before it on its first line */
	const char *rule, *reason;
	bool used; /* for its owner to set: it suppresses something */
};

struct eo_silencers {
	struct eo_silencer *items; /* from the top of the file */
	size_t n, cap;
	struct eo_arena arena;
};

/*
 * The comments of @text, the C file @file. What begins as one and is wrong
 * (no reason, no such rule) suppresses nothing, and is a line "FILE:LINE: …"
 * in @warnings.
 */
void eo_silencers_read(const char *file, const char *text, size_t n,
		       eo_is_rule_fn *is_rule, struct eo_silencers *out,
		       struct eo_str *warnings);
void eo_silencers_release(struct eo_silencers *s);
/* The one for @rule at a call on @line, or NULL. */
const struct eo_silencer *eo_silencers_find(const struct eo_silencers *s,
					    const char *rule, unsigned line);

/* A line of .earlyoutignore; of id, rule and path those count that are set. */
struct eo_ignore {
	const char *id; /* 16 digits */
	const char *rule;
	const char *path; /* a glob; * matches / too */
	const char *date; /* "2026-11-30" */
	const char *reason;
	unsigned line; /* of the file */
	bool used; /* for its owner to set: it suppresses something */
};

struct eo_ignores {
	struct eo_ignore *items;
	size_t n, cap;
	struct eo_arena arena;
};

/*
 * Lines "WHAT DATE REASON", WHAT one of: an id; a rule; a path; a rule and a
 * path. Empty lines and those that begin with # are skipped. The first line
 * that is wrong is an EO_ERR_INPUT that begins with "NAME:LINE: ".
 */
struct eo_error *eo_ignores_parse(const char *name, const char *text, size_t n,
				  eo_is_rule_fn *is_rule,
				  struct eo_ignores *out);
void eo_ignores_release(struct eo_ignores *list);
/* The first line for @f, or NULL. @origin: an older id of it, or NULL. */
const struct eo_ignore *eo_ignores_find(const struct eo_ignores *list,
					const struct eo_finding *f,
					const char *origin);

#endif
