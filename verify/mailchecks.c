// SPDX-License-Identifier: GPL-2.0-only
#include "verify/mailchecks.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/proc.h"
#include "base/str.h"
#include "tree/tree.h"
#include "verify/apply.h"
#include "verify/checks.h"
#include "verify/git.h"
#include "verify/input.h"
#include "verify/kbuild.h"
#include "verify/source.h"

/*
 * "ERROR:TYPE: message" lines, counted by kind. How a commit is named is no
 * error here: without the history, which is not in the sandbox, the script
 * takes a word like "added" for a commit's digits.
 */
static void read_types(const char *said, size_t n[3], struct eo_str *types)
{
	static const char *const kinds[] = { "ERROR:", "WARNING:", "CHECK:" };

	for (const char *p = said; *p; p += *p == '\n') {
		size_t len = strcspn(p, "\n");

		for (int k = 0; k < 3; k++) {
			const char *type = p + strlen(kinds[k]);

			if (!eo_starts_with(p, kinds[k]))
				continue;
			n[eo_starts_with(type, "GIT_COMMIT_ID:") ? 1 : k]++;
			eo_str_addf(types, "%s%.*s", types->len ? ", " : "",
				    (int)strcspn(type, ":\n"), type);
		}
		p += len;
	}
}

struct eo_error *eo_check_checkpatch(const struct eo_kbuild *k, size_t step,
				     const struct eo_mail *m,
				     struct eo_checks *out)
{
	EO_CLEANUP(eo_proc_result_release) struct eo_proc_result r = { 0 };
	EO_CLEANUP(eo_str_release) struct eo_str types = { 0 };
	EO_CLEANUP(eo_freep)
	char *script =
		eo_asprintf("%s/scripts/checkpatch.pl", eo_kbuild_source(k));
	EO_CLEANUP(eo_freep)
	char *root = eo_asprintf("--root=%s", eo_kbuild_source(k));
	EO_CLEANUP(eo_freep) char *mail = eo_path_join(k->out, "earlyout.mail");
	EO_CLEANUP(eo_freep)
	char *inside = eo_asprintf("%s/earlyout.mail", eo_kbuild_out(k));
	/* no commit is known in the sandbox; Fixes: is looked at apart */
	static const char no_history[] = "--ignore=UNKNOWN_COMMIT_ID";
	const char *const own[] = { "perl",	    script,	    "--strict",
				    "--show-types", "--no-summary", root,
				    no_history,	    inside,	    NULL };
	size_t n[3] = { 0 };
	bool there = true;
	EO_CLEANUP(eo_str_release) struct eo_str text = { 0 };

	eo_try(eo_source_read(k->source, "scripts/checkpatch.pl", &text,
			      &there));
	if (!there) {
		eo_checks_add(out, step, "checkpatch", EO_SKIPPED, "",
			      "the tree has no scripts/checkpatch.pl");
		return NULL;
	}
	eo_try(eo_file_write(mail, m->text, strlen(m->text)));
	eo_try(eo_kbuild_run(k, own, &r));
	read_types(eo_str_get(&r.out), n, &types);
	if (n[0] + n[1] + n[2])
		eo_checks_add(out, step, "checkpatch", n[0] ? EO_FAIL : EO_WARN,
			      eo_str_get(&r.out),
			      "%zu errors, %zu warnings, %zu checks: %s", n[0],
			      n[1], n[2], eo_str_get(&types));
	else if (r.status)
		eo_checks_add(out, step, "checkpatch", EO_SKIPPED,
			      eo_str_get(&r.err), "it failed: see the log");
	else
		eo_checks_add(out, step, "checkpatch", EO_PASS, "",
			      "--strict is silent");
	return NULL;
}

/* One "Fixes: 0123456789ab (…)"; @p is at the digits. */
static void check_commit(const struct eo_tree *tree, size_t step, const char *p,
			 struct eo_checks *out)
{
	size_t n = strspn(p, "0123456789abcdef");
	EO_CLEANUP(eo_freep)
	char *commit = eo_asprintf("%.*s^{commit}", (int)n, p);
	EO_CLEANUP(eo_proc_result_release) struct eo_proc_result r = { 0 };
	const struct eo_git git = { .dir = tree->root };
	const char *const args[] = { "rev-parse", "--verify", "--quiet", commit,
				     NULL };
	struct eo_error *err;

	if (n < 12) {
		eo_checks_add(out, step, "fixes", EO_WARN, "",
			      "Fixes: has %zu digits, not at least 12", n);
		return;
	}
	if (!tree->revision) {
		eo_checks_add(out, step, "fixes", EO_SKIPPED, "",
			      "the tree has no git history to find %.12s in",
			      p);
		return;
	}
	err = eo_git_run(&git, args, &r);
	if (err || r.status)
		eo_checks_add(out, step, "fixes", EO_FAIL, "",
			      "there is no commit %.12s", p);
	else
		eo_checks_add(out, step, "fixes", EO_PASS, "",
			      "commit %.12s is there", p);
	eo_error_free(err);
}

