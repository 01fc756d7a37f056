// SPDX-License-Identifier: GPL-2.0-only
#include "reports/subject.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/proc.h"
#include "base/str.h"
#include "finding/finding.h"
#include "reports/fill.h"
#include "tree/git.h"
#include "tree/tree.h"

#define LOG_COMMITS "50"
/* Longer is a sentence that happens to have a colon. */
#define PREFIX_MAX 40
/* A single commit does not make a habit. */
#define PREFIX_MIN_USES 2

static bool is_prefix(const char *s, size_t n)
{
	if (!n || n > PREFIX_MAX)
		return false;
	if (eo_starts_with(s, "Revert ") || eo_starts_with(s, "Merge "))
		return false;
	for (size_t i = 0; i < n; i++)
		if (!eo_is_ident(s[i]) && !strchr("/-,. ", s[i]))
			return false;
	return true;
}

char *eo_subject_prefix_of_log(const char *subjects)
{
	struct eo_map uses = { 0 };
	struct eo_map_entry *e, *best = NULL;
	char *prefix = NULL;

	while (*subjects) {
		size_t n = strcspn(subjects, "\n");
		const char *colon = memmem(subjects, n, ": ", 2);
		size_t len = colon ? (size_t)(colon - subjects) : 0;

		if (is_prefix(subjects, len)) {
			EO_CLEANUP(eo_freep)
			char *key = eo_strndup(subjects, len);
			uintptr_t old = (uintptr_t)eo_map_get(&uses, key);

			eo_map_set(&uses, key, (void *)(old + 1));
		}
		subjects += n + (subjects[n] == '\n');
	}
	/* Of equals the first is the one used last. */
	eo_map_for_each(e, &uses)
		if (!best || (uintptr_t)e->value > (uintptr_t)best->value)
			best = e;
	if (best && (uintptr_t)best->value >= PREFIX_MIN_USES)
		prefix = eo_strdup(best->key);
	eo_map_release(&uses);
	return prefix;
}

/* blk of block, sch of sched: the same letters in order, from the first on. */
static bool abbreviates(const char *s, size_t n, const char *word, size_t len)
{
	if (!n || !len || s[0] != word[0])
		return false;
	for (size_t i = 0; i < len && n; i++) {
		if (word[i] != *s)
			continue;
		s++;
		n--;
	}
	return n == 0;
}

char *eo_subject_prefix_of_path(const char *file)
{
	const char *slash = strrchr(file, '/');
	const char *base = slash ? slash + 1 : file;
	size_t base_len = strcspn(base, ".");
	const char *dir = slash;

	if (!slash)
		return eo_strndup(base, base_len);
	while (dir > file && dir[-1] != '/')
		dir--;
	if (strcspn(base, "-_") < base_len &&
	    abbreviates(base, strcspn(base, "-_"), dir, (size_t)(slash - dir)))
		return eo_strndup(base, base_len);
	return eo_asprintf("%.*s/%.*s", (int)(slash - dir), dir, (int)base_len,
			   base);
}

struct eo_error *eo_subject_prefix(const struct eo_tree *tree, const char *file,
				   char **out)
{
	const char *const argv[] = { "git",	    "--literal-pathspecs",
				     "log",	    "--no-merges",
				     "--format=%s", "-n",
				     LOG_COMMITS,   "--",
				     file,	    NULL };
	EO_CLEANUP(eo_proc_result_release) struct eo_proc_result r = { 0 };

	*out = NULL;
	if (tree->revision) {
		eo_try(eo_git(tree, argv, &r));
		*out = eo_subject_prefix_of_log(eo_str_get(&r.out));
	}
	if (!*out)
		*out = eo_subject_prefix_of_path(file);
	return NULL;
}

char *eo_head_name(const char *head)
{
	const char *arrow = NULL;

	head += strspn(head, "&( ");
	for (const char *p = head; (p = strstr(p, "->")); p++)
		arrow = p;
	if (arrow)
		head = arrow;
	/* Of "(&x->list)" the bracket that was opened before is left over. */
	return eo_strndup(head, strlen(head) - (!strchr(head, '(') &&
						eo_ends_with(head, ")")));
}

/* The shortest is the last; a %s is the call. */
#define N_FORMS 2

static const struct {
	const char *rule;
	const char *forms[N_FORMS];
} words[] = {
	{ "flush-before-check",
	  { "call %s() only where it is used",
	    "sink a call below its check" } },
	{ "work-before-check",
	  { "call %s() only where it is used",
	    "sink a call below its check" } },
	{ "flush-repeated",
	  { "drop a repeated %s()", "drop a repeated call" } },
	{ "flush-in-loop",
	  { "call %s() once, before the loop", "hoist a call out of a loop" } },
	{ "flush-unthresholded-hot",
	  { "use a ratelimited form of %s()", "use a ratelimited form" } },
	{ "idle-visit",
	  { "leave early when nothing is pending", "test for idle first" } },
	{ "rusage-hot-loop",
	  { "sample only the turns that do work", "sample less" } },
	{ "rusage-one-field",
	  { "ask for one field, not for all of %s()", "ask for one field" } },
	{ "rusage-unused-path",
	  { "call %s() only where it is used", "sample only where used" } },
	{ NULL, { "skip a needless %s()", "skip needless work" } },
};

static size_t words_of(const char *rule)
{
	size_t i = 0;

	while (words[i].rule && !eo_streq(words[i].rule, rule))
		i++;
	return i;
}

/* The longest of @tries, which it frees, that is short enough. */
static char *pick(char **tries, size_t n)
{
	size_t best = 0;

	while (best + 1 < n &&
	       eo_columns(tries[best], strlen(tries[best])) > EO_SUBJECT_MAX)
		best++;
	for (size_t i = 0; i < n; i++)
		if (i != best)
			free(tries[i]);
	return tries[best];
}

static char *subject_of_walk(const char *prefix, const struct eo_finding *f)
{
	EO_CLEANUP(eo_freep) char *head = eo_head_name(f->head ? f->head : "");
	char *tries[] = {
		eo_asprintf("%s: skip %s() when %s is empty", prefix, f->call,
			    *head ? head : "the list"),
		eo_asprintf("%s: skip %s() for an empty list", prefix, f->call),
		eo_asprintf("%s: skip a needless call for an empty list",
			    prefix),
	};

	return pick(tries, sizeof(tries) / sizeof(tries[0]));
}

/* A form with the call in the place of its %s. */
static char *spell(const char *prefix, const char *form, const char *call)
{
	const char *at = strstr(form, "%s");

	if (!at)
		return eo_asprintf("%s: %s", prefix, form);
	return eo_asprintf("%s: %.*s%s%s", prefix, (int)(at - form), form, call,
			   at + 2);
}

char *eo_subject(const char *prefix, const struct eo_finding *f,
		 const char *what)
{
	size_t row = words_of(f->rule);
	char *tries[N_FORMS + 1];
	size_t n = 0;

	if (!what && eo_streq(f->rule, "flush-before-walk"))
		return subject_of_walk(prefix, f);
	if (what)
		tries[n++] = eo_asprintf("%s: %s", prefix, what);
	for (size_t i = 0; i < N_FORMS; i++)
		tries[n++] = spell(prefix, words[row].forms[i], f->call);
	return pick(tries, n);
}
