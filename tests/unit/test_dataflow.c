// SPDX-License-Identifier: GPL-2.0-only
/* What is read and set in a graph, dominance, liveness; large functions. */
#include "cfg_box.h"
#include "facts/dom.h"
#include "facts/live.h"

/* Loads and stores, in order: "L" and "S" with the text of the place. */
static char *accesses(const struct text *t)
{
	struct eo_arena a = { 0 };
	struct eo_str out = { 0 };

	for (unsigned k = 0; k < t->f->cfg->n; k++) {
		const struct eo_atom *at = &t->f->cfg->items[k];

		if (at->kind != EO_A_LOAD && at->kind != EO_A_STORE)
			continue;
		eo_str_addf(&out, "%s%c %s", out.len ? "; " : "",
			    at->kind == EO_A_LOAD ? 'L' : 'S',
			    at->node->kind == EO_N_VAR ?
				    at->node->var->name :
				    eo_node_text(t->u, at->node, &a));
	}
	eo_arena_release(&a);
	return eo_str_take(&out);
}

static void loads_and_stores(void **state)
{
	static const struct expected cases[] = {
		{ "q = q + 1;", "L q; S q" },
		{ "q += 2;", "L q; S q" },
		{ "q++;", "L q; S q" },
		{ "q = sizeof(q) + sizeof q;", "S q" },
		{ "q = p->in.x;", "L p; L p->in.x; S q" },
		{ "p->p->y = q;", "L q; L p; L p->p; S p->p->y" },
		{ "q = p->v[q];", "L p; L q; L p->v[q]; S q" },
		{ "int *r = &p->in.x; q = *r;", "L p; S r; L r; L *r; S q" },
		{ "struct in x = p->in;", "L p; L p->in; S x" },
		{ "struct in x; x = *p->p;", "L p; L p->p; L *p->p; S x" },
		{ "struct in x = { q, 1 };", "L q; S x" },
		{ "struct in x = { .y = q };", "L q; S x" },
		{ "struct out x = { .in = { .x = q }, .v = { [1] = q + 1 }, };",
		  "L q; L q; S x" },
		{ "struct out x = { .in.y = q, .v[2 ... 3] = q };",
		  "L q; L q; S x" },
		{ "struct in x = { y: q };", "L q; S x" },
		{ "struct in x = { .y = ({ int w = q; w; }) };",
		  "L q; S w; L w; S x" },
		{ "p->in = (struct in){ .x = q };", "L q; L p; S p->in" },
		{ "struct in x = { __builtin_offsetof(struct out, v), q };",
		  "L q; S x" },
		{ "q = __builtin_offsetof(__typeof__(*p), v);", "S q" },
		{ "q = (long)&((struct out *)0)->in;", "S q" },
		{ "q = *(volatile int *)&p->in.x;", "L p; L p->in.x; S q" },
		{ "*(volatile int *)&p->in.x = q;", "L q; L p; S p->in.x" },
		{ "int *r = p->v;", "L p; S r" },
	};

	(void)state;
	CHECK(cases, accesses);
}

/* The atom of the call to @name. */
static unsigned call(const struct text *t, const char *name)
{
	for (unsigned k = 0; k < t->f->cfg->n; k++)
		if (t->f->cfg->items[k].kind == EO_A_CALL &&
		    eo_streq(t->f->cfg->items[k].node->name, name))
			return k;
	fail_msg("no call to %s", name);
	return 0;
}

/* "a>bcd": a dominates b, c and d of "abcde", and nothing else. */
static void dominates(const struct text *t, const struct eo_dom *dom,
		      const char *all, const char *want)
{
	char who[2] = { want[0], 0 };

	for (const char *p = all; *p; p++) {
		char name[2] = { *p, 0 };
		bool is = eo_dominates(dom, call(t, who), call(t, name));

		if (is != (*p == *who || strchr(want + 2, *p)))
			fail_msg("%s: %c", want, *p);
	}
}

