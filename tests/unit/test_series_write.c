// SPDX-License-Identifier: GPL-2.0-only
/*
 * The whole way from findings in the database to mails, on a small tree with
 * invented names; the fixes are spatch's, the mails git's.
 */
#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/proc.h"
#include "base/str.h"
#include "db/db.h"
#include "finding/finding.h"
#include "model/model.h"
#include "reports/series.h"
#include "tree/tree.h"

/* Two functions that flush for a walk; the second is moved by the first. */
static const char barn_c[] =
	"// SPDX-License-Identifier: GPL-2.0-only\n" /* 1 */
	"int barn_show(struct farm *farm)\n"
	"{\n"
	"\tstruct barn *barn;\n"
	"\n" /* 5 */
	"\tif (farm->closed)\n"
	"\t\tfarm_closed(farm);\n"
	"\telse\n"
	"\t\they_flush(farm);\n"
	"\n" /* 10 */
	"\tlist_for_each_entry(barn, &farm->barns, node)\n"
	"\t\tbarn_print(barn);\n"
	"\treturn 0;\n"
	"}\n"
	"\n" /* 15 */
	"void cows_show(struct farm *farm)\n"
	"{\n"
	"\tstruct cow *cow;\n"
	"\n"
	"\they_flush(farm);\n" /* 20 */
	"\tlist_for_each_entry(cow, &farm->cows, node)\n"
	"\t\tcow_print(cow);\n"
	"}\n";

static const char model_text[] = "call hey_flush deferrable\n"
				 "\tcost asks every animal on the farm\n"
				 "\tlost the answers wait for the next\n"
				 "\tsubject 1\n"
				 "\twrites hey\n"
				 "effect hey\n"
				 "\trecord hey_count\n";

/* Answers as the kernel's script would, if asked as it is. */
static const char maintainers_pl[] =
	"my $diff = join('', <STDIN>);\n"
	"die unless grep { $_ eq '--no-git' } @ARGV;\n"
	"die unless -f 'farm/farm-barn.c' && $diff =~ m{^--- a/farm/}m;\n"
	"print qq{\"J\xc3\xb6rg\" <j\\@example.org> (maintainer:FARM)\\n};\n"
	"print qq{farm\\@example.org (open list:FARM)\\n};\n";

static char version[] = "6.99";
static char revision[] = "0123456789012345678901234567890123456789";

struct box {
	char *dir, *root, *out;
	struct eo_tree tree;
	struct eo_model *model;
	struct eo_db *db;
};

static void put(const struct box *b, const char *name, const char *text)
{
	EO_CLEANUP(eo_freep) char *path = eo_path_join(b->root, name);

	assert_null(eo_file_write(path, text, strlen(text)));
}

static int setup(void **state)
{
	struct box *b = eo_zalloc(sizeof(*b));
	EO_CLEANUP(eo_freep) char *farm = NULL;
	EO_CLEANUP(eo_freep) char *scripts = NULL;
	EO_CLEANUP(eo_freep) char *db = NULL;

	assert_null(eo_temp_dir(&b->dir));
	b->root = eo_path_join(b->dir, "a \"tree\"\nof ours");
	b->out = eo_path_join(b->dir, "out put");
	farm = eo_path_join(b->root, "farm");
	scripts = eo_path_join(b->root, "scripts");
	db = eo_path_join(b->dir, "db");
	assert_null(eo_mkdirs(farm));
	assert_null(eo_mkdirs(scripts));
	put(b, "farm/farm-barn.c", barn_c);
	put(b, "scripts/get_maintainer.pl", maintainers_pl);
	b->tree = (struct eo_tree){ .root = b->root, .version = version };
	assert_null(eo_model_load(NULL, &b->model));
	assert_null(eo_model_parse(b->model, "hey.model", model_text));
	assert_null(eo_db_open(db, NULL, &b->db));
	*state = b;
	return 0;
}

static int teardown(void **state)
{
	struct box *b = *state;

	eo_db_close(b->db);
	eo_model_free(b->model);
	assert_null(eo_remove_tree(b->dir));
	free(b->root);
	free(b->out);
	free(b->dir);
	free(b);
	return 0;
}

