// SPDX-License-Identifier: GPL-2.0-only
/* Which commit brought a call in, in histories made here. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/proc.h"
#include "base/str.h"
#include "tree/origin.h"
#include "tree/tree.h"

struct box {
	char *dir;
	struct eo_tree tree;
};

static char revision[] = "HEAD";

static void run(const struct box *b, const char *const *argv)
{
	const struct eo_proc p = { .argv = argv, .cwd = b->dir };
	EO_CLEANUP(eo_proc_result_release) struct eo_proc_result r = { 0 };
	struct eo_error *err = eo_proc_check(&p, &r);

	if (err)
		fail_msg("%s", eo_error_message(err));
}

#define RUN(b, ...) run((b), (const char *const[]){ __VA_ARGS__, NULL })

static void put(const struct box *b, const char *name, const char *text)
{
	EO_CLEANUP(eo_freep) char *path = eo_path_join(b->dir, name);

	assert_null(eo_file_write(path, text, strlen(text)));
}

static void commit(const struct box *b, const char *subject)
{
	RUN(b, "git", "add", "-A");
	RUN(b, "git", "-c", "user.name=T", "-c", "user.email=t@example.org",
	    "commit", "-q", "-m", subject);
}

static int setup(void **state)
{
	struct box *b = eo_zalloc(sizeof(*b));

	assert_null(eo_temp_dir(&b->dir));
	b->tree = (struct eo_tree){ .root = b->dir, .revision = revision };
	RUN(b, "git", "init", "-q", ".");
	*state = b;
	return 0;
}

static int teardown(void **state)
{
	struct box *b = *state;

	assert_null(eo_remove_tree(b->dir));
	free(b->dir);
	free(b);
	return 0;
}

/* "SUBJECT" of the origin, behind 12 digits; NULL: there is none. */
static void check(const struct box *b, const char *file, unsigned line,
		  const char *call, const char *subject)
{
	EO_CLEANUP(eo_freep) char *got = NULL, *wanted = NULL;

	assert_null(eo_git_origin(&b->tree, file, line, call, &got));
	if (!subject) {
		assert_null(got);
		return;
	}
	assert_non_null(got);
	assert_int_equal(strspn(got, "0123456789abcdef"), 12);
	wanted = eo_asprintf(" (\"%s\")", subject);
	assert_string_equal(got + 12, wanted);
}

/* Indented, renamed (what is called, and the file): none of it counts. */
static void test_followed(void **state)
{
	struct box *b = *state;

	put(b, "a.c", "int f(void)\n{\n\treturn 0;\n}\n");
	commit(b, "farm: begin");
	put(b, "a.c", "int f(void)\n{\n\they_flush(x, 1);\n\treturn 0;\n}\n");
	commit(b, "farm: f: \"count\" the hay");
	put(b, "a.c",
	    "int f(void)\n{\n\tif (y)\n\t\they_flush(x, 1);\n\treturn 0;\n}\n");
	commit(b, "farm: only if y");
	put(b, "a.c",
	    "int f(void)\n{\n\tif (y)\n\t\tcrop_flush(x, 1);\n\treturn 0;\n}\n");
	commit(b, "farm: hey is a crop");
	RUN(b, "git", "mv", "a.c", "b \"2\".c");
	commit(b, "farm: rename");
	check(b, "b \"2\".c", 4, "crop_flush", "farm: f: \"count\" the hay");

	/* A file that is not as in HEAD has lines of its own. */
	put(b, "b \"2\".c", "\n");
	check(b, "b \"2\".c", 1, "crop_flush", NULL);
}

/* A line that was another statement before: who made it the call. */
static void test_replaced(void **state)
{
	struct box *b = *state;

	put(b, "a.c", "int f(void)\n{\n\tgraze(x);\n\treturn 0;\n}\n");
	commit(b, "farm: begin");
	put(b, "a.c", "int f(void)\n{\n\they_flush(x, 2);\n\treturn 0;\n}\n");
	commit(b, "farm: count");
	put(b, "a.c", "int f(void)\n{\n\they_flush(x, 3);\n\treturn 0;\n}\n");
	commit(b, "farm: count three");
	check(b, "a.c", 3, "hey_flush", "farm: count");
}

/* As old as the history: who knows where it came from. */
static void test_root(void **state)
{
	struct box *b = *state;
	struct eo_tree without = b->tree;
	char *out = NULL;

	put(b, "a.c", "int f(void)\n{\n\they_flush(x);\n}\n");
	commit(b, "import of a whole tree");
	put(b, "a.c", "int f(void)\n{\n\n\they_flush(x);\n}\n");
	commit(b, "farm: space");
	check(b, "a.c", 4, "hey_flush", NULL);
	check(b, "a.c", 99, "hey_flush", NULL);
	check(b, "none.c", 1, "hey_flush", NULL);
	without.revision = NULL;
	assert_null(eo_git_origin(&without, "a.c", 4, "hey_flush", &out));
	assert_null(out);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_followed),
		TEST(test_replaced),
		TEST(test_root),
	};

	return cmocka_run_group_tests_name("origin", tests, NULL, NULL);
}
