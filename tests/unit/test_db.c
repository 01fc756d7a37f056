// SPDX-License-Identifier: GPL-2.0-only
/* The store: what goes in comes out. */
#include "db_box.h"

static void run_comes_back(void **state)
{
	EO_CLEANUP(eo_arena_release) struct eo_arena a = { 0 };
	const struct eo_findings none = { 0 };
	struct box *b = *state;
	struct eo_run run;
	int64_t id = put(b->db, &none);

	reopen(b);
	assert_null(eo_db_get_run(b->db, 0, &a, &run));
	assert_int_equal(run.id, id);
	assert_string_equal(run.root, a_run.root);
	assert_string_equal(run.version, a_run.version);
	assert_string_equal(run.revision, a_run.revision);
	assert_string_equal(run.command, a_run.command);
	assert_string_equal(run.build_origin, a_run.build_origin);
	assert_string_equal(run.config_hash, a_run.config_hash);
	assert_string_equal(run.tool_version, a_run.tool_version);
	assert_string_equal(run.model_hash, a_run.model_hash);
	assert_int_equal(run.started, a_run.started);
	assert_int_equal(run.duration_ms, a_run.duration_ms);
	assert_int_equal(run.files, a_run.files);
	assert_int_equal(run.candidates, a_run.candidates);
	assert_int_equal(run.analyzed, a_run.analyzed);
	assert_int_equal(run.outside, a_run.outside);
}

static void findings_come_back(void **state)
{
	struct eo_findings in = { 0 }, out = { 0 };
	struct eo_str want = { 0 }, got = { 0 };
	struct box *b = *state;

	add_full(&in, "1111111111111111");
	add(&in, "2222222222222222"); /* every optional part missing */
	put(b->db, &in);
	reopen(b);
	assert_null(eo_db_get_findings(b->db, 0, &out));
	assert_int_equal(out.n, 2);
	/* The wire has every field: equal there is equal. */
	for (size_t i = 0; i < 2; i++) {
		eo_finding_put(&want, &in.items[i]);
		eo_finding_put(&got, &out.items[i]);
	}
	assert_int_equal(got.len, want.len);
	assert_memory_equal(got.s, want.s, want.len);
	eo_str_release(&want);
	eo_str_release(&got);
	eo_findings_release(&in);
	eo_findings_release(&out);
}

static void gaps_come_back(void **state)
{
	struct eo_gap g[] = {
		{ "", NULL, EO_ENGINE_SMPL, EO_GAP_TOOL_MISSING, NULL },
		{ "lib/a.c", "f", EO_ENGINE_CLANG, EO_GAP_TIMEOUT, "slow" },
	};
	const struct eo_findings none = { 0 };
	struct eo_gaps in = { 0 }, out = { 0 };
	struct eo_str want = { 0 }, got = { 0 };
	struct eo_run run = a_run;
	struct box *b = *state;

	for (size_t i = 0; i < 2; i++)
		eo_gaps_add(&in, &g[i]);
	assert_null(eo_db_put_run(b->db, &run, &none, &in));
	assert_null(eo_db_get_gaps(b->db, run.id, &out));
	assert_int_equal(out.n, 2);
	for (size_t i = 0; i < 2; i++) {
		eo_gap_put(&want, &in.items[i]);
		eo_gap_put(&got, &out.items[i]);
	}
	assert_int_equal(got.len, want.len);
	assert_memory_equal(got.s, want.s, want.len);
	eo_str_release(&want);
	eo_str_release(&got);
	eo_gaps_release(&in);
	eo_gaps_release(&out);
}

