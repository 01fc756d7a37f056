// SPDX-License-Identifier: GPL-2.0-only
/*
 * The rules on C files: tests/fixtures/rules/RULE/NAME.c ends in a comment
 * with what that rule finds in it and what it looks at and rejects: line,
 * function, confidence, fix, guard, the obligations that are not proved, and
 * the lines of a reference that is for the call alone.
 * `test_rules --format FILE...` prints that comment as it is now, for a file
 * that is new: to be read, not to be believed.
 *
 * "expected-but-known-failure:" in place of "expected:" marks what we know we
 * get wrong; the test fails when it comes right, so that the mark goes.
 */
#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
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
#include "model/model.h"
#include "rules/doc.h"
#include "rules/rule.h"
#include "scan/analyze.h"
#include "tu/unit.h"

#define RULES TESTDIR "/fixtures/rules"
#define OF_ONE "flush-unthresholded-hot" /* its path is the call alone */
#define KNOWN "/* expected-but-known-failure:\n"
#define WANTED "/* expected:\n"

static const char *const args[] = { "-std=gnu11",
				    "-I" TESTDIR "/fixtures/include",
				    "-Wno-gnu-pointer-arith", NULL };

static void must(struct eo_error *err)
{
	if (err)
		fail_msg("%s", eo_error_message(err));
}

static struct eo_model *test_model(void)
{
	EO_CLEANUP(eo_str_release) struct eo_str text = { 0 };
	struct eo_model *m = eo_model_new();

	must(eo_file_read(RULES "/test.model", &text));
	must(eo_model_parse(m, "test.model", eo_str_get(&text)));
	return m;
}

/* "; reference 12 14": what is said to be taken for the sample alone. */
static void add_references(struct eo_str *out, const struct eo_finding *f)
{
	const char *before = "; reference";
	const struct eo_step *s;

	eo_vec_for_each(s, &f->steps) {
		if (strcmp(s->kind, "reference"))
			continue;
		eo_str_addf(out, "%s %u", before, s->line);
		before = "";
	}
}

/* "only-consumer unknown, early-path failed": what was not proved. */
static void add_open(struct eo_str *out, const struct eo_finding *f)
{
	const struct eo_obligation *o;
	const char *sep = "; ";

	eo_vec_for_each(o, &f->obligations) {
		if (o->state == EO_PROOF_PROVED)
			continue;
		eo_str_addf(out, "%s%s %s", sep, o->name,
			    eo_proof_name(o->state));
		sep = ", ";
	}
	eo_vec_for_each(o, &f->obligations)
		if (strcmp(o->name, "one-test") == 0)
			eo_str_add(out, "; once");
	add_references(out, f);
	eo_str_addc(out, '\n');
}

static int by_line(const void *a, const void *b)
{
	const struct eo_finding *x = a, *y = b;

	if (x->line != y->line)
		return x->line < y->line ? -1 : 1;
	return (int)x->walk_line - (int)y->walk_line;
}

/* `rules show` says what each obligation means. */
static bool is_documented(const char *rule, const char *obligation)
{
	EO_CLEANUP(eo_rule_doc_release) struct eo_rule_doc doc = { 0 };
	const struct eo_rule_duty *duty;

	must(eo_rule_doc_load(eo_rules_by_name(rule), &doc));
	eo_vec_for_each(duty, &doc.duties) {
		if (strcmp(duty->name, obligation) == 0)
			return true;
	}
	return false;
}

/* The path, with the call on it, and the obligations: each finding has them,
 * in words and with places in its function. */
static void check_whole(const struct eo_finding *f, bool rejected)
{
	const struct eo_obligation *o;
	const struct eo_step *s;
	bool at_call = false;
	size_t least = rejected || strcmp(f->rule, OF_ONE) == 0 ? 1 : 2;

	if (!f->obligations.n || f->steps.n < least)
		fail_msg("%s: line %u has %zu obligations, %zu steps", f->rule,
			 f->line, f->obligations.n, f->steps.n);
	eo_vec_for_each(o, &f->obligations) {
		if (!*o->name || !o->detail || !*o->detail)
			fail_msg("%s: line %u: nothing said of %s", f->rule,
				 f->line, o->name);
		if (!is_documented(f->rule, o->name))
			fail_msg("analyzer/rules/doc/%s.txt has no %s", f->rule,
				 o->name);
	}
	eo_vec_for_each(s, &f->steps) {
		at_call |= s->line == f->line && s->column == f->column;
		if (s->line < f->function_line || s->line > f->function_end ||
		    !s->column || !*s->kind || !s->text || !*s->text)
			fail_msg("%s: line %u: a step at %u:%u, %s: %s",
				 f->rule, f->line, s->line, s->column, s->kind,
				 s->text ? s->text : "");
	}
	if (!at_call)
		fail_msg("%s: line %u: the call is not on the path", f->rule,
			 f->line);
	if (!f->message || !*f->message)
		fail_msg("%s: line %u: no message", f->rule, f->line);
}

