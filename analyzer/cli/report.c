// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <sys/stat.h>

#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/str.h"
#include "cli/cli.h"
#include "db/db.h"
#include "reports/report.h"

/* To a file, when one is named: whole, or as it was. */
static struct eo_error *print(struct eo_db *db, const struct eo_args *args)
{
	EO_CLEANUP(eo_freep) char *text = NULL;
	struct eo_error *err;
	size_t n = 0;
	FILE *to;

	if (!args->output)
		return eo_report_print(db, args->run, args->format, stdout);
	to = open_memstream(&text, &n);
	if (!to)
		eo_oom();
	err = eo_report_print(db, args->run, args->format, to);
	fclose(to);
	return err ? err : eo_file_write(args->output, text, n);
}

/* "-o x.html", or a file that is there already: one page to attach. */
static bool is_file(const char *output)
{
	struct stat st;

	return eo_ends_with(output, ".html") || eo_ends_with(output, ".htm") ||
	       (!stat(output, &st) && S_ISREG(st.st_mode));
}

static struct eo_error *report_main(const struct eo_args *args, int *exit_code)
{
	EO_CLEANUP(eo_session_close) struct eo_session s = { 0 };
	const char *dir = args->output ? args->output : "earlyout-report";

	(void)exit_code;
	if (args->n_words)
		return eo_error_new(
			EO_ERR_USAGE,
			"report takes no %s: see `earlyout report --help`",
			args->words[0]);
	if (args->format == EO_FORMAT_CSV)
		return eo_error_new(
			EO_ERR_USAGE,
			"report prints no csv; `earlyout bench show --format csv` prints samples so");
	eo_try(eo_session_open(args, &s));
	if (args->format)
		return print(s.db, args);
	if (is_file(dir)) {
		eo_try(eo_report_html_file(s.db, args->run, dir));
		printf("%s\n", dir);
		return NULL;
	}
	eo_try(eo_report_html(s.db, args->run, dir));
	printf("%s/index.html\n", dir);
	return NULL;
}

const struct eo_command eo_cmd_report = {
	.allowed = "tdorFqv",
	.usage = "[OPTION…] [-o DIR|FILE]",
	.help = "Writes a run as HTML that needs no network: an overview, a list to filter, and\n"
		"of each finding the source, the proof, both engines' word, the patch and what was\n"
		"measured. To a folder it writes a page each, to a FILE.html all in one page, to\n"
		"attach. With --format it prints the run, or writes it to FILE.\n\n"
		"examples:\n"
		"  earlyout report -o report && xdg-open report/index.html\n"
		"  earlyout report -o report.html\n"
		"  earlyout report --format sarif -o earlyout.sarif\n"
		"  earlyout report --format markdown | mail -s findings me\n",
	.main = report_main,
};
