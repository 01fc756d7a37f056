// SPDX-License-Identifier: GPL-2.0-only
/*
 * The rewriters on small trees: tests/fixtures/rewrite/RULE/NAME/ is one. All
 * of its findings with an automatic fix are mended, one patch after the other;
 * FILE.res is what FILE has to be then, byte by byte, and a file without one
 * has to stay. "refused" holds what is said where no fix is made, a line each,
 * "strategy" the name of the one that is asked for.
 * What comes out has to compile without a warning; a second run on it finds
 * nothing to write. The same holds where lines end in "\r\n", and where the
 * last has no end. `test_rewrite --format DIR` prints what comes out.
 */
#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/str.h"
#include "finding/finding.h"
#include "finding/merge.h"
#include "model/model.h"
#include "rewrite/rewrite.h"
#include "scan/analyze.h"
#include "tree/overlay.h"
#include "tree/tree.h"
#include "tu/unit.h"

#define TREES TESTDIR "/fixtures/rewrite"

static const char *const args[] = { "-std=gnu11",
				    "-I" TESTDIR "/fixtures/include",
				    "-Wall",
				    "-Werror",
				    "-Wno-unused-function",
				    "-Wno-gnu-pointer-arith",
				    NULL };

static void must(struct eo_error *err)
{
	if (err)
		fail_msg("%s", eo_error_message(err));
}

static void add_model(struct eo_model *m, const char *path)
{
	EO_CLEANUP(eo_str_release) struct eo_str text = { 0 };

	must(eo_file_read(path, &text));
	must(eo_model_parse(m, path, eo_str_get(&text)));
}

static struct eo_model *test_model(void)
{
	struct eo_model *m = eo_model_new();

	add_model(m, TESTDIR "/fixtures/rules/test.model");
	add_model(m, TREES "/more.model");
	return m;
}

/* A small tree, and what is made of it. */
struct box {
	struct eo_tree tree;
	struct eo_model *model;
	struct eo_overlay now;
	struct eo_findings found;
	struct eo_str refused;
	const char *rule, *strategy;
};

static void box_release(struct box *b)
{
	eo_overlay_release(&b->now);
	eo_findings_release(&b->found);
	eo_str_release(&b->refused);
	eo_model_free(b->model);
}

/* Both are given as absolute paths in the folder. */
static glob_t list(const struct box *b, const char *pattern)
{
	EO_CLEANUP(eo_freep) char *path = eo_path_join(b->tree.root, pattern);
	glob_t files = { 0 };

	glob(path, 0, NULL, &files);
	return files;
}

static const char *name_of(const char *path)
{
	return strrchr(path, '/') + 1;
}

static void scan(struct box *b)
{
	struct eo_findings clang = { 0 }, smpl = { 0 };
	struct eo_gaps gaps = { 0 };
	struct eo_map none = { 0 };
	glob_t files = list(b, "*.c");

	for (size_t i = 0; i < files.gl_pathc; i++) {
		struct eo_analysis a = { 0 };
		struct eo_unit *u;

		must(eo_unit_parse_over(b->tree.root, &b->now,
					name_of(files.gl_pathv[i]), args, &u));
		if (u->errors)
			fail_msg("%s", u->first_error);
		eo_analyze_unit(u, b->model, NULL, &a);
		eo_model_forget_local(b->model);
		for (size_t k = 0; k < a.found.n; k++)
			eo_findings_copy(&clang, &a.found.items[k]);
		eo_analysis_release(&a);
		eo_unit_free(u);
	}
	globfree(&files);
	eo_findings_release(&b->found);
	b->found = (struct eo_findings){ 0 };
	eo_findings_merge(&clang, &smpl, &gaps, &none, &b->found);
	eo_findings_release(&clang);
	eo_gaps_release(&gaps);
}

static bool is_wanted(const struct eo_finding *f, void *data)
{
	const struct box *b = data;

	return eo_streq(f->rule, b->rule) || eo_streq(b->rule, "series");
}

