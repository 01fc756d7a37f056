// SPDX-License-Identifier: GPL-2.0-only
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/data.h"
#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/proc.h"
#include "base/progress.h"
#include "base/str.h"
#include "finding/finding.h"
#include "model/model.h"
#include "rules/rule.h"
#include "smpl/ctext.h"
#include "smpl/read.h"
#include "smpl/smpl.h"
#include "smpl/spatch.h"
#include "tree/tree.h"

#define TAIL 500 /* bytes of what spatch said last, for the ledger */

bool eo_smpl_has_rule(const char *rule)
{
	EO_CLEANUP(eo_freep)
	char *name = eo_asprintf("semantic-patches/%s.cocci", rule);
	EO_CLEANUP(eo_freep) char *path = NULL;
	struct eo_error *err = eo_data_path(name, &path);

	eo_error_free(err);
	return path && eo_is_file(path);
}

/* What came of one file; filled by one thread, read after all have ended. */
struct outcome {
	struct eo_error *err;
	struct eo_proc_result result;
};

/* The threads take files from a common queue, each runs one spatch. */
struct pool {
	const struct eo_tree *tree;
	const struct eo_spatch *spatch;
	const char *const *files;
	size_t n;
	struct outcome *outcomes;
	atomic_size_t next, done;
	atomic_bool stop; /* no sense in going on */
	pthread_mutex_t progress;
};

static void show_progress(struct pool *pool, const char *file)
{
	pthread_mutex_lock(&pool->progress);
	eo_progress("spatch", atomic_fetch_add(&pool->done, 1) + 1, pool->n,
		    file);
	pthread_mutex_unlock(&pool->progress);
}

/* Errors of this kind are not the file's: the next one would fail as well. */
static bool is_missing(const struct eo_error *err)
{
	return eo_error_kind(err) == EO_ERR_ENV &&
	       (strstr(eo_error_message(err), "spatch: not found") ||
		strstr(eo_error_message(err), "cannot run spatch"));
}

static void *work(void *data)
{
	struct pool *pool = data;
	size_t i;

	while (!atomic_load(&pool->stop) &&
	       (i = atomic_fetch_add(&pool->next, 1)) < pool->n) {
		struct outcome *o = &pool->outcomes[i];

		o->err = eo_spatch_run(pool->spatch, "earlyout",
				       pool->tree->root, pool->files[i],
				       &o->result);
		if (o->err && (eo_error_kind(o->err) == EO_ERR_INTERRUPTED ||
			       is_missing(o->err)))
			atomic_store(&pool->stop, true);
		show_progress(pool, pool->files[i]);
	}
	return NULL;
}

/* Runs the queue to its end. No thread to be had: then this one does it. */
static void run_pool(struct pool *pool, unsigned jobs)
{
	EO_CLEANUP(eo_freep) pthread_t *threads = NULL;
	size_t n = 0;

	if (jobs > pool->n)
		jobs = (unsigned)pool->n;
	threads = eo_zalloc((jobs + 1) * sizeof(*threads));
	while (n + 1 < jobs &&
	       pthread_create(&threads[n], NULL, work, pool) == 0)
		n++;
	work(pool);
	while (n)
		pthread_join(threads[--n], NULL);
	eo_progress_end();
}

static void add_gap(struct eo_gaps *gaps, const char *file,
		    enum eo_gap_reason reason, const char *detail)
{
	const struct eo_gap gap = {
		.file = file,
		.engine = EO_ENGINE_SMPL,
		.reason = reason,
		.detail = detail,
	};

	eo_gaps_add(gaps, &gap);
}

/* The last lines of what spatch said, on one line. The caller frees. */
static char *last_words(const struct eo_proc_result *r)
{
	const struct eo_str *s = r->err.len ? &r->err : &r->out;
	size_t from = s->len > TAIL ? s->len - TAIL : 0;

	return eo_squeeze(eo_str_get(s) + from, s->len - from);
}

static void add_crash(struct eo_gaps *gaps, const char *file,
		      const struct eo_proc_result *r)
{
	EO_CLEANUP(eo_freep) char *said = last_words(r);
	EO_CLEANUP(eo_freep) char *how = NULL;
	EO_CLEANUP(eo_freep) char *detail = NULL;

	if (r->status > 128)
		how = eo_asprintf("spatch was killed by signal %d",
				  r->status - 128);
	else if (r->status)
		how = eo_asprintf("spatch ended with status %d", r->status);
	else
		how = eo_strdup(
			"spatch ended before it was done, or said what we do not understand");
	detail = eo_asprintf("%s%s%s", how, *said ? "; its last words: " : "",
			     said);
	add_gap(gaps, file, EO_GAP_CRASHED, detail);
}

static void add_error(struct eo_gaps *gaps, const char *file,
		      const struct eo_error *err)
{
	if (is_missing(err))
		add_gap(gaps, "", EO_GAP_TOOL_MISSING, eo_error_message(err));
	else if (eo_error_kind(err) == EO_ERR_TIMEOUT)
		add_gap(gaps, file, EO_GAP_TIMEOUT, eo_error_message(err));
	else
		add_gap(gaps, file, EO_GAP_CRASHED, eo_error_message(err));
}

