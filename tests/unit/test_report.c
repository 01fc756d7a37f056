// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/proc.h"
#include "base/str.h"
#include "db/db.h"
#include "finding/finding.h"
#include "reports/escape.h"
#include "reports/report.h"

#define ID "0123456789abcdef"

/* What a tree may hold to do harm; no part of it may get through. */
#define EVIL "<script>alert(\"1\")</script>' onload='x&amp;"

struct box {
	char *dir;
	struct eo_db *db;
	struct eo_findings findings;
	struct eo_gaps gaps;
	struct eo_run run;
};

static int setup(void **state)
{
	static struct box b;
	char *path;

	b = (struct box){ 0 };
	setenv("EARLYOUT_DATA", TESTDIR "/..", 1);
	assert_null(eo_temp_dir(&b.dir));
	path = eo_path_join(b.dir, "x.db");
	assert_null(eo_db_open(path, NULL, &b.db));
	free(path);
	b.run = (struct eo_run){ .root = "/src/linux one",
				 .version = "6.99.1",
				 .command = "earlyout scan",
				 .build_origin = "prepared",
				 .tool_version = "0.1",
				 .model_hash = "0011223344556677",
				 .started = 1790000000,
				 .duration_ms = 65000,
				 .files = 34663,
				 .candidates = 12,
				 .analyzed = 11,
				 .outside = 3 };
	*state = &b;
	return 0;
}

static int teardown(void **state)
{
	struct box *b = *state;

	eo_findings_release(&b->findings);
	eo_gaps_release(&b->gaps);
	eo_db_close(b->db);
	eo_error_free(eo_remove_tree(b->dir));
	free(b->dir);
	return 0;
}

static struct eo_finding *add(struct box *b)
{
	struct eo_finding *f = eo_findings_add(&b->findings);

	strcpy(f->id, ID);
	f->rule = "flush-before-walk";
	f->file = "lib/shelf.c";
	f->line = 12;
	f->column = 9;
	f->function = "show_shelf";
	f->function_line = 10;
	f->function_end = 15;
	f->call = "shelf_sync";
	f->call_text = "shelf_sync(s)";
	f->guard = "list_empty(&s->books)";
	f->walk = "list_for_each_entry";
	f->walk_line = 13;
	f->result = "0";
	f->message = "shelf_sync() runs before a walk that may be empty";
	f->confidence = EO_HIGH;
	f->fix = EO_FIX_AUTO;
	f->engines = EO_ENGINE_CLANG | EO_ENGINE_SMPL;
	f->source = "static int show_shelf(struct shelf *s)\n"
		    "{\n"
		    "\tshelf_sync(s);\n"
		    "\tlist_for_each_entry(b, &s->books, node)\n"
		    "\t\tshow(b);\n"
		    "}\n";
	eo_finding_add_hot(&b->findings, f, "read often");
	eo_finding_add_obligation(&b->findings, f, "independent",
				  EO_PROOF_PROVED, "reads no such thing");
	eo_finding_add_step(&b->findings, f, "call", 12, 9, "the work");
	eo_finding_add_step(&b->findings, f, "walk", 13, 9, "no turn");
	return f;
}

static void add_gap(struct box *b)
{
	const struct eo_gap gap = { "lib/a.c", "f", EO_ENGINE_CLANG,
				    EO_GAP_TIMEOUT, "took too long" };
	const struct eo_gap all = { "", NULL, EO_ENGINE_SMPL,
				    EO_GAP_TOOL_MISSING, NULL };

	eo_gaps_add(&b->gaps, &gap);
	eo_gaps_add(&b->gaps, &all);
}

static void put(struct box *b)
{
	assert_null(eo_db_put_run(b->db, &b->run, &b->findings, &b->gaps));
}

/* What a report of @kind writes; the caller frees. */
static char *print(struct box *b,
		   struct eo_error *(*kind)(struct eo_db *, int64_t, FILE *))
{
	char *text = NULL;
	size_t n;
	FILE *to = open_memstream(&text, &n);

	assert_null(kind(b->db, 0, to));
	fclose(to);
	return text;
}

