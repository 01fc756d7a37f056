// SPDX-License-Identifier: GPL-2.0-only
#include "tree/prepared.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/file.h"
#include "base/progress.h"
#include "base/str.h"
#include "tree/arch.h"
#include "tree/cmdfile.h"
#include "tree/dotconfig.h"
#include "tree/dryrun.h"
#include "tree/flags.h"
#include "tree/kbuild.h"
#include "tree/kconfig.h"
#include "tree/kmake.h"
#include "tree/lockfile.h"
#include "tree/prepstate.h"
#include "tree/shadow.h"
#include "tree/shellwords.h"
#include "tree/solve.h"
#include "tree/tree.h"
#include "tree/wants.h"

#define STEPS 4

struct eo_prepared {
	const struct eo_tree *tree;
	const char *arch;
	char *cc, *build, *shadow, *log, *state_path, *lock_path;
	bool shadowed;
	int lock;
	struct eo_kmake make;
	struct eo_prepstate state;
	/*
	 * Arenas of states that were replaced: flags that we gave away stay
	 * valid as long as we are.
	 */
	struct {
		struct eo_prepstate *items;
		size_t n, cap;
	} old;
};

static void add_stamp(struct eo_str *to, const char *root, const char *name)
{
	EO_CLEANUP(eo_freep) char *path = eo_path_join(root, name);
	struct stat st;

	if (stat(path, &st))
		eo_str_add(to, " -");
	else
		eo_str_addf(to, " %lld.%09ld/%lld",
			    (long long)st.st_mtim.tv_sec, st.st_mtim.tv_nsec,
			    (long long)st.st_size);
}

/* Changes when what we prepared can no longer be trusted. */
static char *identity(const struct eo_prepared *p)
{
	struct eo_str s = { 0 };

	eo_str_addf(&s, "%s %s %s %s %d", p->tree->version,
		    p->tree->revision ? p->tree->revision : "-",
		    eo_arch_for_make(), p->cc, p->shadowed);
	add_stamp(&s, p->tree->root, "Makefile");
	add_stamp(&s, p->tree->root, "Kconfig");
	return eo_str_take(&s);
}

/* Of the makefile that lists @file: flags change with it. */
static char *makefile_stamp(const struct eo_prepared *p, const char *file)
{
	EO_CLEANUP(eo_freep) char *dir = eo_strdup(file);
	EO_CLEANUP(eo_freep) char *path = NULL;
	struct eo_str s = { 0 };

	for (char *slash; !path && (slash = strrchr(dir, '/'));) {
		*slash = '\0';
		path = eo_kbuild_makefile(p->tree->root, dir);
	}
	if (path)
		add_stamp(&s, "", path);
	return eo_str_take(&s);
}

static struct eo_error *check_cache_path(const char *build)
{
	if (!build[strcspn(build, " \t\n:#$'\"\\%")])
		return NULL;
	return eo_error_new(
		EO_ERR_ENV,
		"%s: the kernel's makefiles cannot work in a folder with such a name; set XDG_CACHE_HOME to one without blanks, colons and quotes",
		build);
}

static struct eo_error *open_prepared(struct eo_prepared *p)
{
	const struct eo_tree *tree = p->tree;

	eo_try(eo_kmake_find_clang(&p->cc));
	eo_try(eo_tree_cache_path(tree, "build", &p->build));
	eo_try(eo_tree_cache_path(tree, "source", &p->shadow));
	eo_try(eo_tree_cache_path(tree, "make.log", &p->log));
	eo_try(eo_tree_cache_path(tree, "prepared", &p->state_path));
	eo_try(eo_tree_cache_path(tree, "lock", &p->lock_path));
	eo_try(check_cache_path(p->build));
	p->shadowed = eo_shadow_needed(tree->root, p->arch);
	p->make = (struct eo_kmake){
		.source = p->shadowed ? p->shadow : tree->root,
		.build = p->build,
		.log = p->log,
		.cc = p->cc,
		.jobs = p->make.jobs,
	};
	eo_try(eo_lockfile_open(p->lock_path, &p->lock));
	eo_try(eo_lockfile_lock(p->lock, false));
	eo_prepstate_read(p->state_path, &p->state);
	return NULL;
}

