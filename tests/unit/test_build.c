// SPDX-License-Identifier: GPL-2.0-only
/* How files are compiled: from each of the sources of flags. */
#include "tree_box.h"

#include <unistd.h>

#include "tree/arch.h"
#include "tree/build.h"
#include "tree/dotconfig.h"
#include "tree/dryrun.h"
#include "tree/flags.h"
#include "tree/shellwords.h"

#define N(a) (sizeof(a) / sizeof((a)[0]))

static const char *const names[] = { "costly_sync" };

/* The flags in one line. */
static void expect_flags(const char *const *flags, const char *expected)
{
	EO_CLEANUP(eo_str_release) struct eo_str got = { 0 };

	assert_non_null(flags);
	for (; *flags; flags++)
		eo_str_addf(&got, "%s%s", got.len ? " " : "", *flags);
	assert_string_equal(eo_str_get(&got), expected);
}

static void test_shell_words(void **state)
{
	EO_CLEANUP(eo_arena_release) struct eo_arena a = { 0 };
	EO_CLEANUP(eo_words_release) struct eo_words w = { 0 };
	const char *p =
		"cc  -DA='\"x y\"' \"b\\\"c\\d\" e\\ f\\\n g'h'\\''i' ; "
		"next|third && x\n'open";

	(void)state;
	assert_true(eo_shell_next(&p, &a, &w));
	assert_int_equal(w.n, 5);
	assert_string_equal(w.items[0], "cc");
	assert_string_equal(w.items[1], "-DA=\"x y\"");
	assert_string_equal(w.items[2], "b\"c\\d");
	assert_string_equal(w.items[3], "e f");
	assert_string_equal(w.items[4], "gh'i");
	assert_true(eo_shell_next(&p, &a, &w));
	assert_int_equal(w.n, 1);
	assert_string_equal(w.items[0], "next");
	assert_true(eo_shell_next(&p, &a, &w));
	assert_true(eo_shell_next(&p, &a, &w));
	assert_true(eo_shell_next(&p, &a, &w));
	assert_string_equal(w.items[0], "open");
	assert_false(eo_shell_next(&p, &a, &w));
}

static void expect_command(const char *command, const char *base,
			   const char *expected)
{
	EO_CLEANUP(eo_arena_release) struct eo_arena a = { 0 };
	EO_CLEANUP(eo_words_release) struct eo_words w = { 0 };

	assert_true(eo_shell_next(&command, &a, &w));
	expect_flags(eo_flags_for_clang(&a, &w, base), expected);
}

static void test_flags(void **state)
{
	(void)state;
	expect_command("gcc -Wp,-MMD,a/.b.o.d -nostdinc -I/s/include -I ./gen "
		       "-include /s/k.h -isystem lib -DX='\"a b\"' -D Y -UZ "
		       "-Wall -Werror=format -std=gnu11 -fno-strict-aliasing "
		       "-fplugin=./p.so -fplugin-arg-p-x -mindirect-branch=t "
		       "-mpreferred-stack-boundary=3 -fconserve-stack -mno-sse "
		       "--param=x=1 --param y=2 -fshort-wchar -funsigned-char "
		       "-m64 -mcmodel=kernel -O2 -g -gdwarf-5 -Wa,-x -pg -MD "
		       "-MF dep -fno-builtin-bcmp -c -o a/b.o a/b.c",
		       NULL,
		       "-nostdinc -I/s/include -I./gen -include /s/k.h "
		       "-isystem lib -DX=\"a b\" -DY -UZ -std=gnu11 -mno-sse "
		       "-fshort-wchar -funsigned-char -m64 -mcmodel=kernel -O2 "
		       "-fno-builtin-bcmp -w");
	/* a cross compiler, behind a cache */
	expect_command("ccache /opt/bin/aarch64-linux-gnu-gcc-12 -DA -c a.c",
		       NULL, "-DA --target=aarch64-linux-gnu -w");
	expect_command("clang --target=arm-linux -mabi=aapcs -Xclang -x -c a.c",
		       NULL, "--target=arm-linux -mabi=aapcs -w");
	/* from another folder */
	expect_command("gcc -I. -I/abs -include rel.h -Drel -c a.c", "/base",
		       "-I/base/. -I/abs -include /base/rel.h -Drel -w");
	/* cut short */
	expect_command("gcc -c -include", NULL, "-w");
	expect_command("gcc", NULL, "-w");
}

