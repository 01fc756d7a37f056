/* SPDX-License-Identifier: GPL-2.0-only */
/* A folder of its own for each test, with a copy of the small tree in it. */
#ifndef EO_TESTS_TREE_BOX_H
#define EO_TESTS_TREE_BOX_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"
#include "base/file.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/proc.h"
#include "base/str.h"
#include "tree/tree.h"

#define MINI TESTDIR "/fixtures/tree/mini"

struct box {
	char *dir; /* all that a test writes; its path has no blanks */
	char *root; /* copy of the small tree */
	struct eo_tree *tree; /* when a test opened it here */
};

static inline void no_error(struct eo_error *err)
{
	if (err)
		fail_msg("%s", eo_error_message(err));
}

static inline void expect_error(struct eo_error *err, const char *part)
{
	assert_non_null(err);
	if (!strstr(eo_error_message(err), part))
		fail_msg("\"%s\" is not in \"%s\"", part,
			 eo_error_message(err));
	eo_error_free(err);
}

/* A program that must succeed; the list of its words ends with NULL. */
static inline void run(const char *cwd, ...)
{
	EO_CLEANUP(eo_proc_result_release) struct eo_proc_result r = { 0 };
	const char *argv[16];
	struct eo_proc p = { .argv = argv, .cwd = cwd };
	size_t n = 0;
	va_list ap;

	va_start(ap, cwd);
	do
		argv[n] = va_arg(ap, const char *);
	while (argv[n++]);
	va_end(ap);
	no_error(eo_proc_check(&p, &r));
}

static inline void put(const struct box *b, const char *name, const char *text)
{
	EO_CLEANUP(eo_freep) char *path = eo_path_join(b->root, name);
	EO_CLEANUP(eo_freep) char *dir = eo_strdup(path);

	*strrchr(dir, '/') = '\0';
	no_error(eo_mkdirs(dir));
	no_error(eo_file_write(path, text, strlen(text)));
}

/* The small tree at <box>/<name>; with an empty name, an empty box. */
static inline void fill_box(struct box *b, const char *name)
{
	EO_CLEANUP(eo_freep) char *cache = NULL, *real = NULL;

	no_error(eo_temp_dir(&b->dir));
	no_error(eo_path_real(b->dir, &real)); /* $TMPDIR may be a link */
	free(b->dir);
	b->dir = eo_strdup(real);
	cache = eo_path_join(b->dir, "cache");
	setenv("XDG_CACHE_HOME", cache, 1);
	b->root = eo_path_join(b->dir, name);
	run(NULL, "cp", "-R", MINI, b->root, NULL);
}

static inline void empty_box(struct box *b)
{
	eo_tree_free(b->tree);
	no_error(eo_remove_tree(b->dir));
	free(b->dir);
	free(b->root);
	*b = (struct box){ 0 };
}

static inline bool has_keys(const struct eo_map *m, const char *keys)
{
	EO_CLEANUP(eo_freep) char *list = eo_strdup(keys);
	char *save = NULL;
	size_t n = 0;

	for (char *k = strtok_r(list, " ", &save); k;
	     k = strtok_r(NULL, " ", &save), n++)
		if (!eo_map_has(m, k))
			return false;
	return n == m->n;
}

/* Exactly the keys of @keys, a list with blanks between. */
static inline void expect_keys(const struct eo_map *m, const char *keys)
{
	EO_CLEANUP(eo_str_release) struct eo_str got = { 0 };
	const struct eo_map_entry *e;

	if (has_keys(m, keys))
		return;
	eo_map_for_each(e, m)
		eo_str_addf(&got, " %s", e->key);
	fail_msg("expected \"%s\", got \"%s\"", keys, eo_str_get(&got));
}

#endif