struct eo_error *eo_prepared_open(const struct eo_tree *tree, unsigned jobs,
				  struct eo_prepared **out)
{
	struct eo_prepared *p = eo_zalloc(sizeof(*p));
	struct eo_error *err;

	p->tree = tree;
	p->arch = eo_arch_of_host();
	p->lock = -1;
	p->make.jobs = jobs;
	err = open_prepared(p);
	if (err) {
		eo_prepared_free(p);
		return err;
	}
	*out = p;
	return NULL;
}

void eo_prepared_free(struct eo_prepared *p)
{
	struct eo_prepstate *s;

	if (!p)
		return;
	if (p->lock >= 0)
		close(p->lock);
	eo_vec_for_each(s, &p->old)
		eo_prepstate_release(s);
	free(p->old.items);
	eo_prepstate_release(&p->state);
	free(p->cc);
	free(p->build);
	free(p->shadow);
	free(p->log);
	free(p->state_path);
	free(p->lock_path);
	free(p);
}

static bool includes(const struct eo_map *have, const struct eo_map *want)
{
	const struct eo_map_entry *e;

	eo_map_for_each(e, want)
		if (!eo_map_has(have, e->key))
			return false;
	return true;
}

static bool is_configured(const struct eo_prepared *p, const struct eo_wants *w)
{
	EO_CLEANUP(eo_freep) char *now = identity(p);

	return eo_streq(p->state.identity, now) &&
	       includes(&p->state.on, &w->on) &&
	       includes(&p->state.off, &w->off);
}

static bool is_known(const struct eo_prepared *p, const char *file)
{
	const struct eo_prepfile *f = eo_map_get(&p->state.files, file);
	EO_CLEANUP(eo_freep) char *stamp = f ? makefile_stamp(p, file) : NULL;

	return f && eo_streq(f->makefile, stamp);
}

static bool is_complete(const struct eo_prepared *p, const struct eo_wants *w,
			const char *const *files, size_t n)
{
	if (!is_configured(p, w))
		return false;
	for (size_t i = 0; i < n; i++)
		if (!is_known(p, files[i]))
			return false;
	return true;
}

static struct eo_error *make_target(const struct eo_prepared *p, unsigned step,
				    const char *target)
{
	eo_progress("preparing a configuration", step, STEPS, target);
	return eo_kmake(&p->make, &target, 1);
}

/*
 * The .config to begin with. The kernel's own file, when it is where we think
 * it is: "make olddefconfig" completes it, and "make defconfig" would have
 * Kconfig ask the compiler for all of its features once more.
 */
static struct eo_error *begin_config(struct eo_prepared *p, const char *config)
{
	EO_CLEANUP(eo_freep) char *path = eo_arch_defconfig(p->tree->root);
	EO_CLEANUP(eo_str_release) struct eo_str text = { 0 };

	if (!path)
		return make_target(p, 1, "defconfig");
	eo_try(eo_file_read(path, &text));
	return eo_file_write(config, eo_str_get(&text), text.len);
}

/*
 * From nothing, or from what is there with what @w wants in addition; then
 * *changed may come out false.
 */
static struct eo_error *configure(struct eo_prepared *p,
				  const struct eo_wants *w, bool *changed)
{
	EO_CLEANUP(eo_freep) char *config = eo_path_join(p->build, ".config");
	struct eo_kconfig *kconfig;
	struct eo_error *err;
	bool fresh = !eo_is_file(config);

	eo_try(eo_kmake_check_tools());
	if (p->shadowed)
		eo_try(eo_shadow_make(p->tree->root, p->arch, p->shadow));
	eo_try(eo_mkdirs(p->build));
	if (fresh)
		eo_try(begin_config(p, config));
	eo_progress("preparing a configuration", 2, STEPS, "olddefconfig");
	eo_try(eo_kconfig_open(p->tree->root, p->arch, &kconfig));
	err = eo_wants_apply(&p->make, kconfig, w, &p->state.on, fresh,
			     changed);
	eo_kconfig_free(kconfig);
	if (err || !*changed)
		return err;
	/*
	 * All of the headers; "make prepare" would go on to build objtool,
	 * for which one needs libelf.
	 */
	return make_target(p, 3, "prepare0");
}

