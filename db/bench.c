// SPDX-License-Identifier: GPL-2.0-only
#include "db/bench.h"

#include <stdlib.h>

#include "base/err.h"
#include "base/str.h"
#include "db/sql.h"

#define USE(use) EO_CLEANUP(eo_sql_end) struct eo_sql_use use = { 0 }

void eo_bench_release(struct eo_bench *b)
{
	free(b->metrics.items);
	free(b->curve.items);
	free(b->env.items);
	free(b->profile.items);
	free(b->shots.items);
	eo_arena_release(&b->arena);
	*b = (struct eo_bench){ 0 };
}

void eo_bench_rows_release(struct eo_bench_rows *rows)
{
	free(rows->items);
	eo_arena_release(&rows->arena);
	*rows = (struct eo_bench_rows){ 0 };
}

static struct eo_error *pick(struct eo_db *db, int64_t *id)
{
	USE(use);
	bool more;

	if (*id)
		return NULL;
	eo_try(eo_sql_begin(db, EO_SQL_GET_LAST_BENCH, &use));
	eo_try(eo_sql_step(&use, &more));
	*id = eo_sql_int(&use);
	if (*id)
		return NULL;
	return eo_error_new(
		EO_ERR_INPUT,
		"%s has no bench yet: `earlyout bench --help` says how to make one",
		db->path);
}

static void read_head(struct eo_sql_use *use, struct eo_bench *b)
{
	struct eo_arena *a = &b->arena;

	b->id = eo_sql_int(use);
	b->root = eo_sql_text(use, a);
	b->workload = eo_sql_text(use, a);
	b->params = eo_sql_text(use, a);
	b->stands_for = eo_sql_text(use, a);
	b->runner = eo_sql_text(use, a);
	b->what = eo_sql_text(use, a);
	b->patch = eo_sql_text(use, a);
	b->finding = eo_sql_text(use, a);
	b->before_kernel = eo_sql_text(use, a);
	b->after_kernel = eo_sql_text(use, a);
	b->cpus = eo_sql_unsigned(use);
	b->possible = eo_sql_unsigned(use);
	b->started = eo_sql_int(use);
	b->duration_ms = eo_sql_int(use);
	b->budget_s = eo_sql_unsigned(use);
	b->seed = eo_sql_int(use);
	b->stopped = eo_sql_text(use, a);
	b->failure = eo_sql_text(use, a);
	b->distorting = eo_sql_text(use, a);
	b->machine = eo_sql_text(use, a);
	b->kernel = eo_sql_text(use, a);
	b->config = eo_sql_text(use, a);
	b->command = eo_sql_text(use, a);
}

static struct eo_error *get_head(struct eo_db *db, int64_t id,
				 struct eo_bench *out)
{
	USE(use);
	bool more;

	eo_try(eo_sql_begin(db, EO_SQL_GET_BENCH, &use));
	eo_sql_bind_int(&use, id);
	eo_try(eo_sql_step(&use, &more));
	if (!more)
		return eo_error_new(EO_ERR_INPUT,
				    "%s has no bench %lld; `earlyout bench "
				    "list` lists those it has",
				    db->path, (long long)id);
	read_head(&use, out);
	return NULL;
}

static void read_env(struct eo_sql_use *use, struct eo_bench *b)
{
	struct eo_bench_env *e = eo_vec_push(&b->env);

	e->name = eo_sql_text(use, &b->arena);
	e->value = eo_sql_text(use, &b->arena);
}

static void read_metric(struct eo_sql_use *use, struct eo_bench *b)
{
	struct eo_bench_metric *m = eo_vec_push(&b->metrics);

	m->metric = eo_sql_text(use, &b->arena);
	m->words = eo_sql_text(use, &b->arena);
	m->quantity = eo_sql_text(use, &b->arena);
	m->unit = eo_sql_text(use, &b->arena);
	m->higher_is_better = eo_sql_int(use) != 0;
	m->pairs = eo_sql_unsigned(use);
	m->before = eo_sql_real(use);
	m->after = eo_sql_real(use);
	m->change = eo_sql_real(use);
	m->low = eo_sql_real(use);
	m->high = eo_sql_real(use);
	m->p = eo_sql_real(use);
	m->noise = eo_sql_real(use);
	m->layout = eo_sql_real(use);
	m->verdict = eo_sql_text(use, &b->arena);
}

static void read_point(struct eo_sql_use *use, struct eo_bench *b)
{
	struct eo_bench_point *p = eo_vec_push(&b->curve);

	p->metric = eo_sql_text(use, &b->arena);
	p->possible = eo_sql_unsigned(use);
	p->before = eo_sql_real(use);
	p->after = eo_sql_real(use);
}

static void read_function(struct eo_sql_use *use, struct eo_bench *b)
{
	struct eo_bench_function *f = eo_vec_push(&b->profile);

	f->symbol = eo_sql_text(use, &b->arena);
	f->before = eo_sql_real(use);
	f->after = eo_sql_real(use);
	b->profile_unit = eo_sql_text(use, &b->arena);
}

