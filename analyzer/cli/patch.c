// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/progress.h"
#include "base/str.h"
#include "cli/cli.h"
#include "db/db.h"
#include "finding/finding.h"
#include "model/model.h"
#include "reports/escape.h"
#include "reports/series.h"
#include "rewrite/rewrite.h"
#include "rules/rule.h"

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
				 const char *dir, struct eo_written *out,
				 int *exit_code)
{
	struct eo_series_options opts = {
		.dir = dir,
		.from = args->from,
		.strategy = args->strategy,
		.note = args->note,
		.build_dir = args->build,
		.compile_commands = args->compile_commands,
		.run = run,
		.jobs = args->jobs,
		.split = args->split,
		.reroll = args->reroll,
		.proposals = args->proposals,
		.dry_run = args->dry_run,
	};
	struct eo_error *err;

	eo_try(recall_wrappers(s, run));
	err = eo_series_write(s->db, s->tree, s->model, &opts, out);
	eo_progress_end();
	if (out->warnings.len && (out->failed || !args->quiet))
		fputs(out->warnings.s, stderr);
	if (err || !out->failed)
		return err;
	fprintf(stderr, "%u of %u automatic fixes became no patch\n",
		out->failed, out->patches + out->failed);
	*exit_code = EO_EXIT_INCOMPLETE;
	return NULL;
}

char *eo_apply_command(const char *dir, const struct eo_written *w)
{
	EO_CLEANUP(eo_freep)
	char *v = w->version > 1 ? eo_asprintf("v%u-", w->version) :
				   eo_strdup("");
	struct eo_str s = { 0 };

	/* git am would stop at the cover letter */
	if (w->series > 1) {
		eo_str_add(&s, "read ");
		eo_add_shell(&s, dir);
		eo_str_add(&s, "/*/*0000-cover-letter.patch");
		return eo_str_take(&s);
	}
	eo_str_add(&s, w->patches == 1 ? "git am " : "git am $(ls ");
	eo_add_shell(&s, dir);
	if (w->folder.len)
		eo_str_addf(&s, "/%s", w->folder.s);
	eo_str_addf(&s,
		    w->patches == 1 ? "/%s0001-*.patch" :
				      "/%s0*.patch | grep -v cover-letter)",
		    v);
	return eo_str_take(&s);
}

/* Where a way is not offered, and why: a line for each such finding. */
static void list_without(const struct eo_findings *found,
			 const struct eo_strategy *way, const char *rule)
{
	const struct eo_finding *f;
	const char *why;

	eo_vec_for_each(f, found)
		if (eo_streq(f->rule, rule) &&
		    !eo_rewrite_offers(way, f, &why) && why)
			printf("    not for %s:%u: %s\n", f->file, f->line,
			       why);
}

static void list_ways(const struct eo_findings *found, const char *rule)
{
	size_t n;
	const struct eo_strategy *list = eo_rewrite_strategies(rule, &n);

	printf("%s:\n", rule);
	for (size_t i = 0; i < n; i++) {
		printf("  %s%s: %s\n    for: %s\n    against: %s\n",
		       list[i].name,
		       list[i].on_word	  ? " (made when it is named)" :
		       list[i].is_default ? " (taken by default)" :
		       list[i].is_made	  ? "" :
					    " (no diff is made)",
		       list[i].what, list[i].pros, list[i].cons);
		list_without(found, &list[i], rule);
	}
	if (!n)
		printf("  no fix is known\n");
}

/* The ways to mend what was found, for each rule that has some. */
static struct eo_error *list_strategies(struct eo_session *s, int64_t run)
{
	EO_CLEANUP(eo_findings_release) struct eo_findings found = { 0 };
	EO_CLEANUP(eo_map_release) struct eo_map rules = { 0 };
	struct eo_map_entry *e;

	eo_try(eo_db_get_findings(s->db, run, &found));
	for (size_t i = 0; i < found.n; i++)
		eo_set_add(&rules, found.items[i].rule);
	eo_map_for_each(e, &rules) {
		if (e != rules.items)
			putchar('\n');
		list_ways(&found, e->key);
	}
	if (!rules.n)
		printf("nothing was found in that run\n");
	return NULL;
}

/* A name that no rule has a way for is a slip of the keyboard. */
static struct eo_error *check_strategy(const char *name)
{
	size_t n;
	const struct eo_rule *rules = eo_rules_all(&n);

	for (size_t i = 0; i < n; i++)
		if (eo_rewrite_strategy(rules[i].name, name))
			return NULL;
	return eo_error_new(
		EO_ERR_USAGE,
		"there is no strategy %s: `earlyout patch --strategy` lists those that there are",
		name);
}