static void text_is_lines(void **state)
{
	struct box *b = *state;
	EO_CLEANUP(eo_freep) char *text = NULL;

	add(b)->dissent = "smpl would test x instead";
	put(b);
	text = print(b, eo_report_text);
	assert_string_equal(
		text,
		"lib/shelf.c:12:9: flush-before-walk: "
		"shelf_sync() runs before a walk that may be empty"
		" [high, auto]\n"
		"\tnote: smpl would test x instead\n"
		"1 finding (1 high, 0 medium, 0 low); 11 of 12 candidate files"
		" looked at, of 34663 in the tree\n");
}

static void text_has_the_ledger(void **state)
{
	struct box *b = *state;
	EO_CLEANUP(eo_freep) char *text = NULL;

	add_gap(b);
	put(b);
	text = print(b, eo_report_text);
	assert_string_equal(text,
			    "0 findings; 11 of 12 candidate files looked at,"
			    " of 34663 in the tree; incomplete, not looked at"
			    " (2):\n"
			    "lib/a.c: f: clang: timeout: took too long\n"
			    "whole scan: all files: smpl: tool-missing\n");
}

static void text_cannot_drive_the_terminal(void **state)
{
	struct box *b = *state;
	EO_CLEANUP(eo_freep) char *text = NULL;

	add(b)->file = "lib/a\n\x1b[2Jb\xff\xe2\x80\xae\xc2\x9b"
		       "c é.c";
	put(b);
	text = print(b, eo_report_text);
	assert_memory_equal(
		text, "lib/a\\n\\x1b[2Jb\\xff\\u202e\\u009bc é.c:12:9: ", 44);
}

/* Runs jq with @filter on @json; gives what it prints. */
static char *jq(const char *json, const char *filter)
{
	const char *argv[] = { "jq", "-r", filter, NULL };
	const struct eo_proc p = { .argv = argv,
				   .input = json,
				   .input_len = strlen(json),
				   .timeout_ms = 20000 };
	struct eo_proc_result r = { 0 };
	struct eo_error *err = eo_proc_check(&p, &r);
	char *out;

	if (err)
		fail_msg("%s", eo_error_message(err));
	out = eo_str_take(&r.out);
	eo_proc_result_release(&r);
	return out;
}

static void assert_jq(const char *json, const char *filter, const char *want)
{
	EO_CLEANUP(eo_freep) char *got = jq(json, filter);

	assert_string_equal(got, want);
}

static void json_has_its_keys(void **state)
{
	struct box *b = *state;
	EO_CLEANUP(eo_freep) char *json = NULL;

	add(b);
	add_gap(b);
	put(b);
	json = print(b, eo_report_json);
	assert_jq(json, ".schema", "earlyout-scan/1\n");
	assert_jq(json, ".tree | [.version, .revision] | @json",
		  "[\"6.99.1\",null]\n");
	assert_jq(json,
		  ".findings[0] | [.id, .rule, .file, .line, .column,"
		  " .function, .call, .guard, .confidence, .fix, .engines,"
		  " .hot, .message] | @json",
		  "[\"" ID "\",\"flush-before-walk\",\"lib/shelf.c\",12,9,"
		  "\"show_shelf\",\"shelf_sync\",\"list_empty(&s->books)\","
		  "\"high\",\"auto\",[\"clang\",\"smpl\"],[\"read often\"],"
		  "\"shelf_sync() runs before a walk that may be empty\"]\n");
	assert_jq(json,
		  ".findings[0] | [.obligations, .steps[1], .dissent] | @json",
		  "[[{\"name\":\"independent\",\"state\":\"proved\","
		  "\"detail\":\"reads no such thing\"}],{\"kind\":\"walk\","
		  "\"line\":13,\"column\":9,\"text\":\"no turn\"},null]\n");
	assert_jq(json,
		  ".coverage | [.files, .candidates, .analyzed, .outside,"
		  " .incomplete] | @json",
		  "[34663,12,11,3,[{\"file\":\"lib/a.c\",\"function\":\"f\","
		  "\"engine\":\"clang\",\"reason\":\"timeout\","
		  "\"detail\":\"took too long\"},{\"file\":\"\","
		  "\"function\":null,\"engine\":\"smpl\","
		  "\"reason\":\"tool-missing\",\"detail\":null}]]\n");
}

