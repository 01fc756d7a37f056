// SPDX-License-Identifier: GPL-2.0-only
#include "reports/scratch.h"

#include <libgen.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/proc.h"
#include "base/str.h"

/* A tag for the commit that has the files as they are in the tree. */
#define BASE "base"
#define BRANCH "series"
/* The same of an earlier version. */
#define OLD_BASE "old-base"
#define OLD "old"
/* What range-diff compares. */
#define OLD_RANGE OLD_BASE ".." OLD
#define RANGE BASE ".." BRANCH

#define MAX_ARGS 24

/* With @status NULL, one that is not 0 is an error. */
static struct eo_error *git(struct eo_scratch *s, const char *const *args,
			    const char *input, struct eo_str *out, int *status)
{
	const char *argv[MAX_ARGS] = { "git" };
	const struct eo_proc p = {
		.argv = argv,
		.cwd = s->work,
		.env = (const char *const *)s->env,
		.input = input,
		.input_len = input ? strlen(input) : 0,
	};
	EO_CLEANUP(eo_proc_result_release) struct eo_proc_result r = { 0 };

	for (size_t i = 0; args[i] && i + 2 < MAX_ARGS; i++)
		argv[i + 1] = args[i];
	eo_try(status ? eo_proc_run(&p, &r) : eo_proc_check(&p, &r));
	if (status)
		*status = r.status;
	if (out)
		eo_str_addn(out, eo_str_get(&r.out), r.out.len);
	return NULL;
}

#define GIT(s, input, out, ...)                                              \
	git((s), (const char *const[]){ __VA_ARGS__, NULL }, (input), (out), \
	    NULL)

/*
 * What the user's environment may hold (we may run in a hook, or below a
 * rebase) is set here to our own, variable by variable.
 */
static char **make_env(const struct eo_identity *author, const char *work)
{
	struct {
		char **items;
		size_t n, cap;
	} env = { 0 };

	*eo_vec_push(&env) = eo_strdup("GIT_CONFIG_NOSYSTEM=1");
	*eo_vec_push(&env) = eo_strdup("GIT_CONFIG_GLOBAL=/dev/null");
	*eo_vec_push(&env) = eo_strdup("GIT_CONFIG_COUNT=0");
	*eo_vec_push(&env) = eo_strdup("GIT_CONFIG_PARAMETERS=");
	*eo_vec_push(&env) = eo_strdup("GIT_ATTR_NOSYSTEM=1");
	*eo_vec_push(&env) = eo_strdup("GIT_DEFAULT_HASH=sha1");
	*eo_vec_push(&env) = eo_strdup("GIT_ALTERNATE_OBJECT_DIRECTORIES=");
	*eo_vec_push(&env) = eo_strdup("LC_ALL=C.UTF-8");
	*eo_vec_push(&env) = eo_asprintf("GIT_DIR=%s/.git", work);
	*eo_vec_push(&env) = eo_asprintf("GIT_WORK_TREE=%s", work);
	*eo_vec_push(&env) = eo_asprintf("GIT_INDEX_FILE=%s/.git/index", work);
	*eo_vec_push(&env) =
		eo_asprintf("GIT_OBJECT_DIRECTORY=%s/.git/objects", work);
	*eo_vec_push(&env) = eo_asprintf("GIT_AUTHOR_NAME=%s", author->name);
	*eo_vec_push(&env) =
		eo_asprintf("GIT_AUTHOR_EMAIL=%s", author->address);
	*eo_vec_push(&env) = eo_asprintf("GIT_COMMITTER_NAME=%s", author->name);
	*eo_vec_push(&env) =
		eo_asprintf("GIT_COMMITTER_EMAIL=%s", author->address);
	*eo_vec_push(&env) = NULL;
	return env.items;
}

/* Diffs as the kernel's own settings make them. */
static const char *const settings[][2] = {
	{ "core.abbrev", "12" },       { "core.autocrlf", "false" },
	{ "core.quotePath", "false" }, { "commit.gpgSign", "false" },
	{ "diff.renames", "false" },   { "i18n.commitEncoding", "UTF-8" },
};

struct eo_error *eo_scratch_open(const struct eo_identity *author,
				 struct eo_scratch *s)
{
	static const char attributes[] = "* -text\n*.[ch] -text diff=cpp\n";
	EO_CLEANUP(eo_freep) char *info = NULL;
	EO_CLEANUP(eo_freep) char *attr = NULL;

