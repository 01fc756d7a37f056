// SPDX-License-Identifier: GPL-2.0-only
/* The configuration that code needs: from #if, makefiles and Kconfig. */
#include "tree_box.h"

#include "tree/conditions.h"
#include "tree/expr.h"
#include "tree/kbuild.h"
#include "tree/kconfig.h"
#include "tree/makefile.h"

static const char *const names[] = { "costly_sync", "costly_wait" };

static void expect_text(const char *text, const char *on, const char *off)
{
	EO_CLEANUP(eo_map_release) struct eo_map got_on = { 0 };
	EO_CLEANUP(eo_map_release) struct eo_map got_off = { 0 };

	eo_conditions_in_text(text, names, 2, &got_on, &got_off);
	expect_keys(&got_on, on);
	expect_keys(&got_off, off);
}

static void test_branches(void **state)
{
	(void)state;
	expect_text("costly_sync();", "", "");
	expect_text("#ifdef CONFIG_A\ncostly_sync();\n#else\nother();\n#endif",
		    "A", "");
	expect_text("#ifdef CONFIG_A\nother();\n#else\ncostly_sync();\n#endif",
		    "", "A");
	expect_text("#ifndef CONFIG_A\ncostly_wait();\n#endif", "", "A");
	expect_text("#ifdef CONFIG_A\n#endif\ncostly_sync();", "", "");
	expect_text("#ifdef CONFIG_A\n#ifdef CONFIG_B\n#endif\n"
		    "#if defined(CONFIG_C)\ncostly_sync();\n#endif\n#endif",
		    "A C", "");
	expect_text("#ifdef CONFIG_A\n#elif defined(CONFIG_B)\ncostly_sync();\n"
		    "#else\n#endif",
		    "B", "A");
	expect_text("#ifdef CONFIG_A\n#elif defined(CONFIG_B)\n"
		    "#else\ncostly_sync();\n#endif",
		    "", "A B");
	/* both branches have one: on and off; the caller has to choose */
	expect_text("#ifdef CONFIG_A\ncostly_sync();\n#else\ncostly_sync();\n"
		    "#endif",
		    "A", "A");
	/* a macro's body, and a line cut in two */
	expect_text("# ifdef CONFIG_A\n#define m() \\\n costly_sync()\n# endif",
		    "A", "");
	expect_text("#if defined(CONFIG_A) && \\\n  defined(CONFIG_B) /* \n"
		    " */ && 1 // no\ncostly_sync();\n#endif",
		    "A B", "");
	/* not in comments and strings, and whole names only */
	expect_text("#ifdef CONFIG_A\n/* costly_sync */ \"costly_sync\"\n"
		    "costly_sync2();\n#endif",
		    "", "");
	/* what does not fit together does not crash */
	expect_text("#endif\n#else\n#elif X\ncostly_sync();\n#ifdef\n"
		    "costly_sync();",
		    "", "");
}

static void expect_if(const char *cond, const char *on, const char *off)
{
	EO_CLEANUP(eo_freep)
	char *text = eo_asprintf("#if %s\ncostly_sync();\n#endif", cond);

	expect_text(text, on, off);
}

static void test_expressions(void **state)
{
	(void)state;
	expect_if("IS_ENABLED(CONFIG_A)", "A", "");
	expect_if("IS_BUILTIN(CONFIG_A) && IS_REACHABLE(CONFIG_B)", "A B", "");
	expect_if("!defined CONFIG_A", "", "A");
	expect_if("!(defined(CONFIG_A) || IS_ENABLED(CONFIG_B))", "", "A B");
	expect_if("!(defined(CONFIG_A) && defined(CONFIG_B))", "", "");
	expect_if("!(!defined(CONFIG_A) || defined(CONFIG_B))", "A", "B");
	expect_if("defined(CONFIG_A) || defined(CONFIG_B)", "", "");
	expect_if("defined(CONFIG_A) || defined(CONFIG_A_MODULE)", "A", "");
	expect_if("(defined(CONFIG_A) || X) && defined(CONFIG_B)", "B", "");
	expect_if("CONFIG_LEVELS > 2 && defined(CONFIG_A)", "A", "");
	expect_if("defined(CONFIG_A) == 1", "", "");
	expect_if("defined(CONFIG_A) && (1 << 3 | X) - 2", "A", "");
	expect_if("defined(CONFIG_A) && f(1, (2), CONFIG_C)", "A", "");
	expect_if("defined(MODULE) && defined(CONFIG_A)", "A", "");
	expect_if("0", "", "");
	expect_if("defined(CONFIG_A) && 0", "", "");
	expect_if("((((", "", "");
	expect_if("&& || !", "", "");
	expect_if("defined(CONFIG_A) defined(CONFIG_B)", "", "");
}

