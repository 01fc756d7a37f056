// SPDX-License-Identifier: GPL-2.0-only
/* Benches in the database, and what series and reports make of them. */
#include "db_box.h"

#include "db/bench.h"
#include "db/evidence.h"
#include "db/hooks.h"
#include "db/waiting.h"

#define ID1 "1111111111111111"

/* One bench of the finding, with one metric: its change and its verdict. */
static void put_bench(struct box *b, const char *runner, double change,
		      bool higher, const char *verdict, const char *distorting)
{
	EO_CLEANUP(eo_bench_release)
	struct eo_bench bench = { .root = a_run.root,
				  .workload = "io-stat",
				  .params = "",
				  .stands_for = "an agent",
				  .runner = runner,
				  .what = "x.patch",
				  .patch = "D",
				  .finding = ID1,
				  .before_kernel = "b",
				  .after_kernel = "a",
				  .cpus = 1,
				  .possible = 16,
				  .stopped = "narrow enough",
				  .distorting = distorting,
				  .machine = "QEMU",
				  .kernel = "6.99.1",
				  .config = "small",
				  .command = "earlyout bench" };

	*eo_vec_push(&bench.metrics) = (struct eo_bench_metric){
		.metric = "read",
		.words = "a read",
		.quantity = "time",
		.unit = higher ? "1/s" : "ns",
		.higher_is_better = higher,
		.pairs = 7,
		.before = 5000,
		.after = 5000 * (1 + change),
		.change = change,
		.low = change - 0.01,
		.high = change + 0.01,
		.p = 0.01,
		.verdict = verdict,
	};
	assert_null(eo_db_put_bench(b->db, &bench));
}

static void put_finding(struct box *b)
{
	EO_CLEANUP(eo_findings_release) struct eo_findings list = { 0 };

	add(&list, ID1);
	put(b->db, &list);
}

static void assert_gain(struct box *b, const char *want)
{
	assert_asked(b->db,
		     "SELECT coalesce(round(gain, 9), 'none') FROM report_row",
		     want);
}

/* Less time, and more operations a second, are both a gain. */
static void gains(void **state)
{
	struct box *b = *state;

	put_finding(b);
	assert_gain(b, "none");
	put_bench(b, "icount", -0.12, false, "improved", NULL);
	assert_gain(b, "0.12");
	put_bench(b, "qemu", 0.3, true, "improved", NULL);
	assert_gain(b, "0.3");
	/* The last of a runner counts, and no loss is a gain. */
	put_bench(b, "qemu", -0.3, true, "regressed", NULL);
	assert_gain(b, "0.12");
	put_bench(b, "icount", -0.12, false, "no consistent change", NULL);
	assert_gain(b, "none");
	put_bench(b, "icount", -0.12, false, "improved", "lockdep");
	assert_gain(b, "none");
}

/* The census of the workload's file, the last one, of this tree. */
static void how_common(void **state)
{
	EO_CLEANUP(eo_evidences_release) struct eo_evidences none = { 0 };
	EO_CLEANUP(eo_evidences_release) struct eo_evidences out = { 0 };
	struct eo_census c = { .file = "io.stat",
			       .root = "/sys/fs/cgroup",
			       .host = "h",
			       .cpus = 8,
			       .files = 10,
			       .empty = 1 };
	struct box *b = *state;

	put_finding(b);
	put_bench(b, "icount", -0.12, false, "improved", NULL);
	assert_null(eo_db_get_evidence(b->db, ID1, "D", &none));
	assert_int_equal(none.n, 1);
	assert_null(none.items[0].common);
	assert_null(eo_db_put_census(b->db, a_run.root, &c));
	c.cpus = 316;
	c.files = 1969;
	c.empty = 340;
	assert_null(eo_db_put_census(b->db, a_run.root, &c));
	assert_null(eo_db_put_census(b->db, "/another", &c));
	c.file = "cpu.stat";
	c.files = 7;
	assert_null(eo_db_put_census(b->db, a_run.root, &c));
	reopen(b);
	assert_null(eo_db_get_evidence(b->db, ID1, "D", &out));
	assert_string_equal(
		out.items[0].common,
		"340 of 1,969 io.stat files were empty on a 316-CPU host.");
	assert_string_equal(out.items[0].verdict, "improved");
	assert_true(out.items[0].before == 5); /* us */
}

static void what_waits(void **state)
{
	EO_CLEANUP(eo_waiting_release) struct eo_waiting out = { 0 };
	EO_CLEANUP(eo_waiting_release) struct eo_waiting other = { 0 };
	struct eo_waiting w = { .workload = "io-stat",
				.params = "reads=1",
				.kernel = "6.99.1 #1",
				.boot = "x",
				.said = "hello 1 x\nend\n",
				.started = 7 };
	struct box *b = *state;
	bool found;

	assert_null(eo_db_put_waiting(b->db, "/a", &w));
	w.boot = "y"; /* measured anew */
	assert_null(eo_db_put_waiting(b->db, "/a", &w));
	reopen(b);
	assert_null(eo_db_get_waiting(b->db, "/b", "io-stat", &other, &found));
	assert_false(found);
	assert_null(eo_db_get_waiting(b->db, "/a", "io-stat", &out, &found));
	assert_true(found);
	assert_string_equal(out.boot, "y");
	assert_string_equal(out.said, "hello 1 x\nend\n");
	assert_null(out.distorting);
	assert_int_equal(out.started, 7);
	assert_error(eo_db_forget_waiting(b->db, "/b", "io-stat"), EO_ERR_INPUT,
		     "io-stat", "no measurement");
	assert_null(eo_db_forget_waiting(b->db, "/a", "io-stat"));
	assert_asked(b->db, "SELECT count(*) FROM waiting", "0");
}

/* All of it comes back, the samples of pairs without those that warm up. */
static void samples(void **state)
{
	EO_CLEANUP(eo_bench_samples_release)
	struct eo_bench_samples out = { 0 };
	EO_CLEANUP(eo_bench_release)
	struct eo_bench in = { .root = "/a",
			       .workload = "w",
			       .params = "",
			       .stands_for = "",
			       .runner = "host",
			       .what = "",
			       .before_kernel = "",
			       .after_kernel = "",
			       .stopped = "",
			       .machine = "",
			       .kernel = "",
			       .config = "",
			       .command = "" };
	const struct eo_bench_sample some[] = { { "read", 0, 9 },
						{ "read", 1, 2.5 } };
	struct eo_bench_shot shot = { .phase = "same",
				      .arm = "before",
				      .samples = some,
				      .n_samples = 2 };
	struct box *b = *state;

	*eo_vec_push(&in.shots) = shot;
	shot.phase = "pairs";
	shot.second = true;
	shot.pair = 3;
	*eo_vec_push(&in.shots) = shot;
	assert_null(eo_db_put_bench(b->db, &in));
	assert_null(eo_db_get_bench_samples(b->db, in.id, &out));
	assert_int_equal(out.n, 1);
	assert_string_equal(out.items[0].metric, "read");
	assert_true(out.items[0].second && out.items[0].pair == 3);
	assert_true(out.items[0].value == 2.5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(gains),
		TEST(how_common),
		TEST(what_waits),
		TEST(samples),
	};

	return cmocka_run_group_tests_name("bench-db", tests, NULL, NULL);
}
