// SPDX-License-Identifier: GPL-2.0-only
/* What functions do to the world, and which of them are wrappers. */
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
#include "facts/summary.h"
#include "facts/wrapper.h"
#include "model/model.h"
#include "tu/unit.h"

static const char model_text[] =
	"call shelf_sync deferrable\n\tcost much\n\tlost it waits\n"
	"\tsubject 2\n\twrites dust\n"
	"call shelf_hold deferrable\n\tcost much\n\tlost it waits\n"
	"\tholds\n\twrites dust\n"
	"call lamp_sync deferrable\n\tcost much\n\tlost it waits\n"
	"\twrites light\n"
	"call dust_sample sample\n\tcost much\n\tlost it waits\n"
	"\twrites dust\n"
	"effect dust\n\trecord grain\n\treader dust_read\n"
	"effect light\n\trecord ray\n"
	"pure look weigh_*\nneutral wait\nacquire take\nrelease give\n"
	"output print\n";

static const char code[] =
	"struct grain { long n; }; struct ray { long n; };\n"
	"struct shelf { struct grain grain; struct ray ray; struct shelf *up;\n"
	"	int visits; long lock; struct { int deep; } in; };\n"
	"void shelf_sync(int how, struct shelf *s); void shelf_hold(void);\n"
	"void lamp_sync(void); long dust_sample(void);\n"
	"long dust_read(struct shelf *s); int look(const void *p);\n"
	"int weigh_all(void); void wait(void); void take(long *l);\n"
	"void give(long *l); void print(const char *s, ...);\n"
	"void stranger(struct shelf *s); extern int (*hook)(struct shelf *s);\n"
	"int total; static long last;\n"
	/* nothing at all */
	"int idle(int x) { int y = x; y++; return y * 2; }\n"
	"int asks(struct shelf *s) { wait(); return look(s) + weigh_all(); }\n"
	/* writes */
	"void sets_global(void) { total = 1; }\n"
	"void sets_static(void) { static int n; n++; }\n"
	"void sets_param(struct shelf *s) { s->visits++; }\n"
	"void sets_in_param(struct shelf *s) { s->in.deep = 1; }\n"
	"void sets_second(int x, struct shelf *s) { s->visits = x; }\n"
	"void sets_beyond(struct shelf *s) { s->up->visits = 1; }\n"
	"void sets_moved(struct shelf *s) { s = s->up; s->visits = 1; }\n"
	"void sets_array(int *v) { v[3] = 1; }\n"
	"void sets_deref(int *v) { *v = 1; }\n"
	"void sets_own(void) { struct shelf s; s.visits = 1; sets_param(&s); }\n"
	"void sets_own_beyond(struct shelf *o) { struct shelf s; s.up = o;\n"
	"	sets_beyond(&s); }\n"
	"void sets_local_ptr(struct shelf *s) { struct shelf *t = s->up;\n"
	"	t->visits = 1; }\n"
	"void by_value(struct shelf s) { s.visits = 1; }\n"
	"void by_value_beyond(struct shelf s) { s.up->visits = 1; }\n"
	"void through(struct shelf *s) { sets_param(s); }\n"
	"void through_up(struct shelf *s) { sets_param(s->up); }\n"
	"void through_part(struct shelf *s) { sets_deref(&s->visits); }\n"
	/* reads */
	"long reads_field(struct shelf *s) { return s->grain.n; }\n"
	"long reads_ptr(struct grain *g) { return g->n; }\n"
	"long reads_copy(struct shelf *s) { struct shelf t = *s; return 0; }\n"
	"long reads_deep(struct shelf *s) { return reads_field(s->up) + 1; }\n"
	"long reads_by_reader(struct shelf *s) { return dust_read(s); }\n"
	"long reads_other(struct shelf *s) { return s->ray.n; }\n"
	"long reads_raw(const long *p) { return *p; }\n"
	"unsigned long reads_size(struct shelf *s) { return sizeof(s->grain.n); }\n"
	"long reads_dead(struct shelf *s) { if (0) return s->grain.n; return 0; }\n"
	"void clears(struct shelf *s) { s->grain.n = 0; }\n"
	/* the rest */
	"void prints(void) { print(\"x\"); }\n"
	"void locks(struct shelf *s) { take(&s->lock); }\n"
	"void both_ways(struct shelf *s) { take(&s->lock); give(&s->lock); }\n"
	"void calls_stranger(struct shelf *s) { stranger(s); }\n"
	"void calls_hook(struct shelf *s) { hook(s); }\n"
	"void has_asm(void) { asm volatile(\"\"); }\n"
	"int recurses(int x) { return x ? recurses(x - 1) : 0; }\n"
	"int odd(int x); int even(int x) { return x ? odd(x - 1) : 1; }\n"
	"int odd(int x) { return x ? even(x - 1) : 0; }\n"
	"void cleans_up(int **p) { total = 2; }\n"
	"void has_cleanup(void) {\n"
	"	int *p __attribute__((cleanup(cleans_up))) = 0; }\n"
	"void syncs(struct shelf *s) { shelf_sync(0, s); }\n"
	/* wrappers, or not */
	"void w_always(int x, struct shelf *s) { shelf_sync(x, s); }\n"
	"void w_perhaps(struct shelf *s) { if (s->visits) shelf_sync(0, s); }\n"
	"void w_twice(struct shelf *s) { if (s->visits) shelf_sync(0, s);\n"
	"	else shelf_sync(1, s->up); }\n"
	"void w_other(int x) { shelf_sync(x, 0); }\n"
	"void w_part(struct shelf *s) { shelf_sync(0, s->up); }\n"
	"void w_books(struct shelf *s) { shelf_sync(0, s); last = 5; }\n"
	"void w_waits(struct shelf *s) { wait(); shelf_sync(0, s); }\n"
	"void w_locks(struct shelf *s) { take(&s->lock); shelf_sync(0, s);\n"
	"	give(&s->lock); }\n"
	"void w_loop(struct shelf *s) { for (; s; s = s->up) shelf_sync(0, s); }\n"
	"void n_result(struct shelf *s, long *n) { shelf_sync(0, s);\n"
	"	*n = s->grain.n; }\n"
	"long n_value(struct shelf *s) { shelf_sync(0, s); return 0; }\n"
	"void n_prints(struct shelf *s) { shelf_sync(0, s); print(\"x\"); }\n"
	"void n_stranger(struct shelf *s) { shelf_sync(0, s); stranger(s); }\n"
	"void n_keeps(struct shelf *s) { take(&s->lock); shelf_sync(0, s); }\n"
	"void n_gives(struct shelf *s) { shelf_sync(0, s); give(&s->lock); }\n"
	"void n_two_kinds(struct shelf *s) { shelf_sync(0, s); lamp_sync(); }\n"
	"void n_holds(void) { shelf_hold(); }\n"
	"void n_writes(struct shelf *s) { shelf_sync(0, s); s->visits++; }\n"
	"void n_by_callee(struct shelf *s) { shelf_sync(0, s); sets_param(s); }\n"
	"void n_asm(struct shelf *s) { shelf_sync(0, s); asm(\"\"); }\n"
	"void n_nothing(struct shelf *s) { wait(); }\n"
	"void n_dead(struct shelf *s) { if (0) shelf_sync(0, s); }\n";

