/* SPDX-License-Identifier: GPL-2.0-only */
/* A run to make reports of. */
#ifndef EO_TESTS_REPORT_BOX_H
#define EO_TESTS_REPORT_BOX_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/str.h"
#include "db/db.h"
#include "finding/finding.h"
#include "reports/report.h"

#define ID "0123456789abcdef"

/* What a tree may hold to do harm; no part of it may get through. */
#define EVIL "<script>alert(\"1\")</script>' onload='x&amp;"

struct box {
	char *dir;
	struct eo_db *db;
	struct eo_findings findings;
	struct eo_gaps gaps;
	struct eo_run run;
};

static inline int setup(void **state)
{
	static struct box b;
	char *path;

	b = (struct box){ 0 };
	setenv("EARLYOUT_DATA", TESTDIR "/..", 1);
	assert_null(eo_temp_dir(&b.dir));
	path = eo_path_join(b.dir, "x.db");
	assert_null(eo_db_open(path, NULL, &b.db));
	free(path);
	b.run = (struct eo_run){ .root = "/src/linux one",
				 .version = "6.99.1",
				 .command = "earlyout scan",
				 .build_origin = "prepared",
				 .tool_version = "0.1",
				 .model_hash = "0011223344556677",
				 .started = 1790000000,
				 .duration_ms = 65000,
				 .files = 34663,
				 .candidates = 12,
				 .analyzed = 11,
				 .outside = 3 };
	*state = &b;
	return 0;
}

static inline int teardown(void **state)
{
	struct box *b = *state;

	eo_findings_release(&b->findings);
	eo_gaps_release(&b->gaps);
	eo_db_close(b->db);
	eo_error_free(eo_remove_tree(b->dir));
	free(b->dir);
	return 0;
}

static inline struct eo_finding *add(struct box *b)
{
	struct eo_finding *f = eo_findings_add(&b->findings);

	strcpy(f->id, ID);
	f->rule = "flush-before-walk";
	f->file = "lib/shelf.c";
	f->line = 12;
	f->column = 9;
	f->function = "show_shelf";
	f->function_line = 10;
	f->function_end = 15;
	f->call = "shelf_sync";
	f->call_text = "shelf_sync(s)";
	f->guard = "list_empty(&s->books)";
	f->walk = "list_for_each_entry";
	f->walk_line = 13;
	f->result = "0";
	f->message = "shelf_sync() runs before a walk that may be empty";
	f->confidence = EO_HIGH;
	f->fix = EO_FIX_AUTO;
	f->engines = EO_ENGINE_CLANG | EO_ENGINE_SMPL;
	f->source = "static int show_shelf(struct shelf *s)\n"
		    "{\n"
		    "\tshelf_sync(s);\n"
		    "\tlist_for_each_entry(b, &s->books, node)\n"
		    "\t\tshow(b);\n"
		    "}\n";
	eo_finding_add_hot(&b->findings, f, "read often");
	eo_finding_add_obligation(&b->findings, f, "independent",
				  EO_PROOF_PROVED, "reads no such thing");
	eo_finding_add_step(&b->findings, f, "call", 12, 9, "the work");
	eo_finding_add_step(&b->findings, f, "walk", 13, 9, "no turn");
	return f;
}

static inline void add_gap(struct box *b)
{
	const struct eo_gap gap = { "lib/a.c", "f", EO_ENGINE_CLANG,
				    EO_GAP_TIMEOUT, "took too long" };
	const struct eo_gap all = { "", NULL, EO_ENGINE_SMPL,
				    EO_GAP_TOOL_MISSING, NULL };

	eo_gaps_add(&b->gaps, &gap);
	eo_gaps_add(&b->gaps, &all);
}

static inline void put(struct box *b)
{
	assert_null(eo_db_put_run(b->db, &b->run, &b->findings, &b->gaps));
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

#endif
