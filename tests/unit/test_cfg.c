// SPDX-License-Identifier: GPL-2.0-only
/*
 * Control-flow graphs against what control does, worked out by hand. The
 * functions of the texts call a(), b(), …, and the graph is told as what may
 * come next after each call, or as the list of all paths; "~x" is the cleanup
 * of x, "^" the way back to where the path has been.
 */
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
#include "facts/dom.h"
#include "facts/live.h"
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

static void must(struct eo_error *err)
{
	if (err)
		fail_msg("%s", eo_error_message(err));
}

static struct eo_unit *parse(const char *body)
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

static void build(struct text *t, const char *function)
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

static struct text open_text(const char *body)
{
	struct text t = { .u = parse(body), .model = eo_model_new() };

	return t;
}

static void close_text(struct text *t)
{
	eo_func_free(t->f);
	eo_unit_free(t->u);
	eo_model_free(t->model);
}

/* What an atom is called here; NULL when nothing is to be seen of it. */
static const char *label(const struct eo_atom *at, char *buf)
{
	if (at->kind == EO_A_CALL && at->node->name)
		return at->node->name;
	if (at->kind != EO_A_CLEANUP)
		return NULL;
	sprintf(buf, "~%s", at->var->name);
	return buf;
}

struct walk {
	const struct eo_cfg *cfg;
	bool *seen;
	struct eo_str *out;
	unsigned trail[4096];
	size_t n;
};

/* Appends the labels that may come next after @atom. */
static void next_labels(struct walk *w, unsigned atom)
{
	const struct eo_links *succ = &w->cfg->items[atom].succ;
	char buf[64];

	for (size_t k = 0; k < succ->n; k++) {
		unsigned to = succ->items[k];
		const char *name = label(&w->cfg->items[to], buf);

		if (w->seen[to])
			continue;
		w->seen[to] = true;
		if (to == EO_CFG_EXIT)
			eo_str_add(w->out, " out");
		else if (name)
			eo_str_addf(w->out, " %s", name);
		else
			next_labels(w, to);
	}
}

/* "in>a; a>b out; ": in the order of the atoms, dead code left out. */
static char *graph(const struct eo_func *f)
{
	EO_CLEANUP(eo_freep)
	bool *live = eo_cfg_reach(f->cfg, EO_CFG_ENTRY, true, NULL, NULL);
	struct eo_str out = { 0 };

	for (unsigned k = 0; k < f->cfg->n; k++) {
		EO_CLEANUP(eo_freep) bool *seen = eo_zalloc(f->cfg->n);
		struct walk w = { f->cfg, seen, &out, { 0 }, 0 };
		char buf[64];
		const char *name = k == EO_CFG_ENTRY ?
					   "in" :
					   label(&f->cfg->items[k], buf);

		if (!name || !live[k])
			continue;
		eo_str_addf(&out, "%s%s>", out.len ? "; " : "", name);
		next_labels(&w, k);
	}
	return eo_str_take(&out);
}

static void add_path(struct walk *w, const char *end)
{
	char buf[64];

	if (w->out->len)
		eo_str_add(w->out, "|");
	for (size_t k = 0; k < w->n; k++) {
		const char *name = label(&w->cfg->items[w->trail[k]], buf);

		if (name)
			eo_str_addf(w->out, "%s ", name);
	}
	eo_str_add(w->out, end);
}

static void follow(struct walk *w, unsigned atom)
{
	const struct eo_links *succ = &w->cfg->items[atom].succ;

	if (w->seen[atom]) {
		add_path(w, "^");
		return;
	}
	w->seen[atom] = true;
	w->trail[w->n++] = atom;
	if (atom == EO_CFG_EXIT)
		add_path(w, ".");
	else if (!succ->n)
		add_path(w, "!");
	for (size_t k = 0; k < succ->n; k++)
		follow(w, succ->items[k]);
	w->n--;
	w->seen[atom] = false;
}

