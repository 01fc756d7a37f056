// SPDX-License-Identifier: GPL-2.0-only
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/file.h"
#include "cli/bench.h"
#include "cli/cli.h"
#include "db/bench.h"
#include "reports/escape.h"
#include "tree/tree.h"
#include "verify/bench/fragment.h"
#include "verify/bench/guest.h"
#include "verify/bench/record.h"

static const char *quantity(const struct eo_metric *m)
{
	if (!strcmp(m->unit, "instructions"))
		return "guest instructions";
	if (eo_ends_with(m->name, ".sys"))
		return "system CPU time";
	if (!strcmp(m->unit, "1/s"))
		return "operations a second";
	return "time";
}

static const struct eo_result *result_of(const struct eo_study *s,
					 const char *metric)
{
	const struct eo_result *r;

	eo_vec_for_each(r, &s->results) {
		if (!strcmp(r->metric, metric))
			return r;
	}
	return NULL;
}

static void add_metrics(const struct eo_bench_work *w, struct eo_bench *b)
{
	const struct eo_record *record = eo_study_record(&w->study);
	const struct eo_metric *m;

	if (!record)
		return;
	eo_vec_for_each(m, &record->metrics) {
		const struct eo_result *r = result_of(&w->study, m->name);
		struct eo_bench_metric *to = eo_vec_push(&b->metrics);
		const struct eo_effect *e = r ? &r->effect : NULL;

		*to = (struct eo_bench_metric){
			.metric = m->name,
			.words = m->words,
			.quantity = quantity(m),
			.unit = m->unit,
			.higher_is_better = m->higher_is_better,
		};
		if (!e)
			continue;
		to->pairs = (unsigned)e->n;
		to->before = e->before;
		to->after = e->after;
		to->change = e->change;
		to->low = e->interval.low;
		to->high = e->interval.high;
		to->p = e->p;
		to->noise = e->noise;
		to->layout = e->layout;
		to->verdict = eo_verdict_name(e->verdict);
	}
}

static void add_shots(struct eo_bench_work *w, struct eo_bench *b)
{
	const struct eo_shot *s;

	eo_vec_for_each(s, &w->study.shots) {
		struct eo_bench_shot *to = eo_vec_push(&b->shots);
		struct eo_bench_sample *samples;

		samples = eo_arena_alloc(&b->arena, (s->record.samples.n + 1) *
							    sizeof(*samples));
		for (size_t i = 0; i < s->record.samples.n; i++) {
			const struct eo_sample *one =
				&s->record.samples.items[i];

			samples[i] = (struct eo_bench_sample){ one->metric,
							       one->batch,
							       one->value };
		}
		*to = (struct eo_bench_shot){
			.phase = eo_phase_name(s->phase),
			.arm = eo_arm_name(s->arm),
			.pair = s->pair,
			.position = s->position,
			.possible = s->possible,
			.second = s->second,
			.seconds = s->seconds,
			.failure = s->failure,
			.console = s->failure ? eo_str_get(&s->console) : NULL,
			.samples = samples,
			.n_samples = s->record.samples.n,
		};
		if (s->failure)
			b->failure = eo_arena_printf(&b->arena, "%s: %s",
						     eo_arm_name(s->arm),
						     s->failure);
	}
}

static void add_curve(const struct eo_bench_work *w, struct eo_bench *b)
{
	const struct eo_curve_point *p;

	eo_vec_for_each(p, &w->study.curve)
		*eo_vec_push(&b->curve) =
			(struct eo_bench_point){ p->metric, p->possible,
						 p->before, p->after };
}

static void add_profile(const struct eo_bench_work *w, struct eo_bench *b)
{
	const struct eo_count *r;

	eo_vec_for_each(r, &w->profile)
		*eo_vec_push(&b->profile) =
			(struct eo_bench_function){ r->symbol, r->before,
						    r->after };
}

/* The releases of a host's two kernels, which are seldom the same. */
static const char *host_kernels(const struct eo_bench_work *w,
				struct eo_bench *b)
{
	const char *before = w->runner.kernels[EO_BEFORE];
	const char *after = w->runner.kernels[EO_AFTER];
	int m = (int)strcspn(before, " "), n = (int)strcspn(after, " ");

	if (m == n && !strncmp(before, after, (size_t)n))
		return eo_arena_strndup(&b->arena, before, (size_t)m);
	return eo_arena_printf(&b->arena, "%.*s and %.*s", m, before, n, after);
}

