// SPDX-License-Identifier: GPL-2.0-only
#include "db/db.h"

#include "base/err.h"
#include "db/sql.h"
#include "finding/finding.h"

#define BOTH_ENGINES (EO_ENGINE_CLANG | EO_ENGINE_SMPL)

#define USE(use) EO_CLEANUP(eo_sql_end) struct eo_sql_use use = { 0 }

/* For columns that may not be NULL. */
static const char *text(const char *s)
{
	return s ? s : "";
}

struct eo_error *eo_sql_put_tree(struct eo_db *db, const char *root,
				 int64_t *id)
{
	USE(use);
	bool more;

	eo_try(eo_sql_begin(db, EO_SQL_PUT_TREE, &use));
	eo_sql_bind_text(&use, text(root));
	eo_try(eo_sql_step(&use, &more));
	*id = eo_sql_int(&use);
	return eo_sql_run(&use);
}

static struct eo_error *put_run(struct eo_db *db, struct eo_run *run)
{
	USE(use);
	int64_t tree;

	eo_try(eo_sql_put_tree(db, run->root, &tree));
	eo_try(eo_sql_begin(db, EO_SQL_PUT_RUN, &use));
	eo_sql_bind_int(&use, tree);
	eo_sql_bind_text(&use, text(run->version));
	eo_sql_bind_text(&use, run->revision);
	eo_sql_bind_text(&use, text(run->command));
	eo_sql_bind_text(&use, text(run->build_origin));
	eo_sql_bind_text(&use, run->config_hash);
	eo_sql_bind_text(&use, text(run->tool_version));
	eo_sql_bind_text(&use, text(run->model_hash));
	eo_sql_bind_int(&use, run->started);
	eo_sql_bind_int(&use, run->duration_ms);
	eo_sql_bind_int(&use, (int64_t)run->files);
	eo_sql_bind_int(&use, (int64_t)run->candidates);
	eo_sql_bind_int(&use, (int64_t)run->analyzed);
	eo_sql_bind_int(&use, (int64_t)run->outside);
	eo_sql_bind_text(&use, run->scope);
	eo_sql_bind_int(&use, run->engines ? run->engines : BOTH_ENGINES);
	eo_sql_bind_int(&use, (int64_t)run->left_out);
	eo_sql_bind_text(&use, run->baseline);
	eo_try(eo_sql_run(&use));
	run->id = sqlite3_last_insert_rowid(db->sql);
	return NULL;
}

static struct eo_error *put_identity(struct eo_db *db,
				     const struct eo_finding *f)
{
	USE(use);

	eo_try(eo_sql_begin(db, EO_SQL_PUT_FINDING, &use));
	eo_sql_bind_text(&use, f->id);
	eo_sql_bind_text(&use, text(f->rule));
	eo_sql_bind_text(&use, text(f->file));
	eo_sql_bind_text(&use, text(f->function));
	eo_sql_bind_text(&use, text(f->call));
	return eo_sql_run(&use);
}

static void bind_mark(struct eo_sql_use *use, const struct eo_run *run,
		      size_t n)
{
	static const struct eo_mark none;
	const struct eo_mark *m = run->marks ? &run->marks[n] : &none;

	eo_sql_bind_text(use, m->suppressed_by);
	eo_sql_bind_text(use, m->suppressed_at);
	eo_sql_bind_text(use, m->suppressed_reason);
	eo_sql_bind_text(use, m->suppressed_date);
	if (run->baseline)
		eo_sql_bind_int(use, m->known);
	else
		eo_sql_bind_text(use, NULL);
}

static struct eo_error *put_occurrence(struct eo_db *db,
				       const struct eo_run *run, size_t n,
				       const struct eo_finding *f, int64_t *id)
{
	USE(use);

	eo_try(eo_sql_begin(db, EO_SQL_PUT_OCCURRENCE, &use));
	eo_sql_bind_int(&use, run->id);
	eo_sql_bind_int(&use, (int64_t)n);
	eo_sql_bind_text(&use, f->id);
	eo_sql_bind_int(&use, f->line);
	eo_sql_bind_int(&use, f->column);
	eo_sql_bind_int(&use, f->function_line);
	eo_sql_bind_int(&use, f->function_end);
	eo_sql_bind_text(&use, f->call_text);
	eo_sql_bind_text(&use, f->ends_in);
	eo_sql_bind_text(&use, f->guard);
	eo_sql_bind_text(&use, f->head);
	eo_sql_bind_int(&use, f->walk_line);
	eo_sql_bind_text(&use, f->walk);
	eo_sql_bind_text(&use, f->result);
	eo_sql_bind_text(&use, text(f->message));
	eo_sql_bind_text(&use, eo_confidence_name(f->confidence));
	eo_sql_bind_text(&use, eo_fix_name(f->fix));
	eo_sql_bind_int(&use, f->engines);
	eo_sql_bind_text(&use, f->dissent);
	eo_sql_bind_text(&use, f->source);
	bind_mark(&use, run, n);
	eo_try(eo_sql_run(&use));
	*id = sqlite3_last_insert_rowid(db->sql);
	return NULL;
}