static void check_fixes(const struct eo_tree *tree, size_t step,
			const struct eo_mail *m, struct eo_checks *out)
{
	size_t before = out->n;

	for (const char *p = m->message; *p; p += *p == '\n') {
		if (eo_starts_with(p, "Fixes: "))
			check_commit(tree, step, p + strlen("Fixes: "), out);
		p += strcspn(p, "\n");
	}
	if (out->n == before)
		eo_checks_add(out, step, "fixes", EO_SKIPPED, "",
			      "it names no commit that it fixes");
}

struct words {
	const char **items;
	size_t n, cap;
};

static void words_free(struct words *w)
{
	free(w->items);
}

/* Addresses, one a line, of those who maintain what is touched. */
static struct eo_error *maintainers(const struct eo_kbuild *k,
				    const struct eo_applied *patch,
				    struct eo_proc_result *r)
{
	static const char *const program[] = {
		"perl",		  "scripts/get_maintainer.pl",
		"--no-git",	  "--no-git-fallback",
		"--no-rolestats", "--no-n",
		"--no-l",	  "-f",
	};
	EO_CLEANUP(words_free) struct words argv = { 0 };
	const struct eo_bind bind = { k->source->dir, "/src", false };
	const struct eo_sandbox box = { .off = k->no_sandbox,
					.binds = &bind,
					.n_binds = 1,
					.limits.timeout_ms = 30000 };
	struct eo_proc p = { .cwd = eo_kbuild_source(k) };
	const struct eo_touched *t;

	for (size_t i = 0; i < sizeof(program) / sizeof(program[0]); i++)
		*eo_vec_push(&argv) = program[i];
	eo_vec_for_each(t, &patch->files)
		if (!t->removed)
			*eo_vec_push(&argv) = t->file;
	*eo_vec_push(&argv) = NULL;
	p.argv = argv.items;
	return eo_sandbox_run(&box, &p, r);
}

/* Those of @said, one a line, that neither get the mail nor have written it. */
static void find_missing(const char *said, const struct eo_mail *m,
			 struct eo_str *out)
{
	for (const char *l = said; *l; l += *l == '\n') {
		size_t n = strcspn(l, "\n");
		EO_CLEANUP(eo_freep) char *who = eo_strndup(l, n);

		if (n && !strcasestr(m->to, who) && strcasecmp(who, m->email))
			eo_str_addf(out, "%s%s", out->len ? ", " : "", who);
		l += n;
	}
}

/* Maintainers by scripts/get_maintainer.pl that the mail does not go to. */
static void check_recipients(const struct eo_kbuild *k, size_t step,
			     const struct eo_mail *m,
			     const struct eo_applied *patch,
			     struct eo_checks *out)
{
	EO_CLEANUP(eo_proc_result_release) struct eo_proc_result r = { 0 };
	EO_CLEANUP(eo_str_release) struct eo_str missing = { 0 };
	struct eo_error *err = *m->to ? maintainers(k, patch, &r) : NULL;

	if (err || r.status || !*m->to) {
		eo_checks_add(
			out, step, "recipients", EO_SKIPPED, "", "%s",
			*m->to ? "scripts/get_maintainer.pl gives no answer" :
				 "the input does not show whom it goes to");
		eo_error_free(err);
		return;
	}
	find_missing(eo_str_get(&r.out), m, &missing);
	if (missing.len)
		eo_checks_add(out, step, "recipients", EO_WARN, "",
			      "not in To or Cc: %s", missing.s);
	else
		eo_checks_add(out, step, "recipients", EO_PASS, "",
			      "all maintainers are in To or Cc");
}

void eo_check_trailers(const struct eo_tree *tree, const struct eo_kbuild *k,
		       size_t step, const struct eo_mail *m,
		       const struct eo_applied *patch, struct eo_checks *out)
{
	check_fixes(tree, step, m, out);
	if (patch->files.n)
		check_recipients(k, step, m, patch, out);
}

static struct eo_error *at_base(const struct eo_tree *tree, const char *base,
				const char *file, struct eo_source *s)
{
	EO_CLEANUP(eo_proc_result_release) struct eo_proc_result r = { 0 };
	const struct eo_git git = { .dir = tree->root };
	EO_CLEANUP(eo_freep) char *blob = eo_asprintf("%s:%s", base, file);
	const char *const args[] = { "cat-file", "blob", blob, NULL };

	eo_try(eo_git_run(&git, args, &r));
	if (r.status)
		return eo_source_remove(s, file);
	return eo_source_put(s, file, eo_str_get(&r.out), r.out.len, false);
}

struct eo_error *eo_source_at(const struct eo_tree *tree, const char *base,
			      struct eo_source *s)
{
	EO_CLEANUP(eo_proc_result_release) struct eo_proc_result r = { 0 };
	const struct eo_git git = { .dir = tree->root };
	const char *p, *end;

	eo_try(EO_GIT(&git, &r, "diff", "--name-only", "-z", "--no-renames",
		      "--no-ext-diff", base, "--"));
	for (p = eo_str_get(&r.out), end = p + r.out.len; p < end;
	     p += strlen(p) + 1)
		eo_try(at_base(tree, base, p, s));
	return NULL;
}
