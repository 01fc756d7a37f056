// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/err.h"
#include "base/file.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/proc.h"
#include "base/str.h"
#include "base/wire.h"

static void must(struct eo_error *err)
{
	if (err)
		fail_msg("%s", eo_error_message(err));
}

/* That @err is one of this kind whose message has @part; frees it. */
static void fails(struct eo_error *err, enum eo_error_kind kind,
		  const char *part)
{
	assert_non_null(err);
	assert_int_equal(eo_error_kind(err), kind);
	if (!strstr(eo_error_message(err), part))
		fail_msg("\"%s\" is not in: %s", part, eo_error_message(err));
	eo_error_free(err);
}

static void errors_carry_kind_and_words(void **state)
{
	struct eo_error *err = eo_error_new(EO_ERR_INPUT, "%s: %d", "x.c", 7);

	(void)state;
	err = eo_error_wrap(err, "in %s", "a\nb");
	assert_string_equal(eo_error_message(err), "in a\nb: x.c: 7");
	fails(err, EO_ERR_INPUT, "x.c");
	fails(eo_error_errno(ENOSPC, "cannot write %s", "f"), EO_ERR_ENV,
	      "cannot write f: No space left on device");
	assert_null(eo_error_wrap(NULL, "of nothing"));
	eo_error_free(NULL);
}

static void vectors_grow_and_zero(void **state)
{
	struct {
		int *items;
		size_t n, cap;
	} v = { 0 };
	int sum = 0, *it;

	(void)state;
	for (int i = 0; i < 1000; i++) {
		int *last = eo_vec_push(&v);

		assert_int_equal(*last, 0);
		*last = i;
	}
	eo_vec_for_each(it, &v)
		sum += *it;
	assert_int_equal(sum, 499500);
	free(v.items);
}

static void arenas_align_and_zero(void **state)
{
	struct eo_arena a = { 0 };
	char *big, *s;

	(void)state;
	for (size_t i = 1; i < 500; i++) {
		char *p = eo_arena_alloc(&a, i);

		assert_int_equal((uintptr_t)p % _Alignof(max_align_t), 0);
		for (size_t j = 0; j < i; j++)
			assert_int_equal(p[j], 0);
		memset(p, 0xff, i);
	}
	big = eo_arena_alloc(&a, 1 << 20); /* larger than a block */
	assert_int_equal(big[(1 << 20) - 1], 0);
	s = eo_arena_strndup(&a, "abcdef", 3);
	assert_string_equal(s, "abc");
	assert_string_equal(eo_arena_printf(&a, "%s-%d", s, 4), "abc-4");
	assert_non_null(eo_arena_alloc(&a, 0));
	eo_arena_release(&a);
	eo_arena_release(&a); /* empty again */
}

static void strings_grow(void **state)
{
	EO_CLEANUP(eo_str_release) struct eo_str b = { 0 };
	char *taken;

	(void)state;
	assert_string_equal(eo_str_get(&b), "");
	taken = eo_str_take(&b);
	assert_string_equal(taken, "");
	free(taken);
	eo_str_addn(&b, "", 0);
	assert_string_equal(eo_str_get(&b), "");
	for (int i = 0; i < 100; i++)
		eo_str_addf(&b, "%d,", i % 10);
	eo_str_addc(&b, '.');
	assert_int_equal(b.len, 201);
	assert_string_equal(b.s + 194, "7,8,9,.");
	taken = eo_str_take(&b);
	assert_int_equal(strlen(taken), 201);
	assert_null(b.s);
	free(taken);
}

static void squeezed(const char *in, const char *want)
{
	EO_CLEANUP(eo_freep) char *out = eo_squeeze(in, strlen(in));

	assert_string_equal(out, want);
}

static void words_are_compared(void **state)
{
	(void)state;
	assert_true(eo_starts_with("abc", ""));
	assert_true(eo_starts_with("abc", "ab"));
	assert_false(eo_starts_with("a", "ab"));
	assert_true(eo_ends_with("x.model", ".model"));
	assert_false(eo_ends_with("model", ".model"));
	assert_true(eo_streq(NULL, NULL));
	assert_false(eo_streq(NULL, ""));
	squeezed(" \t a\n  b ", "a b");
	squeezed("", "");
	squeezed(" \n", "");
	assert_true(eo_is_ident('_') && eo_is_ident('9') && !eo_is_ident('-'));
	assert_false(eo_is_ident((char)0xe4));
}

