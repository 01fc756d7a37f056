// SPDX-License-Identifier: GPL-2.0-only
/* Runs beside each other, baselines, profiles, an older file's upgrade. */
#include "db_box.h"

#include "db/history.h"
#include "db/profiles.h"

#define A "1111111111111111"
#define B "2222222222222222"
#define C "3333333333333333"

/* A run with the findings that @ids name, one a word, in lib/shelf.c. */
struct made {
	struct eo_findings findings;
	struct eo_gaps gaps;
	struct eo_run run;
};

static void make(struct made *m, const char *const *ids)
{
	*m = (struct made){ .run = a_run };
	for (; *ids; ids++)
		add_full(&m->findings, *ids)->ends_in = NULL;
}

static int64_t store(struct box *b, struct made *m)
{
	int64_t id;

	assert_null(eo_db_put_run(b->db, &m->run, &m->findings, &m->gaps));
	id = m->run.id;
	eo_findings_release(&m->findings);
	eo_gaps_release(&m->gaps);
	return id;
}

#define RUN(b, ...) \
	run_of(b, (const char *const[]){ __VA_ARGS__ __VA_OPT__(, ) NULL })

static int64_t run_of(struct box *b, const char *const *ids)
{
	struct made m;

	make(&m, ids);
	return store(b, &m);
}

/* "1=new 2=resolved": what the run says of each, by the first digit. */
static void assert_changes(struct box *b, int64_t run, const char *want)
{
	EO_CLEANUP(eo_standings_release) struct eo_standings s = { 0 };
	EO_CLEANUP(eo_str_release) struct eo_str got = { 0 };
	const struct eo_standing *it;
	const struct eo_absent *a;

	assert_null(eo_db_get_standings(b->db, run, &s));
	eo_vec_for_each(it, &s)
		eo_str_addf(&got, "%s%c=%s", got.len ? " " : "", *it->id,
			    it->status);
	eo_vec_for_each(a, &s.absent)
		eo_str_addf(&got, "%s%c=%s", got.len ? " " : "", *a->id,
			    a->status);
	assert_string_equal(eo_str_get(&got), want);
}

static void statuses(void **state)
{
	struct box *b = *state;

	assert_changes(b, RUN(b, A, B), "1=new 2=new");
	assert_changes(b, RUN(b, A, C), "1=unchanged 3=new 2=resolved");
	/* once it is resolved, no run says so again */
	assert_changes(b, RUN(b, A, C), "1=unchanged 3=unchanged");
	assert_changes(b, RUN(b, B, C), "2=reopened 3=unchanged 1=resolved");
	assert_changes(b, RUN(b), "2=resolved 3=resolved");
	/* what was stored of a run stays */
	assert_changes(b, 2, "1=unchanged 3=new 2=resolved");
}

static void gaps_keep_findings(void **state)
{
	static const struct {
		struct eo_gap gap;
		const char *want;
	} cases[] = {
		{ { "lib/shelf.c", NULL, EO_ENGINE_CLANG, EO_GAP_TIMEOUT,
		    NULL },
		  "1=unseen" },
		{ { "lib/shelf.c", "show_shelf", EO_ENGINE_SMPL, EO_GAP_TIMEOUT,
		    NULL },
		  "1=unseen" },
		{ { "lib", NULL, EO_ENGINE_CLANG, EO_GAP_UNREADABLE, NULL },
		  "1=unseen" },
		{ { "", NULL, EO_ENGINE_SMPL, EO_GAP_TOOL_MISSING, NULL },
		  "1=unseen" },
		{ { "lib/shelf.c", "other", EO_ENGINE_CLANG, EO_GAP_TIMEOUT,
		    NULL },
		  "1=resolved" },
		{ { "lib/shelf.cc", NULL, EO_ENGINE_CLANG, EO_GAP_TIMEOUT,
		    NULL },
		  "1=resolved" },
		{ { "li", NULL, EO_ENGINE_CLANG, EO_GAP_UNREADABLE, NULL },
		  "1=resolved" },
	};
	struct box *b = *state;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct made m;

		RUN(b, A);
		make(&m, (const char *const[]){ NULL });
		eo_gaps_add(&m.gaps, &cases[i].gap);
		assert_changes(b, store(b, &m), cases[i].want);
	}
	/* seen, unseen, seen: not reopened */
	RUN(b, A);
	struct made m;

	make(&m, (const char *const[]){ NULL });
	eo_gaps_add(&m.gaps, &cases[0].gap);
	store(b, &m);
	assert_changes(b, RUN(b, A), "1=unchanged");
	/* seen, unseen, gone: resolved then */
	make(&m, (const char *const[]){ NULL });
	eo_gaps_add(&m.gaps, &cases[0].gap);
	store(b, &m);
	assert_changes(b, RUN(b), "1=resolved");
}

