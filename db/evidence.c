// SPDX-License-Identifier: GPL-2.0-only
#include "db/evidence.h"

#include <stdlib.h>

#include "base/err.h"
#include "db/sql.h"

static void read_row(struct eo_sql_use *use, struct eo_arena *a,
		     struct eo_evidence *e)
{
	e->workload = eo_sql_text(use, a);
	e->downside = eo_sql_int(use) != 0;
	e->metric = eo_sql_text(use, a);
	e->unit = eo_sql_text(use, a);
	e->n = eo_sql_unsigned(use);
	e->before = eo_sql_real(use);
	e->after = eo_sql_real(use);
	e->change = eo_sql_real(use);
	e->low = eo_sql_real(use);
	e->high = eo_sql_real(use);
	e->machine = eo_sql_text(use, a);
	e->kernel = eo_sql_text(use, a);
	e->config = eo_sql_text(use, a);
	e->distorting = eo_sql_text(use, a);
	e->verdict = eo_sql_text(use, a);
	e->common = eo_sql_text(use, a);
}

struct eo_error *eo_db_get_evidence(struct eo_db *db, const char *id,
				    const char *diff, struct eo_evidences *out)
{
	EO_CLEANUP(eo_sql_end) struct eo_sql_use use = { 0 };
	bool more;

	eo_try(eo_sql_begin(db, EO_SQL_GET_EVIDENCE, &use));
	eo_sql_bind_text(&use, id);
	eo_sql_bind_text(&use, diff);
	for (;;) {
		eo_try(eo_sql_step(&use, &more));
		if (!more)
			return NULL;
		read_row(&use, &out->arena, eo_vec_push(out));
	}
}

void eo_evidences_release(struct eo_evidences *list)
{
	free(list->items);
	eo_arena_release(&list->arena);
	*list = (struct eo_evidences){ 0 };
}