static void test_rename(void **state)
{
	EO_CLEANUP(eo_arena_release) struct eo_arena a = { 0 };
	static const char *const flags[] = {
		"-DKBUILD_BASENAME=\"x\"",
		"-DKBUILD_MODNAME=\"whole\"",
		"-DKBUILD_MODFILE=\"d/whole\"",
		"-D__KBUILD_MODNAME=kmod_whole",
		"-DOTHER=x",
		NULL,
	};

	(void)state;
	expect_flags(eo_flags_rename(&a, flags, "mm/a-b.c"),
		     "-DKBUILD_BASENAME=\"a_b\" -DKBUILD_MODNAME=\"a_b\" "
		     "-DKBUILD_MODFILE=\"mm/a-b\" -D__KBUILD_MODNAME=kmod_a_b "
		     "-DOTHER=x");
}

static void test_dry_run_output(void **state)
{
	EO_CLEANUP(eo_arena_release) struct eo_arena a = { 0 };
	EO_CLEANUP(eo_map_release) struct eo_map got = { 0 };

	(void)state;
	eo_dryrun_read("make -f scripts/Makefile.build obj=mm mm/a.o\n"
		       "Don't be misled by a quote -c -o x.o x.c\n"
		       "set -e; echo '  gcc -DECHO -c -o mm/a.o mm/a.c'; "
		       "gcc -DA -c -o mm/a.o /src/mm/a.c; objtool mm/a.o\n"
		       "gcc -DB \\\n\t-DC -c -o ./net/b-c.o /src/net/b-c.c\n"
		       "gcc -DOLD -c -o fs/.tmp_d.o fs/d.c\n"
		       "gcc -DASM -c -o lib/e.o lib/e.S\n"
		       "gcc -DLAST -c -o f.o f.c",
		       &a, &got);
	assert_int_equal(got.n, 4);
	expect_flags(eo_map_get(&got, "mm/a.c"), "-DA -w");
	expect_flags(eo_map_get(&got, "net/b-c.c"), "-DB -DC -w");
	expect_flags(eo_map_get(&got, "fs/d.c"), "-DOLD -w");
	expect_flags(eo_map_get(&got, "f.c"), "-DLAST -w");
}

static void test_dotconfig(void **state)
{
	EO_CLEANUP(empty_box) struct box b = { 0 };
	EO_CLEANUP(eo_map_release) struct eo_map values = { 0 };
	EO_CLEANUP(eo_map_release) struct eo_map on = { 0 };
	EO_CLEANUP(eo_map_release) struct eo_map off = { 0 };
	EO_CLEANUP(eo_freep) char *path = NULL;
	EO_CLEANUP(eo_str_release) struct eo_str text = { 0 };

	(void)state;
	fill_box(&b, "tree");
	put(&b, ".config",
	    "#\n# CONFIG_A is not set\nCONFIG_B=y\nCONFIG_C=m\n"
	    "CONFIG_D=\"y\"\nCONFIG_BB=n\n");
	path = eo_path_join(b.root, ".config");
	no_error(eo_dotconfig_read(path, &values));
	expect_keys(&values, "B C D BB");
	assert_true(eo_dotconfig_on(&values, "B"));
	assert_true(eo_dotconfig_on(&values, "C"));
	assert_false(eo_dotconfig_yes(&values, "C"));
	assert_false(eo_dotconfig_on(&values, "A"));
	assert_false(eo_dotconfig_on(&values, "D"));
	assert_false(eo_dotconfig_on(&values, "BB"));
	eo_set_add(&on, "A");
	eo_set_add(&on, "C");
	eo_set_add(&off, "B");
	eo_set_add(&off, "A"); /* on wins */
	no_error(eo_dotconfig_change(path, &on, &off));
	no_error(eo_file_read(path, &text));
	assert_string_equal(eo_str_get(&text),
			    "#\nCONFIG_D=\"y\"\nCONFIG_BB=n\nCONFIG_A=y\n"
			    "CONFIG_C=y\n# CONFIG_B is not set\n");
}

static struct eo_error *open_build(struct box *b, const char *build_dir,
				   const char *compile_commands,
				   const char *const *files, size_t n,
				   struct eo_build **out)
{
	struct eo_build_options o = { .build_dir = build_dir,
				      .compile_commands = compile_commands,
				      .files = files,
				      .n_files = n,
				      .names = names,
				      .n_names = 1,
				      .jobs = 1 };

	if (!b->tree)
		no_error(eo_tree_open(b->root, &b->tree));
	return eo_build_open(b->tree, &o, out);
}

