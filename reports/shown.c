// SPDX-License-Identifier: GPL-2.0-only
#include "reports/shown.h"

#include <errno.h>

#include "base/err.h"
#include "base/str.h"

struct eo_error *eo_shown_load(struct eo_db *db, int64_t run,
			       struct eo_shown *s)
{
	eo_try(eo_db_get_run(db, run, &s->arena, &s->run));
	eo_try(eo_db_get_findings(db, s->run.id, &s->findings));
	eo_try(eo_db_get_standings(db, s->run.id, &s->standings));
	/* Both are of one run, which does not change once it is stored. */
	if (s->standings.n != s->findings.n)
		return eo_error_new(EO_ERR_INTERNAL,
				    "run %lld: %zu findings, %zu standings",
				    (long long)s->run.id, s->findings.n,
				    s->standings.n);
	eo_try(eo_db_get_gaps(db, s->run.id, &s->gaps));
	return eo_db_get_series(db, s->run.id, &s->arena, &s->series);
}

void eo_shown_release(struct eo_shown *s)
{
	eo_findings_release(&s->findings);
	eo_standings_release(&s->standings);
	eo_gaps_release(&s->gaps);
	eo_arena_release(&s->arena);
}

const struct eo_patch *eo_shown_patch(const struct eo_shown *s, const char *id)
{
	const struct eo_patch *p;

	eo_vec_for_each(p, &s->series) {
		if (eo_streq(p->finding, id))
			return p;
	}
	return NULL;
}

size_t eo_shown_count(const struct eo_shown *s, const char *status)
{
	const struct eo_standing *it;
	const struct eo_absent *a;
	size_t n = 0;

	eo_vec_for_each(it, &s->standings)
		n += eo_streq(it->status, status);
	eo_vec_for_each(a, &s->standings.absent)
		n += eo_streq(a->status, status);
	return n;
}

struct eo_error *eo_write_findings(const struct eo_str *s, FILE *to)
{
	if (fwrite(eo_str_get(s), 1, s->len, to) != s->len || fflush(to))
		return eo_error_errno(errno, "cannot write the findings");
	return NULL;
}
