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
#include "cli/marks.h"
#include "db/db.h"
#include "reports/escape.h"
#include "rules/rule.h"
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

static void print_proof(const struct eo_finding *f)
{
	const struct eo_obligation *o;
	const struct eo_step *s;

	if (f->walk_line)
		print_line("  in %s(); the walk is at line %u, over %s",
			   f->function, f->walk_line, f->head ? f->head : "?");
	else
		print_line("  in %s()", f->function);
	eo_vec_for_each(o, &f->obligations)
		print_line("  %-8s %-14s %s", eo_proof_name(o->state), o->name,
			   o->detail);
	eo_vec_for_each(s, &f->steps)
		print_line("  line %u: %s: %s", s->line, s->kind, s->text);
}

static void print_found(const struct eo_finding *f, const struct eo_mark *mark)
{
	print_line("%s:%u:%u: %s: %s [%s, %s]", f->file, f->line, f->column,
		   f->rule, f->message, eo_confidence_name(f->confidence),
		   eo_fix_name(f->fix));
	if (mark->suppressed_by)
		print_line("  suppressed by %s: %s", mark->suppressed_at,
			   mark->suppressed_reason);
	print_proof(f);
}

/* One that is about the call and fails, or, in a line, one that is not. */
static void print_rejected(const struct eo_finding *f)
{
	if (eo_rules_applies(f)) {
		print_line("%s:%u:%u: %s: not a finding: %s", f->file, f->line,
			   f->column, f->rule, f->call_text);
		print_proof(f);
	} else {
		print_line("%s:%u:%u: %s: does not apply to %s(): %s", f->file,
			   f->line, f->column, f->rule, f->call,
			   f->obligations.items[0].detail);
	}
}

/* What is asked for: a line, and findings there or else around it. */
struct question {
	const char *file;
	unsigned line;
	bool around; /* no call at the line itself: in its function */
};

static bool is_asked(const struct question *q, const struct eo_finding *f)
{
	if (strcmp(f->file, q->file))
		return false;
	return q->around ? q->line >= f->function_line &&
				   q->line <= f->function_end :
			   f->line == q->line;
}

static bool any_asked(const struct question *q, const struct eo_findings *list)
{
	const struct eo_finding *f;

	eo_vec_for_each(f, list) {
		if (is_asked(q, f))
			return true;
	}
	return false;
}

static size_t print_all(const struct question *q, const struct eo_scan *scan,
			const struct eo_marks *marks)
{
	const struct eo_finding *f;
	size_t n = 0;

	for (size_t i = 0; i < scan->found.n; i++) {
		if (!is_asked(q, &scan->found.items[i]))
			continue;
		print_found(&scan->found.items[i], &marks->items[i]);
		n++;
	}
	for (int about = 1; about >= 0; about--)
		eo_vec_for_each(f, &scan->rejected) {
			if (is_asked(q, f) && eo_rules_applies(f) == about)
				print_rejected(f);
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

static bool print_gaps(const struct eo_scan *scan, const char *file)
{
	const struct eo_gap *g;
	bool any = false;

	eo_vec_for_each(g, &scan->gaps) {
		if (strcmp(g->file, file))
			continue;
		print_line("%s: %s: %s", g->file, eo_gap_reason_name(g->reason),
			   g->detail);
		any = true;
	}
	return any;
}

static void answer(struct question *q, const struct eo_scan *scan,
		   const struct eo_marks *marks, int *exit_code)
{
	q->around = !any_asked(q, &scan->found) &&
		    !any_asked(q, &scan->rejected);
	if (q->around)
		print_line(
			"%s:%u: no modelled call on this line: one has a `call` in analyzer/model/ or in --model FILE, or is of a function each of whose paths ends in one",
			q->file, q->line);
	*exit_code = print_all(q, scan, marks) ? EO_EXIT_FINDINGS :
						 EO_EXIT_CLEAN;
	if (print_gaps(scan, q->file))
		*exit_code = EO_EXIT_INCOMPLETE;
}

static struct eo_error *explain_main(const struct eo_args *args, int *exit_code)
{
	EO_CLEANUP(eo_session_close) struct eo_session s = { 0 };
	EO_CLEANUP(eo_scan_release) struct eo_scan scan = { 0 };
	EO_CLEANUP(eo_marks_release) struct eo_marks marks = { 0 };
	EO_CLEANUP(eo_freep) char *file = NULL;
	struct eo_scan_options opts = { .build_dir = args->build,
					.compile_commands =
						args->compile_commands,
					.jobs = args->jobs,
					.timeout_ms = args->timeout_s * 1000 };
	struct question q = { 0 };

	if (args->n_words != 1)
		return eo_error_new(
			EO_ERR_USAGE,
			"explain takes one FILE:LINE: see `earlyout explain --help`");
	eo_try(eo_session_open(args, &s));
	eo_try(parse_place(s.tree, args->words[0], &file, &q.line));
	q.file = opts.only = file;
	eo_try(eo_marks_prepare(s.db, NULL, &marks));
	eo_try(eo_scan_run(s.tree, s.model, &opts, &scan));
	eo_try(eo_marks_set(s.db, s.tree, &scan.found, &marks));
	answer(&q, &scan, &marks, exit_code);
	return NULL;
}

const struct eo_command eo_cmd_explain = {
	.allowed = "tdbcmjTqv",
	.usage = "[OPTION…] FILE:LINE",
	.help = "Says for the calls at a line, or else in the function around it, what every\n"
		"rule looked at: each obligation of the proof, how it came out, and why; which\n"
		"rules do not apply; and who suppressed a finding.\n\n"
		"example:\n"
		"  earlyout explain block/blk-cgroup.c:1195\n",
	.main = explain_main,
};