static void print_files(const char *dir, const struct eo_str *files)
{
	const char *p = eo_str_get(files);

	while (*p) {
		EO_CLEANUP(eo_freep)
		char *line = eo_strndup(p, strcspn(p, "\n"));
		EO_CLEANUP(eo_str_release) struct eo_str shown = { 0 };

		eo_add_line(&shown, line);
		printf("would write %s/%s\n", dir, eo_str_get(&shown));
		p += strcspn(p, "\n");
		p += *p == '\n';
	}
}

static void say_what(const struct eo_args *args, const char *dir,
		     const struct eo_written *w)
{
	EO_CLEANUP(eo_freep) char *apply = eo_apply_command(dir, w);

	if (args->dry_run)
		print_files(dir, &w->files);
	if (!w->patches && w->failed)
		printf("nothing written\n");
	else if (!w->patches && !w->proposals)
		printf("no finding of that run has an automatic fix: nothing written\n");
	else if (w->patches && !args->dry_run)
		printf("%s: %u %s and %s; next: %s\n", dir, w->patches,
		       w->patches == 1 ? "patch" : "patches",
		       w->series == 1 ? "a cover letter" : "cover letters",
		       apply);
	if (w->proposals && !args->dry_run)
		printf("%s: %u %s to read\n", dir, w->proposals,
		       w->proposals == 1 ? "proposal" : "proposals");
	else if (w->manual && !w->proposals && !args->quiet)
		printf("%u %s no automatic fix: --proposals writes %s up\n",
		       w->manual,
		       w->manual == 1 ? "finding has" : "findings have",
		       w->manual == 1 ? "it" : "them");
}

/* `--strategy NAME` leaves its name among the words. */
static struct eo_error *take_name(struct eo_args *args)
{
	if (args->strategy && !*args->strategy && args->n_words == 1) {
		args->strategy = args->words[0];
		args->n_words = 0;
	}
	if (args->n_words)
		return eo_error_new(
			EO_ERR_USAGE,
			"patch takes no %s: see `earlyout patch --help`",
			args->words[0]);
	return args->strategy && *args->strategy ?
		       check_strategy(args->strategy) :
		       NULL;
}

static struct eo_error *patch_main(const struct eo_args *given, int *exit_code)
{
	EO_CLEANUP(eo_session_close) struct eo_session s = { 0 };
	EO_CLEANUP(eo_written_release) struct eo_written written = { 0 };
	const char *dir = given->output ? given->output : "earlyout-patches";
	struct eo_args args = *given;

	eo_try(take_name(&args));
	eo_try(eo_session_open(&args, &s));
	if (args.strategy && !*args.strategy)
		return list_strategies(&s, args.run);
	eo_try(eo_write_series(&s, &args, args.run, dir, &written, exit_code));
	say_what(&args, dir, &written);
	return NULL;
}

const struct eo_command eo_cmd_patch = {
	.allowed = "tdbcmjorfPXRNyGqv",
	.usage = "[OPTION…] [-o DIR]",
	.help = "Writes a mail series with the fixes of the last run's findings, those whose\n"
		"fix is automatic: 0000-cover-letter.patch, 0001-….patch. `git am` takes them,\n"
		"and so do `git send-email` and b4. A series has 15 patches at most: what is\n"
		"more goes to series of their own, part-1, part-2.\n\n"
		"Findings whose fix is not automatic are counted, and written only with\n"
		"--proposals: proposal-0001-….txt, a text with the function and what could be\n"
		"done, for you to decide and for nobody to apply.\n\n"
		"--strategy lists the ways to mend what was found; with a name, that way is\n"
		"taken. To name one of those that need somebody's word (hoist, ratelimited,\n"
		"test-before-lock, test-before-loop) is to give it: findings that lack no other\n"
		"proof get a patch.\n\n"
		"--reroll writes v2 of the series written last (of each, with --split), with\n"
		"what has changed below the --- of each patch and a range-diff in the cover\n"
		"letter; --note is a sentence of yours for that list.\n\n"
		"examples:\n"
		"  earlyout patch -o series\n"
		"  earlyout patch -o series --from 'A. Developer <dev@example.org>'\n"
		"  earlyout patch --dry-run --split\n"
		"  earlyout patch -o series --reroll --note 'Test before the lock, as asked.'\n"
		"  earlyout patch --strategy\n"
		"  earlyout patch --strategy lazy-start -o series\n",
	.main = patch_main,
};
