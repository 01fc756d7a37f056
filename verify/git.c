// SPDX-License-Identifier: GPL-2.0-only
#include "verify/git.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/proc.h"

#define TIMEOUT_MS 60000
#define MAX_ARGS 32

/* The user's environment may be that of a hook, or of a rebase. */
static const char *const clean[] = {
	"-u", "GIT_DIR",	   "-u", "GIT_WORK_TREE",
	"-u", "GIT_INDEX_FILE",	   "-u", "GIT_OBJECT_DIRECTORY",
	"-u", "GIT_NAMESPACE",	   "-u", "GIT_ALTERNATE_OBJECT_DIRECTORIES",
	"-u", "GIT_COMMON_DIR",	   "-u", "GIT_PREFIX",
	"-u", "GIT_CONFIG_COUNT",  "-u", "GIT_CONFIG_PARAMETERS",
	"-u", "GIT_EXTERNAL_DIFF",
};

#define N_CLEAN (sizeof(clean) / sizeof(clean[0]))

struct eo_error *eo_git_run(const struct eo_git *g, const char *const *args,
			    struct eo_proc_result *r)
{
	EO_CLEANUP(eo_freep)
	char *name = eo_asprintf("GIT_AUTHOR_NAME=%s", g->author && *g->author ?
							       g->author :
							       "nobody");
	EO_CLEANUP(eo_freep)
	char *email = eo_asprintf("GIT_AUTHOR_EMAIL=%s",
				  g->email && *g->email ? g->email :
							  "nobody@invalid");
	EO_CLEANUP(eo_freep)
	char *date = eo_asprintf("GIT_AUTHOR_DATE=%s", g->date ? g->date : "");
	EO_CLEANUP(eo_freep)
	char *ceiling = eo_asprintf("GIT_CEILING_DIRECTORIES=%s/..", g->dir);
	const char *const env[] = {
		"GIT_CONFIG_NOSYSTEM=1",
		"GIT_CONFIG_GLOBAL=/dev/null",
		"GIT_ATTR_NOSYSTEM=1",
		"GIT_TERMINAL_PROMPT=0",
		"GIT_OPTIONAL_LOCKS=0",
		"GIT_COMMITTER_NAME=earlyout",
		"LC_ALL=C.UTF-8",
		"GIT_COMMITTER_EMAIL=earlyout@invalid",
		"GIT_PAGER=cat",
		name,
		email,
		date,
		ceiling,
		NULL,
	};
	const char *argv[N_CLEAN + MAX_ARGS + 12] = { "env" };
	size_t n = 1;
	const struct eo_proc p = {
		.argv = argv,
		.cwd = g->dir,
		.env = env,
		.input = g->input,
		.input_len = g->input_len,
		.timeout_ms = g->timeout_ms ? g->timeout_ms : TIMEOUT_MS,
	};

	for (size_t i = 0; i < N_CLEAN; i++)
		argv[n++] = clean[i];
	argv[n++] = "git";
	argv[n++] = "-c";
	argv[n++] = "core.hooksPath=/dev/null";
	argv[n++] = "-c";
	argv[n++] = "core.fsmonitor=false";
	argv[n++] = "-c";
	argv[n++] = "core.quotePath=false";
	for (size_t i = 0; args[i] && i < MAX_ARGS; i++)
		argv[n++] = args[i];
	argv[n] = NULL;
	return eo_proc_run(&p, r);
}

struct eo_error *eo_git_check(const struct eo_git *g, const char *const *args,
			      struct eo_proc_result *r)
{
	EO_CLEANUP(eo_freep) char *said = NULL;

	eo_try(eo_git_run(g, args, r));
	if (r->status == 0)
		return NULL;
	said = eo_squeeze(eo_str_get(&r->err), r->err.len);
	return eo_error_new(EO_ERR_ENV, "git %s failed with status %d: %s",
			    args[0], r->status, said);
}