/* Makes all patches; gives how many. */
static unsigned mend(struct box *b)
{
	const struct eo_rewriter_options opts = { .args = args, .jobs = 1 };
	struct eo_rewriter *r;
	struct eo_plan plan = { 0 };
	struct eo_plan_step *s;
	unsigned n = 0;

	eo_rewriter_open(&b->tree, b->model, &opts, &r);
	eo_rewrite_plan(&b->found, is_wanted, b, b->strategy, &plan);
	eo_vec_for_each(s, &plan) {
		struct eo_change change = { 0 };
		struct eo_error *err = eo_rewrite_make(r, &b->now, s, &change);
		struct eo_changed_file *file;

		if (err) {
			eo_str_addf(&b->refused, "%s\n", eo_error_message(err));
			eo_error_free(err);
		} else {
			n++;
			eo_vec_for_each(file, &change.files)
				eo_overlay_put(&b->now, file->file,
					       eo_str_get(&file->text),
					       file->text.len);
		}
		eo_change_release(&change);
	}
	eo_plan_release(&plan);
	eo_rewriter_close(r);
	return n;
}

/* @dir says what is asked for; the files are in @root. */
static void open_tree(const char *root, const char *dir, struct box *b)
{
	EO_CLEANUP(eo_freep) char *rule = NULL;
	EO_CLEANUP(eo_freep) char *way = eo_path_join(dir, "strategy");
	EO_CLEANUP(eo_str_release) struct eo_str name = { 0 };
	const char *start = dir + strlen(TREES "/");

	*b = (struct box){ .tree = { .root = (char *)root },
			   .model = test_model() };
	rule = eo_strndup(start, strcspn(start, "/"));
	b->rule = eo_arena_strdup(&b->model->arena, rule);
	if (eo_is_file(way)) {
		must(eo_file_read(way, &name));
		b->strategy = eo_arena_strndup(&b->model->arena, name.s,
					       strcspn(name.s, "\n"));
	}
	scan(b);
}

static void open_box(const char *dir, struct box *b)
{
	open_tree(dir, dir, b);
}

static void same_text(const char *what, const struct eo_str *got,
		      const struct eo_str *want)
{
	if (got->len == want->len &&
	    !memcmp(eo_str_get(got), eo_str_get(want), got->len))
		return;
	fprintf(stderr, "--- wanted\n%s--- got\n%s", eo_str_get(want),
		eo_str_get(got));
	fail_msg("%s: not as expected", what);
}

static void check_files(const struct box *b)
{
	glob_t files = list(b, "*.[ch]");

	for (size_t i = 0; i < files.gl_pathc; i++) {
		const char *path = files.gl_pathv[i];
		EO_CLEANUP(eo_freep) char *res = eo_asprintf("%s.res", path);
		EO_CLEANUP(eo_str_release) struct eo_str got = { 0 };
		EO_CLEANUP(eo_str_release) struct eo_str want = { 0 };

		must(eo_overlay_read(&b->now, &b->tree, name_of(path), &got));
		must(eo_file_read(eo_is_file(res) ? res : path, &want));
		same_text(path, &got, &want);
	}
	globfree(&files);
}

static void check(void **state)
{
	EO_CLEANUP(box_release) struct box b;
	EO_CLEANUP(eo_freep) char *path = eo_path_join(*state, "refused");
	EO_CLEANUP(eo_str_release) struct eo_str refused = { 0 };
	unsigned n;

	open_box(*state, &b);
	n = mend(&b);
	if (eo_is_file(path))
		must(eo_file_read(path, &refused));
	check_files(&b);
	same_text(path, &b.refused, &refused);
	assert_true(n || b.refused.len);
	scan(&b);
	eo_str_clear(&b.refused);
	assert_int_equal(mend(&b), 0);
}

/* How the files are written that are the same otherwise. */
enum ends { CRLF, NO_LAST_NEWLINE };

