// SPDX-License-Identifier: GPL-2.0-only
#include "scan/rounds.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/file.h"
#include "base/str.h"
#include "base/wire.h"
#include "scan/scan.h"
#include "tree/build.h"
#include "tree/candidates.h"
#include "tree/includer.h"
#include "tree/tree.h"
#include "tu/pool.h"
#include "tu/unit.h"

#define DEFAULT_TIMEOUT_MS (120 * 1000)
#define WORKER_MEMORY ((size_t)4 << 30)
#define MAX_ROUNDS 8

unsigned eo_scan_timeout(const struct eo_scan_options *opts)
{
	return opts->timeout_ms ? opts->timeout_ms : DEFAULT_TIMEOUT_MS;
}

static void free_analysis(struct eo_analysis *a)
{
	eo_analysis_release(a);
	free(a);
}

void eo_rounds_release(struct eo_rounds *s)
{
	struct eo_map_entry *e;

	eo_map_for_each(e, &s->results)
		if (e->value)
			free_analysis(e->value);
	eo_map_release(&s->results);
	eo_context_release(&s->context);
	eo_build_free(s->build);
	free(s->batch.items);
	eo_arena_release(&s->arena);
}

static void gap(struct eo_gaps *to, const char *file, enum eo_gap_reason reason,
		const char *detail)
{
	eo_gaps_add(to, &(struct eo_gap){ .file = file,
					  .engine = EO_ENGINE_CLANG,
					  .reason = reason,
					  .detail = detail });
}

/* Another tree's flags, as they are for ours: its root by our root. */
static const char *const *own_flags(struct eo_rounds *s,
				    const char *const *flags)
{
	const char *from, **out;
	size_t n = 0, len;

	if (!flags || !s->opts->flags_of)
		return flags;
	from = s->opts->flags_of->root;
	len = strlen(from);
	while (flags[n])
		n++;
	out = eo_arena_alloc(&s->arena, (n + 1) * sizeof(*out));
	for (size_t i = 0; i < n; i++) {
		const char *at = strstr(flags[i], from);

		out[i] = flags[i];
		if (at && (at[len] == '/' || !at[len]))
			out[i] = eo_arena_printf(&s->arena, "%.*s%s%s",
						 (int)(at - flags[i]), flags[i],
						 s->tree->root, at + len);
	}
	return out;
}

/*
 * A file with errors may be no unit of its own: then the one that includes it
 * is compiled. Takes @u, and gives back the better of the two.
 */
static struct eo_unit *try_includer(const struct eo_rounds *s, const char *file,
				    const char *path, struct eo_unit *u)
{
	EO_CLEANUP(eo_freep) char *includer = NULL;
	EO_CLEANUP(eo_freep) char *unit = NULL;
	const char *const *flags = NULL;
	struct eo_unit *in = NULL;
	const char *why = NULL;
	struct eo_error *err = eo_tree_includer(s->tree, file, &includer);

	if (!err && includer)
		flags = own_flags((struct eo_rounds *)s,
				  eo_build_flags(s->build, includer, &why));
	if (flags) {
		unit = eo_path_join(s->tree->root, includer);
		err = eo_unit_parse_in(unit, file, path, flags, &in);
	}
	eo_error_free(err); /* @u has errors to tell of */
	if (!in || in->errors >= u->errors) {
		eo_unit_free(in);
		return u;
	}
	eo_unit_free(u);
	return in;
}

/* In a worker process: the unit, and all that the rules say of it. */
static void analyse(struct eo_rounds *s, const char *file,
		    struct eo_analysis *out)
{
	EO_CLEANUP(eo_freep) char *path = eo_path_join(s->tree->root, file);
	const char *const *flags;
	struct eo_unit *u = NULL;
	struct eo_error *err;
	const char *why = NULL;

