// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/progress.h"
#include "base/str.h"
#include "cli/cli.h"
#include "db/db.h"
#include "finding/finding.h"
#include "model/model.h"
#include "reports/escape.h"
#include "reports/series.h"

/* The wrappers that the scan had found are calls of the model here too. */
static struct eo_error *recall_wrappers(struct eo_session *s, int64_t run)
{
	EO_CLEANUP(eo_findings_release) struct eo_findings found = { 0 };

	eo_try(eo_db_get_findings(s->db, run, &found));
	for (size_t i = 0; i < found.n; i++) {
		struct eo_model_call w = { .name = found.items[i].call,
					   .ends_in = found.items[i].ends_in };

		if (w.ends_in)
			eo_model_add_wrapper(s->model, &w, false);
	}
	return NULL;
}

struct eo_error *eo_write_series(struct eo_session *s,
				 const struct eo_args *args, int64_t run,
				 const char *dir, unsigned *n, int *exit_code)
{
	EO_CLEANUP(eo_str_release) struct eo_str warnings = { 0 };
	struct eo_series_options opts = {
		.dir = dir, .from = args->from, .run = run, .jobs = args->jobs
	};
	unsigned failed = 0;
	struct eo_error *err;

	eo_try(recall_wrappers(s, run));
	err = eo_series_write(s->db, s->tree, s->model, &opts, &warnings, n,
			      &failed);
	eo_progress_end();
	if (warnings.len && (failed || !args->quiet))
		fputs(warnings.s, stderr);
	if (err || !failed)
		return err;
	fprintf(stderr, "%u of %u automatic fixes became no patch\n", failed,
		*n + failed);
	*exit_code = EO_EXIT_INCOMPLETE;
	return NULL;
}

char *eo_apply_command(const char *dir, unsigned n)
{
	struct eo_str s = { 0 };

	/* git am would stop at the cover letter */
	eo_str_add(&s, n == 1 ? "git am " : "git am $(ls ");
	eo_add_shell(&s, dir);
	eo_str_add(&s, n == 1 ? "/0001-*.patch" :
				"/0*.patch | grep -v cover-letter)");
	return eo_str_take(&s);
}

static struct eo_error *patch_main(const struct eo_args *args, int *exit_code)
{
	EO_CLEANUP(eo_session_close) struct eo_session s = { 0 };
	const char *dir = args->output ? args->output : "earlyout-patches";
	EO_CLEANUP(eo_freep) char *apply = NULL;
	unsigned n = 0;

	if (args->n_words)
		return eo_error_new(
			EO_ERR_USAGE,
			"patch takes no %s: see `earlyout patch --help`",
			args->words[0]);
	eo_try(eo_session_open(args, &s));
	eo_try(eo_write_series(&s, args, args->run, dir, &n, exit_code));
	apply = eo_apply_command(dir, n);
	if (!n && *exit_code)
		printf("nothing written\n");
	else if (!n)
		printf("no finding of that run has an automatic fix: nothing written\n");
	else
		printf("%s: %u %s and a cover letter; next: %s\n", dir, n,
		       n == 1 ? "patch" : "patches", apply);
	return NULL;
}

const struct eo_command eo_cmd_patch = {
	.allowed = "tdmjorfqv",
	.usage = "[OPTION…] [-o DIR]",
	.help = "Writes a mail series with the fixes of the last run's findings, those whose\n"
		"fix is automatic: 0000-cover-letter.patch, 0001-….patch. `git am` takes them.\n\n"
		"examples:\n"
		"  earlyout patch -o series\n"
		"  earlyout patch -o series --from 'A. Developer <dev@example.org>'\n",
	.main = patch_main,
};
