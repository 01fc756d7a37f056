// SPDX-License-Identifier: GPL-2.0-only
#include "verify/kbuild.h"

#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/proc.h"
#include "base/progress.h"
#include "tree/arch.h"
#include "tree/dotconfig.h"
#include "tree/kconfig.h"
#include "tree/kmake.h"
#include "tree/solve.h"
#include "tree/wants.h"
#include "verify/source.h"

#define SRC "/src"
#define OUT "/out"
#define FRAGMENT "earlyout.config"
#define ROUNDS 4
#define QUOTED 1500

const char *eo_kbuild_source(const struct eo_kbuild *k)
{
	return k->no_sandbox ? k->source->dir : SRC;
}

const char *eo_kbuild_out(const struct eo_kbuild *k)
{
	return k->no_sandbox ? k->out : OUT;
}

/* The user's own of these must not change what is built. */
static const char *const env[] = {
	"MAKEFLAGS=",
	"MFLAGS=",
	"GNUMAKEFLAGS=",
	"MAKELEVEL=",
	"KCFLAGS=",
	"KCPPFLAGS=",
	"KBUILD_EXTMOD=",
	"KBUILD_OUTPUT=",
	"LC_ALL=C",
	"KBUILD_BUILD_TIMESTAMP=1970-01-01",
	"LLVM=",
	"CROSS_COMPILE=",
	NULL,
};

struct eo_error *eo_kbuild_run(const struct eo_kbuild *k,
			       const char *const *argv,
			       struct eo_proc_result *r)
{
	const struct eo_bind binds[] = {
		{ k->source->dir, SRC, false },
		{ k->out, OUT, !k->read_only },
	};
	const struct eo_sandbox s = { .off = k->no_sandbox,
				      .binds = binds,
				      .n_binds = 2,
				      .limits = k->limits };
	const struct eo_proc p = { .argv = argv,
				   .cwd = eo_kbuild_out(k),
				   .env = env,
				   .watch = k->watch,
				   .watch_data = k->watch_data };

	eo_try(eo_mkdirs(k->out));
	return eo_sandbox_run(&s, &p, r);
}

struct words {
	struct eo_arena arena;
	const char **items;
	size_t n, cap;
};

static void words_release(struct words *w)
{
	free(w->items);
	eo_arena_release(&w->arena);
}

#define ADD(w, ...) \
	(*eo_vec_push(w) = eo_arena_printf(&(w)->arena, __VA_ARGS__))

struct eo_error *eo_kbuild_make(const struct eo_kbuild *k,
				const char *const *args,
				struct eo_proc_result *r)
{
	EO_CLEANUP(words_release) struct words w = { 0 };

	ADD(&w, "make");
	ADD(&w, "-C");
	ADD(&w, "%s", eo_kbuild_source(k));
	ADD(&w, "O=%s", eo_kbuild_out(k));
	ADD(&w, "-j%u", k->jobs ? k->jobs : 1);
	ADD(&w, "ARCH=%s", eo_arch_for_make());
	ADD(&w, "CC=%s", k->cc ? k->cc : "gcc");
	ADD(&w, "HOSTCC=gcc");
	for (; *args; args++)
		ADD(&w, "%s", *args);
	*eo_vec_push(&w) = NULL;
	return eo_kbuild_run(k, w.items, r);
}

static struct eo_error *must_make(const struct eo_kbuild *k,
				  const char *const *args)
{
	EO_CLEANUP(eo_proc_result_release) struct eo_proc_result r = { 0 };
	EO_CLEANUP(eo_freep) char *end = NULL;
	const struct eo_str *said;

	eo_try(eo_kbuild_make(k, args, &r));
	if (r.status == 0)
		return NULL;
	said = r.err.len ? &r.err : &r.out;
	end = eo_squeeze(eo_str_get(said) +
				 (said->len > QUOTED ? said->len - QUOTED : 0),
			 said->len > QUOTED ? QUOTED : said->len);
	return eo_error_new(EO_ERR_ENV, "`make %s` failed with status %d: %s",
			    args[0], r.status, end);
}

#define MAKE(k, ...) must_make((k), (const char *const[]){ __VA_ARGS__, NULL })

