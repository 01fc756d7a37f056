// SPDX-License-Identifier: GPL-2.0-only
/* Profiles: what perf prints, and what is not that. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"
#include "base/str.h"
#include "scan/profile.h"

/* Equal to four digits: more than perf prints. */
static void assert_near(double got, double want)
{
	if (got < want - 0.00005 || got > want + 0.00005)
		fail_msg("%f, not %f", got, want);
}

static void parse_n(const char *text, size_t n, struct eo_profile *p)
{
	struct eo_error *err = eo_profile_parse("p.txt", text, n, p);

	if (err)
		fail_msg("%s", eo_error_message(err));
}

static void parse(const char *text, struct eo_profile *p)
{
	parse_n(text, strlen(text), p);
}

static const struct eo_share *share(const struct eo_profile *p,
				    const char *symbol)
{
	const struct eo_share *s;

	eo_vec_for_each(s, p) {
		if (!strcmp(s->symbol, symbol))
			return s;
	}
	fail_msg("no share of %s", symbol);
	return NULL;
}

static bool has(const struct eo_profile *p, const char *symbol)
{
	const struct eo_share *s;

	eo_vec_for_each(s, p) {
		if (!strcmp(s->symbol, symbol))
			return true;
	}
	return false;
}

static void refused_n(const char *text, size_t n, const char *what)
{
	struct eo_profile p = { 0 };
	struct eo_error *err = eo_profile_parse("p.txt", text, n, &p);

	assert_non_null(err);
	assert_int_equal(eo_error_kind(err), EO_ERR_INPUT);
	if (!strstr(eo_error_message(err), what))
		fail_msg("no \"%s\" in: %s", what, eo_error_message(err));
	eo_error_free(err);
	eo_profile_release(&p);
}

static void refused(const char *text, const char *what)
{
	refused_n(text, strlen(text), what);
}

static const char table[] =
	"# To display the perf.data header info, please use --header\n"
	"#\n"
	"# Samples: 10K of event 'cycles:P'\n"
	"# Event count (approx.): 123456\n"
	"#\n"
	"# Overhead  Command   Shared Object      Symbol\n"
	"# ........  ........  .................  ......................\n"
	"#\n"
	"    32.60%  duck-1    [kernel.kallsyms]  [k] pond_count\n"
	"    19.97%  duck-1    [kernel.kallsyms]  [k] pond_show.part.0\n"
	"    12.20%  goose     goose              [.] pond_user\n"
	"     4.13%  duck-2    [pond]             [k] pond_count\n"
	"     1.00%  duck-2    [kernel.kallsyms]  [k] 0xffffffff81000000\n"
	"\n\n"
	"# (Tip: for the tips of perf, see its pages)\n";

static void plain_table(void **state)
{
	struct eo_profile p = { 0 };

	(void)state;
	parse(table, &p);
	assert_string_equal(p.format, "perf-report");
	assert_int_equal(p.n, 2);
	assert_near(share(&p, "pond_count")->self, 0.3673);
	assert_true(share(&p, "pond_count")->total < 0);
	assert_near(share(&p, "pond_show")->self, 0.1997);
	eo_profile_release(&p);
}

static void as_copied_from_the_browser(void **state)
{
	struct eo_profile p = { 0 };

	(void)state;
	parse("+   32.60%  duck-1  [kernel.kallsyms]  [k] pond_count\r\n"
	      "-    4.13%  duck-1  [kernel.kallsyms]  [k] pond_show\r\n"
	      "[...]\n"
	      "     0.02%  duck-1  [kernel.kallsyms]  [k] pond_dry       "
	      "\xe2\x96\x92\n",
	      &p);
	assert_int_equal(p.n, 3);
	assert_near(share(&p, "pond_show")->self, 0.0413);
	assert_near(share(&p, "pond_dry")->self, 0.0002);
	eo_profile_release(&p);
}

