// SPDX-License-Identifier: GPL-2.0-only
/*
 * The configuration that is prepared in the cache, with a small tree whose
 * makefile counts how often it is called.
 */
#include "tree_box.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tree/arch.h"
#include "tree/build.h"
#include "tree/dotconfig.h"
#include "tree/kconfig.h"
#include "tree/solve.h"

#define N(a) (sizeof(a) / sizeof((a)[0]))

static const char *const names[] = { "costly_sync" };
static const char *const some[] = { "core/always.c", "core/plain.c" };
static const char *const more[] = { "dir/module.c", "core/plain.c",
				    "arch/weird/odd.c", "loop/unlisted.c" };

static struct eo_error *open_build(struct box *b, const char *const *files,
				   size_t n, struct eo_build **out)
{
	struct eo_build_options o = { .files = files,
				      .n_files = n,
				      .names = names,
				      .n_names = 1,
				      .jobs = 1 };

	eo_tree_free(b->tree);
	b->tree = NULL;
	no_error(eo_tree_open(b->root, &b->tree));
	return eo_build_open(b->tree, &o, out);
}

/* The calls of make so far, without the dry runs; "" without any. */
static char *calls(struct box *b)
{
	EO_CLEANUP(eo_str_release) struct eo_str text = { 0 };
	EO_CLEANUP(eo_freep) char *path = NULL;

	no_error(eo_tree_cache_path(b->tree, "build/calls", &path));
	if (eo_is_file(path))
		no_error(eo_file_read(path, &text));
	return eo_squeeze(eo_str_get(&text), text.len);
}

static void expect_calls(struct box *b, const char *expected)
{
	EO_CLEANUP(eo_freep) char *got = calls(b);

	assert_string_equal(got, expected);
}

static void expect_config(struct eo_build *build, const char *symbols)
{
	EO_CLEANUP(eo_map_release) struct eo_map values = { 0 };

	no_error(eo_dotconfig_read(eo_build_config(build), &values));
	expect_keys(&values, symbols);
}

static bool has_flag(const char *const *flags, const char *flag)
{
	for (; flags && *flags; flags++)
		if (strcmp(*flags, flag) == 0)
			return true;
	return false;
}

/*
 * What the makefile of the tree says, for clang: and PLAIN is on, with BASE,
 * which it depends on, and UNDER_IF, which its code is behind, with what that
 * depends on; and ODD, which PLAIN excludes, is off.
 */
static void test_from_nothing(void **state)
{
	EO_CLEANUP(empty_box) struct box b = { 0 };
	struct eo_build *build;
	const char *const *flags;
	const char *why;

	(void)state;
	fill_box(&b, "tree");
	no_error(open_build(&b, some, N(some), &build));
	assert_string_equal(eo_build_origin(build), "prepared");
	expect_calls(&b, "olddefconfig prepare0");
	expect_config(build, "X86 PLAIN BASE UNDER_IF ANOTHER THIRD");
	flags = eo_build_flags(build, "core/plain.c", &why);
	assert_null(why);
	assert_true(has_flag(flags, "-nostdinc"));
	assert_true(has_flag(flags, "-std=gnu11"));
	assert_true(has_flag(flags, "-mno-sse"));
	assert_true(has_flag(flags, "-DKBUILD_BASENAME=\"plain\""));
	assert_false(has_flag(flags, "-Wall"));
	assert_false(has_flag(flags, "-fplugin=none.so"));
	assert_non_null(eo_build_flags(build, "core/always.c", &why));
	assert_null(why);
	assert_null(eo_build_flags(build, "core/part.c", &why));
	assert_non_null(why); /* nobody asked for it */
	eo_build_free(build);
}

/* The second time, no make runs; and the flags are the same. */
static void test_warm(void **state)
{
	EO_CLEANUP(empty_box) struct box b = { 0 };
	struct eo_build *first, *second;
	const char *const *x, *const *y;
	const char *why;

	(void)state;
	fill_box(&b, "tree");
	no_error(open_build(&b, some, N(some), &first));
	put(&b, "scripts/config.sh", "exit 1\n");
	no_error(open_build(&b, some, N(some), &second));
	x = eo_build_flags(first, "core/plain.c", &why);
	y = eo_build_flags(second, "core/plain.c", &why);
	for (; *x && *y; x++, y++)
		assert_string_equal(*x, *y);
	assert_null(*x);
	assert_null(*y);
	eo_build_free(first);
	eo_build_free(second);
}

