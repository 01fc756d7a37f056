// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/str.h"
#include "db/db.h"
#include "db/sql.h"
#include "finding/finding.h"

struct box {
	char *dir; /* holds all that a test writes */
	char *path; /* of the database */
	struct eo_db *db;
};

static int setup(void **state)
{
	static struct box b;

	assert_null(eo_temp_dir(&b.dir));
	/* Folders are made; a name may hold anything. */
	b.path = eo_path_join(b.dir, "new folder/it's \"a\"\ndatabase.db");
	assert_null(eo_db_open(b.path, NULL, &b.db));
	*state = &b;
	return 0;
}

static int teardown(void **state)
{
	struct box *b = *state;

	eo_db_close(b->db);
	b->db = NULL;
	eo_error_free(eo_remove_tree(b->dir));
	free(b->path);
	free(b->dir);
	return 0;
}

static void reopen(struct box *b)
{
	eo_db_close(b->db);
	b->db = NULL;
	assert_null(eo_db_open(b->path, NULL, &b->db));
}

/* Fails unless @err is of @kind and its message has @what and the path. */
static void assert_error(struct eo_error *err, enum eo_error_kind kind,
			 const char *path, const char *what)
{
	assert_non_null(err);
	if (eo_error_kind(err) != kind ||
	    !strstr(eo_error_message(err), path) ||
	    !strstr(eo_error_message(err), what))
		fail_msg("kind %d, not %d: %s", eo_error_kind(err), kind,
			 eo_error_message(err));
	eo_error_free(err);
}

/* What a statement gives, the first column of the first row. */
static char *ask(struct eo_db *db, const char *sql)
{
	sqlite3_stmt *stmt;
	char *out;

	assert_int_equal(sqlite3_prepare_v2(db->sql, sql, -1, &stmt, NULL), 0);
	assert_int_equal(sqlite3_step(stmt), SQLITE_ROW);
	out = eo_strdup((const char *)sqlite3_column_text(stmt, 0));
	sqlite3_finalize(stmt);
	return out;
}

static void assert_asked(struct eo_db *db, const char *sql, const char *want)
{
	EO_CLEANUP(eo_freep) char *got = ask(db, sql);

	assert_string_equal(got, want);
}

static const struct eo_run a_run = {
	.root = "/trees/one 'two'",
	.version = "6.99.1",
	.revision = "0123456789012345678901234567890123456789",
	.command = "earlyout scan --tree '/trees/one two'",
	.build_origin = "prepared",
	.config_hash = "fedcba9876543210",
	.tool_version = "0.1",
	.model_hash = "0011223344556677",
	.started = 1790000000,
	.duration_ms = 61234,
	.files = 34663,
	.candidates = 12,
	.analyzed = 11,
	.outside = 3,
};

static struct eo_finding *add(struct eo_findings *list, const char *id)
{
	struct eo_finding *f = eo_findings_add(list);

	strcpy(f->id, id);
	f->rule = "flush-before-walk";
	f->file = "lib/shelf.c";
	f->line = 12;
	f->column = 3;
	f->function = "show_shelf";
	f->call = "shelf_sync";
	f->message = "words";
	f->engines = EO_ENGINE_SMPL;
	return f;
}

static struct eo_finding *add_full(struct eo_findings *list, const char *id)
{
	struct eo_finding *f = add(list, id);

	f->function_line = 7;
	f->function_end = 21;
	f->call_text = "shelf_sync(&s->books)";
	f->ends_in = "sync_all";
	f->guard = "list_empty(&s->books)";
	f->head = "&s->books";
	f->walk_line = 15;
	f->walk = "list_for_each_entry";
	f->result = "";
	f->confidence = EO_HIGH;
	f->fix = EO_FIX_AUTO;
	f->engines = EO_ENGINE_CLANG | EO_ENGINE_SMPL;
	f->dissent = "smpl would test x instead";
	f->source = "void show_shelf(void)\n{ /* caf\xe9 */\n}\n";
	eo_finding_add_hot(list, f, "read often");
	eo_finding_add_hot(list, f, "read by many");
	eo_finding_add_obligation(list, f, "independent", EO_PROOF_PROVED,
				  "reads nothing that is written");
	eo_finding_add_obligation(list, f, "effects", EO_PROOF_FAILED, NULL);
	eo_finding_add_step(list, f, "call", 12, 3, "the work");
	eo_finding_add_step(list, f, "walk", 15, 2, "nothing to walk");
	return f;
}