static void children_and_call_graph(void **state)
{
	struct eo_profile p = { 0 };

	(void)state;
	parse("# Children      Self  Command  Shared Object      Symbol\n"
	      "# ........  ........  .......  .................  ..........\n"
	      "#\n"
	      "    91.50%     0.25%  duck     [kernel.kallsyms]  [k] pond_show\n"
	      "            |          \n"
	      "            |--91.25%--pond_show\n"
	      "            |          |          \n"
	      "            |           --90.00%--pond_count\n"
	      "            |                     pond_drop\n"
	      "            |\n"
	      "             --0.25%--0x7f00\n"
	      "                       main\n"
	      "\n"
	      "    90.00%    60.00%  duck     [kernel.kallsyms]  [k] pond_count\n"
	      "            |\n"
	      "            ---pond_show\n"
	      "               pond_count\n"
	      "     9.00%     9.00%  duck     duck               [.] main\n",
	      &p);
	assert_int_equal(p.n, 2);
	assert_near(share(&p, "pond_show")->total, 0.915);
	assert_near(share(&p, "pond_show")->self, 0.0025);
	assert_near(share(&p, "pond_count")->total, 0.9);
	assert_near(share(&p, "pond_count")->self, 0.6);
	eo_profile_release(&p);
}

static void first_of_two_events(void **state)
{
	struct eo_profile p = { 0 };

	(void)state;
	parse("# Samples: 10  of event 'cycles'\n"
	      "  50.00%  duck  [kernel.kallsyms]  [k] pond_show\n"
	      "# Samples: 10  of event 'instructions'\n"
	      "  90.00%  duck  [kernel.kallsyms]  [k] pond_show\n"
	      "  10.00%  duck  [kernel.kallsyms]  [k] pond_dry\n",
	      &p);
	assert_int_equal(p.n, 1);
	assert_near(p.items[0].self, 0.5);
	eo_profile_release(&p);
}

static void stacks(void **state)
{
	struct eo_profile p = { 0 };

	(void)state;
	parse("duck;entry;pond_show;pond_count 30\n"
	      "duck;entry;pond_show 10\n"
	      "duck;entry;pond_show;pond_show;pond_dry.isra.0 20\n"
	      "\n"
	      "goose;entry;[unknown];0xffff 40\n",
	      &p);
	assert_string_equal(p.format, "folded");
	assert_near(share(&p, "entry")->total, 1);
	assert_near(share(&p, "entry")->self, 0);
	/* it calls itself in 20 of them: still once each */
	assert_near(share(&p, "pond_show")->total, 0.6);
	assert_near(share(&p, "pond_show")->self, 0.1);
	assert_near(share(&p, "pond_count")->self, 0.3);
	assert_near(share(&p, "pond_dry")->self, 0.2);
	assert_false(has(&p, "0xffff"));
	eo_profile_release(&p);
}

static void marked_kernel_frames(void **state)
{
	struct eo_profile p = { 0 };

	(void)state;
	parse("duck;main;entry_[k];pond_show_[k] 3\n"
	      "duck;main;swim 1\n",
	      &p);
	assert_int_equal(p.n, 2);
	assert_near(share(&p, "pond_show")->self, 0.75);
	assert_false(has(&p, "main"));
	eo_profile_release(&p);
}

static void bad_lines_are_named(void **state)
{
	(void)state;
	refused("  1.00%  duck  [kernel.kallsyms]  [k] pond_show\n"
		"what is this\n",
		"p.txt:2: ");
	refused("  1.00%  duck  [kernel.kallsyms]  [k] a\n"
		"  2.00%  duck  [kernel.kall",
		"p.txt:2: the line has a percentage and no symbol");
	refused("  1.00%  duck\n", "--sort");
	refused(" 101.00%  duck  [kernel.kallsyms]  [k] a\n", "more than 100%");
	refused("a;b 1\na;b;c\n", "p.txt:2: ");
	refused("a;b 1\na;b;c 12x\n", "p.txt:2: ");
	refused("a;b 1\na;;c 3\n", "empty frame");
	refused("a;b 1\na;b 99999999999999999999\n", "too large");
	refused("a;b 1\n;7\n", "p.txt:2: ");
}