static struct eo_finding barn_finding(void)
{
	return (struct eo_finding){
		.id = "00000000000000b1",
		.rule = "flush-before-walk",
		.file = "farm/farm-barn.c",
		.line = 9,
		.column = 3,
		.function = "barn_show",
		.function_line = 2,
		.function_end = 14,
		.call = "hey_flush",
		.call_text = "hey_flush(farm)",
		.guard = "list_empty(&farm->barns)",
		.head = "&farm->barns",
		.walk_line = 11,
		.walk = "list_for_each_entry",
		.result = "0",
		.message = "m",
		.confidence = EO_HIGH,
		.fix = EO_FIX_AUTO,
		.engines = EO_ENGINE_CLANG | EO_ENGINE_SMPL,
		.source = "",
	};
}

static struct eo_finding cows_finding(void)
{
	struct eo_finding f = barn_finding();

	strcpy(f.id, "00000000000000c2");
	f.line = 20;
	f.column = 2;
	f.function = "cows_show";
	f.function_line = 16;
	f.function_end = 23;
	f.guard = "list_empty(&farm->cows)";
	f.head = "&farm->cows";
	f.walk_line = 21;
	f.result = "";
	return f;
}

static void put_run(struct box *b, const struct eo_finding *f, size_t n)
{
	struct eo_run run = {
		.root = b->root,
		.version = "6.99",
		.command = "earlyout scan",
		.build_origin = "prepared",
		.tool_version = "0",
		.model_hash = "0000000000000000",
	};
	EO_CLEANUP(eo_findings_release) struct eo_findings list = { 0 };
	struct eo_gaps gaps = { 0 };

	for (size_t i = 0; i < n; i++)
		eo_findings_copy(&list, &f[i]);
	assert_null(eo_db_put_run(b->db, &run, &list, &gaps));
}

static struct eo_error *write_series(struct box *b, struct eo_str *warnings,
				     unsigned *n)
{
	const struct eo_series_options opts = {
		.dir = b->out,
		.from = "Z\xc3\xb6"
			"e <zoe@example.org>",
		.jobs = 1,
	};
	EO_CLEANUP(eo_written_release) struct eo_written written = { 0 };
	struct eo_error *err =
		eo_series_write(b->db, &b->tree, b->model, &opts, &written);

	eo_str_clear(warnings);
	eo_str_add(warnings, eo_str_get(&written.warnings));
	*n = err ? 0 : written.patches;
	return err;
}

/* The one file in the output whose name fits; the caller frees. */
static char *read_mail(const struct box *b, const char *pattern)
{
	EO_CLEANUP(eo_freep) char *path = eo_path_join(b->out, pattern);
	struct eo_str text = { 0 };
	glob_t g;

	assert_int_equal(glob(path, 0, NULL, &g), 0);
	assert_int_equal(g.gl_pathc, 1);
	assert_null(eo_file_read(g.gl_pathv[0], &text));
	globfree(&g);
	return eo_str_take(&text);
}

static void check_has(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("no \"%s\" in:\n%s", part, text);
}

static void run(const char *cwd, const char *const *argv)
{
	const struct eo_proc p = { .argv = argv, .cwd = cwd };
	EO_CLEANUP(eo_proc_result_release) struct eo_proc_result r = { 0 };
	struct eo_error *err = eo_proc_check(&p, &r);

	if (err)
		fail_msg("%s", eo_error_message(err));
}

#define RUN(cwd, ...) run((cwd), (const char *const[]){ __VA_ARGS__, NULL })

static void commit_all(const char *repo, const char *message)
{
	RUN(repo, "git", "-c", "user.name=T", "-c", "user.email=t@example.org",
	    "commit", "-q", "--allow-empty", "-a", "-m", message);
}

static void make_repo(const char *repo)
{
	RUN(repo, "git", "init", "-q", ".");
	RUN(repo, "git", "add", "-A");
	commit_all(repo, "first");
}

