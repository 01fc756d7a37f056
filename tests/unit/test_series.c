// SPDX-License-Identifier: GPL-2.0-only
/* The words and the addresses of the mails. */
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
#include "db/db.h"
#include "finding/finding.h"
#include "model/model.h"
#include "reports/fill.h"
#include "reports/mail.h"
#include "reports/recipients.h"
#include "reports/subject.h"
#include "rewrite/rewrite.h"

static void check_text(char *got, const char *wanted)
{
	assert_string_equal(got, wanted);
	free(got);
}

static void check_fill(const char *text, size_t width, const char *wanted)
{
	EO_CLEANUP(eo_str_release) struct eo_str out = { 0 };

	eo_fill(&out, text, width);
	assert_string_equal(eo_str_get(&out), wanted);
}

static void test_fill(void **state)
{
	(void)state;
	check_fill("", 10, "");
	check_fill("aa bb cc", 5, "aa bb\ncc\n");
	check_fill("aa bb cc", 8, "aa bb cc\n");
	/* Lines of a paragraph are one; more empty lines are one, too. */
	check_fill("aa\nbb\n\n\n\ncc\n", 20, "aa bb\n\ncc\n");
	check_fill("\n\naa", 20, "aa\n");
	/* A long word stands alone, unbroken. */
	check_fill("a bbbbbbbb c", 4, "a\nbbbbbbbb\nc\n");
	/* What is indented is meant to be as it is. */
	check_fill("aa\n  x    y z\nbb", 4, "aa\n  x    y z\nbb\n");
	/* A column is a character, not a byte: 4 + 1 + 4. */
	check_fill("\xc3\xa4\xc3\xb6\xc3\xbc\xc3\x9f abcd e", 9,
		   "\xc3\xa4\xc3\xb6\xc3\xbc\xc3\x9f abcd\ne\n");
}

static void test_prefix_of_path(void **state)
{
	(void)state;
	check_text(eo_subject_prefix_of_path("block/blk-cgroup.c"),
		   "blk-cgroup");
	check_text(eo_subject_prefix_of_path("net/sched/sch_api.c"), "sch_api");
	check_text(eo_subject_prefix_of_path("io_uring/sqpoll.c"),
		   "io_uring/sqpoll");
	check_text(eo_subject_prefix_of_path("kernel/cgroup/rstat.c"),
		   "cgroup/rstat");
	check_text(eo_subject_prefix_of_path("mm/memcontrol.c"),
		   "mm/memcontrol");
	/* The letters are there, but not the first one first. */
	check_text(eo_subject_prefix_of_path("block/lok-x.c"), "block/lok-x");
	/* A name without - or _ is no abbreviation of its folder. */
	check_text(eo_subject_prefix_of_path("kernel/kern.c"), "kernel/kern");
	check_text(eo_subject_prefix_of_path("top.c"), "top");
}

static void test_prefix_of_log(void **state)
{
	(void)state;
	check_text(eo_subject_prefix_of_log("mm: a\n"
					    "mm: memcg: b\n"
					    "memcg: c\n"),
		   "mm");
	/* Of two that are as frequent the one used last. */
	check_text(eo_subject_prefix_of_log("b: 1\na: 2\na: 3\nb: 4\n"), "b");
	/* Reverts quote another subject; a sentence is no prefix. */
	check_text(eo_subject_prefix_of_log(
			   "Revert \"x: 1\"\nRevert \"x: 2\"\ny: 3\ny: 4"),
		   "y");
	/* One commit is no habit, nor is a history without prefixes. */
	assert_null(eo_subject_prefix_of_log("a: 1\nb: 2\n"));
	assert_null(eo_subject_prefix_of_log("no colon here\nnor here\n"));
	assert_null(eo_subject_prefix_of_log(""));
}

static void test_head_name(void **state)
{
	(void)state;
	check_text(eo_head_name("&farm->barns"), "->barns");
	check_text(eo_head_name("&farm->yard->barns"), "->barns");
	check_text(eo_head_name("&farm->yard.barns"), "->yard.barns");
	check_text(eo_head_name("(&farm->barns)"), "->barns");
	check_text(eo_head_name("&to_farm(f)->barns"), "->barns");
	check_text(eo_head_name("&all_barns"), "all_barns");
	check_text(eo_head_name("head"), "head");
}

/* An invented site: nothing of it is in a kernel. */
static struct eo_finding barn_finding(void)
{
	return (struct eo_finding){
		.id = "00112233445566aa",
		.rule = "flush-before-walk",
		.file = "farm/farm-barn.c",
		.line = 40,
		.function = "barn_show",
		.call = "hay_flush",
		.guard = "list_empty(&farm->barns)",
		.head = "&farm->barns",
		.walk = "list_for_each_entry",
		.result = "0",
		.engines = EO_ENGINE_CLANG | EO_ENGINE_SMPL,
		.fix = EO_FIX_AUTO,
	};
}