static struct eo_unit *unit;
static struct eo_model *model;
static struct eo_summaries sums;

static void must(struct eo_error *err)
{
	if (err)
		fail_msg("%s", eo_error_message(err));
}

static int setup(void **state)
{
	static const char *const args[] = { "-std=gnu11", "-w", NULL };
	EO_CLEANUP(eo_freep) char *dir = NULL, *path = NULL;

	(void)state;
	must(eo_temp_dir(&dir));
	path = eo_path_join(dir, "t.c");
	must(eo_file_write(path, code, strlen(code)));
	must(eo_unit_parse("t.c", path, args, &unit));
	must(eo_remove_tree(dir));
	if (unit->errors)
		fail_msg("%s", unit->first_error);
	model = eo_model_new();
	must(eo_model_parse(model, "m", model_text));
	eo_summaries_init(&sums, unit, model, NULL);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	eo_summaries_release(&sums);
	eo_model_free(model);
	eo_unit_free(unit);
	return 0;
}

/* "writes memory params=1 …": all that a summary says, in one line. */
static char *tell(const char *function)
{
	const struct eo_summary *s = eo_summary_of(&sums, function);
	struct eo_str b = { 0 };

	assert_string_equal(s->name, function);
	if (s->unknown)
		eo_str_addf(&b, " unknown(%s)", s->unknown);
	if (s->writes)
		eo_str_addf(&b, " writes(%s)", s->writes);
	if (s->writes_memory)
		eo_str_add(&b, " memory");
	if (s->writes_params)
		eo_str_addf(&b, " params=%x", s->writes_params);
	if (s->writes_beyond)
		eo_str_addf(&b, " beyond=%x", s->writes_beyond);
	if (s->outputs)
		eo_str_add(&b, " prints");
	if (s->acquires)
		eo_str_add(&b, " takes");
	if (s->releases)
		eo_str_add(&b, " gives");
	if (s->calls_model)
		eo_str_add(&b, " model");
	return eo_str_take(&b);
}

