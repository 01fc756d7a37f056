// SPDX-License-Identifier: GPL-2.0-only
#include "reports/report.h"

#include <errno.h>

#include "base/err.h"
#include "base/str.h"
#include "db/db.h"
#include "reports/escape.h"

struct eo_error *eo_report_json(struct eo_db *db, int64_t run, FILE *to)
{
	EO_CLEANUP(eo_str_release) struct eo_str raw = { 0 };
	EO_CLEANUP(eo_str_release) struct eo_str out = { 0 };

	eo_try(eo_db_get_json(db, run, &raw));
	/* SQLite quotes all but bytes above 0x7f, which are in strings only. */
	eo_add_utf8(&out, eo_str_get(&raw));
	eo_str_addc(&out, '\n');
	if (fwrite(out.s, 1, out.len, to) != out.len || fflush(to))
		return eo_error_errno(errno, "cannot write the findings");
	return NULL;
}