static void read_outcome(const struct pool *pool, const char *rule, size_t i,
			 const struct eo_model *model,
			 struct eo_findings *found, struct eo_gaps *gaps)
{
	EO_CLEANUP(eo_freep)
	char *path = eo_path_join(pool->tree->root, pool->files[i]);
	EO_CLEANUP(eo_str_release) struct eo_str text = { 0 };
	const struct eo_spatch_file file = { rule, pool->files[i], &text };
	const struct outcome *o = &pool->outcomes[i];
	struct eo_error *err = o->err ? NULL : eo_file_read(path, &text);

	if (o->err)
		add_error(gaps, file.name, o->err);
	else if (err)
		add_gap(gaps, file.name, EO_GAP_UNREADABLE,
			eo_error_message(err));
	else if (o->result.status || o->result.truncated ||
		 !eo_spatch_read(&file, model, &o->result, found, gaps))
		add_crash(gaps, file.name, &o->result);
	eo_error_free(err);
}

static void pool_release(struct pool *pool)
{
	for (size_t i = 0; i < pool->n; i++) {
		eo_error_free(pool->outcomes[i].err);
		eo_proc_result_release(&pool->outcomes[i].result);
	}
	free(pool->outcomes);
	pthread_mutex_destroy(&pool->progress);
}

static struct eo_error *scan_rule(const char *rule, const struct eo_tree *tree,
				  const struct eo_model *model,
				  const char *const *files, size_t n,
				  const struct eo_smpl_options *opts,
				  struct eo_findings *found,
				  struct eo_gaps *gaps)
{
	EO_CLEANUP(eo_spatch_release) struct eo_spatch spatch = { 0 };
	EO_CLEANUP(pool_release)
	struct pool pool = {
		.tree = tree,
		.spatch = &spatch,
		.files = files,
		.progress = PTHREAD_MUTEX_INITIALIZER,
	};

	eo_try(eo_spatch_init(&spatch, rule, model, opts->timeout_ms));
	pool.outcomes = eo_zalloc(n * sizeof(*pool.outcomes));
	pool.n = n;
	run_pool(&pool, opts->jobs);
	if (eo_interrupted())
		return eo_interrupt_error();
	for (size_t i = 0; i < n; i++)
		if (!atomic_load(&pool.stop) || pool.outcomes[i].err)
			read_outcome(&pool, rule, i, model, found, gaps);
	return NULL;
}

/* The kind of call that the rule is about: its name begins with it. */
static enum eo_call_kind kind_of(const char *rule)
{
	return eo_starts_with(rule, "rusage-") ? EO_CALL_SAMPLE :
						 EO_CALL_DEFERRABLE;
}

/* A set of enum eo_call_kind, as bits: the calls that the file names. */
static unsigned kinds_in(const struct eo_tree *tree,
			 const struct eo_model *model, const char *file)
{
	EO_CLEANUP(eo_freep) char *path = eo_path_join(tree->root, file);
	EO_CLEANUP(eo_str_release) struct eo_str text = { 0 };
	struct eo_error *err = eo_file_read(path, &text);
	const char *s = eo_str_get(&text);
	unsigned kinds = 0;

	if (err) { /* it becomes a gap when its turn comes */
		eo_error_free(err);
		return ~0U;
	}
	for (size_t i = 0, next; i < text.len; i = next) {
		EO_CLEANUP(eo_freep) char *name = NULL;
		const struct eo_model_call *call;

		next = eo_ctext_next(s, text.len, i);
		if (!eo_is_ident(s[i]))
			continue;
		name = eo_strndup(s + i, next - i);
		call = eo_model_call(model, name);
		if (call)
			kinds |= 1U << call->kind;
	}
	return kinds;
}

/* The files for a rule: spatch takes its time even where there is nothing. */
static size_t pick(const char *rule, const char *const *files,
		   const unsigned *kinds, size_t n, const char **out)
{
	size_t n_out = 0;

	for (size_t i = 0; i < n; i++)
		if (kinds[i] & 1U << kind_of(rule))
			out[n_out++] = files[i];
	return n_out;
}

struct eo_error *eo_smpl_scan(const struct eo_tree *tree,
			      const struct eo_model *model,
			      const char *const *files, size_t n_files,
			      const struct eo_smpl_options *opts,
			      struct eo_findings *found, struct eo_gaps *gaps)
{
	EO_CLEANUP(eo_freep)
	unsigned *kinds = eo_zalloc((n_files + 1) * sizeof(*kinds));
	EO_CLEANUP(eo_freep)
	const char **own = eo_zalloc((n_files + 1) * sizeof(*own));
	size_t n_rules;
	const struct eo_rule *rules = eo_rules_all(&n_rules);

	for (size_t i = 0; i < n_files; i++)
		kinds[i] = kinds_in(tree, model, files[i]);
	for (size_t i = 0; i < n_rules; i++) {
		size_t n;

		if (!eo_smpl_has_rule(rules[i].name))
			continue;
		n = pick(rules[i].name, files, kinds, n_files, own);
		if (n)
			eo_try(scan_rule(rules[i].name, tree, model, own, n,
					 opts, found, gaps));
	}
	return NULL;
}
