// SPDX-License-Identifier: GPL-2.0-only
#include "tree/wants.h"

#include <stdbool.h>
#include <unistd.h>

#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/str.h"
#include "tree/arch.h"
#include "tree/conditions.h"
#include "tree/dotconfig.h"
#include "tree/kbuild.h"
#include "tree/kmake.h"
#include "tree/solve.h"

#define ROUNDS 4

void eo_wants_release(struct eo_wants *w)
{
	eo_map_release(&w->on);
	eo_map_release(&w->off);
}

struct eo_error *eo_wants_collect(const char *root, const char *arch,
				  const char *const *files, size_t n_files,
				  const char *const *names, size_t n_names,
				  struct eo_wants *w)
{
	for (size_t i = 0; i < n_files; i++) {
		EO_CLEANUP(eo_freep) char *path = eo_path_join(root, files[i]);
		EO_CLEANUP(eo_str_release) struct eo_str text = { 0 };
		struct eo_error *err;
		char foreign[64];
		bool found;

		if (eo_arch_is_foreign(files[i], arch, foreign,
				       sizeof(foreign)))
			continue;
		err = eo_file_read(path, &text);
		eo_error_free(err); /* the candidate pass has it as a gap */
		if (err)
			continue;
		eo_conditions_in_text(eo_str_get(&text), names, n_names, &w->on,
				      &w->off);
		eo_try(eo_kbuild_conditions(root, arch, files[i], &w->on,
					    &found));
	}
	return NULL;
}

/* The changes that would help now: for all that is wanted and is not so yet. */
static void solve_all(struct eo_solve *s, const struct eo_wants *w,
		      const struct eo_map *keep)
{
	const struct eo_map_entry *e;

	eo_map_for_each(e, &w->on)
		eo_solve(s, e->key);
	eo_map_for_each(e, &w->off)
		if (!eo_map_has(keep, e->key) &&
		    eo_dotconfig_on(s->config, e->key))
			eo_set_add(s->off, e->key);
}

/*
 * Kconfig writes what the build reads, autoconf.h and its kin, only where
 * there is none yet; else the next make would run all of Kconfig again, which
 * takes as long as everything else.
 */
static struct eo_error *olddefconfig(const struct eo_kmake *k)
{
	static const char *const target[] = { "olddefconfig" };
	EO_CLEANUP(eo_freep)
	char *built = eo_path_join(k->build, "include/config/auto.conf");

	unlink(built);
	return eo_kmake(k, target, 1);
}

static void add_new(struct eo_wants *change, const struct eo_wants *next,
		    const struct eo_map *keep)
{
	const struct eo_map_entry *e;

	eo_map_for_each(e, &next->on)
		eo_set_add(&change->on, e->key);
	eo_map_for_each(e, &next->off)
		if (!eo_map_has(keep, e->key))
			eo_set_add(&change->off, e->key);
}

struct eo_error *eo_wants_apply(const struct eo_kmake *k,
				const struct eo_kconfig *kconfig,
				const struct eo_wants *w,
				const struct eo_map *keep, bool fresh,
				bool *changed)
{
	EO_CLEANUP(eo_wants_release) struct eo_wants change = { 0 };
	EO_CLEANUP(eo_freep) char *path = eo_path_join(k->build, ".config");

	*changed = false;
	for (int round = 0; round < ROUNDS; round++) {
		EO_CLEANUP(eo_map_release) struct eo_map config = { 0 };
		EO_CLEANUP(eo_wants_release) struct eo_wants next = { 0 };
		struct eo_solve s = { .kconfig = kconfig,
				      .config = &config,
				      .on = &next.on,
				      .off = &next.off,
				      .select = round > 0 };
		size_t before = change.on.n + change.off.n;

		eo_try(eo_dotconfig_read(path, &config));
		solve_all(&s, w, keep);
		add_new(&change, &next, keep);
		if (change.on.n + change.off.n == before && !(fresh && !round))
			break; /* nothing that was not tried already */
		eo_try(eo_dotconfig_change(path, &change.on, &change.off));
		eo_try(olddefconfig(k));
		*changed = true;
	}
	return NULL;
}
