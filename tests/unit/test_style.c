// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "smpl/ctext.h"
#include "smpl/lines.h"
#include "smpl/style.h"

/*
 * The style pass on @text, in which a line that begins with "+" is one that
 * spatch wrote (the sign is not part of it).
 */
static char *styled(const char *text)
{
	EO_CLEANUP(eo_lines_release) struct eo_lines lines = { 0 };
	struct eo_str out = { 0 };

	eo_lines_split(&lines, text, strlen(text));
	for (size_t i = 0; i < lines.n; i++) {
		struct eo_line *line = &lines.items[i];

		if (*line->s != '+')
			continue;
		memmove(line->s, line->s + 1, strlen(line->s));
		line->touched = true;
	}
	eo_style_lines(&lines);
	eo_lines_join(&lines, false, &out);
	return eo_str_take(&out);
}

static void check(const char *text, const char *want)
{
	EO_CLEANUP(eo_freep) char *got = styled(text);

	assert_string_equal(got, want);
}

static void test_untouched(void **state)
{
	static const char text[] = "int f(void){\n"
				   "  if (x){ \n"
				   "    y();\n"
				   "  }\n"
				   "  else\n"
				   "    z();\n"
				   "}";

	(void)state;
	check(text, text);
}

static void test_spaces_and_bodies(void **state)
{
	(void)state;
	check("{\n"
	      "+\tif (a(\"){\"))return 0;\n"
	      "\tflush(x);\n"
	      "}\n",
	      "{\n"
	      "\tif (a(\"){\"))\n"
	      "\t\treturn 0;\n"
	      "\tflush(x);\n"
	      "}\n");
	check("{\n"
	      "+\tif (a){\n"
	      "\t\tflush(x);\n"
	      "+\t}else{\n"
	      "\t\tother();\n"
	      "+\t}\n"
	      "}\n",
	      "{\n"
	      "\tif (a) {\n"
	      "\t\tflush(x);\n"
	      "\t} else {\n"
	      "\t\tother();\n"
	      "\t}\n"
	      "}\n");
}

/* What spatch makes of an else branch: three lines for "} else {". */
static void test_joined_else(void **state)
{
	(void)state;
	check("{\n"
	      "+\tif (!parent) {\n"
	      "\t\tfill();\n"
	      "+\t}\n"
	      "\telse\n"
	      "+\t{\n"
	      "+\t\tif (list_empty(l))\n"
	      "+\t\t\treturn 0;\n"
	      "\t\tflush(x);\n"
	      "+\t}\n"
	      "+\n"
	      "+x\n"
	      "+{\n"
	      "+}\n"
	      "\n"
	      "\treturn 0;\n"
	      "}\n",
	      "{\n"
	      "\tif (!parent) {\n"
	      "\t\tfill();\n"
	      "\t} else {\n"
	      "\t\tif (list_empty(l))\n"
	      "\t\t\treturn 0;\n"
	      "\t\tflush(x);\n"
	      "\t}\n"
	      "\n"
	      "\tx\n"
	      "{\n"
	      "}\n"
	      "\n"
	      "\treturn 0;\n"
	      "}\n");
}

/* One branch got braces: all of the chain get some, and no other chain. */
static void test_braces(void **state)
{
	(void)state;
	check("{\n"
	      "\tif (a &&\n"
	      "\t    b) /* both */\n"
	      "\t\tone(\n"
	      "\t\t\t1);\n"
	      "+\telse if (c) {\n"
	      "+\t\tif (list_empty(l))\n"
	      "+\t\t\treturn;\n"
	      "\t\tflush(x);\n"
	      "+\t}\n"
	      "\telse if (d)\n"
	      "\t\tfor (i = 0; i < 3; i++)\n"
	      "\t\t\tif (i)\n"
	      "\t\t\t\ttwo();\n"
	      "\t\t\telse\n"
	      "\t\t\t\tthree();\n"
	      "\telse /* rest */\n"
	      "\t\tdo\n"
	      "\t\t\tfour();\n"
	      "\t\twhile (x);\n"
	      "\tfive();\n"
	      "}\n",
	      "{\n"
	      "\tif (a &&\n"
	      "\t    b) { /* both */\n"
	      "\t\tone(\n"
	      "\t\t\t1);\n"
	      "\t} else if (c) {\n"
	      "\t\tif (list_empty(l))\n"
	      "\t\t\treturn;\n"
	      "\t\tflush(x);\n"
	      "\t} else if (d) {\n"
	      "\t\tfor (i = 0; i < 3; i++)\n"
	      "\t\t\tif (i)\n"
	      "\t\t\t\ttwo();\n"
	      "\t\t\telse\n"
	      "\t\t\t\tthree();\n"
	      "\t} else { /* rest */\n"
	      "\t\tdo\n"
	      "\t\t\tfour();\n"
	      "\t\twhile (x);\n"
	      "\t}\n"
	      "\tfive();\n"
	      "}\n");
}

