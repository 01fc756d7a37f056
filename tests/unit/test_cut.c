// SPDX-License-Identifier: GPL-2.0-only
/* Which patch goes into which series. */
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
#include "reports/draft.h"
#include "tree/tree.h"

#define N_MAX 40

struct box {
	struct eo_finding findings[N_MAX];
	char names[N_MAX][32];
	const struct eo_finding *items[N_MAX];
	struct eo_plan_step steps[N_MAX];
	struct eo_plan plan;
	struct eo_drafts drafts;
};

static void add(struct box *b, const char *file)
{
	size_t i = b->plan.n++;

	assert_true(i < N_MAX);
	snprintf(b->names[i], sizeof(b->names[i]), "%s", file);
	b->findings[i].file = b->names[i];
	b->items[i] = &b->findings[i];
	b->steps[i] = (struct eo_plan_step){ .items = &b->items[i], .n = 1 };
	b->plan.items = b->steps;
}

static void add_numbered(struct box *b, const char *folder, unsigned from,
			 unsigned to)
{
	for (; from <= to; from++) {
		char name[32];

		snprintf(name, sizeof(name), "%s/%02u.c", folder, from);
		add(b, name);
	}
}

/* "NAME:N[+]" for each series; + is on top of the one before. */
static void check(struct box *b, const struct eo_tree *tree, bool split,
		  const char *wanted)
{
	const struct eo_writer w = { .tree = tree };
	EO_CLEANUP(eo_str_release) struct eo_str got = { 0 };
	struct eo_draft *d;
	size_t n = 0;

	assert_null(eo_draft_cut(&w, &b->plan, split, &b->drafts));
	eo_vec_for_each(d, &b->drafts) {
		eo_str_addf(&got, "%s%s:%zu%s", got.len ? " " : "", d->name,
			    d->plan.n, d->after ? "+" : "");
		assert_true(d->plan.n <= EO_SERIES_MAX);
		assert_true(!d->after || d->after == d - 1);
		n += d->plan.n;
	}
	assert_int_equal(n, b->plan.n);
	assert_string_equal(eo_str_get(&got), wanted);
	eo_vec_for_each(d, &b->drafts)
		eo_draft_release(d);
	free(b->drafts.items);
}

static void fits(void **state)
{
	struct box b = { 0 };

	(void)state;
	add_numbered(&b, "a", 1, 15);
	check(&b, NULL, false, ":15");
}

static void too_long(void **state)
{
	struct box b = { 0 };

	(void)state;
	add_numbered(&b, "a", 1, 31);
	check(&b, NULL, false, "part-1:15 part-2:15 part-3:1");
}

/* Patches of the same file stay together, where they are in the plan too. */
static void same_file(void **state)
{
	struct box b = { 0 };

	(void)state;
	add_numbered(&b, "a", 1, 14);
	add(&b, "x.c");
	add(&b, "a/03.c");
	add(&b, "x.c");
	/* 15 with both of a/03.c; the two of x.c are the rest. */
	check(&b, NULL, false, "part-1:15 part-2:2");
}

/* One file with more than a series takes: each goes on top of the other. */
static void on_top(void **state)
{
	struct box b = { 0 };

	(void)state;
	for (int i = 0; i < 33; i++)
		add(&b, "x.c");
	add(&b, "y.c");
	check(&b, NULL, false, "part-1:15 part-2:15+ part-3:4+");
}

/* As MAINTAINERS says, by the script; where that says nothing, by folder. */
static void split(void **state)
{
	static const char script[] =
		"my ($f) = grep { /\\.c$/ } @ARGV;\n"
		"print qq{list\\@example.org\\n};\n"
		"print qq{HAY - BALES & STRAW (HAY_2)\\n} if $f =~ m{hay};\n"
		"print qq{FARM LAYER\\n} if $f =~ m{^farm};\n"
		"print qq{THE REST\\n};\n";
	EO_CLEANUP(eo_freep) char *dir = NULL, *scripts = NULL, *pl = NULL;
	struct eo_tree tree = { 0 };
	struct box b = { 0 };

	(void)state;
	assert_null(eo_temp_dir(&dir));
	scripts = eo_path_join(dir, "scripts");
	pl = eo_path_join(scripts, "get_maintainer.pl");
	assert_null(eo_mkdirs(scripts));
	tree.root = dir;
	add(&b, "farm/barn.c");
	add(&b, "farm/hay.c");
	add(&b, "lib/x.c");
	add(&b, "farm/cow.c");
	add(&b, "top.c");
	check(&b, &tree, true, "farm:3 lib:1 rest:1");
	assert_null(eo_file_write(pl, script, strlen(script)));
	b.drafts = (struct eo_drafts){ 0 };
	check(&b, &tree, true, "farm-layer:2 hay_2:1 lib:1 rest:1");
	assert_null(eo_remove_tree(dir));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fits),	     cmocka_unit_test(too_long),
		cmocka_unit_test(same_file), cmocka_unit_test(on_top),
		cmocka_unit_test(split),
	};

	return cmocka_run_group_tests_name("cut", tests, NULL, NULL);
}