/* What one needs to say of a file whether it is built, and why not. */
struct verdict {
	struct eo_prepared *p;
	struct eo_kconfig *kconfig;
	struct eo_map config;
	struct eo_map flags; /* file → flags, from the dry run */
};

/* Why @file is not built, or NULL. In the state's arena. */
static struct eo_error *why_not(struct verdict *v, const char *file,
				const char **why, bool *listed)
{
	EO_CLEANUP(eo_map_release) struct eo_map on = { 0 };
	struct eo_arena *a = &v->p->state.arena;
	const struct eo_map_entry *e;
	char foreign[64];

	*why = NULL;
	if (eo_arch_is_foreign(file, v->p->arch, foreign, sizeof(foreign))) {
		*why = eo_arena_printf(a, "arch/%s is not built for %s",
				       foreign, v->p->arch);
		return NULL;
	}
	eo_try(eo_kbuild_conditions(v->p->tree->root, v->p->arch, file, &on,
				    listed));
	eo_map_for_each(e, &on) {
		EO_CLEANUP(eo_freep) char *s = NULL;

		if (eo_dotconfig_on(&v->config, e->key))
			continue;
		s = eo_solve_why(v->kconfig, &v->config, v->p->arch, e->key);
		*why = eo_arena_strdup(a, s);
		return NULL;
	}
	return NULL;
}

/* The flags of any file, for one that make has no rule for. */
static void borrow(struct eo_prepared *p, const char *file,
		   struct eo_prepfile *f)
{
	EO_CLEANUP(eo_words_release) struct eo_words command = { 0 };
	struct eo_arena *a = &p->state.arena;
	const char *of;

	if (!eo_cmdfile_nearest(p->build, file, a, &command, &of)) {
		f->why = "make has no rule that compiles it";
		return;
	}
	f->flags =
		eo_flags_rename(a, eo_flags_for_clang(a, &command, NULL), file);
	f->why = eo_arena_printf(
		a,
		"make has no rule that compiles it: the flags are those of %s",
		of);
}

static struct eo_error *judge(struct verdict *v, const char *file)
{
	struct eo_arena *a = &v->p->state.arena;
	struct eo_prepfile *f = eo_arena_new(a, struct eo_prepfile);
	EO_CLEANUP(eo_freep) char *stamp = makefile_stamp(v->p, file);
	bool listed = true;

	f->makefile = eo_arena_strdup(a, stamp);
	eo_try(why_not(v, file, &f->why, &listed));
	eo_map_set(&v->p->state.files, file, f);
	if (f->why)
		return NULL;
	f->flags = eo_map_get(&v->flags, file);
	if (!f->flags)
		borrow(v->p, file, f);
	else if (!listed)
		f->why =
			"no makefile line that builds it was found: another file may include it";
	return NULL;
}

/* Those of the files that are worth asking make for. */
static struct eo_error *dry_run(struct verdict *v, const char *const *files,
				size_t n)
{
	const char **ask = eo_zalloc((n + 1) * sizeof(*ask));
	struct eo_error *err = NULL;
	size_t m = 0;

	for (size_t i = 0; i < n && !err; i++) {
		const char *why;
		bool listed;

		err = why_not(v, files[i], &why, &listed);
		if (!err && !why)
			ask[m++] = files[i];
	}
	eo_progress("preparing a configuration", 4, STEPS, "compiler flags");
	if (!err && m)
		err = eo_dryrun(&v->p->make, ask, m, &v->p->state.arena,
				&v->flags);
	free(ask);
	return err;
}

static struct eo_error *find_flags(struct eo_prepared *p,
				   const char *const *files, size_t n)
{
	EO_CLEANUP(eo_freep) char *config = eo_path_join(p->build, ".config");
	struct verdict v = { .p = p };
	struct eo_error *err;

	eo_try(eo_dotconfig_read(config, &v.config));
	err = eo_kconfig_open(p->tree->root, p->arch, &v.kconfig);
	if (!err)
		err = dry_run(&v, files, n);
	for (size_t i = 0; i < n && !err; i++)
		err = judge(&v, files[i]);
	eo_kconfig_free(v.kconfig);
	eo_map_release(&v.config);
	eo_map_release(&v.flags);
	return err;
}