static void test_compile_commands(void **state)
{
	EO_CLEANUP(empty_box) struct box b = { 0 };
	EO_CLEANUP(eo_freep) char *json = NULL;
	struct eo_build *build;
	const char *why;

	(void)state;
	fill_box(&b, "a tree's\n\"name\"");
	json = eo_asprintf(
		"[{\"directory\":\"%s/o\",\"file\":\"../tree/core/always.c\","
		"\"command\":\"gcc -DA='\\\"q\\\"' -Irel -c always.c\"},"
		"{\"directory\":\"%s/o\",\"file\":\"%s/tree/tools/x.c\","
		"\"command\":\"gcc -DTOOL -c x.c\"},"
		"{\"directory\":\"%s/p\",\"file\":\"%s/tree/arch/x86/thing.c\","
		"\"arguments\":[\"gcc\",\"-DARR AY\",\"-Irel\",\"-c\","
		"\"thing.c\"]}]",
		b.dir, b.dir, b.dir, b.dir, b.dir);
	free(b.root); /* JSON and a newline in the path: another test's */
	b.root = eo_path_join(b.dir, "tree");
	run(NULL, "cp", "-R", MINI, b.root, NULL);
	put(&b, "../o/x", "");
	put(&b, "../p/x", "");
	put(&b, "compile_commands.json", json);
	no_error(open_build(&b, NULL, NULL, NULL, 0, &build));
	assert_string_equal(eo_build_origin(build), "compile_commands.json");
	assert_null(eo_build_config(build));
	assert_true(eo_ends_with(eo_build_dir(build), "/o"));

	expect_flags(eo_build_flags(build, "core/always.c", &why),
		     "-DA=\"q\" -Irel -w");
	assert_null(why);
	free(json);
	json = eo_asprintf("-DARR AY -I%s/p/rel -w", b.dir);
	expect_flags(eo_build_flags(build, "arch/x86/thing.c", &why), json);
	assert_null(why);
	/* of the same folder; and of any: but not of a tool's */
	expect_flags(eo_build_flags(build, "core/plain.c", &why),
		     "-DA=\"q\" -Irel -w");
	assert_non_null(strstr(why, "core/always.c"));
	expect_flags(eo_build_flags(build, "tools2/y.c", &why),
		     "-DA=\"q\" -Irel -w");
	assert_null(eo_build_flags(build, "arch/weird/odd.c", &why));
	assert_non_null(strstr(why, "arch/weird"));
	eo_build_free(build);
}

static void test_bad_compile_commands(void **state)
{
	static const char *const bad[] = { "",	 "{",	 "[{\"file\":\"a.c\"}]",
					   "[]", "null", "[1,\"x\",null]" };
	EO_CLEANUP(empty_box) struct box b = { 0 };
	EO_CLEANUP(eo_freep) char *path = NULL;
	struct eo_build *build;

	(void)state;
	fill_box(&b, "tree");
	path = eo_path_join(b.root, "cc.json");
	expect_error(open_build(&b, NULL, path, NULL, 0, &build), "cc.json");
	for (size_t i = 0; i < N(bad); i++) {
		put(&b, "cc.json", bad[i]);
		expect_error(open_build(&b, NULL, path, NULL, 0, &build),
			     "cc.json");
	}
}

/* A build directory of our own writing. */
static void put_build(const struct box *b)
{
	put(b, "../o/.config", "CONFIG_X86=y\nCONFIG_COMPOSITE=y\n");
	put(b, "../o/include/generated/autoconf.h", "");
	put(b, "../o/arch/x86/include/generated/x.h", "");
	put(b, "../o/kernel/.bounds.s.cmd",
	    "savedcmd_kernel/bounds.s := gcc -DBOUNDS "
	    "-DKBUILD_BASENAME='\"bounds\"' -S -o kernel/bounds.s bounds.c\n");
	put(b, "../o/core/.always.o.cmd",
	    "savedcmd_core/always.o := gcc -Wp,-MMD,x -DPRICE='\"$$5\"' "
	    "-DPOUND='$(pound)' -DKBUILD_BASENAME='\"always\"' -Wall -c "
	    "-o core/always.o ../tree/core/always.c ; "
	    "./tools/objtool --x core/always.o\n\n"
	    "source_core/always.o := ../tree/core/always.c\n");
	put(b, "../o/core/.built-in.a.cmd",
	    "savedcmd_core/built-in.a := ar cDPrST core/built-in.a x.o\n");
	put(b, "../o/core/.aaa.o.cmd",
	    "savedcmd_core/aaa.o := ld -r -o core/aaa.o core/always.o\n");
	put(b, "../o/core/sub/.low.o.cmd", /* before Linux 6.2 */
	    "cmd_core/sub/low.o := clang -DOLD='\\#' -c -o core/sub/low.o "
	    "low.c\n");
}

