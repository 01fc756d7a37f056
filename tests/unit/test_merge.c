// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "finding/finding.h"
#include "base/map.h"
#include "finding/merge.h"

struct lists {
	struct eo_findings clang, smpl, out;
	struct eo_gaps gaps;
};

static int setup(void **state)
{
	static struct lists l;

	l = (struct lists){ 0 };
	*state = &l;
	return 0;
}

static int teardown(void **state)
{
	struct lists *l = *state;

	eo_findings_release(&l->clang);
	eo_findings_release(&l->smpl);
	eo_findings_release(&l->out);
	eo_gaps_release(&l->gaps);
	return 0;
}

static struct eo_finding *add(struct eo_findings *list, const char *file,
			      unsigned line, unsigned column)
{
	struct eo_finding *f = eo_findings_add(list);

	f->rule = "flush-before-walk";
	f->file = file;
	f->line = line;
	f->column = column;
	f->function = "show_shelf";
	f->call = "shelf_sync";
	f->call_text = "shelf_sync(a, b)";
	f->guard = "list_empty(&a->books)";
	f->message = "words";
	f->confidence = EO_HIGH;
	f->fix = EO_FIX_AUTO;
	return f;
}

static void merge(struct lists *l)
{
	struct eo_map rules = { 0 };

	eo_set_add(&rules, "flush-before-walk");
	eo_findings_merge(&l->clang, &l->smpl, &l->gaps, &rules, &l->out);
	eo_map_release(&rules);
}

static void both_engines_make_one(void **state)
{
	struct lists *l = *state;

	add(&l->clang, "a.c", 10, 9);
	/* Another column, other words, another spelling of the same guard. */
	add(&l->smpl, "a.c", 10, 2)->message = "other words";
	l->smpl.items[0].guard = "list_empty( &a->books )";
	l->smpl.items[0].confidence = EO_MEDIUM;
	merge(l);
	assert_int_equal(l->out.n, 1);
	assert_int_equal(l->out.items[0].engines,
			 EO_ENGINE_CLANG | EO_ENGINE_SMPL);
	assert_int_equal(l->out.items[0].column, 9);
	assert_string_equal(l->out.items[0].message, "words");
	assert_int_equal(l->out.items[0].confidence, EO_HIGH);
	assert_int_equal(l->out.items[0].fix, EO_FIX_AUTO);
	assert_null(l->out.items[0].dissent);
	assert_int_equal(strlen(l->out.items[0].id), 16);
}

static void another_guard_is_a_dissent(void **state)
{
	struct lists *l = *state;

	add(&l->clang, "a.c", 10, 9);
	add(&l->smpl, "a.c", 10, 9)->guard = "list_empty(&b->books)";
	merge(l);
	assert_int_equal(l->out.n, 1);
	assert_string_equal(l->out.items[0].guard, "list_empty(&a->books)");
	assert_string_equal(l->out.items[0].dissent,
			    "smpl would test list_empty(&b->books) instead");
}

static void smpl_alone_is_a_disagreement(void **state)
{
	struct lists *l = *state;

	add(&l->smpl, "a.c", 10, 9)->message = NULL;
	merge(l);
	assert_int_equal(l->out.n, 1);
	assert_int_equal(l->out.items[0].engines, EO_ENGINE_SMPL);
	assert_int_equal(l->out.items[0].confidence, EO_LOW);
	assert_int_equal(l->out.items[0].fix, EO_FIX_MANUAL);
	assert_string_equal(
		l->out.items[0].dissent,
		"clang looked at this function and does not find it");
	assert_non_null(l->out.items[0].message);
}

static void smpl_alone_where_clang_is_blind(void **state)
{
	const struct eo_gap gap = { .file = "a.c",
				    .function = "show_shelf",
				    .engine = EO_ENGINE_CLANG,
				    .reason = EO_GAP_CONFIGURED_OUT,
				    .detail = "behind CONFIG_SHELF" };
	struct lists *l = *state;

	add(&l->smpl, "a.c", 10, 9);
	add(&l->smpl, "b.c", 10, 9);
	eo_gaps_add(&l->gaps, &gap);
	merge(l);
	assert_int_equal(l->out.n, 2);
	assert_int_equal(l->out.items[0].confidence, EO_LOW);
	/* Nothing was proved: no fix goes in by itself. */
	assert_int_equal(l->out.items[0].fix, EO_FIX_MANUAL);
	assert_string_equal(
		l->out.items[0].dissent,
		"clang could not look: configured-out: behind CONFIG_SHELF");
	assert_string_equal(
		l->out.items[1].dissent,
		"clang looked at this function and does not find it");
}

static void clang_alone_keeps_its_word(void **state)
{
	const struct eo_gap gap = { .file = "",
				    .engine = EO_ENGINE_SMPL,
				    .reason = EO_GAP_TOOL_MISSING };
	struct lists *l = *state;

	add(&l->clang, "a.c", 10, 9);
	merge(l);
	assert_int_equal(l->out.items[0].engines, EO_ENGINE_CLANG);
	assert_int_equal(l->out.items[0].confidence, EO_HIGH);
	assert_int_equal(l->out.items[0].fix, EO_FIX_AUTO);
	assert_string_equal(l->out.items[0].dissent, "smpl does not see it");

	eo_findings_release(&l->out);
	eo_gaps_add(&l->gaps, &gap);
	merge(l);
	assert_string_equal(l->out.items[0].dissent,
			    "smpl could not look: tool-missing");
}