static void test_grows(void **state)
{
	EO_CLEANUP(empty_box) struct box b = { 0 };
	struct eo_build *build;
	const char *const *before;
	const char *why;

	(void)state;
	fill_box(&b, "tree");
	no_error(open_build(&b, some, N(some), &build));
	before = eo_build_flags(build, "core/plain.c", &why);
	/* nothing new to the configuration: only flags are asked for */
	no_error(eo_build_add(build, &more[2], 2, names, 1));
	expect_calls(&b, "olddefconfig prepare0");
	assert_null(eo_build_flags(build, "arch/weird/odd.c", &why));
	assert_non_null(strstr(why, "arch/weird is not built for"));
	assert_non_null(eo_build_flags(build, "loop/unlisted.c", &why));
	assert_non_null(strstr(why, "no makefile line"));

	/* DIR is new, but no Kconfig file has it: there is nothing to try */
	no_error(eo_build_add(build, more, N(more), names, 1));
	expect_calls(&b, "olddefconfig prepare0");
	assert_null(eo_build_flags(build, "dir/module.c", &why));
	assert_non_null(strstr(why, "CONFIG_DIR could not be set"));
	expect_config(build, "X86 PLAIN BASE UNDER_IF ANOTHER THIRD");

	/* what was given away before is still there */
	assert_true(has_flag(before, "-DKBUILD_BASENAME=\"plain\""));
	eo_build_free(build);

	no_error(open_build(&b, more, N(more), &build));
	expect_calls(&b, "olddefconfig prepare0");
	eo_build_free(build);
}

/*
 * What only another symbol sets: known after the first round. And what is new
 * to the configuration makes all of it anew, flags as well.
 */
static void test_second_round(void **state)
{
	static const char *const hidden[] = { "core/hidden.c" };
	EO_CLEANUP(empty_box) struct box b = { 0 };
	struct eo_build *build;
	const char *why;

	(void)state;
	fill_box(&b, "tree");
	no_error(open_build(&b, some, 1, &build));
	expect_config(build, "X86 ODD");
	put(&b, "core/hidden.c",
	    "#ifdef CONFIG_HIDDEN\ncostly_sync();\n"
	    "#elif defined(CONFIG_ODD)\n#else\n"
	    "costly_sync();\n#endif\n");
	no_error(eo_build_add(build, hidden, 1, names, 1));
	expect_calls(&b, "olddefconfig prepare0 olddefconfig olddefconfig "
			 "prepare0");
	expect_config(build, "X86 SELECTOR HIDDEN");
	assert_non_null(eo_build_flags(build, "core/always.c", &why));
	eo_build_free(build);
}

/* A tree that changed, and a makefile that did. */
static void test_prepared_again(void **state)
{
	EO_CLEANUP(empty_box) struct box b = { 0 };
	EO_CLEANUP(eo_freep) char *top = NULL;
	EO_CLEANUP(eo_str_release) struct eo_str text = { 0 };
	struct eo_build *build;
	const char *why;

	(void)state;
	fill_box(&b, "tree");
	no_error(open_build(&b, some, N(some), &build));
	eo_build_free(build);
	put(&b, "core/Makefile", "obj-$(CONFIG_NEVER) += always.o plain.o\n");
	no_error(open_build(&b, some, N(some), &build));
	assert_null(eo_build_flags(build, "core/plain.c", &why));
	assert_string_equal(why,
			    "CONFIG_NEVER could not be set: depends on WEIRD");
	eo_build_free(build);

	top = eo_path_join(b.root, "Makefile");
	no_error(eo_file_read(top, &text));
	eo_str_add(&text, "\n# touched\n");
	put(&b, "Makefile", eo_str_get(&text));
	no_error(open_build(&b, some, N(some), &build));
	eo_build_free(build);
	expect_calls(&b, "olddefconfig prepare0"); /* from nothing */
}