	eo_try(eo_temp_dir(&s->dir));
	s->work = eo_path_join(s->dir, "work");
	s->mails = eo_path_join(s->dir, "mails");
	s->env = make_env(author, s->work);
	eo_try(eo_mkdirs(s->work));
	eo_try(eo_mkdirs(s->mails));
	eo_try(GIT(s, NULL, NULL, "init", "-q", "--template=", "-b", BRANCH));
	for (size_t i = 0; i < sizeof(settings) / sizeof(settings[0]); i++)
		eo_try(GIT(s, NULL, NULL, "config", settings[i][0],
			   settings[i][1]));
	info = eo_path_join(s->work, ".git/info");
	attr = eo_path_join(info, "attributes");
	eo_try(eo_mkdirs(info));
	return eo_file_write(attr, attributes, strlen(attributes));
}

void eo_scratch_release(struct eo_scratch *s)
{
	if (s->dir)
		eo_error_free(eo_remove_tree(s->dir));
	for (char **e = s->env; e && *e; e++)
		free(*e);
	free(s->env);
	free(s->dir);
	free(s->work);
	free(s->mails);
	*s = (struct eo_scratch){ 0 };
}

struct eo_error *eo_scratch_put(struct eo_scratch *s, const char *file,
				const char *text, size_t n)
{
	EO_CLEANUP(eo_freep) char *path = eo_path_join(s->work, file);
	EO_CLEANUP(eo_freep) char *dir = eo_strdup(path);

	eo_try(eo_mkdirs(dirname(dir)));
	return eo_file_write(path, text, n);
}

struct eo_error *eo_scratch_commit(struct eo_scratch *s, const char *message)
{
	eo_try(GIT(s, NULL, NULL, "add", "-A", "-f", "."));
	return GIT(s, message, NULL, "commit", "-q", "--no-verify",
		   "--cleanup=verbatim", "-F", "-");
}

struct eo_error *eo_scratch_mark_base(struct eo_scratch *s)
{
	return GIT(s, NULL, NULL, "tag", BASE);
}

struct eo_error *eo_scratch_diff(struct eo_scratch *s, struct eo_str *out)
{
	eo_try(GIT(s, NULL, NULL, "add", "-A", "-f", "."));
	return GIT(s, NULL, out, "diff-index", "--cached", "-p", "-U3",
		   "--no-ext-diff", "--no-textconv", "HEAD");
}

struct eo_error *eo_scratch_applies(struct eo_scratch *s, const char *diff,
				    bool *applies)
{
	static const char *const args[] = { "apply", "--cached", "--check", "-",
					    NULL };
	int status = 0;

	eo_try(GIT(s, NULL, NULL, "read-tree", BASE));
	eo_try(git(s, args, diff, NULL, &status));
	*applies = status == 0;
	return GIT(s, NULL, NULL, "read-tree", "HEAD");
}

struct eo_error *eo_scratch_pack(struct eo_scratch *s, struct eo_str *out)
{
	EO_CLEANUP(eo_freep) char *path = eo_path_join(s->dir, "bundle");

	eo_try(GIT(s, NULL, NULL, "bundle", "create", "-q", path, BASE,
		   BRANCH));
	return eo_file_read(path, out);
}

struct eo_error *eo_scratch_unpack(struct eo_scratch *s, const void *p,
				   size_t n)
{
	EO_CLEANUP(eo_freep) char *path = eo_path_join(s->dir, "old-bundle");

	eo_try(eo_file_write(path, p, n));
	return GIT(s, NULL, NULL, "fetch", "-q", "--no-tags",
		   "--no-write-fetch-head", path,
		   "refs/tags/" BASE ":refs/tags/" OLD_BASE,
		   "refs/heads/" BRANCH ":refs/heads/" OLD);
}

struct eo_error *eo_scratch_range_diff(struct eo_scratch *s, bool full,
				       struct eo_str *out)
{
	return GIT(s, NULL, out, "range-diff", "--no-color",
		   full ? "--patch" : "--no-patch", OLD_RANGE, RANGE);
}

struct eo_error *eo_scratch_mails(struct eo_scratch *s, const char *cover,
				  unsigned version, bool range)
{
	EO_CLEANUP(eo_freep)
	char *count = eo_asprintf("--reroll-count=%u", version);

	/* The branch's description is what the cover letter is made from. */
	eo_try(GIT(s, NULL, NULL, "config", "branch." BRANCH ".description",
		   cover));
	/* The first is no v1. */
	return GIT(s, NULL, NULL, "format-patch", "-q", "--cover-letter",
		   "--cover-from-description=subject", "-o", s->mails,
		   "--subject-prefix=PATCH", "-U3", "--no-ext-diff",
		   "--no-textconv", range ? "--range-diff=" OLD_RANGE : "-q",
		   version > 1 ? count : "-q", RANGE);
}