/* One round: Kconfig completes what the fragment says. */
static struct eo_error *allnoconfig(const struct eo_kbuild *k,
				    const char *fragment,
				    const struct eo_wants *change)
{
	EO_CLEANUP(eo_freep) char *path = eo_path_join(k->out, FRAGMENT);
	EO_CLEANUP(eo_freep)
	char *all =
		eo_asprintf("KCONFIG_ALLCONFIG=%s/" FRAGMENT, eo_kbuild_out(k));
	EO_CLEANUP(eo_str_release) struct eo_str text = { 0 };
	const struct eo_map_entry *e;

	eo_str_add(&text, fragment ? fragment : "");
	if (text.len && text.s[text.len - 1] != '\n')
		eo_str_addc(&text, '\n');
	eo_map_for_each(e, &change->on)
		eo_str_addf(&text, "CONFIG_%s=y\n", e->key);
	eo_map_for_each(e, &change->off)
		if (!eo_map_has(&change->on, e->key))
			eo_str_addf(&text, "# CONFIG_%s is not set\n", e->key);
	eo_try(eo_mkdirs(k->out));
	eo_try(eo_file_write(path, eo_str_get(&text), text.len));
	return MAKE(k, "allnoconfig", all);
}

static bool add_new(struct eo_map *to, const struct eo_map *from)
{
	const struct eo_map_entry *e;
	bool added = false;

	eo_map_for_each(e, from)
		added |= eo_set_add(to, e->key);
	return added;
}

static void say_missing(const struct eo_kconfig *kconfig,
			const struct eo_wants *wants,
			const struct eo_map *config, struct eo_str *missing)
{
	const struct eo_map_entry *e;

	eo_map_for_each(e, &wants->on) {
		EO_CLEANUP(eo_freep) char *why = NULL;

		if (eo_dotconfig_on(config, e->key))
			continue;
		why = eo_solve_why(kconfig, config, eo_arch_of_host(), e->key);
		eo_str_addf(missing, "%s\n", why);
	}
	eo_map_for_each(e, &wants->off)
		if (eo_dotconfig_on(config, e->key))
			eo_str_addf(missing,
				    "CONFIG_%s could not be switched off\n",
				    e->key);
}

static struct eo_error *solve(const struct eo_kbuild *k,
			      const struct eo_kconfig *kconfig,
			      const char *fragment,
			      const struct eo_wants *wants,
			      struct eo_str *missing)
{
	EO_CLEANUP(eo_freep) char *path = eo_path_join(k->out, ".config");
	EO_CLEANUP(eo_wants_release) struct eo_wants change = { 0 };
	const struct eo_map_entry *e;

	add_new(&change.off, &wants->off);
	for (int round = 0;; round++) {
		EO_CLEANUP(eo_map_release) struct eo_map config = { 0 };
		EO_CLEANUP(eo_wants_release) struct eo_wants next = { 0 };
		struct eo_solve s = { .kconfig = kconfig,
				      .config = &config,
				      .on = &next.on,
				      .off = &next.off,
				      .select = round > 1 };
		bool more = false;

		if (round)
			eo_try(eo_dotconfig_read(path, &config));
		eo_map_for_each(e, &wants->on)
			eo_solve(&s, e->key);
		more |= add_new(&change.on, &next.on);
		more |= add_new(&change.off, &next.off);
		if (round && (!more || round == ROUNDS)) {
			say_missing(kconfig, wants, &config, missing);
			return NULL;
		}
		eo_try(allnoconfig(k, fragment, &change));
	}
}

struct eo_error *eo_kbuild_configure(const struct eo_kbuild *k,
				     const char *fragment,
				     const struct eo_wants *wants,
				     struct eo_str *missing)
{
	static const struct eo_wants nothing;
	struct eo_kconfig *kconfig;
	struct eo_error *err;

	eo_try(eo_kmake_check_tools());
	eo_try(eo_kconfig_open(k->source->dir, eo_arch_of_host(), &kconfig));
	err = solve(k, kconfig, fragment, wants ? wants : &nothing, missing);
	eo_kconfig_free(kconfig);
	return err;
}

struct eo_error *eo_kbuild_prepare(const struct eo_kbuild *k)
{
	return MAKE(k, "prepare", "W=1");
}

