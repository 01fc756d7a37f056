// SPDX-License-Identifier: GPL-2.0-only
#include "tree/kmake.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/proc.h"
#include "base/str.h"
#include "tree/arch.h"

#define TIMEOUT_MS (15 * 60 * 1000)
#define QUOTED 800 /* bytes of output in an error */

/* What the user's own shell may have set must not change what we prepare. */
static const char *const clean_env[] = {
	"MAKEFLAGS=",
	"MFLAGS=",
	"GNUMAKEFLAGS=",
	"MAKELEVEL=",
	"KCFLAGS=",
	"KCPPFLAGS=",
	"KBUILD_EXTMOD=",
	"KBUILD_OUTPUT=",
	"KCONFIG_ALLCONFIG=",
	"KCONFIG_CONFIG=.config",
	"LC_ALL=C",
	"KBUILD_VERBOSE=",
	NULL,
};

static bool in_path(const char *name)
{
	EO_CLEANUP(eo_freep) char *path = NULL;
	const char *env = getenv("PATH");
	char *save = NULL;

	path = eo_strdup(env ? env : "/usr/bin:/bin");
	for (char *dir = strtok_r(path, ":", &save); dir;
	     dir = strtok_r(NULL, ":", &save)) {
		EO_CLEANUP(eo_freep) char *file = eo_path_join(dir, name);

		if (access(file, X_OK) == 0)
			return true;
	}
	return false;
}

struct eo_error *eo_kmake_find_clang(char **cc)
{
	static const char *const names[] = { "clang-19", "clang" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (!in_path(names[i]))
			continue;
		*cc = eo_strdup(names[i]);
		return NULL;
	}
	return eo_error_new(EO_ERR_ENV,
			    "clang-19 is not in PATH; `make deps` installs it");
}

struct eo_error *eo_kmake_check_tools(void)
{
	static const char *const tools[] = { "make", "gcc",   "ld",
					     "flex", "bison", "bc" };
	EO_CLEANUP(eo_str_release) struct eo_str missing = { 0 };

	for (size_t i = 0; i < sizeof(tools) / sizeof(tools[0]); i++)
		if (!in_path(tools[i]))
			eo_str_addf(&missing, "%s%s", missing.len ? ", " : "",
				    tools[i]);
	if (!missing.len)
		return NULL;
	return eo_error_new(
		EO_ERR_ENV,
		"cannot prepare a configuration without %s; `make deps` installs what is missing, or name a kernel build with --build DIR",
		eo_str_get(&missing));
}

/* What is known about a failure whose output shows @sign. */
static const char *advice(const char *output)
{
	static const struct {
		const char *sign, *advice;
	} known[] = {
		{ "libelf", "install libelf-dev" },
		{ "gelf.h", "install libelf-dev" },
		{ "openssl/", "install libssl-dev" },
		{ "No space left",
		  "free some space there, or set XDG_CACHE_HOME to where there is" },
		{ "is not clean",
		  "run `make mrproper` in the tree, or name a build with --build DIR" },
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (strstr(output, known[i].sign))
			return known[i].advice;
	return "see what it says, or name a kernel build with --build DIR";
}

/* The last lines of @s, in one. */
static char *tail(const struct eo_str *s)
{
	const char *p = eo_str_get(s);

	if (s->len > QUOTED) {
		p += s->len - QUOTED;
		p += strcspn(p, "\n");
	}
	return eo_squeeze(p, strlen(p));
}

static struct eo_error *failed(const struct eo_kmake *k, const char *target,
			       const struct eo_proc_result *r)
{
	EO_CLEANUP(eo_str_release) struct eo_str all = { 0 };
	EO_CLEANUP(eo_freep) char *end = tail(r->err.len ? &r->err : &r->out);
	struct eo_error *log;

	eo_str_addn(&all, eo_str_get(&r->out), r->out.len);
	eo_str_addn(&all, eo_str_get(&r->err), r->err.len);
	log = eo_file_write(k->log, eo_str_get(&all), all.len);
	eo_error_free(log); /* a full disk: then the quote has to do */
	return eo_error_new(
		EO_ERR_ENV,
		"`make %s` in %s failed with status %d: %s (all of it: %s); %s",
		target, k->source, r->status, end, k->log,
		advice(eo_str_get(&all)));
}

struct args {
	struct eo_arena arena;
	const char **items;
	size_t n, cap;
};

static void args_release(struct args *a)
{
	free(a->items);
	eo_arena_release(&a->arena);
}

static void add(struct args *a, const char *arg)
{
	*eo_vec_push(a) = arg;
}

static void add_common(struct args *a, const struct eo_kmake *k,
		       const char *const *targets, size_t n)
{
	add(a, eo_arena_printf(&a->arena, "ARCH=%s", eo_arch_for_make()));
	add(a, eo_arena_printf(&a->arena, "CC=%s", k->cc));
	add(a, "CROSS_COMPILE=");
	add(a, "LLVM=");
	add(a, "W=");
	add(a, "C=0");
	add(a, "V=0");
	for (size_t i = 0; i < n; i++)
		add(a, targets[i]);
	add(a, NULL);
}

struct eo_error *eo_kmake(const struct eo_kmake *k, const char *const *targets,
			  size_t n)
{
	EO_CLEANUP(eo_proc_result_release) struct eo_proc_result r = { 0 };
	EO_CLEANUP(args_release) struct args a = { 0 };
	struct eo_proc p = { .env = clean_env, .timeout_ms = TIMEOUT_MS };

	add(&a, "make");
	add(&a, "-C");
	add(&a, k->source);
	add(&a, eo_arena_printf(&a.arena, "O=%s", k->build));
	add(&a, eo_arena_printf(&a.arena, "-j%u", k->jobs ? k->jobs : 1));
	add_common(&a, k, targets, n);
	p.argv = a.items;
	eo_try(eo_proc_run(&p, &r));
	return r.status ? failed(k, targets[0], &r) : NULL;
}

struct eo_error *eo_kmake_dry(const struct eo_kmake *k, bool direct,
			      const char *const *targets, size_t n,
			      struct eo_proc_result *r)
{
	EO_CLEANUP(args_release) struct args a = { 0 };
	struct eo_proc p = { .env = clean_env,
			     .timeout_ms = TIMEOUT_MS,
			     .max_output = 512u << 20 };

	add(&a, "make");
	add(&a, "-k");
	add(&a, "-n");
	add(&a, "--no-print-directory");
	add(&a, "-C");
	if (direct) {
		/*
		 * As the top makefile calls itself in the end: it does not
		 * hand -o on, so that is where we have to begin.
		 */
		add(&a, k->build);
		add(&a, "-f");
		add(&a, eo_arena_printf(&a.arena, "%s/Makefile", k->source));
		add(&a, "-o");
		add(&a, "prepare");
	} else {
		EO_CLEANUP(eo_freep)
		char *tools = eo_path_join(k->build, "tools");

		/* it goes there to see what it would do */
		eo_try(eo_mkdirs(tools));
		add(&a, k->source);
		add(&a, eo_arena_printf(&a.arena, "O=%s", k->build));
	}
	add_common(&a, k, targets, n);
	p.argv = a.items;
	return eo_proc_run(&p, r);
}
