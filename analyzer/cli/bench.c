// SPDX-License-Identifier: GPL-2.0-only
#include "cli/bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/err.h"
#include "base/progress.h"
#include "base/str.h"
#include "cli/cli.h"
#include "db/bench.h"
#include "db/waiting.h"
#include "reports/bench.h"
#include "reports/escape.h"
#include "reports/plot.h"
#include "tree/tree.h"
#include "verify/bench/guest.h"
#include "verify/bench/kernel.h"

static void put(const struct eo_str *s)
{
	fputs(eo_str_get(s), stdout);
}

/* @fresh: the last words of what failed have been said. */
static struct eo_error *show(struct eo_session *s, enum eo_format format,
			     int64_t id, bool fresh, int *exit_code)
{
	EO_CLEANUP(eo_bench_release) struct eo_bench b = { 0 };
	EO_CLEANUP(eo_str_release) struct eo_str out = { 0 };

	eo_try(eo_db_get_bench(s->db, id, &b));
	if (b.failure)
		*exit_code = EO_EXIT_FINDINGS;
	if (fresh)
		b.console = NULL;
	if (format == EO_FORMAT_JSON) {
		eo_try(eo_db_get_bench_json(s->db, b.id, &out));
	} else if (format == EO_FORMAT_CSV) {
		if (b.distorting)
			eo_str_add(&out,
				   "# NO EVIDENCE: these options distort: ");
		eo_add_line(&out, b.distorting);
		if (b.distorting)
			eo_str_addc(&out, '\n');
		eo_try(eo_db_get_bench_csv(s->db, b.id, &out));
	} else if (format == EO_FORMAT_MARKDOWN) {
		eo_bench_markdown(&b, &out);
	} else {
		eo_bench_text(&b, &out);
		if (!b.failure) {
			eo_str_addc(&out, '\n');
			eo_bench_table(&b, &out);
		}
	}
	put(&out);
	return NULL;
}

/* All that the failed measurement's kernel, or hook, printed. */
static struct eo_error *console(struct eo_session *s, int64_t id)
{
	EO_CLEANUP(eo_bench_release) struct eo_bench b = { 0 };
	EO_CLEANUP(eo_str_release) struct eo_str out = { 0 };

	eo_try(eo_db_get_bench(s->db, id, &b));
	if (!b.failure)
		return eo_error_new(
			EO_ERR_INPUT,
			"bench %lld did not fail: the console of what goes well is not kept",
			(long long)b.id);
	eo_bench_console(&b, false, &out);
	put(&out);
	return NULL;
}

/* A metric, the first where none is named: its curve, else its samples. */
static struct eo_error *plot(struct eo_session *s, int64_t id,
			     const char *metric)
{
	EO_CLEANUP(eo_bench_samples_release)
	struct eo_bench_samples samples = { 0 };
	EO_CLEANUP(eo_bench_release) struct eo_bench b = { 0 };
	EO_CLEANUP(eo_str_release) struct eo_str out = { 0 };
	bool curve;

	eo_try(eo_db_get_bench(s->db, id, &b));
	eo_try(eo_db_get_bench_samples(s->db, b.id, &samples));
	if (!metric && !b.metrics.n)
		return eo_error_new(EO_ERR_INPUT, "bench %lld measured nothing",
				    (long long)b.id);
	if (!metric)
		metric = b.metrics.items[0].metric;
	curve = eo_plot_has_curve(&b, metric);
	if (curve)
		eo_try(eo_plot_curve(&b, metric, &out));
	else
		eo_try(eo_plot_samples(&b, &samples, metric, &out));
	put(&out);
	return NULL;
}

static struct eo_error *number(const char *word, int64_t *out)
{
	char *end;

	*out = strtol(word, &end, 10);
	if (*word >= '1' && *word <= '9' && !*end)
		return NULL;
	return eo_error_new(EO_ERR_USAGE, "%s is no number of a bench", word);
}

static struct eo_error *compare(struct eo_session *s, char **words)
{
	EO_CLEANUP(eo_bench_release) struct eo_bench a = { 0 };
	EO_CLEANUP(eo_bench_release) struct eo_bench b = { 0 };
	EO_CLEANUP(eo_str_release) struct eo_str out = { 0 };
	int64_t first, second;

	eo_try(number(words[0], &first));
	eo_try(number(words[1], &second));
	eo_try(eo_db_get_bench(s->db, first, &a));
	eo_try(eo_db_get_bench(s->db, second, &b));
	if (strcmp(a.workload, b.workload) != 0)
		return eo_error_new(
			EO_ERR_INPUT,
			"bench %lld measured %s and bench %lld %s: nothing to compare",
			(long long)first, a.workload, (long long)second,
			b.workload);
	eo_bench_compare(&a, &b, &out);
	put(&out);
	return NULL;
}

static struct eo_error *list(struct eo_session *s)
{
	EO_CLEANUP(eo_bench_rows_release) struct eo_bench_rows rows = { 0 };
	EO_CLEANUP(eo_str_release) struct eo_str out = { 0 };
	const struct eo_bench_row *r;