static void json_without_findings(void **state)
{
	struct box *b = *state;
	EO_CLEANUP(eo_freep) char *json = NULL;

	put(b);
	json = print(b, eo_report_json);
	assert_jq(json, "[.findings, .coverage.incomplete] | @json",
		  "[[],[]]\n");
}

static void json_keeps_the_order(void **state)
{
	struct box *b = *state;
	EO_CLEANUP(eo_freep) char *json = NULL;

	for (unsigned i = 0; i < 40; i++) {
		struct eo_finding *f = add(b);

		snprintf(f->id, sizeof(f->id), "%016x", 1000 - i);
		f->line = i + 1;
	}
	put(b);
	json = print(b, eo_report_json);
	assert_jq(json, "[.findings[].line] == [range(1; 41)]", "true\n");
}

static void json_is_utf8_whatever_the_tree_holds(void **state)
{
	struct box *b = *state;
	EO_CLEANUP(eo_freep) char *json = NULL;

	add(b)->file = "a\"\\\n\t\x01 caf\xe9 é \xed\xa0\x80.c";
	put(b);
	json = print(b, eo_report_json);
	assert_jq(json, ".findings[0].file | @json",
		  "\"a\\\"\\\\\\n\\t\\u0001 caf\xef\xbf\xbd é "
		  "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd.c\"\n");
	for (const char *s = json; *s;) {
		size_t n = eo_utf8_len(s);

		assert_true(n > 0);
		s += n;
	}
}

/* A page of the report; the caller releases. */
static struct eo_str page(struct box *b, const char *name)
{
	EO_CLEANUP(eo_freep) char *path = eo_path_join(b->dir, name);
	struct eo_str text = { 0 };

	assert_null(eo_file_read(path, &text));
	return text;
}

static void assert_has(const struct eo_str *text, const char *part)
{
	if (!strstr(text->s, part))
		fail_msg("no \"%s\" in the page", part);
}

static void assert_lacks(const struct eo_str *text, const char *part)
{
	if (strstr(text->s, part))
		fail_msg("\"%s\" is in the page", part);
}

static void html_shows_the_finding(void **state)
{
	struct box *b = *state;
	struct eo_str p;

	add(b);
	put(b);
	assert_null(eo_report_html(b->db, 0, b->dir));
	p = page(b, "index.html");
	assert_has(&p, "1 finding in Linux 6.99.1");
	assert_has(&p, "Everything was looked at");
	assert_has(&p, "href=\"finding-" ID ".html\"");
	assert_has(&p, "list_empty(&amp;s-&gt;books)");
	assert_has(&p, "34,663");
	assert_has(&p, "2026-09-21 14:13 UTC");
	assert_has(&p, "1 min 5 s");
	assert_has(&p, "--tree &#39;/src/linux one&#39;");
	eo_str_release(&p);

	p = page(b, "finding-" ID ".html");
	/* The call at its line, the test before it, indented alike. */
	assert_has(&p, "<ins>\tif (list_empty(&amp;s-&gt;books))</ins>");
	assert_has(&p, "<ins>\t\treturn 0;</ins>");
	assert_has(&p, "<tr id=\"L12\" class=\"call\"><td class=\"no\">12</td>"
		       "<td class=\"code\"><code>\tshelf_sync(s);</code>");
	assert_true(strstr(p.s, "<ins>") < strstr(p.s, "id=\"L12\""));
	assert_has(&p, "<a href=\"#L13\">line 13</a>");
	assert_has(&p, "href=\"#step-2\"");
	assert_has(&p, "proved</span>");
	assert_has(&p, "explain --tree");
	assert_has(&p, "lib/shelf.c:12\n");
	eo_str_release(&p);
}

