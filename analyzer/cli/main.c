// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/proc.h"
#include "base/progress.h"
#include "base/str.h"
#include "cli/cli.h"
#include "reports/escape.h"

static const struct {
	const char *name, *what;
	const struct eo_command *command;
} commands[] = {
#define EO_COMMAND(name, what) { #name, what, &eo_cmd_##name },
#include "cli/command_list.def"
#undef EO_COMMAND
};

#define N_COMMANDS (sizeof(commands) / sizeof(commands[0]))

static void usage(FILE *to)
{
	fputs("usage: earlyout COMMAND [OPTION…]\n\n"
	      "Finds kernel code that does expensive statistics work when nothing needs\n"
	      "the result, writes the patch, and shows both in a report.\n\n",
	      to);
	for (size_t i = 0; i < N_COMMANDS; i++)
		fprintf(to, "  %-9s %s\n", commands[i].name, commands[i].what);
	fputs("\nexample, in a kernel tree:\n  earlyout run\n\n"
	      "`earlyout COMMAND --help` says more. Exit status: 0 nothing found, 1 findings,\n"
	      "2 wrong usage or something is missing, 3 not everything could be looked at.\n",
	      to);
}

static int fail(struct eo_error *err)
{
	EO_CLEANUP(eo_str_release) struct eo_str message = { 0 };
	enum eo_error_kind kind = eo_error_kind(err);

	eo_progress_end();
	eo_add_line(&message, eo_error_message(err));
	fprintf(stderr, "earlyout: %s\n", eo_str_get(&message));
	if (kind == EO_ERR_INTERRUPTED)
		fputs("earlyout: the database is as it was; the same command starts again where what is cached ends\n",
		      stderr);
	eo_error_free(err);
	return kind == EO_ERR_INTERRUPTED ? EO_EXIT_INTERRUPTED : EO_EXIT_USAGE;
}

/*
 * Whoever closed one of these wants no output, or made a mistake; either way
 * no file of ours may be opened in its place and be printed into.
 */
static void occupy_standard_streams(void)
{
	for (int fd = 0; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", O_RDONLY) < 0)
			abort();
}

/* What was printed must have arrived: a full disk is not a success. */
static int finish(struct eo_error *err, int exit_code)
{
	eo_progress_end();
	if (!err && (fflush(stdout) || ferror(stdout)))
		err = eo_error_errno(errno, "cannot write the output");
	return err ? fail(err) : exit_code;
}

static int run_command(size_t i, int argc, char **argv)
{
	const struct eo_command *c = commands[i].command;
	int exit_code = EO_EXIT_CLEAN;
	struct eo_error *err;
	struct eo_args args;
	bool help;

	err = eo_args_parse(argc, argv, c->allowed, &args, &help);
	if (!err && help) {
		printf("usage: earlyout %s %s\n\n%s\n", commands[i].name,
		       c->usage, c->help);
		eo_args_help(c->allowed);
		return finish(NULL, EO_EXIT_CLEAN);
	}
	if (!err && args.quiet)
		eo_progress_disable();
	if (!err)
		err = c->main(&args, &exit_code);
	return finish(err, exit_code);
}

int main(int argc, char **argv)
{
	occupy_standard_streams();
	eo_interrupt_init();
	if (argc < 2) {
		usage(stderr);
		return EO_EXIT_USAGE;
	}
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") ||
	    !strcmp(argv[1], "help")) {
		usage(stdout);
		return finish(NULL, EO_EXIT_CLEAN);
	}
	if (!strcmp(argv[1], "--version")) {
		printf("earlyout %s\n", EO_VERSION);
		return finish(NULL, EO_EXIT_CLEAN);
	}
	for (size_t i = 0; i < N_COMMANDS; i++)
		if (strcmp(argv[1], commands[i].name) == 0)
			return run_command(i, argc - 1, argv + 1);
	fprintf(stderr, "earlyout: unknown command %s\n\n", argv[1]);
	usage(stderr);
	return EO_EXIT_USAGE;
}