	eo_try(eo_db_list_benches(s->db, &rows));
	eo_vec_for_each(r, &rows) {
		eo_str_addf(&out, "%lld: ", (long long)r->id);
		eo_add_line(&out, r->workload);
		eo_str_addf(&out, ", %s, ", r->runner);
		eo_add_line(&out, r->what);
		eo_str_add(&out, ": ");
		eo_add_line(&out, r->verdicts);
		eo_str_addc(&out, '\n');
	}
	put(&out);
	return NULL;
}

static void workloads(void)
{
	for (unsigned i = 0; i < eo_n_workloads; i++) {
		const struct eo_workload *w = &eo_workloads[i];

		printf("%s: %s\n    time: %s\n    instructions: %s\n", w->name,
		       w->stands_for, w->time,
		       w->counts ? w->count : "not the same twice");
	}
}

static struct eo_error *clean(struct eo_session *s)
{
	size_t bytes;

	eo_try(eo_builder_clean(s->tree, &bytes));
	printf("removed %zu MB of kernels and objects, and the copy of the tree\n",
	       bytes >> 20);
	return NULL;
}

/* Whatever format the result is asked for in. */
static struct eo_error *say_last_words(struct eo_session *s, int64_t id)
{
	EO_CLEANUP(eo_bench_release) struct eo_bench b = { 0 };
	EO_CLEANUP(eo_str_release) struct eo_str out = { 0 };

	eo_try(eo_db_get_bench(s->db, id, &b));
	if (!b.failure)
		return NULL;
	eo_bench_console(&b, true, &out);
	if (out.len)
		fprintf(stderr, "bench: it printed at last:\n%s", out.s);
	return NULL;
}

static struct eo_error *measure(struct eo_session *s,
				const struct eo_args *args, int *exit_code)
{
	int64_t id;

	eo_try(eo_bench_measure(s, args, &id));
	eo_progress_end();
	if (!id)
		return NULL;
	eo_try(say_last_words(s, id));
	return show(s, args->format, id, true, exit_code);
}

static struct eo_error *bench_main(const struct eo_args *args, int *exit_code)
{
	EO_CLEANUP(eo_session_close) struct eo_session s = { 0 };
	const char *what = args->n_words ? args->words[0] : "";
	int64_t id = 0;

	if (args->format && args->format != EO_FORMAT_TEXT &&
	    args->format != EO_FORMAT_JSON && args->format != EO_FORMAT_CSV &&
	    args->format != EO_FORMAT_MARKDOWN)
		return eo_error_new(EO_ERR_USAGE,
				    "bench prints text, json, csv or markdown");
	if (!strcmp(what, "workloads")) {
		workloads();
		return NULL;
	}
	if (!*what || (!strcmp(what, "compare") && args->n_words != 3) ||
	    (!strcmp(what, "forget") && args->n_words != 2))
		return eo_error_new(
			EO_ERR_USAGE,
			"bench takes a workload, or list, show [N], plot [N [METRIC]], console [N], compare N N, forget WORKLOAD, clean, workloads: see `earlyout bench --help`");
	eo_try(eo_session_open(args, &s));
	if (!strcmp(what, "list"))
		return list(&s);
	if (!strcmp(what, "clean"))
		return clean(&s);
	if (!strcmp(what, "forget"))
		return eo_db_forget_waiting(s.db, s.tree->root, args->words[1]);
	if (!strcmp(what, "compare"))
		return compare(&s, args->words + 1);
	if (strcmp(what, "show") != 0 && strcmp(what, "plot") != 0 &&
	    strcmp(what, "console") != 0)
		return measure(&s, args, exit_code);
	if (args->n_words > 1)
		eo_try(number(args->words[1], &id));
	if (!strcmp(what, "console"))
		return console(&s, id);
	if (!strcmp(what, "plot"))
		return plot(&s, id, args->n_words > 2 ? args->words[2] : NULL);
	return show(&s, args->format, id, false, exit_code);
}

const struct eo_command eo_cmd_bench = {
	.allowed = "tdFjqv12346798@%+!=-",
	.usage =
		"[OPTION…] WORKLOAD [NAME=VALUE]… | list | show [N] |\n"
		"       plot [N [METRIC]] | console [N] | compare N N | forget WORKLOAD |\n"
		"       clean | workloads",
	.help = "Builds the kernel before and after a patch, boots both in QEMU, runs a workload\n"
		"in each and says what the patch buys: guest instructions an operation, which\n"
		"are the same on any machine, or time in pairs. It keeps every sample. The\n"
		"first kernel takes ten to twenty minutes, the next ones half a one. `earlyout bench\n"
		"workloads` lists what there is to run.\n\n"
		"examples:\n"
		"  earlyout bench io-stat --finding 0123456789abcdef\n"
		"  earlyout bench io-stat --patch 0001-early-out.patch --curve\n"
		"  earlyout bench sqpoll --before v6.12 --after my-branch --runner qemu --budget 30m\n"
		"  earlyout bench io-stat --runner host   # now, and after booting the other kernel\n"
		"  earlyout bench show --format markdown\n"
		"  earlyout bench plot 3 empty.wall >empty.svg\n",
	.main = bench_main,
};