static void add_all(struct eo_map *to, const struct eo_map *from)
{
	const struct eo_map_entry *e;

	eo_map_for_each(e, from)
		eo_set_add(to, e->key);
}

static void add_missing(struct eo_map *to, const struct eo_map *from,
			const struct eo_map *have)
{
	const struct eo_map_entry *e;

	eo_map_for_each(e, from)
		if (!eo_map_has(have, e->key))
			eo_set_add(to, e->key);
}

/* A new configuration, with what was wanted before and what @w wants. */
static struct eo_error *reconfigure(struct eo_prepared *p,
				    const struct eo_wants *w, bool *changed)
{
	EO_CLEANUP(eo_freep) char *now = identity(p);
	EO_CLEANUP(eo_wants_release) struct eo_wants more = { 0 };

	unlink(p->state_path);
	if (!eo_streq(p->state.identity, now)) {
		*eo_vec_push(&p->old) = p->state;
		p->state = (struct eo_prepstate){ 0 };
		eo_try(eo_remove_tree(p->build));
	}
	p->state.identity = eo_arena_strdup(&p->state.arena, now);
	add_missing(&more.on, &w->on, &p->state.on);
	add_missing(&more.off, &w->off, &p->state.off);
	add_all(&p->state.on, &more.on);
	add_all(&p->state.off, &more.off);
	return configure(p, &more, changed);
}

/* New flags for those of @files that want them, and for all known if @all. */
static struct eo_error *update_flags(struct eo_prepared *p,
				     const char *const *files, size_t n,
				     bool all)
{
	EO_CLEANUP(eo_map_release) struct eo_map ask = { 0 };
	const struct eo_map_entry *e;
	const char **list;
	struct eo_error *err;
	size_t m = 0;

	for (size_t i = 0; i < n; i++)
		if (all || !is_known(p, files[i]))
			eo_set_add(&ask, files[i]);
	if (all)
		add_all(&ask, &p->state.files);
	list = eo_zalloc((ask.n + 1) * sizeof(*list));
	eo_map_for_each(e, &ask)
		list[m++] = e->key;
	err = find_flags(p, list, m);
	free(list);
	return err;
}

static struct eo_error *update(struct eo_prepared *p, const struct eo_wants *w,
			       const char *const *files, size_t n)
{
	bool changed = false;

	/* while we waited for the lock, another may have done our work */
	*eo_vec_push(&p->old) = p->state;
	p->state = (struct eo_prepstate){ 0 };
	eo_prepstate_read(p->state_path, &p->state);
	if (is_complete(p, w, files, n))
		return NULL;
	if (!is_configured(p, w))
		eo_try(reconfigure(p, w, &changed));
	eo_try(update_flags(p, files, n, changed));
	return eo_prepstate_write(p->state_path, &p->state);
}

struct eo_error *eo_prepared_add(struct eo_prepared *p,
				 const char *const *files, size_t n_files,
				 const char *const *names, size_t n_names)
{
	EO_CLEANUP(eo_wants_release) struct eo_wants w = { 0 };
	struct eo_error *err;

	eo_try(eo_wants_collect(p->tree->root, p->arch, files, n_files, names,
				n_names, &w));
	if (is_complete(p, &w, files, n_files))
		return NULL;
	err = eo_lockfile_lock(p->lock, true);
	if (!err)
		err = update(p, &w, files, n_files);
	eo_progress_end();
	if (err)
		return err;
	return eo_lockfile_lock(p->lock, false);
}

const char *const *eo_prepared_flags(const struct eo_prepared *p,
				     const char *file, const char **why)
{
	const struct eo_prepfile *f = eo_map_get(&p->state.files, file);

	*why = f ? f->why : "it was no candidate when flags were asked for";
	return f ? f->flags : NULL;
}

const char *eo_prepared_dir(const struct eo_prepared *p)
{
	return p->build;
}