static int64_t put(struct eo_db *db, const struct eo_findings *findings)
{
	const struct eo_gaps none = { 0 };
	struct eo_run run = a_run;

	assert_null(eo_db_put_run(db, &run, findings, &none));
	assert_true(run.id > 0);
	return run.id;
}

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
		{ "1111111111111111", "lib/a.c", "lib: a", "body", "diff",
		  "mail", 1, 2 },
		{ "1111111111111111", "lib/b.c", "lib: b", NULL, NULL, NULL, 2,
		  2 },
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
	assert_asked(b->db, "PRAGMA user_version", "1");
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

/* Opens what is at @path; it must fail so and leave the bytes as they are. */
static void assert_refused(const char *path, enum eo_error_kind kind,
			   const char *what)
{
	struct eo_str before = { 0 }, after = { 0 };
	struct eo_db *db = NULL;

	assert_null(eo_file_read(path, &before));
	assert_error(eo_db_open(path, NULL, &db), kind, path, what);
	assert_null(db);
	assert_null(eo_file_read(path, &after));
	assert_int_equal(after.len, before.len);
	assert_memory_equal(after.s, before.s, before.len);
	eo_str_release(&before);
	eo_str_release(&after);
}

static void no_database(void **state)
{
	struct box *b = *state;
	EO_CLEANUP(eo_freep) char *path = eo_path_join(b->dir, "notes.txt");
	char text[4096];

	assert_null(eo_file_write(path, "buy milk\n", 9));
	assert_refused(path, EO_ERR_INPUT, "not a database");
	memset(text, 'x', sizeof(text));
	assert_null(eo_file_write(path, text, sizeof(text)));
	assert_refused(path, EO_ERR_INPUT, "not a database");
}

static void database_of_others(void **state)
{
	struct box *b = *state;
	EO_CLEANUP(eo_freep) char *path = eo_path_join(b->dir, "other.db");
	sqlite3 *sql;

	assert_int_equal(sqlite3_open(path, &sql), SQLITE_OK);
	assert_int_equal(sqlite3_exec(sql, "CREATE TABLE songs (name)", NULL,
				      NULL, NULL),
			 SQLITE_OK);
	sqlite3_close(sql);
	assert_refused(path, EO_ERR_INPUT, "another program");
}

static void from_a_newer_earlyout(void **state)
{
	struct box *b = *state;

	assert_null(eo_sql_exec(b->db, "PRAGMA user_version = 99"));
	eo_db_close(b->db);
	b->db = NULL;
	assert_refused(b->path, EO_ERR_INPUT, "newer earlyout");
}

static void damaged(void **state)
{
	EO_CLEANUP(eo_str_release) struct eo_str bytes = { 0 };
	struct eo_findings in = { 0 };
	struct box *b = *state;

	for (int i = 0; i < 200; i++) {
		char id[17];

		snprintf(id, sizeof(id), "%016x", i);
		add_full(&in, id);
	}
	put(b->db, &in);
	eo_db_close(b->db); /* the log goes into the file */
	b->db = NULL;
	assert_null(eo_file_read(b->path, &bytes));
	assert_true(bytes.len > 20 * 4096);
	/* Every page but the first is garbage. */
	memset(bytes.s + 4096, 0xa5, bytes.len - 4096);
	assert_null(eo_file_write(b->path, bytes.s, bytes.len));
	assert_refused(b->path, EO_ERR_INPUT, "damaged");
	/* Cut off half-way. */
	assert_null(eo_file_write(b->path, bytes.s, 4096 + 100));
	assert_refused(b->path, EO_ERR_INPUT, "damaged");
	eo_findings_release(&in);
}

