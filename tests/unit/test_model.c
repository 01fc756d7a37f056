// SPDX-License-Identifier: GPL-2.0-only
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

#define LINES "\tcost visits every shelf\n\tlost it waits for the next\n"

static void must(struct eo_error *err)
{
	if (err)
		fail_msg("%s", eo_error_message(err));
}

static int setup(void **state)
{
	*state = eo_model_new();
	return 0;
}

static int teardown(void **state)
{
	eo_model_free(*state);
	return 0;
}

static void parse(struct eo_model *m, const char *text)
{
	must(eo_model_parse(m, "t.model", text));
}

static const char small[] = "# a comment\n"
			    "call shelf_sync deferrable # and one here\n"
			    "\tcost   visits every shelf  \n"
			    "\tlost it waits\n"
			    "\tsubject 2\n"
			    "\tholds\n"
			    "\twrites dust light\n"
			    "\n"
			    "call clock_read sample\n" LINES "effect dust\n"
			    "\trecord grain speck\n"
			    "\treader dust_read\n"
			    "effect light\n"
			    "walk for_each_book head 2 empty no_books\n"
			    "test no_books reads one pointer\n"
			    "pure one two\n"
			    "neutral wait_*\n"
			    "acquire take\n"
			    "release give\n"
			    "output print*\n"
			    "hot show read of a file\n";

static struct eo_names one_effect(const char **name)
{
	return (struct eo_names){ .items = name, .n = 1 };
}

static void all_of_it_is_read(void **state)
{
	const char *dust = "dust", *light = "light";
	struct eo_names writes = one_effect(&dust), other = one_effect(&light);
	const struct eo_model_call *c;
	const struct eo_model_walk *w;
	struct eo_model *m = *state;

	parse(m, small);
	c = eo_model_call(m, "shelf_sync");
	assert_non_null(c);
	assert_int_equal(c->kind, EO_CALL_DEFERRABLE);
	assert_string_equal(c->lost, "it waits");
	assert_string_equal(c->cost, "visits every shelf");
	assert_int_equal(c->subject, 2);
	assert_true(c->holds);
	assert_int_equal(c->writes.n, 2);
	assert_null(c->ends_in);
	assert_true(c->always);
	assert_int_equal(eo_model_call(m, "clock_read")->kind, EO_CALL_SAMPLE);
	assert_false(eo_model_call(m, "clock_read")->holds);
	assert_null(eo_model_call(m, "dust_read"));
	assert_null(eo_model_call(m, NULL));
	assert_true(eo_model_writes_record(m, &writes, "speck"));
	assert_false(eo_model_writes_record(m, &writes, "spec"));
	assert_false(eo_model_writes_record(m, &writes, NULL));
	assert_false(eo_model_writes_record(m, &other, "speck"));
	assert_true(eo_model_is_reader(m, &writes, "dust_read"));
	assert_false(eo_model_is_reader(m, &other, "dust_read"));
	w = eo_map_get(&m->walks, "for_each_book");
	assert_non_null(w);
	assert_int_equal(w->head, 2);
	assert_string_equal(w->empty, "no_books");
	assert_string_equal(eo_map_get(&m->tests, "no_books"),
			    "reads one pointer");
	assert_string_equal(eo_map_get(&m->hot, "show"), "read of a file");
}

static void traits_and_families(void **state)
{
	struct eo_model *m = *state;

	parse(m, small);
	assert_int_equal(eo_model_trait(m, "one"), EO_TRAIT_PURE);
	assert_int_equal(eo_model_trait(m, "two"), EO_TRAIT_PURE);
	assert_int_equal(eo_model_trait(m, "three"), EO_TRAIT_NONE);
	assert_int_equal(eo_model_trait(m, "take"), EO_TRAIT_ACQUIRE);
	assert_int_equal(eo_model_trait(m, "give"), EO_TRAIT_RELEASE);
	assert_int_equal(eo_model_trait(m, "wait_for_it"), EO_TRAIT_NEUTRAL);
	assert_int_equal(eo_model_trait(m, "wait_"), EO_TRAIT_NEUTRAL);
	assert_int_equal(eo_model_trait(m, "wait"), EO_TRAIT_NONE);
	assert_int_equal(eo_model_trait(m, "await_"), EO_TRAIT_NONE);
	assert_int_equal(eo_model_trait(m, "print"), EO_TRAIT_OUTPUT);
	assert_int_equal(eo_model_trait(m, NULL), EO_TRAIT_NONE);
	/* A name of its own is more than a family. */
	parse(m, "pure printable\n");
	assert_int_equal(eo_model_trait(m, "printable"), EO_TRAIT_PURE);
	assert_int_equal(eo_model_trait(m, "printables"), EO_TRAIT_OUTPUT);
}