static void add_all(struct eo_str *out, struct eo_findings *list,
		    const char *rule, bool rejected)
{
	const struct eo_finding *f;

	if (list->n)
		qsort(list->items, list->n, sizeof(*list->items), by_line);
	eo_vec_for_each(f, list) {
		if (strcmp(f->rule, rule) || !eo_rules_applies(f))
			continue;
		check_whole(f, rejected);
		eo_str_addf(out, " * %s%u %s: ", rejected ? "rejected " : "",
			    f->line, f->function);
		if (!rejected)
			eo_str_addf(out, "%s %s: ",
				    eo_confidence_name(f->confidence),
				    eo_fix_name(f->fix));
		eo_str_add(out, f->guard ? f->guard : "no guard");
		add_open(out, f);
	}
}

/* The name of the folder that a fixture is in. */
static char *rule_of(const char *path)
{
	const char *end = strrchr(path, '/'), *start = end;

	while (start > path && start[-1] != '/')
		start--;
	return eo_strndup(start, (size_t)(end - start));
}

/* What the analysis says of a fixture, as the comment at its end. */
static void describe(const char *path, struct eo_str *out)
{
	EO_CLEANUP(eo_freep) char *rule = rule_of(path);
	struct eo_analysis a = { 0 };
	struct eo_model *m = test_model();
	struct eo_unit *u = NULL;
	const struct eo_gap *g;

	must(eo_unit_parse(strrchr(path, '/') + 1, path, args, &u));
	if (u->errors)
		fail_msg("%s", u->first_error);
	eo_analyze_unit(u, m, NULL, &a);
	add_all(out, &a.found, rule, false);
	add_all(out, &a.rejected, rule, true);
	eo_vec_for_each(g, &a.gaps)
		eo_str_addf(out, " * gap %s: %s: %s\n",
			    g->function ? g->function : "",
			    eo_gap_reason_name(g->reason), g->detail);
	eo_analysis_release(&a);
	eo_unit_free(u);
	eo_model_free(m);
}

/* The comment at the end of the file, without its first and last line. */
static char *expected(const char *text, bool *known_failure)
{
	const char *start = strstr(text, WANTED), *end;

	*known_failure = false;
	if (!start) {
		start = strstr(text, KNOWN);
		*known_failure = true;
	}
	if (!start)
		return NULL;
	start = strchr(start, '\n') + 1;
	end = strstr(start, " */\n");
	return end ? eo_strndup(start, (size_t)(end - start)) : NULL;
}

static bool is_as_expected(const char *path, bool *known_failure)
{
	EO_CLEANUP(eo_str_release) struct eo_str text = { 0 }, got = { 0 };
	EO_CLEANUP(eo_freep) char *want = NULL;
	bool same;

	must(eo_file_read(path, &text));
	want = expected(eo_str_get(&text), known_failure);
	if (!want)
		fail_msg("%s ends in no comment of what is expected", path);
	describe(path, &got);
	same = strcmp(eo_str_get(&got), want) == 0;
	if (!same && !*known_failure)
		fprintf(stderr, "--- wanted\n%s--- got\n%s", want,
			eo_str_get(&got));
	return same;
}

static void check(void **state)
{
	const char *path = *state;
	bool known, same = is_as_expected(path, &known);

	if (known && same)
		fail_msg("%s: comes right now, take the mark away", path);
	if (known)
		skip();
	if (!same)
		fail_msg("%s: not as expected", path);
}

static int format(int argc, char **argv)
{
	for (int i = 0; i < argc; i++) {
		EO_CLEANUP(eo_str_release) struct eo_str got = { 0 };

		describe(argv[i], &got);
		printf(WANTED "%s */\n", eo_str_get(&got));
	}
	return 0;
}

struct tests {
	struct CMUnitTest *items;
	size_t n, cap;
};

static void add_test(struct tests *tests, const char *path)
{
	struct CMUnitTest *t = eo_vec_push(tests);

	t->initial_state = eo_strdup(path);
	t->name = (char *)t->initial_state + strlen(RULES "/");
	t->test_func = check;
}

int main(int argc, char **argv)
{
	struct tests tests = { 0 };
	struct CMUnitTest *t;
	glob_t files;
	int failed;

	if (argc > 2 && strcmp(argv[1], "--format") == 0)
		return format(argc - 2, argv + 2);
	if (glob(RULES "/*/*.c", 0, NULL, &files)) {
		fprintf(stderr, "no fixtures in %s\n", RULES);
		return 1;
	}
	for (size_t i = 0; i < files.gl_pathc; i++)
		add_test(&tests, files.gl_pathv[i]);
	globfree(&files);
	failed = _cmocka_run_group_tests("rules", tests.items, tests.n, NULL,
					 NULL);
	eo_vec_for_each(t, &tests)
		free(t->initial_state);
	free(tests.items);
	return failed;
}
