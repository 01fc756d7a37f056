// SPDX-License-Identifier: GPL-2.0-only
/*
 * The semantic patches but the first, which test_smpl.c has: what they find in
 * fixtures/smpl-rules, all of them on each file, and nothing else.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/str.h"
#include "finding/finding.h"
#include "model/model.h"
#include "rules/rule.h"
#include "smpl/smpl.h"
#include "tree/tree.h"

static const struct eo_smpl_options options = { .jobs = 2,
						.timeout_ms = 120000 };

static void assert_no_error(struct eo_error *err)
{
	if (err)
		fail_msg("%s", eo_error_message(err));
}

static int setup(void **state)
{
	struct eo_model *model;

	assert_no_error(eo_model_load(NULL, &model));
	*state = model;
	return 0;
}

static int teardown(void **state)
{
	eo_model_free(*state);
	return 0;
}

/* After a change of the model, EO_UPDATE=1 in front of this writes the file. */
static void check_shipped(const char *rule, const struct eo_model *model)
{
	EO_CLEANUP(eo_freep)
	char *path =
		eo_asprintf("%s/../semantic-patches/%s.cocci", TESTDIR, rule);
	EO_CLEANUP(eo_str_release) struct eo_str made = { 0 };
	EO_CLEANUP(eo_str_release) struct eo_str shipped = { 0 };

	assert_no_error(eo_smpl_specialise(rule, model, &made));
	if (getenv("EO_UPDATE"))
		assert_no_error(eo_file_write(path, made.s, made.len));
	assert_no_error(eo_file_read(path, &shipped));
	if (strcmp(eo_str_get(&made), eo_str_get(&shipped)))
		fail_msg(
			"the model changed: EO_UPDATE=1 build/tests/test_smpl_rules brings %s up to date",
			path);
}

static void test_shipped_are_specialised(void **state)
{
	size_t n, checked = 0;
	const struct eo_rule *rules = eo_rules_all(&n);

	for (size_t i = 0; i < n; i++) {
		if (!eo_smpl_has_rule(rules[i].name))
			continue;
		check_shipped(rules[i].name, *state);
		checked++;
	}
	assert_true(checked > 1);
}

static void test_has_rule(void **state)
{
	(void)state;
	assert_true(eo_smpl_has_rule("flush-before-walk"));
	assert_true(eo_smpl_has_rule("rusage-one-field"));
	assert_false(eo_smpl_has_rule("flush-before-noon"));
}

static int by_line(const void *a, const void *b)
{
	const struct eo_finding *f = a, *g = b;

	if (f->line != g->line)
		return f->line < g->line ? -1 : 1;
	return strcmp(f->rule, g->rule);
}

static void check_fixture(const struct eo_model *model, const char *file,
			  const char *expected)
{
	struct eo_tree tree = { .root = (char *)TESTDIR
				"/fixtures/smpl-rules" };
	EO_CLEANUP(eo_findings_release) struct eo_findings found = { 0 };
	EO_CLEANUP(eo_gaps_release) struct eo_gaps gaps = { 0 };
	EO_CLEANUP(eo_str_release) struct eo_str got = { 0 };

	assert_no_error(
		eo_smpl_scan(&tree, model, &file, 1, &options, &found, &gaps));
	if (found.n)
		qsort(found.items, found.n, sizeof(*found.items), by_line);
	for (size_t i = 0; i < found.n; i++) {
		const struct eo_finding *f = &found.items[i];

		assert_string_equal(f->file, file);
		assert_int_equal(f->engines, EO_ENGINE_SMPL);
		assert_int_equal(f->confidence, EO_LOW);
		assert_non_null(f->message);
		eo_str_addf(&got, "%u:%u %s %s: %s\n", f->line, f->column,
			    f->rule, f->function, f->call_text);
	}
	assert_string_equal(eo_str_get(&got), expected);
	assert_int_equal(gaps.n, 0);
}

static void test_samples(void **state)
{
	check_fixture(
		*state, "samples.c",
		"15:2 rusage-one-field oven_show_time: getrusage(oven->baker, RUSAGE_SELF, &usage)\n"
		"31:2 rusage-one-field oven_bake: getrusage(current, RUSAGE_SELF, &start)\n"
		"40:2 rusage-one-field oven_cputime: thread_group_cputime(oven->baker, &total)\n"
		"98:3 rusage-hot-loop oven_thread: getrusage(current, RUSAGE_SELF, &start)\n"
		"113:3 rusage-hot-loop oven_thread_times: task_cputime_adjusted(current, &utime, &stime)\n"
		"182:2 rusage-unused-path oven_show: task_cputime_adjusted(oven->baker, &utime, &stime)\n"
		"197:2 rusage-unused-path oven_show_memory: task_cputime(oven->baker, &utime, &stime)\n");
}

static void test_flushes(void **state)
{
	check_fixture(
		*state, "flushes.c",
		"15:2 flush-repeated reef_twice: cgroup_rstat_flush(reef->cgrp)\n"
		"22:2 flush-before-check reef_twice_test: cgroup_rstat_flush(reef->cgrp)\n"
		"26:2 flush-repeated reef_twice_test: cgroup_rstat_flush(reef->cgrp)\n"
		"98:3 flush-in-loop reef_each: cgroup_rstat_flush(reef->css.cgroup)\n"
		"109:4 flush-in-loop reef_each_css: cgroup_rstat_flush(css->cgroup)\n"
		"118:3 flush-in-loop reef_each_live: css_rstat_flush(&cgrp->self)\n"
		"157:2 flush-before-check reef_check: cgroup_rstat_flush(reef->cgrp)\n"
		"166:2 flush-before-check reef_check_member: css_rstat_flush(&reef->cgrp->self)\n");
}

#define test(fn) cmocka_unit_test_setup_teardown(fn, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		test(test_has_rule),
		test(test_shipped_are_specialised),
		test(test_samples),
		test(test_flushes),
	};

	setenv("EARLYOUT_DATA", TESTDIR "/..", 0);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
