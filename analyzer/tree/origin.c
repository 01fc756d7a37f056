// SPDX-License-Identifier: GPL-2.0-only
#include "tree/origin.h"

#include <stdbool.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/proc.h"
#include "base/str.h"
#include "tree/git.h"
#include "tree/tree.h"

/* Begins a commit in what we make git print; not in C source. */
#define MARK '\1'

/* The commit that is being read, and the name that the call has by then. */
struct trail {
	char *name;
	char *commit; /* "0123456789ab (\"subject\")" */
	bool is_root;
	struct eo_str minus, plus; /* its changed lines */
};

static void trail_release(struct trail *t)
{
	eo_freep(&t->name);
	eo_freep(&t->commit);
	eo_str_release(&t->minus);
	eo_str_release(&t->plus);
}

/* The place in @text where @name is called, or NULL. */
static const char *call_in(const char *text, const char *name)
{
	size_t n = strlen(name);

	for (const char *p = text; (p = strstr(p, name)); p++)
		if ((p == text || !eo_is_ident(p[-1])) && p[n] == '(')
			return p;
	return NULL;
}

/*
 * What was called in @minus where @plus calls @name, when nothing else of the
 * line is another: then the call was there before under that name. The caller
 * frees.
 */
static char *old_name(const char *minus, const char *plus, const char *name)
{
	EO_CLEANUP(eo_freep) char *old = eo_squeeze(minus, strlen(minus));
	EO_CLEANUP(eo_freep) char *new = eo_squeeze(plus, strlen(plus));
	const char *at = call_in(new, name);
	size_t before = at ? (size_t)(at - new) : 0, len = 0;

	if (!at || strncmp(old, new, before))
		return NULL;
	while (eo_is_ident(old[before + len]))
		len++;
	if (!len || strcmp(old + before + len, at + strlen(name)))
		return NULL;
	return eo_strndup(old + before, len);
}

/* Whether the commit that was read brought the call in. */
static bool is_origin(struct trail *t)
{
	const char *minus = eo_str_get(&t->minus), *plus = eo_str_get(&t->plus);
	char *before;

	if (!t->commit || !call_in(plus, t->name) || call_in(minus, t->name))
		return false;
	before = old_name(minus, plus, t->name);
	if (!before)
		return true;
	eo_freep(&t->name);
	t->name = before;
	return false;
}

/* "0123456789ab PARENT PARENT" and, on the next line, the subject. */
static const char *begin_commit(struct trail *t, const char *line)
{
	const char *subject = line + strcspn(line, "\n");
	size_t hash = strcspn(line, " \n"), len;

	subject += *subject == '\n';
	len = strcspn(subject, "\n");
	eo_freep(&t->commit);
	t->commit = eo_asprintf("%.*s (\"%.*s\")", (int)hash, line, (int)len,
				subject);
	t->is_root = strspn(line + hash, " ") == strcspn(line + hash, "\n");
	eo_str_clear(&t->minus);
	eo_str_clear(&t->plus);
	return subject + len;
}

/* Reads git's answer, newest commit first, until one brought the call in. */
static void follow(struct trail *t, const char *text)
{
	bool in_hunk = false;

	while (*text) {
		size_t n = strcspn(text, "\n");

		if (*text == MARK) {
			if (is_origin(t))
				return;
			text = begin_commit(t, text + 1);
			in_hunk = false;
			n = 0;
		} else if (eo_starts_with(text, "@@ ")) {
			in_hunk = true;
		} else if (in_hunk && (*text == '-' || *text == '+')) {
			eo_str_addn(*text == '-' ? &t->minus : &t->plus,
				    text + 1, n - 1);
			eo_str_addc(*text == '-' ? &t->minus : &t->plus, '\n');
		}
		text += n + (text[n] == '\n');
	}
	if (!is_origin(t))
		eo_freep(&t->commit);
}

static struct eo_error *ask(const struct eo_tree *tree, const char *const *argv,
			    struct eo_proc_result *r)
{
	struct eo_error *err = eo_git(tree, argv, r);

	if (err && eo_error_kind(err) == EO_ERR_INTERRUPTED)
		return err;
	if (err)
		r->status = 1;
	eo_error_free(err);
	return NULL;
}

struct eo_error *eo_git_origin(const struct eo_tree *tree, const char *file,
			       unsigned line, const char *call, char **out)
{
	EO_CLEANUP(eo_freep)
	char *range = eo_asprintf("-L%u,%u:%s", line, line, file);
	const char *const clean[] = { "git",  "--literal-pathspecs",
				      "diff", "--quiet",
				      "HEAD", "--",
				      file,   NULL };
	const char *const log[] = {
		"git",		 "-c",		"log.showSignature=false",
		"log",		 "--no-color",	"--no-ext-diff",
		"--no-textconv", "--abbrev=12", "--format=%x01%h %P%n%s",
		range,		 "HEAD",	NULL
	};
	EO_CLEANUP(eo_proc_result_release) struct eo_proc_result diff = { 0 };
	EO_CLEANUP(eo_proc_result_release) struct eo_proc_result r = { 0 };
	EO_CLEANUP(trail_release) struct trail t = { 0 };

	*out = NULL;
	if (!tree->revision || !line)
		return NULL;
	/* Line numbers are those of the file as it is. */
	eo_try(ask(tree, clean, &diff));
	if (diff.status)
		return NULL;
	eo_try(ask(tree, log, &r));
	if (r.status || r.truncated)
		return NULL;
	t.name = eo_strdup(call);
	follow(&t, eo_str_get(&r.out));
	if (t.commit && !t.is_root) {
		*out = t.commit;
		t.commit = NULL;
	}
	return NULL;
}