static void places_that_cannot_be_written(void **state)
{
	struct box *b = *state;
	EO_CLEANUP(eo_freep) char *below = eo_path_join(b->path, "x.db");
	EO_CLEANUP(eo_freep) char *locked = eo_path_join(b->dir, "locked");
	EO_CLEANUP(eo_freep) char *inside = eo_path_join(locked, "x.db");
	struct eo_db *db = NULL;

	assert_error(eo_db_open(b->dir, NULL, &db), EO_ERR_ENV, b->dir,
		     "--db"); /* a folder */
	assert_error(eo_db_open(below, NULL, &db), EO_ERR_ENV, b->path, "");
	assert_error(eo_db_open("/proc/no.db", NULL, &db), EO_ERR_ENV,
		     "/proc/no.db", "--db");
	assert_error(eo_db_open("", NULL, &db), EO_ERR_USAGE, "", "--db");
	assert_error(eo_db_open(NULL, NULL, &db), EO_ERR_USAGE, "", "--db");
	if (geteuid() == 0)
		return; /* root may write anywhere */
	assert_null(eo_mkdirs(locked));
	assert_int_equal(chmod(locked, 0555), 0);
	assert_error(eo_db_open(inside, NULL, &db), EO_ERR_ENV, inside,
		     "folder");
	assert_int_equal(chmod(locked, 0755), 0);
}

static void default_place(void **state)
{
	struct box *b = *state;
	EO_CLEANUP(eo_freep)
	char *want = eo_path_join(b->dir, "earlyout/tree-00aa00aa00aa00aa.db");
	struct eo_db *db;

	setenv("XDG_STATE_HOME", b->dir, 1);
	assert_null(eo_db_open(NULL, "00aa00aa00aa00aa", &db));
	assert_string_equal(eo_db_path(db), want);
	assert_true(eo_is_file(want));
	eo_db_close(db);
	unsetenv("XDG_STATE_HOME");
}

static void in_use_by_another(void **state)
{
	const struct eo_findings none = { 0 };
	const struct eo_gaps no_gaps = { 0 };
	struct eo_run run = a_run;
	struct box *b = *state;
	struct eo_db *other;

	assert_null(eo_db_open(b->path, NULL, &other));
	assert_null(eo_sql_exec(other, "BEGIN IMMEDIATE"));
	sqlite3_busy_timeout(b->db->sql, 20);
	assert_error(eo_db_put_run(b->db, &run, &none, &no_gaps), EO_ERR_ENV,
		     b->path, "in use");
	assert_int_equal(run.id, 0);
	assert_null(eo_sql_exec(other, "ROLLBACK"));
	assert_null(eo_db_put_run(b->db, &run, &none, &no_gaps));
	eo_db_close(other);
}

/* Enough that it cannot fit in what the tests leave of room. */
static void add_many(struct eo_findings *list)
{
	for (unsigned i = 0; i < 3000; i++) {
		char id[17];

		snprintf(id, sizeof(id), "f%015x", i);
		add_full(list, id);
	}
}

/* The old run is there, of the new one nothing, and the file is whole. */
static void assert_as_before(struct box *b)
{
	assert_asked(b->db, "SELECT count(*) FROM run", "1");
	assert_asked(b->db, "SELECT count(*) FROM finding", "1");
	assert_asked(b->db, "SELECT count(*) FROM occurrence", "1");
	reopen(b);
	assert_asked(b->db, "PRAGMA integrity_check", "ok");
	assert_asked(b->db, "SELECT count(*) FROM report_finding", "1");
}

static void no_room_in_the_database(void **state)
{
	struct eo_findings one = { 0 }, many = { 0 };
	const struct eo_gaps none = { 0 };
	struct eo_run run = a_run;
	struct box *b = *state;

	add(&one, "1111111111111111");
	put(b->db, &one);
	add_many(&many);
	/* A pragma gives a row, which is no error. */
	assert_null(eo_sql_exec(b->db, "PRAGMA max_page_count = 60"));
	assert_error(eo_db_put_run(b->db, &run, &many, &none), EO_ERR_ENV,
		     b->path, "no room");
	assert_int_equal(run.id, 0);
	assert_as_before(b);
	put(b->db, &many); /* and goes on when there is room */
	eo_findings_release(&one);
	eo_findings_release(&many);
}