/* The last of them is what .failure is from. */
static void read_console(struct eo_sql_use *use, struct eo_bench *b)
{
	b->console = eo_sql_text(use, &b->arena);
}

static struct eo_error *
get_rows(struct eo_db *db, enum eo_sql which, struct eo_bench *out,
	 void (*read)(struct eo_sql_use *, struct eo_bench *))
{
	USE(use);

	eo_try(eo_sql_begin(db, which, &use));
	eo_sql_bind_int(&use, out->id);
	for (;;) {
		bool more;

		eo_try(eo_sql_step(&use, &more));
		if (!more)
			return NULL;
		read(&use, out);
	}
}

struct eo_error *eo_db_get_bench(struct eo_db *db, int64_t id,
				 struct eo_bench *out)
{
	eo_try(pick(db, &id));
	eo_try(get_head(db, id, out));
	eo_try(get_rows(db, EO_SQL_GET_BENCH_ENV, out, read_env));
	eo_try(get_rows(db, EO_SQL_GET_BENCH_METRICS, out, read_metric));
	eo_try(get_rows(db, EO_SQL_GET_BENCH_CURVE, out, read_point));
	eo_try(get_rows(db, EO_SQL_GET_BENCH_CONSOLE, out, read_console));
	return get_rows(db, EO_SQL_GET_BENCH_FUNCTIONS, out, read_function);
}

struct eo_error *eo_db_get_bench_samples(struct eo_db *db, int64_t id,
					 struct eo_bench_samples *out)
{
	USE(use);

	eo_try(eo_sql_begin(db, EO_SQL_GET_BENCH_SAMPLES, &use));
	eo_sql_bind_int(&use, id);
	for (;;) {
		struct eo_bench_pair_sample *s;
		bool more;

		eo_try(eo_sql_step(&use, &more));
		if (!more)
			return NULL;
		s = eo_vec_push(out);
		s->metric = eo_sql_text(&use, &out->arena);
		s->pair = eo_sql_unsigned(&use);
		s->second = eo_sql_int(&use) != 0;
		s->value = eo_sql_real(&use);
	}
}

void eo_bench_samples_release(struct eo_bench_samples *s)
{
	free(s->items);
	eo_arena_release(&s->arena);
	*s = (struct eo_bench_samples){ 0 };
}

struct eo_error *eo_db_get_benches_of(struct eo_db *db, const char *id,
				      int64_t **out, size_t *n)
{
	struct {
		int64_t *items;
		size_t n, cap;
	} ids = { 0 };
	struct eo_error *err;
	bool more = true;
	USE(use);

	eo_try(eo_sql_begin(db, EO_SQL_GET_BENCHES_OF, &use));
	eo_sql_bind_text(&use, id);
	while (!(err = eo_sql_step(&use, &more)) && more)
		*eo_vec_push(&ids) = eo_sql_int(&use);
	*out = ids.items;
	*n = ids.n;
	return err;
}

struct eo_error *eo_db_list_benches(struct eo_db *db, struct eo_bench_rows *out)
{
	USE(use);

	eo_try(eo_sql_begin(db, EO_SQL_GET_BENCHES, &use));
	for (;;) {
		struct eo_bench_row *r;
		bool more;

		eo_try(eo_sql_step(&use, &more));
		if (!more)
			return NULL;
		r = eo_vec_push(out);
		r->id = eo_sql_int(&use);
		r->started = eo_sql_int(&use);
		r->workload = eo_sql_text(&use, &out->arena);
		r->runner = eo_sql_text(&use, &out->arena);
		r->what = eo_sql_text(&use, &out->arena);
		r->verdicts = eo_sql_text(&use, &out->arena);
	}
}

/* Each row's only column, a line each. */
static struct eo_error *get_lines(struct eo_db *db, enum eo_sql which,
				  int64_t id, struct eo_str *out)
{
	EO_CLEANUP(eo_bench_release) struct eo_bench bench = { 0 };
	EO_CLEANUP(eo_arena_release) struct eo_arena arena = { 0 };
	USE(use);

	eo_try(pick(db, &id));
	eo_try(get_head(db, id, &bench)); /* there is one */
	eo_try(eo_sql_begin(db, which, &use));
	eo_sql_bind_int(&use, id);
	for (;;) {
		const char *line;
		bool more;

		eo_try(eo_sql_step(&use, &more));
		if (!more)
			return NULL;
		line = eo_sql_text(&use, &arena);
		eo_str_add(out, line ? line : "");
		eo_str_addc(out, '\n');
	}
}

struct eo_error *eo_db_get_bench_json(struct eo_db *db, int64_t id,
				      struct eo_str *out)
{
	return get_lines(db, EO_SQL_GET_BENCH_JSON, id, out);
}

struct eo_error *eo_db_get_bench_csv(struct eo_db *db, int64_t id,
				     struct eo_str *out)
{
	eo_str_add(out, "measurement,phase,pair,arm,possible_cpus,metric,"
			"batch,value\n");
	return get_lines(db, EO_SQL_GET_BENCH_CSV, id, out);
}
