// SPDX-License-Identifier: GPL-2.0-only
#include "report_box.h"

#include "base/proc.h"
#include "reports/escape.h"

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
		TEST(nothing_scanned_yet),
		cmocka_unit_test(words_of_a_shell),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
