// SPDX-License-Identifier: GPL-2.0-only
/* What messages say of each rule, and of what was measured. */
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
#include "db/evidence.h"
#include "finding/finding.h"
#include "model/model.h"
#include "reports/mail.h"
#include "reports/proposal.h"
#include "reports/subject.h"
#include "rewrite/rewrite.h"

static const char farm_model[] = "call hay_flush deferrable\n"
				 "\tcost counts the hay of every farm\n"
				 "\tlost the bales wait for the next count\n"
				 "\twrites hay\n"
				 "call weigh sample\n"
				 "\tcost weighs every cow of the herd\n"
				 "\tlost nothing is weighed\n"
				 "effect hay\n"
				 "\trecord hay_count\n";

struct box {
	struct eo_model *model;
	struct eo_findings list;
};

static int setup(void **state)
{
	struct box *b = eo_zalloc(sizeof(*b));

	assert_null(eo_model_load(NULL, &b->model));
	assert_null(eo_model_parse(b->model, "farm.model", farm_model));
	*state = b;
	return 0;
}

static int teardown(void **state)
{
	struct box *b = *state;

	eo_findings_release(&b->list);
	eo_model_free(b->model);
	free(b);
	return 0;
}

/* A finding of the rule in barn_show(); good until the next. */
static struct eo_finding *add(struct box *b, const char *rule, const char *call)
{
	struct eo_finding *f = eo_findings_add(&b->list);

	strcpy(f->id, "00112233445566aa");
	f->rule = rule;
	f->file = "farm/barn.c";
	f->line = 40;
	f->function = "barn_show";
	f->call = call;
	f->fix = EO_FIX_AUTO;
	return f;
}

static void prove(struct box *b, struct eo_finding *f, const char *name,
		  const char *detail)
{
	eo_finding_add_obligation(&b->list, f, name, EO_PROOF_PROVED, detail);
}

/* The body for all findings of the box. The caller frees. */
static char *body(const struct box *b, const struct eo_change *change,
		  const struct eo_evidences *evidence)
{
	const struct eo_finding *items[4];
	struct eo_plan_step step = {
		.items = items,
		.n = b->list.n,
		.strategy = eo_rewrite_strategy(b->list.items[0].rule, NULL),
	};
	const struct eo_mail mail = { .model = b->model,
				      .step = &step,
				      .change = change,
				      .evidence = evidence };
	struct eo_str out = { 0 };

	for (size_t i = 0; i < b->list.n; i++)
		items[i] = &b->list.items[i];
	eo_mail_body(&mail, &out);
	return eo_str_take(&out);
}

static void check_has(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("no \"%s\" in:\n%s", part, text);
}

static void check_lacks(const char *text, const char *part)
{
	if (strstr(text, part))
		fail_msg("\"%s\" in:\n%s", part, text);
}

/* Every obligation in words, but none with a line of our scan. */
static void before_check(void **state)
{
	struct box *b = *state;
	struct eo_finding *f = add(b, "flush-before-check", "hay_flush");
	struct eo_note notes[] = {
		{ EO_NOTE_CHANGE, "the call moves below the test" },
		{ EO_NOTE_SAFE, "nothing between the two places is changed" },
	};
	struct eo_change change = { .notes = { notes, 2, 2 } };
	EO_CLEANUP(eo_freep) char *got = NULL;

	f->guard = "!(farm->\n\t\topen)";
	prove(b, f, "deferrable", "the bales wait for the next count");
	prove(b, f, "independent", "x");
	prove(b, f, "only-consumer", "nothing reads it where the test leaves");
	prove(b, f, "callers", "barn_show() is static");
	eo_finding_add_obligation(&b->list, f, "available", EO_PROOF_UNKNOWN,
				  "line 44: cow_moo() may change farm");
	eo_finding_add_obligation(&b->list, f, "early-path", EO_PROOF_UNKNOWN,
				  "what line 45 does is not known");
	got = body(b, &change, NULL);
	assert_string_equal(
		got,
		"barn_show() calls hay_flush() and then leaves when !(farm-> open),\n"
		"without having used what the call does. hay_flush() counts the hay of\n"
		"every farm, on that path for nothing.\n"
		"\n"
		"The call moves below the test.\n"
		"\n"
		"The test reads nothing that the call writes. Nothing reads it where the\n"
		"test leaves. barn_show() is static. Nothing between the two places is\n"
		"changed.\n"
		"\n"
		"Not proved, for a reviewer to judge: cow_moo() may change farm.\n"
		"\n"
		"What the test looks at may change between the call's old place and its\n"
		"new one: then it decides as if all had run a moment earlier. No update\n"
		"is lost: the bales wait for the next count.\n"
		"\n"
		"What the test lets through sees the call's work a little later.\n");
}

