// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdio.h>

#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/str.h"
#include "cli/cli.h"
#include "reports/escape.h"
#include "reports/report.h"
#include "reports/series.h"
#include "tree/tree.h"

/* What a reviewer will ask first, as a line of a shell. */
static void say_next(const struct eo_session *s, const struct eo_args *args,
		     const char *series)
{
	EO_CLEANUP(eo_str_release) struct eo_str line = { 0 };

	eo_add_shell(&line, program_invocation_name);
	eo_str_add(&line, " verify --tree ");
	eo_add_shell(&line, s->tree->root);
	if (args->db) {
		eo_str_add(&line, " --db ");
		eo_add_shell(&line, args->db);
	}
	eo_str_addc(&line, ' ');
	eo_add_shell(&line, series);
	printf("next:   %s (builds and checks it, in a sandbox)\n", line.s);
}

static struct eo_error *run_main(const struct eo_args *args, int *exit_code)
{
	EO_CLEANUP(eo_session_close) struct eo_session s = { 0 };
	const char *dir = args->output ? args->output : "earlyout-out";
	EO_CLEANUP(eo_freep) char *series = eo_path_join(dir, "series");
	EO_CLEANUP(eo_freep) char *report = eo_path_join(dir, "report");
	EO_CLEANUP(eo_freep) char *apply = NULL;
	struct eo_error *err, *report_err;
	int64_t run = 0;
	EO_CLEANUP(eo_written_release) struct eo_written written = { 0 };

	if (args->n_words)
		return eo_error_new(
			EO_ERR_USAGE,
			"run takes no %s: see `earlyout run --help`",
			args->words[0]);
	eo_try(eo_mkdirs(dir));
	eo_try(eo_session_open(args, &s));
	eo_try(eo_scan_and_store(&s, args, &run, exit_code));
	eo_try(eo_report_text(s.db, run, stdout));
	fflush(stdout);
	err = eo_write_series(&s, args, run, series, &written, exit_code);
	if (err && eo_error_kind(err) == EO_ERR_INTERRUPTED)
		return err;
	/* Without patches the report is as good; the error comes after it. */
	report_err = eo_report_html(s.db, run, report);
	if (report_err) {
		eo_error_free(err);
		return report_err;
	}
	printf("\nreport: %s/index.html\n", report);
	apply = eo_apply_command(series, &written);
	if (written.patches) {
		printf("series: %s (%u %s; read it, then in the tree: %s)\n",
		       series, written.patches,
		       written.patches == 1 ? "patch" : "patches", apply);
		say_next(&s, args, series);
	} else {
		printf("series: none%s\n",
		       err || *exit_code == EO_EXIT_INCOMPLETE ?
			       "" :
			       ", no finding has an automatic fix");
	}
	return err ? eo_error_wrap(err, "no patches were written") : NULL;
}

const struct eo_command eo_cmd_run = {
	.allowed = "tdbcmjTofCBSqv",
	.usage = "[OPTION…] [-o DIR]",
	.help = "Scans the tree, writes the patches for what has an automatic fix, and the\n"
		"report. Everything goes to DIR (default: earlyout-out), nothing to the tree.\n\n"
		"examples:\n"
		"  cd linux && earlyout run\n"
		"  earlyout run --tree ~/linux -o /tmp/out\n",
	.main = run_main,
};
