// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/progress.h"
#include "base/str.h"
#include "cli/cli.h"
#include "cli/marks.h"
#include "db/db.h"
#include "db/history.h"
#include "model/model.h"
#include "reports/report.h"
#include "rewrite/rewrite.h"
#include "scan/scan.h"
#include "tree/history.h"
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

/* With a baseline, what was not looked at then may be missing now too. */
static bool is_incomplete(const struct eo_scan *scan,
			  const struct eo_marks *marks)
{
	const struct eo_gap *g;

	if (!marks->has_baseline)
		return scan->gaps.n > 0;
	eo_vec_for_each(g, &scan->gaps) {
		if (!eo_baseline_has_gap(&marks->baseline, g))
			return true;
	}
	return false;
}

/*
 * A finding that is not in the baseline is what --baseline is there to fail
 * on, whatever else could not be looked at.
 */
static struct eo_error *verdict(struct eo_db *db, int64_t run,
				const struct eo_scan *scan,
				const struct eo_marks *marks, int *exit_code)
{
	EO_CLEANUP(eo_standings_release) struct eo_standings all = { 0 };
	const struct eo_standing *s;
	size_t n = 0;

	eo_try(eo_db_get_standings(db, run, &all));
	eo_vec_for_each(s, &all)
		n += eo_standing_counts(s);
	if (is_incomplete(scan, marks) && !(marks->has_baseline && n))
		*exit_code = EO_EXIT_INCOMPLETE;
	else
		*exit_code = n ? EO_EXIT_FINDINGS : EO_EXIT_CLEAN;
	return NULL;
}

/* A limited run must not be taken for one of the whole tree. */
static void note_scope(const struct eo_session *s, const struct eo_args *args,
		       const struct eo_scan *scan, struct eo_marks *marks,
		       struct eo_run *run)
{
	const struct eo_map_entry *e;
	struct eo_str words = { 0 };

	if (s->only)
		eo_str_addf(&words, "--only %s", s->only);
	if (args->changed)
		eo_str_addf(&words, "%s--changed %s", words.len ? " " : "",
			    args->changed);
	if (!words.len)
		return;
	run->scope = eo_arena_strdup(&marks->arena, words.s);
	eo_str_release(&words);
	if (s->only && (!args->changed || eo_map_has(&scan->scope, s->only)))
		*eo_vec_push(&marks->scope) = s->only;
	if (!s->only)
		eo_map_for_each(e, &scan->scope)
			*eo_vec_push(&marks->scope) = e->key;
	run->scope_files = marks->scope.items;
	run->n_scope_files = marks->scope.n;
}

static struct eo_error *store(struct eo_session *s, const struct eo_args *args,
			      const struct eo_scan *scan,
			      struct eo_marks *marks, struct eo_run *run)
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
	run->engines = EO_ENGINE_CLANG | (args->no_smpl ? 0 : EO_ENGINE_SMPL);
	run->left_out = scan->left_out;
	run->baseline = args->baseline;
	run->marks = marks->items;
	note_scope(s, args, scan, marks, run);
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
	if (args->changed)
		eo_str_addf(&s, " --changed %s", args->changed);
	if (args->baseline)
		eo_str_addf(&s, " --baseline %s", args->baseline);
	if (args->no_smpl)
		eo_str_add(&s, " --no-smpl");
	return eo_str_take(&s);
}

/* What the range changes; the files that it removes are looked at as well. */
static struct eo_error *read_changes(struct eo_session *s,
				     const struct eo_args *args,
				     struct eo_changes *changes)
{
	if (!args->changed)
		return NULL;
	eo_try(eo_git_changes(s->tree, args->changed, changes));
	if (!args->quiet &&
	    (s->tree->dirty || !eo_streq(changes->end, s->tree->revision)))
		fprintf(stderr,
			"earlyout: the tree is not as %s ends: looked at is what is in the tree\n",
			args->changed);
	return NULL;
}

static void say(const struct eo_args *args, const struct eo_marks *marks)
{
	if (args->quiet || !marks->warnings.len)
		return;
	eo_progress_end();
	fputs(marks->warnings.s, stderr);
}

/* A fix that is said to be automatic is one that `patch` can make. */
static struct eo_error *settle_fixes(struct eo_session *s,
				     const struct eo_args *args,
				     struct eo_scan *scan)
{
	const struct eo_rewriter_options how = {
		.build_dir = args->build,
		.compile_commands = args->compile_commands,
		.jobs = args->jobs ? args->jobs : 1,
	};
	struct eo_rewriter *r;
	struct eo_error *err;

	eo_rewriter_open(s->tree, s->model, &how, &r);
	err = eo_rewrite_settle(r, &scan->found,
				args->no_smpl ? NULL : &scan->gaps);
	eo_rewriter_close(r);
	eo_progress_end();
	return err;
}

struct eo_error *eo_scan_and_store(struct eo_session *s,
				   const struct eo_args *args, int64_t *run_id,
				   int *exit_code)
{
	struct eo_scan_options opts = scan_options(s, args);
	EO_CLEANUP(eo_freep) char *command = command_line(args);
	EO_CLEANUP(eo_scan_release) struct eo_scan scan = { 0 };
	EO_CLEANUP(eo_marks_release) struct eo_marks marks = { 0 };
	EO_CLEANUP(eo_changes_release) struct eo_changes changes = { 0 };
	struct eo_run run = { .command = command, .started = time(NULL) };
	int64_t start = now_ms();
	char model_hash[17];

	eo_model_hash(s->model, model_hash);
	run.model_hash = model_hash;
	eo_try(eo_marks_prepare(s->db, args->baseline, &marks));
	eo_try(read_changes(s, args, &changes));
	opts.changes = args->changed ? &changes : NULL;
	eo_try(eo_scan_run(s->tree, s->model, &opts, &scan));
	eo_try(settle_fixes(s, args, &scan));
	eo_try(eo_marks_set(s->db, s->tree, &scan.found, &marks));
	if (!s->only && !args->changed && !args->no_smpl)
		eo_try(eo_marks_stale(s->tree, &scan.found, &scan.rejected,
				      &scan.gaps, &marks));
	run.duration_ms = now_ms() - start;
	say(args, &marks);
	eo_try(store(s, args, &scan, &marks, &run));
	*run_id = run.id;
	return verdict(s->db, run.id, &scan, &marks, exit_code);
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
	if (args->format == EO_FORMAT_CSV)
		return eo_error_new(EO_ERR_USAGE,
				    "only bench prints csv: see --help");
	eo_try(eo_session_open(args, &s));
	if (args->dump)
		return dump(&s, args);
	eo_try(eo_scan_and_store(&s, args, &run, exit_code));
	if (args->format > EO_FORMAT_TEXT || !args->verbose)
		return eo_report_print(s.db, run, args->format, stdout);
	return eo_report_text_full(s.db, run, stdout);
}

const struct eo_command eo_cmd_scan = {
	.allowed = "tdbcmjTFOCBDnSqv",
	.usage = "[OPTION…]",
	.help = "Looks through a kernel tree, configured or not, with both engines, and\n"
		"prints what it found, one `file:line:col: rule: message` a line, and what it\n"
		"could not look at. The tree is never written to.\n\n"
		"examples:\n"
		"  earlyout scan                          in a kernel tree, or below it\n"
		"  earlyout scan --tree ~/linux --format json | jq '.findings[].file'\n"
		"  earlyout scan --format sarif > earlyout.sarif\n"
		"  earlyout scan --changed origin/master..HEAD --baseline master.json\n"
		"  earlyout scan --only block/blk-cgroup.c --dump facts\n",
	.main = scan_main,
};
