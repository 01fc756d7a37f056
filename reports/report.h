/* SPDX-License-Identifier: GPL-2.0-only */
/* The ways a run is shown. All read from the database, or from a finding. */
#ifndef EO_REPORTS_REPORT_H
#define EO_REPORTS_REPORT_H

#include <stdint.h>
#include <stdio.h>

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
/*
 * Self-contained pages in @dir (made when not there): index.html and
 * finding-<id>.html. No network, no script needed; everything escaped.
 */
struct eo_error *eo_report_html(struct eo_db *db, int64_t run, const char *dir);

#endif