static void roots_sleepers_and_stops(void **state)
{
	struct eo_model *m = *state;

	parse(m, "root __do_lift_* system call\nroot squeeze reclaim\n"
		 "sleep nap doze\nstop is_over\n");
	assert_string_equal(eo_model_root(m, "squeeze"), "reclaim");
	assert_string_equal(eo_model_root(m, "__do_lift_box"), "system call");
	assert_null(eo_model_root(m, "__do_lift"));
	assert_true(eo_map_has(&m->sleeps, "doze"));
	assert_false(eo_map_has(&m->sleeps, "is_over"));
	assert_true(eo_map_has(&m->stops, "is_over"));
}

static void an_effect_may_be_added_to(void **state)
{
	const char *dust = "dust";
	struct eo_names writes = one_effect(&dust);
	struct eo_model *m = *state;

	parse(m, small);
	parse(m, "effect dust\n\trecord fluff\n\treader fluff_read\n");
	assert_true(eo_model_writes_record(m, &writes, "grain"));
	assert_true(eo_model_writes_record(m, &writes, "fluff"));
	assert_true(eo_model_is_reader(m, &writes, "dust_read"));
	assert_true(eo_model_is_reader(m, &writes, "fluff_read"));
	assert_int_equal(m->effects.n, 2);
}

static const struct {
	const char *text, *message;
} wrong[] = {
	{ "cal x\n", "t.model:1: unknown word" },
	{ "\n\ncall x\n", "t.model:3: expected: call NAME" },
	{ "call\n", "t.model:1: expected: call NAME" },
	{ "call x sometimes\n", "t.model:1: deferrable or sample" },
	{ "call x sample more\n", "t.model:1: more than was expected" },
	{ "call x sample\n" LINES "call x sample\n",
	  "t.model:4: this call is in the model already: x" },
	{ "call x sample\n\tsubject\n", "t.model:2: the number" },
	{ "call x sample\n\tsubject 0\n", "t.model:2: the number" },
	{ "call x sample\n\tsubject 17\n", "t.model:2: the number" },
	{ "call x sample\n\tsubject 1x\n", "t.model:2: the number" },
	{ "call x sample\n\tsubject -1\n", "t.model:2: the number" },
	{ "call x sample\n\tholds it\n", "t.model:2: more than" },
	{ "call x sample\n\twrites\n", "t.model:2: a name is" },
	{ "call x sample\n\tcolour red\n",
	  "t.model:2: unknown property: colour" },
	{ "call x sample\n\treader y\n",
	  "t.model:2: unknown property: reader" },
	{ "call x sample\n\tlost it\n", "t.model: call x needs cost and lost" },
	{ "call x sample\n\tcost much\n",
	  "t.model: call x needs cost and lost" },
	{ "call x sample\n\tcost\n\tlost\n",
	  "t.model: call x needs cost and lost" },
	{ "call x sample\n" LINES "\twrites y\n",
	  "t.model: call x writes y, which is no effect" },
	{ "effect\n", "t.model:1: expected: effect NAME" },
	{ "effect x\n\tcost much\n", "t.model:2: unknown property" },
	{ "effect x\n\trecord\n", "t.model:2: a name is expected" },
	{ "\trecord x\n", "t.model:1: unknown property: record" },
	{ "pure x\n\trecord x\n", "t.model:2: unknown property" },
	{ "walk x\n", "t.model:1: " },
	{ "walk x head 0 empty y\n", "t.model:1: the number" },
	{ "walk x head 2 empty\n", "t.model:1: " },
	{ "walk x at 2 empty y\n", "t.model:1: " },
	{ "walk x head 2 full y\n", "t.model:1: " },
	{ "walk x head 2 empty y z\n", "t.model:1: more than" },
	{ "test x\n", "t.model:1: a name and a phrase" },
	{ "hot\n", "t.model:1: a name and a phrase" },
	{ "pure\n", "t.model:1: a name is expected" },
	{ "output # nothing\n", "t.model:1: a name is expected" },
};

