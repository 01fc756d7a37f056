// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>

#include "base/err.h"
#include "cli/cli.h"
#include "db/db.h"
#include "reports/report.h"

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
	eo_try(eo_session_open(args, &s));
	eo_try(eo_report_html(s.db, args->run, dir));
	printf("%s/index.html\n", dir);
	return NULL;
}

const struct eo_command eo_cmd_report = {
	.allowed = "tdorqv",
	.usage = "[OPTION…] [-o DIR]",
	.help = "Writes a run as HTML pages that need no network: an index, and a page a\n"
		"finding with the source, the proof, both engines' word and the patch.\n\n"
		"example:\n"
		"  earlyout report -o report && xdg-open report/index.html\n",
	.main = report_main,
};