/* What a wrapper leads to hangs on the wrapper's file. */
static void wrappers_files_count(void **state)
{
	const struct eo_gap gap = { "lib/wrapper.c", NULL, EO_ENGINE_CLANG,
				    EO_GAP_PARSE_ERROR, NULL };
	struct box *b = *state;
	struct made m;

	for (int before = 0; before < 2; before++) {
		make(&m, (const char *const[]){ A, NULL });
		m.findings.items[0].ends_in = "sync_all";
		if (before)
			eo_gaps_add(&m.gaps, &gap);
		store(b, &m);
		make(&m, (const char *const[]){ NULL });
		eo_gaps_add(&m.gaps, &gap);
		assert_changes(b, store(b, &m),
			       before ? "1=resolved" : "1=unseen");
	}
}

static void limited_runs(void **state)
{
	EO_CLEANUP(eo_arena_release) struct eo_arena a = { 0 };
	const char *const files[] = { "lib/shelf.c" };
	struct box *b = *state;
	struct eo_run run;
	struct made m;

	make(&m, (const char *const[]){ A, B, NULL });
	m.findings.items[1].file = "lib/other.c";
	store(b, &m);
	make(&m, (const char *const[]){ NULL });
	m.run.scope = "--changed a..b";
	m.run.scope_files = files;
	m.run.n_scope_files = 1;
	m.run.left_out = 7;
	store(b, &m);
	assert_changes(b, 0, "1=resolved 2=unseen");
	assert_null(eo_db_get_run(b->db, 0, &a, &run));
	assert_string_equal(run.scope, "--changed a..b");
	assert_int_equal(run.left_out, 7);
	assert_int_equal(run.compared_to, 1);
	/* only clang looked: what smpl saw too may still be there */
	RUN(b, A);
	make(&m, (const char *const[]){ NULL });
	m.run.engines = EO_ENGINE_CLANG;
	assert_changes(b, store(b, &m), "1=unseen");
}

static void trees_are_apart(void **state)
{
	struct box *b = *state;
	struct made m;

	RUN(b, A);
	make(&m, (const char *const[]){ B, NULL });
	m.run.root = "/trees/two";
	assert_changes(b, store(b, &m), "2=new");
	assert_changes(b, RUN(b, A), "1=unchanged");
}

