// SPDX-License-Identifier: GPL-2.0-only
/* Comments that suppress, and the lines of .earlyoutignore. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"
#include "base/str.h"
#include "finding/finding.h"
#include "finding/suppress.h"

static bool is_rule(const char *name)
{
	return !strcmp(name, "swim-before-walk") || !strcmp(name, "dive-twice");
}

static void read_text(const char *text, struct eo_silencers *s,
		      struct eo_str *warnings)
{
	eo_silencers_read("pond.c", text, strlen(text), is_rule, s, warnings);
}

/* The reason that holds at a line, or NULL. */
static const char *at(const struct eo_silencers *s, const char *rule,
		      unsigned line)
{
	const struct eo_silencer *it = eo_silencers_find(s, rule, line);

	return it ? it->reason : NULL;
}

static void comments(void **state)
{
	struct eo_silencers s = { 0 };
	struct eo_str w = { 0 };

	(void)state;
	read_text("a();\n" /* 1 */
		  "/* earlyout: swim-before-walk: never empty */\n"
		  "swim(a);\n" /* 3 */
		  "swim(b);\n"
		  "swim(c); // earlyout: swim-before-walk: see above\n" /* 5 */
		  "swim(d);\n"
		  "/*\n" /* 7 */
		  " * earlyout: dive-twice: the second one\n"
		  " *\tcounts\n"
		  " */\n" /* 10 */
		  "dive(e);\n"
		  "// earlyout: dive-twice: rain\n"
		  "\n"
		  "dive(f);\n", /* 14: not the next line */
		  &s, &w);
	assert_int_equal(s.n, 4);
	assert_int_equal(w.len, 0);
	assert_null(at(&s, "swim-before-walk", 1));
	assert_string_equal(at(&s, "swim-before-walk", 3), "never empty");
	assert_null(at(&s, "dive-twice", 3));
	assert_null(at(&s, "swim-before-walk", 4));
	assert_string_equal(at(&s, "swim-before-walk", 5), "see above");
	/* a comment behind code is for that code */
	assert_null(at(&s, "swim-before-walk", 6));
	assert_string_equal(at(&s, "dive-twice", 11), "the second one counts");
	assert_null(at(&s, "dive-twice", 14));
	eo_silencers_release(&s);
}

static void comments_that_are_wrong(void **state)
{
	struct eo_silencers s = { 0 };
	struct eo_str w = { 0 };

	(void)state;
	read_text("/* earlyout: swim-before-walk */\n"
		  "/* earlyout: swim-before-walk:   */\n"
		  "/* earlyout: swimm: typing */\n"
		  "/* earlyout: */\n"
		  "/* see earlyout: swim-before-walk: no comment of ours */\n"
		  "x = \"/* earlyout: swim-before-walk: a string */\";\n"
		  "c = '\"'; /* earlyout: swim-before-walk: real */\n"
		  "/* earlyout: dive-twice: has no end",
		  &s, &w);
	assert_int_equal(s.n, 2);
	assert_int_equal(s.items[0].begin, 7);
	assert_non_null(strstr(w.s, "pond.c:1: "));
	assert_non_null(strstr(w.s, "pond.c:2: "));
	assert_non_null(strstr(w.s, "pond.c:3: comment suppresses nothing: "
				    "no such rule: swimm"));
	assert_non_null(strstr(w.s, "pond.c:4: "));
	assert_null(strstr(w.s, "pond.c:5: "));
	eo_str_release(&w);
	eo_silencers_release(&s);
}

static struct eo_finding finding(const char *id, const char *rule,
				 const char *file)
{
	struct eo_finding f = { .rule = rule, .file = file };

	strcpy(f.id, id);
	return f;
}

static void ignores(void **state)
{
	static const char text[] =
		"# a comment\n"
		"\n"
		"0123456789abcdef 2026-11-30 seen by two\r\n"
		"dive-twice\t2026-02-28\tslow anyway \n"
		"drivers/pond/ 2024-02-29 theirs\n"
		"swim-before-walk */lake*.c 2026-01-01 2026-01-02 is the day";
	const struct eo_ignore *g;
	struct eo_ignores list = { 0 };
	struct eo_finding f;

	(void)state;
	assert_null(eo_ignores_parse("i", text, strlen(text), is_rule, &list));
	assert_int_equal(list.n, 4);
	f = finding("0123456789abcdef", "swim-before-walk", "mm/a.c");
	g = eo_ignores_find(&list, &f, NULL);
	assert_int_equal(g->line, 3);
	assert_string_equal(g->reason, "seen by two");
	f = finding("1111111111111111", "swim-before-walk", "mm/a.c");
	assert_null(eo_ignores_find(&list, &f, NULL));
	/* it had that id before its file was renamed */
	assert_non_null(eo_ignores_find(&list, &f, "0123456789abcdef"));
	f = finding("1111111111111111", "dive-twice", "mm/a.c");
	g = eo_ignores_find(&list, &f, NULL);
	assert_string_equal(g->date, "2026-02-28");
	assert_string_equal(g->reason, "slow anyway");
	f = finding("1111111111111111", "swim-before-walk",
		    "drivers/pond/a/b.c");
	assert_int_equal(eo_ignores_find(&list, &f, NULL)->line, 5);
	f = finding("1111111111111111", "swim-before-walk", "mm/x/lake2.c");
	assert_string_equal(eo_ignores_find(&list, &f, NULL)->reason,
			    "2026-01-02 is the day");
	eo_ignores_release(&list);
}

static void refused(const char *text, size_t n, const char *what)
{
	struct eo_ignores list = { 0 };
	struct eo_error *err = eo_ignores_parse("ig", text, n, is_rule, &list);

	assert_non_null(err);
	assert_int_equal(eo_error_kind(err), EO_ERR_INPUT);
	if (!strstr(eo_error_message(err), what))
		fail_msg("no \"%s\" in: %s", what, eo_error_message(err));
	eo_error_free(err);
	eo_ignores_release(&list);
}

static void ignores_that_are_wrong(void **state)
{
	static const struct {
		const char *text, *what;
	} bad[] = {
		{ "dive-twice\n", "ig:1: the line has no date" },
		{ "\n\ndive-twice 2026-11-30\n",
		  "ig:3: the line has no reason" },
		{ "2026-11-30 why\n", "ig:1: the line does not say what" },
		{ "dive-twic 2026-11-30 why\n", "ig:1: dive-twic is no id" },
		{ "0123456789abcde 2026-11-30 why\n", "is no id" },
		{ "dive-twice 2026-02-29 why\n", "is no day" },
		{ "dive-twice 2026-13-01 why\n", "is no day" },
		{ "dive-twice 2026-1-1 why\n", "is no id" },
		{ "a/b c/d 2026-01-01 why\n", "one word too many" },
		{ "0123456789abcdef dive-twice 2026-01-01 why\n",
		  "one word too many" },
		{ "dive-twice 0123456789abcdef 2026-01-01 why\n",
		  "one word too many" },
	};
	static const char nul[] = "a/b 2026-01-01 w\0y\n";

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		refused(bad[i].text, strlen(bad[i].text), bad[i].what);
	refused(nul, sizeof(nul) - 1, "ig:1: the line has a NUL");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(comments),
		cmocka_unit_test(comments_that_are_wrong),
		cmocka_unit_test(ignores),
		cmocka_unit_test(ignores_that_are_wrong),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