static void what_is_wrong_is_said_where(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		struct eo_model *m = eo_model_new();
		struct eo_error *err =
			eo_model_parse(m, "t.model", wrong[i].text);

		if (!err)
			fail_msg("taken: %s", wrong[i].text);
		if (!eo_starts_with(eo_error_message(err), wrong[i].message))
			fail_msg("%s: %s", wrong[i].text,
				 eo_error_message(err));
		assert_int_equal(eo_error_kind(err), EO_ERR_INPUT);
		eo_error_free(err);
		eo_model_free(m);
	}
}

static void odd_but_fine(void **state)
{
	struct eo_model *m = *state;

	parse(m, "");
	parse(m, "\n   \n\t\n#\n  # x\n");
	parse(m, "pure last_line_without_end");
	assert_int_equal(eo_model_trait(m, "last_line_without_end"),
			 EO_TRAIT_PURE);
	parse(m, "pure *\n"); /* a star alone is a name, no family */
	assert_int_equal(eo_model_trait(m, "anything"), EO_TRAIT_NONE);
}

static void wrappers_are_calls(void **state)
{
	struct eo_model_call w = { .name = "shelf_tidy",
				   .ends_in = "shelf_sync",
				   .always = true,
				   .subject = 1 };
	struct eo_model_call w2 = { .name = "room_tidy",
				    .ends_in = "shelf_tidy",
				    .also = "last_tidy" };
	struct eo_model_call w3 = { .name = "house_tidy",
				    .ends_in = "room_tidy",
				    .always = true };
	const struct eo_model_call *c;
	struct eo_model *m = *state;

	parse(m, small);
	assert_true(eo_model_add_wrapper(m, &w, false));
	assert_false(eo_model_add_wrapper(m, &w, false));
	assert_false(eo_model_add_wrapper(m, &w, true));
	assert_true(eo_model_add_wrapper(m, &w2, false));
	assert_true(eo_model_add_wrapper(m, &w3, false));
	c = eo_model_call(m, "shelf_tidy");
	assert_string_equal(c->ends_in, "shelf_sync");
	assert_int_equal(c->writes.n, 2);
	assert_int_equal(c->subject, 1);
	assert_true(c->always);
	assert_string_equal(c->lost, "it waits");
	c = eo_model_call(m, "house_tidy");
	assert_string_equal(c->ends_in, "shelf_sync"); /* in the end */
	assert_false(c->always); /* what it calls does not always */
	assert_string_equal(c->also, "last_tidy");
	w.name = "x";
	w.ends_in = "nothing";
	assert_false(eo_model_add_wrapper(m, &w, false));
}

static void local_wrappers_are_forgotten(void **state)
{
	struct eo_model_call w = { .name = "tidy", .ends_in = "shelf_sync" };
	struct eo_model *m = *state;

	parse(m, small);
	eo_model_forget_local(m); /* none yet */
	assert_true(eo_model_add_wrapper(m, &w, true));
	assert_non_null(eo_model_call(m, "tidy"));
	eo_model_forget_local(m);
	assert_null(eo_model_call(m, "tidy"));
	assert_non_null(eo_model_call(m, "shelf_sync"));
	/* Another unit's, of the same name, that ends in something else. */
	w.ends_in = "clock_read";
	assert_true(eo_model_add_wrapper(m, &w, true));
	assert_int_equal(eo_model_call(m, "tidy")->kind, EO_CALL_SAMPLE);
}

static void hash_of(const char *text, char out[17])
{
	struct eo_model *m = eo_model_new();

	parse(m, text);
	eo_model_hash(m, out);
	eo_model_free(m);
}

