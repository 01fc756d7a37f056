// SPDX-License-Identifier: GPL-2.0-only
/* Writings, versions of series, proposals and evidence in the database. */
#include "db_box.h"

#include "db/evidence.h"
#include "db/series.h"

#define ID1 "1111111111111111"
#define ID2 "2222222222222222"

static int64_t put_two(struct box *b)
{
	EO_CLEANUP(eo_findings_release) struct eo_findings list = { 0 };

	add(&list, ID1);
	add(&list, ID2);
	return put(b->db, &list);
}

static void check_both(const struct eo_writing *out)
{
	assert_int_equal(out->series.n, 2);
	assert_string_equal(out->series.items[0].name, "block");
	assert_string_equal(out->series.items[0].title, "BLOCK LAYER");
	assert_int_equal(out->series.items[0].version, 1);
	assert_int_equal(out->series.items[0].rerolls, 0);
	assert_string_equal(out->series.items[0].changes, "none");
	assert_string_equal(out->series.items[0].range_diff, "1: a = 1: a");
	assert_string_equal(out->series.items[0].base, "0123");
	assert_string_equal(out->series.items[0].items[0].strategy,
			    "early-return");
	assert_string_equal(out->series.items[0].items[0].fixes,
			    "0123456789ab (\"lib: x\")");
	assert_null(out->series.items[1].title);
	assert_string_equal(out->series.items[1].cover, "c2");
}

/* Two series and a proposal, written at a time. */
static void writing_comes_back(void **state)
{
	static const char *const also[] = { ID2 };
	EO_CLEANUP(eo_arena_release) struct eo_arena a = { 0 };
	struct box *b = *state;
	struct eo_patch one = { .finding = ID1,
				.file = "lib/a.c",
				.subject = "lib: a",
				.diff = "A",
				.number = 1,
				.total = 1,
				.strategy = "early-return",
				.fixes = "0123456789ab (\"lib: x\")",
				.also = also,
				.n_also = 1 };
	struct eo_patch two = { .finding = ID2, .subject = "b", .diff = "B" };
	struct eo_proposal proposal = { ID2, "proposal-0001-x.txt", "words" };
	struct eo_series both[] = {
		{ .items = &one,
		  .n = 1,
		  .name = "block",
		  .title = "BLOCK LAYER",
		  .cover = "c1",
		  .created = 7,
		  .changes = "none",
		  .range_diff = "1: a = 1: a",
		  .base = "0123" },
		{ .items = &two, .n = 1, .name = "cgroup", .cover = "c2" },
	};
	struct eo_writing in = { .strategy = "early-return",
				 .created = 7,
				 .series = { both, 2, 2 },
				 .proposals = { &proposal, 1, 1 } };
	struct eo_writing out;
	struct eo_series flat;

	in.run = both[0].run = both[1].run = put_two(b);
	assert_null(eo_db_put_writing(b->db, &in));
	assert_true(both[0].id && both[1].id > both[0].id);
	reopen(b);
	assert_null(eo_db_get_writing(b->db, 0, &a, &out));
	assert_int_equal(out.run, in.run);
	assert_int_equal(out.created, 7);
	check_both(&out);
	assert_int_equal(out.proposals.n, 1);
	assert_string_equal(out.proposals.items[0].finding, ID2);
	assert_string_equal(out.proposals.items[0].name, proposal.name);
	assert_string_equal(out.proposals.items[0].text, "words");
	assert_asked(b->db, "SELECT finding FROM report_patch_also", ID2);
	assert_asked(b->db, "SELECT strategy FROM report_writing",
		     "early-return");

	/* For who wants patches: all of them, as they apply. */
	assert_null(eo_db_get_series(b->db, 0, &a, &flat));
	assert_int_equal(flat.n, 2);
	assert_string_equal(flat.cover, "c1");
	assert_string_equal(flat.items[0].diff, "A");
	assert_string_equal(flat.items[1].diff, "B");
}

