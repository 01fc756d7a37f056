// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include <cmocka.h>

#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/str.h"
#include "finding/finding.h"
#include "model/model.h"
#include "smpl/smpl.h"
#include "tree/tree.h"

#define RULE "flush-before-walk"

/* One finding, in a function that is a little different in each test. */
#define PLAIN                                               \
	"static int show(struct seq_file *m, void *v)\n"    \
	"{\n"                                               \
	"\tcgroup_rstat_flush(pond->cgrp);\n"               \
	"\tlist_for_each_entry(duck, &pond->ducks, node)\n" \
	"\t\tduck_show(duck, m);\n"                         \
	"\treturn 0;\n"                                     \
	"}\n"

struct env {
	struct eo_model *model;
	struct eo_findings found;
	struct eo_gaps gaps;
	struct eo_tree tree; /* a scratch folder; files are put into it */
	char *path; /* PATH as it was */
};

static const struct eo_smpl_options options = { .jobs = 2,
						.timeout_ms = 60000 };

static void assert_no_error(struct eo_error *err)
{
	if (err)
		fail_msg("%s", eo_error_message(err));
}

static int setup(void **state)
{
	struct env *e = eo_zalloc(sizeof(*e));

	assert_no_error(eo_model_load(NULL, &e->model));
	assert_no_error(eo_temp_dir(&e->tree.root));
	e->path = eo_strdup(getenv("PATH"));
	*state = e;
	return 0;
}

static int teardown(void **state)
{
	struct env *e = *state;

	setenv("PATH", e->path, 1);
	assert_no_error(eo_remove_tree(e->tree.root));
	eo_model_free(e->model);
	eo_findings_release(&e->found);
	eo_gaps_release(&e->gaps);
	free(e->tree.root);
	free(e->path);
	free(e);
	return 0;
}

static void put_file(struct env *e, const char *name, const char *text)
{
	EO_CLEANUP(eo_freep) char *path = eo_path_join(e->tree.root, name);

	assert_no_error(eo_file_write(path, text, strlen(text)));
}

/* A program of our own comes first in PATH under the name of spatch. */
static void fake_spatch(struct env *e, const char *script)
{
	EO_CLEANUP(eo_freep) char *bin = eo_path_join(e->tree.root, "bin");
	EO_CLEANUP(eo_freep) char *file = eo_path_join(bin, "spatch");
	EO_CLEANUP(eo_freep) char *path = eo_asprintf("%s:%s", bin, e->path);

	assert_no_error(eo_mkdirs(bin));
	put_file(e, "bin/spatch", script);
	assert_int_equal(chmod(file, 0755), 0);
	setenv("PATH", path, 1);
}

static void scan(struct env *e, const char *const *files, size_t n,
		 const struct eo_smpl_options *opts)
{
	assert_no_error(eo_smpl_scan(&e->tree, e->model, files, n, opts,
				     &e->found, &e->gaps));
}

static void read_fixture(const char *name, struct eo_str *out)
{
	EO_CLEANUP(eo_freep)
	char *path = eo_asprintf("%s/fixtures/smpl/%s", TESTDIR, name);

	assert_no_error(eo_file_read(path, out));
}

static int by_line(const void *a, const void *b)
{
	const struct eo_finding *f = a, *g = b;

	return f->line < g->line ? -1 : f->line > g->line;
}

static void add_report(struct eo_str *out, const struct eo_finding *f)
{
	eo_str_addf(out, "%u:%u %s: %s at %u %s: %s return%s%s\n", f->line,
		    f->column, f->function, f->call_text, f->walk_line, f->walk,
		    f->guard, *f->result ? " " : "", f->result);
}

/* After a change of the model, EO_UPDATE=1 in front of this writes the file. */
static void test_shipped_is_specialised(void **state)
{
	static const char path[] = TESTDIR "/../semantic-patches/" RULE
					   ".cocci";
	struct env *e = *state;
	EO_CLEANUP(eo_str_release) struct eo_str made = { 0 };
	EO_CLEANUP(eo_str_release) struct eo_str shipped = { 0 };

	assert_no_error(eo_smpl_specialise(RULE, e->model, &made));
	if (getenv("EO_UPDATE"))
		assert_no_error(eo_file_write(path, made.s, made.len));
	assert_no_error(eo_file_read(path, &shipped));
	if (strcmp(eo_str_get(&made), eo_str_get(&shipped)))
		fail_msg(
			"the model changed: EO_UPDATE=1 build/tests/test_smpl brings %s up to date",
			path);
}