static void dominance(void **state)
{
	struct text t = open_text(
		"void f(void) { a(); if (c()) b(); else d(); e(); }\n"
		"void g(void) { while (c()) { if (a()) break; b(); } e(); }\n"
		"void h(void) { if (a()) { while (1) b(); } c(); }\n"
		"void k(void) { while (1) b(); }\n");
	struct eo_dom dom, post;

	(void)state;
	build(&t, "f");
	eo_dom_build(t.f->cfg, false, &dom);
	eo_dom_build(t.f->cfg, true, &post);
	dominates(&t, &dom, "abcde", "a>bcde");
	dominates(&t, &dom, "abcde", "c>bde");
	dominates(&t, &dom, "abcde", "b>");
	dominates(&t, &dom, "abcde", "e>");
	dominates(&t, &post, "abcde", "e>abcd");
	dominates(&t, &post, "abcde", "c>a");
	dominates(&t, &post, "abcde", "b>");
	eo_dom_release(&dom);
	eo_dom_release(&post);

	build(&t, "g");
	eo_dom_build(t.f->cfg, false, &dom);
	eo_dom_build(t.f->cfg, true, &post);
	dominates(&t, &dom, "abce", "c>abe");
	dominates(&t, &dom, "abce", "a>b");
	dominates(&t, &dom, "abce", "b>");
	dominates(&t, &post, "abce", "e>abc");
	dominates(&t, &post, "abce", "c>b");
	dominates(&t, &post, "abce", "a>");
	eo_dom_release(&dom);
	eo_dom_release(&post);

	/* From b() there is no way to the exit: nothing post-dominates it. */
	build(&t, "h");
	eo_dom_build(t.f->cfg, true, &post);
	dominates(&t, &post, "ac", "c>a");
	assert_false(eo_dominates(&post, call(&t, "c"), call(&t, "b")));
	assert_false(eo_dominates(&post, EO_CFG_EXIT, call(&t, "b")));
	eo_dom_release(&post);

	build(&t, "k");
	eo_dom_build(t.f->cfg, false, &dom);
	eo_dom_build(t.f->cfg, true, &post);
	assert_false(eo_dominates(&dom, EO_CFG_ENTRY, EO_CFG_EXIT));
	assert_true(eo_dominates(&dom, EO_CFG_ENTRY, call(&t, "b")));
	eo_dom_release(&dom);
	eo_dom_release(&post);
	close_text(&t);
}

/* That at the call to @name exactly those of @all are live that @want has. */
static void live_at(const struct text *t, const struct eo_live *l,
		    const char *name, const char *want)
{
	for (size_t k = 0; k < t->f->vars.n; k++) {
		const struct eo_var *v = t->f->vars.items[k];
		bool is = eo_live_in(l, call(t, name), v);

		if (is != (strchr(want, v->name[0]) != NULL))
			fail_msg("%s at %s(): %s", v->name, name,
				 is ? "live" : "dead");
	}
}

static void liveness(void **state)
{
	struct text t = open_text(
		"int f(int p) { int x = 1, y; a(); y = x; b(); return y + p; }\n"
		"int g(int p) { int q; for (q = 0; q < p; q++) a(); b(); "
		"return 0; }\n"
		"int h(int p) { int q = 1; if (p) { a(); q = 2; } else b(); "
		"c(); return q; }\n"
		"int k(int p) { int x = 1; int *y = &x; a(); *y = 2; b(); "
		"return p; }\n"
		"int m(int p) { int x = p; a(); x = 2; b(); x++; c(); "
		"return 0; }\n"
		"int r(int p) { struct in x = { 0, 0 }; a(); return 0; }\n");
	struct eo_live l = { 0 };

	(void)state;
	build(&t, "f");
	eo_live_build(t.f, &l);
	live_at(&t, &l, "a", "px");
	live_at(&t, &l, "b", "py");
	eo_live_release(&l);
	build(&t, "g");
	eo_live_build(t.f, &l);
	live_at(&t, &l, "a", "pq");
	live_at(&t, &l, "b", "");
	eo_live_release(&l);
	build(&t, "h");
	eo_live_build(t.f, &l);
	live_at(&t, &l, "a", "");
	live_at(&t, &l, "b", "q");
	live_at(&t, &l, "c", "q");
	eo_live_release(&l);
	build(&t, "k"); /* x by its address: wherever it is */
	eo_live_build(t.f, &l);
	live_at(&t, &l, "a", "pxy");
	live_at(&t, &l, "b", "px");
	eo_live_release(&l);
	build(&t, "m");
	eo_live_build(t.f, &l);
	live_at(&t, &l, "a", "");
	live_at(&t, &l, "b", "x");
	live_at(&t, &l, "c", "");
	eo_live_release(&l);
	build(&t, "r"); /* a struct counts as read anywhere */
	eo_live_build(t.f, &l);
	live_at(&t, &l, "a", "x");
	eo_live_release(&l);
	close_text(&t);
}