static void convert(const char *from, const char *to, enum ends ends)
{
	EO_CLEANUP(eo_str_release) struct eo_str text = { 0 }, out = { 0 };

	must(eo_file_read(from, &text));
	for (size_t i = 0; i < text.len; i++) {
		if (text.s[i] == '\n' && ends == CRLF)
			eo_str_addc(&out, '\r');
		if (i + 1 < text.len || ends == CRLF)
			eo_str_addc(&out, text.s[i]);
	}
	must(eo_file_write(to, eo_str_get(&out), out.len));
}

/* The fixture's files, so written, in a tree of their own. */
static void check_written(const char *dir, enum ends ends)
{
	char tree[] = "/tmp/earlyout-rewrite-XXXXXX";
	EO_CLEANUP(box_release) struct box b;
	EO_CLEANUP(eo_freep) char *all = eo_path_join(dir, "*.[ch]*");
	glob_t files = { 0 };

	if (!mkdtemp(tree))
		fail_msg("no temporary folder");
	glob(all, 0, NULL, &files);
	for (size_t i = 0; i < files.gl_pathc; i++) {
		const char *path = files.gl_pathv[i];
		EO_CLEANUP(eo_freep)
		char *to = eo_path_join(tree, name_of(path));

		convert(path, to, ends);
	}
	open_tree(tree, dir, &b);
	mend(&b);
	check_files(&b);
	for (size_t i = 0; i < files.gl_pathc; i++) {
		EO_CLEANUP(eo_freep)
		char *to = eo_path_join(tree, name_of(files.gl_pathv[i]));

		unlink(to);
	}
	globfree(&files);
	rmdir(tree);
}

static void check_crlf(void **state)
{
	if (!strstr(*state, "/crlf"))
		check_written(*state, CRLF);
}

static void check_no_last_newline(void **state)
{
	if (!strstr(*state, "/crlf"))
		check_written(*state, NO_LAST_NEWLINE);
}

static int format(const char *dir)
{
	EO_CLEANUP(box_release) struct box b;
	struct eo_map_entry *e;
	const struct eo_finding *f;

	open_box(dir, &b);
	eo_vec_for_each(f, &b.found)
		printf("%s:%u: %s: %s [%s, %s]\n", f->file, f->line, f->rule,
		       f->message, eo_confidence_name(f->confidence),
		       eo_fix_name(f->fix));
	mend(&b);
	eo_map_for_each(e, &b.now.files)
		printf("=== %s\n%s", e->key, eo_str_get(e->value));
	printf("=== refused\n%s", eo_str_get(&b.refused));
	return 0;
}

struct tests {
	struct CMUnitTest *items;
	size_t n, cap;
};

/* Another test of the last one's fixture. */
static void add_again(struct tests *tests, CMUnitTestFunction fn)
{
	struct CMUnitTest *t = eo_vec_push(tests);

	*t = tests->items[tests->n - 2];
	t->test_func = fn;
}

int main(int argc, char **argv)
{
	struct tests tests = { 0 };
	struct CMUnitTest *t;
	glob_t dirs;
	int failed;

	if (argc > 2 && strcmp(argv[1], "--format") == 0)
		return format(argv[2]);
	if (glob(TREES "/*/*/", 0, NULL, &dirs)) {
		fprintf(stderr, "no fixtures in %s\n", TREES);
		return 1;
	}
	for (size_t i = 0; i < dirs.gl_pathc; i++) {
		char *dir = eo_strdup(dirs.gl_pathv[i]);

		dir[strlen(dir) - 1] = '\0';
		t = eo_vec_push(&tests);
		t->initial_state = dir;
		t->name = dir + strlen(TREES "/");
		t->test_func = check;
		add_again(&tests, check_crlf);
		add_again(&tests, check_no_last_newline);
	}
	globfree(&dirs);
	failed = _cmocka_run_group_tests("rewrite", tests.items, tests.n, NULL,
					 NULL);
	eo_vec_for_each(t, &tests)
		if (t->test_func == check)
			free(t->initial_state);
	free(tests.items);
	return failed;
}
