// SPDX-License-Identifier: GPL-2.0-only
#include "tree/includer.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/str.h"
#include "tree/tree.h"

/* Whether a line of @text is #include "NAME". */
static bool includes(const char *text, const char *name)
{
	const char *p = text;
	size_t n = strlen(name);

	while ((p = strchr(p, '#'))) {
		const char *line = p++;

		if (line != text && line[-1] != '\n')
			continue;
		p += strspn(p, " \t");
		if (strncmp(p, "include", 7))
			continue;
		p += 7 + strspn(p + 7, " \t");
		if (*p == '"' && strncmp(p + 1, name, n) == 0 &&
		    p[n + 1] == '"')
			return true;
	}
	return false;
}

static int is_c(const struct dirent *d)
{
	return eo_ends_with(d->d_name, ".c");
}

/* What cannot be read includes nothing that we could compile. */
static bool file_includes(const char *path, const char *name)
{
	EO_CLEANUP(eo_str_release) struct eo_str text = { 0 };
	struct eo_error *err = NULL;

	if (!eo_is_file(path))
		return false;
	err = eo_file_read(path, &text);
	eo_error_free(err);
	return !err && includes(eo_str_get(&text), name);
}

struct eo_error *eo_tree_includer(const struct eo_tree *tree, const char *file,
				  char **out)
{
	const char *slash = strrchr(file, '/');
	const char *name = slash ? slash + 1 : file;
	EO_CLEANUP(eo_freep)
	char *folder = eo_strndup(file, (size_t)(name - file));
	EO_CLEANUP(eo_freep) char *dir = eo_path_join(tree->root, folder);
	struct dirent **list;
	int n = scandir(dir, &list, is_c, alphasort);

	*out = NULL;
	if (n < 0)
		return eo_error_errno(errno, "cannot read %s", dir);
	for (int i = 0; i < n; i++) {
		EO_CLEANUP(eo_freep)
		char *path = eo_path_join(dir, list[i]->d_name);

		if (!*out && strcmp(list[i]->d_name, name) &&
		    file_includes(path, name))
			*out = eo_asprintf("%s%s", folder, list[i]->d_name);
		free(list[i]);
	}
	free(list);
	return NULL;
}
