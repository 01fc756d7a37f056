// SPDX-License-Identifier: GPL-2.0-only
/* The scratch copy of a tree: never may a change of it reach the tree. */
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tree_box.h"
#include "verify/source.h"

static struct box b;

static int setup(void **state)
{
	(void)state;
	fill_box(&b, "tree");
	put(&b, "core/twin.c", "int twin;\n");
	put(&b, "core/twin.o", "no source\n");
	put(&b, ".config", "CONFIG_X=y\n");
	put(&b, "include/generated/autoconf.h", "#define X\n");
	put(&b, ".git/HEAD", "ref\n");
	no_error(eo_tree_open(b.root, &b.tree));
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	empty_box(&b);
	return 0;
}

static void expect_text(const char *root, const char *file, const char *text)
{
	EO_CLEANUP(eo_freep) char *path = eo_path_join(root, file);
	EO_CLEANUP(eo_str_release) struct eo_str got = { 0 };

	if (!text) {
		assert_int_equal(access(path, F_OK), -1);
		return;
	}
	no_error(eo_file_read(path, &got));
	assert_string_equal(eo_str_get(&got), text);
}

/* The two trees are the same but for what is no source. */
static void expect_same(const struct eo_source *s)
{
	run(NULL, "diff", "-r", "-x", ".git", "-x", ".config", "-x",
	    "generated", "-x", "*.o", b.root, s->dir, NULL);
}

static void test_has_the_source_alone(void **state)
{
	struct eo_source s = { 0 };

	(void)state;
	no_error(eo_source_open(b.tree, "test", &s));
	expect_same(&s);
	expect_text(s.dir, "core/twin.c", "int twin;\n");
	expect_text(s.dir, "core/twin.o", NULL);
	expect_text(s.dir, ".config", NULL);
	expect_text(s.dir, "include/generated/autoconf.h", NULL);
	expect_text(s.dir, ".git/HEAD", NULL);
	eo_source_release(&s);
}

static void test_changes_stay_in_it(void **state)
{
	struct eo_source s = { 0 };

	(void)state;
	no_error(eo_source_open(b.tree, "test", &s));
	no_error(eo_source_put(&s, "core/twin.c", "int two;\n", 9, false));
	no_error(eo_source_put(&s, "new/deep/a.c", "int a;\n", 7, true));
	no_error(eo_source_remove(&s, "core/always.c"));
	expect_text(s.dir, "core/twin.c", "int two;\n");
	expect_text(s.dir, "new/deep/a.c", "int a;\n");
	expect_text(s.dir, "core/always.c", NULL);
	expect_text(b.root, "core/twin.c", "int twin;\n");
	expect_text(b.root, "new/deep/a.c", NULL);
	no_error(eo_source_restore(&s));
	expect_same(&s);
	expect_text(s.dir, "new", NULL);
	eo_source_release(&s);
}

/* A run that was killed leaves what it changed: the next one puts it back. */
static void test_opening_brings_up_to_date(void **state)
{
	EO_CLEANUP(eo_freep) char *dir = NULL;
	EO_CLEANUP(eo_freep) char *gone = eo_path_join(b.root, "dir/module.c");
	struct eo_source s = { 0 };

	(void)state;
	no_error(eo_source_open(b.tree, "test", &s));
	no_error(eo_source_put(&s, "core/twin.c", "int two;\n", 9, false));
	no_error(eo_source_put(&s, "new/a.c", "int a;\n", 7, false));
	no_error(eo_source_remove(&s, "core/always.c"));
	eo_map_release(&s.changed); /* as if it had died here */
	eo_source_release(&s);

	put(&b, "core/plain.c", "int other;\n");
	assert_int_equal(unlink(gone), 0);
	no_error(eo_source_open(b.tree, "test", &s));
	expect_same(&s);
	expect_text(s.dir, "core/plain.c", "int other;\n");
	eo_source_release(&s);
}

static void test_refuses_paths(void **state)
{
	static const char *const bad[] = { "../x.c",   "a/../../x.c",
					   "/etc/x",   ".git/config",
					   "a/.git/x", "a/.GIT/x",
					   "",	       "./x",
					   "a/" };
	struct eo_source s = { 0 };
	EO_CLEANUP(eo_freep) char *link = NULL;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_false(eo_source_is_path(bad[i]));
	assert_true(eo_source_is_path("a/b..c/.gitignore"));
	no_error(eo_source_open(b.tree, "test", &s));
	expect_error(eo_source_put(&s, "../x.c", "", 0, false), "no path");
	link = eo_path_join(s.dir, "out");
	assert_int_equal(symlink(b.dir, link), 0);
	expect_error(eo_source_put(&s, "out/x.c", "", 0, false), "no folder");
	eo_source_release(&s);
}

#define TEST(fn) cmocka_unit_test_setup_teardown(fn, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_has_the_source_alone),
		TEST(test_changes_stay_in_it),
		TEST(test_opening_brings_up_to_date),
		TEST(test_refuses_paths),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
