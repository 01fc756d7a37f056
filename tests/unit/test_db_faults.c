// SPDX-License-Identifier: GPL-2.0-only
/* The store when things go wrong: bad files, no room, others, being killed. */
#include "db_box.h"

#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

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

int main(void)
{
	const struct CMUnitTest tests[] = {
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
