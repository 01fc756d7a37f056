// SPDX-License-Identifier: GPL-2.0-only
/*
 * The candidate pass alone, for `make bench`.
 * usage: candidates --names           the names of the model's calls
 *        candidates TREE JOBS         the files that name one, one a line
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "finding/finding.h"
#include "model/model.h"
#include "tree/candidates.h"
#include "tree/tree.h"

struct names {
	const char **items;
	size_t n, cap;
};

static struct eo_error *print_files(const char *dir, unsigned jobs,
				    const struct names *names)
{
	struct eo_candidates found = { 0 };
	struct eo_gaps gaps = { 0 };
	struct eo_candidate *c;
	struct eo_tree *tree;

	eo_try(eo_tree_open(dir, &tree));
	eo_try(eo_candidates_find(tree, names->items, names->n, jobs, &gaps,
				  &found));
	eo_vec_for_each(c, &found)
		puts(c->file);
	eo_candidates_release(&found);
	eo_gaps_release(&gaps);
	eo_tree_free(tree);
	return NULL;
}

static struct eo_error *run(int argc, char **argv)
{
	struct eo_error *err = NULL;
	struct names names = { 0 };
	struct eo_model *model;

	eo_try(eo_model_load(NULL, &model));
	for (size_t i = 0; i < model->calls.n; i++)
		*eo_vec_push(&names) = model->calls.items[i].key;
	if (argc == 3)
		err = print_files(argv[1], (unsigned)atoi(argv[2]), &names);
	for (size_t i = 0; argc == 2 && i < names.n; i++)
		puts(names.items[i]);
	free(names.items);
	eo_model_free(model);
	return err;
}

int main(int argc, char **argv)
{
	struct eo_error *err;

	if (argc != 3 && (argc != 2 || strcmp(argv[1], "--names") != 0)) {
		fprintf(stderr, "usage: candidates --names | TREE JOBS\n");
		return 2;
	}
	err = run(argc, argv);
	if (!err)
		return 0;
	fprintf(stderr, "candidates: %s\n", eo_error_message(err));
	eo_error_free(err);
	return 2;
}