static void test_specialise(void **state)
{
	struct env *e = *state;
	EO_CLEANUP(eo_str_release) struct eo_str made = { 0 };
	const struct eo_model_call wrapper = {
		.name = "pond_flush",
		.ends_in = "css_rstat_flush",
		.always = true,
	};

	assert_true(eo_model_add_wrapper(e->model, &wrapper, false));
	assert_no_error(
		eo_model_parse(e->model, "test",
			       "walk pond_each head 3 empty hlist_empty\n"
			       "walk pond_any head 1 empty pond_dry\n"
			       "release pond_unlock\n"));
	assert_no_error(eo_smpl_specialise(RULE, e->model, &made));
	assert_non_null(strstr(made.s, "css_rstat_flush, pond_flush\n"));
	assert_non_null(strstr(made.s, "pond_each@w(a1, a2, head, ...) S\n"));
	assert_non_null(strstr(made.s, "\"pond_each\": \"hlist_empty\",\n"));
	assert_non_null(strstr(made.s, "pond_unlock\n// earlyout: end"));
	/* It returns with the lock held; and a test that is not safe. */
	assert_null(strstr(made.s, "cgroup_rstat_flush_hold"));
	assert_null(strstr(made.s, "pond_any"));
}

static void test_specialise_needs_a_model(void **state)
{
	EO_CLEANUP(eo_str_release) struct eo_str made = { 0 };
	struct eo_model *empty = eo_model_new();
	struct eo_error *err = eo_smpl_specialise(RULE, empty, &made);

	(void)state;
	assert_non_null(err);
	assert_int_equal(eo_error_kind(err), EO_ERR_INPUT);
	eo_error_free(err);
	eo_model_free(empty);
}

/* shapes.c: the places that SmPL has to see; nearmiss.c: those it may not. */
static void check_report(struct env *e, const char *fixture,
			 const char *expected)
{
	EO_CLEANUP(eo_str_release) struct eo_str want = { 0 };
	EO_CLEANUP(eo_str_release) struct eo_str got = { 0 };
	struct eo_tree tree = { .root = (char *)TESTDIR "/fixtures/smpl" };

	assert_no_error(eo_smpl_scan(&tree, e->model, &fixture, 1, &options,
				     &e->found, &e->gaps));
	if (e->found.n)
		qsort(e->found.items, e->found.n, sizeof(*e->found.items),
		      by_line);
	for (size_t i = 0; i < e->found.n; i++)
		add_report(&got, &e->found.items[i]);
	read_fixture(expected, &want);
	assert_string_equal(eo_str_get(&got), eo_str_get(&want));
	assert_int_equal(e->gaps.n, 0);
}

static void test_report(void **state)
{
	check_report(*state, "shapes.c", "shapes.report");
}

static void test_near_misses(void **state)
{
	check_report(*state, "nearmiss.c", "nearmiss.report");
}

static void test_fields(void **state)
{
	struct env *e = *state;
	const char *file = "plain.c";
	const struct eo_finding *f;

	put_file(e, file, PLAIN);
	scan(e, &file, 1, &options);
	assert_int_equal(e->found.n, 1);
	f = &e->found.items[0];
	assert_string_equal(f->rule, RULE);
	assert_string_equal(f->file, file);
	assert_string_equal(f->call, "cgroup_rstat_flush");
	assert_string_equal(f->head, "&pond->ducks");
	assert_string_equal(f->source, PLAIN);
	assert_int_equal(f->function_line, 1);
	assert_int_equal(f->function_end, 7);
	assert_int_equal(f->engines, EO_ENGINE_SMPL);
	assert_int_equal(f->confidence, EO_LOW);
	assert_null(f->ends_in);
}

/* The whole fixture at once: all functions are "the function". */
static void test_fix_shapes(void **state)
{
	struct env *e = *state;
	EO_CLEANUP(eo_str_release) struct eo_str want = { 0 };
	EO_CLEANUP(eo_str_release) struct eo_str got = { 0 };
	struct eo_tree tree = { .root = (char *)TESTDIR "/fixtures/smpl" };
	const struct eo_finding f = {
		.rule = RULE,
		.file = "shapes.c",
		.line = 19,
		.function_line = 1,
		.function_end = 1000,
	};

	assert_no_error(eo_smpl_fix(&tree, e->model, &f, &options, &got));
	read_fixture("shapes.res", &want);
	assert_string_equal(eo_str_get(&got), eo_str_get(&want));
}

/* What was fixed is not found again. */
static void test_fixed_is_silent(void **state)
{
	struct env *e = *state;
	EO_CLEANUP(eo_str_release) struct eo_str text = { 0 };
	const char *file = "shapes.c";

	read_fixture("shapes.res", &text);
	put_file(e, file, eo_str_get(&text));
	scan(e, &file, 1, &options);
	assert_int_equal(e->found.n, 0);
	assert_int_equal(e->gaps.n, 0);
}

/*
 * One function of two, CRLF, blanks at ends of lines, no last newline; where
 * the function is, is not said; what is returned, is.
 */