/* A preparation that ended half-way is done again, from nothing. */
static void test_interrupted(void **state)
{
	EO_CLEANUP(empty_box) struct box b = { 0 };
	EO_CLEANUP(eo_freep) char *log = NULL, *fail = NULL, *build_dir = NULL;
	EO_CLEANUP(eo_str_release) struct eo_str text = { 0 };
	struct eo_build *build;

	(void)state;
	fill_box(&b, "tree");
	no_error(eo_tree_open(b.root, &b.tree));
	no_error(eo_tree_cache_path(b.tree, "build", &build_dir));
	put(&b, "core/Kconfig", "");
	no_error(eo_mkdirs(build_dir));
	/* the folder is emptied first, so the tree itself has to fail */
	put(&b, "scripts/config.sh",
	    "echo one line; echo core/x.h: No such invention >&2; exit 3\n");
	expect_error(open_build(&b, some, N(some), &build),
		     "core/x.h: No such invention");
	no_error(eo_tree_cache_path(b.tree, "make.log", &log));
	no_error(eo_file_read(log, &text));
	assert_non_null(strstr(eo_str_get(&text), "one line"));
	expect_error(open_build(&b, some, N(some), &build), log);

	fail = eo_path_join(b.root, "scripts/config.sh");
	run(NULL, "cp", MINI "/scripts/config.sh", fail, NULL);
	no_error(open_build(&b, some, N(some), &build));
	expect_calls(&b, "olddefconfig prepare0");
	eo_build_free(build);
}

/* Kbuild refuses such a path, and a tree that was configured in place. */
static void test_shadow(void **state)
{
	EO_CLEANUP(empty_box) struct box b = { 0 };
	EO_CLEANUP(eo_freep) char *config = NULL;
	struct eo_build *build;
	const char *why;

	(void)state;
	fill_box(&b, "a tree's\n\"name\": $x");
	put(&b, ".config", "CONFIG_MINE=y\n");
	put(&b, "include/generated/autoconf.h", "#define CONFIG_MINE 1\n");
	no_error(open_build(&b, some, N(some), &build));
	assert_string_equal(eo_build_origin(build), "prepared");
	assert_non_null(eo_build_flags(build, "core/plain.c", &why));
	assert_null(why);
	no_error(eo_tree_cache_path(b.tree, "source/.config", &config));
	assert_int_not_equal(access(config, F_OK), 0);
	free(config);
	no_error(eo_tree_cache_path(b.tree, "source/include/generated",
				    &config));
	assert_int_not_equal(access(config, F_OK), 0);
	free(config);
	no_error(eo_tree_cache_path(b.tree, "source/include/linux/costly.h",
				    &config));
	assert_int_equal(access(config, F_OK), 0);
	eo_build_free(build);
}

/* Nothing in the tree changes: not its files, not its folders. */
static void test_tree_not_written(void **state)
{
	EO_CLEANUP(empty_box) struct box b = { 0 };
	EO_CLEANUP(eo_freep) char *stamp = NULL;
	EO_CLEANUP(eo_proc_result_release) struct eo_proc_result r = { 0 };
	struct eo_build *build;

	(void)state;
	fill_box(&b, "tree");
	stamp = eo_path_join(b.dir, "stamp");
	no_error(eo_file_write(stamp, "", 0));
	no_error(open_build(&b, more, N(more), &build));
	eo_build_free(build);
	{
		const char *const argv[] = { "find", b.root, "-newer", stamp,
					     NULL };
		struct eo_proc p = { .argv = argv };

		no_error(eo_proc_check(&p, &r));
	}
	assert_int_equal(r.out.len, 0);
}

static void test_cache_with_blanks(void **state)
{
	EO_CLEANUP(empty_box) struct box b = { 0 };
	EO_CLEANUP(eo_freep) char *cache = NULL;
	struct eo_build *build;

	(void)state;
	fill_box(&b, "tree");
	cache = eo_path_join(b.dir, "my cache");
	setenv("XDG_CACHE_HOME", cache, 1);
	expect_error(open_build(&b, some, N(some), &build), "XDG_CACHE_HOME");
}

