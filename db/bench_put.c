// SPDX-License-Identifier: GPL-2.0-only
#include "base/err.h"
#include "db/bench.h"
#include "db/sql.h"

#define USE(use) EO_CLEANUP(eo_sql_end) struct eo_sql_use use = { 0 }

static struct eo_error *put_head(struct eo_db *db, const struct eo_bench *b)
{
	int64_t tree;
	USE(use);

	eo_try(eo_sql_put_tree(db, b->root, &tree));
	eo_try(eo_sql_begin(db, EO_SQL_PUT_BENCH, &use));
	eo_sql_bind_int(&use, tree);
	eo_sql_bind_text(&use, b->workload);
	eo_sql_bind_text(&use, b->params);
	eo_sql_bind_text(&use, b->stands_for);
	eo_sql_bind_text(&use, b->runner);
	eo_sql_bind_text(&use, b->what);
	eo_sql_bind_text(&use, b->patch);
	eo_sql_bind_text(&use, b->finding);
	eo_sql_bind_text(&use, b->before_kernel);
	eo_sql_bind_text(&use, b->after_kernel);
	eo_sql_bind_int(&use, b->cpus);
	eo_sql_bind_int(&use, b->possible);
	eo_sql_bind_int(&use, b->started);
	eo_sql_bind_int(&use, b->duration_ms);
	eo_sql_bind_int(&use, b->budget_s);
	eo_sql_bind_int(&use, b->seed);
	eo_sql_bind_text(&use, b->stopped);
	eo_sql_bind_text(&use, b->failure);
	eo_sql_bind_text(&use, b->distorting);
	eo_sql_bind_text(&use, b->machine);
	eo_sql_bind_text(&use, b->kernel);
	eo_sql_bind_text(&use, b->config);
	eo_sql_bind_text(&use, b->command);
	return eo_sql_run(&use);
}

static struct eo_error *put_env(struct eo_db *db, int64_t id,
				const struct eo_bench_env *e)
{
	USE(use);

	eo_try(eo_sql_begin(db, EO_SQL_PUT_BENCH_ENV, &use));
	eo_sql_bind_int(&use, id);
	eo_sql_bind_text(&use, e->name);
	eo_sql_bind_text(&use, e->value);
	return eo_sql_run(&use);
}

/* What is only there when there was a pair. */
static void bind_result(struct eo_sql_use *use, const struct eo_bench_metric *m)
{
	const double values[] = { m->before, m->after, m->change, m->low,
				  m->high,   m->p,     m->noise,  m->layout };

	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		if (m->pairs)
			eo_sql_bind_real(use, values[i]);
		else
			eo_sql_bind_text(use, NULL);
	}
	eo_sql_bind_text(use, m->pairs ? m->verdict : NULL);
}

static struct eo_error *put_metric(struct eo_db *db, int64_t id, size_t n,
				   const struct eo_bench_metric *m)
{
	USE(use);

	eo_try(eo_sql_begin(db, EO_SQL_PUT_BENCH_METRIC, &use));
	eo_sql_bind_int(&use, id);
	eo_sql_bind_int(&use, (int64_t)n);
	eo_sql_bind_text(&use, m->metric);
	eo_sql_bind_text(&use, m->words);
	eo_sql_bind_text(&use, m->quantity);
	eo_sql_bind_text(&use, m->unit);
	eo_sql_bind_int(&use, m->higher_is_better);
	eo_sql_bind_int(&use, m->pairs);
	bind_result(&use, m);
	return eo_sql_run(&use);
}

static struct eo_error *put_point(struct eo_db *db, int64_t id,
				  const struct eo_bench_point *p)
{
	USE(use);

	eo_try(eo_sql_begin(db, EO_SQL_PUT_BENCH_POINT, &use));
	eo_sql_bind_int(&use, id);
	eo_sql_bind_text(&use, p->metric);
	eo_sql_bind_int(&use, p->possible);
	eo_sql_bind_real(&use, p->before);
	eo_sql_bind_real(&use, p->after);
	return eo_sql_run(&use);
}

static struct eo_error *put_function(struct eo_db *db, int64_t id, size_t n,
				     const struct eo_bench_function *f)
{
	USE(use);

	eo_try(eo_sql_begin(db, EO_SQL_PUT_BENCH_FUNCTION, &use));
	eo_sql_bind_int(&use, id);
	eo_sql_bind_int(&use, (int64_t)n);
	eo_sql_bind_text(&use, f->symbol);
	eo_sql_bind_real(&use, f->before);
	eo_sql_bind_real(&use, f->after);
	return eo_sql_run(&use);
}

static struct eo_error *put_sample(struct eo_db *db, int64_t shot, size_t n,
				   const struct eo_bench_sample *s)
{
	USE(use);

	eo_try(eo_sql_begin(db, EO_SQL_PUT_BENCH_SAMPLE, &use));
	eo_sql_bind_int(&use, shot);
	eo_sql_bind_int(&use, (int64_t)n);
	eo_sql_bind_text(&use, s->metric);
	eo_sql_bind_int(&use, s->batch);
	eo_sql_bind_real(&use, s->value);
	return eo_sql_run(&use);
}

static struct eo_error *put_shot_row(struct eo_db *db, int64_t id, size_t n,
				     const struct eo_bench_shot *s)
{
	USE(use);

	eo_try(eo_sql_begin(db, EO_SQL_PUT_BENCH_SHOT, &use));
	eo_sql_bind_int(&use, id);
	eo_sql_bind_int(&use, (int64_t)n);
	eo_sql_bind_text(&use, s->phase);
	eo_sql_bind_int(&use, s->pair);
	eo_sql_bind_int(&use, s->second);
	eo_sql_bind_int(&use, s->position);
	eo_sql_bind_text(&use, s->arm);
	eo_sql_bind_int(&use, s->possible);
	eo_sql_bind_real(&use, s->seconds);
	eo_sql_bind_text(&use, s->failure);
	eo_sql_bind_text(&use, s->console);
	return eo_sql_run(&use);
}

static struct eo_error *put_shot(struct eo_db *db, int64_t id, size_t n,
				 const struct eo_bench_shot *s)
{
	int64_t shot;

	eo_try(put_shot_row(db, id, n, s));
	shot = sqlite3_last_insert_rowid(db->sql);
	for (size_t i = 0; i < s->n_samples; i++)
		eo_try(put_sample(db, shot, i, &s->samples[i]));
	return NULL;
}

static struct eo_error *put_all(struct eo_db *db, struct eo_bench *b)
{
	eo_try(put_head(db, b));
	b->id = sqlite3_last_insert_rowid(db->sql);
	for (size_t i = 0; i < b->env.n; i++)
		eo_try(put_env(db, b->id, &b->env.items[i]));
	for (size_t i = 0; i < b->metrics.n; i++)
		eo_try(put_metric(db, b->id, i, &b->metrics.items[i]));
	for (size_t i = 0; i < b->curve.n; i++)
		eo_try(put_point(db, b->id, &b->curve.items[i]));
	for (size_t i = 0; i < b->profile.n; i++)
		eo_try(put_function(db, b->id, i, &b->profile.items[i]));
	for (size_t i = 0; i < b->shots.n; i++)
		eo_try(put_shot(db, b->id, i, &b->shots.items[i]));
	return NULL;
}

struct eo_error *eo_db_put_bench(struct eo_db *db, struct eo_bench *b)
{
	eo_try(eo_sql_exec(db, "BEGIN IMMEDIATE"));
	return eo_sql_finish(db, put_all(db, b));
}
