// SPDX-License-Identifier: GPL-2.0-only
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/str.h"
#include "cli/cli.h"

/* One row an option: letter, long name, value's name or NULL, help. */
static const struct option_row {
	char letter;
	const char *name, *value, *help;
} rows[] = {
	{ 't', "tree", "DIR",
	  "the kernel tree (default: the one around here)" },
	{ 'd', "db", "FILE",
	  "the database (default: one a tree, in the state folder)" },
	{ 'b', "build", "DIR", "flags from this build directory of the tree" },
	{ 'c', "compile-commands", "FILE",
	  "flags from this compile_commands.json" },
	{ 'm', "model", "FILE", "add this to the cost and effect model" },
	{ 'j', "jobs", "N", "processes at a time (default: one a CPU)" },
	{ 'T', "timeout", "S",
	  "seconds that one file may take (default: 120)" },
	{ 'k', "disk", "MIB",
	  "MiB that building a patch may write (default: 1024)" },
	{ 'F', "format", "FORMAT",
	  "text, json, jsonl, sarif, coccicheck or markdown; of a bench csv, too" },
	{ 'o', "output", "DIR", "where to write" },
	{ 'f', "from", "ADDRESS",
	  "author of the patches, \"Name <address>\" (default: git's user)" },
	{ 'r', "run", "N", "the run to show (default: the last)" },
	{ 'O', "only", "FILE", "look at this file alone" },
	{ 'C', "changed", "A..B",
	  "look at what these commits change, and can affect" },
	{ 'B', "baseline", "RUN",
	  "fail on what is not in this run, or in a file of scan --format json" },
	{ 's', "status", "STATUS",
	  "confirmed, false-positive, wont-fix, sent or merged" },
	{ 'N', "note", "TEXT", "why, for whoever reads it later" },
	{ 'l', "list", NULL, "all findings with their ids and reviews" },
	{ 'i', "import", "FILE",
	  "store the decisions that a report's pages saved" },
	{ 'u', "undo", NULL, "take back the review that holds" },
	{ 'Z', "force", NULL, "with --import: what others overtook, too" },
	{ 'L', "port", "N", "listen there (default: any that is free)" },
	{ 'p', "name", "NAME", "how to call it (default: the file's name)" },
	{ 'D', "dump", "WHAT",
	  "print cfg or facts of --only FILE, and no findings" },
	{ 'n', "function", "NAME", "with --dump: of this function" },
	{ 'S', "no-smpl", NULL, "leave the SmPL engine out" },
	{ '&', "no-sandbox", NULL,
	  "build what the patch brings without a sandbox: for those you trust" },
	{ '*', "b4", NULL, "answer as b4's external checks do" },
	{ '$', "no-store", NULL, "leave the database as it is" },
	{ 'P', "proposals", NULL,
	  "write up what has no automatic fix, for people to read" },
	{ 'X', "split", NULL, "one series a subsystem, each in its folder" },
	{ 'R', "reroll", NULL, "the next version of the last series" },
	{ 'y', "dry-run", NULL, "say what would be written" },
	{ 'G', "strategy", "[NAME]",
	  "mend that way what can be; without a name: the ways there are" },
	{ '1', "patch", "FILE", "what is different after: this patch" },
	{ '2', "before", "WHAT",
	  "a revision of git or a bzImage (default: the tree as it is)" },
	{ '3', "after", "WHAT",
	  "a revision of git or a bzImage (default: --patch on top)" },
	{ '4', "finding", "ID", "the finding that it is about" },
	{ '5', "rule", "NAME", "the rule that it is for" },
	{ '6', "runner", "WHERE",
	  "icount (default: counts instructions), qemu, host or command" },
	{ '7', "hook", "NAME", "with --runner command: which hook" },
	{ '9', "budget", "TIME",
	  "how long to measure: 90s, 10m (default), 2h" },
	{ '8', "timeout", "S",
	  "seconds that one measurement may take (default: 600)" },
	{ '0', "root", "DIR", "look below this (default: the cgroup mount)" },
	{ '@', "cpus", "N", "CPUs that the guest boots" },
	{ '%', "possible", "N",
	  "CPUs that it could have (default: 16, or as many as --cpus)" },
	{ '+', "curve", NULL, "draw the cost against the possible CPUs" },
	{ '!', "profile", NULL,
	  "which functions the instructions are in, before and after" },
	{ '=', "allow-debug", NULL,
	  "measure with debugging options that distort, and say so" },
	{ '-', "no-sandbox", NULL, "build kernels outside the sandbox" },
	{ 'q', "quiet", NULL, "no progress, no notes" },
	{ 'v', "verbose", NULL, "say more; twice: more still" },
	{ 'h', "help", NULL, "this text" },
};