/* "a b .|a c .": true before false, "." the exit, "!" no way on. */
static char *paths(const struct eo_func *f)
{
	EO_CLEANUP(eo_freep) bool *seen = eo_zalloc(f->cfg->n);
	struct eo_str out = { 0 };
	struct walk w = { f->cfg, seen, &out, { 0 }, 0 };

	follow(&w, EO_CFG_ENTRY);
	return eo_str_take(&out);
}

struct expected {
	const char *body, *want;
};

/* Each body as a function of its own: all in one unit. */
static void check_each(const struct expected *cases, size_t n,
		       char *(*tell)(const struct eo_func *f))
{
	EO_CLEANUP(eo_str_release) struct eo_str all = { 0 };
	struct text t;

	for (size_t k = 0; k < n; k++)
		eo_str_addf(&all, "int f%zu(struct out *p, int q)\n{ %s }\n", k,
			    cases[k].body);
	t = open_text(all.s);
	for (size_t k = 0; k < n; k++) {
		EO_CLEANUP(eo_freep) char *got = NULL;
		char name[16];

		snprintf(name, sizeof(name), "f%zu", k);
		build(&t, name);
		if (t.f->unsupported)
			fail_msg("%s: %s", cases[k].body, t.f->unsupported);
		got = tell(t.f);
		if (strcmp(got, cases[k].want))
			fail_msg("%s\nwanted %s\ngot    %s", cases[k].body,
				 cases[k].want, got);
	}
	close_text(&t);
}

#define CHECK(cases, tell) \
	check_each((cases), sizeof(cases) / sizeof((cases)[0]), (tell))

static void branches(void **state)
{
	static const struct expected cases[] = {
		{ "", "." },
		{ "a(); return b(); c();", "a b ." },
		{ "if (a()) b(); c();", "a b c .|a c ." },
		{ "if (a()) b(); else c(); d();", "a b d .|a c d ." },
		{ "if (a()) return b(); else if (c()) d(); e();",
		  "a b .|a c d e .|a c e ." },
		{ "if (!a()) b(); c();", "a c .|a b c ." },
		{ "if (a() && (b() || !c())) d(); e();",
		  "a b d e .|a b c e .|a b c d e .|a e ." },
		{ "q = a() && b(); c();", "a b c .|a b c .|a c ." },
		{ "q = a() || b(); c();", "a c .|a b c .|a b c ." },
		{ "q = a() ? b() : c(); d();", "a b d .|a c d ." },
		{ "q = a() ?: b(); c();", "a c .|a b c ." },
		{ "if (__builtin_expect(!!(a() && b()), 0)) c(); d();",
		  "a b c d .|a b d .|a d ." },
		{ "a(), b(); c();", "a b c ." },
		{ "q = ({ a(); if (b()) c(); d(); }); e();",
		  "a b c d e .|a b d e ." },
		{ "if (({ a(); b(); })) c(); d();", "a b c d .|a b d ." },
		{ "if (0) a(); if (1 || b()) c(); if (b() && 0) d(); e();",
		  "c b e .|c b e ." },
		{ "if (({ a(); 0; })) b(); c();", "a c ." },
		{ "if (2 > 1 && !(3 != 3)) a(); else b(); c();", "a c ." },
		{ "a(); die(); b();", "a die !" },
		{ "if (a()) die(); b();", "a die !|a b ." },
		{ "q = a() ? b() : ({ die(); 1; }); c();", "a b c .|a die !" },
		{ "a(b(c()), d()); e();", "c b d a e ." },
	};

	(void)state;
	CHECK(cases, paths);
}

/* What nothing evaluates is not called; of _Generic one of the choices. */
static void unevaluated(void **state)
{
	static const struct expected cases[] = {
		{ "q = sizeof(a()) + _Alignof(__typeof__(b())); c();", "c ." },
		{ "__typeof__(a()) v = b(); c();", "b c ." },
		{ "q = (__typeof__(a()))b(); c();", "b c ." },
		{ "q = __builtin_types_compatible_p(__typeof__(a()), int); c();",
		  "c ." },
		{ "q = __builtin_offsetof(struct out, v[3]); c();", "c ." },
		{ "q = _Generic(a(), int: b(), default: c()); d();",
		  "b d .|c d ." },
		{ "static int v = sizeof(a()); b();", "b ." },
		{ "say(\"for (;;) a();\"); b();", "say b ." },
	};

	(void)state;
	CHECK(cases, paths);
}

