// SPDX-License-Identifier: GPL-2.0-only
#include "base/data.h"

#include <errno.h>
#include <libgen.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"

/* Folders of the same names hold objects in build/: a file tells them apart. */
static bool is_data_root(const char *root)
{
	EO_CLEANUP(eo_freep)
	char *mark = eo_path_join(root, "analyzer/model/kernel.model");

	return access(mark, R_OK) == 0;
}

struct eo_error *eo_data_path(const char *name, char **out)
{
	static const char *const places[] = { "..", "../..", "../../..",
					      "../share/earlyout" };
	const char *env = getenv("EARLYOUT_DATA");
	char exe[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", exe, sizeof(exe) - 1);
	const char *dir;

	if (env && *env) {
		*out = eo_path_join(env, name);
		return NULL;
	}
	if (n < 0)
		return eo_error_errno(errno, "cannot find this program");
	exe[n] = '\0';
	dir = dirname(exe);
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		EO_CLEANUP(eo_freep)
		char *root = eo_asprintf("%s/%s", dir, places[i]);
		char *path = eo_path_join(root, name);

		if (is_data_root(root) && access(path, R_OK) == 0) {
			*out = path;
			return NULL;
		}
		free(path);
	}
	return eo_error_new(
		EO_ERR_ENV,
		"%s: not found near %s; set EARLYOUT_DATA to the folder that has it",
		name, dir);
}