static void add_env(struct eo_bench_work *w, struct eo_bench *b)
{
	const struct eo_record *record = eo_study_record(&w->study);
	const struct eo_machine_fact *f;
	const struct eo_env *e;

	b->kernel = w->s->tree->version;
	if (record)
		eo_vec_for_each(e, &record->env) {
			EO_CLEANUP(eo_freep)
			char *name = eo_asprintf("guest %s", e->name);

			eo_machine_add(&w->machine, name, e->value);
			if (!strcmp(e->name, "kernel"))
				b->kernel = eo_arena_strndup(
					&b->arena, e->value,
					strcspn(e->value, " "));
		}
	if (w->runner.kind == EO_HOST)
		b->kernel = host_kernels(w, b);
	eo_vec_for_each(f, &w->machine)
		*eo_vec_push(&b->env) =
			(struct eo_bench_env){ f->name, f->value };
}

static const char *machine_words(const struct eo_bench_work *w,
				 struct eo_bench *b)
{
	const struct eo_runner *r = &w->runner;

	if (r->kind == EO_HOOK)
		return eo_arena_printf(&b->arena, "the hook %s", w->hook);
	if (r->kind == EO_HOST)
		return "the machine itself, one boot of each kernel";
	return eo_arena_printf(&b->arena, "QEMU %s, %u %s, %u possible",
			       r->kvm ? "KVM" :
			       r->kind == EO_ICOUNT ?
					"TCG counting instructions" :
					"TCG",
			       r->cpus, r->cpus == 1 ? "vCPU" : "vCPUs",
			       r->possible);
}

static const char *config_words(const struct eo_bench_work *w,
				struct eo_bench *b)
{
	EO_CLEANUP(eo_str_release) struct eo_str text = { 0 };
	char hash[17];

	if (!w->kernels[0].config)
		return "a configuration that is not known";
	eo_error_free(eo_file_read(w->kernels[0].config, &text));
	eo_hash_hex(eo_str_get(&text), text.len, hash);
	return eo_arena_printf(&b->arena, "%s (%s)",
			       w->kernels[0].image ?
				       eo_bench_fragment_words :
				       "the configuration beside the image",
			       hash);
}

static char *command_words(const struct eo_args *a)
{
	const struct eo_bench_args *b = &a->bench;
	const struct {
		const char *option, *value;
	} given[] = {
		{ "patch", b->patch },	 { "before", b->before },
		{ "after", b->after },	 { "finding", b->finding },
		{ "runner", b->runner }, { "hook", b->hook },
		{ "budget", b->budget },
	};
	EO_CLEANUP(eo_str_release) struct eo_str s = { 0 };

	eo_str_add(&s, "earlyout bench");
	for (int i = 0; i < a->n_words; i++) {
		eo_str_addc(&s, ' ');
		eo_add_shell(&s, a->words[i]);
	}
	for (size_t i = 0; i < sizeof(given) / sizeof(given[0]); i++) {
		if (!given[i].value)
			continue;
		eo_str_addf(&s, " --%s ", given[i].option);
		eo_add_shell(&s, given[i].value);
	}
	if (b->cpus)
		eo_str_addf(&s, " --cpus %u", b->cpus);
	if (b->possible)
		eo_str_addf(&s, " --possible %u", b->possible);
	eo_str_add(&s, b->curve ? " --curve" : "");
	eo_str_add(&s, b->profile ? " --profile" : "");
	eo_str_add(&s, b->allow_debug ? " --allow-debug" : "");
	return eo_str_take(&s);
}

struct eo_error *eo_bench_store(struct eo_bench_work *w, int64_t *id)
{
	EO_CLEANUP(eo_bench_release) struct eo_bench b = { 0 };
	EO_CLEANUP(eo_freep) char *command = command_words(w->args);
	const struct eo_runner *r = &w->runner;
	const struct eo_shot *shot;

	eo_vec_for_each(shot, &w->study.shots)
		eo_runner_distorting(&shot->record, &w->distorting);
	b.root = w->s->tree->root;
	b.workload = r->workload->name;
	b.params = r->params;
	b.stands_for = r->workload->stands_for;
	b.runner = eo_runner_name(r->kind);
	b.what = w->what;
	b.patch = w->patch.len ? w->patch.s : NULL;
	b.finding = *w->finding ? w->finding : NULL;
	b.before_kernel = w->kernels[0].image ? w->kernels[0].key :
			  r->kernels[0]	      ? r->kernels[0] :
						"";
	b.after_kernel = w->kernels[1].image ? w->kernels[1].key :
			 r->kernels[1]	     ? r->kernels[1] :
					       "";
	b.cpus = r->cpus;
	b.possible = r->possible;
	b.budget_s = w->budget_s;
	b.started = w->started;
	b.duration_ms = llround(w->study.seconds * 1000);
	b.seed = w->started;
	b.stopped = w->study.stopped;
	b.distorting = w->distorting.len ? w->distorting.s : NULL;
	b.command = command;
	b.machine = machine_words(w, &b);
	b.config = config_words(w, &b);
	add_env(w, &b);
	add_metrics(w, &b);
	add_shots(w, &b);
	add_curve(w, &b);
	add_profile(w, &b);
	eo_try(eo_db_put_bench(w->s->db, &b));
	*id = b.id;
	return NULL;
}
