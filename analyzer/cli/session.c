// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "cli/cli.h"
#include "db/db.h"
#include "model/model.h"
#include "tree/tree.h"

/* The file that @path names, below the tree's root; NULL when it is not. */
static char *below_root(const struct eo_tree *tree, const char *path)
{
	EO_CLEANUP(eo_freep) char *real = realpath(path, NULL);
	size_t n = strlen(tree->root);

	if (!real || strncmp(real, tree->root, n) || real[n] != '/' ||
	    !eo_is_file(real))
		return NULL;
	return eo_strdup(real + n + 1);
}

struct eo_error *eo_session_file(const struct eo_tree *tree, const char *path,
				 char **out)
{
	EO_CLEANUP(eo_freep) char *from_root = eo_path_join(tree->root, path);

	*out = below_root(tree, path);
	if (!*out && *path != '/')
		*out = below_root(tree, from_root);
	if (!*out)
		return eo_error_new(
			EO_ERR_USAGE,
			"%s: no such file in the tree %s; name one relative to it, or to the current folder",
			path, tree->root);
	return NULL;
}

struct eo_error *eo_session_open(const struct eo_args *args,
				 struct eo_session *s)
{
	eo_try(eo_tree_open(args->tree, &s->tree));
	if (args->only)
		eo_try(eo_session_file(s->tree, args->only, &s->only));
	eo_try(eo_model_load(args->model, &s->model));
	return eo_db_open(args->db, s->tree->key, &s->db);
}

void eo_session_close(struct eo_session *s)
{
	eo_db_close(s->db);
	eo_model_free(s->model);
	eo_tree_free(s->tree);
	free(s->only);
}