static void moved_findings(void **state)
{
	EO_CLEANUP(eo_reviews_release) struct eo_reviews reviews = { 0 };
	const struct eo_review review = {
		.status = "confirmed", .note = "why", .who = "who", .made = 5
	};
	struct eo_mark mark = { .origin = A };
	struct box *b = *state;
	struct made m;
	char id[17];

	RUN(b, A);
	assert_null(eo_db_put_review(b->db, A, &review));
	make(&m, (const char *const[]){ B, NULL });
	m.findings.items[0].file = "lib/rack.c";
	m.run.marks = &mark;
	assert_changes(b, store(b, &m), "2=unchanged");
	/* from B, which was A, to C */
	mark.origin = B;
	make(&m, (const char *const[]){ C, NULL });
	m.findings.items[0].file = "lib/desk.c";
	m.run.marks = &mark;
	assert_changes(b, store(b, &m), "3=unchanged");
	assert_asked(b->db, "SELECT group_concat(origin) FROM moved", A "," A);
	assert_null(eo_db_get_reviews(b->db, C, &reviews));
	assert_int_equal(reviews.n, 1);
	assert_string_equal(reviews.items[0].note, "why");
	/* any of its ids finds the last one */
	assert_null(eo_db_find_id(b->db, "1111", id));
	assert_string_equal(id, C);
	assert_null(eo_db_find_id(b->db, B, id));
	assert_string_equal(id, C);
	/* and back to the first */
	assert_changes(b, RUN(b, A), "1=unchanged");
	assert_changes(b, RUN(b), "1=resolved");
}

static void baselines(void **state)
{
	EO_CLEANUP(eo_baseline_release) struct eo_baseline of_run = { 0 };
	EO_CLEANUP(eo_baseline_release) struct eo_baseline of_file = { 0 };
	EO_CLEANUP(eo_baseline_release) struct eo_baseline none = { 0 };
	const struct eo_gap gap = { "lib/a.c", "f", EO_ENGINE_CLANG,
				    EO_GAP_TIMEOUT, "slow" };
	const struct eo_gap other = { "lib/a.c", NULL, EO_ENGINE_CLANG,
				      EO_GAP_TIMEOUT, "slow" };
	struct box *b = *state;
	EO_CLEANUP(eo_freep) char *path = eo_path_join(b->dir, "scan.json");
	EO_CLEANUP(eo_str_release) struct eo_str json = { 0 };
	struct made m;

	make(&m, (const char *const[]){ A, B, NULL });
	eo_gaps_add(&m.gaps, &gap);
	store(b, &m);
	assert_null(eo_db_get_json(b->db, 0, &json));
	assert_null(eo_file_write(path, json.s, json.len));
	assert_null(eo_db_get_baseline(b->db, "1", &of_run));
	assert_null(eo_db_get_baseline(b->db, path, &of_file));
	assert_true(eo_map_has(&of_run.ids, A) && eo_map_has(&of_run.ids, B));
	assert_true(eo_map_has(&of_file.ids, A) && eo_map_has(&of_file.ids, B));
	assert_int_equal(of_file.ids.n, 2);
	assert_true(eo_baseline_has_gap(&of_run, &gap));
	assert_true(eo_baseline_has_gap(&of_file, &gap));
	assert_false(eo_baseline_has_gap(&of_file, &other));
	assert_error(eo_db_get_baseline(b->db, "9", &none), EO_ERR_INPUT,
		     b->path, "no run 9");
}

static void baselines_that_are_none(void **state)
{
	static const char *const texts[] = {
		"",
		"{",
		"[]",
		"{\"schema\":\"other/1\",\"findings\":[],"
		"\"coverage\":{\"incomplete\":[]}}",
		"{\"schema\":\"earlyout-scan/1\",\"findings\":7}",
		"{\"schema\":\"earlyout-scan/1\",\"findings\":[]}",
		"pond.c:1: words",
	};
	EO_CLEANUP(eo_baseline_release) struct eo_baseline none = { 0 };
	struct box *b = *state;
	EO_CLEANUP(eo_freep) char *path = eo_path_join(b->dir, "x.json");

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		assert_null(eo_file_write(path, texts[i], strlen(texts[i])));
		assert_error(eo_db_get_baseline(b->db, path, &none),
			     EO_ERR_INPUT, path, "--format json");
	}
	assert_null(eo_file_write(path, "{}\0{}", 5));
	assert_error(eo_db_get_baseline(b->db, path, &none), EO_ERR_INPUT, path,
		     "--format json");
	assert_int_equal(none.ids.n, 0);
}

