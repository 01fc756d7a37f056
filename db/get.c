// SPDX-License-Identifier: GPL-2.0-only
#include "db/db.h"

#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "db/rows.h"
#include "db/sql.h"
#include "finding/finding.h"

#define USE(use) EO_CLEANUP(eo_sql_end) struct eo_sql_use use = { 0 }

/* A word that no schema of ours allows: somebody edited the file. */
static struct eo_error *bad_word(struct eo_db *db, const char *word)
{
	return eo_error_new(
		EO_ERR_INPUT,
		"%s holds \"%s\", which earlyout does not write; move it away and scan again",
		db->path, word ? word : "");
}

/* Begins @which for the run that is asked for, the last one if 0. */
static struct eo_error *begin_run(struct eo_db *db, enum eo_sql which,
				  int64_t run, struct eo_sql_use *use)
{
	int64_t id;

	eo_try(eo_sql_pick_run(db, run, &id));
	eo_try(eo_sql_begin(db, which, use));
	eo_sql_bind_int(use, id);
	return NULL;
}

struct eo_error *eo_db_get_data_version(struct eo_db *db, int64_t *out)
{
	USE(use);
	bool more;

	eo_try(eo_sql_begin(db, EO_SQL_GET_DATA_VERSION, &use));
	eo_try(eo_sql_step(&use, &more));
	*out = eo_sql_int(&use);
	return NULL;
}

struct eo_error *eo_db_get_run(struct eo_db *db, int64_t run,
			       struct eo_arena *arena, struct eo_run *out)
{
	USE(use);
	bool more;

	eo_try(begin_run(db, EO_SQL_GET_RUN, run, &use));
	eo_try(eo_sql_step(&use, &more));
	if (!more)
		return eo_error_new(EO_ERR_INPUT, "%s has no run %lld",
				    db->path, (long long)run);
	*out = (struct eo_run){
		.id = eo_sql_int(&use),
	};
	out->root = eo_sql_text(&use, arena);
	out->version = eo_sql_text(&use, arena);
	out->revision = eo_sql_text(&use, arena);
	out->command = eo_sql_text(&use, arena);
	out->build_origin = eo_sql_text(&use, arena);
	out->config_hash = eo_sql_text(&use, arena);
	out->tool_version = eo_sql_text(&use, arena);
	out->model_hash = eo_sql_text(&use, arena);
	out->started = eo_sql_int(&use);
	out->duration_ms = eo_sql_int(&use);
	out->files = (size_t)eo_sql_int(&use);
	out->candidates = (size_t)eo_sql_int(&use);
	out->analyzed = (size_t)eo_sql_int(&use);
	out->outside = (size_t)eo_sql_int(&use);
	out->engines = eo_sql_unsigned(&use);
	out->scope = eo_sql_text(&use, arena);
	out->left_out = (size_t)eo_sql_int(&use);
	out->baseline = eo_sql_text(&use, arena);
	out->compared_to = eo_sql_int(&use);
	out->profile = eo_sql_text(&use, arena);
	return NULL;
}

static struct eo_error *get_obligations(struct eo_db *db, int64_t occurrence,
					struct eo_findings *list,
					struct eo_finding *f)
{
	USE(use);
	bool more;

	eo_try(eo_sql_begin(db, EO_SQL_GET_OBLIGATIONS, &use));
	eo_sql_bind_int(&use, occurrence);
	for (;;) {
		struct eo_obligation *o;
		const char *state;

		eo_try(eo_sql_step(&use, &more));
		if (!more)
			return NULL;
		o = eo_vec_push(&f->obligations);
		o->name = eo_sql_text(&use, &list->arena);
		state = eo_sql_text(&use, &list->arena);
		o->detail = eo_sql_text(&use, &list->arena);
		if (!eo_proof_parse(state, &o->state))
			return bad_word(db, state);
	}
}

static struct eo_error *get_steps(struct eo_db *db, int64_t occurrence,
				  struct eo_findings *list,
				  struct eo_finding *f)
{
	USE(use);
	bool more;

	eo_try(eo_sql_begin(db, EO_SQL_GET_STEPS, &use));
	eo_sql_bind_int(&use, occurrence);
	for (;;) {
		struct eo_step *s;

		eo_try(eo_sql_step(&use, &more));
		if (!more)
			return NULL;
		s = eo_vec_push(&f->steps);
		s->kind = eo_sql_text(&use, &list->arena);
		s->line = eo_sql_unsigned(&use);
		s->column = eo_sql_unsigned(&use);
		s->text = eo_sql_text(&use, &list->arena);
	}
}

static struct eo_error *get_hot(struct eo_db *db, int64_t occurrence,
				struct eo_findings *list, struct eo_finding *f)
{
	USE(use);
	bool more;

	eo_try(eo_sql_begin(db, EO_SQL_GET_HOT, &use));
	eo_sql_bind_int(&use, occurrence);
	for (;;) {
		const char **hot;

		eo_try(eo_sql_step(&use, &more));
		if (!more)
			return NULL;
		hot = eo_vec_push(&f->hot);
		*hot = eo_sql_text(&use, &list->arena);
	}
}

static struct eo_error *read_words(struct eo_db *db, struct eo_sql_use *use,
				   struct eo_findings *list,
				   struct eo_finding *f)
{
	const char *confidence = eo_sql_text(use, &list->arena);
	const char *fix = eo_sql_text(use, &list->arena);