static void functions_do_what_they_do(void **state)
{
	static const char *const cases[][2] = {
		{ "idle", "" },
		{ "asks", "" },
		{ "sets_global", " writes(total)" },
		{ "sets_static", " writes(n)" },
		{ "sets_param", " params=1" },
		{ "sets_in_param", " params=1" },
		{ "sets_second", " params=2" },
		{ "sets_beyond", " params=1 beyond=1" },
		{ "sets_moved", " params=1 beyond=1" },
		{ "sets_array", " params=1" },
		{ "sets_deref", " params=1" },
		{ "sets_own", "" },
		{ "sets_own_beyond", " writes(s) memory" },
		{ "sets_local_ptr", " writes(t) memory" },
		{ "by_value", "" },
		{ "by_value_beyond", " writes(s) memory" },
		{ "through", " params=1" },
		{ "through_up", " params=1 beyond=1" },
		{ "through_part", " params=1" },
		{ "prints", " prints" },
		{ "locks", " takes" },
		{ "both_ways", " takes gives" },
		{ "calls_stranger", " unknown(stranger())" },
		{ "calls_hook", " unknown(an indirect call)" },
		{ "has_asm", " unknown(an asm statement)" },
		{ "recurses", " unknown(a recursive call)" },
		{ "even", " unknown(a recursive call)" },
		{ "odd", " unknown(a recursive call)" },
		{ "has_cleanup", " writes(total)" },
		{ "syncs", " model" },
		{ "shelf_sync", " model" },
		{ "no_such", " unknown(no_such())" },
		{ "look", "" },
		{ "take", " takes" },
		{ "dust_read", "" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		EO_CLEANUP(eo_freep) char *got = tell(cases[i][0]);

		if (strcmp(got, cases[i][1]))
			fail_msg("%s:%s, not:%s", cases[i][0], got,
				 cases[i][1]);
	}
}

static void readers_are_found(void **state)
{
	static const struct {
		const char *function;
		enum eo_answer dust, light;
	} cases[] = {
		{ "reads_field", EO_YES, EO_NO },
		{ "reads_ptr", EO_YES, EO_NO },
		{ "reads_copy", EO_YES, EO_YES },
		{ "reads_deep", EO_YES, EO_NO },
		{ "reads_by_reader", EO_YES, EO_NO },
		{ "reads_other", EO_NO, EO_YES },
		{ "reads_raw", EO_PERHAPS, EO_PERHAPS },
		{ "reads_size", EO_NO, EO_NO },
		{ "reads_dead", EO_NO, EO_NO },
		{ "clears", EO_YES, EO_NO },
		{ "sets_param", EO_NO, EO_NO },
		{ "prints", EO_NO, EO_NO },
		{ "calls_stranger", EO_PERHAPS, EO_PERHAPS },
		{ "dust_read", EO_YES, EO_NO },
		{ "no_such", EO_PERHAPS, EO_PERHAPS },
	};
	const char *dust = "dust", *light = "light";
	struct eo_names d = { .items = &dust, .n = 1 };
	struct eo_names l = { .items = &light, .n = 1 };

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct eo_summary *s =
			eo_summary_of(&sums, cases[i].function);

		if (eo_summary_reads(&sums, s, &d) != cases[i].dust ||
		    eo_summary_reads(&sums, s, &l) != cases[i].light)
			fail_msg("%s", cases[i].function);
	}
}

