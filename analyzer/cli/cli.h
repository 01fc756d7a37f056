/* SPDX-License-Identifier: GPL-2.0-only */
/* The command line. Only this folder prints, and only main() exits. */
#ifndef EO_CLI_CLI_H
#define EO_CLI_CLI_H

#include <stdbool.h>
#include <stdint.h>

#include "reports/report.h"
#include "scan/analyze.h"

struct eo_db;
struct eo_error;
struct eo_model;
struct eo_tree;
struct eo_written;

/* Exit codes. An interrupt is 130, as for any program ended by Ctrl-C. */
enum eo_exit {
	EO_EXIT_CLEAN = 0,
	EO_EXIT_FINDINGS = 1,
	EO_EXIT_USAGE = 2,
	EO_EXIT_INCOMPLETE = 3,
	EO_EXIT_INTERRUPTED = 130,
};

/* What bench, hooks and census take beside that; NULL and 0: not given. */
struct eo_bench_args {
	const char *patch, *before, *after, *finding, *rule;
	const char *runner, *hook, *budget, *root;
	unsigned cpus, possible;
	bool allow_debug, curve, profile, no_sandbox;
};

struct eo_args {
	const char *tree, *db, *build, *compile_commands, *model, *output;
	const char *from, *only, *function;
	const char *changed, *baseline, *status, *note, *name, *import;
	const char *strategy; /* "": list them */
	enum eo_format format;
	enum eo_dump dump;
	unsigned jobs; /* never 0 */
	unsigned timeout_s;
	unsigned disk_mib; /* 0: the default */
	int64_t run;
	unsigned port; /* 0: any */
	bool quiet, no_smpl, list, undo, force;
	bool no_sandbox, b4, no_store;
	bool proposals, split, reroll, dry_run;
	unsigned verbose;
	struct eo_bench_args bench;
	int n_words; /* what is left on the line: */
	char **words;
};

/*
 * Parses the options that @allowed names (the letters of the long options'
 * table in args.c). @argv[0] is the command. EO_ERR_USAGE says what is wrong
 * and which --help to ask. *help is set when --help was among them.
 */
struct eo_error *eo_args_parse(int argc, char **argv, const char *allowed,
			       struct eo_args *out, bool *help);
/* The description of the options in @allowed, for --help. */
void eo_args_help(const char *allowed);

/* A subcommand: its options, its text, and what it does. */
struct eo_command {
	const char *allowed;
	const char *usage; /* behind "earlyout NAME " */
	const char *help; /* what, and examples */
	struct eo_error *(*main)(const struct eo_args *args, int *exit_code);
};

#define EO_COMMAND(name, what) extern const struct eo_command eo_cmd_##name;
#include "cli/command_list.def"
#undef EO_COMMAND

/* The tree, its database, the model: what most commands begin with. */
struct eo_session {
	struct eo_tree *tree;
	struct eo_db *db;
	struct eo_model *model;
	char *only; /* --only, relative to the tree, or NULL */
};

struct eo_error *eo_session_open(const struct eo_args *args,
				 struct eo_session *s);
void eo_session_close(struct eo_session *s);
/*
 * @path, relative to here or to the tree's root, as a path below that root.
 * EO_ERR_USAGE when there is no such file in the tree. The caller frees *out.
 */
struct eo_error *eo_session_file(const struct eo_tree *tree, const char *path,
				 char **out);

/* What scan does, for run too: stores a run and gives its id. */
struct eo_error *eo_scan_and_store(struct eo_session *s,
				   const struct eo_args *args, int64_t *run,
				   int *exit_code);
/* The command that applies what was written to @dir; the caller frees. */
char *eo_apply_command(const char *dir, const struct eo_written *w);
/*
 * What patch does; @out says what was written to @dir. A fix that could not
 * be made is said on stderr and makes *exit_code EO_EXIT_INCOMPLETE. @out is
 * zeroed by the caller and released by it.
 */
struct eo_error *eo_write_series(struct eo_session *s,
				 const struct eo_args *args, int64_t run,
				 const char *dir, struct eo_written *out,
				 int *exit_code);

#endif
