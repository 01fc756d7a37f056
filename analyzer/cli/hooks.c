// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/str.h"
#include "cli/cli.h"
#include "db/history.h"
#include "db/hooks.h"
#include "reports/escape.h"
#include "tree/tree.h"

static struct eo_error *add(struct eo_session *s, const struct eo_args *args)
{
	EO_CLEANUP(eo_freep) char *path = NULL;
	char finding[17];
	struct eo_hook hook = { .name = args->words[1],
				.rule = args->bench.rule,
				.added = time(NULL) };

	eo_try(eo_path_real(args->words[2], &path));
	if (!eo_is_file(path) || access(path, X_OK))
		return eo_error_new(EO_ERR_INPUT,
				    "%s is no program that can be run", path);
	if (args->bench.finding)
		eo_try(eo_db_find_id(s->db, args->bench.finding, finding));
	hook.path = path;
	if (args->bench.finding)
		hook.finding = finding;
	return eo_db_put_hook(s->db, s->tree->root, &hook);
}

static struct eo_error *list(struct eo_session *s)
{
	EO_CLEANUP(eo_hooks_release) struct eo_hooks hooks = { 0 };
	EO_CLEANUP(eo_str_release) struct eo_str out = { 0 };
	const struct eo_hook *h;

	eo_try(eo_db_get_hooks(s->db, s->tree->root, &hooks));
	eo_vec_for_each(h, &hooks) {
		eo_add_line(&out, h->name);
		eo_str_add(&out, ": ");
		eo_add_line(&out, h->path);
		if (h->rule) {
			eo_str_add(&out, ", for the rule ");
			eo_add_line(&out, h->rule);
		}
		if (h->finding)
			eo_str_addf(&out, ", for the finding %s", h->finding);
		eo_str_addc(&out, '\n');
	}
	fputs(eo_str_get(&out), stdout);
	return NULL;
}

static struct eo_error *hooks_main(const struct eo_args *args, int *exit_code)
{
	EO_CLEANUP(eo_session_close) struct eo_session s = { 0 };
	const char *what = args->n_words ? args->words[0] : "list";
	bool adds = !strcmp(what, "add"), removes = !strcmp(what, "remove");

	(void)exit_code;
	if (adds    ? args->n_words != 3 :
	    removes ? args->n_words != 2 :
		      strcmp(what, "list") || args->n_words > 1)
		return eo_error_new(
			EO_ERR_USAGE,
			"hooks takes `list`, `add NAME PROGRAM` or `remove NAME`: see `earlyout hooks --help`");
	eo_try(eo_session_open(args, &s));
	if (adds)
		return add(&s, args);
	if (removes)
		return eo_db_forget_hook(s.db, s.tree->root, args->words[1]);
	return list(&s);
}

const struct eo_command eo_cmd_hooks = {
	.allowed = "tdqv45",
	.usage = "[OPTION…] list | add NAME PROGRAM | remove NAME",
	.help = "Keeps programs of yours that measure: `earlyout bench WORKLOAD --runner command\n"
		"--hook NAME` runs one for each measurement, before and after. It finds in its\n"
		"environment EARLYOUT_PHASE (before or after), EARLYOUT_KERNEL (the bzImage),\n"
		"EARLYOUT_WORKLOAD and EARLYOUT_REPETITION, and prints lines:\n\n"
		"  metric read ns lower read of an empty io.stat\n"
		"  sample read 1 5470\n"
		"  end\n\n"
		"doc/hook-ssh.sh is one that boots and measures another machine by ssh.\n\n"
		"examples:\n"
		"  earlyout hooks add lab ./measure-in-the-lab --rule flush-before-walk\n"
		"  earlyout bench io-stat --runner command --hook lab --patch x.patch\n",
	.main = hooks_main,
};