static struct eo_func *func(const char *name)
{
	const struct eo_unit_function *uf = eo_unit_function(unit, name);

	assert_non_null(uf);
	return eo_func_build(unit, model, uf);
}

/* What the only call of @caller to @callee does to its caller's world. */
static struct eo_call_effect effect_of(const char *caller, const char *callee)
{
	struct eo_func *f = func(caller);
	struct eo_call_effect e = { 0 };
	bool found = false;

	for (size_t i = 0; i < f->cfg->n; i++) {
		const struct eo_atom *at = &f->cfg->items[i];

		if (at->kind != EO_A_CALL || !eo_streq(at->node->name, callee))
			continue;
		eo_call_effect(&sums, at->node, &e);
		found = true;
	}
	assert_true(found);
	eo_func_free(f);
	return e;
}

static void calls_have_effects_here(void **state)
{
	struct eo_call_effect e;

	(void)state;
	e = effect_of("sets_own", "sets_param"); /* its own variable */
	assert_null(e.writes);
	assert_false(e.writes_memory);
	e = effect_of("sets_own_beyond", "sets_beyond"); /* not its own */
	assert_non_null(e.writes);
	assert_true(e.writes_memory);
	e = effect_of("through", "sets_param");
	assert_non_null(e.writes);
	assert_true(e.writes_memory);
	e = effect_of("calls_hook", NULL);
	assert_string_equal(e.unknown, "an indirect call");
	assert_null(e.summary);
	e = effect_of("both_ways", "take");
	assert_true(e.acquires && !e.releases);
}

static void wrappers(void **state)
{
	static const struct {
		const char *name;
		bool is, always;
		unsigned subject;
		const char *also;
	} cases[] = {
		{ "w_always", true, true, 2, NULL },
		{ "w_perhaps", true, false, 1, NULL },
		{ "w_twice", true, true, 1, NULL },
		{ "w_other", true, true, 0, NULL },
		{ "w_part", true, true, 1, NULL },
		{ "w_books", true, true, 1, "last" },
		{ "w_waits", true, true, 1, NULL },
		{ "w_locks", true, true, 1, NULL },
		{ "w_loop", true, false, 1, NULL },
		{ .name = "n_result" },
		{ .name = "n_value" },
		{ .name = "n_prints" },
		{ .name = "n_stranger" },
		{ .name = "n_keeps" },
		{ .name = "n_gives" },
		{ .name = "n_two_kinds" },
		{ .name = "n_holds" },
		{ .name = "n_writes" },
		{ .name = "n_by_callee" },
		{ .name = "n_asm" },
		{ .name = "n_nothing" },
		{ .name = "n_dead" },
		{ .name = "idle" },
	};
	struct eo_arena a = { 0 };

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct eo_func *f = func(cases[i].name);
		struct eo_model_call w;
		bool is = eo_wrapper_find(&sums, f, &a, &w);

		if (is != cases[i].is)
			fail_msg("%s", cases[i].name);
		if (is && (w.always != cases[i].always ||
			   w.subject != cases[i].subject ||
			   !eo_streq(w.also, cases[i].also)))
			fail_msg("%s: always %d, subject %u, also %s",
				 cases[i].name, w.always, w.subject,
				 w.also ? w.also : "nothing");
		if (is) {
			assert_string_equal(w.name, cases[i].name);
			assert_string_equal(w.ends_in, "shelf_sync");
		}
		eo_func_free(f);
	}
	eo_arena_release(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(functions_do_what_they_do),
		cmocka_unit_test(readers_are_found),
		cmocka_unit_test(calls_have_effects_here),
		cmocka_unit_test(wrappers),
	};

	return cmocka_run_group_tests_name("summary", tests, setup, teardown);
}
