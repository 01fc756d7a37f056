// SPDX-License-Identifier: GPL-2.0-only
/* What tree it is: recognised from inside, with its version and revision. */
#include "tree_box.h"

#include <unistd.h>

static void test_open(void **state)
{
	EO_CLEANUP(empty_box) struct box b = { 0 };
	EO_CLEANUP(eo_freep) char *sub = NULL;
	struct eo_tree *again;

	(void)state;
	fill_box(&b, "a tree's\n\"name\"");
	no_error(eo_tree_open(b.root, &b.tree));
	assert_string_equal(b.tree->root, b.root);
	assert_string_equal(b.tree->version, "7.3.21-rc2");
	assert_null(b.tree->revision);
	assert_false(b.tree->dirty);
	assert_int_equal(strlen(b.tree->key), 16);

	sub = eo_path_join(b.root, "dir/deep");
	no_error(eo_tree_open(sub, &again));
	assert_string_equal(again->root, b.root);
	assert_string_equal(again->key, b.tree->key);
	eo_tree_free(again);
}

static void test_current_directory(void **state)
{
	EO_CLEANUP(empty_box) struct box b = { 0 };

	(void)state;
	fill_box(&b, "tree");
	assert_int_equal(chdir(b.root), 0);
	assert_int_equal(chdir("core"), 0);
	no_error(eo_tree_open(NULL, &b.tree));
	assert_string_equal(b.tree->root, b.root);
	assert_int_equal(chdir("/"), 0);
}

static void test_not_a_tree(void **state)
{
	EO_CLEANUP(empty_box) struct box b = { 0 };
	EO_CLEANUP(eo_freep) char *kbuild = NULL, *file = NULL, *none = NULL;
	struct eo_tree *t;

	(void)state;
	fill_box(&b, "tree");
	expect_error(eo_tree_open(b.dir, &t), "no Makefile");
	expect_error(eo_tree_open(b.dir, &t), "--tree");
	none = eo_path_join(b.dir, "none");
	expect_error(eo_tree_open(none, &t), "No such file");
	file = eo_path_join(b.root, "Kbuild");
	expect_error(eo_tree_open(file, &t), "not a folder");
	kbuild = eo_path_join(b.root, "Kbuild");
	unlink(kbuild);
	expect_error(eo_tree_open(b.root, &t), "no Kbuild");
	put(&b, "Kbuild", "");
	put(&b, "Makefile", "all:\n\techo a program of its own\n");
	expect_error(eo_tree_open(b.root, &t), "no VERSION");
}

static void test_version(void **state)
{
	EO_CLEANUP(empty_box) struct box b = { 0 };

	(void)state;
	fill_box(&b, "tree");
	/* as KERNELVERSION in the kernel's own makefile */
	put(&b, "Makefile",
	    "VERSION = 4\nPATCHLEVEL = 19\nSUBLEVEL =\n"
	    "EXTRAVERSION =\n");
	no_error(eo_tree_open(b.root, &b.tree));
	assert_string_equal(b.tree->version, "4.19");
	eo_tree_free(b.tree);
	put(&b, "Makefile", "VERSION=6\nPATCHLEVEL:=12\nSUBLEVEL = 0 # x\n");
	no_error(eo_tree_open(b.root, &b.tree));
	assert_string_equal(b.tree->version, "6.12.0");
}

static void commit(const char *dir)
{
	run(dir, "git", "init", "-q", ".", NULL);
	run(dir, "git", "add", ".", NULL);
	run(dir, "git", "-c", "user.name=A", "-c", "user.email=a@example.org",
	    "commit", "-q", "-m", "all", NULL);
}

static void test_revision(void **state)
{
	EO_CLEANUP(empty_box) struct box b = { 0 };

	(void)state;
	fill_box(&b, "tree");
	run(b.root, "git", "init", "-q", ".", NULL);
	no_error(eo_tree_open(b.root, &b.tree)); /* no commit yet */
	assert_null(b.tree->revision);
	eo_tree_free(b.tree);

	commit(b.root);
	no_error(eo_tree_open(b.root, &b.tree));
	assert_non_null(b.tree->revision);
	assert_int_equal(strspn(b.tree->revision, "0123456789abcdef"), 40);
	assert_int_equal(strlen(b.tree->revision), 40);
	assert_false(b.tree->dirty);
	eo_tree_free(b.tree);

	put(&b, "core/new.c", "");
	no_error(eo_tree_open(b.root, &b.tree)); /* not tracked */
	assert_false(b.tree->dirty);
	eo_tree_free(b.tree);

	put(&b, "core/part.c", "int changed;\n");
	no_error(eo_tree_open(b.root, &b.tree));
	assert_true(b.tree->dirty);
}

/* The repository around the tree is not the tree's. */
static void test_inside_another_repository(void **state)
{
	EO_CLEANUP(empty_box) struct box b = { 0 };

	(void)state;
	fill_box(&b, "tree");
	commit(b.dir);
	no_error(eo_tree_open(b.root, &b.tree));
	assert_null(b.tree->revision);
	assert_false(b.tree->dirty);
}

/* Git's refusal, a broken repository, no git: a tree without revision. */
static void test_git_fails(void **state)
{
	EO_CLEANUP(empty_box) struct box b = { 0 };
	EO_CLEANUP(eo_freep) char *path = eo_strdup(getenv("PATH"));

	(void)state;
	fill_box(&b, "tree");
	put(&b, ".git", "gitdir: /nonexistent\n");
	no_error(eo_tree_open(b.root, &b.tree));
	assert_null(b.tree->revision);
	eo_tree_free(b.tree);
	setenv("PATH", "/nonexistent", 1);
	no_error(eo_tree_open(b.root, &b.tree));
	setenv("PATH", path, 1);
	assert_null(b.tree->revision);
}

static void test_cache_path(void **state)
{
	EO_CLEANUP(empty_box) struct box b = { 0 };
	EO_CLEANUP(eo_freep) char *path = NULL, *expected = NULL;

	(void)state;
	fill_box(&b, "tree");
	no_error(eo_tree_open(b.root, &b.tree));
	no_error(eo_tree_cache_path(b.tree, "thing", &path));
	expected =
		eo_asprintf("%s/cache/earlyout/%s/thing", b.dir, b.tree->key);
	assert_string_equal(path, expected);
	*strrchr(path, '/') = '\0';
	assert_true(eo_is_dir(path));
}

static void test_kernel_paths(void **state)
{
	static const char *const in[] = {
		"mm/memory.c",	       "arch/x86/kernel/a.c", "samples/s/a.c",
		"toolsmith/a.c",       "block/tools/a.c",     "top.c",
		"drivers/scripts/a.c",
	};
	static const char *const out[] = {
		"tools/perf/a.c",     "scripts/mod/a.c", "Documentation/x/a.c",
		"arch/x86/tools/a.c", ".pc/one/mm/a.c",	 "debian/x/a.c",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(in) / sizeof(in[0]); i++)
		assert_true(eo_tree_is_kernel_path(in[i]));
	for (size_t i = 0; i < sizeof(out) / sizeof(out[0]); i++)
		assert_false(eo_tree_is_kernel_path(out[i]));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_open),
		cmocka_unit_test(test_current_directory),
		cmocka_unit_test(test_not_a_tree),
		cmocka_unit_test(test_version),
		cmocka_unit_test(test_revision),
		cmocka_unit_test(test_inside_another_repository),
		cmocka_unit_test(test_git_fails),
		cmocka_unit_test(test_cache_path),
		cmocka_unit_test(test_kernel_paths),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