static void last_series_comes_back(void **state)
{
	EO_CLEANUP(eo_arena_release) struct eo_arena a = { 0 };
	struct eo_patch p[] = {
		{ .finding = "1111111111111111",
		  .file = "lib/a.c",
		  .subject = "lib: a",
		  .body = "body",
		  .diff = "diff",
		  .mail = "mail",
		  .number = 1,
		  .total = 2 },
		{ .finding = "1111111111111111",
		  .file = "lib/b.c",
		  .subject = "lib: b",
		  .number = 2,
		  .total = 2 },
	};
	struct eo_series in = { .cover = "old", .created = 5 }, out;
	struct eo_findings findings = { 0 };
	struct box *b = *state;

	add(&findings, "1111111111111111");
	in.run = put(b->db, &findings);
	assert_null(eo_db_get_series(b->db, 0, &a, &out));
	assert_int_equal(out.n, 0);
	assert_null(eo_db_put_series(b->db, &in));
	in.cover = "new";
	in.items = p;
	in.n = 2;
	assert_null(eo_db_put_series(b->db, &in));
	assert_null(eo_db_get_series(b->db, 0, &a, &out));
	assert_int_equal(out.id, in.id);
	assert_int_equal(out.run, in.run);
	assert_int_equal(out.created, 5);
	assert_string_equal(out.cover, "new");
	assert_int_equal(out.n, 2);
	assert_string_equal(out.items[0].finding, p[0].finding);
	assert_string_equal(out.items[0].file, "lib/a.c");
	assert_string_equal(out.items[0].subject, "lib: a");
	assert_string_equal(out.items[0].body, "body");
	assert_string_equal(out.items[0].diff, "diff");
	assert_string_equal(out.items[0].mail, "mail");
	assert_int_equal(out.items[1].number, 2);
	assert_int_equal(out.items[1].total, 2);
	assert_null(out.items[1].mail);
	eo_findings_release(&findings);
}

static void same_finding_in_two_runs(void **state)
{
	struct eo_findings in = { 0 };
	struct box *b = *state;
	struct eo_findings out = { 0 };
	int64_t first;

	add(&in, "1111111111111111");
	first = put(b->db, &in);
	in.items[0].line = 50;
	assert_int_equal(put(b->db, &in), first + 1);
	assert_asked(b->db, "SELECT count(*) FROM finding", "1");
	assert_asked(b->db, "SELECT count(*) FROM occurrence", "2");
	assert_asked(b->db, "SELECT count(*) FROM tree", "1");
	assert_null(eo_db_get_findings(b->db, first, &out));
	assert_int_equal(out.items[0].line, 12);
	eo_findings_release(&out);
	assert_null(eo_db_get_findings(b->db, 0, &out));
	assert_int_equal(out.items[0].line, 50);
	eo_findings_release(&out);
	eo_findings_release(&in);
}

static void deleting_a_run_takes_its_parts(void **state)
{
	struct eo_findings in = { 0 };
	struct box *b = *state;

	add_full(&in, "1111111111111111");
	put(b->db, &in);
	assert_null(eo_sql_exec(b->db, "DELETE FROM run"));
	assert_asked(b->db, "SELECT count(*) FROM step", "0");
	assert_asked(b->db, "SELECT count(*) FROM pragma_foreign_key_check",
		     "0");
	eo_findings_release(&in);
}

static void settings_hold(void **state)
{
	struct box *b = *state;

	assert_asked(b->db, "PRAGMA journal_mode", "wal");
	assert_asked(b->db, "PRAGMA foreign_keys", "1");
	assert_asked(b->db, "PRAGMA user_version", "11");
	assert_asked(b->db,
		     "SELECT count(*) FROM pragma_table_list"
		     " WHERE schema = 'main' AND type = 'table' AND NOT strict"
		     " AND name NOT LIKE 'sqlite_%'",
		     "0");
	assert_int_equal(sqlite3_exec(b->db->sql,
				      "INSERT INTO hot VALUES (99, 0, 'x')",
				      NULL, NULL, NULL),
			 SQLITE_CONSTRAINT_FOREIGNKEY);
	for (int i = 0; i < EO_SQL_N; i++) {
		EO_CLEANUP(eo_sql_end) struct eo_sql_use use = { 0 };

		assert_null(eo_sql_begin(b->db, (enum eo_sql)i, &use));
	}
}

static void nothing_scanned_yet(void **state)
{
	EO_CLEANUP(eo_arena_release) struct eo_arena a = { 0 };
	struct eo_findings out = { 0 };
	struct box *b = *state;
	struct eo_run run;

	assert_error(eo_db_get_run(b->db, 0, &a, &run), EO_ERR_INPUT, b->path,
		     "earlyout scan");
	assert_error(eo_db_get_findings(b->db, 0, &out), EO_ERR_INPUT, b->path,
		     "earlyout scan");
	assert_error(eo_db_get_run(b->db, 7, &a, &run), EO_ERR_INPUT, b->path,
		     "no run 7");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(run_comes_back),
		TEST(findings_come_back),
		TEST(gaps_come_back),
		TEST(last_series_comes_back),
		TEST(same_finding_in_two_runs),
		TEST(deleting_a_run_takes_its_parts),
		TEST(settings_hold),
		TEST(nothing_scanned_yet),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