static void utf8_is_checked(void **state)
{
	static const struct {
		const char *s;
		size_t len;
	} cases[] = {
		{ "a", 1 },
		{ "\xc3\xa4", 2 }, /* U+00E4 */
		{ "\xe2\x82\xac", 3 }, /* U+20AC */
		{ "\xf0\x9f\x90\xa7", 4 }, /* U+1F427 */
		{ "\xed\x9f\xbf", 3 }, /* U+D7FF */
		{ "\xee\x80\x80", 3 }, /* U+E000 */
		{ "\xf4\x8f\xbf\xbf", 4 }, /* U+10FFFF */
		{ "\x80", 0 }, /* no lead */
		{ "\xc0\x80", 0 }, /* U+0000, too long */
		{ "\xc1\xbf", 0 }, /* U+007F, too long */
		{ "\xe0\x80\x80", 0 }, /* too long */
		{ "\xe0\x9f\xbf", 0 }, /* U+07FF, too long */
		{ "\xf0\x8f\xbf\xbf", 0 }, /* U+FFFF, too long */
		{ "\xed\xa0\x80", 0 }, /* a surrogate */
		{ "\xf4\x90\x80\x80", 0 }, /* above U+10FFFF */
		{ "\xf8\x88\x80\x80\x80", 0 },
		{ "\xc3", 0 }, /* cut off */
		{ "\xe2\x82", 0 },
		{ "\xf0\x9f\x90", 0 },
		{ "\xc3(", 0 },
		{ "\xff", 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		if (eo_utf8_len(cases[i].s) != cases[i].len)
			fail_msg("case %zu: %zu", i, eo_utf8_len(cases[i].s));
}

static void json_is_escaped(void **state)
{
	EO_CLEANUP(eo_str_release) struct eo_str b = { 0 };

	(void)state;
	eo_str_add_json(&b, "a\"b\\c\n\t\r\x01\x7f\xc3\xa4\xff\xe2\x82");
	assert_string_equal(
		eo_str_get(&b),
		"\"a\\\"b\\\\c\\n\\t\\u000d\\u0001\\u007f\xc3\xa4\\ufffd\\ufffd\\ufffd\"");
}

static void hashes_are_xxh3(void **state)
{
	char hex[17];

	(void)state;
	/* XXH3_64bits of nothing, as its authors give it. */
	eo_hash_hex("", 0, hex);
	assert_string_equal(hex, "2d06800538d394c2");
}

static void maps_keep_order(void **state)
{
	struct eo_map m = { 0 };
	struct eo_map_entry *e;
	char key[16];
	size_t i = 0;

	(void)state;
	assert_null(eo_map_get(&m, "x"));
	assert_false(eo_map_has(&m, ""));
	for (int k = 0; k < 5000; k++) {
		snprintf(key, sizeof(key), "k%d", k);
		assert_true(eo_map_set(&m, key, &m));
	}
	assert_false(eo_map_set(&m, "k17", NULL));
	assert_true(eo_map_has(&m, "k17"));
	assert_null(eo_map_get(&m, "k17"));
	assert_ptr_equal(eo_map_get(&m, "k4999"), &m);
	assert_false(eo_map_has(&m, "k5000"));
	eo_map_for_each(e, &m) {
		snprintf(key, sizeof(key), "k%zu", i++);
		assert_string_equal(e->key, key);
	}
	assert_int_equal(i, 5000);
	eo_map_release(&m);
	assert_true(eo_set_add(&m, "again"));
	eo_map_release(&m);
}

static void files_of_any_name(void **state)
{
	static const char odd[] = "a \"b' \n\xff.c";
	EO_CLEANUP(eo_freep) char *dir = NULL, *below = NULL, *path = NULL;
	EO_CLEANUP(eo_str_release) struct eo_str text = { 0 };
	struct stat st;

	(void)state;
	must(eo_temp_dir(&dir));
	below = eo_path_join(dir, "x/y/z");
	must(eo_mkdirs(below));
	must(eo_mkdirs(below)); /* there already */
	path = eo_path_join(below, odd);
	must(eo_file_write(path, "one\0two", 7));
	must(eo_file_write(path, "1\0two", 5)); /* replaced */
	must(eo_file_read(path, &text));
	assert_int_equal(text.len, 5);
	assert_memory_equal(text.s, "1\0two", 5);
	must(eo_file_read(path, &text)); /* appends */
	assert_int_equal(text.len, 10);
	assert_true(eo_is_file(path) && !eo_is_dir(path));
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0644);
	must(eo_remove_tree(dir));
	assert_false(eo_is_dir(dir));
	must(eo_remove_tree(dir)); /* gone already */
	fails(eo_file_read(path, &text), EO_ERR_ENV, path);
	fails(eo_file_write(path, "", 0), EO_ERR_ENV, path);
}

static void trees_are_removed_not_followed(void **state)
{
	EO_CLEANUP(eo_freep)
	char *dir = NULL, *kept = NULL, *file = NULL, *link = NULL;

	(void)state;
	must(eo_temp_dir(&dir));
	must(eo_temp_dir(&kept));
	file = eo_path_join(kept, "file");
	must(eo_file_write(file, "", 0));
	link = eo_path_join(dir, "link");
	assert_int_equal(symlink(kept, link), 0);
	must(eo_remove_tree(dir));
	assert_true(eo_is_file(file));
	fails(eo_mkdirs(file), EO_ERR_ENV, "cannot create");
	must(eo_remove_tree(kept));
}

static void xdg_folders_ignore_relative_ones(void **state)
{
	EO_CLEANUP(eo_freep) char *dir = NULL, *got = NULL, *want = NULL;

	(void)state;
	must(eo_temp_dir(&dir));
	setenv("HOME", dir, 1);
	setenv("XDG_CACHE_HOME", "not/absolute", 1);
	must(eo_cache_dir(&got));
	want = eo_path_join(dir, ".cache/earlyout");
	assert_string_equal(got, want);
	assert_true(eo_is_dir(want));
	must(eo_remove_tree(dir));
}

/* Runs a shell's script: a program that is surely there. */
static struct eo_error *sh(const char *script, const char *input,
			   unsigned timeout_ms, size_t max,
			   struct eo_proc_result *r)
{
	const char *const argv[] = { "sh", "-c", script, NULL };
	struct eo_proc p = { .argv = argv,
			     .input = input,
			     .input_len = input ? strlen(input) : 0,
			     .timeout_ms = timeout_ms,
			     .max_output = max };

	return eo_proc_run(&p, r);
}

static void programs_run(void **state)
{
	EO_CLEANUP(eo_proc_result_release) struct eo_proc_result r = { 0 };

	(void)state;
	must(sh("cat; echo words >&2; exit 3", "in\n", 0, 0, &r));
	assert_string_equal(eo_str_get(&r.out), "in\n");
	assert_string_equal(eo_str_get(&r.err), "words\n");
	assert_int_equal(r.status, 3);
	assert_false(r.truncated);
}

static void programs_without_input_read_nothing(void **state)
{
	EO_CLEANUP(eo_proc_result_release) struct eo_proc_result r = { 0 };

	(void)state;
	must(sh("cat; kill -9 $$", NULL, 0, 0, &r));
	assert_int_equal(r.out.len, 0);
	assert_int_equal(r.status, 128 + 9);
}

static void arguments_stay_as_they_are(void **state)
{
	const char *const argv[] = { "printf", "%s|", "a b", "$HOME;'\"",
				     "\n",     "",    NULL };
	struct eo_proc p = { .argv = argv };
	EO_CLEANUP(eo_proc_result_release) struct eo_proc_result r = { 0 };

	(void)state;
	must(eo_proc_check(&p, &r));
	assert_string_equal(eo_str_get(&r.out), "a b|$HOME;'\"|\n||");
}

static void folder_and_environment(void **state)
{
	const char *const argv[] = { "sh", "-c", "pwd; echo $EO_TEST", NULL };
	const char *const env[] = { "EO_TEST=x y", NULL };
	struct eo_proc p = { .argv = argv, .cwd = "/", .env = env };
	EO_CLEANUP(eo_proc_result_release) struct eo_proc_result r = { 0 };

	(void)state;
	must(eo_proc_check(&p, &r));
	assert_string_equal(eo_str_get(&r.out), "/\nx y\n");
	assert_null(getenv("EO_TEST"));
}

static void missing_programs_are_named(void **state)
{
	const char *const argv[] = { "no-such-program-at-all", NULL };
	const char *const dir[] = { "/", NULL };
	struct eo_proc p = { .argv = argv };
	struct eo_proc_result r = { 0 };

	(void)state;
	fails(eo_proc_run(&p, &r), EO_ERR_ENV,
	      "no-such-program-at-all: not found in PATH");
	p.argv = dir;
	fails(eo_proc_run(&p, &r), EO_ERR_ENV, "cannot run /");
	p.argv = (const char *const[]){ "true", NULL };
	p.cwd = "/no/such/folder";
	fails(eo_proc_run(&p, &r), EO_ERR_ENV, "");
	eo_proc_result_release(&r);
}

static void much_goes_in_and_out(void **state)
{
	EO_CLEANUP(eo_proc_result_release) struct eo_proc_result r = { 0 };
	size_t n = 8 << 20;
	char *input = eo_alloc(n + 1);

	(void)state;
	memset(input, 'x', n);
	input[n] = '\0';
	/* Both at once: more than pipes hold. */
	must(sh("tee /dev/stderr", input, 60000, 0, &r));
	assert_int_equal(r.out.len, n);
	assert_int_equal(r.err.len, n);
	assert_memory_equal(r.out.s, input, n);
	free(input);
}

static void input_may_be_left(void **state)
{
	EO_CLEANUP(eo_proc_result_release) struct eo_proc_result r = { 0 };
	size_t n = 1 << 20;
	char *input = eo_alloc(n + 1);

	(void)state;
	memset(input, 'x', n);
	input[n] = '\0';
	must(sh("exec <&-; sleep 0.1; echo done", input, 60000, 0, &r));
	assert_string_equal(eo_str_get(&r.out), "done\n");
	assert_int_equal(r.status, 0);
	free(input);
}

static void output_is_bounded(void **state)
{
	EO_CLEANUP(eo_proc_result_release) struct eo_proc_result r = { 0 };

	(void)state;
	must(sh("head -c 3000000 /dev/zero; exit 5", NULL, 60000, 1000, &r));
	assert_int_equal(r.out.len, 1000);
	assert_true(r.truncated);
	assert_int_equal(r.status, 5);
}

static double seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* A child, a grandchild that has the pipe, one that closed its outputs. */
static void what_takes_too_long_ends(void **state)
{
	static const char *const scripts[] = { "sleep 20", "sleep 20 & wait",
					       "exec >&- 2>&-; sleep 20" };
	double start = seconds();

	(void)state;
	for (size_t i = 0; i < sizeof(scripts) / sizeof(scripts[0]); i++) {
		struct eo_proc_result r = { 0 };

		fails(sh(scripts[i], NULL, 200, 0, &r), EO_ERR_TIMEOUT,
		      "sh took longer than 0.2 s");
		eo_proc_result_release(&r);
	}
	assert_true(seconds() - start < 10);
}

static void failures_quote_the_end(void **state)
{
	const char *const argv[] = {
		"sh", "-c",
		"i=0; while [ $i -lt 500 ]; do echo line $i >&2; i=$((i+1)); "
		"done; exit 4",
		NULL
	};
	struct eo_proc p = { .argv = argv };
	struct eo_proc_result r = { 0 };
	struct eo_error *err = eo_proc_check(&p, &r);

	(void)state;
	assert_non_null(err);
	assert_null(strstr(eo_error_message(err), "line 17"));
	assert_true(eo_ends_with(eo_error_message(err), "line 499"));
	fails(err, EO_ERR_ENV, "sh failed with status 4: ");
	eo_proc_result_release(&r);
}

/* A message of each thing that goes over the wire. */
static void put_message(struct eo_str *to)
{
	eo_wire_put_u32(to, 0);
	eo_wire_put_str(to, "words");
	eo_wire_put_str(to, NULL);
	eo_wire_put_str(to, "");
	eo_wire_put_u32(to, UINT32_MAX);
}

static bool get_message(struct eo_wire *w, struct eo_arena *a)
{
	bool same = eo_wire_get_u32(w) == 0;

	same &= eo_streq(eo_wire_get_str(w, a), "words");
	same &= eo_wire_get_str(w, a) == NULL && !w->bad;
	same &= eo_streq(eo_wire_get_str(w, a), "");
	same &= eo_wire_get_u32(w) == UINT32_MAX;
	return same;
}

static void wire_carries_all(void **state)
{
	EO_CLEANUP(eo_str_release) struct eo_str b = { 0 };
	struct eo_arena a = { 0 };
	struct eo_wire w;

	(void)state;
	put_message(&b);
	w = (struct eo_wire){ b.s, b.len, false };
	assert_true(get_message(&w, &a));
	assert_int_equal(w.left, 0);
	assert_false(w.bad);
	assert_int_equal(eo_wire_get_u32(&w), 0);
	assert_true(w.bad);
	eo_arena_release(&a);
}

/* Each shorter message, in memory of its own so that a sanitizer sees. */
static void wire_sees_every_truncation(void **state)
{
	EO_CLEANUP(eo_str_release) struct eo_str b = { 0 };
	struct eo_arena a = { 0 };

	(void)state;
	put_message(&b);
	for (size_t n = 0; n < b.len; n++) {
		char *part = eo_alloc(n);
		struct eo_wire w = { part, n, false };

		memcpy(part, b.s, n);
		assert_false(get_message(&w, &a));
		assert_true(w.bad);
		free(part);
	}
	eo_arena_release(&a);
}

static void wire_does_not_believe_lengths(void **state)
{
	EO_CLEANUP(eo_str_release) struct eo_str b = { 0 };
	struct eo_arena a = { 0 };
	struct eo_wire w;

	(void)state;
	eo_wire_put_u32(&b, UINT32_MAX - 1); /* of a string */
	eo_str_add(&b, "short");
	w = (struct eo_wire){ b.s, b.len, false };
	assert_null(eo_wire_get_str(&w, &a));
	assert_true(w.bad);
	assert_null(eo_wire_get_str(&w, &a)); /* stays bad */
	eo_arena_release(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(errors_carry_kind_and_words),
		cmocka_unit_test(vectors_grow_and_zero),
		cmocka_unit_test(arenas_align_and_zero),
		cmocka_unit_test(strings_grow),
		cmocka_unit_test(words_are_compared),
		cmocka_unit_test(utf8_is_checked),
		cmocka_unit_test(json_is_escaped),
		cmocka_unit_test(hashes_are_xxh3),
		cmocka_unit_test(maps_keep_order),
		cmocka_unit_test(files_of_any_name),
		cmocka_unit_test(trees_are_removed_not_followed),
		cmocka_unit_test(xdg_folders_ignore_relative_ones),
		cmocka_unit_test(programs_run),
		cmocka_unit_test(programs_without_input_read_nothing),
		cmocka_unit_test(arguments_stay_as_they_are),
		cmocka_unit_test(folder_and_environment),
		cmocka_unit_test(missing_programs_are_named),
		cmocka_unit_test(much_goes_in_and_out),
		cmocka_unit_test(input_may_be_left),
		cmocka_unit_test(output_is_bounded),
		cmocka_unit_test(what_takes_too_long_ends),
		cmocka_unit_test(failures_quote_the_end),
		cmocka_unit_test(wire_carries_all),
		cmocka_unit_test(wire_sees_every_truncation),
		cmocka_unit_test(wire_does_not_believe_lengths),
	};

	eo_interrupt_init(); /* as main() does: no SIGPIPE */
	return cmocka_run_group_tests_name("base", tests, NULL, NULL);
}
