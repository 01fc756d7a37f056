// SPDX-License-Identifier: GPL-2.0-only
#include "db/history.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/file.h"
#include "base/str.h"
#include "db/db.h"
#include "db/sql.h"
#include "finding/finding.h"

#define USE(use) EO_CLEANUP(eo_sql_end) struct eo_sql_use use = { 0 }

/* The same gap, wherever its words have gone: the detail may differ. */
static char *gap_key(const char *file, const char *function, const char *engine,
		     const char *reason)
{
	return eo_asprintf("%s\n%s\n%s\n%s", file ? file : "",
			   function ? function : "", engine ? engine : "",
			   reason ? reason : "");
}

/* Rows of an id, and its origin if that is known. */
static struct eo_error *read_ids(struct eo_sql_use *use,
				 struct eo_baseline *out)
{
	bool more;

	for (;;) {
		EO_CLEANUP(eo_arena_release) struct eo_arena a = { 0 };
		const char *id, *origin;

		eo_try(eo_sql_step(use, &more));
		if (!more)
			return NULL;
		id = eo_sql_text(use, &a);
		origin = eo_sql_text(use, &a);
		if (id)
			eo_set_add(&out->ids, id);
		if (origin)
			eo_set_add(&out->ids, origin);
	}
}

static struct eo_error *read_gaps(struct eo_sql_use *use,
				  struct eo_baseline *out)
{
	bool more;

	for (;;) {
		EO_CLEANUP(eo_arena_release) struct eo_arena a = { 0 };
		EO_CLEANUP(eo_freep) char *key = NULL;
		const char *file, *function, *engine;

		eo_try(eo_sql_step(use, &more));
		if (!more)
			return NULL;
		file = eo_sql_text(use, &a);
		function = eo_sql_text(use, &a);
		engine = eo_sql_text(use, &a);
		key = gap_key(file, function, engine, eo_sql_text(use, &a));
		eo_set_add(&out->gaps, key);
	}
}

static struct eo_error *from_run(struct eo_db *db, const char *what,
				 struct eo_baseline *out)
{
	EO_CLEANUP(eo_arena_release) struct eo_arena a = { 0 };
	int64_t id = strtoll(what, NULL, 10);
	struct eo_run run;
	USE(ids);
	USE(gaps);

	if (id < 1)
		return eo_error_new(EO_ERR_USAGE,
				    "--baseline: runs are numbered from 1");
	eo_try(eo_db_get_run(db, id, &a, &run));
	eo_try(eo_sql_begin(db, EO_SQL_GET_BASELINE_IDS, &ids));
	eo_sql_bind_int(&ids, id);
	eo_try(read_ids(&ids, out));
	eo_try(eo_sql_begin(db, EO_SQL_GET_BASELINE_GAPS, &gaps));
	eo_sql_bind_int(&gaps, id);
	return read_gaps(&gaps, out);
}

static struct eo_error *check_scan(struct eo_db *db, const char *path,
				   const struct eo_str *text)
{
	bool more;
	USE(use);

	if (!text->len || memchr(text->s, '\0', text->len))
		goto bad;
	eo_try(eo_sql_begin(db, EO_SQL_GET_IS_SCAN, &use));
	eo_sql_bind_text(&use, text->s);
	eo_try(eo_sql_step(&use, &more));
	if (eo_sql_int(&use) == 1)
		return NULL;
bad:
	return eo_error_new(
		EO_ERR_INPUT,
		"%s: not what `earlyout scan --format json` writes; give --baseline such a file, or the number of a run",
		path);
}

static struct eo_error *from_file(struct eo_db *db, const char *path,
				  struct eo_baseline *out)
{
	EO_CLEANUP(eo_str_release) struct eo_str text = { 0 };
	USE(ids);
	USE(gaps);

	eo_try(eo_file_read(path, &text));
	eo_try(check_scan(db, path, &text));
	eo_try(eo_sql_begin(db, EO_SQL_GET_FILE_IDS, &ids));
	eo_sql_bind_text(&ids, text.s);
	eo_try(read_ids(&ids, out));
	eo_try(eo_sql_begin(db, EO_SQL_GET_FILE_GAPS, &gaps));
	eo_sql_bind_text(&gaps, text.s);
	return read_gaps(&gaps, out);
}

struct eo_error *eo_db_get_baseline(struct eo_db *db, const char *what,
				    struct eo_baseline *out)
{
	size_t digits = strspn(what, "0123456789");

	if (digits && !what[digits])
		return from_run(db, what, out);
	return from_file(db, what, out);
}

void eo_baseline_release(struct eo_baseline *b)
{
	eo_map_release(&b->ids);
	eo_map_release(&b->gaps);
}

bool eo_baseline_has_gap(const struct eo_baseline *b, const struct eo_gap *g)
{
	EO_CLEANUP(eo_freep)
	char *key = gap_key(g->file, g->function,
			    eo_engine_name((enum eo_engine)g->engine),
			    eo_gap_reason_name(g->reason));

	return eo_map_has(&b->gaps, key);
}