	if (!eo_confidence_parse(confidence, &f->confidence))
		return bad_word(db, confidence);
	if (!eo_fix_parse(fix, &f->fix))
		return bad_word(db, fix);
	return NULL;
}

/* The columns of GET_FINDINGS after the occurrence. */
static struct eo_error *read_finding(struct eo_db *db, struct eo_sql_use *use,
				     struct eo_findings *list,
				     struct eo_finding *f)
{
	struct eo_arena *a = &list->arena;
	const char *id = eo_sql_text(use, a);

	/* It becomes part of file names. */
	if (!id || strlen(id) != 16 || strspn(id, "0123456789abcdef") != 16)
		return bad_word(db, id);
	strcpy(f->id, id);
	f->rule = eo_sql_text(use, a);
	f->file = eo_sql_text(use, a);
	f->line = eo_sql_unsigned(use);
	f->column = eo_sql_unsigned(use);
	f->function = eo_sql_text(use, a);
	f->function_line = eo_sql_unsigned(use);
	f->function_end = eo_sql_unsigned(use);
	f->call = eo_sql_text(use, a);
	f->call_text = eo_sql_text(use, a);
	f->ends_in = eo_sql_text(use, a);
	f->guard = eo_sql_text(use, a);
	f->head = eo_sql_text(use, a);
	f->walk_line = eo_sql_unsigned(use);
	f->walk = eo_sql_text(use, a);
	f->result = eo_sql_text(use, a);
	f->message = eo_sql_text(use, a);
	eo_try(read_words(db, use, list, f));
	f->engines = eo_sql_unsigned(use);
	f->dissent = eo_sql_text(use, a);
	f->source = eo_sql_text(use, a);
	return NULL;
}

/* The rows that @use gives, with what hangs on them. */
static struct eo_error *read_findings(struct eo_db *db, struct eo_sql_use *use,
				      struct eo_findings *out)
{
	for (;;) {
		struct eo_finding *f;
		int64_t occurrence;
		bool more;

		eo_try(eo_sql_step(use, &more));
		if (!more)
			return NULL;
		f = eo_findings_add(out);
		occurrence = eo_sql_int(use);
		eo_try(read_finding(db, use, out, f));
		eo_try(get_obligations(db, occurrence, out, f));
		eo_try(get_steps(db, occurrence, out, f));
		eo_try(get_hot(db, occurrence, out, f));
	}
}

struct eo_error *eo_db_get_findings(struct eo_db *db, int64_t run,
				    struct eo_findings *out)
{
	USE(use);

	eo_try(begin_run(db, EO_SQL_GET_FINDINGS, run, &use));
	return read_findings(db, &use, out);
}

struct eo_error *eo_db_get_finding(struct eo_db *db, int64_t run,
				   const char *id, struct eo_findings *out)
{
	USE(use);

	eo_try(begin_run(db, EO_SQL_GET_FINDING, run, &use));
	eo_sql_bind_text(&use, id);
	return read_findings(db, &use, out);
}

static struct eo_error *read_gap(struct eo_db *db, struct eo_sql_use *use,
				 struct eo_gaps *out)
{
	EO_CLEANUP(eo_arena_release) struct eo_arena a = { 0 };
	struct eo_gap g = { 0 };
	const char *engine, *reason;

	g.file = eo_sql_text(use, &a);
	g.function = eo_sql_text(use, &a);
	engine = eo_sql_text(use, &a);
	reason = eo_sql_text(use, &a);
	g.detail = eo_sql_text(use, &a);
	g.engine = eo_streq(engine, eo_engine_name(EO_ENGINE_CLANG)) ?
			   EO_ENGINE_CLANG :
			   EO_ENGINE_SMPL;
	if (!eo_gap_reason_parse(reason, &g.reason))
		return bad_word(db, reason);
	eo_gaps_add(out, &g);
	return NULL;
}

struct eo_error *eo_db_get_gaps(struct eo_db *db, int64_t run,
				struct eo_gaps *out)
{
	USE(use);
	bool more;

	eo_try(begin_run(db, EO_SQL_GET_GAPS, run, &use));
	for (;;) {
		eo_try(eo_sql_step(&use, &more));
		if (!more)
			return NULL;
		eo_try(read_gap(db, &use, out));
	}
}

struct eo_error *eo_db_get_json(struct eo_db *db, int64_t run,
				struct eo_str *out)
{
	USE(use);
	bool more;

	eo_try(begin_run(db, EO_SQL_GET_JSON, run, &use));
	eo_try(eo_sql_step(&use, &more));
	if (!more)
		return eo_error_new(EO_ERR_INPUT, "%s has no run %lld",
				    db->path, (long long)run);
	eo_str_add(out, (const char *)sqlite3_column_text(use.stmt, 0));
	return NULL;
}

struct eo_error *eo_db_get_jsonl(struct eo_db *db, int64_t run,
				 struct eo_str *out)
{
	USE(use);
	bool more;

	eo_try(begin_run(db, EO_SQL_GET_JSONL, run, &use));
	for (;;) {
		eo_try(eo_sql_step(&use, &more));
		if (!more)
			return NULL;
		eo_str_add(out, (const char *)sqlite3_column_text(use.stmt, 0));
		eo_str_addc(out, '\n');
	}
}
