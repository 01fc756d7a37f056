// SPDX-License-Identifier: GPL-2.0-only
#include "verify/cocci.h"

#include <fts.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/file.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/proc.h"
#include "base/str.h"
#include "verify/complaints.h"
#include "verify/kbuild.h"
#include "verify/source.h"

#define SCRIPT_TIMEOUT_MS 60000
#define MAX_OPTIONS 8
#define MAX_THREADS 16
#define OWN "earlyout-null-use.cocci"
/* In the cache, instead of an answer: to ask again would take as long. */
#define NO_ANSWER "no answer\n"

static const char own_script[] =
#include "verify/null_use.cocci"
	;

struct script {
	const char *path; /* as spatch sees it */
	const char *name; /* for people */
	const char *options[MAX_OPTIONS + 1]; /* its "Options:" */
	char hash[17]; /* of its text */
};

struct question {
	const struct script *script;
	const char *file; /* in the tree */
	char key[17]; /* the answer's name in the cache */
	struct eo_str answer;
	bool answered;
};

/* All questions, and the next to be asked, by whoever has time. */
struct asking {
	const struct eo_kbuild *k;
	const char *cache;
	struct eo_arena arena;
	struct {
		struct script *items;
		size_t n, cap;
	} scripts;
	struct question *items;
	size_t n, cap;
	atomic_size_t next;
	_Atomic(struct eo_error *) err; /* the first */
};

static void asking_release(struct asking *a)
{
	for (size_t i = 0; i < a->n; i++)
		eo_str_release(&a->items[i].answer);
	free(a->items);
	free(a->scripts.items);
	eo_error_free(atomic_load(&a->err));
	eo_arena_release(&a->arena);
}

/* Of the options that a script asks for, those that only say how to look. */
static void read_options(const char *text, struct script *s)
{
	static const char *const known[] = {
		"--no-includes",    "--include-headers", "--all-includes",
		"--local-includes", "--no-loops",	 "--recursive-includes",
	};
	const char *p = strstr(text, "Options:");
	const char *end = p ? p + strcspn(p, "\n") : NULL;
	size_t n = 0;

	while (p && (p = strstr(p, "--")) && p < end && n < MAX_OPTIONS) {
		size_t len = strcspn(p, " \t\n");

		for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
			if (strlen(known[i]) == len &&
			    !strncmp(known[i], p, len))
				s->options[n++] = known[i];
		p += len;
	}
}
static void add_script(struct asking *a, const char *path, const char *name,
		       const char *text)
{
	struct script *s;

	if (!strstr(text, "virtual report"))
		return;
	s = eo_vec_push(&a->scripts);
	s->path = eo_arena_strdup(&a->arena, path);
	s->name = eo_arena_strdup(&a->arena, name);
	read_options(text, s);
	eo_hash_hex(text, strlen(text), s->hash);
}

static int by_name(const FTSENT **a, const FTSENT **b)
{
	return strcmp((*a)->fts_name, (*b)->fts_name);
}

/* Those of the tree. */
static void find_scripts(struct asking *a)
{
	EO_CLEANUP(eo_freep)
	char *dir = eo_path_join(a->k->source->dir, "scripts/coccinelle");
	char *paths[] = { dir, NULL };
	size_t root = strlen(a->k->source->dir) + 1;
	FTS *fts = fts_open(paths, FTS_PHYSICAL | FTS_NOCHDIR, by_name);
	FTSENT *e;

	while (fts && (e = fts_read(fts))) {
		EO_CLEANUP(eo_str_release) struct eo_str text = { 0 };
		EO_CLEANUP(eo_freep) char *path = NULL;

		if (e->fts_info != FTS_F ||
		    !eo_ends_with(e->fts_name, ".cocci"))
			continue;
		eo_error_free(eo_file_read(e->fts_path, &text));
		path = eo_path_join(eo_kbuild_source(a->k), e->fts_path + root);
		add_script(a, path, e->fts_path + root, eo_str_get(&text));
	}
	if (fts)
		fts_close(fts);
}

/* And one of ours, which has to lie where the sandbox sees it. */
static struct eo_error *add_own(struct asking *a)
{
	EO_CLEANUP(eo_freep) char *path = eo_path_join(a->k->out, OWN);
	EO_CLEANUP(eo_freep)
	char *inside = eo_path_join(eo_kbuild_out(a->k), OWN);

	eo_try(eo_mkdirs(a->k->out));
	eo_try(eo_file_write(path, own_script, sizeof(own_script) - 1));
	add_script(a, inside, OWN, own_script);
	return NULL;
}

static struct eo_error *add_questions(struct asking *a, const char *file)
{
	EO_CLEANUP(eo_str_release) struct eo_str text = { 0 };
	const struct script *s;
	bool there;

