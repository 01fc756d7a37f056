// SPDX-License-Identifier: GPL-2.0-only
#include "base/err.h"
#include "cli/cli.h"
#include "db/db.h"
#include "model/model.h"
#include "tree/tree.h"

struct eo_error *eo_session_open(const struct eo_args *args,
				 struct eo_session *s)
{
	eo_try(eo_tree_open(args->tree, &s->tree));
	eo_try(eo_model_load(args->model, &s->model));
	return eo_db_open(args->db, s->tree->key, &s->db);
}

void eo_session_close(struct eo_session *s)
{
	eo_db_close(s->db);
	eo_model_free(s->model);
	eo_tree_free(s->tree);
}