/* Of the series of that name in that tree the last one; with its bundle. */
static void last_version(void **state)
{
	static const char bundle[] = "PACK\0\xff\n";
	EO_CLEANUP(eo_arena_release) struct eo_arena a = { 0 };
	struct box *b = *state;
	struct eo_patch p = { .finding = ID1, .subject = "s", .diff = "D" };
	struct eo_series v1 = { .items = &p,
				.n = 1,
				.bundle = bundle,
				.bundle_len = sizeof(bundle) };
	struct eo_series other = { .items = &p, .n = 1, .name = "block" };
	struct eo_series v2 = { .items = &p, .n = 1, .version = 2 };
	struct eo_series out;

	v1.run = put_two(b);
	assert_null(eo_db_get_last_version(b->db, a_run.root, "", &a, &out));
	assert_int_equal(out.id, 0);
	assert_null(eo_db_put_series(b->db, &v1));
	other.run = v2.run = put_two(b);
	assert_null(eo_db_put_series(b->db, &other));
	assert_null(eo_db_get_last_version(b->db, a_run.root, "", &a, &out));
	assert_int_equal(out.id, v1.id);
	assert_int_equal(out.version, 1);
	assert_int_equal(out.bundle_len, sizeof(bundle));
	assert_memory_equal(out.bundle, bundle, sizeof(bundle));
	assert_int_equal(out.n, 1);
	assert_string_equal(out.items[0].diff, "D");

	v2.rerolls = v1.id;
	assert_null(eo_db_put_series(b->db, &v2));
	assert_null(eo_db_get_last_version(b->db, a_run.root, "", &a, &out));
	assert_int_equal(out.version, 2);
	assert_int_equal(out.rerolls, v1.id);
	assert_null(out.bundle);
	assert_null(eo_db_get_last_version(b->db, "/elsewhere", "", &a, &out));
	assert_int_equal(out.id, 0);
}

/* A series that cannot be stored leaves nothing of its writing. */
static void all_or_nothing(void **state)
{
	struct box *b = *state;
	struct eo_patch good = { .finding = ID1 };
	struct eo_patch bad = { .finding = "no such finding" };
	struct eo_series both[] = { { .items = &good, .n = 1 },
				    { .items = &bad, .n = 1 } };
	struct eo_writing in = { .series = { both, 2, 2 } };
	struct eo_error *err;

	in.run = both[0].run = both[1].run = put_two(b);
	err = eo_db_put_writing(b->db, &in);
	assert_non_null(err);
	eo_error_free(err);
	assert_int_equal(both[0].id, 0);
	assert_asked(b->db, "SELECT count(*) FROM series", "0");
	assert_asked(b->db, "SELECT count(*) FROM writing", "0");
}

/* Numbers are of one patch: of another diff, they are not said. */
static void evidence_of_that_patch(void **state)
{
	static const char view[] =
		"DROP VIEW report_evidence;"
		"CREATE VIEW report_evidence AS SELECT '" ID1 "' AS finding,"
		" 'D' AS diff, 'an idle read' AS workload, 0 AS downside,"
		" 'time' AS metric, 'us' AS unit, 35 AS n, 7.02 AS before,"
		" 5.47 AS after, -0.221 AS change, -0.224 AS low,"
		" -0.2 AS high, '16 vCPUs' AS machine, '6.99' AS kernel,"
		" 'defconfig' AS config, NULL AS distorting,"
		" 'improved' AS verdict, '3 of 9.' AS common";
	EO_CLEANUP(eo_evidences_release) struct eo_evidences out = { 0 };
	struct box *b = *state;

	assert_null(eo_db_get_evidence(b->db, ID1, "D", &out));
	assert_int_equal(out.n, 0);
	reopen(b);
	assert_null(eo_sql_exec(b->db, view));
	assert_null(eo_db_get_evidence(b->db, ID1, "E", &out));
	assert_int_equal(out.n, 0);
	assert_null(eo_db_get_evidence(b->db, ID1, "D", &out));
	assert_int_equal(out.n, 1);
	assert_string_equal(out.items[0].workload, "an idle read");
	assert_false(out.items[0].downside);
	assert_int_equal(out.items[0].n, 35);
	assert_true(out.items[0].before == 7.02 && out.items[0].after == 5.47);
	assert_true(out.items[0].low == -0.224 && out.items[0].high == -0.2);
	assert_string_equal(out.items[0].config, "defconfig");
	assert_null(out.items[0].distorting);
	assert_string_equal(out.items[0].verdict, "improved");
	assert_string_equal(out.items[0].common, "3 of 9.");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(writing_comes_back),
		TEST(last_version),
		TEST(all_or_nothing),
		TEST(evidence_of_that_patch),
	};

	return cmocka_run_group_tests_name("series-db", tests, NULL, NULL);
}
