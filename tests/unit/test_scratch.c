// SPDX-License-Identifier: GPL-2.0-only
/* Who it is from, the scratch repository, the folder it goes to. */
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/proc.h"
#include "base/str.h"
#include "reports/outbox.h"
#include "reports/scratch.h"
#include "tree/tree.h"

static int setup(void **state)
{
	char *dir;

	assert_null(eo_temp_dir(&dir));
	*state = dir;
	return 0;
}

static int teardown(void **state)
{
	assert_null(eo_remove_tree(*state));
	free(*state);
	return 0;
}

static void check_error(struct eo_error *err, enum eo_error_kind kind,
			const char *part)
{
	assert_non_null(err);
	assert_int_equal(eo_error_kind(err), kind);
	assert_non_null(strstr(eo_error_message(err), part));
	eo_error_free(err);
}

static void test_identity(void **state)
{
	struct eo_tree tree = { .root = *state };
	struct eo_identity id = { 0 };
	static const char *const bad[] = { "Ann",	"<ann@example.org>",
					   "Ann <ann>", "Ann <ann@example.org",
					   "Ann <>",	"" };

	assert_null(eo_identity_get("Ann \xc3\x96 Lee  <ann@example.org>",
				    &tree, &id));
	assert_string_equal(id.name, "Ann \xc3\x96 Lee");
	assert_string_equal(id.address, "ann@example.org");
	eo_identity_release(&id);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		check_error(eo_identity_get(bad[i], &tree, &id), EO_ERR_USAGE,
			    "Name <address>");

	setenv("GIT_AUTHOR_NAME", "Bo", 1);
	setenv("GIT_AUTHOR_EMAIL", "bo@example.org", 1);
	assert_null(eo_identity_get(NULL, &tree, &id));
	assert_string_equal(id.name, "Bo");
	assert_string_equal(id.address, "bo@example.org");
	eo_identity_release(&id);
	unsetenv("GIT_AUTHOR_NAME");
	unsetenv("GIT_AUTHOR_EMAIL");

	/* Nobody known: not "root@host", but what to do. */
	setenv("GIT_CONFIG_GLOBAL", "/dev/null", 1);
	setenv("GIT_CONFIG_NOSYSTEM", "1", 1);
	setenv("GIT_CEILING_DIRECTORIES", *state, 1);
	assert_int_equal(chdir(*state), 0);
	check_error(eo_identity_get(NULL, &tree, &id), EO_ERR_ENV, "--from");
}

static const char old_text[] = "int barns(void)\n{\n\treturn 1;\n}\n";
static const char new_text[] = "int barns(void)\n{\n\treturn 2;\n}\n";
static const char newer_text[] = "int barns(void)\n{\n\treturn 3;\n}\n";

