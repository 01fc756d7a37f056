/* SPDX-License-Identifier: GPL-2.0-only */
/* A folder with a database in it, and things to put into it. */
#ifndef EO_TESTS_DB_BOX_H
#define EO_TESTS_DB_BOX_H

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
#include "db/db.h"
#include "db/sql.h"
#include "finding/finding.h"

struct box {
	char *dir; /* holds all that a test writes */
	char *path; /* of the database */
	struct eo_db *db;
};

static inline int setup(void **state)
{
	static struct box b;

	assert_null(eo_temp_dir(&b.dir));
	/* Folders are made; a name may hold anything. */
	b.path = eo_path_join(b.dir, "new folder/it's \"a\"\ndatabase.db");
	assert_null(eo_db_open(b.path, NULL, &b.db));
	*state = &b;
	return 0;
}

static inline int teardown(void **state)
{
	struct box *b = *state;

	eo_db_close(b->db);
	b->db = NULL;
	eo_error_free(eo_remove_tree(b->dir));
	free(b->path);
	free(b->dir);
	return 0;
}

static inline void reopen(struct box *b)
{
	eo_db_close(b->db);
	b->db = NULL;
	assert_null(eo_db_open(b->path, NULL, &b->db));
}

/* Fails unless @err is of @kind and its message has @what and the path. */
static inline void assert_error(struct eo_error *err, enum eo_error_kind kind,
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
static inline char *ask(struct eo_db *db, const char *sql)
{
	sqlite3_stmt *stmt;
	char *out;

	assert_int_equal(sqlite3_prepare_v2(db->sql, sql, -1, &stmt, NULL), 0);
	assert_int_equal(sqlite3_step(stmt), SQLITE_ROW);
	out = eo_strdup((const char *)sqlite3_column_text(stmt, 0));
	sqlite3_finalize(stmt);
	return out;
}

static inline void assert_asked(struct eo_db *db, const char *sql,
				const char *want)
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

static inline struct eo_finding *add(struct eo_findings *list, const char *id)
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

static inline struct eo_finding *add_full(struct eo_findings *list,
					  const char *id)
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

static inline int64_t put(struct eo_db *db, const struct eo_findings *findings)
{
	const struct eo_gaps none = { 0 };
	struct eo_run run = a_run;

	assert_null(eo_db_put_run(db, &run, findings, &none));
	assert_true(run.id > 0);
	return run.id;
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

#endif
