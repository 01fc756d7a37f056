// SPDX-License-Identifier: GPL-2.0-only
#include "verify/bench/runner.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/proc.h"
#include "verify/bench/fragment.h"
#include "verify/bench/guest.h"
#include "verify/bench/qemu.h"
#include "verify/bench/record.h"
#include "verify/bench/study.h"

static const char *const names[] = { "qemu", "icount", "command", "host" };

const char *eo_runner_name(enum eo_runner_kind kind)
{
	return names[kind];
}

struct eo_error *eo_runner_parse(const char *name, enum eo_runner_kind *out)
{
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strcmp(names[i], name))
			continue;
		*out = (enum eo_runner_kind)i;
		return NULL;
	}
	return eo_error_new(
		EO_ERR_USAGE,
		"--runner takes icount, qemu, host or command, not %s", name);
}

static const char *env_of(const struct eo_record *r, const char *name)
{
	const struct eo_env *e;

	eo_vec_for_each(e, &r->env) {
		if (!strcmp(e->name, name))
			return e->value;
	}
	return "";
}

static bool is_counted(const struct eo_metric *m)
{
	return !strcmp(m->unit, "ns") && !eo_ends_with(m->name, ".sys");
}

/* One instruction is one nanosecond of the guest's clock. */
static void as_instructions(struct eo_record *r)
{
	size_t n = 0, s = 0;

	for (size_t i = 0; i < r->samples.n; i++) {
		const struct eo_sample *sample = &r->samples.items[i];

		if (is_counted(eo_record_metric(r, sample->metric)))
			r->samples.items[s++] = *sample;
	}
	r->samples.n = s;
	for (size_t i = 0; i < r->metrics.n; i++)
		if (is_counted(&r->metrics.items[i]))
			r->metrics.items[n++] = r->metrics.items[i];
	r->metrics.n = n;
	for (size_t i = 0; i < n; i++)
		r->metrics.items[i].unit = "instructions";
}

static struct eo_error *check_possible(const struct eo_record *r,
				       unsigned possible)
{
	const char *got = env_of(r, "possible");
	const char *last = strrchr(got, '-');
	unsigned n = (unsigned)atoi(last ? last + 1 : got) + 1;

	if (n == possible)
		return NULL;
	return eo_error_new(
		EO_ERR_INPUT,
		"the kernel has %u possible CPUs, not %u: it needs CONFIG_SMP, HOTPLUG_CPU, HYPERVISOR_GUEST and DMI and NR_CPUS=%u or more, or --possible as many as --cpus",
		n, possible, possible);
}

static const char *kernel_of(const struct eo_runner *r,
			     const struct eo_shot *what)
{
	bool placebo = what->arm == EO_PLACEBO;

	return r->kernels[what->arm + (placebo ? what->pair % EO_PLACEBOS : 0)];
}

static struct eo_error *boot(struct eo_runner *r, const struct eo_shot *what,
			     struct eo_record *out, struct eo_str *console)
{
	EO_CLEANUP(eo_freep)
	char *words = eo_asprintf("%s %s seed=%u", r->workload->name, r->params,
				  what->seed);
	unsigned possible = what->possible ? what->possible : r->possible;
	const struct eo_boot b = {
		.kernel = kernel_of(r, what),
		.initramfs = r->initramfs,
		.workload = words,
		.icount = r->kind == EO_ICOUNT,
		.kvm = r->kvm,
		.cpus = r->cpus,
		.possible = possible,
		.memory_mb = EO_BOOT_MEMORY_MB,
		.timeout_s = r->timeout_s,
	};

	eo_try(eo_boot_run(&b, out, console));
	eo_try(check_possible(out, possible));
	if (b.icount)
		as_instructions(out);
	if (out->metrics.n)
		return NULL;
	return eo_error_new(EO_ERR_INPUT,
			    "%s gives nothing that can be counted",
			    r->workload->name);
}

struct eo_error *eo_runner_run(const char *const *argv, const char *const *env,
			       unsigned timeout_s, struct eo_str *said,
			       struct eo_str *console)
{
	EO_CLEANUP(eo_proc_result_release) struct eo_proc_result r = { 0 };
	const struct eo_proc p = { .argv = argv,
				   .env = env,
				   .timeout_ms = timeout_s * 1000 };
	struct eo_error *err = eo_proc_run(&p, &r);

	eo_str_addn(console, eo_str_get(&r.err), r.err.len);
	if (err && eo_error_kind(err) == EO_ERR_TIMEOUT) {
		eo_error_free(err);
		return eo_error_new(EO_ERR_INPUT, "%s: no end within %u s",
				    argv[0], timeout_s);
	}
	if (err)
		return err;
	if (r.status)
		return eo_error_new(EO_ERR_INPUT, "%s ended with status %d: %s",
				    argv[0], r.status,
				    eo_str_get(r.err.len ? &r.err : &r.out));
	eo_str_addn(said, eo_str_get(&r.out), r.out.len);
	return NULL;
}