	eo_try(eo_source_read(a->k->source, file, &text, &there));
	if (!there)
		return NULL;
	eo_vec_for_each(s, &a->scripts) {
		EO_CLEANUP(eo_freep)
		char *all = eo_asprintf("%s %s %s\n%s", s->hash, s->name, file,
					eo_str_get(&text));
		struct question *q = eo_vec_push(a);

		q->script = s;
		q->file = file;
		eo_hash_hex(all, strlen(all), q->key);
	}
	return NULL;
}

static struct eo_error *run_spatch(const struct eo_kbuild *k,
				   struct question *q)
{
	EO_CLEANUP(eo_proc_result_release) struct eo_proc_result r = { 0 };
	EO_CLEANUP(eo_freep)
	char *path = eo_path_join(eo_kbuild_source(k), q->file);
	EO_CLEANUP(eo_freep)
	char *include = eo_path_join(eo_kbuild_source(k), "include");
	const char *argv[16 + MAX_OPTIONS] = {
		"spatch",	  "-D", "report", "--very-quiet",
		"--no-show-diff", "-I", include,  "--cocci-file",
		q->script->path,
	};
	struct eo_kbuild own = *k;
	struct eo_error *err;
	size_t n = 9;

	for (size_t i = 0; q->script->options[i]; i++)
		argv[n++] = q->script->options[i];
	argv[n] = path;
	own.limits.timeout_ms = SCRIPT_TIMEOUT_MS;
	own.read_only = true;
	err = eo_kbuild_run(&own, argv, &r);
	if (err && eo_error_kind(err) == EO_ERR_INTERRUPTED)
		return err;
	q->answered = !err && r.status == 0;
	if (q->answered)
		eo_str_add(&q->answer, eo_str_get(&r.out));
	if (err && eo_error_kind(err) != EO_ERR_TIMEOUT)
		return err;
	eo_error_free(err);
	return NULL;
}

/* From the cache, or it is run; one that fails or is slow says nothing. */
static struct eo_error *ask(const struct asking *a, struct question *q)
{
	EO_CLEANUP(eo_freep) char *path = eo_path_join(a->cache, q->key);

	if (eo_interrupted())
		return eo_interrupt_error();
	if (eo_is_file(path)) {
		eo_try(eo_file_read(path, &q->answer));
		q->answered = strcmp(eo_str_get(&q->answer), NO_ANSWER) != 0;
		return NULL;
	}
	eo_try(run_spatch(a->k, q));
	if (!q->answered)
		eo_str_add(&q->answer, NO_ANSWER);
	return eo_file_write_again(path, eo_str_get(&q->answer), q->answer.len);
}

static void *work(void *data)
{
	struct asking *a = data;
	struct eo_error *none = NULL, *err;
	size_t i;

	while (!atomic_load(&a->err) &&
	       (i = atomic_fetch_add(&a->next, 1)) < a->n) {
		err = ask(a, &a->items[i]);
		if (err && !atomic_compare_exchange_strong(&a->err, &none, err))
			eo_error_free(err);
	}
	return NULL;
}

static struct eo_error *ask_all(struct asking *a)
{
	pthread_t threads[MAX_THREADS];
	size_t n = 0;

	while (n + 1 < a->k->jobs && n < MAX_THREADS &&
	       !pthread_create(&threads[n], NULL, work, a))
		n++;
	work(a);
	while (n)
		pthread_join(threads[--n], NULL);
	return atomic_exchange(&a->err, NULL);
}

struct eo_error *eo_cocci_run(const struct eo_kbuild *k,
			      const struct eo_map *files, const char *cache,
			      struct eo_cocci *out)
{
	EO_CLEANUP(asking_release)
	struct asking a = { .k = k, .cache = cache };
	const struct eo_map_entry *f;
	const struct question *q;

	eo_try(eo_mkdirs(cache));
	find_scripts(&a);
	if (a.scripts.n)
		eo_try(add_own(&a));
	out->scripts = a.scripts.n;
	eo_map_for_each(f, files)
		eo_try(add_questions(&a, f->key));
	eo_try(ask_all(&a));
	eo_vec_for_each(q, &a) {
		if (!q->answered) {
			eo_str_addf(&out->log, "%s: no answer on %s\n",
				    q->script->name, q->file);
			out->silent++;
			continue;
		}
		eo_complaints_read(&out->said, eo_str_get(&q->answer),
				   eo_kbuild_source(k), EO_BY_COCCI);
		eo_str_add(&out->log, eo_str_get(&q->answer));
	}
	return NULL;
}

void eo_cocci_release(struct eo_cocci *c)
{
	eo_complaints_release(&c->said);
	eo_str_release(&c->log);
}
