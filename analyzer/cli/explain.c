// SPDX-License-Identifier: GPL-2.0-only
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "cli/cli.h"
#include "reports/escape.h"
#include "scan/scan.h"
#include "tree/tree.h"

/* What stands in the tree is other people's bytes: no control characters. */
static void __attribute__((format(printf, 1, 2))) print_line(const char *fmt,
							     ...)
{
	EO_CLEANUP(eo_str_release) struct eo_str line = { 0 };
	EO_CLEANUP(eo_freep) char *raw = NULL;
	va_list ap;

	va_start(ap, fmt);
	if (vasprintf(&raw, fmt, ap) < 0)
		eo_oom();
	va_end(ap);
	eo_add_line(&line, raw);
	puts(eo_str_get(&line));
}

static void print_one(const struct eo_finding *f, bool rejected)
{
	const struct eo_obligation *o;
	const struct eo_step *s;

	if (rejected)
		print_line("%s:%u:%u: %s: not a finding: %s", f->file, f->line,
			   f->column, f->rule, f->call_text);
	else
		print_line("%s:%u:%u: %s: %s [%s, %s]", f->file, f->line,
			   f->column, f->rule, f->message,
			   eo_confidence_name(f->confidence),
			   eo_fix_name(f->fix));
	print_line("  in %s(); the walk is at line %u, over %s", f->function,
		   f->walk_line, f->head ? f->head : "?");
	eo_vec_for_each(o, &f->obligations)
		print_line("  %-8s %-14s %s", eo_proof_name(o->state), o->name,
			   o->detail);
	if (rejected)
		return;
	eo_vec_for_each(s, &f->steps)
		print_line("  line %u: %s: %s", s->line, s->kind, s->text);
}

/* Findings at the line, or in the function around it. */
static size_t print_at(const struct eo_findings *list, unsigned line,
		       bool rejected)
{
	size_t n = 0;

	for (size_t i = 0; i < list->n; i++) {
		const struct eo_finding *f = &list->items[i];

		if (f->line != line &&
		    (line < f->function_line || line > f->function_end))
			continue;
		print_one(f, rejected);
		n++;
	}
	return n;
}

/* "FILE:LINE", FILE relative to here or to the tree's root. */
static struct eo_error *parse_place(const struct eo_tree *tree,
				    const char *place, char **file,
				    unsigned *line)
{
	const char *colon = strrchr(place, ':');
	EO_CLEANUP(eo_freep) char *path = NULL;

	if (!colon || !isdigit((unsigned char)colon[1]))
		return eo_error_new(
			EO_ERR_USAGE,
			"%s: FILE:LINE is expected, as in block/blk-cgroup.c:1195",
			place);
	*line = (unsigned)strtoul(colon + 1, NULL, 10);
	path = eo_strndup(place, (size_t)(colon - place));
	return eo_session_file(tree, path, file);
}

static struct eo_error *explain_main(const struct eo_args *args, int *exit_code)
{
	EO_CLEANUP(eo_session_close) struct eo_session s = { 0 };
	EO_CLEANUP(eo_scan_release) struct eo_scan scan = { 0 };
	EO_CLEANUP(eo_freep) char *file = NULL;
	struct eo_scan_options opts = { .build_dir = args->build,
					.compile_commands =
						args->compile_commands,
					.jobs = args->jobs,
					.timeout_ms = args->timeout_s * 1000 };
	unsigned line = 0;
	size_t n;

	if (args->n_words != 1)
		return eo_error_new(
			EO_ERR_USAGE,
			"explain takes one FILE:LINE: see `earlyout explain --help`");
	eo_try(eo_session_open(args, &s));
	eo_try(parse_place(s.tree, args->words[0], &file, &line));
	opts.only = file;
	eo_try(eo_scan_run(s.tree, s.model, &opts, &scan));
	n = print_at(&scan.found, line, false);
	*exit_code = n ? EO_EXIT_FINDINGS : EO_EXIT_CLEAN;
	n += print_at(&scan.rejected, line, true);
	for (size_t i = 0; i < scan.gaps.n; i++) {
		const struct eo_gap *g = &scan.gaps.items[i];

		if (strcmp(g->file, file))
			continue;
		print_line("%s: %s: %s", g->file, eo_gap_reason_name(g->reason),
			   g->detail);
		*exit_code = EO_EXIT_INCOMPLETE;
	}
	if (!n && *exit_code == EO_EXIT_CLEAN)
		print_line(
			"%s:%u: no modelled call in the shape of a rule here",
			file, line);
	return NULL;
}

const struct eo_command eo_cmd_explain = {
	.allowed = "tdbcmjTqv",
	.usage = "[OPTION…] FILE:LINE",
	.help = "Says for the calls at a line, or in the function around it, what every rule\n"
		"looked at: each obligation of the proof, how it came out, and why.\n\n"
		"example:\n"
		"  earlyout explain block/blk-cgroup.c:1195\n",
	.main = explain_main,
};