/* Seconds, processes, runs: more is a slip of the keyboard. */
#define MAX_NUMBER 1000000
#define N_ROWS (sizeof(rows) / sizeof(rows[0]))

static bool is_allowed(const char *allowed, char letter)
{
	return letter == 'h' || strchr(allowed, letter);
}

void eo_args_help(const char *allowed)
{
	for (size_t i = 0; i < N_ROWS; i++) {
		char left[40];

		if (!is_allowed(allowed, rows[i].letter))
			continue;
		snprintf(left, sizeof(left), "--%s%s%s", rows[i].name,
			 rows[i].value ? " " : "",
			 rows[i].value ? rows[i].value : "");
		if (strchr("ojqvh", rows[i].letter))
			printf("  -%c, %-24s %s\n", rows[i].letter, left,
			       rows[i].help);
		else
			printf("      %-24s %s\n", left, rows[i].help);
	}
}

static struct eo_error *number(const char *name, const char *s, unsigned *out)
{
	char *end;
	unsigned long v = strtoul(s, &end, 10);

	if (*s < '0' || *s > '9' || *end || v < 1 || v > MAX_NUMBER)
		return eo_error_new(EO_ERR_USAGE,
				    "--%s takes a number from 1 to %d, not %s",
				    name, MAX_NUMBER, s);
	*out = (unsigned)v;
	return NULL;
}

/* @words ends with NULL; an empty one cannot be chosen. */
static struct eo_error *choice(const char *name, const char *s,
			       const char *const *words, int *out)
{
	EO_CLEANUP(eo_str_release) struct eo_str all = { 0 };

	for (int i = 0; words[i]; i++) {
		if (*words[i] && strcmp(s, words[i]) == 0) {
			*out = i;
			return NULL;
		}
		if (*words[i])
			eo_str_addf(&all, "%s%s",
				    !all.len	 ? "" :
				    words[i + 1] ? ", " :
						   " or ",
				    words[i]);
	}
	return eo_error_new(EO_ERR_USAGE, "--%s takes %s, not %s", name,
			    eo_str_get(&all), s);
}

/* Where the value of an option without further meaning goes. */
static const char **text_slot(struct eo_args *a, int letter)
{
	switch (letter) {
	case 't':
		return &a->tree;
	case 'd':
		return &a->db;
	case 'b':
		return &a->build;
	case 'c':
		return &a->compile_commands;
	case 'm':
		return &a->model;
	case 'o':
		return &a->output;
	case 'f':
		return &a->from;
	case 'O':
		return &a->only;
	case 'n':
		return &a->function;
	case 'C':
		return &a->changed;
	case 'B':
		return &a->baseline;
	case 's':
		return &a->status;
	case 'N':
		return &a->note;
	case 'p':
		return &a->name;
	case 'G':
		return &a->strategy;
	case 'i':
		return &a->import;
	default:
		return NULL;
	}
}

static const char **bench_slot(struct eo_bench_args *a, int letter)
{
	switch (letter) {
	case '1':
		return &a->patch;
	case '2':
		return &a->before;
	case '3':
		return &a->after;
	case '4':
		return &a->finding;
	case '5':
		return &a->rule;
	case '6':
		return &a->runner;
	case '7':
		return &a->hook;
	case '9':
		return &a->budget;
	case '0':
		return &a->root;
	default:
		return NULL;
	}
}

static struct eo_error *take_bench(struct eo_bench_args *a, int letter,
				   const char *value)
{
	switch (letter) {
	case '@':
		return number("cpus", value, &a->cpus);
	case '%':
		return number("possible", value, &a->possible);
	case '+':
		a->curve = true;
		return NULL;
	case '!':
		a->profile = true;
		return NULL;
	case '=':
		a->allow_debug = true;
		return NULL;
	default:
		a->no_sandbox = true;
		return NULL;
	}
}

static struct eo_error *empty(int letter)
{
	size_t i = 0;

	while (rows[i].letter != letter)
		i++;
	return eo_error_new(EO_ERR_USAGE, "--%s is empty: give it a %s",
			    rows[i].name, rows[i].value);
}

