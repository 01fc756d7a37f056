// SPDX-License-Identifier: GPL-2.0-only
#include "verify/judge.h"

#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "verify/apply.h"
#include "verify/checks.h"
#include "verify/state.h"

static const char *first_line(struct eo_str *s)
{
	static char line[512];

	snprintf(line, sizeof(line), "%.*s", (int)strcspn(eo_str_get(s), "\n"),
		 eo_str_get(s));
	return line;
}

/* The first error; without one the first line. */
static const char *error_in(struct eo_str *s)
{
	char *at = strstr(eo_str_get(s), "error:");
	struct eo_str line;

	if (!at)
		return first_line(s);
	while (at > s->s && at[-1] != '\n')
		at--;
	line = (struct eo_str){ .s = at, .len = strlen(at) };
	return first_line(&line);
}

/* Files that were built before, or are new, and that are not built now. */
static size_t broken(const struct eo_what *w, const struct eo_applied *patch,
		     const struct eo_state *before,
		     const struct eo_state *after, struct eo_str *names)
{
	const struct eo_map_entry *e;
	const struct eo_touched *t;
	size_t n = 0;

	eo_map_for_each(e, w->files) {
		bool ours = eo_map_has(&before->built, e->key);

		eo_vec_for_each(t, &patch->files)
			if (t->removed && eo_streq(t->file, e->key))
				ours = false;
		if (!ours || eo_map_has(&after->built, e->key))
			continue;
		eo_str_addf(names, "%s%s", n++ ? ", " : "", e->key);
	}
	return n;
}

static bool is_documentation(const struct eo_applied *patch)
{
	const struct eo_touched *t;

	eo_vec_for_each(t, &patch->files)
		if (!eo_starts_with(t->file, "Documentation/") &&
		    strcmp(t->file, "MAINTAINERS"))
			return false;
	return true;
}

static void judge_build(const struct eo_what *w, size_t step,
			const struct eo_applied *patch,
			const struct eo_state *before,
			const struct eo_state *after, struct eo_checks *out)
{
	EO_CLEANUP(eo_str_release) struct eo_str names = { 0 }, new = { 0 };
	const char *log = eo_str_get(&after->make_log);
	size_t n;

	if (w->no_build) {
		eo_checks_add(out, step, "build", EO_SKIPPED, "", "%s",
			      w->no_build);
		return;
	}
	if (after->make_problem) {
		eo_checks_add(out, step, "build", EO_FAIL, log,
			      "the build was ended: %s", after->make_problem);
		return;
	}
	if (broken(w, patch, before, after, &names)) {
		eo_complaints_new(&before->compiler, &after->compiler, &new);
		eo_checks_add(out, step, "build", EO_FAIL, log,
			      "%s does not build: %s", eo_str_get(&names),
			      new.len ? error_in(&new) : "see the log");
		return;
	}
	if (!w->files->n && is_documentation(patch)) {
		eo_checks_add(out, step, "build", EO_PASS, "",
			      "only documentation is touched");
		return;
	}
	if (!after->built.n) {
		eo_checks_add(out, step, "build", EO_SKIPPED, log,
			      "no touched file is built in this configuration");
		return;
	}
	n = eo_complaints_new(&before->compiler, &after->compiler, &new);
	if (n)
		eo_checks_add(out, step, "build", EO_FAIL, eo_str_get(&new),
			      "%zu new %s with W=1: %s", n,
			      n == 1 ? "warning" : "warnings",
			      first_line(&new));
	else
		eo_checks_add(out, step, "build", EO_PASS, log,
			      "%zu %s, no new warning with W=1", after->built.n,
			      after->built.n == 1 ? "object" : "objects");
}

/* One by one, both ways. */
static void say(struct eo_checks *out, size_t step, const char *tool,
		const struct eo_complaints *before,
		const struct eo_complaints *after)
{
	const struct eo_map_entry *e;

	eo_map_for_each(e, &after->seen)
		if (!eo_map_has(&before->seen, e->key))
			eo_checks_say(out, step, tool, true, e->key, e->value);
	eo_map_for_each(e, &before->seen)
		if (!eo_map_has(&after->seen, e->key))
			eo_checks_say(out, step, tool, false, e->key, e->value);
}