static void add_stamp(struct eo_str *to, const struct eo_kbuild *k,
		      const char *file)
{
	EO_CLEANUP(eo_freep) char *path = eo_path_join(k->source->dir, file);
	struct stat st;

	if (stat(path, &st) == 0)
		eo_str_addf(to, "%s %lld.%09ld %lld\n", file,
			    (long long)st.st_mtim.tv_sec, st.st_mtim.tv_nsec,
			    (long long)st.st_size);
}

static void add_set(struct eo_str *to, const char *what,
		    const struct eo_map *set)
{
	const struct eo_map_entry *e;

	eo_map_for_each(e, set)
		eo_str_addf(to, "%s %s\n", what, e->key);
}

/* Which compiler "gcc" is today. */
static void add_compiler(struct eo_str *to, const char *cc)
{
	const char *const argv[] = { cc, "--version", NULL };
	const struct eo_proc p = { .argv = argv, .timeout_ms = 10000 };
	EO_CLEANUP(eo_proc_result_release) struct eo_proc_result r = { 0 };

	eo_error_free(eo_proc_run(&p, &r));
	eo_str_addf(to, "%s %.*s\n", cc, (int)strcspn(eo_str_get(&r.out), "\n"),
		    eo_str_get(&r.out));
}

void eo_kbuild_key(const struct eo_kbuild *k, const char *fragment,
		   const struct eo_wants *wants, char out[17])
{
	EO_CLEANUP(eo_str_release) struct eo_str s = { 0 };

	add_compiler(&s, k->cc ? k->cc : "gcc");
	add_stamp(&s, k, "Makefile");
	add_stamp(&s, k, "Kconfig");
	add_stamp(&s, k, "scripts/Makefile.build");
	eo_str_addf(&s, "%s\n%s\n", eo_kbuild_source(k),
		    fragment ? fragment : "");
	if (wants) {
		add_set(&s, "on", &wants->on);
		add_set(&s, "off", &wants->off);
	}
	eo_hash_hex(eo_str_get(&s), s.len, out);
}

struct eo_error *eo_kbuild_copy(const char *from, const char *to)
{
	const char *const argv[] = { "cp", "-a", "--reflink=auto", "--", from,
				     to,   NULL };
	const struct eo_proc p = { .argv = argv };
	EO_CLEANUP(eo_proc_result_release) struct eo_proc_result r = { 0 };

	return eo_proc_check(&p, &r);
}

/* Made beside its place and renamed, so that what is there is complete. */
static struct eo_error *make_template(struct eo_kbuild *k, const char *fragment,
				      const struct eo_wants *wants,
				      const char *dir, const char *said)
{
	EO_CLEANUP(eo_freep) char *notes = NULL;
	EO_CLEANUP(eo_str_release) struct eo_str missing = { 0 };

	notes = eo_path_join(k->out, said);
	eo_try(eo_remove_tree(k->out));
	eo_progress("preparing a configuration", 0, 2, "allnoconfig");
	eo_try(eo_kbuild_configure(k, fragment, wants, &missing));
	eo_progress("preparing a configuration", 1, 2, "prepare");
	eo_try(eo_kbuild_prepare(k));
	eo_try(eo_file_write(notes, eo_str_get(&missing), missing.len));
	if (eo_streq(k->out, dir))
		return NULL;
	eo_try(eo_remove_tree(dir));
	if (rename(k->out, dir))
		return eo_error_new(EO_ERR_ENV, "cannot rename %s", k->out);
	return NULL;
}

struct eo_error *eo_kbuild_template(const struct eo_kbuild *k,
				    const char *fragment,
				    const struct eo_wants *wants, char **dir,
				    struct eo_str *missing)
{
	static const char said[] = "earlyout.missing";
	EO_CLEANUP(eo_freep) char *parent = eo_strdup(k->source->dir);
	EO_CLEANUP(eo_freep) char *path = NULL, *new = NULL, *notes = NULL;
	struct eo_kbuild own = *k;
	char key[17];

	eo_kbuild_key(k, fragment, wants, key);
	path = eo_asprintf("%s/kbuild-%s", dirname(parent), key);
	new = eo_asprintf("%s.new", path);
	notes = eo_path_join(path, said);
	/* without the sandbox the path is in what is built: no rename then */
	own.out = k->no_sandbox ? path : new;
	if (!eo_is_file(notes))
		eo_try(make_template(&own, fragment, wants, path, said));
	eo_try(eo_file_read(notes, missing));
	*dir = path;
	path = NULL;
	return NULL;
}