static const char barn_model[] =
	"call hay_flush deferrable\n"
	"\tcost locks the hay and counts it on every possible CPU\n"
	"\tlost what came in waits for the next flush\n"
	"\twrites hay\n"
	"effect hay\n"
	"\trecord hay_count\n"
	"test list_empty reads the first link once, with READ_ONCE()\n"
	"walk list_for_each_entry head 2 empty list_empty\n";

static struct eo_model *load_barn_model(void)
{
	struct eo_model *m;

	/* What eo_model_load() gives, with a call of our own. */
	assert_null(eo_model_load(NULL, &m));
	assert_null(eo_model_parse(m, "barn.model", barn_model));
	return m;
}

static void test_subject(void **state)
{
	struct eo_finding f = barn_finding();

	(void)state;
	check_text(eo_subject("farm-barn", &f, NULL),
		   "farm-barn: skip hay_flush() when ->barns is empty");
	/* 76 columns in the first form; the next is shorter. */
	f.call = "hay_flush_of_the_whole_farm_x";
	f.head = "&farm->list_of_barns";
	check_text(eo_subject("farm-barn", &f, NULL),
		   "farm-barn: skip hay_flush_of_the_whole_farm_x() for an "
		   "empty list");
	f.call = "hay_flush_of_the_whole_farm_and_of_all_of_its_many_fields";
	check_text(eo_subject("farm-barn", &f, NULL),
		   "farm-barn: skip a needless call for an empty list");
}

static void body_of(const struct eo_model *m, const struct eo_finding *f,
		    struct eo_str *out)
{
	const struct eo_finding *items[] = { f };
	const struct eo_plan_step step = {
		.items = items,
		.n = 1,
		.strategy = eo_rewrite_strategy(f->rule, NULL),
	};
	const struct eo_mail mail = { .model = m, .step = &step };

	eo_mail_body(&mail, out);
}

static void test_body(void **state)
{
	struct eo_findings list = { 0 };
	struct eo_finding barn = barn_finding();
	struct eo_finding *f = eo_findings_copy(&list, &barn);
	struct eo_model *m = load_barn_model();
	EO_CLEANUP(eo_str_release) struct eo_str out = { 0 };

	(void)state;
	eo_finding_add_step(&list, f, "lock", 42, 2, "takes the lock");
	body_of(m, f, &out);
	assert_string_equal(
		eo_str_get(&out),
		"barn_show() calls hay_flush() and then walks ->barns with\n"
		"list_for_each_entry(). The walk is all that uses what the call brings up\n"
		"to date. hay_flush() locks the hay and counts it on every possible CPU,\n"
		"even when ->barns is empty and there is nothing to walk.\n"
		"\n"
		"Return 0 before the call when list_empty(&farm->barns) says so. A walk\n"
		"that finds nothing ends in the same return value, and has no effect\n"
		"either: the early return skips the call and the lock around the walk,\n"
		"nothing else.\n"
		"\n"
		"The test takes no lock: list_empty() reads the first link once, with\n"
		"READ_ONCE(). An entry that is added to ->barns after the test is seen by\n"
		"the next reader, as if it had been added right after the walk. No update\n"
		"is lost: what came in waits for the next flush.\n"
		"\n"
		"When ->barns is not empty, the test costs one load and one branch.\n");
	eo_findings_release(&list);
	eo_model_free(m);
}

/* A void function, no lock, a wrapper that the model does not list. */
static void test_body_of_wrapper(void **state)
{
	struct eo_finding f = barn_finding();
	struct eo_model *m = load_barn_model();
	EO_CLEANUP(eo_str_release) struct eo_str out = { 0 };

	(void)state;
	f.call = "barn_flush";
	f.ends_in = "hay_flush";
	f.result = "";
	body_of(m, &f, &out);
	assert_non_null(strstr(out.s, "barn_flush() ends in hay_flush(), "
				      "which locks the hay"));
	assert_non_null(strstr(out.s, "\nReturn before the call when "));
	assert_non_null(strstr(out.s, "has no effect: the early return "
				      "skips the call,\nnothing else."));
	assert_null(strstr(out.s, "lock around"));
	assert_null(strstr(out.s, "return value"));
	eo_model_free(m);
}

static void test_cover(void **state)
{
	struct eo_findings list = { 0 };
	struct eo_finding barn = barn_finding();
	struct eo_finding *f = eo_findings_copy(&list, &barn);
	struct eo_run run = { .version = "6.99.1", .tool_version = "9" };
	EO_CLEANUP(eo_str_release) struct eo_str out = { 0 };

	(void)state;
	eo_finding_add_obligation(&list, f, "first", EO_PROOF_PROVED, "x");
	eo_finding_add_obligation(&list, f, "second", EO_PROOF_ASSUMED, "x");
	eo_finding_add_obligation(&list, f, "third", EO_PROOF_PROVED, "x");
	{
		const struct eo_finding *items[] = { f };
		const struct eo_plan_step step = { .items = items, .n = 1 };
		const struct eo_cover_entry e = { .mail.step = &step,
						  .prefix = "farm-barn" };
		const struct eo_cover cover = {
			.run = &run, .items = &e, .n = 1, .version = 1
		};

		eo_mail_cover(&cover, &out);
	}
	assert_true(eo_starts_with(out.s, "farm-barn: skip an expensive call "
					  "that nothing uses\n\n"));
	assert_non_null(strstr(out.s, "\n  1/1 farm/farm-barn.c: barn_show()\n"
				      "      flush-before-walk: hay_flush()\n"
				      "      test: list_empty(&farm->barns)\n"
				      "      proved: first, third\n"
				      "      assumed: second\n"));
	assert_non_null(strstr(out.s, "\n  make W=1 farm/farm-barn.o\n"));
	assert_non_null(strstr(out.s, f->id));
	eo_findings_release(&list);
}