#define HEADERS(X)                                                        \
	X("i();c();n()", "in> i; i> c; c> b e; b> n; n> c; e> out",       \
	  "i() S c() S n()")                                              \
	X(";c();n()", "in> c; c> b e; b> n; n> c; e> out", "S c() S n()") \
	X("i();;n()", "in> i; i> b; b> n; n> b", "i() S S n()")           \
	X("i();c();", "in> i; i> c; c> b e; b> c; e> out", "i() S c() S") \
	X(";;n()", "in> b; b> n; n> b", "S S n()")                        \
	X(";c();", "in> c; c> b e; b> c; e> out", "S c() S")              \
	X("i();;", "in> i; i> b; b> b", "i() S S")                        \
	X(";;", "in> b; b> b", "S S")

/* Atoms come in the order in which they are built: increment after body. */
static void for_headers_in_the_source(void **state)
{
	static const struct expected cases[] = {
#define X(h, want, macro) { "for (" h ") b(); e();", want },
		HEADERS(X)
#undef X
#define X(h, want, macro) { "for\t(\n" h ") { b(); } e();", want },
			HEADERS(X)
#undef X
				{ "for (/* ; */ i(); c(); /* n() */) b(); e();",
				  "in> i; i> c; c> b e; b> c; e> out" },
		{ "for (say(\";\"); c() != ';';) b(); e();",
		  "in> say; say> c; c> b e; b> c; e> out" },
		{ "for (({ for (; c();) b(); }); d();) e();",
		  "in> c; c> b d; b> c; d> e out; e> d" },
		{ "for (; ({ for (;;) { if (c()) break; } d(); }); n()) b();",
		  "in> c; c> d c; d> b out; b> n; n> c" },
		{ "for (int v = i(), w = a(); c(); v++, n()) b();",
		  "in> i; i> a; a> c; c> b out; b> n; n> c" },
	};

	(void)state;
	CHECK(cases, graph);
}

static void for_headers_in_macros(void **state)
{
	static const struct expected cases[] = {
#define X(h, want, macro) \
	{ "\n#define L for (" h ")\nL b(); e();\n#undef L\n", want },
		HEADERS(X)
#undef X
#define X(h, want, macro) \
	{ "\n#define L(x) for (" h ") x\nL({ b(); }) e();\n#undef L\n", want },
			HEADERS(X)
#undef X
/* The semicolons come out of a macro, the rest stands there. */
#define X(h, want, macro) \
	{ "\n#define S ;\nfor (" macro ") b(); e();\n#undef S\n", want },
				HEADERS(X)
#undef X
/* Behind strings and characters that look like more of them. */
#define X(h, want, macro)                                                          \
	{ "\n#define L for (" h                                                    \
	  ")\nq = '\"' + 'f'; q = sizeof \"for (\\\";\"; L b(); e();\n#undef L\n", \
	  want },
					HEADERS(X)
#undef X
		/* One in another, of different parts. */
		{ "\n#define L(x) for (; c();) x\n#define M(x) for (;; n()) x\n"
		  "M(L(b();))\n#undef L\n#undef M\n",
		  "in> c; c> b n; b> c; n> c" },
		{ "\n#define L for (; c();)\n#define M for (;; n())\n"
		  "M { if (d()) break; L b(); } e();\n#undef L\n#undef M\n",
		  "in> d; d> e c; c> b n; b> c; n> d; e> out" },
	};

	(void)state;
	CHECK(cases, graph);
}