	flags = own_flags(s, eo_build_flags(s->build, file, &why));
	if (!flags) {
		gap(&out->gaps, file, EO_GAP_NO_FLAGS, why);
		return;
	}
	if (chdir(eo_build_dir(s->build)))
		err = eo_error_errno(errno, "%s", eo_build_dir(s->build));
	else
		err = eo_unit_parse(file, path, flags, &u);
	if (err) {
		gap(&out->gaps, file, EO_GAP_PARSE_ERROR,
		    eo_error_message(err));
		eo_error_free(err);
		return;
	}
	if (u->errors)
		u = try_includer(s, file, path, u);
	if (u->errors)
		gap(&out->gaps, file, EO_GAP_PARSE_ERROR, u->first_error);
	eo_analyze_unit(u, s->model,
			&(struct eo_ask){ &s->context, s->facts_only }, out);
	eo_unit_free(u);
}

static void work(size_t i, struct eo_str *to, void *data)
{
	struct eo_rounds *s = data;
	struct eo_analysis a = { 0 };

	analyse(s, s->batch.items[i], &a);
	eo_analysis_put(to, &a);
	eo_str_addn(to, eo_str_get(&a.context), a.context.len);
	eo_model_forget_local(s->model);
	eo_analysis_release(&a);
}

static void keep(struct eo_rounds *s, const char *file, struct eo_analysis *a)
{
	struct eo_analysis *old = eo_map_get(&s->results, file);

	if (old)
		free_analysis(old);
	eo_map_set(&s->results, file, a);
}

static void done(size_t i, enum eo_job_state state, const char *p, size_t len,
		 void *data)
{
	struct eo_rounds *s = data;
	const char *file = s->batch.items[i];
	struct eo_analysis *a = eo_zalloc(sizeof(*a));
	struct eo_wire w = { p, len, false };

	if (state != EO_JOB_DONE) {
		EO_CLEANUP(eo_freep) char *detail = eo_strndup(p, len);

		gap(&a->gaps, file,
		    state == EO_JOB_TIMEOUT ? EO_GAP_TIMEOUT : EO_GAP_CRASHED,
		    detail);
	} else if (!eo_analysis_get(&w, a) ||
		   /* A unit that was not parsed has no context. */
		   (w.left && !eo_context_get(&w, file, &s->context))) {
		gap(&a->gaps, file, EO_GAP_CRASHED,
		    "the worker's answer is damaged");
	}
	if (s->facts_only)
		free_analysis(a); /* no candidate: nothing was asked of it */
	else
		keep(s, file, a);
}

static const char *job_name(size_t i, void *data)
{
	return ((struct eo_rounds *)data)->batch.items[i];
}

struct eo_error *eo_rounds_run_batch(struct eo_rounds *s)
{
	struct eo_pool_options pool = { .workers = s->opts->jobs,
					.timeout_ms = eo_scan_timeout(s->opts),
					.max_memory = WORKER_MEMORY,
					.what = "analysing" };
	struct eo_pool_jobs jobs = { s->batch.n, work, done, job_name, s };

	return eo_pool_run(&pool, &jobs);
}

/* The calls of the model that no round has looked for yet. */
static void new_names(struct eo_rounds *s, struct eo_names *names)
{
	for (; s->n_calls < s->model->calls.n; s->n_calls++)
		*eo_vec_push(names) = s->model->calls.items[s->n_calls].key;
}

/* The batch, and the files that include some of it: to be asked flags for. */
static struct eo_error *to_compile(struct eo_rounds *s, struct eo_names *files)
{
	for (size_t i = 0; i < s->batch.n; i++) {
		EO_CLEANUP(eo_freep) char *includer = NULL;

		*eo_vec_push(files) = s->batch.items[i];
		eo_try(eo_tree_includer(s->tree, s->batch.items[i], &includer));
		if (includer)
			*eo_vec_push(files) =
				eo_arena_strdup(&s->arena, includer);
	}
	return NULL;
}

void eo_names_free(struct eo_names *names)
{
	free(names->items);
}

