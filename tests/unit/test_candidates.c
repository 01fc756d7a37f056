// SPDX-License-Identifier: GPL-2.0-only
/* The files that name a call: which do, which do not, which cannot be read. */
#include "tree_box.h"

#include <sys/stat.h>
#include <unistd.h>

#include "finding/finding.h"
#include "tree/candidates.h"
#include "tree/clex.h"
#include "tree/search.h"

static const char *const costly[] = { "costly_sync" };

struct found {
	struct eo_gaps gaps;
	struct eo_candidates list;
};

static void find(struct box *b, const char *const *names, size_t n,
		 unsigned jobs, struct found *f)
{
	eo_tree_free(b->tree);
	no_error(eo_tree_open(b->root, &b->tree));
	no_error(eo_candidates_find(b->tree, names, n, jobs, &f->gaps,
				    &f->list));
}

static void found_release(struct found *f)
{
	eo_gaps_release(&f->gaps);
	eo_candidates_release(&f->list);
}

/* The candidates, in their order. */
static void expect_files(const struct found *f, const char *expected)
{
	EO_CLEANUP(eo_str_release) struct eo_str got = { 0 };
	const struct eo_candidate *c;

	eo_vec_for_each(c, &f->list)
		eo_str_addf(&got, "%s%s", got.len ? " " : "", c->file);
	assert_string_equal(eo_str_get(&got), expected);
}

static void test_mini(void **state)
{
	(void)state;
	for (unsigned jobs = 0; jobs < 5; jobs++) {
		EO_CLEANUP(empty_box) struct box b = { 0 };
		EO_CLEANUP(found_release) struct found f = { 0 };

		fill_box(&b, "a tree's\n\"name\"");
		find(&b, costly, 1, jobs, &f);
		expect_files(&f, "arch/weird/odd.c arch/x86/thing.c "
				 "core/always.c core/plain.c core/sub/low.c "
				 "dir/deep/bottom.c dir/module.c "
				 "loop/unlisted.c");
		/* those, core/part.c, kernel/bounds.c, tools/gauge/gauge.c */
		assert_int_equal(f.list.files, 11);
		assert_int_equal(f.list.outside, 1);
		assert_int_equal(f.gaps.n, 0);
	}
}

static void test_identifiers(void **state)
{
	EO_CLEANUP(empty_box) struct box b = { 0 };
	EO_CLEANUP(found_release) struct found f = { 0 };
	static const char *const names[] = { "alpha_call", "beta_call",
					     "alpha_call_too" };

	(void)state;
	fill_box(&b, "tree");
	put(&b, "q/1-both.c", "void f(void) { beta_call(); alpha_call(); }");
	put(&b, "q/2-macro.c", "#define m(x) \\\n\tbeta_call(x)\n");
	put(&b, "q/3-longer.c", "int xalpha_call, alpha_callx, 1alpha_call;");
	put(&b, "q/4-comment.c",
	    "/* alpha_call */ // beta_call \\\nalpha_call");
	put(&b, "q/5-string.c", "char *s = \"\\\"alpha_call\" \"beta_call\";");
	put(&b, "q/6-quote.c", "char c = '\"'; int d = alpha_call(); // \"");
	put(&b, "q/7-end.c", "alpha_call_too");
	put(&b, "q/8-error.c", "#error don't\nint x = alpha_call();\n");
	put(&b, "q/9-empty.c", "");
	put(&b, "q/a-header.h", "alpha_call();");
	put(&b, ".hidden/b.c", "alpha_call();");
	find(&b, names, 3, 2, &f);
	expect_files(&f, "q/1-both.c q/2-macro.c q/6-quote.c q/7-end.c "
			 "q/8-error.c");
	assert_int_equal(f.list.items[0].names, 3);
	assert_int_equal(f.list.items[1].names, 2);
	assert_int_equal(f.list.items[2].names, 1);
	assert_int_equal(f.list.items[3].names, 4);
	assert_int_equal(f.list.files, 11 + 9);
}

static void expect_gap(const struct eo_gap *g, const char *file,
		       enum eo_engine engine, enum eo_gap_reason reason)
{
	assert_string_equal(g->file, file);
	assert_int_equal(g->engine, engine);
	assert_int_equal(g->reason, reason);
	assert_non_null(g->detail);
}

static void test_not_c_and_links(void **state)
{
	EO_CLEANUP(empty_box) struct box b = { 0 };
	EO_CLEANUP(found_release) struct found f = { 0 };
	EO_CLEANUP(eo_freep) char *nul = NULL, *link = NULL, *loop = NULL;

	(void)state;
	fill_box(&b, "tree");
	nul = eo_path_join(b.root, "core/nul.c");
	no_error(eo_file_write(nul, "costly_sync\0();", 15));
	link = eo_path_join(b.root, "core/link.c");
	assert_int_equal(symlink("always.c", link), 0);
	loop = eo_path_join(b.root, "core/loop");
	assert_int_equal(symlink("..", loop), 0);
	find(&b, costly, 1, 2, &f);
	assert_int_equal(f.list.n, 8);
	assert_int_equal(f.list.files, 12);
	assert_int_equal(f.gaps.n, 2);
	expect_gap(&f.gaps.items[0], "core/nul.c", EO_ENGINE_CLANG,
		   EO_GAP_NOT_C);
	expect_gap(&f.gaps.items[1], "core/nul.c", EO_ENGINE_SMPL,
		   EO_GAP_NOT_C);
}

