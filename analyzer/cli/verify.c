// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <time.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/progress.h"
#include "cli/cli.h"
#include "db/db.h"
#include "tree/tree.h"
#include "verify/store.h"
#include "verify/verify.h"

static void close_tree(struct eo_tree **tree)
{
	eo_tree_free(*tree);
}

static int exit_code_of(const struct eo_checks *c)
{
	switch (eo_checks_verdict(c)) {
	case EO_FAIL:
		return EO_EXIT_FINDINGS;
	case EO_SKIPPED:
		return EO_EXIT_INCOMPLETE;
	default:
		return EO_EXIT_CLEAN;
	}
}

static void close_db(struct eo_db **db)
{
	eo_db_close(*db);
}

static void print(const struct eo_args *args, const struct eo_input *in,
		  const struct eo_checks *c)
{
	if (args->b4)
		eo_verify_b4(c, stdout);
	else if (args->format == EO_FORMAT_JSON)
		eo_verify_json(in, c, stdout);
	else
		eo_verify_text(in, c, args->verbose, stdout);
}

static struct eo_error *verify_main(const struct eo_args *args, int *exit_code)
{
	EO_CLEANUP(close_tree) struct eo_tree *tree = NULL;
	EO_CLEANUP(eo_input_release) struct eo_input in = { 0 };
	EO_CLEANUP(eo_checks_release) struct eo_checks checks = { 0 };
	EO_CLEANUP(close_db) struct eo_db *db = NULL;
	struct eo_verify_options opts = {
		.model = args->model,
		.build = args->build,
		.compile_commands = args->compile_commands,
		.jobs = args->jobs,
		.timeout_s = args->timeout_s,
		.disk_mib = args->disk_mib,
		.no_sandbox = args->no_sandbox,
		.smpl = !args->no_smpl,
	};

	struct eo_verify_run run = { .input = args->n_words ? args->words[0] :
							      "-",
				     .started = time(NULL) };
	int64_t start = eo_clock_ms();

	if (args->n_words > 1 || (!args->n_words && !args->b4))
		return eo_error_new(
			EO_ERR_USAGE,
			"verify takes one thing to verify: a folder, a file, - or A..B; see `earlyout verify --help`");
	eo_try(eo_tree_open(args->tree, &tree));
	eo_try(eo_input_read(tree, run.input, &in));
	eo_try(eo_db_open(args->db, tree->key, &db));
	eo_try(eo_verify_is_ours(db, tree, &in, &opts.ours));
	eo_try(eo_verify(tree, &in, &opts, &checks));
	eo_progress_end();
	run.sandbox = checks.sandboxed;
	run.duration_ms = eo_clock_ms() - start;
	print(args, &in, &checks);
	/* so that reports and cover letters can say it */
	if (!args->no_store)
		eo_try(eo_verify_store(db, tree, &in, &checks, &run));
	*exit_code = exit_code_of(&checks);
	return NULL;
}

const struct eo_command eo_cmd_verify = {
	.allowed = "tdbcmjTkF&*$Sqv",
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