static void variables_are_what_they_are(void **state)
{
	struct text t = open_text(
		"int far; static int file;\n"
		"int f(int p) { static int s0; extern int far; C int x = p; "
		"int y[2]; struct in z; int w; s0 = far + file; a(&w); "
		"return y[0] + z.x + w; }\n");
	static const struct {
		const char *name;
		enum eo_var_scope scope;
		bool addressed, aggregate, cleanup;
	} want[] = {
		{ "p", EO_VAR_PARAM, false, false, false },
		{ "s0", EO_VAR_STATIC, false, false, false },
		{ "x", EO_VAR_LOCAL, false, false, true },
		{ "y", EO_VAR_LOCAL, false, true, false },
		{ "z", EO_VAR_LOCAL, false, true, false },
		{ "w", EO_VAR_LOCAL, true, false, false },
		{ "far", EO_VAR_GLOBAL, false, false, false },
		{ "file", EO_VAR_GLOBAL, false, false, false },
	};

	(void)state;
	build(&t, "f");
	for (size_t k = 0; k < sizeof(want) / sizeof(want[0]); k++) {
		const struct eo_var *v = NULL;

		for (size_t j = 0; j < t.f->vars.n; j++)
			if (strcmp(t.f->vars.items[j]->name, want[k].name) == 0)
				v = t.f->vars.items[j];
		assert_non_null(v);
		assert_int_equal(v->scope, want[k].scope);
		assert_int_equal(v->addressed, want[k].addressed);
		assert_int_equal(v->aggregate, want[k].aggregate);
		assert_int_equal(v->cleanup != NULL, want[k].cleanup);
		if (v->cleanup)
			assert_string_equal(v->cleanup, "done");
	}
	close_text(&t);
}

static void repeat(struct eo_str *s, const char *text, int times)
{
	for (int k = 0; k < times; k++)
		eo_str_add(s, text);
}

/* Builds a function of this body, and everything that is made of it. */
static size_t size_of(const char *body)
{
	EO_CLEANUP(eo_str_release) struct eo_str all = { 0 };
	struct eo_dom dom, post;
	struct eo_live live;
	struct text t;
	size_t n;

	eo_str_addf(&all, "int f(struct out *p, int q) { %s }", body);
	t = open_text(all.s);
	build(&t, "f");
	assert_null(t.f->unsupported);
	eo_dom_build(t.f->cfg, false, &dom);
	eo_dom_build(t.f->cfg, true, &post);
	eo_live_build(t.f, &live);
	assert_true(eo_dominates(&post, EO_CFG_EXIT, EO_CFG_ENTRY));
	eo_dom_release(&dom);
	eo_dom_release(&post);
	eo_live_release(&live);
	n = t.f->cfg->n;
	close_text(&t);
	return n;
}

static void deep_and_long_functions(void **state)
{
	struct eo_str s = { 0 };

	(void)state;
	repeat(&s, "{", 2000);
	eo_str_add(&s, "a();");
	repeat(&s, "}", 2000);
	assert_int_equal(size_of(s.s), 3); /* entry, exit, a() */

	eo_str_clear(&s);
	repeat(&s, "if (c()) {", 1000);
	eo_str_add(&s, "a();");
	repeat(&s, "}", 1000);
	assert_true(size_of(s.s) > 2000);

	eo_str_clear(&s);
	eo_str_add(&s, "return q");
	repeat(&s, " + q", 1999);
	eo_str_add(&s, ";");
	assert_int_equal(size_of(s.s), 2 + 2000 + 1); /* loads, return */

	eo_str_clear(&s);
	eo_str_add(&s, "if (a()");
	repeat(&s, " && a()", 1999);
	eo_str_add(&s, ") b();");
	assert_true(size_of(s.s) > 4000);

	eo_str_clear(&s);
	repeat(&s, "a();\n", 5000);
	assert_int_equal(size_of(s.s), 2 + 5000);

	eo_str_clear(&s);
	repeat(&s, "if (c()) q++;\n", 1500);
	assert_true(size_of(s.s) > 1500 * 5);
	eo_str_release(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(loads_and_stores),
		cmocka_unit_test(dominance),
		cmocka_unit_test(liveness),
		cmocka_unit_test(variables_are_what_they_are),
		cmocka_unit_test(deep_and_long_functions),
	};

	return cmocka_run_group_tests_name("dataflow", tests, NULL, NULL);
}
