// SPDX-License-Identifier: GPL-2.0-only
#include "verify/state.h"

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/file.h"
#include "base/proc.h"
#include "base/progress.h"
#include "model/model.h"
#include "tree/tree.h"
#include "verify/kbuild.h"
#include "verify/source.h"

struct words {
	const char **items;
	size_t n, cap;
};

static void words_free(struct words *w)
{
	free(w->items);
}

static char *object_of(const char *file)
{
	return eo_asprintf("%.*so", (int)strlen(file) - 1, file);
}

static bool is_built(const struct eo_what *w, const char *file)
{
	EO_CLEANUP(eo_freep) char *object = object_of(file);
	EO_CLEANUP(eo_freep) char *path = eo_path_join(w->kbuild->out, object);

	return access(path, F_OK) == 0;
}

/* Objects of an earlier state would hide what is said of this one. */
static void forget(const struct eo_what *w, const char *file)
{
	EO_CLEANUP(eo_freep) char *object = object_of(file);
	EO_CLEANUP(eo_freep) char *path = eo_path_join(w->kbuild->out, object);

	unlink(path);
}

/* "00000000 000001a3 t name" of nm -S: the functions' sizes. */
static void read_sizes(const struct eo_what *w, const char *file,
		       struct eo_state *s)
{
	EO_CLEANUP(eo_proc_result_release) struct eo_proc_result r = { 0 };
	EO_CLEANUP(eo_freep) char *object = object_of(file);
	const char *const argv[] = { "nm", "-S", "--", object, NULL };
	struct eo_kbuild look = *w->kbuild;

	look.read_only = true;
	eo_error_free(eo_kbuild_run(&look, argv, &r));
	for (const char *p = eo_str_get(&r.out); *p; p += *p == '\n') {
		unsigned long long at, size;
		char kind, name[256];

		if (sscanf(p, "%llx %llx %c %255s", &at, &size, &kind, name) ==
		    4) {
			EO_CLEANUP(eo_freep)
			char *key = eo_asprintf("%s %s", file, name);

			eo_map_set(&s->sizes, key, (void *)(uintptr_t)size);
		}
		p += strcspn(p, "\n");
	}
}

struct job {
	const struct eo_what *w;
	struct eo_state *s;
	struct eo_error *err;
};

static struct eo_error *build(const struct eo_what *w, struct eo_state *s)
{
	EO_CLEANUP(eo_proc_result_release) struct eo_proc_result r = { 0 };
	EO_CLEANUP(words_free) struct words args = { 0 };
	EO_CLEANUP(eo_arena_release) struct eo_arena names = { 0 };
	const struct eo_map_entry *e;
	struct eo_error *err;

	*eo_vec_push(&args) = "-k";
	*eo_vec_push(&args) = "W=1";
	*eo_vec_push(&args) = "C=2";
	eo_map_for_each(e, w->files) {
		EO_CLEANUP(eo_freep) char *object = object_of(e->key);

		forget(w, e->key);
		*eo_vec_push(&args) = eo_arena_strdup(&names, object);
	}
	*eo_vec_push(&args) = NULL;
	err = eo_kbuild_make(w->kbuild, args.items, &r);
	eo_str_addf(&s->make_log, "%s%s", eo_str_get(&r.out),
		    eo_str_get(&r.err));
	if (err && eo_error_kind(err) != EO_ERR_INTERRUPTED &&
	    eo_error_kind(err) != EO_ERR_ENV) {
		s->make_problem =
			eo_arena_strdup(&s->arena, eo_error_message(err));
		eo_error_free(err);
		return NULL;
	}
	if (err)
		return err;
	eo_complaints_read(&s->compiler, eo_str_get(&r.err),
			   eo_kbuild_source(w->kbuild), EO_BY_COMPILER);
	eo_complaints_read(&s->sparse, eo_str_get(&r.err),
			   eo_kbuild_source(w->kbuild), EO_BY_SPARSE);
	eo_map_for_each(e, w->files) {
		if (is_built(w, e->key)) {
			eo_set_add(&s->built, e->key);
			read_sizes(w, e->key, s);
		}
	}
	return NULL;
}

static void *run_build(void *data)
{
	struct job *j = data;
	int64_t start = eo_clock_ms();

	if (!j->w->no_build && j->w->files->n)
		j->err = build(j->w, j->s);
	j->s->build_ms = eo_clock_ms() - start;
	return NULL;
}

static void *run_cocci(void *data)
{
	struct job *j = data;
	int64_t start = eo_clock_ms();

	if (j->w->touched->n)
		j->err = eo_cocci_run(j->w->kbuild, j->w->touched, j->w->cache,
				      &j->s->cocci);
	j->s->cocci_ms = eo_clock_ms() - start;
	return NULL;
}

static struct eo_error *scan(const struct eo_what *w, struct eo_state *s)
{
	struct eo_scan_options opts = { .build_dir = w->build,
					.compile_commands = w->compile_commands,
					.within = w->files,
					.flags_of = w->tree,
					.jobs = w->jobs,
					.smpl = w->smpl };
	struct eo_tree *tree = NULL;
	struct eo_model *model = NULL;
	struct eo_error *err = eo_tree_open(w->kbuild->source->dir, &tree);

	if (!err)
		err = eo_model_load(w->model, &model);
	if (!err)
		err = eo_scan_run(tree, model, &opts, &s->scan);
	eo_model_free(model);
	eo_tree_free(tree);
	if (!err || eo_error_kind(err) == EO_ERR_INTERRUPTED)
		return err;
	s->scan_problem = eo_arena_strdup(&s->arena, eo_error_message(err));
	eo_error_free(err);
	return NULL;
}

void eo_state_show(const struct eo_what *w, const char *checks)
{
	EO_CLEANUP(eo_freep)
	char *detail = eo_asprintf("%s: %s", w->title, checks);

	eo_progress("verifying", w->number, w->total, detail);
}

struct eo_error *eo_state_measure(const struct eo_what *w, struct eo_state *s)
{
	struct job jobs[2] = { { w, s, NULL }, { w, s, NULL } };
	pthread_t threads[2];
	bool started[2];
	int64_t start = eo_clock_ms();
	struct eo_error *err = NULL;

	/*
	 * Before there are other threads: a scan forks workers that go on
	 * without exec(), and what another thread holds at that moment, a lock
	 * of the allocator's, say, is held in the worker for ever.
	 */
	eo_try(scan(w, s));
	s->scan_ms = eo_clock_ms() - start;
	eo_state_show(w, "build, sparse, coccinelle");
	started[0] = !pthread_create(&threads[0], NULL, run_build, &jobs[0]);
	started[1] = !pthread_create(&threads[1], NULL, run_cocci, &jobs[1]);
	for (int i = 0; i < 2; i++) {
		if (started[i])
			pthread_join(threads[i], NULL);
		else
			(i ? run_cocci : run_build)(&jobs[i]);
		if (err)
			eo_error_free(jobs[i].err);
		else
			err = jobs[i].err;
	}
	return err;
}

void eo_state_release(struct eo_state *s)
{
	eo_complaints_release(&s->compiler);
	eo_complaints_release(&s->sparse);
	eo_cocci_release(&s->cocci);
	eo_str_release(&s->make_log);
	eo_map_release(&s->built);
	eo_map_release(&s->unbuilt);
	eo_map_release(&s->sizes);
	eo_scan_release(&s->scan);
	eo_arena_release(&s->arena);
	*s = (struct eo_state){ 0 };
}