/* Deeper than any stack would bear, if each parenthesis took some of it. */
static void test_deep_nesting(void **state)
{
	EO_CLEANUP(eo_str_release) struct eo_str text = { 0 };

	(void)state;
	eo_str_add(&text, "#if ");
	for (int i = 0; i < 1000000; i++)
		eo_str_add(&text, i % 2 ? "(" : "!");
	eo_str_add(&text, "\ncostly_sync();\n#endif\n");
	expect_text(eo_str_get(&text), "", "");
}

static void expect_file(const char *file, const char *on, bool found)
{
	EO_CLEANUP(eo_map_release) struct eo_map got = { 0 };
	bool f;

	no_error(eo_kbuild_conditions(MINI, "x86", file, &got, &f));
	expect_keys(&got, on);
	assert_int_equal(f, found);
}

static void test_makefiles(void **state)
{
	(void)state;
	expect_file("core/always.c", "", true);
	expect_file("core/plain.c", "PLAIN", true);
	expect_file("core/part.c", "COMPOSITE", true);
	expect_file("core/continued.c", "COMPOSITE", true);
	expect_file("core/old-style.c", "COMPOSITE", true);
	expect_file("core/piece.c", "PIECE COMPOSITE", true);
	expect_file("core/subst.c", "SUBST", true);
	expect_file("core/lonely.c", "", true);
	expect_file("core/blended.c", "MIXED", true);
	expect_file("core/blocked.c", "BLOCKED", true);
	expect_file("core/otherwise.c", "OTHERWISE", true);
	expect_file("core/nested.c", "OUTER INNER", true);
	expect_file("core/both.c", "EITHER", true);
	expect_file("core/sub/low.c", "XFL", true);
	expect_file("core/no.c", "", false);
	expect_file("core/recipe.c", "", false);
	expect_file("core/defined.c", "", false);
	expect_file("core/host.c", "", false);
	expect_file("dir/module.c", "DIR", true);
	expect_file("dir/deep/bottom.c", "DIR DEEP BOTTOM", true);
	expect_file("dir/deep/other.c", "DIR DEEP", false);
	expect_file("arch/x86/thing.c", "X86_THING", true);
	expect_file("arch/x86/lib/lib.c", "X86_LIB", true);
	expect_file("loop/unlisted.c", "", false);
}

/* Lists that contain each other end somewhere. */
static void test_makefile_loop(void **state)
{
	EO_CLEANUP(empty_box) struct box b = { 0 };
	EO_CLEANUP(eo_map_release) struct eo_map on = { 0 };
	bool found;

	(void)state;
	fill_box(&b, "tree");
	put(&b, "loop/Makefile",
	    "a-y := x.o $(b-y)\nb-y := $(a-y) a.o b.o\n"
	    "c := $(d)\nd := $(c) x.o\n");
	no_error(eo_kbuild_conditions(b.root, "x86", "loop/x.c", &on, &found));
	assert_false(found);
	assert_int_equal(on.n, 0);
}

static void expect_symbol(const char *symbol, const char *on)
{
	EO_CLEANUP(eo_map_release) struct eo_map got = { 0 };
	const struct eo_kconfig_symbol *sym;
	struct eo_kconfig *k;

	no_error(eo_kconfig_open(MINI, "x86", &k));
	sym = eo_kconfig_find(k, symbol);
	assert_non_null(sym);
	eo_expr_require(sym->depends, true, &got, NULL);
	expect_keys(&got, on);
	eo_kconfig_free(k);
}

