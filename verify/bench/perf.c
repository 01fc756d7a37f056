// SPDX-License-Identifier: GPL-2.0-only
#include "verify/bench/perf.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/proc.h"
#include "base/str.h"
#include "verify/bench/counts.h"
#include "verify/bench/runner.h"

#define SEED 1 /* the same choices of the workload under either kernel */
#define REPORT_S 120
#define MAY_LOOK \
	"as root, or with kernel.perf_event_paranoid=1, perf may look into it"

struct eo_error *eo_perf_need(void)
{
	EO_CLEANUP(eo_proc_result_release) struct eo_proc_result r = { 0 };
	const char *const argv[] = { "perf", "--version", NULL };
	const struct eo_proc p = { .argv = argv, .timeout_ms = 10000 };
	struct eo_error *err = eo_proc_check(&p, &r);

	if (!err)
		return NULL;
	eo_error_free(err);
	return eo_error_new(
		EO_ERR_ENV,
		"--profile needs perf, and there is none that runs: Debian's package is linux-perf");
}

static struct eo_error *perf(const char *const *argv, unsigned timeout_s,
			     struct eo_str *said)
{
	EO_CLEANUP(eo_str_release) struct eo_str complaints = { 0 };
	struct eo_error *err =
		eo_runner_run(argv, NULL, timeout_s, said, &complaints);

	return err ? eo_error_wrap(err, "no profile (" MAY_LOOK ")") : NULL;
}

static struct eo_error *record(const struct eo_runner *r, const char *data)
{
	EO_CLEANUP(eo_str_release) struct eo_str said = { 0 };
	EO_CLEANUP(eo_arena_release) struct eo_arena a = { 0 };
	const char *argv[6 + EO_GUEST_WORDS] = { "perf", "record", "-q",
						 "-o",	 data,	   "--" };

	eo_runner_words(r, SEED, &a, argv + 6);
	return perf(argv, r->timeout_s, &said);
}

/* perf's comments and empty lines are for people. */
static void keep_rows(char *report, struct eo_str *out)
{
	char *line;

	while ((line = strsep(&report, "\n"))) {
		line += strspn(line, " \t");
		line[strcspn(line, "\r")] = '\0';
		if (*line && *line != '#')
			eo_str_addf(out, "%s\n", line);
	}
}

static struct eo_error *report(const char *data, struct eo_str *out)
{
	EO_CLEANUP(eo_str_release) struct eo_str said = { 0 };
	const char *const argv[] = {
		"perf", "report",     "--stdio", "--no-children",
		"-F",	"sample,sym", "-t",	 "|",
		"-i",	data,	      NULL
	};

	eo_try(perf(argv, REPORT_S, &said));
	if (!strstr(eo_str_get(&said), "[k]"))
		return eo_error_new(
			EO_ERR_INPUT,
			"perf saw nothing of the kernel: " MAY_LOOK);
	keep_rows(said.s, out);
	return NULL;
}

struct eo_error *eo_perf_take(const struct eo_runner *r, struct eo_str *out)
{
	EO_CLEANUP(eo_freep) char *dir = NULL;
	EO_CLEANUP(eo_freep) char *data = NULL;
	struct eo_error *err;

	eo_try(eo_temp_dir(&dir));
	data = eo_path_join(dir, "perf.data");
	err = record(r, data);
	if (!err)
		err = report(data, out);
	eo_error_free(eo_remove_tree(dir));
	return err;
}

struct eo_error *eo_perf_add(struct eo_counts *to, const char *lines, int after)
{
	EO_CLEANUP(eo_freep) char *text = eo_strdup(lines);
	char *rest = text, *line;

	while ((line = strsep(&rest, "\n")) && *line) {
		char *end, *symbol;
		unsigned long long samples = strtoull(line, &end, 10);

		symbol = end + strspn(end, " |");
		if (end == line || symbol == end || symbol[0] != '[' ||
		    !symbol[1] || symbol[2] != ']' || symbol[3] != ' ')
			return eo_error_new(EO_ERR_INPUT,
					    "`%s` is no row of perf's", line);
		symbol[4 + strcspn(symbol + 4, " \t|")] = '\0';
		eo_counts_put(to, symbol[1] == 'k' ? symbol + 4 : "[user]",
			      (double)samples, after);
	}
	return NULL;
}
