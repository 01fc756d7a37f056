// SPDX-License-Identifier: GPL-2.0-only
#include "tree/git.h"

#include "base/proc.h"
#include "tree/tree.h"

#define TIMEOUT_MS (120 * 1000)
#define MAX_OUTPUT ((size_t)512 << 20)

struct eo_error *eo_git(const struct eo_tree *tree, const char *const *argv,
			struct eo_proc_result *r)
{
	/* a name alone is unset */
	static const char *const env[] = {
		"GIT_DIR",    "GIT_WORK_TREE",	      "GIT_INDEX_FILE",
		"GIT_PREFIX", "GIT_OPTIONAL_LOCKS=0", "LC_ALL=C",
		NULL
	};
	const struct eo_proc p = { .argv = argv,
				   .cwd = tree->root,
				   .env = env,
				   .timeout_ms = TIMEOUT_MS,
				   .max_output = MAX_OUTPUT };

	return eo_proc_run(&p, r);
}