static void other_loops(void **state)
{
	static const struct expected cases[] = {
		{ "while (c()) b(); e();", "in> c; c> b e; b> c; e> out" },
		{ "do b(); while (c()); e();", "in> b; c> b e; b> c; e> out" },
		{ "do { a(); if (b()) break; c(); } while (0); d();",
		  "in> a; a> b; b> d c; c> d; d> out" },
		{ "do { a(); if (b()) continue; c(); } while (0); d();",
		  "in> a; a> b; b> d c; c> d; d> out" },
		{ "while (1) a(); b();", "in> a; a> a" },
		{ "for (;;) { if (a()) continue; if (b()) break; } c();",
		  "in> a; a> a b; b> c a; c> out" },
		{ "while (a()) { for (; b(); n()) { if (c()) continue; "
		  "if (d()) break; } e(); }",
		  "in> a; a> b out; b> c e; c> n d; d> e n; n> b; e> a" },
		{ "do { do a(); while (b()); } while (c());",
		  "in> a; c> a out; b> a c; a> b" },
		{ "do ; while (0); a();", "in> a; a> out" },
	};

	(void)state;
	CHECK(cases, graph);
}

static void switches(void **state)
{
	static const struct expected cases[] = {
		{ "switch (s()) { case 1: a(); case 2: b(); break; "
		  "default: d(); } e();",
		  "s a b e .|s b e .|s d e ." },
		{ "switch (s()) { case 1: a(); break; case 2: b(); } e();",
		  "s a e .|s b e .|s e ." },
		{ "switch (s()) { default: a(); case 1: b(); } e();",
		  "s a b e .|s b e ." },
		{ "switch (s()) { case 1 ... 3: case 5: a(); } e();",
		  "s a e .|s a e .|s e ." },
		{ "switch (s()) { a(); case 1: b(); } e();", "s b e .|s e ." },
		{ "switch (s()) { } e();", "s e ." },
		{ "switch (s()) case 1: a(); e();", "s a e .|s e ." },
		{ "switch (s()) { case 1: switch (a()) { case 2: b(); } "
		  "c(); default: d(); } e();",
		  "s a b c d e .|s a c d e .|s d e ." },
		{ "while (c()) { switch (s()) { case 1: continue; case 2: "
		  "break; default: return z(); } e(); }",
		  "c s ^|c s e ^|c s z .|c ." },
		{ "switch (s()) { case 0: do { a(); case 1: b(); } "
		  "while (c()); }",
		  "s a b c ^|s a b c .|s b c a ^|s b c .|s ." },
		{ "switch (s()) { case 1: a(); __attribute__((fallthrough)); "
		  "case 2: b(); }",
		  "s a b .|s b .|s ." },
	};

	(void)state;
	CHECK(cases, paths);
}

static void gotos(void **state)
{
	static const struct expected cases[] = {
		{ "if (a()) goto out; b(); out: c();", "a c .|a b c ." },
		{ "again: a(); if (b()) goto again; c();", "a b ^|a b c ." },
		{ "goto mid; a(); mid: b();", "b ." },
		{ "if (a()) goto in; while (c()) { b(); in: d(); }",
		  "a d c b ^|a d c .|a c b d ^|a c ." },
		{ "if (a()) goto e1; if (b()) goto e2; return c(); "
		  "e2: d(); e1: e(); return 1;",
		  "a e .|a b d e .|a b c ." },
		{ "l: ; m: a(); goto out; out: ;", "a ." },
	};

	(void)state;
	CHECK(cases, paths);
}