/* What is true when an option without a value is given. */
static bool *flag_slot(struct eo_args *a, int letter)
{
	switch (letter) {
	case 'S':
		return &a->no_smpl;
	case '&':
		return &a->no_sandbox;
	case '*':
		return &a->b4;
	case '$':
		return &a->no_store;
	case 'l':
		return &a->list;
	case 'P':
		return &a->proposals;
	case 'X':
		return &a->split;
	case 'R':
		return &a->reroll;
	case 'y':
		return &a->dry_run;
	case 'u':
		return &a->undo;
	case 'Z':
		return &a->force;
	case 'q':
		return &a->quiet;
	default:
		return NULL;
	}
}

static struct eo_error *take(struct eo_args *a, int letter, const char *value)
{
	static const char *const formats[] = {
#define X(id, name) name,
		EO_FORMATS(X)
#undef X
			NULL
	};
	static const char *const dumps[] = { "cfg", "facts", NULL };
	const char **text = text_slot(a, letter);
	bool *flag = flag_slot(a, letter);
	unsigned n = 0;
	int which = 0;

	if (!text)
		text = bench_slot(&a->bench, letter);
	if (text) {
		*text = value ? value : "";
		return !value || *value ? NULL : empty(letter);
	}
	if (flag) {
		*flag = true;
		return NULL;
	}
	switch (letter) {
	case 'j':
		return number("jobs", value, &a->jobs);
	case 'T':
	case '8':
		return number("timeout", value, &a->timeout_s);
	case 'k':
		return number("disk", value, &a->disk_mib);
	case 'r':
		eo_try(number("run", value, &n));
		a->run = n;
		return NULL;
	case 'F':
		eo_try(choice("format", value, formats, &which));
		a->format = which;
		return NULL;
	case 'D':
		eo_try(choice("dump", value, dumps, &which));
		a->dump = which ? EO_DUMP_FACTS : EO_DUMP_CFG;
		return NULL;
	case 'L':
		eo_try(number("port", value, &a->port));
		if (a->port > UINT16_MAX)
			return eo_error_new(EO_ERR_USAGE,
					    "--port takes a number to %d",
					    UINT16_MAX);
		return NULL;
	case 'v':
		a->verbose++;
		return NULL;
	default:
		return take_bench(&a->bench, letter, value);
	}
}

static int wants_value(const struct option_row *row)
{
	if (!row->value)
		return no_argument;
	return *row->value == '[' ? optional_argument : required_argument;
}

static void long_options(const char *allowed, struct option *out)
{
	size_t n = 0;

	for (size_t i = 0; i < N_ROWS; i++)
		if (is_allowed(allowed, rows[i].letter))
			out[n++] = (struct option){ rows[i].name,
						    wants_value(&rows[i]), NULL,
						    rows[i].letter };
}

static unsigned cpus(void)
{
	long n = sysconf(_SC_NPROCESSORS_ONLN);

	return n > 0 ? (unsigned)n : 1;
}

/* @given: the option that getopt_long() has just taken, or stumbled on. */
static struct eo_error *reject(int letter, const char *given,
			       const char *command)
{
	char short_name[] = { '-', (char)(letter == '?' ? optopt : letter), 0 };
	const char *what = "unknown option";

	if (letter == ':')
		what = "a value is missing behind";
	else if (strchr("ojqvh", short_name[1]) && strncmp(given, "--", 2))
		given = short_name; /* its value, or others, may come after it */
	else if (letter == '?' && optopt && strchr(given, '='))
		what = "no value belongs to";
	return eo_error_new(EO_ERR_USAGE, "%s %s; see `earlyout %s --help`",
			    what, given, command);
}

struct eo_error *eo_args_parse(int argc, char **argv, const char *allowed,
			       struct eo_args *out, bool *help)
{
	struct option options[N_ROWS + 1] = { 0 };
	int letter;

	*out = (struct eo_args){ .jobs = cpus() };
	*help = false;
	long_options(allowed, options);
	optind = 1;
	opterr = 0;
	while ((letter = getopt_long(argc, argv, ":o:j:qvh", options, NULL)) !=
	       -1) {
		if (letter == ':' || letter == '?' ||
		    !is_allowed(allowed, (char)letter))
			return reject(letter, argv[optind - 1], argv[0]);
		if (letter == 'h')
			*help = true;
		else
			eo_try(take(out, letter, optarg));
	}
	out->n_words = argc - optind;
	out->words = argv + optind;
	return NULL;
}
