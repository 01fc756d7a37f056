/* SPDX-License-Identifier: GPL-2.0-only */
/* The ways a run is shown. All read from the database, or from a finding. */
#ifndef EO_REPORTS_REPORT_H
#define EO_REPORTS_REPORT_H

#include <stdint.h>
#include <stdio.h>

/* EO_FORMAT_NONE: none was asked for. Names as `--format` takes them. */
#define EO_FORMATS(X)               \
	X(NONE, "")                 \
	X(TEXT, "text")             \
	X(JSON, "json")             \
	X(JSONL, "jsonl")           \
	X(SARIF, "sarif")           \
	X(COCCICHECK, "coccicheck") \
	X(MARKDOWN, "markdown")     \
	X(CSV, "csv")

enum eo_format {
#define X(id, name) EO_FORMAT_##id,
	EO_FORMATS(X)
#undef X
};

struct eo_db;
struct eo_error;

/*
 * `file:line:col: rule: message [confidence, fix]`, one line a finding, and
 * one more where the engines disagree; what changed since the run before; then
 * a line that sums up, and the coverage ledger, `file: function: engine: reason: detail`.
 */
struct eo_error *eo_report_text(struct eo_db *db, int64_t run, FILE *to);
/* The same with what is suppressed, ids, reasons, and what was not looked at. */
struct eo_error *eo_report_text_full(struct eo_db *db, int64_t run, FILE *to);
/* The object "earlyout-scan/1" of design.md. */
struct eo_error *eo_report_json(struct eo_db *db, int64_t run, FILE *to);
/* An object a line, each a finding as in that object's "findings". */
struct eo_error *eo_report_jsonl(struct eo_db *db, int64_t run, FILE *to);
/* A SARIF 2.1.0 log. */
struct eo_error *eo_report_sarif(struct eo_db *db, int64_t run, FILE *to);
/*
 * As coccicheck's report mode prints: `file:line:col-col: WARNING: message`,
 * columns from 0, the second behind the callee's name. What is put aside is
 * left out.
 */
struct eo_error *eo_report_coccicheck(struct eo_db *db, int64_t run, FILE *to);
/* For a mail or a pull request; no HTML in it. */
struct eo_error *eo_report_markdown(struct eo_db *db, int64_t run, FILE *to);
/* Any of the above; EO_FORMAT_NONE is text. */
struct eo_error *eo_report_print(struct eo_db *db, int64_t run,
				 enum eo_format format, FILE *to);

/* `review --list --format json`: see eo_db_get_reviews_json(). */
struct eo_error *eo_report_reviews_json(struct eo_db *db, FILE *to);

/*
 * Self-contained pages in @dir (made when not there): index.html and
 * finding-<id>.html. No network, no script needed; everything escaped.
 */
struct eo_error *eo_report_html(struct eo_db *db, int64_t run, const char *dir);
/* The same as one page, to attach: the file @path, whole or as it was. */
struct eo_error *eo_report_html_file(struct eo_db *db, int64_t run,
				     const char *path);

#endif