static struct eo_error *put_obligation(struct eo_db *db, int64_t occurrence,
				       size_t n, const struct eo_obligation *o)
{
	USE(use);

	eo_try(eo_sql_begin(db, EO_SQL_PUT_OBLIGATION, &use));
	eo_sql_bind_int(&use, occurrence);
	eo_sql_bind_int(&use, (int64_t)n);
	eo_sql_bind_text(&use, text(o->name));
	eo_sql_bind_text(&use, eo_proof_name(o->state));
	eo_sql_bind_text(&use, o->detail);
	return eo_sql_run(&use);
}

static struct eo_error *put_step(struct eo_db *db, int64_t occurrence, size_t n,
				 const struct eo_step *s)
{
	USE(use);

	eo_try(eo_sql_begin(db, EO_SQL_PUT_STEP, &use));
	eo_sql_bind_int(&use, occurrence);
	eo_sql_bind_int(&use, (int64_t)n);
	eo_sql_bind_text(&use, text(s->kind));
	eo_sql_bind_int(&use, s->line);
	eo_sql_bind_int(&use, s->column);
	eo_sql_bind_text(&use, s->text);
	return eo_sql_run(&use);
}

static struct eo_error *put_hot(struct eo_db *db, int64_t occurrence, size_t n,
				const char *evidence)
{
	USE(use);

	eo_try(eo_sql_begin(db, EO_SQL_PUT_HOT, &use));
	eo_sql_bind_int(&use, occurrence);
	eo_sql_bind_int(&use, (int64_t)n);
	eo_sql_bind_text(&use, text(evidence));
	return eo_sql_run(&use);
}

static struct eo_error *put_moved(struct eo_db *db, const char *id,
				  const char *origin)
{
	USE(use);

	eo_try(eo_sql_begin(db, EO_SQL_PUT_MOVED, &use));
	eo_sql_bind_text(&use, id);
	eo_sql_bind_text(&use, origin);
	return eo_sql_run(&use);
}

static struct eo_error *put_finding(struct eo_db *db, const struct eo_run *run,
				    size_t n, const struct eo_finding *f)
{
	int64_t id;

	eo_try(put_identity(db, f));
	if (run->marks && run->marks[n].origin)
		eo_try(put_moved(db, f->id, run->marks[n].origin));
	eo_try(put_occurrence(db, run, n, f, &id));
	for (size_t i = 0; i < f->obligations.n; i++)
		eo_try(put_obligation(db, id, i, &f->obligations.items[i]));
	for (size_t i = 0; i < f->steps.n; i++)
		eo_try(put_step(db, id, i, &f->steps.items[i]));
	for (size_t i = 0; i < f->hot.n; i++)
		eo_try(put_hot(db, id, i, f->hot.items[i]));
	return NULL;
}

static struct eo_error *put_gap(struct eo_db *db, int64_t run, size_t n,
				const struct eo_gap *g)
{
	USE(use);

	eo_try(eo_sql_begin(db, EO_SQL_PUT_GAP, &use));
	eo_sql_bind_int(&use, run);
	eo_sql_bind_int(&use, (int64_t)n);
	eo_sql_bind_text(&use, text(g->file));
	eo_sql_bind_text(&use, g->function);
	eo_sql_bind_text(&use, eo_engine_name((enum eo_engine)g->engine));
	eo_sql_bind_text(&use, eo_gap_reason_name(g->reason));
	eo_sql_bind_text(&use, g->detail);
	return eo_sql_run(&use);
}

static struct eo_error *put_scope_file(struct eo_db *db, int64_t run,
				       const char *file)
{
	USE(use);

	eo_try(eo_sql_begin(db, EO_SQL_PUT_SCOPE_FILE, &use));
	eo_sql_bind_int(&use, run);
	eo_sql_bind_text(&use, file);
	return eo_sql_run(&use);
}

/* Last: it looks at all that the run has put. */
static struct eo_error *put_changes(struct eo_db *db, int64_t run)
{
	USE(use);

	eo_try(eo_sql_begin(db, EO_SQL_PUT_CHANGES, &use));
	eo_sql_bind_int(&use, run);
	return eo_sql_run(&use);
}

static struct eo_error *put_all(struct eo_db *db, struct eo_run *run,
				const struct eo_findings *findings,
				const struct eo_gaps *gaps)
{
	eo_try(put_run(db, run));
	for (size_t i = 0; i < findings->n; i++)
		eo_try(put_finding(db, run, i, &findings->items[i]));
	for (size_t i = 0; i < gaps->n; i++)
		eo_try(put_gap(db, run->id, i, &gaps->items[i]));
	for (size_t i = 0; run->scope && i < run->n_scope_files; i++)
		eo_try(put_scope_file(db, run->id, run->scope_files[i]));
	return put_changes(db, run->id);
}

struct eo_error *eo_db_put_run(struct eo_db *db, struct eo_run *run,
			       const struct eo_findings *findings,
			       const struct eo_gaps *gaps)
{
	struct eo_error *err;

	eo_try(eo_sql_exec(db, "BEGIN IMMEDIATE"));
	err = eo_sql_finish(db, put_all(db, run, findings, gaps));
	if (err)
		run->id = 0;
	return err;
}