/* Two calls on one line: each of smpl's goes to the one at its column. */
static void calls_on_one_line_stay_apart(void **state)
{
	struct lists *l = *state;

	add(&l->clang, "a.c", 10, 40);
	add(&l->clang, "a.c", 10, 9);
	add(&l->smpl, "a.c", 10, 40);
	merge(l);
	assert_int_equal(l->out.n, 2);
	assert_int_equal(l->out.items[0].column, 9);
	assert_int_equal(l->out.items[0].engines, EO_ENGINE_CLANG);
	assert_int_equal(l->out.items[1].column, 40);
	assert_int_equal(l->out.items[1].engines, 3);
	assert_string_not_equal(l->out.items[0].id, l->out.items[1].id);
}

/* A function in a header, seen in two units: once, as the less sure says. */
static void units_that_share_a_header(void **state)
{
	struct lists *l = *state;

	add(&l->clang, "a.h", 10, 9);
	add(&l->clang, "a.h", 10, 9);
	l->clang.items[1].confidence = EO_MEDIUM;
	l->clang.items[1].fix = EO_FIX_MANUAL;
	add(&l->clang, "a.h", 10, 9);
	add(&l->smpl, "a.h", 10, 9);
	add(&l->smpl, "a.h", 10, 9);
	merge(l);
	assert_int_equal(l->out.n, 1);
	assert_int_equal(l->out.items[0].confidence, EO_MEDIUM);
	assert_int_equal(l->out.items[0].fix, EO_FIX_MANUAL);
	assert_int_equal(l->out.items[0].engines, 3);
}

static void sorted_by_place_and_rule(void **state)
{
	struct lists *l = *state;

	add(&l->clang, "b.c", 1, 1);
	add(&l->clang, "a.c", 20, 1);
	add(&l->clang, "a.c", 3, 9);
	add(&l->smpl, "a.c", 3, 5)->call = "other";
	add(&l->clang, "a.c", 3, 9)->rule = "a-rule";
	merge(l);
	assert_int_equal(l->out.n, 5);
	assert_int_equal(l->out.items[0].column, 5);
	assert_string_equal(l->out.items[1].rule, "a-rule");
	assert_string_equal(l->out.items[2].rule, "flush-before-walk");
	assert_int_equal(l->out.items[3].line, 20);
	assert_string_equal(l->out.items[4].file, "b.c");
}

static const char *fingerprint(struct eo_finding f, unsigned nth)
{
	static char ids[4][17];
	static int at;

	eo_finding_fingerprint(&f, nth);
	at = (at + 1) % 4;
	return strcpy(ids[at], f.id);
}

static void fingerprint_is_of_what_it_is(void **state)
{
	struct lists *l = *state;
	struct eo_finding f = *add(&l->clang, "a.c", 10, 9), g = f;

	/* Moved, reworded, reformatted: the same. */
	g.line = 99;
	g.column = 1;
	g.message = "new words";
	g.confidence = EO_LOW;
	g.call_text = "shelf_sync(a,\n\t\t   b)";
	assert_string_equal(fingerprint(f, 0), fingerprint(g, 0));
	g.call_text = "shelf_sync(a,b)"; /* as spatch spells it */
	assert_string_equal(fingerprint(f, 0), fingerprint(g, 0));

	/* Not the same. */
	assert_string_not_equal(fingerprint(f, 0), fingerprint(f, 1));
	g.call_text = "shelf_sync(a, c)";
	assert_string_not_equal(fingerprint(f, 0), fingerprint(g, 0));
	g = f;
	g.function = "hide_shelf";
	assert_string_not_equal(fingerprint(f, 0), fingerprint(g, 0));
	g = f;
	g.file = "b.c";
	assert_string_not_equal(fingerprint(f, 0), fingerprint(g, 0));
	g = f;
	g.rule = "flush-repeated";
	assert_string_not_equal(fingerprint(f, 0), fingerprint(g, 0));
}

static void white_space_that_means_something(void **state)
{
	struct lists *l = *state;
	struct eo_finding f = *add(&l->clang, "a.c", 10, 9), g = f;

	f.call_text = "sync(sizeof x)";
	g.call_text = "sync(sizeofx)";
	assert_string_not_equal(fingerprint(f, 0), fingerprint(g, 0));
	f.call_text = "sync(a - -b)";
	g.call_text = "sync(a--b)";
	assert_string_not_equal(fingerprint(f, 0), fingerprint(g, 0));
}

/* Identical calls in one function are numbered in their order. */
static void identical_calls_are_numbered(void **state)
{
	struct lists *l = *state;

	add(&l->clang, "a.c", 30, 2);
	add(&l->clang, "a.c", 10, 2);
	add(&l->clang, "a.c", 20, 2)->call_text = "shelf_sync(c, d)";
	merge(l);
	assert_string_equal(l->out.items[0].id,
			    fingerprint(l->clang.items[1], 0));
	assert_string_equal(l->out.items[1].id,
			    fingerprint(l->clang.items[2], 0));
	assert_string_equal(l->out.items[2].id,
			    fingerprint(l->clang.items[0], 1));
}

static void nothing_gives_nothing(void **state)
{
	struct lists *l = *state;

	merge(l);
	assert_int_equal(l->out.n, 0);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(both_engines_make_one),
		TEST(another_guard_is_a_dissent),
		TEST(smpl_alone_is_a_disagreement),
		TEST(smpl_alone_where_clang_is_blind),
		TEST(clang_alone_keeps_its_word),
		TEST(calls_on_one_line_stay_apart),
		TEST(units_that_share_a_header),
		TEST(sorted_by_place_and_rule),
		TEST(fingerprint_is_of_what_it_is),
		TEST(white_space_that_means_something),
		TEST(identical_calls_are_numbered),
		TEST(nothing_gives_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