static void test_missing_tools(void **state)
{
	EO_CLEANUP(empty_box) struct box b = { 0 };
	EO_CLEANUP(eo_freep) char *path = eo_strdup(getenv("PATH"));
	EO_CLEANUP(eo_freep) char *bin = NULL, *clang = NULL;
	struct eo_build *build;

	(void)state;
	fill_box(&b, "tree");
	bin = eo_path_join(b.dir, "bin");
	clang = eo_path_join(bin, "clang-19");
	no_error(eo_mkdirs(bin));
	setenv("PATH", bin, 1);
	expect_error(open_build(&b, some, N(some), &build), "clang-19");
	assert_int_equal(symlink("/bin/true", clang), 0);
	expect_error(open_build(&b, some, N(some), &build), "flex, bison, bc");
	setenv("PATH", path, 1);
}

/* Somebody else prepares: we wait until he is done. */
static void test_waits_for_lock(void **state)
{
	EO_CLEANUP(empty_box) struct box b = { 0 };
	EO_CLEANUP(eo_freep) char *lock = NULL, *mark = NULL;
	struct eo_build *build;
	pid_t pid;
	int fd;

	(void)state;
	fill_box(&b, "tree");
	no_error(eo_tree_open(b.root, &b.tree));
	no_error(eo_tree_cache_path(b.tree, "lock", &lock));
	no_error(eo_tree_cache_path(b.tree, "mark", &mark));
	fd = open(lock, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
	assert_int_equal(flock(fd, LOCK_EX), 0);
	pid = fork();
	if (pid == 0) {
		usleep(300000);
		close(open(mark, O_RDWR | O_CREAT, 0666));
		_exit(0); /* the last to hold it */
	}
	close(fd);
	no_error(open_build(&b, some, N(some), &build));
	assert_true(eo_is_file(mark));
	waitpid(pid, NULL, 0);
	eo_build_free(build);
}

static void expect_solution(const struct eo_kconfig *k, const char *symbol,
			    const char *config, bool select, const char *on,
			    const char *off)
{
	EO_CLEANUP(eo_map_release) struct eo_map values = { 0 };
	EO_CLEANUP(eo_map_release) struct eo_map got_on = { 0 };
	EO_CLEANUP(eo_map_release) struct eo_map got_off = { 0 };
	EO_CLEANUP(eo_freep) char *list = eo_strdup(config);
	struct eo_solve s = { .kconfig = k,
			      .config = &values,
			      .on = &got_on,
			      .off = &got_off,
			      .select = select };
	char *save = NULL;

	for (char *w = strtok_r(list, " ", &save); w;
	     w = strtok_r(NULL, " ", &save))
		eo_map_set(&values, w, (void *)"y");
	eo_solve(&s, symbol);
	expect_keys(&got_on, on);
	expect_keys(&got_off, off);
}

static void test_solve(void **state)
{
	struct eo_kconfig *k;

	(void)state;
	no_error(eo_kconfig_open(MINI, "x86", &k));
	expect_solution(k, "PLAIN", "", false, "PLAIN BASE", "");
	expect_solution(k, "PLAIN", "BASE ODD", false, "PLAIN", "ODD");
	expect_solution(k, "PLAIN", "PLAIN", false, "", "");
	expect_solution(k, "UNDER_IF", "X86", false,
			"UNDER_IF BASE ANOTHER THIRD", "");
	expect_solution(k, "IN_MENU", "", false, "IN_MENU MENU_NEEDS EXPERT",
			"");
	/* WEIRD is no symbol here: so the other alternative */
	expect_solution(k, "EITHER_ARCH", "", false, "EITHER_ARCH COMPILE_TEST",
			"");
	expect_solution(k, "HIDDEN", "", false, "HIDDEN", "");
	expect_solution(k, "HIDDEN", "", true, "HIDDEN SELECTOR", "");
	expect_solution(k, "NUMBER", "", true, "", ""); /* y is no number */
	expect_solution(k, "NO_SUCH", "", true, "", "");
	eo_kconfig_free(k);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_from_nothing),
		cmocka_unit_test(test_warm),
		cmocka_unit_test(test_grows),
		cmocka_unit_test(test_second_round),
		cmocka_unit_test(test_prepared_again),
		cmocka_unit_test(test_interrupted),
		cmocka_unit_test(test_shadow),
		cmocka_unit_test(test_tree_not_written),
		cmocka_unit_test(test_cache_with_blanks),
		cmocka_unit_test(test_missing_tools),
		cmocka_unit_test(test_waits_for_lock),
		cmocka_unit_test(test_solve),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
