// SPDX-License-Identifier: GPL-2.0-only
/* What QEMU's plugin and perf counted, by the kernel's functions. */
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
#include "base/str.h"
#include "verify/bench/counts.h"
#include "verify/bench/perf.h"

/* Not in the order of the addresses, and with what is no code. */
static const char map[] = "0000000000000000 D per_cpu_pond\n"
			  "ffffffff81000200 t dive\n"
			  "ffffffff81000000 T swim\n"
			  "ffffffff81000100 D depth\n"
			  "ffffffff81000300 W float\n";

struct files {
	char *dir, *map, *counts;
};

static int setup(void **state)
{
	static struct files f;

	assert_null(eo_temp_dir(&f.dir));
	f.map = eo_path_join(f.dir, "System.map");
	f.counts = eo_path_join(f.dir, "counts");
	assert_null(eo_file_write(f.map, map, strlen(map)));
	*state = &f;
	return 0;
}

static int teardown(void **state)
{
	struct files *f = *state;

	eo_error_free(eo_remove_tree(f->dir));
	free(f->dir);
	free(f->map);
	free(f->counts);
	return 0;
}

static struct eo_error *add(struct files *f, const char *counts, double factor,
			    int after, struct eo_counts *p)
{
	assert_null(eo_file_write(f->counts, counts, strlen(counts)));
	return eo_counts_add(p, f->map, f->counts, factor, after);
}

static void assert_row(const struct eo_count *r, const char *symbol,
		       double before, double after)
{
	assert_string_equal(r->symbol, symbol);
	assert_true(r->before == before && r->after == after);
}

/* Three batches less one, halved; the boot drops out. */
static void by_function(void **state)
{
	EO_CLEANUP(eo_counts_release) struct eo_counts p = { 0 };
	struct files *f = *state;

	/* 0x...0ff is swim's last byte, 0x...150 too: depth is no code. */
	assert_null(add(f,
			"ffffffff81000000 1000\n401000 50\n"
			"ffffffff81000300 7\n",
			-0.5, 0, &p));
	assert_null(add(f,
			"ffffffff81000000 1000\nffffffff810000ff 20\n"
			"ffffffff81000150 4\n401000 90\n"
			"ffffffff810002ff 600\nffffffff81000300 7\n",
			0.5, 0, &p));
	assert_null(add(f, "ffffffff81000000 10\n", -0.5, 1, &p));
	assert_null(add(f, "ffffffff81000000 30\nffffffffa0000000 8\n", 0.5, 1,
			&p));
	eo_counts_sort(&p);
	assert_int_equal(p.n, 4);
	assert_row(&p.items[0], "dive", 300, 0);
	assert_row(&p.items[1], "[user]", 20, 0);
	assert_row(&p.items[2], "swim", 12, 10);
	/* What lies behind the last symbol counts as that. */
	assert_row(&p.items[3], "float", 0, 4);
}

static void bad_files(void **state)
{
	EO_CLEANUP(eo_counts_release) struct eo_counts p = { 0 };
	struct files *f = *state;
	struct eo_error *err = add(f, "frog 1\n", 1, 0, &p);

	assert_non_null(err);
	assert_non_null(strstr(eo_error_message(err), "`frog 1` is no count"));
	eo_error_free(err);
	assert_null(eo_file_write(f->map, "no map\n", 7));
	err = add(f, "1 1\n", 1, 0, &p);
	assert_non_null(strstr(eo_error_message(err), "no System.map"));
	eo_error_free(err);
}

/* What perf prints: one run before, one after. */
static void by_sample(void **state)
{
	EO_CLEANUP(eo_counts_release) struct eo_counts p = { 0 };
	struct eo_error *err;

	(void)state;
	assert_null(eo_perf_add(&p,
				"60         |[k] swim\n30|[.] main\n"
				"10|[.] 0x00000000015976e8\n",
				0));
	assert_null(eo_perf_add(&p,
				"20|[k] swim|-      -\n5|[k] dive.part.0\n"
				"39|[.] __memset|\n",
				1));
	eo_counts_sort(&p);
	assert_int_equal(p.n, 3);
	assert_row(&p.items[0], "swim", 60, 20);
	assert_row(&p.items[1], "[user]", 40, 39);
	assert_row(&p.items[2], "dive.part.0", 0, 5);
	err = eo_perf_add(&p, "12.5%|[k] swim\n", 0);
	assert_non_null(err);
	eo_error_free(err);
	err = eo_perf_add(&p, "frogs\n", 0);
	assert_non_null(strstr(eo_error_message(err), "`frogs` is no row"));
	eo_error_free(err);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(by_function),
		TEST(bad_files),
		TEST(by_sample),
	};

	return cmocka_run_group_tests_name("counts", tests, NULL, NULL);
}