static void what_counts(void **state)
{
	EO_CLEANUP(eo_standings_release) struct eo_standings s = { 0 };
	const struct eo_mark marks[] = {
		{ .suppressed_by = "comment",
		  .suppressed_at = "lib/a.c:1",
		  .suppressed_reason = "r" },
		{ .known = true },
		{ 0 },
	};
	struct eo_review review = { .status = "confirmed",
				    .who = "who",
				    .made = 5 };
	struct box *b = *state;
	struct made m;

	make(&m, (const char *const[]){ A, B, C, NULL });
	m.run.marks = marks;
	m.run.baseline = "master.json";
	store(b, &m);
	assert_null(eo_db_get_standings(b->db, 0, &s));
	assert_string_equal(s.items[0].suppressed_at, "lib/a.c:1");
	assert_false(eo_standing_counts(&s.items[0]));
	assert_false(eo_standing_counts(&s.items[1]));
	assert_false(eo_standing_is_aside(&s.items[1]));
	assert_true(eo_standing_counts(&s.items[2]));
	for (int i = 0; i < 4; i++) {
		static const char *const words[] = { "confirmed", "wont-fix",
						     "false-positive",
						     "merged" };

		review.status = words[i];
		assert_null(eo_db_put_review(b->db, C, &review));
		eo_standings_release(&s);
		assert_null(eo_db_get_standings(b->db, 0, &s));
		assert_string_equal(s.items[2].review, words[i]);
		assert_int_equal(eo_standing_counts(&s.items[2]),
				 i == 0 || i == 3);
	}
}

static void profiles_rank(void **state)
{
	EO_CLEANUP(eo_findings_release) struct eo_findings out = { 0 };
	EO_CLEANUP(eo_standings_release) struct eo_standings s = { 0 };
	EO_CLEANUP(eo_profile_rows_release) struct eo_profile_rows rows = { 0 };
	const struct eo_share shares[] = { { "show_rack", 0.05, 0.125 },
					   { "shelf_sync", 0.25, -1 } };
	struct eo_stored_profile p = { .root = a_run.root,
				       .name = "p1",
				       .format = "folded",
				       .items = shares,
				       .n = 2 };
	struct box *b = *state;
	struct made m;

	make(&m, (const char *const[]){ A, B, C, NULL });
	m.findings.items[0].call = "other";
	m.findings.items[1].function = "show_rack";
	store(b, &m);
	assert_null(eo_db_put_profile(b->db, &p));
	assert_null(eo_db_get_findings(b->db, 0, &out));
	assert_null(eo_db_get_standings(b->db, 0, &s));
	/* C by what it calls, B by its function although its call is hotter */
	assert_string_equal(s.items[0].id, C);
	assert_true(s.items[0].weight == 0.25);
	assert_string_equal(s.items[1].id, B);
	assert_true(s.items[1].weight == 0.125);
	assert_true(s.items[2].weight < 0);
	for (int i = 0; i < 3; i++)
		assert_string_equal(out.items[i].id, s.items[i].id);
	assert_string_equal(
		out.items[0].hot.items[0],
		"25.0% of the imported profile p1, in shelf_sync()");
	assert_string_equal(out.items[1].hot.items[0],
			    "12.5% of the imported profile p1");
	assert_int_equal(out.items[1].hot.n, 3);
	/* the same name again replaces, and another one wins */
	assert_null(eo_db_put_profile(b->db, &p));
	p.name = "p2";
	p.n = 0;
	assert_null(eo_db_put_profile(b->db, &p));
	assert_null(eo_db_get_profiles(b->db, a_run.root, &rows));
	assert_int_equal(rows.n, 2);
	assert_string_equal(rows.items[0].name, "p2");
	assert_null(eo_db_forget_profile(b->db, a_run.root, "p2"));
	assert_error(eo_db_forget_profile(b->db, a_run.root, "p2"),
		     EO_ERR_INPUT, "p2", "there is: p1");
}