static void html_has_the_patch(void **state)
{
	struct eo_patch patch = { .finding = ID, .file = "lib/shelf.c" };
	struct eo_series series = {
		.cover = "The cover", .created = 1, .items = &patch, .n = 1
	};
	struct box *b = *state;
	struct eo_str p;

	add(b);
	put(b);
	series.run = b->run.id;
	patch.subject = "lib: shelf: test first";
	patch.diff = "--- a/lib/shelf.c\n+++ b/lib/shelf.c\n"
		     "@@ -1,2 +1,2 @@\n ctx\n--- gone\n+<new>\n";
	patch.mail = "From: x\n";
	assert_null(eo_db_put_series(b->db, &series));
	assert_null(eo_report_html(b->db, 0, b->dir));
	p = page(b, "index.html");
	assert_has(&p, "lib: shelf: test first");
	assert_has(&p, "The cover");
	eo_str_release(&p);
	p = page(b, "finding-" ID ".html");
	assert_has(&p, "<span class=\"meta\">--- a/lib/shelf.c\n</span>");
	assert_has(&p, "<span class=\"del\">--- gone\n</span>");
	assert_has(&p, "<span class=\"add\">+&lt;new&gt;\n</span>");
	assert_has(&p, "<span class=\"same\"> ctx\n</span>");
	assert_has(&p, "From: x\n");
	eo_str_release(&p);
}

static void html_has_the_ledger(void **state)
{
	struct box *b = *state;
	struct eo_str p;

	add_gap(b);
	put(b);
	assert_null(eo_report_html(b->db, 0, b->dir));
	p = page(b, "index.html");
	assert_has(&p, "Nothing found");
	assert_has(&p, "The scan is incomplete");
	assert_has(&p, "took too long");
	assert_has(&p, "the whole scan");
	assert_lacks(&p, "Everything was looked at");
	eo_str_release(&p);
}

static void fill_with_evil(struct box *b, struct eo_patch *patch)
{
	const struct eo_gap gap = { EVIL, EVIL, EO_ENGINE_CLANG, EO_GAP_TIMEOUT,
				    EVIL };
	struct eo_finding *f = add(b);

	f->rule = f->file = f->function = f->call = f->call_text = EVIL;
	f->ends_in = f->guard = f->head = f->walk = f->result = EVIL;
	f->message = f->dissent = EVIL;
	f->source = EVIL "\n" EVIL "\n" EVIL "\n" EVIL;
	eo_finding_add_hot(&b->findings, f, EVIL);
	eo_finding_add_obligation(&b->findings, f, EVIL, EO_PROOF_FAILED, EVIL);
	eo_finding_add_step(&b->findings, f, EVIL, 13, 1, EVIL);
	eo_gaps_add(&b->gaps, &gap);
	b->run.root = b->run.version = b->run.revision = EVIL;
	b->run.command = b->run.build_origin = b->run.config_hash = EVIL;
	b->run.tool_version = b->run.model_hash = EVIL;
	*patch = (struct eo_patch){ .finding = ID, .number = 1, .total = 1 };
	patch->file = patch->subject = patch->body = EVIL;
	patch->diff = patch->mail = EVIL;
}

static void html_lets_nothing_through(void **state)
{
	static const char *const names[] = { "index.html",
					     "finding-" ID ".html" };
	struct eo_patch patch;
	struct eo_series series = {
		.cover = EVIL, .created = 1, .items = &patch, .n = 1
	};
	struct box *b = *state;

	fill_with_evil(b, &patch);
	put(b);
	series.run = b->run.id;
	assert_null(eo_db_put_series(b->db, &series));
	assert_null(eo_report_html(b->db, 0, b->dir));
	for (size_t i = 0; i < 2; i++) {
		struct eo_str p = page(b, names[i]);

		assert_lacks(&p, "<script");
		assert_lacks(&p, "alert(\"");
		assert_lacks(&p, "' onload");
		assert_has(&p, "&lt;script&gt;alert(&quot;1&quot;)&lt;/script"
			       "&gt;&#39; onload=&#39;x&amp;amp;");
		assert_has(&p, "default-src 'none'");
		assert_lacks(&p, "http:");
		assert_lacks(&p, "https:");
		eo_str_release(&p);
	}
}

static void html_makes_hidden_text_visible(void **state)
{
	struct box *b = *state;
	struct eo_str p;

	add(b)->source = "a \xe2\x80\xae\x1b[0m \xff b\n";
	put(b);
	assert_null(eo_report_html(b->db, 0, b->dir));
	p = page(b, "finding-" ID ".html");
	assert_has(&p, "a [U+202E][U+001B][0m \xef\xbf\xbd b");
	for (const char *s = p.s; *s;) {
		size_t n = eo_utf8_len(s);

		assert_true(n > 0);
		s += n;
	}
	eo_str_release(&p);
}

