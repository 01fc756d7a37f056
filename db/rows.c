// SPDX-License-Identifier: GPL-2.0-only
#include "db/rows.h"

#include <stdlib.h>

#include "base/err.h"
#include "base/str.h"
#include "db/sql.h"

#define USE(use) EO_CLEANUP(eo_sql_end) struct eo_sql_use use = { 0 }

static double share(struct eo_sql_use *use)
{
	return eo_sql_is_null(use) ? eo_sql_real(use) - 1 : eo_sql_real(use);
}

static void read_row(struct eo_sql_use *use, struct eo_arena *a,
		     struct eo_row *r)
{
	r->id = eo_sql_text(use, a);
	r->rule = eo_sql_text(use, a);
	r->file = eo_sql_text(use, a);
	r->function = eo_sql_text(use, a);
	r->call = eo_sql_text(use, a);
	r->guard = eo_sql_text(use, a);
	r->message = eo_sql_text(use, a);
	r->line = eo_sql_unsigned(use);
	r->column = eo_sql_unsigned(use);
	r->engines = eo_sql_unsigned(use);
	/* Words that the schema checks. */
	eo_confidence_parse(eo_sql_text(use, a), &r->confidence);
	eo_fix_parse(eo_sql_text(use, a), &r->fix);
	r->status = eo_sql_text(use, a);
	r->suppressed = eo_sql_int(use) == 1;
	r->known = eo_sql_int(use) == 1;
	r->review = eo_sql_text(use, a);
	r->note = eo_sql_text(use, a);
	r->who = eo_sql_text(use, a);
	r->version = eo_sql_int(use);
	r->weight = share(use);
	r->gain = share(use);
}

struct eo_error *eo_db_get_rows(struct eo_db *db, int64_t run,
				struct eo_rows *out)
{
	bool more;
	USE(use);

	eo_try(eo_sql_begin(db, EO_SQL_GET_ROWS, &use));
	eo_sql_bind_int(&use, run);
	for (;;) {
		eo_try(eo_sql_step(&use, &more));
		if (!more)
			return NULL;
		read_row(&use, &out->arena, eo_vec_push(out));
	}
}

void eo_rows_release(struct eo_rows *rows)
{
	free(rows->items);
	eo_arena_release(&rows->arena);
	*rows = (struct eo_rows){ 0 };
}

bool eo_row_is_aside(const struct eo_row *r)
{
	return r->suppressed || eo_streq(r->review, "false-positive") ||
	       eo_streq(r->review, "wont-fix");
}
