// SPDX-License-Identifier: GPL-2.0-only
#include "tree/builddir.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/file.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/str.h"
#include "tree/arch.h"
#include "tree/cmdfile.h"
#include "tree/dotconfig.h"
#include "tree/flags.h"
#include "tree/kbuild.h"
#include "tree/shellwords.h"

static bool has(const char *dir, const char *name)
{
	EO_CLEANUP(eo_freep) char *path = eo_path_join(dir, name);

	return eo_is_file(path);
}

static bool has_objects(const char *dir)
{
	EO_CLEANUP(eo_words_release) struct eo_words command = { 0 };
	struct eo_arena a = { 0 };
	const char *of;
	bool found = eo_cmdfile_nearest(dir, "init/main.c", &a, &command, &of);

	eo_arena_release(&a);
	return found;
}

bool eo_builddir_is_built(const char *dir)
{
	return has(dir, ".config") &&
	       has(dir, "include/generated/autoconf.h") && has_objects(dir);
}

struct eo_error *eo_builddir_check(const char *dir, const char *root)
{
	static const char *const parts[] = { ".config",
					     "include/generated/autoconf.h" };
	EO_CLEANUP(eo_freep) char *link = eo_path_join(dir, "source");
	EO_CLEANUP(eo_freep) char *source = realpath(link, NULL);

	if (!eo_is_dir(dir))
		return eo_error_new(
			EO_ERR_INPUT,
			"%s: no such folder; --build wants one that this kernel was built in",
			dir);
	for (size_t i = 0; i < 2; i++)
		if (!has(dir, parts[i]))
			return eo_error_new(
				EO_ERR_INPUT,
				"%s: no kernel was built here (no %s); build one (make O=%s), or leave --build out",
				dir, parts[i], dir);
	if (!has_objects(dir))
		return eo_error_new(
			EO_ERR_INPUT,
			"%s: it is configured, but nothing was built there; run `make O=%s prepare`, or leave --build out",
			dir, dir);
	if (source && strcmp(source, root))
		return eo_error_new(
			EO_ERR_INPUT,
			"%s: it was built from %s, not from %s; give the one that belongs to the tree",
			dir, source, root);
	return NULL;
}

/* The architecture that was built there; NULL: cannot tell. Caller frees. */
static char *arch_of(const char *dir)
{
	EO_CLEANUP(eo_freep) char *arch = eo_path_join(dir, "arch");
	DIR *d = opendir(arch);
	struct dirent *de;
	char *found = NULL;

	while (d && !found && (de = readdir(d))) {
		EO_CLEANUP(eo_freep)
		char *path = eo_asprintf("%s/%s/include/generated", arch,
					 de->d_name);

		if (*de->d_name != '.' && eo_is_dir(path))
			found = eo_strdup(de->d_name);
	}
	if (d)
		closedir(d);
	return found;
}

/* The first symbol that @file needs and that is off there; caller frees. */
static char *missing_symbol(const char *dir, const char *root, const char *arch,
			    const char *file)
{
	EO_CLEANUP(eo_map_release) struct eo_map on = { 0 }, config = { 0 };
	EO_CLEANUP(eo_freep) char *path = eo_path_join(dir, ".config");
	const struct eo_map_entry *e;
	struct eo_error *err;
	bool found;

	err = eo_dotconfig_read(path, &config);
	if (!err)
		err = eo_kbuild_conditions(root, arch, file, &on, &found);
	if (err) { /* then there is just less to say */
		eo_error_free(err);
		return NULL;
	}
	eo_map_for_each(e, &on)
		if (!eo_dotconfig_on(&config, e->key))
			return eo_strdup(e->key);
	return NULL;
}

const char *const *eo_builddir_flags(const char *dir, const char *root,
				     const char *file, struct eo_arena *a,
				     const char **why)
{
	EO_CLEANUP(eo_words_release) struct eo_words command = { 0 };
	EO_CLEANUP(eo_freep) char *arch = NULL, *symbol = NULL;
	const char *of;
	char foreign[64];

	*why = NULL;
	if (eo_cmdfile_get(dir, file, a, &command))
		return eo_flags_for_clang(a, &command, NULL);
	arch = arch_of(dir);
	if (arch && eo_arch_is_foreign(file, arch, foreign, sizeof(foreign))) {
		*why = eo_arena_printf(a, "arch/%s is not built for %s",
				       foreign, arch);
		return NULL;
	}
	if (!eo_cmdfile_nearest(dir, file, a, &command, &of)) {
		*why = eo_arena_printf(a, "%s has no object of C code", dir);
		return NULL;
	}
	symbol = missing_symbol(dir, root, arch ? arch : eo_arch_of_host(),
				file);
	*why = symbol ?
		       eo_arena_printf(
			       a,
			       "CONFIG_%s is off in %s/.config: the flags are those of %s",
			       symbol, dir, of) :
		       eo_arena_printf(
			       a,
			       "it was not compiled in %s: the flags are those of %s",
			       dir, of);
	return eo_flags_rename(a, eo_flags_for_clang(a, &command, NULL), file);
}