/* A preprocessor line between the branches: too clever for us, left alone. */
static void test_braces_with_ifdef(void **state)
{
	static const char in[] = "{\n"
				 "#ifdef CONFIG_X\n"
				 "\tif (a)\n"
				 "\t\tone();\n"
				 "#endif\n"
				 "+\telse {\n"
				 "+\t\treturn;\n"
				 "\t\tflush(x);\n"
				 "+\t}\n"
				 "}\n";

	(void)state;
	check(in, "{\n"
		  "#ifdef CONFIG_X\n"
		  "\tif (a)\n"
		  "\t\tone();\n"
		  "#endif\n"
		  "\telse {\n"
		  "\t\treturn;\n"
		  "\t\tflush(x);\n"
		  "\t}\n"
		  "}\n");
}

static void test_indentation(void **state)
{
	(void)state;
	check("{\n"
	      "\tswitch (a) {\n"
	      "\tcase 1:\n"
	      "+  if (list_empty(l))\n"
	      "+        return 0;\n"
	      "\t\tflush(x);\n"
	      "\t}\n"
	      "}\n",
	      "{\n"
	      "\tswitch (a) {\n"
	      "\tcase 1:\n"
	      "\t\tif (list_empty(l))\n"
	      "\t\t\treturn 0;\n"
	      "\t\tflush(x);\n"
	      "\t}\n"
	      "}\n");
}

/* At 80 columns a comment stays on its line, at 81 it is wrapped. */
static void test_comment_width(void **state)
{
	(void)state;
	check("{\n"
	      "+\t/* This one is as long as a line may be: 80 columns with its tab .... */\n"
	      "\tf();\n"
	      "}\n",
	      "{\n"
	      "\t/* This one is as long as a line may be: 80 columns with its tab .... */\n"
	      "\tf();\n"
	      "}\n");
	check("{\n"
	      "+\t/* This one is longer by one column than a line may be: 81 columns ... */\n"
	      "\tf();\n"
	      "}\n",
	      "{\n"
	      "\t/*\n"
	      "\t * This one is longer by one column than a line may be: 81 columns ...\n"
	      "\t */\n"
	      "\tf();\n"
	      "}\n");
}

/* 80 columns would leave "for." alone on the last line. */
static void test_comment_orphan(void **state)
{
	(void)state;
	check("{\n"
	      "+\t/* An empty list has nothing to report, so there is nothing to flush for. */\n"
	      "\tf();\n"
	      "}\n",
	      "{\n"
	      "\t/*\n"
	      "\t * An empty list has nothing to report, so there is nothing\n"
	      "\t * to flush for.\n"
	      "\t */\n"
	      "\tf();\n"
	      "}\n");
}

/* The test goes above the comment on the call, also one of several lines. */
static void test_comment_of_the_call(void **state)
{
	(void)state;
	check("{\n"
	      "\tg(); /* trailing */\n"
	      "\t/*\n"
	      "\t * Why it is\n"
	      "\t * flushed.\n"
	      "\t */\n"
	      "+\tif (list_empty(l))\n"
	      "+\t\treturn;\n"
	      "\tflush(x);\n"
	      "}\n",
	      "{\n"
	      "\tg(); /* trailing */\n"
	      "\tif (list_empty(l))\n"
	      "\t\treturn;\n"
	      "\t/*\n"
	      "\t * Why it is\n"
	      "\t * flushed.\n"
	      "\t */\n"
	      "\tflush(x);\n"
	      "}\n");
	check("{\n"
	      "\tg(); /* trailing */\n"
	      "+\tif (list_empty(l))\n"
	      "+\t\treturn;\n"
	      "\tflush(x);\n"
	      "}\n",
	      "{\n"
	      "\tg(); /* trailing */\n"
	      "\tif (list_empty(l))\n"
	      "\t\treturn;\n"
	      "\tflush(x);\n"
	      "}\n");
}