/* Several functions, one patch: the same field, or not. */
static void one_field(void **state)
{
	struct box *b = *state;
	struct eo_finding *f = add(b, "rusage-one-field", "weigh");
	EO_CLEANUP(eo_freep) char *same = NULL, *other = NULL;

	prove(b, f, "one-field",
	      "milk is the only field of start that is used");
	f = add(b, "rusage-one-field", "weigh");
	f->function = "cow_show";
	prove(b, f, "one-field", "milk is the only field of end that is used");
	same = body(b, NULL, NULL);
	check_has(same, "barn_show() and cow_show() ask for all that weigh() "
			"fills in, for the\nsake of one field, milk. weigh() "
			"weighs every cow of the herd.\n");
	/* A sample is not an update: nothing waits. */
	check_lacks(same, "No update is lost");
	f = add(b, "rusage-one-field", "weigh");
	f->function = "herd_show";
	prove(b, f, "one-field", "hoof is the only field of end that is used");
	other = body(b, NULL, NULL);
	check_has(other, "barn_show(), cow_show() and herd_show() ask");
	check_has(other, "for the sake of one field. ");
}

/* A rule of the list without words is told in general ones. */
static void every_rule(void **state)
{
	static const struct {
		const char *rule, *call, *words;
	} rows[] = {
		{ "flush-repeated", "hay_flush",
		  "calls hay_flush() twice on the same path" },
		{ "flush-in-loop", "hay_flush", "as often as there are" },
		{ "flush-unthresholded-hot", "hay_flush", "on a hot path," },
		{ "rusage-hot-loop", "weigh", "on every turn of a loop" },
		{ "rusage-unused-path", "weigh",
		  "not every path behind it uses" },
		{ "idle-visit", "hay_lock", "not every path behind it uses" },
		{ "a-new-one", "hay_lock", "not every path behind it uses" },
	};
	struct box *b = *state;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		EO_CLEANUP(eo_freep) char *got = NULL;
		EO_CLEANUP(eo_freep) char *flat = NULL;

		add(b, rows[i].rule, rows[i].call);
		got = body(b, NULL, NULL);
		flat = eo_squeeze(got, strlen(got));
		check_has(flat, rows[i].words);
		check_has(flat, rows[i].call);
		eo_findings_release(&b->list);
	}
}

/* Fitting obligations, a case that it is not for, a kernel that checks. */
static void numbers(void **state)
{
	struct box *b = *state;
	struct eo_evidence rows[] = {
		{ "read of an empty barn", false, "time", "us", 35, 7.02, 5.47,
		  -0.221, -0.224, -0.2, "16 vCPUs", "6.99", "defconfig", NULL,
		  "improved", "340 of 969 barns were empty." },
		{ "read of a full barn", true, "time", "us", 35, 7.84, 7.83,
		  -0.001, -0.01, 0.008, "16 vCPUs", "6.99", "defconfig", NULL,
		  NULL, "340 of 969 barns were empty." },
		{ "read of an empty barn", false, "time", "us", 9, 49.1, 41,
		  -0.166, -0.17, -0.16, "16 vCPUs", "6.99", "lockdep",
		  "lockdep", NULL, NULL },
	};
	struct eo_evidences list = { .items = rows, .n = 3 };
	EO_CLEANUP(eo_freep) char *both = NULL, *one = NULL, *none = NULL;
	EO_CLEANUP(eo_freep) char *small = NULL, *flat = NULL, *few = NULL;

	add(b, "flush-repeated", "hay_flush");
	both = body(b, NULL, &list);
	check_has(both, "\nMeasured with Linux 6.99, defconfig, on 16 vCPUs: ");
	check_has(both, "\n  read of an empty barn    7.02 us    5.47 us\n"
			"                         -22.1% (-22.4% to -20.0%)\n"
			"  read of a full barn      7.84 us    7.83 us\n"
			"                         no consistent change "
			"(-1.0% to +0.8%)\n");
	check_has(both, "\nThis is not rare: 340 of 969 barns were empty.\n");
	check_lacks(both, "49.1");
	check_lacks(both, "was not measured");
	list.n = 1;
	one = body(b, NULL, &list);
	check_has(one, "What it costs where there is something to do was not "
		       "measured.\n");
	/* So few pairs tell nothing. */
	rows[0].n = 5;
	few = body(b, NULL, &list);
	check_lacks(few, "easured");
	rows[0].n = 35;
	/* Too small to be believed, whatever the interval says. */
	rows[0].verdict = "no consistent change";
	small = body(b, NULL, &list);
	check_has(small, "no consistent change (-22.4% to -20.0%)\n");
	/* Only what distorts: said, and that it is no evidence. */
	list.items = &rows[2];
	none = body(b, NULL, &list);
	flat = eo_squeeze(none, strlen(none));
	check_has(flat, "debugging options that distort, which makes this no "
			"evidence (lockdep)");
	check_has(flat, "-16.6%");
}