static void test_fix_keeps_bytes(void **state)
{
	struct env *e = *state;
	static const char before[] =
		"/* a */  \r\n"
		"static int one(void)\r\n"
		"{\r\n"
		"\tif (x) \t\r\n"
		"\t\ty();\r\n"
		"\telse\r\n"
		"\t\tcgroup_rstat_flush(pond->cgrp);\r\n"
		"\tlist_for_each_entry(duck, &pond->ducks, node)\r\n"
		"\t\tduck_count(duck);\r\n"
		"\treturn 0;\r\n"
		"}\r\n"
		"static int two(void)\r\n"
		"{\n"
		"\tcgroup_rstat_flush(pond->cgrp);\r\n"
		"\tlist_for_each_entry(duck, &pond->ducks, node)\r\n"
		"\t\tduck_count(duck);\r\n"
		"\treturn 0;   \r\n"
		"}";
	static const char after[] =
		"/* a */  \r\n"
		"static int one(void)\r\n"
		"{\r\n"
		"\tif (x) { \t\r\n"
		"\t\ty();\r\n"
		"\t} else {\r\n"
		"\t\t/*\r\n"
		"\t\t * An empty list has nothing to report, so there is nothing\r\n"
		"\t\t * to flush for.\r\n"
		"\t\t */\r\n"
		"\t\tif (list_empty(&pond->ducks))\r\n"
		"\t\t\treturn ZERO;\r\n"
		"\t\tcgroup_rstat_flush(pond->cgrp);\r\n"
		"\t}\r\n"
		"\tlist_for_each_entry(duck, &pond->ducks, node)\r\n"
		"\t\tduck_count(duck);\r\n"
		"\treturn 0;\r\n"
		"}\r\n"
		"static int two(void)\r\n"
		"{\n"
		"\tcgroup_rstat_flush(pond->cgrp);\r\n"
		"\tlist_for_each_entry(duck, &pond->ducks, node)\r\n"
		"\t\tduck_count(duck);\r\n"
		"\treturn 0;   \r\n"
		"}";
	EO_CLEANUP(eo_str_release) struct eo_str got = { 0 };
	const struct eo_finding f = {
		.rule = RULE,
		.file = "it's \"crlf\".c",
		.line = 7,
		.result = "ZERO",
	};

	put_file(e, f.file, before);
	assert_no_error(eo_smpl_fix(&e->tree, e->model, &f, &options, &got));
	assert_string_equal(eo_str_get(&got), after);
}

static void test_fix_of_nothing(void **state)
{
	struct env *e = *state;
	EO_CLEANUP(eo_str_release) struct eo_str got = { 0 };
	const struct eo_finding f = {
		.rule = RULE,
		.file = "nothing.c",
		.line = 2,
		.function = "f",
		.function_line = 1,
		.function_end = 3,
	};
	struct eo_error *err;

	put_file(e, f.file, "int f(void)\n{ return g();\n}\n" PLAIN);
	err = eo_smpl_fix(&e->tree, e->model, &f, &options, &got);
	assert_non_null(err);
	assert_int_equal(eo_error_kind(err), EO_ERR_INPUT);
	assert_non_null(
		strstr(eo_error_message(err), "changes nothing in f()"));
	assert_int_equal(got.len, 0);
	eo_error_free(err);
}

static void test_names(void **state)
{
	struct env *e = *state;
	static const char *const files[] = {
		"-D.c",
		"it's \"a\"\nfile $(touch x).c",
		"\\n %s.c",
	};

	for (size_t i = 0; i < 3; i++)
		put_file(e, files[i], PLAIN);
	scan(e, files, 3, &options);
	assert_int_equal(e->gaps.n, 0);
	assert_int_equal(e->found.n, 3);
	for (size_t i = 0; i < 3; i++) {
		assert_string_equal(e->found.items[i].file, files[i]);
		assert_int_equal(e->found.items[i].line, 3);
		assert_int_equal(e->found.items[i].column, 2);
	}
}

static const struct eo_gap *only_gap(const struct env *e, const char *file,
				     enum eo_gap_reason reason)
{
	assert_int_equal(e->gaps.n, 1);
	assert_string_equal(e->gaps.items[0].file, file);
	assert_int_equal(e->gaps.items[0].reason, reason);
	assert_int_equal(e->gaps.items[0].engine, EO_ENGINE_SMPL);
	return &e->gaps.items[0];
}

/* A function that spatch cannot parse is told, if it matters to us. */
static void test_unparsed(void **state)
{
	struct env *e = *state;
	const char *file = "odd.c";
	const struct eo_gap *gap;

	put_file(e, file,
		 PLAIN "static void other(void)\n"
		       "{\n"
		       "\tWITH ME DO x {\n"
		       "\t}}}\n"
		       "}\n"
		       "\n"
		       "static int odd(int a,\n"
		       "\t       int b)\n"
		       "{\n"
		       "\tcgroup_rstat_flush(pond->cgrp);\n"
		       "\tWITH ME DO x {\n"
		       "\t}}}\n"
		       "}\n");
	scan(e, &file, 1, &options);
	assert_int_equal(e->found.n, 1);
	gap = only_gap(e, file, EO_GAP_PARSE_ERROR);
	assert_string_equal(gap->function, "odd");
}

