// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>

#include "base/err.h"
#include "base/mem.h"
#include "cli/cli.h"
#include "cli/who.h"
#include "db/db.h"
#include "reports/serve/serve.h"

static void ready(const char *url, void *data)
{
	(void)data;
	printf("%s\n", url);
	fflush(stdout);
	fputs("earlyout: who has this address can write reviews; Ctrl-C ends it\n",
	      stderr);
}

static struct eo_error *serve_main(const struct eo_args *args, int *exit_code)
{
	EO_CLEANUP(eo_session_close) struct eo_session s = { 0 };
	EO_CLEANUP(eo_arena_release) struct eo_arena arena = { 0 };
	EO_CLEANUP(eo_freep) char *who = NULL;
	struct eo_serve opts = { .run = args->run,
				 .port = (uint16_t)args->port,
				 .ready = ready };
	struct eo_run run;

	(void)exit_code;
	if (args->n_words)
		return eo_error_new(
			EO_ERR_USAGE,
			"serve takes no %s: see `earlyout serve --help`",
			args->words[0]);
	eo_try(eo_session_open(args, &s));
	eo_try(eo_db_get_run(s.db, args->run, &arena,
			     &run)); /* is there one? */
	eo_try(eo_who_am_i(s.tree, &who));
	opts.db = s.db;
	opts.who = who;
	return eo_serve(&opts);
}

const struct eo_command eo_cmd_serve = {
	.allowed = "tdrLqv",
	.usage = "[OPTION…] [--port N]",
	.help = "Serves the report on the loopback address and prints the page to open. What\n"
		"reviewers decide there goes to the database at once, with its history; several\n"
		"may work at a time. Reading needs no more than the address, writing needs the\n"
		"token behind its #. Ctrl-C ends it.\n\n"
		"examples:\n"
		"  earlyout serve\n"
		"  earlyout serve --port 8080 --run 3\n",
	.main = serve_main,
};
