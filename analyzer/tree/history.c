// SPDX-License-Identifier: GPL-2.0-only
#include "tree/history.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/proc.h"
#include "base/str.h"
#include "tree/git.h"
#include "tree/tree.h"

/* "R100", old, new, each with a NUL behind it. */
static void read_renames(const struct eo_str *text, struct eo_arena *arena,
			 struct eo_map *out)
{
	const char *p = text->s, *end = text->s + text->len;

	while (p < end) {
		const char *old = p + strlen(p) + 1;
		const char *new = old < end ? old + strlen(old) + 1 : end;

		if (new >= end)
			return;
		if (*p == 'R')
			eo_map_set(out, old, eo_arena_strdup(arena, new));
		p = new + strlen(new) + 1;
	}
}

struct eo_error *eo_git_renames(const struct eo_tree *tree,
				const char *revision, struct eo_arena *arena,
				struct eo_map *out)
{
	const char *const argv[] = { "git",
				     "-c",
				     "core.fsmonitor=false",
				     "-c",
				     "diff.renameLimit=0",
				     "diff",
				     "--no-ext-diff",
				     "--name-status",
				     "-z",
				     "--find-renames",
				     "--diff-filter=R",
				     "--end-of-options",
				     revision,
				     "--",
				     NULL };
	EO_CLEANUP(eo_proc_result_release) struct eo_proc_result r = { 0 };
	struct eo_error *err;

	if (!tree->revision)
		return NULL;
	err = eo_git(tree, argv, &r);
	if (err && eo_error_kind(err) == EO_ERR_INTERRUPTED)
		return err;
	if (!err && !r.status && !r.truncated && r.out.len)
		read_renames(&r.out, arena, out);
	eo_error_free(err);
	return NULL;
}

/* The function that a line at the left margin declares, defines or is of. */
static void add_function(struct eo_map *to, const char *s, size_t n)
{
	const char *open = memchr(s, '(', n);
	const char *name, *last;
	char *copy;

	if (!n || (!eo_is_ident(*s) && *s != '*'))
		return;
	if (!open)
		return;
	for (last = open; last > s && last[-1] == ' '; last--)
		;
	for (name = last; name > s && eo_is_ident(name[-1]); name--)
		;
	if (name == last || (*name >= '0' && *name <= '9'))
		return;
	copy = eo_strndup(name, (size_t)(last - name));
	/* EXPORT_SYMBOL(x) and its like are everywhere */
	if (strpbrk(copy, "abcdefghijklmnopqrstuvwxyz"))
		eo_set_add(to, copy);
	free(copy);
}

/* Of a diff without context, the hunks' functions and the changed lines. */
static void read_diff(const struct eo_str *text, struct eo_map *functions)
{
	const char *p = eo_str_get(text), *end = p + text->len;

	while (p < end) {
		const char *nl = memchr(p, '\n', (size_t)(end - p));
		const char *stop = nl ? nl : end;

		if (eo_starts_with(p, "@@ ")) {
			const char *at = strstr(p + 3, "@@ ");

			if (at && at < stop)
				add_function(functions, at + 3,
					     (size_t)(stop - at - 3));
		} else if ((*p == '+' || *p == '-') && p[1] != *p) {
			add_function(functions, p + 1, (size_t)(stop - p - 1));
		}
		p = stop + 1;
	}
}

static struct eo_error *check_range(const struct eo_tree *tree,
				    const char *range)
{
	if (!tree->revision)
		return eo_error_new(
			EO_ERR_USAGE,
			"--changed %s: %s is not the top of a git work tree, so there are no commits to look at",
			range, tree->root);
	if (!strstr(range, "..") || *range == '-')
		return eo_error_new(
			EO_ERR_USAGE,
			"--changed takes a range of commits, as in v6.12..HEAD, not %s",
			range);
	return NULL;
}

static struct eo_error *bad_range(const char *range,
				  const struct eo_proc_result *r)
{
	const char *said = eo_str_get(&r->err);

	return eo_error_new(EO_ERR_USAGE, "--changed %s: %.*s", range,
			    (int)strcspn(said, "\n"),
			    *said ? said : "git does not know the range");
}

static struct eo_error *changed_files(const struct eo_tree *tree,
				      const char *range, struct eo_changes *out)
{
	const char *const argv[] = {
		"git",	       "diff", "--no-ext-diff",	   "--no-renames",
		"--name-only", "-z",   "--end-of-options", range,
		"--",	       NULL
	};
	EO_CLEANUP(eo_proc_result_release) struct eo_proc_result r = { 0 };

	eo_try(eo_git(tree, argv, &r));
	if (r.status)
		return bad_range(range, &r);
	for (const char *p = eo_str_get(&r.out), *end = p + r.out.len; p < end;
	     p += strlen(p) + 1)
		eo_set_add(&out->files, p);
	return NULL;
}

static struct eo_error *changed_functions(const struct eo_tree *tree,
					  const char *range,
					  struct eo_changes *out)
{
	const char *const argv[] = { "git",
				     "-c",
				     "core.quotePath=false",
				     "diff",
				     "--no-ext-diff",
				     "--no-textconv",
				     "--no-renames",
				     "--no-color",
				     "--unified=0",
				     "--end-of-options",
				     range,
				     "--",
				     "*.c",
				     NULL };
	EO_CLEANUP(eo_proc_result_release) struct eo_proc_result r = { 0 };

	eo_try(eo_git(tree, argv, &r));
	if (r.status)
		return bad_range(range, &r);
	if (r.truncated)
		return eo_error_new(
			EO_ERR_INPUT,
			"--changed %s: the diff is too large; scan the whole tree",
			range);
	read_diff(&r.out, &out->functions);
	return NULL;
}

static struct eo_error *range_end(const struct eo_tree *tree, const char *range,
				  char **out)
{
	const char *last = strstr(range, "..");
	const char *argv[] = { "git",	  "rev-parse",	      "--verify",
			       "--quiet", "--end-of-options", NULL,
			       NULL };
	EO_CLEANUP(eo_proc_result_release) struct eo_proc_result r = { 0 };
	EO_CLEANUP(eo_freep) char *commit = NULL;

	last += strspn(last, ".");
	commit = eo_asprintf("%s^{commit}", *last ? last : "HEAD");
	argv[5] = commit;
	eo_try(eo_git(tree, argv, &r));
	if (r.status)
		return bad_range(range, &r);
	*out = eo_strndup(eo_str_get(&r.out),
			  strspn(eo_str_get(&r.out), "0123456789abcdef"));
	return NULL;
}

struct eo_error *eo_git_changes(const struct eo_tree *tree, const char *range,
				struct eo_changes *out)
{
	eo_try(check_range(tree, range));
	eo_try(changed_files(tree, range, out));
	eo_try(changed_functions(tree, range, out));
	return range_end(tree, range, &out->end);
}

void eo_changes_release(struct eo_changes *c)
{
	eo_map_release(&c->files);
	eo_map_release(&c->functions);
	free(c->end);
	*c = (struct eo_changes){ 0 };
}
