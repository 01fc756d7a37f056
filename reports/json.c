// SPDX-License-Identifier: GPL-2.0-only
#include "reports/report.h"

#include "base/err.h"
#include "base/str.h"
#include "db/db.h"
#include "db/history.h"
#include "reports/escape.h"
#include "reports/shown.h"

/* SQLite quotes all but bytes above 0x7f, which are in strings only. */
static struct eo_error *write_utf8(const struct eo_str *raw, const char *end,
				   FILE *to)
{
	EO_CLEANUP(eo_str_release) struct eo_str out = { 0 };

	eo_add_utf8(&out, eo_str_get(raw));
	eo_str_add(&out, end);
	return eo_write_findings(&out, to);
}

struct eo_error *eo_report_json(struct eo_db *db, int64_t run, FILE *to)
{
	EO_CLEANUP(eo_str_release) struct eo_str raw = { 0 };

	eo_try(eo_db_get_json(db, run, &raw));
	return write_utf8(&raw, "\n", to);
}

struct eo_error *eo_report_jsonl(struct eo_db *db, int64_t run, FILE *to)
{
	EO_CLEANUP(eo_str_release) struct eo_str raw = { 0 };

	eo_try(eo_db_get_jsonl(db, run, &raw));
	return write_utf8(&raw, "", to);
}

struct eo_error *eo_report_reviews_json(struct eo_db *db, FILE *to)
{
	EO_CLEANUP(eo_str_release) struct eo_str raw = { 0 };

	eo_try(eo_db_get_reviews_json(db, &raw));
	return write_utf8(&raw, "\n", to);
}