static void commit(struct eo_scratch *s, const char *text, const char *message)
{
	assert_null(
		eo_scratch_put(s, "farm/it's a barn.c", text, strlen(text)));
	assert_null(eo_scratch_commit(s, message));
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

/* `git am` in a copy of the file as it was gives the file as it is. */
static void check_am(const char *dir, const struct eo_scratch *s)
{
	EO_CLEANUP(eo_freep) char *repo = eo_path_join(dir, "repo");
	EO_CLEANUP(eo_freep) char *farm = eo_path_join(repo, "farm");
	EO_CLEANUP(eo_freep) char *file = eo_path_join(farm, "it's a barn.c");
	EO_CLEANUP(eo_freep)
	char *one = eo_path_join(s->mails, "0001-farm-one.patch");
	EO_CLEANUP(eo_freep)
	char *two = eo_path_join(s->mails, "0002-farm-two.patch");
	EO_CLEANUP(eo_str_release) struct eo_str text = { 0 };

	assert_null(eo_mkdirs(farm));
	assert_null(eo_file_write(file, old_text, strlen(old_text)));
	RUN(repo, "git", "init", "-q", ".");
	RUN(repo, "git", "config", "user.name", "T");
	RUN(repo, "git", "config", "user.email", "t@example.org");
	RUN(repo, "git", "add", ".");
	RUN(repo, "git", "commit", "-q", "-m", "base");
	RUN(repo, "git", "am", "-q", one, two);
	assert_null(eo_file_read(file, &text));
	assert_string_equal(text.s, newer_text);
}

static void test_mails(void **state)
{
	char name[] = "\xc3\x96ner", address[] = "o@example.org";
	struct eo_identity author = { name, address };
	EO_CLEANUP(eo_scratch_release) struct eo_scratch s = { 0 };
	EO_CLEANUP(eo_str_release) struct eo_str diff = { 0 }, cover = { 0 };
	EO_CLEANUP(eo_freep) char *path = NULL;

	/* What a user's or a hook's environment holds must not matter. */
	setenv("GIT_DIR", "/nonexistent", 1);
	setenv("GIT_INDEX_FILE", "/nonexistent/index", 1);
	setenv("GIT_CONFIG_COUNT", "1", 1);
	setenv("GIT_CONFIG_KEY_0", "format.subjectPrefix", 1);
	setenv("GIT_CONFIG_VALUE_0", "NOT THIS", 1);
	assert_null(eo_scratch_open(&author, &s));
	commit(&s, old_text, "base\n");
	assert_null(eo_scratch_mark_base(&s));
	assert_null(eo_scratch_put(&s, "farm/it's a barn.c", new_text,
				   strlen(new_text)));
	assert_null(eo_scratch_diff(&s, &diff));
	commit(&s, new_text, "farm: one\n\n# kept\n\nSigned-off-by: x\n");
	assert_non_null(strstr(diff.s, "\n-\treturn 1;\n+\treturn 2;\n"));
	commit(&s, newer_text, "farm: two\n\nbody \xc3\xa4\n");
	assert_null(
		eo_scratch_mails(&s, "farm: letter\n\nIts text.\n", 1, false));
	unsetenv("GIT_DIR");
	unsetenv("GIT_INDEX_FILE");
	unsetenv("GIT_CONFIG_COUNT");

	path = eo_path_join(s.mails, "0000-cover-letter.patch");
	assert_null(eo_file_read(path, &cover));
	assert_non_null(
		strstr(cover.s, "\nSubject: [PATCH 0/2] farm: letter\n"));
	assert_non_null(strstr(cover.s, "\n\nIts text.\n"));
	check_am(*state, &s);
}

static void put_mail(const char *dir, const char *name, const char *text)
{
	EO_CLEANUP(eo_freep) char *path = eo_path_join(dir, name);

	assert_null(eo_file_write(path, text, strlen(text)));
}

static size_t count_files(const char *dir)
{
	DIR *d = opendir(dir);
	struct dirent *e;
	size_t n = 0;

	assert_non_null(d);
	while ((e = readdir(d)))
		n += strcmp(e->d_name, ".") && strcmp(e->d_name, "..");
	closedir(d);
	return n;
}

#define OURS "From: x\nX-Earlyout: rule id\n\n"

static void test_outbox(void **state)
{
	EO_CLEANUP(eo_freep) char *dir = eo_path_join(*state, "new/out\n box");
	EO_CLEANUP(eo_freep) char *one = eo_path_join(dir, "0001-b.patch");
	EO_CLEANUP(eo_outbox_release) struct eo_outbox box = { 0 };
	EO_CLEANUP(eo_str_release) struct eo_str notes = { 0 }, text = { 0 };

	/* Where there is nothing yet, looking makes nothing. */
	assert_null(eo_outbox_open(dir, &box));
	assert_false(eo_is_dir(dir));
	eo_outbox_release(&box);
	assert_null(eo_mkdirs(dir));
	assert_null(eo_outbox_open(dir, &box));
	put_mail(dir, "0001-a.patch", OURS "old");
	put_mail(dir, "0002-a.patch", OURS "old");
	put_mail(dir, "notes.txt", "mine");
	eo_outbox_add(&box, "0001-b.patch", eo_strdup(OURS "new"));
	assert_null(eo_outbox_stage(&box));
	/* Nothing of it shows yet: both old mails, the text, the stage. */
	assert_int_equal(count_files(dir), 4);
	assert_null(eo_outbox_publish(&box, &notes));
	eo_outbox_release(&box);
	assert_non_null(strstr(eo_str_get(&notes), "replaced"));
	assert_int_equal(count_files(dir), 2);
	assert_null(eo_file_read(one, &text));
	assert_string_equal(text.s, OURS "new");
}

/* What somebody else wrote is neither replaced nor mixed with. */
static void test_outbox_foreign(void **state)
{
	EO_CLEANUP(eo_outbox_release) struct eo_outbox box = { 0 };

	put_mail(*state, "0001-mine.patch",
		 "From: x\nSubject: y\n\nX-Earlyout: only in the text\n");
	check_error(eo_outbox_open(*state, &box), EO_ERR_USAGE,
		    "0001-mine.patch was not written by earlyout");
	assert_int_equal(count_files(*state), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_identity, setup, teardown),
		cmocka_unit_test_setup_teardown(test_mails, setup, teardown),
		cmocka_unit_test_setup_teardown(test_outbox, setup, teardown),
		cmocka_unit_test_setup_teardown(test_outbox_foreign, setup,
						teardown),
	};

	return cmocka_run_group_tests_name("scratch", tests, NULL, NULL);
}