/* Visits: what turns out too late, or changes nothing. */
static void idle(void **state)
{
	struct box *b = *state;
	struct eo_finding *f = add(b, "idle-visit", "hay_lock");
	EO_CLEANUP(eo_freep) char *late = NULL, *works = NULL, *each = NULL;

	f->guard = "!hay->queue";
	prove(b, f, "idle-path",
	      "it says so (no bale is queued); line 7 goes on working");
	prove(b, f, "locked", "a test behind the lock sees it; line 9 too");
	late = body(b, NULL, NULL);
	check_has(late, "barn_show() takes a lock with hay_lock() before it "
			"finds out, by\n!hay->queue, that nothing is pending "
			"(no bale is queued).\n");
	check_has(late, "\nA test behind the lock sees it.\n");
	check_lacks(late, "line");
	eo_finding_add_step(&b->list, f, "test", 7, 1,
			    "this says so, and the work goes on");
	works = body(b, NULL, NULL);
	check_has(works, "and does its work, although");
	eo_finding_add_step(&b->list, f, "visit", 8, 1,
			    "this visits every barn");
	each = body(b, NULL, NULL);
	check_has(each, "barn_show() calls hay_lock() for every barn. Each");
}

static void check_subject(const char *rule, const char *what,
			  const char *wanted)
{
	struct eo_finding f = { .rule = rule, .call = "hay_flush" };
	EO_CLEANUP(eo_freep) char *got = eo_subject("farm", &f, what);

	assert_string_equal(got, wanted);
}

static void subjects(void **state)
{
	(void)state;
	check_subject("flush-repeated", NULL,
		      "farm: drop a repeated hay_flush()");
	check_subject("flush-repeated", "count once", "farm: count once");
	check_subject("a-new-one", NULL, "farm: skip a needless hay_flush()");
	/* Too long, whoever says it: the rule's own words. */
	check_subject("idle-visit",
		      "look at whether there is any hay at all before the barn "
		      "is even opened",
		      "farm: leave early when nothing is pending");
}

/* For people: no diff, nothing that git am would take. */
static void proposal(void **state)
{
	struct box *b = *state;
	struct eo_finding *f = add(b, "flush-before-check", "hay_flush");
	EO_CLEANUP(eo_str_release) struct eo_str out = { 0 };
	EO_CLEANUP(eo_freep)
	char *name = eo_proposal_name("farm/barn: call x() \"now\"", 3);

	assert_string_equal(name, "proposal-0003-farm-barn-call-x-now.txt");
	f->fix = EO_FIX_MANUAL;
	f->guard = "farm->closed";
	f->function_line = 38;
	f->function_end = 43;
	f->source = "int barn_show(void)\n{\n\they_flush();\n\tif (c)\n"
		    "\t\treturn 0;\n}\n";
	eo_finding_add_step(&b->list, f, "call", 40, 2, "counts\x1b[1m hay");
	eo_finding_add_step(&b->list, f, "test", 41, 6, "this leaves");
	prove(b, f, "independent", "fine");
	eo_finding_add_obligation(&b->list, f, "early-path", EO_PROOF_FAILED,
				  "line 42: not so");
	eo_proposal_text(b->model, f, "farm: x", &out);
	assert_true(eo_starts_with(out.s,
				   "Proposal: farm: x\n"
				   "Where: farm/barn.c:40, barn_show()\n"
				   "Confidence: low\n"
				   "X-Earlyout: flush-before-check "
				   "00112233445566aa\n\nbarn_show() calls "));
	check_has(out.s, "\nsink: move the call behind the test");
	check_has(out.s, " For it: ");
	check_has(out.s, " Against it:");
	check_has(out.s, "\n\nproved: independent: fine\n\n"
			 "failed: early-path: line 42: not so\n");
	check_has(out.s, "\n>    40\t\they_flush();\n"
			 "        ^ call: counts\\x1b[1m hay\n"
			 "     41\t\tif (c)\n"
			 "        ^ test: this leaves\n"
			 "     42\t\t\treturn 0;\n");
	check_lacks(out.s, "\n@@");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(before_check), TEST(one_field), TEST(every_rule),
		TEST(numbers),	    TEST(subjects),  TEST(idle),
		TEST(proposal),
	};

	return cmocka_run_group_tests_name("words", tests, NULL, NULL);
}