/* The schema as it was released, with three runs in it. */
static void upgrade(void **state)
{
	static const char version_1[] =
#include "db/migrations/0001.sql"
		;
	static const char rows[] =
		"INSERT INTO tree VALUES (1, '/t');"
		"INSERT INTO run VALUES"
		" (1, 1, '6.1', NULL, 'earlyout scan', 'o', NULL, '0.1', 'm',"
		"  1, 1, 9, 1, 1, 0),"
		" (2, 1, '6.1', NULL, 'earlyout scan --only x/b.c --no-smpl',"
		"  'o', NULL, '0.1', 'm', 2, 1, 9, 1, 1, 0),"
		" (3, 1, '6.1', NULL, 'earlyout scan', 'o', NULL, '0.1', 'm',"
		"  3, 1, 9, 1, 1, 0);"
		"INSERT INTO finding VALUES"
		" ('" A "', 'r', 'lib/a.c', 'f', 'c'),"
		" ('" B "', 'r', 'lib/a.c', 'g', 'c');"
		"INSERT INTO occurrence (run, n, finding, line, col,"
		" function_line, function_end, walk_line, message, confidence,"
		" fix, engines) VALUES"
		" (1, 0, '" A "', 1, 1, 1, 1, 1, 'm', 'high', 'auto', 3),"
		" (1, 1, '" B "', 1, 1, 1, 1, 1, 'm', 'high', 'auto', 3),"
		" (3, 0, '" A "', 1, 1, 1, 1, 1, 'm', 'high', 'auto', 3);"
		"INSERT INTO series VALUES (5, 1, 'cover', 1);"
		"INSERT INTO patch VALUES"
		" (5, 0, 1, 1, '" A "', 'lib/a.c', 's', 'b', 'd', 'm');"
		"PRAGMA application_id = 0x454f7574; PRAGMA user_version = 1;";
	struct box *b = *state;
	EO_CLEANUP(eo_freep) char *old = eo_path_join(b->dir, "old.db");
	struct box upgraded = { .dir = b->dir, .path = old };
	sqlite3 *sql;

	assert_int_equal(sqlite3_open(old, &sql), SQLITE_OK);
	assert_int_equal(sqlite3_exec(sql, version_1, 0, 0, 0), SQLITE_OK);
	assert_int_equal(sqlite3_exec(sql, rows, 0, 0, 0), SQLITE_OK);
	sqlite3_close(sql);
	assert_null(eo_db_open(old, NULL, &upgraded.db));
	assert_asked(upgraded.db, "PRAGMA user_version", "11");
	assert_asked(upgraded.db, "PRAGMA integrity_check", "ok");
	assert_asked(upgraded.db,
		     "SELECT group_concat(file) FROM scope_file WHERE run = 2",
		     "x/b.c");
	assert_asked(upgraded.db, "SELECT group_concat(engines) FROM run",
		     "3,1,3");
	assert_asked(upgraded.db,
		     "SELECT cover || version || subject FROM report_series"
		     " JOIN report_patch USING (run, series) WHERE run = 1",
		     "cover1s");
	assert_changes(&upgraded, 1, "1=new 2=new");
	assert_changes(&upgraded, 2, "1=unseen 2=unseen");
	assert_changes(&upgraded, 3, "1=unchanged 2=resolved");
	/* and it goes on from there */
	eo_db_close(upgraded.db);
	assert_null(eo_db_open(old, NULL, &upgraded.db));
	assert_asked(upgraded.db, "SELECT count(*) FROM change", "6");
	eo_db_close(upgraded.db);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(statuses),
		TEST(gaps_keep_findings),
		TEST(wrappers_files_count),
		TEST(limited_runs),
		TEST(trees_are_apart),
		TEST(moved_findings),
		TEST(baselines),
		TEST(baselines_that_are_none),
		TEST(what_counts),
		TEST(profiles_rank),
		TEST(upgrade),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