/* In a child: a file may not grow past @limit, as on a disk that is full. */
static int put_with_limit(const char *path, const struct eo_findings *many,
			  rlim_t limit)
{
	const struct rlimit r = { limit, limit };
	const struct eo_gaps none = { 0 };
	struct eo_run run = a_run;
	struct eo_error *err;
	struct eo_db *db;
	int ok;

	signal(SIGXFSZ, SIG_IGN);
	if (setrlimit(RLIMIT_FSIZE, &r))
		return 2;
	err = eo_db_open(path, NULL, &db);
	if (err)
		return 3;
	err = eo_db_put_run(db, &run, many, &none);
	if (!err)
		return 4;
	ok = eo_error_kind(err) == EO_ERR_ENV &&
	     strstr(eo_error_message(err), path) &&
	     strstr(eo_error_message(err), "--db");
	if (!ok)
		fprintf(stderr, "%s\n", eo_error_message(err));
	eo_error_free(err);
	eo_db_close(db);
	return !ok;
}

static void no_room_on_the_disk(void **state)
{
	struct eo_findings one = { 0 }, many = { 0 };
	struct box *b = *state;

	add(&one, "1111111111111111");
	put(b->db, &one);
	add_many(&many);
	/* From a limit that stops it at once to one that stops it late. */
	for (rlim_t limit = 256 << 10; limit <= 1024 << 10; limit *= 2) {
		int status;
		pid_t pid;

		reopen(b);
		eo_db_close(b->db);
		b->db = NULL;
		pid = fork();
		if (!pid)
			_exit(put_with_limit(b->path, &many, limit));
		assert_int_equal(waitpid(pid, &status, 0), pid);
		assert_int_equal(status, 0);
		reopen(b);
		assert_as_before(b);
	}
	eo_findings_release(&one);
	eo_findings_release(&many);
}

/* A process killed in the middle of a transaction leaves the old state. */
static void killed_half_way(void **state)
{
	struct eo_findings one = { 0 };
	struct box *b = *state;
	int status;
	pid_t pid;

	add(&one, "1111111111111111");
	put(b->db, &one);
	pid = fork();
	if (!pid) {
		struct eo_db *db;

		if (eo_db_open(b->path, NULL, &db) ||
		    eo_sql_exec(db, "PRAGMA cache_size = 1;"
				    "BEGIN IMMEDIATE; DELETE FROM run"))
			_exit(1);
		raise(SIGKILL);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status));
	reopen(b);
	assert_as_before(b);
	eo_findings_release(&one);
}

/* Several at once make one schema, and each stores its run. */
static void opened_by_many_at_once(void **state)
{
	const struct eo_findings none = { 0 };
	struct box *b = *state;
	EO_CLEANUP(eo_freep) char *path = eo_path_join(b->dir, "many.db");
	const int n = 8;
	struct eo_db *db;
	int status;

	for (int i = 0; i < n; i++) {
		if (fork())
			continue;
		if (eo_db_open(path, NULL, &db))
			_exit(1);
		put(db, &none);
		eo_db_close(db);
		_exit(0);
	}
	for (int i = 0; i < n; i++) {
		assert_true(wait(&status) > 0);
		assert_int_equal(status, 0);
	}
	assert_null(eo_db_open(path, NULL, &db));
	assert_asked(db, "SELECT count(*) FROM run", "8");
	eo_db_close(db);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

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
		TEST(no_database),
		TEST(database_of_others),
		TEST(from_a_newer_earlyout),
		TEST(damaged),
		TEST(places_that_cannot_be_written),
		TEST(default_place),
		TEST(in_use_by_another),
		TEST(no_room_in_the_database),
		TEST(no_room_on_the_disk),
		TEST(killed_half_way),
		TEST(opened_by_many_at_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