/* On bad.c, spatch does what @script says; on others it finds what there is. */
static void check_bad(struct env *e, const char *script,
		      enum eo_gap_reason reason, const char *says)
{
	static const char *const files[] = { "good.c", "bad.c", "good2.c" };
	EO_CLEANUP(eo_freep)
	char *text = eo_asprintf(
		"#!/bin/sh\n"
		/* The other rules find nothing. */
		"grep -q earlyout-match \"$2\" || exec echo earlyout-end\n"
		"case \"$*\" in *./bad.c*)\n%s\nesac\n"
		"echo earlyout-match 3 1 4 1 1 7 show cgroup_rstat_flush return 0\n"
		"echo earlyout-end\n",
		script);
	const struct eo_smpl_options opts = {
		.jobs = 2,
		.timeout_ms = reason == EO_GAP_TIMEOUT ? 3000 : 60000,
	};

	for (size_t i = 0; i < 3; i++)
		put_file(e, files[i], PLAIN);
	fake_spatch(e, text);
	scan(e, files, 3, &opts);
	assert_int_equal(e->found.n, 2);
	assert_string_equal(e->found.items[0].file, "good.c");
	assert_string_equal(e->found.items[1].file, "good2.c");
	assert_non_null(strstr(only_gap(e, "bad.c", reason)->detail, says));
}

static void test_crash(void **state)
{
	check_bad(*state, "kill -SEGV $$;;", EO_GAP_CRASHED, "signal 11");
}

static void test_dies_half_way(void **state)
{
	check_bad(
		*state,
		"echo earlyout-match 3 1 4 1 1 7 show cgroup_rstat_flush return 0\n"
		"echo Fatal error: Stack overflow >&2; exit 3;;",
		EO_GAP_CRASHED, "status 3; its last words: Fatal error");
}

static void test_stops_half_way(void **state)
{
	check_bad(
		*state,
		"echo earlyout-match 3 1 4 1 1 7 show cgroup_rstat_flush return 0\n"
		"exit 0;;",
		EO_GAP_CRASHED, "before it was done");
}

static void test_garbage(void **state)
{
	check_bad(*state,
		  "echo earlyout-match 4000000000 1 4 x 1 7 show\n"
		  "echo earlyout-end; exit 0;;",
		  EO_GAP_CRASHED, "do not understand");
}

/* It points where the call is not: no finding is made of that. */
static void test_lies(void **state)
{
	check_bad(
		*state,
		"echo earlyout-match 4294967295 4294967295 9 9 1 7 show cgroup_rstat_flush return 0\n"
		"echo earlyout-end; exit 0;;",
		EO_GAP_CRASHED, "do not understand");
}

static void test_hang(void **state)
{
	time_t start = time(NULL);

	check_bad(*state, "sleep 500; exit 0;;", EO_GAP_TIMEOUT,
		  "took longer than 3 s");
	assert_true(time(NULL) - start < 60);
}

static void test_missing(void **state)
{
	struct env *e = *state;
	static const char *const files[] = { "good.c", "bad.c", "good2.c" };
	const struct eo_gap *gap;

	for (size_t i = 0; i < 3; i++)
		put_file(e, files[i], PLAIN);
	setenv("PATH", e->tree.root, 1);
	scan(e, files, 3, &options);
	assert_int_equal(e->found.n, 0);
	gap = only_gap(e, "", EO_GAP_TOOL_MISSING);
	assert_non_null(strstr(gap->detail, "spatch"));
	assert_non_null(strstr(gap->detail, "make deps"));
}

static void test_no_files(void **state)
{
	struct env *e = *state;

	scan(e, NULL, 0, &options);
	assert_int_equal(e->found.n + e->gaps.n, 0);
}

#define test(fn) cmocka_unit_test_setup_teardown(fn, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		test(test_shipped_is_specialised),
		test(test_specialise),
		test(test_specialise_needs_a_model),
		test(test_report),
		test(test_near_misses),
		test(test_fields),
		test(test_fix_shapes),
		test(test_fixed_is_silent),
		test(test_fix_keeps_bytes),
		test(test_fix_of_nothing),
		test(test_names),
		test(test_unparsed),
		test(test_crash),
		test(test_dies_half_way),
		test(test_stops_half_way),
		test(test_garbage),
		test(test_lies),
		test(test_hang),
		test(test_missing),
		test(test_no_files),
	};

	setenv("EARLYOUT_DATA", TESTDIR "/..", 0);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