static struct eo_error *run_hook(const struct eo_runner *r,
				 const struct eo_shot *what,
				 struct eo_record *out, struct eo_str *console)
{
	EO_CLEANUP(eo_str_release) struct eo_str said = { 0 };
	EO_CLEANUP(eo_arena_release) struct eo_arena a = { 0 };
	const char *kernel = kernel_of(r, what);
	const char *const argv[] = { r->hook, NULL };
	const char *const env[] = {
		eo_arena_printf(&a, EO_HOOK_PHASE "=%s",
				eo_arm_name(what->arm)),
		eo_arena_printf(&a, EO_HOOK_KERNEL "=%s", kernel ? kernel : ""),
		eo_arena_printf(&a, EO_HOOK_WORKLOAD "=%s %s",
				r->workload ? r->workload->name : "",
				r->params),
		eo_arena_printf(&a, EO_HOOK_REPETITION "=%u", what->pair),
		NULL,
	};

	eo_try(eo_runner_run(argv, env, r->timeout_s, &said, console));
	return eo_record_parse(argv[0], eo_str_get(&said), said.len, false,
			       out);
}

void eo_runner_words(const struct eo_runner *r, unsigned seed,
		     struct eo_arena *a, const char **argv)
{
	char *words = eo_arena_strdup(a, r->params), *word;
	size_t n = 0;

	argv[n++] = r->guest;
	argv[n++] = r->workload->name;
	while (n < EO_GUEST_WORDS - 2 && (word = strsep(&words, " ")))
		if (*word)
			argv[n++] = word;
	argv[n++] = eo_arena_printf(a, "seed=%u", seed ? seed : 1);
	argv[n] = NULL;
}

struct eo_error *eo_runner_say(const struct eo_runner *r, unsigned seed,
			       struct eo_str *said)
{
	EO_CLEANUP(eo_str_release) struct eo_str one = { 0 };
	EO_CLEANUP(eo_str_release) struct eo_str console = { 0 };
	EO_CLEANUP(eo_record_release) struct eo_record record = { 0 };
	EO_CLEANUP(eo_arena_release) struct eo_arena a = { 0 };
	const char *argv[EO_GUEST_WORDS];

	eo_runner_words(r, seed, &a, argv);
	eo_try(eo_runner_run(argv, NULL, r->timeout_s, &one, &console));
	eo_try(eo_record_parse(r->guest, eo_str_get(&one), one.len, false,
			       &record));
	eo_str_addn(said, one.s, one.len);
	return NULL;
}

/* What was measured of the kernel before, when it ran. */
static struct eo_error *replay(struct eo_runner *r, struct eo_record *out)
{
	const char *start = r->said, *last = strstr(start, EO_RECORD_END);

	if (!last)
		return eo_error_new(
			EO_ERR_INPUT,
			"the other kernel was not measured as often");
	r->said = last + strlen(EO_RECORD_END);
	return eo_record_parse("the first phase", start,
			       (size_t)(r->said - start), false, out);
}

static struct eo_error *
run_host(struct eo_runner *r, const struct eo_shot *what, struct eo_record *out)
{
	EO_CLEANUP(eo_str_release) struct eo_str said = { 0 };

	if (what->arm == EO_BEFORE)
		return replay(r, out);
	eo_try(eo_runner_say(r, what->seed, &said));
	return eo_record_parse(r->guest, said.s, said.len, false, out);
}

static void add_option(struct eo_str *out, const char *option)
{
	if (*option && !strstr(eo_str_get(out), option))
		eo_str_addf(out, "%s%s", out->len ? ", " : "", option);
}

void eo_runner_distorting(const struct eo_record *r, struct eo_str *out)
{
	EO_CLEANUP(eo_str_release) struct eo_str of_line = { 0 };

	eo_cmdline_distorting(env_of(r, "command-line"), &of_line);
	add_option(out, env_of(r, "distorting"));
	add_option(out, eo_str_get(&of_line));
}

static struct eo_error *measure(struct eo_runner *r, const struct eo_shot *what,
				struct eo_record *out, struct eo_str *console)
{
	if (r->kind == EO_HOOK)
		return run_hook(r, what, out, console);
	if (r->kind == EO_HOST)
		return run_host(r, what, out);
	return boot(r, what, out, console);
}

struct eo_error *eo_runner_measure(void *ctx, const struct eo_shot *what,
				   struct eo_record *out,
				   struct eo_str *console)
{
	EO_CLEANUP(eo_str_release) struct eo_str distorting = { 0 };
	struct eo_runner *r = ctx;

	eo_try(measure(r, what, out, console));
	eo_runner_distorting(out, &distorting);
	if (!distorting.len || r->allow_debug)
		return NULL;
	return eo_error_new(EO_ERR_ENV, EO_DISTORTED, distorting.s);
}