static void cleanups_run_at_the_end_of_scopes(void **state)
{
	static const struct expected cases[] = {
		{ "C int x = i(); a();", "i a ~x ." },
		{ "C int x = i(); C int y = n(); a();", "i n a ~y ~x ." },
		{ "C int x = i(); { C int y = n(); a(); if (c()) return b(); "
		  "d(); } e();",
		  "i n a c b ~y ~x .|i n a c d ~y e ~x ." },
		{ "while (c()) { C int x = i(); if (d()) continue; "
		  "if (e()) break; b(); } z();",
		  "c i d ~x ^|c i d e ~x z .|c i d e b ~x ^|c z ." },
		{ "C int x = i(); if (a()) return 1; C int y = n(); b();",
		  "i a ~x .|i a n b ~y ~x ." },
		{ "{ C int x = i(); { C int y = n(); if (a()) goto out; b(); } "
		  "c(); } d(); out: e();",
		  "i n a ~y ~x e .|i n a b ~y c ~x d e ." },
		{ "C int x = i(); again: ; { C int y = n(); "
		  "if (a()) goto again; } b();",
		  "i n a ~y ^|i n a ~y b ~x ." },
		{ "for (C int x = i(); c(); n()) { if (d()) return 1; "
		  "if (e()) break; b(); } z();",
		  "i c d ~x .|i c d e ~x z .|i c d e b n ^|i c ~x z ." },
		{ "switch (s()) { case 1: { C int x = i(); if (a()) break; "
		  "b(); } case 2: c(); } d();",
		  "s i a ~x d .|s i a b ~x c d .|s c d .|s d ." },
		{ "q = ({ C int x = i(); a(); }); b();", "i a ~x b ." },
		{ "if (a()) { C int x = i(); } else { C int y = n(); } b();",
		  "a i ~x b .|a n ~y b ." },
		{ "C int x; a();", "a ~x ." },
		{ "C int x = i(); die();", "i die !" },
		{ "C int x = i(), y = n(); return a();", "i n a ~y ~x ." },
	};

	(void)state;
	CHECK(cases, paths);
}

static void what_is_not_followed_says_so(void **state)
{
	static const char body[] =
		"int f(int q) { void *to = q ? &&x : &&y; goto *to; x: a(); "
		"y: return 0; }\n"
		"int g(int q) { asm goto(\"\" : : : : x); a(); x: return 0; }\n"
		"int h(int q) { asm volatile goto(\"\" : : : : x); a(); x: "
		"return 0; }\n"
		"int k(int q) { asm(\"\" : \"+r\"(q)); return q; }\n";
	struct text t = open_text(body);

	(void)state;
	build(&t, "f");
	assert_string_equal(t.f->unsupported, "computed goto");
	build(&t, "g");
	assert_string_equal(t.f->unsupported, "asm goto");
	build(&t, "h");
	assert_string_equal(t.f->unsupported, "asm goto");
	build(&t, "k");
	assert_null(t.f->unsupported);
	close_text(&t);
}

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
	EO_CLEANUP(eo_str_release) struct eo_str all = { 0 };
	size_t n = sizeof(cases) / sizeof(cases[0]);
	struct text t;

	(void)state;
	for (size_t k = 0; k < n; k++)
		eo_str_addf(&all, "void f%zu(struct out *p, int q) { %s }\n", k,
			    cases[k].body);
	t = open_text(all.s);
	for (size_t k = 0; k < n; k++) {
		EO_CLEANUP(eo_freep) char *got = NULL;
		char name[16];

		snprintf(name, sizeof(name), "f%zu", k);
		build(&t, name);
		got = accesses(&t);
		if (strcmp(got, cases[k].want))
			fail_msg("%s\nwanted %s\ngot    %s", cases[k].body,
				 cases[k].want, got);
	}
	close_text(&t);
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
		cmocka_unit_test(branches),
		cmocka_unit_test(unevaluated),
		cmocka_unit_test(for_headers_in_the_source),
		cmocka_unit_test(for_headers_in_macros),
		cmocka_unit_test(other_loops),
		cmocka_unit_test(switches),
		cmocka_unit_test(gotos),
		cmocka_unit_test(cleanups_run_at_the_end_of_scopes),
		cmocka_unit_test(what_is_not_followed_says_so),
		cmocka_unit_test(loads_and_stores),
		cmocka_unit_test(dominance),
		cmocka_unit_test(liveness),
		cmocka_unit_test(variables_are_what_they_are),
		cmocka_unit_test(deep_and_long_functions),
	};

	return cmocka_run_group_tests_name("cfg", tests, NULL, NULL);
}