static void test_kconfig_depends(void **state)
{
	(void)state;
	expect_symbol("BASE", "");
	expect_symbol("PLAIN", "BASE");
	expect_symbol("UNDER_IF", "BASE ANOTHER THIRD");
	expect_symbol("IN_MENU", "MENU_NEEDS");
	expect_symbol("IN_CHOICE", "MENU_NEEDS CHOICE_NEEDS");
	expect_symbol("ANOTHER", ""); /* after endmenu */
	expect_symbol("NUMBER", "BASE");
	expect_symbol("TWICE", "THIRD"); /* the one with a prompt */
	expect_symbol("EITHER_ARCH", "");
}

static void test_kconfig_symbols(void **state)
{
	const struct eo_kconfig_symbol *sym;
	struct eo_kconfig *k;

	(void)state;
	no_error(eo_kconfig_open(MINI, "x86", &k));
	assert_null(eo_kconfig_find(k, "WEIRD")); /* of another arch */
	assert_null(eo_kconfig_find(k, "HELPTEXT"));
	sym = eo_kconfig_find(k, "HIDDEN");
	assert_false(sym->prompt);
	assert_true(sym->boolean);
	assert_int_equal(sym->selected_by.n, 1);
	assert_string_equal(sym->selected_by.items[0], "SELECTOR");
	assert_false(eo_kconfig_find(k, "NUMBER")->boolean);
	assert_true(eo_kconfig_find(k, "IN_MENU")->prompt);
	assert_int_equal(eo_kconfig_find(k, "IN_MENU")->visible->kind,
			 EO_EXPR_SYMBOL);
	eo_kconfig_free(k);
	no_error(eo_kconfig_open(MINI, "weird", &k));
	assert_non_null(eo_kconfig_find(k, "WEIRD"));
	assert_null(eo_kconfig_find(k, "X86"));
	eo_kconfig_free(k);
}

static void test_kconfig_sources_itself(void **state)
{
	EO_CLEANUP(empty_box) struct box b = { 0 };
	struct eo_kconfig *k;

	(void)state;
	fill_box(&b, "tree");
	put(&b, "core/Kconfig", "source \"core/Kconfig\"\n");
	expect_error(eo_kconfig_open(b.root, "x86", &k), "source each other");
}

/* The functions of the public header, which are for this machine. */
static void test_public(void **state)
{
	EO_CLEANUP(empty_box) struct box b = { 0 };
	EO_CLEANUP(eo_map_release) struct eo_map on = { 0 };
	EO_CLEANUP(eo_map_release) struct eo_map deps = { 0 };
	EO_CLEANUP(eo_map_release) struct eo_map none = { 0 };

	(void)state;
	fill_box(&b, "tree");
	no_error(eo_tree_open(b.root, &b.tree));
	no_error(eo_conditions_of_file(b.tree, "dir/deep/bottom.c", &on));
	expect_keys(&on, "DIR DEEP BOTTOM");
	no_error(eo_conditions_of_symbol(b.tree, "PLAIN", &deps));
	expect_keys(&deps, "BASE");
	no_error(eo_conditions_of_symbol(b.tree, "NO_SUCH", &none));
	expect_keys(&none, "");
}

/*
 * As long as no stack would bear, one frame a term or a branch. What is too
 * deep is forgotten: here A; the last branches still count.
 */
static void test_long_chains(void **state)
{
	EO_CLEANUP(eo_str_release) struct eo_str terms = { 0 }, elifs = { 0 };

	(void)state;
	eo_str_add(&terms, "#if defined(CONFIG_A)");
	eo_str_add(&elifs, "#if defined(CONFIG_A)\n");
	for (int i = 0; i < 200000; i++) {
		eo_str_add(&terms, " && X");
		eo_str_add(&elifs, "#elif !defined(CONFIG_B)\n");
	}
	eo_str_add(&terms, "\ncostly_sync();\n#endif\n");
	eo_str_add(&elifs, "costly_sync();\n#endif\n");
	expect_text(eo_str_get(&terms), "", "");
	expect_text(eo_str_get(&elifs), "B", "B");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_branches),
		cmocka_unit_test(test_expressions),
		cmocka_unit_test(test_deep_nesting),
		cmocka_unit_test(test_long_chains),
		cmocka_unit_test(test_makefiles),
		cmocka_unit_test(test_makefile_loop),
		cmocka_unit_test(test_kconfig_depends),
		cmocka_unit_test(test_kconfig_symbols),
		cmocka_unit_test(test_kconfig_sources_itself),
		cmocka_unit_test(test_public),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
