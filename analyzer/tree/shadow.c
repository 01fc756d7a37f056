// SPDX-License-Identifier: GPL-2.0-only
#include "tree/shadow.h"

#include <dirent.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/str.h"

#define N_BUILT 5

/* What a build in place leaves, and Kbuild takes for a tree not clean. */
static void built_paths(const char *arch, char *paths[N_BUILT])
{
	paths[0] = eo_strdup(".config");
	paths[1] = eo_strdup("include/config");
	paths[2] = eo_strdup("include/generated");
	paths[3] = eo_asprintf("arch/%s/include/generated", arch);
	paths[4] = NULL;
}

static void free_paths(char *(*paths)[N_BUILT])
{
	for (size_t i = 0; i < N_BUILT; i++)
		eo_freep(&(*paths)[i]);
}

bool eo_shadow_needed(const char *root, const char *arch)
{
	EO_CLEANUP(free_paths) char *built[N_BUILT];
	bool needed = root[strcspn(root, " \t\n:#$'\"\\%*?[(){}&;<>|`~!")];

	built_paths(arch, built);
	for (size_t i = 0; built[i]; i++) {
		EO_CLEANUP(eo_freep) char *path = eo_path_join(root, built[i]);

		needed |= access(path, F_OK) == 0;
	}
	return needed;
}

/* Whether @path ("include/config") is to be left out, or has such below. */
static bool left_out(char *const *built, const char *path, bool *below)
{
	size_t n = strlen(path);

	*below = false;
	for (; *built; built++) {
		if (strcmp(*built, path) == 0)
			return true;
		*below |= strncmp(*built, path, n) == 0 && (*built)[n] == '/';
	}
	return false;
}

struct shadow {
	const char *root, *dir;
	char *const *built;
};

/* Links to all of the folder @sub, but real folders above what is left out. */
static struct eo_error *link_folder(const struct shadow *s, const char *sub)
{
	EO_CLEANUP(eo_freep) char *from = eo_path_join(s->root, sub);
	EO_CLEANUP(eo_freep) char *to = eo_path_join(s->dir, sub);
	struct eo_error *err = eo_mkdirs(to);
	DIR *d = err ? NULL : opendir(from);
	struct dirent *de;

	if (!err && !d)
		err = eo_error_errno(errno, "cannot read %s", from);
	while (!err && (de = readdir(d))) {
		EO_CLEANUP(eo_freep)
		char *path =
			eo_asprintf("%s%s%s", sub, *sub ? "/" : "", de->d_name);
		EO_CLEANUP(eo_freep) char *source = eo_path_join(s->root, path);
		EO_CLEANUP(eo_freep) char *link = eo_path_join(s->dir, path);
		bool below;

		if (eo_streq(de->d_name, ".") || eo_streq(de->d_name, "..") ||
		    left_out(s->built, path, &below))
			continue;
		if (below)
			err = link_folder(s, path);
		else if (symlink(source, link))
			err = eo_error_errno(errno, "cannot make the link %s",
					     link);
	}
	if (d)
		closedir(d);
	return err;
}

struct eo_error *eo_shadow_make(const char *root, const char *arch,
				const char *dir)
{
	EO_CLEANUP(free_paths) char *built[N_BUILT];
	struct shadow s = { .root = root, .dir = dir, .built = built };

	built_paths(arch, built);
	eo_try(eo_remove_tree(dir));
	return link_folder(&s, "");
}
