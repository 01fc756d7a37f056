// SPDX-License-Identifier: GPL-2.0-only
/*
 * What reviewers ask for, by the text: each with a near miss, of which there
 * is nothing to say.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"
#include "verify/apply.h"
#include "verify/checks.h"
#include "verify/input.h"
#include "verify/judge.h"

/* The one warning has @part in it; NULL: there is none. */
static void expect(const char *message, const char *diff, const char *part)
{
	EO_CLEANUP(eo_checks_release) struct eo_checks c = { 0 };
	const struct eo_mail mail = { .subject = "pond: early out",
				      .message = message,
				      .diff = diff };
	const struct eo_applied patch = { .diff = diff };

	eo_judge_words(1, &mail, &patch, &c);
	assert_int_equal(c.n, 1);
	assert_string_equal(c.items[0].name, "review");
	if (c.items[0].verdict != (part ? EO_WARN : EO_PASS) ||
	    (part && !strstr(c.items[0].reason, part)))
		fail_msg("%s: %s", message, c.items[0].reason);
}

static void test_claim_without_numbers(void **state)
{
	static const char *const claims[] = {
		"This makes reads of an empty pond faster.\n",
		"The overhead\nis gone, since Linux 6.12 and commit 0123456789ab.\n",
		"Better latency on 128 cpus, in\ndrivers/pond/v2.c line 300.\n",
	};
	static const char *const none[] = {
		"A read of an empty pond went from 49.1 us to 41.0 us: faster.\n",
		"Throughput: base 570K, patch: 590K\n",
		"Overhead fell by 16.6%.\n",
		"Performance, in reads a second:\n\n  before   after\n"
		"  12345    23456\n",
		"3x faster.\n",
		"An iolatency group is left alone, pond_overhead() too.\n",
		"It is simpler so.\n",
		"It mends 0123456789ab (\"pond: optimize\nthe walk\").\n",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(claims) / sizeof(claims[0]); i++)
		expect(claims[i], "", "has no numbers");
	for (size_t i = 0; i < sizeof(none) / sizeof(none[0]); i++)
		expect(none[i], "", NULL);
	/* below the "---", above the diff */
	expect("It is faster.\n",
	       "---\n 9.1 us to 7.0 us\n\ndiff --git a/x b/x\n", NULL);
}

static void test_distorted_numbers(void **state)
{
	static const char *const bad[] = {
		"In a 16-vCPU lockdep-enabled guest, the overhead\n"
		"fell from 49.1 us to 41.0 us.\n",
		"20% faster (KASAN kernel).\n",
		"Throughput: 570K to 590K, with CONFIG_DEBUG_LIST.\n",
	};
	static const char *const good[] = {
		"The overhead fell from 7.0 us to 5.4 us, without lockdep.\n",
		"20% faster, KASAN and lockdep disabled.\n",
		"20% faster. This mends a lockdep splat, too.\n",
		"20% faster with CONFIG_KCSAN=n and no PROVE_LOCKING.\n",
		"20% faster, with CONFIG_DEBUG_FS and CONFIG_DEBUG_INFO.\n",
		"It fixes what KASAN found after 20 ms.\n",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		expect(bad[i], "", "which distorts them");
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++)
		expect(good[i], "", NULL);
}

#define IN(file) "--- a/" file "\n+++ b/" file "\n@@ -1,9 +1,9 @@\n"
#define UAPI IN("include/uapi/linux/pond.h")

static void test_new_flag(void **state)
{
	(void)state;
	expect("x\n", UAPI "+#define POND_QUIET\t(1U << 7)\n", "POND_QUIET");
	expect("x\n", UAPI "+#define POND_QUIET _BITUL(7)\n", "POND_QUIET");
	expect("x\n", IN("pond/pond.h") "+#define POND_QUIET (1U << 7)\n",
	       NULL);
	expect("x\n", UAPI "+#define POND_DEPTH 7\n", NULL);
	expect("x\n",
	       UAPI "-#define POND_QUIET (1U << 7)\n"
		    "+#define POND_QUIET\t(1U << 7)\n",
	       NULL);
}

#define GET " \tget_frog(frog);\n \tunlock();\n-\tcount(frog, &n);\n"
#define PUT " \tput_frog(frog);\n"

static void test_reference(void **state)
{
	(void)state;
	expect("x\n",
	       IN("pond/pond.c") GET "+\tif (pond->counts)\n"
				     "+\t\tcount(frog, &n);\n" PUT,
	       "get_frog(frog) is now needed under the new condition alone");
	/* what is made conditional has nothing to do with it */
	expect("x\n",
	       IN("pond/pond.c") " \tget_frog(frog);\n+\tif (pond->counts)\n"
				 "+\t\tcount(pond, &n);\n" PUT,
	       NULL);
	/* something else uses it in any case */
	expect("x\n",
	       IN("pond/pond.c") GET "+\tif (pond->counts)\n"
				     "+\t\tcount(frog, &n);\n"
				     " \tcolour = frog->colour;\n" PUT,
	       NULL);
	/* it is another one that is given back */
	expect("x\n",
	       IN("pond/pond.c") GET "+\tif (pond->counts)\n"
				     "+\t\tcount(frog, &n);\n"
				     " \tput_frog(frogs);\n",
	       NULL);
}

#define SET "+\tif (pond->flags & POND_COUNTS)\n+\t\tsq->counts = true;\n"

static void test_two_names(void **state)
{
	static const char part[] = "POND_COUNTS and counts are the same";

	(void)state;
	expect("x\n",
	       IN("pond/pond.c") "+\tif (sq->counts)\n+\t\tcount(&n);\n"
				 "+\tif (pond->flags & POND_COUNTS) {\n" SET,
	       part);
	expect("x\n",
	       IN("pond/pond.c") "+\tsq->counts = !!(pond->flags & POND_COUNTS);\n"
				 "+\tif (sq->counts)\n+\t\tcount(&n);\n"
				 "+\tif (pond->flags & POND_COUNTS)\n",
	       part);
	/* only the one is tested, or only the other */
	expect("x\n", IN("pond/pond.c") "+\tif (sq->counts)\n+\t\tx();\n" SET,
	       NULL);
	expect("x\n",
	       IN("pond/pond.c") "+\tif (pond->flags & POND_COUNTS)\n"
				 "+\t\tx();\n" SET,
	       NULL);
	/* another name that begins like it */
	expect("x\n",
	       IN("pond/pond.c") "+\tif (sq->counts)\n+\t\tx();\n"
				 "+\tif (pond->flags & POND_COUNTS_ALL)\n"
				 "+\t\tx();\n" SET,
	       NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_claim_without_numbers),
		cmocka_unit_test(test_distorted_numbers),
		cmocka_unit_test(test_new_flag),
		cmocka_unit_test(test_reference),
		cmocka_unit_test(test_two_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