/* How to compile the batch; @names tell what its code is conditional on. */
struct eo_error *eo_rounds_open_build(struct eo_rounds *s,
				      const struct eo_names *names)
{
	EO_CLEANUP(eo_names_free) struct eo_names files = { 0 };
	struct eo_build_options opts = {
		.build_dir = s->opts->build_dir,
		.compile_commands = s->opts->compile_commands,
		.names = names->items,
		.n_names = names->n,
		.jobs = s->opts->jobs,
	};

	eo_try(to_compile(s, &files));
	opts.files = files.items;
	opts.n_files = files.n;
	if (s->build)
		return eo_build_add(s->build, files.items, files.n,
				    names->items, names->n);
	return eo_build_open(s->opts->flags_of ? s->opts->flags_of : s->tree,
			     &opts, &s->build);
}

static bool is_within(const struct eo_rounds *s, const char *file)
{
	return !s->opts->within || eo_map_has(s->opts->within, file);
}

/* The files that name them, and how to compile those. */
static struct eo_error *next_batch(struct eo_rounds *s,
				   const struct eo_names *names)
{
	struct eo_candidates c = { 0 };
	struct eo_error *err;
	struct eo_candidate *it;

	s->batch.n = 0;
	err = eo_candidates_find(s->tree, names->items, names->n, s->opts->jobs,
				 &s->out->gaps, &c);
	if (!err) {
		eo_vec_for_each(it, &c)
			if (is_within(s, it->file))
				*eo_vec_push(&s->batch) =
					eo_arena_strdup(&s->arena, it->file);
		s->out->files = c.files;
		s->out->outside += c.outside;
	}
	eo_candidates_release(&c);
	if (err || !s->batch.n)
		return err;
	return eo_rounds_open_build(s, names);
}

/* Wrappers that other units can call become calls of the model. */
static void learn_wrappers(struct eo_rounds *s)
{
	for (size_t i = 0; i < s->batch.n; i++) {
		const struct eo_analysis *a =
			eo_map_get(&s->results, s->batch.items[i]);
		const struct eo_found_wrapper *w;

		for (w = a->wrappers.items;
		     w < a->wrappers.items + a->wrappers.n; w++) {
			struct eo_model_call call = { .name = w->name,
						      .ends_in = w->ends_in,
						      .also = w->also,
						      .own_books = w->own_books,
						      .always = w->always,
						      .subject = w->subject };

			if (!w->is_static)
				eo_model_add_wrapper(s->model, &call, false);
		}
	}
}

/*
 * A static wrapper is known only after its unit was looked at, and what calls
 * it may be behind an #if that the configuration did not think of. Those
 * files are done again, with their wrappers' names to configure for.
 */
static struct eo_error *retry_configured_out(struct eo_rounds *s)
{
	struct eo_names all = s->batch, names = { 0 };
	struct eo_error *err = NULL;

	s->batch = (struct eo_names){ 0 };
	for (size_t i = 0; i < all.n; i++) {
		const struct eo_analysis *a =
			eo_map_get(&s->results, all.items[i]);

		if (!a->wrappers.n ||
		    !eo_analysis_has_gap(a, EO_GAP_CONFIGURED_OUT))
			continue;
		*eo_vec_push(&s->batch) = all.items[i];
		for (size_t j = 0; j < a->wrappers.n; j++)
			*eo_vec_push(&names) = eo_arena_strdup(
				&s->arena, a->wrappers.items[j].name);
	}
	if (s->batch.n)
		err = eo_rounds_open_build(s, &names);
	if (!err && s->batch.n)
		err = eo_rounds_run_batch(s);
	free(s->batch.items);
	free(names.items);
	s->batch = all;
	return err;
}

struct eo_error *eo_rounds_run(struct eo_rounds *s)
{
	struct eo_error *err = NULL;

	for (int round = 0; !err && round < MAX_ROUNDS; round++) {
		struct eo_names names = { 0 };

		new_names(s, &names);
		if (names.n)
			err = next_batch(s, &names);
		if (!err && names.n && s->batch.n)
			err = eo_rounds_run_batch(s);
		if (!err && names.n && s->batch.n)
			err = retry_configured_out(s);
		if (!err && names.n)
			learn_wrappers(s);
		free(names.items);
		if (!names.n)
			break;
	}
	return err;
}