/* Root may read everything: become nobody for the time of the search. */
static void test_unreadable(void **state)
{
	EO_CLEANUP(empty_box) struct box b = { 0 };
	EO_CLEANUP(found_release) struct found f = { 0 };
	EO_CLEANUP(eo_freep) char *file = NULL, *dir = NULL, *outside = NULL;
	bool root = geteuid() == 0;

	(void)state;
	fill_box(&b, "tree");
	file = eo_path_join(b.root, "core/always.c");
	dir = eo_path_join(b.root, "dir/deep");
	outside = eo_path_join(b.root, "tools/gauge");
	chmod(b.dir, 0755);
	chmod(file, 0);
	chmod(dir, 0);
	chmod(outside, 0);
	if (root)
		assert_int_equal(seteuid(65534), 0);
	find(&b, costly, 1, 2, &f);
	if (root)
		assert_int_equal(seteuid(0), 0);
	chmod(dir, 0755);
	chmod(outside, 0755);
	expect_files(&f, "arch/weird/odd.c arch/x86/thing.c core/plain.c "
			 "core/sub/low.c dir/module.c loop/unlisted.c");
	assert_int_equal(f.gaps.n, 4);
	expect_gap(&f.gaps.items[0], "core/always.c", EO_ENGINE_CLANG,
		   EO_GAP_UNREADABLE);
	expect_gap(&f.gaps.items[1], "core/always.c", EO_ENGINE_SMPL,
		   EO_GAP_UNREADABLE);
	expect_gap(&f.gaps.items[2], "dir/deep", EO_ENGINE_CLANG,
		   EO_GAP_UNREADABLE);
	assert_non_null(strstr(f.gaps.items[2].detail, "Permission denied"));
}

/* A file larger than the buffer, its only hit across a power of two. */
static void test_large_file(void **state)
{
	EO_CLEANUP(empty_box) struct box b = { 0 };
	EO_CLEANUP(found_release) struct found f = { 0 };
	EO_CLEANUP(eo_str_release) struct eo_str text = { 0 };

	(void)state;
	fill_box(&b, "tree");
	while (text.len < (1 << 20) - 5)
		eo_str_addc(&text, '\n');
	eo_str_add(&text, "costly_sync");
	put(&b, "core/part.c", eo_str_get(&text));
	find(&b, costly, 1, 1, &f);
	assert_int_equal(f.list.n, 9);
}

/* Against the plain way: every place, every name. */
static bool naive(const char *const *names, size_t n, const char *s, size_t len)
{
	for (size_t at = 0; at < len; at++) {
		for (size_t i = 0; i < n; i++) {
			size_t l = strlen(names[i]);

			if (len - at >= l && !memcmp(s + at, names[i], l) &&
			    (at == 0 || !eo_is_ident(s[at - 1])) &&
			    (at + l == len || !eo_is_ident(s[at + l])))
				return true;
		}
	}
	return false;
}

static void test_search(void **state)
{
	static const char *const sets[][4] = {
		{ "ab", "ba", "aab", "abab" },
		{ "abc", "bca", "cab", "abcabc" },
		{ "aaaa", "aaba", "bbbb", "a_b_a" },
		{ "a", "bb", "ccc", "ab" },
	};
	unsigned seed = 12345;

	(void)state;
	for (size_t set = 0; set < 4; set++) {
		struct eo_search s;
		size_t hits = 0, found = 0;

		eo_search_init(&s, sets[set], 4);
		for (unsigned round = 0; round < 20000; round++) {
			char text[24];
			size_t len = round % sizeof(text);

			for (size_t i = 0; i < len; i++) {
				seed = seed * 1103515245 + 12345;
				text[i] = "abc_ ab;"[(seed >> 16) & 7];
			}
			found = naive(sets[set], 4, text, len);
			hits += found;
			/* one-letter names are left to the lexer: always a hit */
			if (set < 3)
				assert_int_equal(eo_search_hit(&s, text, len),
						 found);
			else
				assert_true(eo_search_hit(&s, text, len));
		}
		assert_true(hits > 100);
		assert_int_equal(eo_search_index(&s, sets[set][2],
						 strlen(sets[set][2])),
				 2);
		assert_int_equal(eo_search_index(&s, "zz", 2), -1);
		eo_search_release(&s);
	}
}

static void test_lexer(void **state)
{
	static const char text[] = "a /* b\n#c */ \"d\\\n#e\" L'f' 0xg 1.5h\n"
				   " # if X /* y\n */ && Z\n"
				   "i # j\n"
				   "/* k */ # l \\\n m // n\n"
				   "o /* never closed";
	static const char *const expected[] = {
		"a", "L", "# if X /* y\n */ && Z", "i", "j", "# l \\\n m // n",
		"o",
	};
	struct eo_clex lx = { .p = text,
			      .end = text + sizeof(text) - 1,
			      .directives = true };
	enum eo_clex_kind kind;
	const char *tok;
	size_t n, i = 0;

	(void)state;
	while ((kind = eo_clex_next(&lx, &tok, &n)) != EO_CLEX_END) {
		EO_CLEANUP(eo_freep)
		char *got = eo_asprintf("%s%.*s",
					kind == EO_CLEX_DIRECTIVE ? "#" : "",
					(int)n, tok);

		assert_true(i < sizeof(expected) / sizeof(expected[0]));
		assert_string_equal(got, expected[i++]);
	}
	assert_int_equal(i, sizeof(expected) / sizeof(expected[0]));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_mini),
		cmocka_unit_test(test_identifiers),
		cmocka_unit_test(test_not_c_and_links),
		cmocka_unit_test(test_unreadable),
		cmocka_unit_test(test_large_file),
		cmocka_unit_test(test_search),
		cmocka_unit_test(test_lexer),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