static char *patched(const char *text, const char *diff, unsigned first,
		     unsigned last, size_t *applied)
{
	EO_CLEANUP(eo_lines_release) struct eo_lines lines = { 0 };
	struct eo_str out = { 0 };

	eo_lines_split(&lines, text, strlen(text));
	if (eo_lines_patch(&lines, diff, first, last, applied))
		return NULL;
	eo_lines_join(&lines, false, &out);
	return eo_str_take(&out);
}

/* Every byte that no hunk names stays: line ends, blanks, no last newline. */
static void test_hunks(void **state)
{
	static const char text[] = "a \r\nb\t\r\nc\r\nd\ne";
	static const char diff[] = "--- x\n+++ y\n"
				   "@@ -1,0 +2,2 @@ f\n"
				   "+@@ -9 +9 @@\n"
				   "+B\n"
				   "@@ -3 +5 @@\n"
				   "-c\n"
				   "+C\n"
				   "@@ -4,0 +7 @@\n"
				   "+D\n";
	EO_CLEANUP(eo_freep) char *all = NULL;
	EO_CLEANUP(eo_freep) char *some = NULL;
	size_t n;

	(void)state;
	all = patched(text, diff, 1, 5, &n);
	assert_int_equal(n, 3);
	assert_string_equal(all,
			    "a \r\n@@ -9 +9 @@\r\nB\r\nb\t\r\nC\r\nd\nD\ne");
	some = patched(text, diff, 3, 3, &n);
	assert_int_equal(n, 1);
	assert_string_equal(some, "a \r\nb\t\r\nC\r\nd\ne");
}

static void test_hunks_that_do_not_fit(void **state)
{
	static const char *const diffs[] = {
		"@@ -1 +1 @@\n-x\n+y\n",   "@@ -7 +7 @@\n-a\n+y\n",
		"@@ -1 +1 @@\n-a\n",	   "@@ -1,4000000000 +1 @@\n-a\n+b\n",
		"@@ -1 +1,2 @@\n-a\n+b\n",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(diffs) / sizeof(diffs[0]); i++) {
		EO_CLEANUP(eo_lines_release) struct eo_lines lines = { 0 };
		struct eo_error *err;
		size_t n;

		eo_lines_split(&lines, "a\nb\n", 4);
		err = eo_lines_patch(&lines, diffs[i], 1, 9, &n);
		assert_non_null(err);
		assert_int_equal(n, 0);
		assert_string_equal(lines.items[0].s, "a");
		eo_error_free(err);
	}
}

static void test_call_text(void **state)
{
	static const char s[] = "walk(pos, /* , */ &x->list[f(1, \"),\")],\n"
				"\tnode)";
	EO_CLEANUP(eo_str_release) struct eo_str out = { 0 };

	(void)state;
	assert_true(eo_ctext_call(s, strlen(s), 0, 1, &out));
	assert_string_equal(out.s, "pos");
	eo_str_clear(&out);
	assert_true(eo_ctext_call(s, strlen(s), 0, 3, &out));
	assert_string_equal(out.s, "node");
	assert_false(eo_ctext_call(s, strlen(s), 0, 4, &out));
	assert_false(eo_ctext_call("x + y", 5, 0, 0, &out));
	assert_false(eo_ctext_call("f(a, (b", 7, 0, 1, &out));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_untouched),
		cmocka_unit_test(test_spaces_and_bodies),
		cmocka_unit_test(test_joined_else),
		cmocka_unit_test(test_braces),
		cmocka_unit_test(test_braces_with_ifdef),
		cmocka_unit_test(test_indentation),
		cmocka_unit_test(test_comment_width),
		cmocka_unit_test(test_comment_orphan),
		cmocka_unit_test(test_comment_of_the_call),
		cmocka_unit_test(test_hunks),
		cmocka_unit_test(test_hunks_that_do_not_fit),
		cmocka_unit_test(test_call_text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