/* What smpl alone found has no proof, no source, no early return. */
static void html_of_little(void **state)
{
	struct box *b = *state;
	struct eo_finding *f = eo_findings_add(&b->findings);
	struct eo_str p;

	strcpy(f->id, ID);
	f->rule = "r";
	f->file = "f.c";
	f->function = f->call = f->message = "x";
	f->engines = EO_ENGINE_SMPL;
	put(b);
	assert_null(eo_report_html(b->db, 0, b->dir));
	p = page(b, "finding-" ID ".html");
	assert_has(&p, "not recorded");
	assert_has(&p, "looked, and does not find it");
	assert_lacks(&p, "<ins>");
	assert_lacks(&p, "(null)");
	eo_str_release(&p);
}

/* A long function is shown around what matters, and says what is left out. */
static void html_of_a_long_function(void **state)
{
	struct box *b = *state;
	struct eo_finding *f = add(b);
	struct eo_str source = { 0 }, p;

	for (int i = 10; i <= 300; i++)
		eo_str_addf(&source, "line%d;\n", i);
	f->source = source.s;
	f->function_end = 300;
	f->line = 100;
	f->walk_line = 200;
	put(b);
	assert_null(eo_report_html(b->db, 0, b->dir));
	p = page(b, "finding-" ID ".html");
	assert_has(&p, "line10;");
	assert_has(&p, "line94;");
	assert_has(&p, "line206;");
	assert_has(&p, "line300;");
	assert_lacks(&p, "line93;");
	assert_lacks(&p, "line207;");
	/* 13 is a step's, 200 the walk's; 6 lines of context each way. */
	assert_has(&p, "lines 20 to 93 are not shown");
	assert_has(&p, "lines 107 to 193 are not shown");
	assert_has(&p, "lines 207 to 293 are not shown");
	eo_str_release(&p);
	eo_str_release(&source);
}

static void html_where_it_cannot_be_written(void **state)
{
	struct box *b = *state;
	EO_CLEANUP(eo_freep) char *file = eo_path_join(b->dir, "file");
	struct eo_error *err;

	put(b);
	assert_null(eo_file_write(file, "x", 1));
	err = eo_report_html(b->db, 0, file);
	assert_non_null(err);
	assert_int_equal(eo_error_kind(err), EO_ERR_ENV);
	assert_non_null(strstr(eo_error_message(err), file));
	eo_error_free(err);
}

static void nothing_scanned_yet(void **state)
{
	struct box *b = *state;
	struct eo_error *err = eo_report_text(b->db, 0, stdout);

	assert_non_null(err);
	assert_int_equal(eo_error_kind(err), EO_ERR_INPUT);
	eo_error_free(err);
	err = eo_report_html(b->db, 0, b->dir);
	assert_non_null(err);
	eo_error_free(err);
}

static void words_of_a_shell(void **state)
{
	struct eo_str s = { 0 };

	(void)state;
	eo_add_shell(&s, "a/b-c.c:12");
	eo_add_shell(&s, " ");
	eo_add_shell(&s, "it's $x");
	eo_add_shell(&s, "");
	assert_string_equal(s.s, "a/b-c.c:12' ''it'\\''s $x'''");
	eo_str_clear(&s);
	eo_add_count(&s, 0);
	eo_str_addc(&s, ' ');
	eo_add_count(&s, 999);
	eo_str_addc(&s, ' ');
	eo_add_count(&s, 1234567);
	assert_string_equal(s.s, "0 999 1,234,567");
	eo_str_release(&s);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(text_is_lines),
		TEST(text_has_the_ledger),
		TEST(text_cannot_drive_the_terminal),
		TEST(json_has_its_keys),
		TEST(json_without_findings),
		TEST(json_keeps_the_order),
		TEST(json_is_utf8_whatever_the_tree_holds),
		TEST(html_shows_the_finding),
		TEST(html_has_the_patch),
		TEST(html_has_the_ledger),
		TEST(html_lets_nothing_through),
		TEST(html_makes_hidden_text_visible),
		TEST(html_of_little),
		TEST(html_of_a_long_function),
		TEST(html_where_it_cannot_be_written),
		TEST(nothing_scanned_yet),
		cmocka_unit_test(words_of_a_shell),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