/* Both patches, one upon the other, give what their authors would. */
static void check_am(const struct box *b)
{
	static const char wanted_barn[] = "\tif (farm->closed) {\n"
					  "\t\tfarm_closed(farm);\n"
					  "\t} else {\n";
	EO_CLEANUP(eo_freep) char *one = eo_path_join(b->out, "0001-x.patch");
	EO_CLEANUP(eo_freep) char *two = eo_path_join(b->out, "0002-x.patch");
	EO_CLEANUP(eo_freep) char *mail1 = read_mail(b, "0001-*.patch");
	EO_CLEANUP(eo_freep) char *mail2 = read_mail(b, "0002-*.patch");
	EO_CLEANUP(eo_freep)
	char *c = eo_path_join(b->root, "farm/farm-barn.c");
	EO_CLEANUP(eo_str_release) struct eo_str text = { 0 };

	assert_null(eo_file_write(one, mail1, strlen(mail1)));
	assert_null(eo_file_write(two, mail2, strlen(mail2)));
	make_repo(b->root);
	RUN(b->root, "git", "-c", "user.name=T", "-c",
	    "user.email=t@example.org", "am", "-q", one, two);
	assert_null(eo_file_read(c, &text));
	check_has(text.s, wanted_barn);
	check_has(text.s, "\t\tif (list_empty(&farm->barns))\n"
			  "\t\t\treturn 0;\n"
			  "\t\they_flush(farm);\n"
			  "\t}\n");
	check_has(text.s, "\tif (list_empty(&farm->cows))\n"
			  "\t\treturn;\n"
			  "\they_flush(farm);\n");
}

static void test_two(void **state)
{
	struct box *b = *state;
	const struct eo_finding both[] = { barn_finding(), cows_finding() };
	EO_CLEANUP(eo_str_release) struct eo_str warnings = { 0 };
	EO_CLEANUP(eo_freep) char *cover = NULL, *mail = NULL;
	struct eo_arena arena = { 0 };
	struct eo_series series = { 0 };
	unsigned n = 9;

	put_run(b, both, 2);
	assert_null(write_series(b, &warnings, &n));
	assert_int_equal(n, 2);
	assert_string_equal(eo_str_get(&warnings), "");

	cover = read_mail(b, "0000-cover-letter.patch");
	check_has(cover, "\nFrom: =?UTF-8?q?Z=C3=B6e?= <zoe@example.org>\n");
	check_has(cover, "\nSubject: [PATCH 0/2] farm-barn: ");
	check_has(cover, "\nTo: =?UTF-8?q?J=C3=B6rg?= <j@example.org>\n"
			 "Cc: farm@example.org\n");
	assert_null(strstr(cover, "base-commit:"));
	mail = read_mail(b, "0002-*.patch");
	check_has(mail, "\nSubject: [PATCH 2/2] farm-barn: skip hey_flush() "
			"when ->cows is empty\n");
	check_has(mail, "\nTo: =?UTF-8?q?J=C3=B6rg?= <j@example.org>\n");
	check_has(mail, "\nSigned-off-by: Z\xc3\xb6"
			"e <zoe@example.org>\n---\n");

	assert_null(eo_db_get_series(b->db, 0, &arena, &series));
	assert_int_equal(series.n, 2);
	assert_string_equal(series.cover, cover);
	assert_string_equal(series.items[1].mail, mail);
	assert_string_equal(series.items[1].finding, "00000000000000c2");
	assert_string_equal(series.items[1].subject,
			    "farm-barn: skip hey_flush() when ->cows is empty");
	assert_true(eo_starts_with(series.items[1].diff,
				   "diff --git a/farm/farm-barn.c b/farm/"));
	eo_arena_release(&arena);
	check_am(b);
}

/* With history: its prefix, and the commit that the series is made for. */
static void test_history(void **state)
{
	struct box *b = *state;
	const struct eo_finding f = barn_finding();
	EO_CLEANUP(eo_str_release) struct eo_str warnings = { 0 };
	EO_CLEANUP(eo_freep) char *cover = NULL, *mail = NULL, *later = NULL;
	EO_CLEANUP(eo_freep) char *barn = eo_asprintf("// %s", barn_c);
	unsigned n = 0;

	make_repo(b->root);
	put(b, "farm/farm-barn.c", barn);
	commit_all(b->root, "animals: barn: one");
	put(b, "farm/farm-barn.c", barn_c);
	commit_all(b->root, "animals: two");
	commit_all(b->root, "other: not of this file");
	b->tree.revision = revision;
	put_run(b, &f, 1);
	assert_null(write_series(b, &warnings, &n));
	assert_int_equal(n, 1);
	mail = read_mail(b, "0001-*.patch");
	check_has(mail, "\nSubject: [PATCH 1/1] animals: skip hey_flush() ");
	cover = read_mail(b, "0000-*.patch");
	check_has(cover, "\nbase-commit: "
			 "0123456789012345678901234567890123456789\n-- \n");

	/* A file that is not as in the commit: then there is none to name. */
	put(b, "farm/farm-barn.c", barn);
	b->tree.dirty = true;
	assert_null(write_series(b, &warnings, &n));
	check_has(eo_str_get(&warnings), "replaced an earlier series");
	later = read_mail(b, "0000-*.patch");
	assert_null(strstr(later, "base-commit:"));
}