static void foreign_files(void **state)
{
	static const char nul[] = "a;b 1\na;c 2\0;d 3\n";

	(void)state;
	refused("", "empty");
	refused("\n\n# nothing\n", "neither");
	refused("Dear all,\n\nplease find it below.\n", "neither");
	refused("hello 5\n", "neither");
	refused("int main(void)\n{\n}\n", "neither");
	refused("duck 1234 [000] 1.5: 250000 cycles:\n", "neither");
	refused("PERFILE2\1\2\3", "perf report --stdio");
	refused("  1.00%  goose  goose  [.] main\n",
		"no function of the kernel");
	refused("a;b 0\n", "all its counts are 0");
	refused_n(nul, sizeof(nul) - 1, "p.txt:2: the line has a NUL");
}

/* Wherever it is cut: an error of the input or a profile, never a crash. */
static void cut_anywhere(void **state)
{
	static const char stacks_text[] = "duck;a;b_[k] 30\ngoose;c.part.0 7\n";
	const char *const texts[] = { table, stacks_text };

	(void)state;
	for (size_t t = 0; t < 2; t++) {
		for (size_t n = 0; n <= strlen(texts[t]); n++) {
			/* of the exact size, so that a sanitizer sees more */
			char *copy = malloc(n ? n : 1);
			struct eo_profile p = { 0 };
			struct eo_error *err;

			memcpy(copy, texts[t], n);
			err = eo_profile_parse("p.txt", copy, n, &p);
			if (err)
				assert_int_equal(eo_error_kind(err),
						 EO_ERR_INPUT);
			else
				assert_true(p.n > 0);
			eo_error_free(err);
			eo_profile_release(&p);
			free(copy);
		}
	}
}

/* Bytes thrown at it, the same ones each time. */
static void noise(void **state)
{
	static const char bytes[] = "0123.%[k] ;a_\n\t#|-+\xc3\x9f";
	uint32_t x = 12345;

	(void)state;
	for (int i = 0; i < 2000; i++) {
		struct eo_profile p = { 0 };
		char text[120];
		size_t n = 1 + (size_t)i % sizeof(text);

		for (size_t j = 0; j < n; j++) {
			x = x * 1664525 + 1013904223;
			text[j] = bytes[(x >> 16) % (sizeof(bytes) - 1)];
		}
		eo_error_free(eo_profile_parse("p.txt", text, n, &p));
		eo_profile_release(&p);
	}
}

static void ten_thousand_lines(void **state)
{
	struct eo_profile p = { 0 };
	struct eo_str text = { 0 };

	(void)state;
	for (int i = 0; i < 10000; i++)
		eo_str_addf(&text, "duck;pond_show;f%d 1\n", i);
	parse_n(text.s, text.len, &p);
	assert_int_equal(p.n, 10002);
	assert_near(share(&p, "pond_show")->total, 1);
	assert_near(share(&p, "f9999")->self, 0.0001);
	eo_profile_release(&p);
	eo_str_clear(&text);
	for (int i = 0; i < 10000; i++)
		eo_str_addf(&text,
			    "  0.01%%  duck  [kernel.kallsyms]  [k] f%d\n",
			    i % 100);
	parse_n(text.s, text.len, &p);
	assert_int_equal(p.n, 100);
	assert_near(share(&p, "f7")->self, 0.01);
	eo_profile_release(&p);
	eo_str_release(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(plain_table),
		cmocka_unit_test(as_copied_from_the_browser),
		cmocka_unit_test(children_and_call_graph),
		cmocka_unit_test(first_of_two_events),
		cmocka_unit_test(stacks),
		cmocka_unit_test(marked_kernel_frames),
		cmocka_unit_test(bad_lines_are_named),
		cmocka_unit_test(foreign_files),
		cmocka_unit_test(cut_anywhere),
		cmocka_unit_test(noise),
		cmocka_unit_test(ten_thousand_lines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