/* A lock that is not given back, a pointer to the wrong kind of memory. */
static bool is_grave(const char *line)
{
	return strstr(line, "context imbalance") ||
	       strstr(line, "lock context") || strstr(line, "address space") ||
	       strstr(line, "noderef");
}

/* The lines of @said, with the grave ones first; how many those are. */
static size_t grave_first(const char *said, struct eo_str *out)
{
	size_t n = 0;

	for (int grave = 1; grave >= 0; grave--)
		for (const char *p = said; *p; p += strcspn(p, "\n") + 1) {
			EO_CLEANUP(eo_freep)
			char *line = eo_strndup(p, strcspn(p, "\n"));

			if (is_grave(line) != grave)
				continue;
			n += (size_t)grave;
			eo_str_addf(out, "%s\n", line);
		}
	return n;
}

static void judge_sparse(size_t step, const struct eo_state *before,
			 const struct eo_state *after, struct eo_checks *out)
{
	EO_CLEANUP(eo_str_release) struct eo_str all = { 0 }, new = { 0 };
	size_t n = eo_complaints_new(&before->sparse, &after->sparse, &all);
	size_t grave = grave_first(eo_str_get(&all), &new);

	if (!after->built.n)
		eo_checks_add(out, step, "sparse", EO_SKIPPED, "",
			      "nothing was built");
	else if (n)
		eo_checks_add(out, step, "sparse", EO_FAIL, eo_str_get(&new),
			      "%zu new: %s%s", n, first_line(&new),
			      grave ? " (a lock or an address space)" : "");
	else
		eo_checks_add(out, step, "sparse", EO_PASS, "",
			      "nothing new in %zu %s", after->built.n,
			      after->built.n == 1 ? "object" : "objects");
}

static void judge_cocci(size_t step, const struct eo_state *before,
			const struct eo_state *after, struct eo_checks *out)
{
	EO_CLEANUP(eo_str_release) struct eo_str new = { 0 };
	const struct eo_cocci *b = &before->cocci, *a = &after->cocci;
	size_t n = eo_complaints_new(&b->said, &a->said, &new);
	EO_CLEANUP(eo_freep)
	char *silent = a->silent ?
			       eo_asprintf(", %zu gave no answer", a->silent) :
			       eo_strdup("");

	if (!a->scripts)
		eo_checks_add(
			out, step, "coccinelle", EO_SKIPPED, "",
			"the tree has no scripts/coccinelle, or no .c file is touched");
	else if (n)
		/* what is new may only have been too slow before */
		eo_checks_add(out, step, "coccinelle",
			      b->silent ? EO_WARN : EO_FAIL, eo_str_get(&new),
			      "%zu new: %s%s", n, first_line(&new), silent);
	else
		eo_checks_add(out, step, "coccinelle", EO_PASS,
			      eo_str_get(&a->log),
			      "%zu semantic patches say nothing new%s",
			      a->scripts, silent);
}

void eo_judge_builds(const struct eo_what *w, size_t step,
		     const struct eo_applied *patch,
		     const struct eo_state *before,
		     const struct eo_state *after, struct eo_checks *out)
{
	judge_build(w, step, patch, before, after, out);
	eo_checks_took(out, after->build_ms);
	judge_sparse(step, before, after, out);
	eo_checks_took(out, after->build_ms);
	judge_cocci(step, before, after, out);
	eo_checks_took(out, after->cocci_ms);
	eo_judge_size(step, before, after, out);
	say(out, step, "compiler", &before->compiler, &after->compiler);
	say(out, step, "sparse", &before->sparse, &after->sparse);
	say(out, step, "coccinelle", &before->cocci.said, &after->cocci.said);
}