/* What cannot be fixed is said, and the rest is done. */
static void test_one_fails(void **state)
{
	struct box *b = *state;
	struct eo_finding list[] = { barn_finding(), cows_finding(),
				     cows_finding() };
	EO_CLEANUP(eo_str_release) struct eo_str warnings = { 0 };
	EO_CLEANUP(eo_freep) char *mail = NULL, *pl = NULL;
	unsigned n = 0;

	/* Since the scan the function has gone from where it was. */
	list[0].function_line = 1;
	list[0].function_end = 1;
	strcpy(list[2].id, "00000000000000d3");
	list[2].file = "farm/gone.c";
	put_run(b, list, 3);
	pl = eo_path_join(b->root, "scripts/get_maintainer.pl");
	assert_int_equal(unlink(pl), 0);
	assert_null(write_series(b, &warnings, &n));
	assert_int_equal(n, 1);
	check_has(eo_str_get(&warnings), "farm/farm-barn.c:9: no patch: ");
	check_has(eo_str_get(&warnings), "farm/gone.c:20: no patch: ");
	check_has(eo_str_get(&warnings), "no scripts/get_maintainer.pl");
	mail = read_mail(b, "0001-*.patch");
	check_has(mail, "Subject: [PATCH 1/1] farm-barn: skip hey_flush() "
			"when ->cows is empty\n");
	assert_null(strstr(mail, "\nTo: "));
}

static void test_none(void **state)
{
	struct box *b = *state;
	struct eo_finding f = barn_finding();
	EO_CLEANUP(eo_str_release) struct eo_str warnings = { 0 };
	unsigned n = 9;

	f.fix = EO_FIX_MANUAL;
	put_run(b, &f, 1);
	assert_null(write_series(b, &warnings, &n));
	assert_int_equal(n, 0);
	assert_false(eo_is_dir(b->out));
	assert_string_equal(eo_str_get(&warnings), "");

	/* Nobody knows how to mend it. */
	f.fix = EO_FIX_AUTO;
	strcpy(f.id, "00000000000000e4");
	f.rule = "flush-sideways";
	f.walk = NULL;
	put_run(b, &f, 1);
	assert_null(write_series(b, &warnings, &n));
	assert_int_equal(n, 0);
	check_has(eo_str_get(&warnings),
		  "no patch: there is no fix of flush-sideways");
}

/* The place it goes to is a file: nothing is written, nothing stored. */
static void test_no_place(void **state)
{
	struct box *b = *state;
	const struct eo_finding f = barn_finding();
	EO_CLEANUP(eo_str_release) struct eo_str warnings = { 0 };
	struct eo_arena arena = { 0 };
	struct eo_series series = { 0 };
	struct eo_error *err;
	unsigned n = 9;

	put_run(b, &f, 1);
	assert_null(eo_file_write(b->out, "x", 1));
	err = write_series(b, &warnings, &n);
	assert_non_null(err);
	assert_int_equal(eo_error_kind(err), EO_ERR_ENV);
	check_has(eo_error_message(err), b->out);
	eo_error_free(err);
	assert_int_equal(n, 0);
	assert_null(eo_db_get_series(b->db, 0, &arena, &series));
	assert_int_equal(series.n, 0);
	eo_arena_release(&arena);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_two),	 TEST(test_history),  TEST(test_one_fails),
		TEST(test_none), TEST(test_no_place),
	};

	return cmocka_run_group_tests_name("series-write", tests, NULL, NULL);
}
