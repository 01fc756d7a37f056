// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>

#include "base/err.h"
#include "base/progress.h"
#include "cli/cli.h"
#include "tree/tree.h"
#include "verify/verify.h"

static void close_tree(struct eo_tree **tree)
{
	eo_tree_free(*tree);
}

/* Something that could not be checked is no pass; what there is to skip in
 * any patch (no Fixes:, no recipients) is. */
static int verdict(const struct eo_checks *c)
{
	const struct eo_check *it;
	int code = EO_EXIT_CLEAN;

	eo_vec_for_each(it, c) {
		if (it->verdict == EO_FAIL)
			return EO_EXIT_FINDINGS;
		if (it->verdict == EO_SKIPPED &&
		    (eo_streq(it->name, "build") || eo_streq(it->name, "scan")))
			code = EO_EXIT_INCOMPLETE;
	}
	return code;
}

static struct eo_error *verify_main(const struct eo_args *args, int *exit_code)
{
	EO_CLEANUP(close_tree) struct eo_tree *tree = NULL;
	EO_CLEANUP(eo_input_release) struct eo_input in = { 0 };
	EO_CLEANUP(eo_checks_release) struct eo_checks checks = { 0 };
	const struct eo_verify_options opts = {
		.model = args->model,
		.build = args->build,
		.compile_commands = args->compile_commands,
		.jobs = args->jobs,
		.timeout_s = args->timeout_s,
		.no_sandbox = args->no_sandbox,
		.smpl = !args->no_smpl,
	};

	if (args->n_words > 1 || (!args->n_words && !args->b4))
		return eo_error_new(
			EO_ERR_USAGE,
			"verify takes one thing to verify: a folder, a file, - or A..B; see `earlyout verify --help`");
	eo_try(eo_tree_open(args->tree, &tree));
	eo_try(eo_input_read(tree, args->n_words ? args->words[0] : "-", &in));
	eo_try(eo_verify(tree, &in, &opts, &checks));
	eo_progress_end();
	if (args->b4)
		eo_verify_b4(&checks, stdout);
	else if (args->format == EO_FORMAT_JSON)
		eo_verify_json(&in, &checks, stdout);
	else
		eo_verify_text(&in, &checks, args->verbose, stdout);
	*exit_code = verdict(&checks);
	return NULL;
}

const struct eo_command eo_cmd_verify = {
	.allowed = "tbcmjTF&*Sqv",
	.usage = "[OPTION…] INPUT",
	.help = "Says whether a patch is right, ours or a stranger's: applies it in a copy of\n"
		"the tree, builds and checks each step in a sandbox, scans before and after.\n"
		"INPUT is a folder of patches, an mbox, a mail (- for standard input), a range\n"
		"of commits A..B, or the text of a mail as a web archive shows it.\n\n"
		"examples:\n"
		"  earlyout verify earlyout-patches\n"
		"  b4 am -o - MESSAGE-ID | earlyout verify --tree ~/linux -\n"
		"  earlyout verify origin/master..HEAD --format json\n"
		"  earlyout verify --b4 <patch.eml\n",
	.main = verify_main,
};
