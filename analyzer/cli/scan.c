// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "cli/cli.h"
#include "db/db.h"
#include "model/model.h"
#include "reports/report.h"
#include "scan/scan.h"
#include "tree/tree.h"

static int64_t now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (int64_t)ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

static struct eo_scan_options scan_options(const struct eo_session *s,
					   const struct eo_args *args)
{
	return (struct eo_scan_options){
		.build_dir = args->build,
		.compile_commands = args->compile_commands,
		.only = s->only,
		.jobs = args->jobs,
		.timeout_ms = args->timeout_s * 1000,
		.smpl = !args->no_smpl,
	};
}

static int verdict(const struct eo_scan *scan)
{
	if (scan->gaps.n)
		return EO_EXIT_INCOMPLETE;
	return scan->found.n ? EO_EXIT_FINDINGS : EO_EXIT_CLEAN;
}

static struct eo_error *store(struct eo_session *s, const struct eo_scan *scan,
			      struct eo_run *run)
{
	run->root = s->tree->root;
	run->version = s->tree->version;
	run->revision = s->tree->revision;
	run->build_origin = scan->build_origin;
	run->config_hash = scan->config_hash;
	run->tool_version = EO_VERSION;
	run->files = scan->files;
	run->candidates = scan->candidates;
	run->analyzed = scan->analyzed;
	run->outside = scan->outside;
	return eo_db_put_run(s->db, run, &scan->found, &scan->gaps);
}

/* How we were called, for the record. */
static char *command_line(const struct eo_args *args)
{
	struct eo_str s = { 0 };

	eo_str_add(&s, "earlyout scan");
	if (args->tree)
		eo_str_addf(&s, " --tree %s", args->tree);
	if (args->build)
		eo_str_addf(&s, " --build %s", args->build);
	if (args->compile_commands)
		eo_str_addf(&s, " --compile-commands %s",
			    args->compile_commands);
	if (args->model)
		eo_str_addf(&s, " --model %s", args->model);
	if (args->only)
		eo_str_addf(&s, " --only %s", args->only);
	if (args->no_smpl)
		eo_str_add(&s, " --no-smpl");
	return eo_str_take(&s);
}

struct eo_error *eo_scan_and_store(struct eo_session *s,
				   const struct eo_args *args, int64_t *run_id,
				   int *exit_code)
{
	struct eo_scan_options opts = scan_options(s, args);
	EO_CLEANUP(eo_freep) char *command = command_line(args);
	EO_CLEANUP(eo_scan_release) struct eo_scan scan = { 0 };
	struct eo_run run = { .command = command, .started = time(NULL) };
	int64_t start = now_ms();
	char model_hash[17];

	eo_model_hash(s->model, model_hash);
	run.model_hash = model_hash;
	eo_try(eo_scan_run(s->tree, s->model, &opts, &scan));
	run.duration_ms = now_ms() - start;
	eo_try(store(s, &scan, &run));
	*run_id = run.id;
	*exit_code = verdict(&scan);
	return NULL;
}

static struct eo_error *dump(struct eo_session *s, const struct eo_args *args)
{
	struct eo_scan_options opts = scan_options(s, args);

	if (!args->only)
		return eo_error_new(
			EO_ERR_USAGE,
			"--dump needs --only FILE: the file to dump");
	return eo_scan_dump(s->tree, s->model, &opts, args->dump,
			    args->function, stdout);
}

static struct eo_error *scan_main(const struct eo_args *args, int *exit_code)
{
	EO_CLEANUP(eo_session_close) struct eo_session s = { 0 };
	int64_t run;

	if (args->n_words)
		return eo_error_new(
			EO_ERR_USAGE,
			"scan takes no %s: see `earlyout scan --help`",
			args->words[0]);
	eo_try(eo_session_open(args, &s));
	if (args->dump)
		return dump(&s, args);
	eo_try(eo_scan_and_store(&s, args, &run, exit_code));
	if (args->format == EO_FORMAT_JSON)
		return eo_report_json(s.db, run, stdout);
	return eo_report_text(s.db, run, stdout);
}

const struct eo_command eo_cmd_scan = {
	.allowed = "tdbcmjTFODnSqv",
	.usage = "[OPTION…]",
	.help = "Looks through a kernel tree, configured or not, with both engines, and\n"
		"prints what it found, one `file:line:col: rule: message` a line, and what it\n"
		"could not look at. The tree is never written to.\n\n"
		"examples:\n"
		"  earlyout scan                          in a kernel tree, or below it\n"
		"  earlyout scan --tree ~/linux --format json | jq '.findings[].file'\n"
		"  earlyout scan --only block/blk-cgroup.c --dump facts\n",
	.main = scan_main,
};
