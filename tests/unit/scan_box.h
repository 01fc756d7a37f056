/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A small tree of a test's own to scan, with the fixtures' header and model,
 * and a compile_commands.json, so that no kernel is configured.
 */
#ifndef TESTS_SCAN_BOX_H
#define TESTS_SCAN_BOX_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/str.h"
#include "model/model.h"
#include "scan/scan.h"
#include "tree/tree.h"

#define FIXTURES TESTDIR "/fixtures"

/* What makes a folder a kernel tree. */
#define BOX_TREE_FILES                                                         \
	{ "Makefile", "VERSION = 6\nPATCHLEVEL = 99\nSUBLEVEL = 0\n", false }, \
		{ "Kbuild", "", false }, { "Kconfig", "", false },             \
		{ "arch/none/Kconfig", "", false },                            \
	{                                                                      \
		"scripts/none", "", false                                      \
	}

/* A file of the tree, and whether compile_commands.json has it. */
struct box_file {
	const char *path, *text;
	bool compiled;
};

struct box {
	char *dir;
	struct eo_tree *tree;
	struct eo_model *model;
	struct eo_scan scan;
};

static void must(struct eo_error *err)
{
	if (err)
		fail_msg("%s", eo_error_message(err));
}

static void put(const struct box *b, const char *name, const void *p, size_t n)
{
	EO_CLEANUP(eo_freep) char *path = eo_path_join(b->dir, name);
	EO_CLEANUP(eo_freep) char *folder = eo_strdup(path);

	*strrchr(folder, '/') = '\0';
	must(eo_mkdirs(folder));
	must(eo_file_write(path, p, n));
}

static void copy_header(const struct box *b)
{
	EO_CLEANUP(eo_str_release) struct eo_str text = { 0 };

	must(eo_file_read(FIXTURES "/include/kernel.h", &text));
	put(b, "include/linux/tally.h", text.s, text.len);
}

static void command(struct eo_str *json, const struct box *b, const char *file)
{
	EO_CLEANUP(eo_freep)
	char *cmd = eo_asprintf("gcc -std=gnu11 -Iinclude -c -o x.o %s", file);

	eo_str_add(json, json->len > 1 ? ",\n" : "");
	eo_str_add(json, "{\"directory\":");
	eo_str_add_json(json, b->dir);
	eo_str_add(json, ",\"file\":");
	eo_str_add_json(json, file);
	eo_str_add(json, ",\"command\":");
	eo_str_add_json(json, cmd);
	eo_str_add(json, "}");
}

static struct box *box_new(const struct box_file *files, size_t n)
{
	EO_CLEANUP(eo_str_release) struct eo_str json = { 0 }, text = { 0 };
	struct box *b = eo_zalloc(sizeof(*b));

	must(eo_temp_dir(&b->dir));
	eo_str_add(&json, "[");
	for (size_t i = 0; i < n; i++) {
		bool binary = eo_ends_with(files[i].path, "binary.c");

		put(b, files[i].path, files[i].text,
		    strlen(files[i].text) + binary); /* with its NUL */
		if (files[i].compiled)
			command(&json, b, files[i].path);
	}
	eo_str_add(&json, "]\n");
	put(b, "compile_commands.json", json.s, json.len);
	copy_header(b);
	must(eo_tree_open(b->dir, &b->tree));
	b->model = eo_model_new();
	must(eo_file_read(FIXTURES "/rules/test.model", &text));
	must(eo_model_parse(b->model, "test.model", eo_str_get(&text)));
	return b;
}

static int teardown(void **state)
{
	struct box *b = *state;

	eo_scan_release(&b->scan);
	eo_model_free(b->model);
	eo_tree_free(b->tree);
	must(eo_remove_tree(b->dir));
	free(b->dir);
	free(b);
	return 0;
}

static void scan(struct box *b, const char *only, unsigned timeout_ms)
{
	struct eo_scan_options opts = { .only = only,
					.jobs = 2,
					.timeout_ms = timeout_ms };

	must(eo_scan_run(b->tree, b->model, &opts, &b->scan));
}

static const struct eo_finding *find(const struct eo_findings *list,
				     const char *function)
{
	const struct eo_finding *f, *found = NULL;

	eo_vec_for_each(f, list) {
		if (strcmp(f->rule, "flush-before-walk") ||
		    strcmp(f->function, function))
			continue;
		assert_null(found); /* once */
		found = f;
	}
	return found;
}

#endif
