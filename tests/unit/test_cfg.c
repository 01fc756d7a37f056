// SPDX-License-Identifier: GPL-2.0-only
/*
 * Control-flow graphs against what control does, worked out by hand. The
 * functions of the texts call a(), b(), …, and the graph is told as what may
 * come next after each call, or as the list of all paths; "~x" is the cleanup
 * of x, "^" the way back to where the path has been.
 */
#include "cfg_box.h"

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
static char *graph(const struct text *t)
{
	const struct eo_func *f = t->f;
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
static char *paths(const struct text *t)
{
	const struct eo_func *f = t->f;
	EO_CLEANUP(eo_freep) bool *seen = eo_zalloc(f->cfg->n);
	struct eo_str out = { 0 };
	struct walk w = { f->cfg, seen, &out, { 0 }, 0 };

	follow(&w, EO_CFG_ENTRY);
	return eo_str_take(&out);
}

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
	};

	return cmocka_run_group_tests_name("cfg", tests, NULL, NULL);
}