static void test_mailbox(void **state)
{
	(void)state;
	check_text(eo_mailbox_encode("Ann Lee <ann@example.org>"),
		   "Ann Lee <ann@example.org>");
	check_text(eo_mailbox_encode(" list@example.org "), "list@example.org");
	/* As get_maintainer.pl writes what is not plain. */
	check_text(eo_mailbox_encode("\"Lee, Ann (A.)\" <ann@example.org>"),
		   "\"Lee, Ann (A.)\" <ann@example.org>");
	check_text(eo_mailbox_encode("Ann A. Lee <ann@example.org>"),
		   "\"Ann A. Lee\" <ann@example.org>");
	check_text(eo_mailbox_encode("\"Ann \\\"A\\\" Lee\" <a@example.org>"),
		   "\"Ann \\\"A\\\" Lee\" <a@example.org>");
	/* RFC 2047: outside of quotes; a blank is an underscore. */
	check_text(eo_mailbox_encode("\"J\xc3\xb6rg M\" <j@example.org>"),
		   "=?UTF-8?q?J=C3=B6rg_M?= <j@example.org>");
}

/* No encoded word is longer than 75, and none ends within a character. */
static void test_mailbox_long(void **state)
{
	EO_CLEANUP(eo_str_release) struct eo_str name = { 0 };
	EO_CLEANUP(eo_freep) char *box = NULL;
	const char *p;

	(void)state;
	for (int i = 0; i < 30; i++)
		eo_str_add(&name, "\xc3\xb6");
	eo_str_add(&name, " <o@example.org>");
	box = eo_mailbox_encode(name.s);
	for (p = box; (p = strstr(p, "=?UTF-8?q?")); p++) {
		size_t n = (size_t)(strstr(p + 10, "?=") + 2 - p);

		assert_true(n <= 75);
		/* The text is a whole number of =C3=B6. */
		assert_int_equal((n - 12) % 6, 0);
	}
}

static void test_recipients(void **state)
{
	EO_CLEANUP(eo_recipients_release) struct eo_recipients r = { 0 };
	EO_CLEANUP(eo_recipients_release) struct eo_recipients all = { 0 };
	EO_CLEANUP(eo_str_release) struct eo_str out = { 0 };

	(void)state;
	eo_recipients_parse(
		&r, "Ann Lee <ann@example.org> (maintainer:FARM (BARNS))\n"
		    "\"Bo (B.)\" <bo@example.org> (supporter:FARM)\n"
		    "Ann Lee <ann@example.org> (reviewer:HAY)\n"
		    "Cy <cy@example.org> (reviewer:HAY)\n"
		    "Di <di@example.org> (unknown:FIELDS)\n"
		    "farm@example.org (open list:FARM (BARNS))\n"
		    "hay@example.org (moderated list:HAY)\n"
		    "all@example.org (open list)\n");
	eo_recipients_headers(&r, &out);
	assert_string_equal(eo_str_get(&out),
			    "To: Ann Lee <ann@example.org>,\n"
			    "\t\"Bo (B.)\" <bo@example.org>,\n"
			    "\tDi <di@example.org>\n"
			    "Cc: Cy <cy@example.org>,\n"
			    "\tfarm@example.org,\n"
			    "\thay@example.org,\n"
			    "\tall@example.org\n");

	/* Somebody has to be in To:. */
	eo_recipients_parse(&all, "all@example.org (open list)\n");
	eo_str_clear(&out);
	eo_recipients_headers(&all, &out);
	assert_string_equal(eo_str_get(&out), "To: all@example.org\n");

	/* The cover letter goes to all, each once. */
	eo_recipients_add(&all, &r);
	assert_int_equal(all.to.n, 3);
	assert_int_equal(all.cc.n, 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fill),
		cmocka_unit_test(test_prefix_of_path),
		cmocka_unit_test(test_prefix_of_log),
		cmocka_unit_test(test_head_name),
		cmocka_unit_test(test_subject),
		cmocka_unit_test(test_body),
		cmocka_unit_test(test_body_of_wrapper),
		cmocka_unit_test(test_cover),
		cmocka_unit_test(test_mailbox),
		cmocka_unit_test(test_mailbox_long),
		cmocka_unit_test(test_recipients),
	};

	return cmocka_run_group_tests_name("series", tests, NULL, NULL);
}