static void the_hash_is_of_what_is_said(void **state)
{
	static const char *const others[] = {
		"pure a b\n",
		"pure a\nneutral b\n",
		"pure a*\n",
		"hot a b\n",
		"test a b\n",
		"effect a\n",
		"effect a\n\trecord b\n",
		"effect a\n\treader b\n",
		"walk a head 1 empty b\n",
		"walk a head 2 empty b\n",
		"call a sample\n" LINES,
		"call a deferrable\n" LINES,
		"call a deferrable\n" LINES "\tholds\n",
		"call a deferrable\n" LINES "\tsubject 1\n",
	};
	char hash[sizeof(others) / sizeof(others[0])][17], again[17];
	struct eo_model_call w = { .name = "w", .ends_in = "shelf_sync" };
	struct eo_model *m = *state;

	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		hash_of(others[i], hash[i]);
		for (size_t j = 0; j < i; j++)
			assert_string_not_equal(hash[i], hash[j]);
	}
	hash_of("# words\n\npure  a   b", again);
	assert_string_equal(again, hash[0]);
	/* What is found in a tree is no part of it. */
	parse(m, small);
	eo_model_hash(m, hash[0]);
	assert_true(eo_model_add_wrapper(m, &w, false));
	eo_model_hash(m, hash[1]);
	assert_string_equal(hash[0], hash[1]);
}

static void the_shipped_model_loads(void **state)
{
	const char *rstat = "rstat";
	struct eo_names writes = one_effect(&rstat);
	struct eo_model *m;

	(void)state;
	must(eo_model_load(NULL, &m));
	assert_int_equal(eo_model_call(m, "cgroup_rstat_flush")->kind,
			 EO_CALL_DEFERRABLE);
	assert_true(eo_model_call(m, "cgroup_rstat_flush_hold")->holds);
	assert_true(eo_model_writes_record(m, &writes, "blkg_iostat_set"));
	assert_true(eo_map_has(&m->tests, "hlist_empty"));
	assert_int_equal(eo_model_trait(m, "spin_lock"), EO_TRAIT_ACQUIRE);
	eo_model_free(m);
}

static void write_file(const char *dir, const char *name, const void *p,
		       size_t n)
{
	EO_CLEANUP(eo_freep) char *path = eo_path_join(dir, name);

	must(eo_file_write(path, p, n));
}

static void load_fails(const char *extra, const char *part)
{
	struct eo_model *m;
	struct eo_error *err = eo_model_load(extra, &m);

	assert_non_null(err);
	if (!strstr(eo_error_message(err), part))
		fail_msg("%s", eo_error_message(err));
	eo_error_free(err);
}

static void files_that_do_not_load(void **state)
{
	EO_CLEANUP(eo_freep)
	char *dir = NULL, *extra = NULL, *binary = NULL, *none = NULL;

	(void)state;
	must(eo_temp_dir(&dir));
	extra = eo_path_join(dir, "my own.model");
	binary = eo_path_join(dir, "binary");
	none = eo_path_join(dir, "none");
	write_file(dir, "my own.model", "pure x\nwhat\n", 12);
	write_file(dir, "binary", "pure x\0y\n", 9);
	load_fails(extra, "my own.model:2: unknown word");
	load_fails(binary, "not a text file");
	load_fails(none, "No such file");
	setenv("EARLYOUT_DATA", dir, 1);
	load_fails(NULL, "cannot read");
	must(eo_mkdirs(
		(free(none), none = eo_path_join(dir, "analyzer/model"))));
	load_fails(NULL, "no *.model file");
	setenv("EARLYOUT_DATA", TESTDIR "/..", 1);
	must(eo_remove_tree(dir));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(all_of_it_is_read, setup,
						teardown),
		cmocka_unit_test_setup_teardown(traits_and_families, setup,
						teardown),
		cmocka_unit_test_setup_teardown(roots_sleepers_and_stops, setup,
						teardown),
		cmocka_unit_test_setup_teardown(an_effect_may_be_added_to,
						setup, teardown),
		cmocka_unit_test(what_is_wrong_is_said_where),
		cmocka_unit_test_setup_teardown(odd_but_fine, setup, teardown),
		cmocka_unit_test_setup_teardown(wrappers_are_calls, setup,
						teardown),
		cmocka_unit_test_setup_teardown(local_wrappers_are_forgotten,
						setup, teardown),
		cmocka_unit_test_setup_teardown(the_hash_is_of_what_is_said,
						setup, teardown),
		cmocka_unit_test(the_shipped_model_loads),
		cmocka_unit_test(files_that_do_not_load),
	};

	setenv("EARLYOUT_DATA", TESTDIR "/..", 1);
	return cmocka_run_group_tests_name("model", tests, NULL, NULL);
}
