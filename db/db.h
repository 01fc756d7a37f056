/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The database: runs, findings, the coverage ledger, patches, in one SQLite
 * file a tree. Everything that is shown later is read from here.
 *
 * WAL, foreign keys on, STRICT tables; PRAGMA user_version counts the
 * migrations, which run by themselves when an older file is opened. A run is
 * written in one transaction as it ends: Ctrl-C or a full disk leaves the
 * database as it was before.
 */
#ifndef EO_DB_DB_H
#define EO_DB_DB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "db/series.h"

struct eo_arena;
struct eo_db;
struct eo_error;
struct eo_findings;
struct eo_gaps;
struct eo_str;

/* What is said of a finding beside the analysis; all may be NULL. */
struct eo_mark {
	const char *origin; /* the id it had before its file was renamed */
	const char *suppressed_by; /* "comment" or "ignore-file" */
	const char *suppressed_at; /* FILE:LINE */
	const char *suppressed_reason;
	const char *suppressed_date; /* "2026-11-30" */
	bool known; /* in the baseline, if the run has one */
};

/* One scan of one tree. Strings belong to whoever filled it in. */
struct eo_run {
	int64_t id; /* given by eo_db_put_run() */
	const char *root; /* of the tree */
	const char *version; /* "6.12.117" */
	const char *revision; /* or NULL */
	const char *command; /* how we were called, arguments quoted */
	const char *build_origin; /* where the flags came from */
	const char *config_hash; /* of the .config, 16 digits, or NULL */
	const char *tool_version;
	const char *model_hash; /* 16 digits */
	int64_t started; /* seconds since the epoch, UTC */
	int64_t duration_ms;
	size_t files, candidates, analyzed, outside; /* coverage */
	unsigned engines; /* that looked; 0 is both */
	const char *scope; /* "--changed A..B"; NULL: the whole tree */
	size_t left_out; /* candidates that were not in the scope */
	const char *baseline; /* what --baseline named, or NULL */
	/* Read by eo_db_put_run() only: */
	const char *const *scope_files; /* what a limited run looked at */
	size_t n_scope_files;
	const struct eo_mark *marks; /* NULL, or one a finding */
	/* Filled in by eo_db_get_run() only: */
	int64_t compared_to; /* an earlier run; 0: this is the first */
	const char *profile; /* the one that ranks, or NULL */
};

/*
 * Opens @path (made, with its folders, when not there), or the tree's own
 * file when @path is NULL: $XDG_STATE_HOME/earlyout/tree-@key.db. A file
 * that is no database, is corrupt, or comes from a newer earlyout is an
 * EO_ERR_INPUT that says what to do; nothing of it is changed.
 */
struct eo_error *eo_db_open(const char *path, const char *key,
			    struct eo_db **out);
void eo_db_close(struct eo_db *db);
/* Differs when another process, or connection, has written since. */
struct eo_error *eo_db_get_data_version(struct eo_db *db, int64_t *out);
const char *eo_db_path(const struct eo_db *db);

/* Stores a run and all it found, in one transaction; sets run->id. */
struct eo_error *eo_db_put_run(struct eo_db *db, struct eo_run *run,
			       const struct eo_findings *findings,
			       const struct eo_gaps *gaps);

/*
 * Readers; strings live in @arena (or in the list's own). @run 0 is the last
 * one. No run at all is an EO_ERR_INPUT that says to scan first.
 */
struct eo_error *eo_db_get_run(struct eo_db *db, int64_t run,
			       struct eo_arena *arena, struct eo_run *out);
struct eo_error *eo_db_get_findings(struct eo_db *db, int64_t run,
				    struct eo_findings *out);
struct eo_error *eo_db_get_gaps(struct eo_db *db, int64_t run,
				struct eo_gaps *out);
/*
 * The run as the object "earlyout-scan/1", made by SQLite from the views and
 * appended to @out. Text that is no UTF-8 in the tree is none here either.
 */
struct eo_error *eo_db_get_json(struct eo_db *db, int64_t run,
				struct eo_str *out);

/* The objects of its "findings", one a line. */
struct eo_error *eo_db_get_jsonl(struct eo_db *db, int64_t run,
				 struct eo_str *out);

#endif