static void test_build_directory(void **state)
{
	EO_CLEANUP(empty_box) struct box b = { 0 };
	EO_CLEANUP(eo_freep) char *dir = NULL;
	struct eo_build *build;
	const char *why;

	(void)state;
	fill_box(&b, "tree");
	put_build(&b);
	dir = eo_path_join(b.dir, "o");
	no_error(open_build(&b, dir, NULL, NULL, 0, &build));
	assert_string_equal(eo_build_origin(build), "build directory");
	assert_string_equal(eo_build_dir(build), dir);
	assert_true(eo_ends_with(eo_build_config(build), "/o/.config"));

	expect_flags(eo_build_flags(build, "core/always.c", &why),
		     "-DPRICE=\"$5\" -DPOUND=# -DKBUILD_BASENAME=\"always\" "
		     "-w");
	assert_null(why);
	expect_flags(eo_build_flags(build, "core/sub/low.c", &why),
		     "-DOLD=# -w");
	assert_null(why);
	/* not compiled there: a neighbour's, and why */
	expect_flags(eo_build_flags(build, "core/plain.c", &why),
		     "-DPRICE=\"$5\" -DPOUND=# -DKBUILD_BASENAME=\"plain\" -w");
	assert_non_null(strstr(why, "CONFIG_PLAIN is off"));
	expect_flags(eo_build_flags(build, "core/part.c", &why),
		     "-DPRICE=\"$5\" -DPOUND=# -DKBUILD_BASENAME=\"part\" -w");
	assert_non_null(strstr(why, "not compiled"));
	assert_non_null(strstr(why, "core/always.o"));
	expect_flags(eo_build_flags(build, "dir/module.c", &why),
		     "-DBOUNDS -DKBUILD_BASENAME=\"module\" -w");
	assert_non_null(strstr(why, "CONFIG_DIR is off"));
	assert_null(eo_build_flags(build, "arch/weird/odd.c", &why));
	assert_string_equal(why, "arch/weird is not built for x86");
	eo_build_free(build);
}

static void test_bad_build_directory(void **state)
{
	EO_CLEANUP(empty_box) struct box b = { 0 };
	EO_CLEANUP(eo_freep) char *dir = NULL, *link = NULL, *cmd = NULL;
	struct eo_build *build;

	(void)state;
	fill_box(&b, "tree");
	dir = eo_path_join(b.dir, "o");
	expect_error(open_build(&b, dir, NULL, NULL, 0, &build), "/o");
	put(&b, "../o/.config", "");
	expect_error(open_build(&b, dir, NULL, NULL, 0, &build), "autoconf.h");
	put_build(&b);
	link = eo_path_join(dir, "source");
	assert_int_equal(symlink("/", link), 0);
	expect_error(open_build(&b, dir, NULL, NULL, 0, &build),
		     "built from /");
	unlink(link);
	cmd = eo_path_join(dir, "kernel/.bounds.s.cmd");
	unlink(cmd);
	expect_error(open_build(&b, dir, NULL, NULL, 0, &build), "prepare");
}

static void test_built_in_place(void **state)
{
	EO_CLEANUP(empty_box) struct box b = { 0 };
	struct eo_build *build;
	const char *why;

	(void)state;
	fill_box(&b, "tree");
	put(&b, ".config", "CONFIG_X86=y\n");
	put(&b, "include/generated/autoconf.h", "");
	put(&b, "core/.always.o.cmd",
	    "savedcmd_core/always.o := gcc -DHERE -c -o core/always.o a.c\n");
	put(&b, "kernel/.bounds.s.cmd",
	    "savedcmd_kernel/bounds.s := gcc -DB -S -o kernel/bounds.s b.c\n");
	no_error(open_build(&b, NULL, NULL, NULL, 0, &build));
	assert_string_equal(eo_build_origin(build), "build directory");
	assert_string_equal(eo_build_dir(build), b.root);
	expect_flags(eo_build_flags(build, "core/always.c", &why), "-DHERE -w");
	eo_build_free(build);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_shell_words),
		cmocka_unit_test(test_flags),
		cmocka_unit_test(test_rename),
		cmocka_unit_test(test_dry_run_output),
		cmocka_unit_test(test_dotconfig),
		cmocka_unit_test(test_compile_commands),
		cmocka_unit_test(test_bad_compile_commands),
		cmocka_unit_test(test_build_directory),
		cmocka_unit_test(test_bad_build_directory),
		cmocka_unit_test(test_built_in_place),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
