/* SPDX-License-Identifier: GPL-2.0-only */
/* Small C texts, parsed and built: for the tests of the graph and of what is
 * asked of it. */
#ifndef TESTS_CFG_BOX_H
#define TESTS_CFG_BOX_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/str.h"
#include "facts/ast.h"
#include "facts/cfg.h"
#include "model/model.h"
#include "tu/unit.h"

static const char prelude[] =
	"#define C __attribute__((cleanup(done)))\n"
	"int a(), b(), c(), d(), e(), i(), n(), s(), z();\n"
	"void done(int *x); void say(const char *s, ...);\n"
	"void die(void) __attribute__((noreturn));\n"
	"struct in { int x, y; }; struct out { struct in in, *p; int v[9]; };\n";

/* One text, parsed; its functions are built as they are asked for. */
struct text {
	struct eo_unit *u;
	struct eo_model *model;
	struct eo_func *f;
};

static inline void must(struct eo_error *err)
{
	if (err)
		fail_msg("%s", eo_error_message(err));
}

static inline struct eo_unit *parse(const char *body)
{
	static const char *const args[] = { "-std=gnu11", "-w",
					    "-fbracket-depth=9999", NULL };
	EO_CLEANUP(eo_freep) char *dir = NULL, *path = NULL;
	EO_CLEANUP(eo_str_release) struct eo_str all = { 0 };
	struct eo_unit *u;

	must(eo_temp_dir(&dir));
	path = eo_path_join(dir, "t.c");
	eo_str_addf(&all, "%s%s", prelude, body);
	must(eo_file_write(path, all.s, all.len));
	must(eo_unit_parse("t.c", path, args, &u));
	must(eo_remove_tree(dir));
	if (u->errors)
		fail_msg("%s\n%s", u->first_error, body);
	return u;
}

static inline void build(struct text *t, const char *function)
{
	const struct eo_unit_function *uf = eo_unit_function(t->u, function);
	struct eo_arena a = { 0 };
	const char *broken;

	assert_non_null(uf);
	eo_func_free(t->f);
	t->f = eo_func_build(t->u, t->model, uf);
	broken = eo_cfg_validate(t->f, &a);
	if (broken)
		fail_msg("%s: %s", function, broken);
	eo_arena_release(&a);
}

static inline struct text open_text(const char *body)
{
	struct text t = { .u = parse(body), .model = eo_model_new() };

	return t;
}

static inline void close_text(struct text *t)
{
	eo_func_free(t->f);
	eo_unit_free(t->u);
	eo_model_free(t->model);
}

struct expected {
	const char *body, *want;
};

/* Each body as a function of its own: all in one unit. */
static inline void check_each(const struct expected *cases, size_t n,
			      char *(*tell)(const struct text *t))
{
	EO_CLEANUP(eo_str_release) struct eo_str all = { 0 };
	struct text t;

	for (size_t k = 0; k < n; k++)
		eo_str_addf(&all, "int f%zu(struct out *p, int q)\n{ %s }\n", k,
			    cases[k].body);
	t = open_text(all.s);
	for (size_t k = 0; k < n; k++) {
		EO_CLEANUP(eo_freep) char *got = NULL;
		char name[24];

		snprintf(name, sizeof(name), "f%zu", k);
		build(&t, name);
		if (t.f->unsupported)
			fail_msg("%s: %s", cases[k].body, t.f->unsupported);
		got = tell(&t);
		if (strcmp(got, cases[k].want))
			fail_msg("%s\nwanted %s\ngot    %s", cases[k].body,
				 cases[k].want, got);
	}
	close_text(&t);
}

#define CHECK(cases, tell) \
	check_each((cases), sizeof(cases) / sizeof((cases)[0]), (tell))

#endif
