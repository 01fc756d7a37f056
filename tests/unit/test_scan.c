// SPDX-License-Identifier: GPL-2.0-only
/*
 * A scan of a small tree of our own, from the walk for candidates to the
 * ledger; with a compile_commands.json, so that no kernel is configured.
 */
#include <sys/stat.h>
#include <unistd.h>

#include "tree/arch.h"

#include "scan_box.h"

#define SHOW(name, call)                                     \
	"#include <linux/tally.h>\n"                         \
	"static int " name "(struct seq_file *m, void *v)\n" \
	"{\n"                                                \
	"	struct group *g = m->private;\n"                   \
	"	struct member *p;\n"                               \
	"\n"                                                 \
	"	" call "(g);\n"                              \
	"	list_for_each_entry(p, &g->members, node)\n"       \
	"		seq_printf(m, \"%llu\\n\", p->tally.events);\n"   \
	"	return 0;\n"                                       \
	"}\n"                                                \
	"static const struct file_ops ops_" name " = {\n"    \
	"	.seq_show = " name ",\n"                     \
	"};\n"

static const struct box_file files[] = {
	BOX_TREE_FILES,
	/* The call as it is. */
	{ "kernel/direct.c", SHOW("direct_show", "tally_flush"), true },
	/* A wrapper, whose callers are found in the next round, … */
	{ "kernel/wrap.c",
	  "#include <linux/tally.h>\n"
	  "void tally_wrap(struct group *g);\n"
	  "void tally_wrap(struct group *g)\n{\n	tally_flush(g);\n}\n",
	  true },
	{ "kernel/user.c",
	  "void tally_wrap(struct group *g);\n" SHOW("user_show", "tally_wrap"),
	  true },
	/* … a wrapper of that, in a third. */
	{ "kernel/wrap2.c",
	  "#include <linux/tally.h>\n"
	  "void tally_wrap(struct group *g);\n"
	  "void tally_wrap2(struct group *g);\n"
	  "void tally_wrap2(struct group *g)\n{\n"
	  "	if (g->state)\n		tally_wrap(g);\n}\n",
	  true },
	{ "kernel/user2.c",
	  "void tally_wrap2(struct group *g);\n" SHOW("user2_show",
						      "tally_wrap2"),
	  true },
	/* Static ones of one name that are not the same. */
	{ "kernel/local.c",
	  "#include <linux/tally.h>\n"
	  "static void refresh(struct group *g)\n{\n	tally_flush(g);\n}\n" SHOW(
		  "local_show", "refresh"),
	  true },
	{ "kernel/local2.c",
	  "#include <linux/tally.h>\n"
	  "static void refresh(struct group *g)\n{\n	g->state = 0;\n}\n"
	  "void other(struct group *g);\n"
	  "void other(struct group *g)\n{\n	tally_flush(g);\n}\n" SHOW(
		  "local2_show", "refresh"),
	  true },
	/* Behind an #if that is false. */
	{ "kernel/off.c",
	  "#ifdef CONFIG_NEVER\n" SHOW("off_show", "tally_flush") "#endif\n",
	  true },
	/* With an error in it, and something to be found behind that. */
	{ "kernel/broken.c",
	  "int half(void) { return 1 +; }\n" SHOW("broken_show", "tally_flush"),
	  true },
	/* Not compiled here, and with nobody near who is. */
	{ "drivers/none/lonely.c", SHOW("lonely_show", "tally_flush"), false },
	/* Only words. */
	{ "kernel/words.c",
	  "/* tally_flush() */\nconst char *words = \"tally_flush\";\n", true },
	{ "kernel/not_it.c", "int tally_flush_all(void);\n", true },
	/* No C. */
	{ "kernel/binary.c", "tally_flush(", false },
	/* No kernel code. */
	{ "tools/tool.c", SHOW("tool_show", "tally_flush"), false },
};

static int setup(void **state)
{
	*state = box_new(files, sizeof(files) / sizeof(files[0]));
	return 0;
}

static const struct eo_gap *gap_of(const struct box *b, const char *file)
{
	const struct eo_gap *g, *found = NULL;

	eo_vec_for_each(g, &b->scan.gaps)
		if (g->engine == EO_ENGINE_CLANG && strcmp(g->file, file) == 0)
			found = g;
	return found;
}

static void is_gap(const struct box *b, const char *file,
		   enum eo_gap_reason reason, const char *part)
{
	const struct eo_gap *g = gap_of(b, file);

	if (!g)
		fail_msg("no gap for %s", file);
	assert_string_equal(eo_gap_reason_name(g->reason),
			    eo_gap_reason_name(reason));
	if (!strstr(g->detail, part))
		fail_msg("%s: %s", file, g->detail);
}

static void the_whole_tree(void **state)
{
	struct box *b = *state;
	const struct eo_finding *f;

	scan(b, NULL, 0);
	assert_string_equal(b->tree->version, "6.99.0");
	assert_string_equal(b->scan.build_origin, "compile_commands.json");
	f = find(&b->scan.found, "direct_show");
	assert_non_null(f);
	assert_string_equal(f->file, "kernel/direct.c");
	assert_int_equal(f->line, 7);
	assert_int_equal(f->column, 2);
	assert_int_equal(f->confidence, EO_HIGH);
	assert_int_equal(f->fix, EO_FIX_AUTO);
	assert_string_equal(f->guard, "list_empty(&g->members)");
	assert_string_equal(f->result, "0");
	assert_int_equal(f->engines, EO_ENGINE_CLANG);
	assert_int_equal(strlen(f->id), 16);
	assert_null(gap_of(b, "kernel/direct.c"));
}

static void wrappers_are_found_across_files(void **state)
{
	struct box *b = *state;
	const struct eo_finding *f;

	scan(b, NULL, 0);
	f = find(&b->scan.found, "user_show");
	assert_non_null(f);
	assert_string_equal(f->call, "tally_wrap");
	assert_string_equal(f->ends_in, "tally_flush");
	assert_int_equal(f->confidence, EO_HIGH);
	f = find(&b->scan.found, "user2_show");
	assert_non_null(f);
	assert_string_equal(f->call, "tally_wrap2");
	assert_string_equal(f->ends_in, "tally_flush");
	assert_true(eo_model_call(b->model, "tally_wrap")->always);
	assert_false(eo_model_call(b->model, "tally_wrap2")->always);
}

static void static_wrappers_stay_in_their_file(void **state)
{
	struct box *b = *state;

	scan(b, NULL, 0);
	assert_non_null(find(&b->scan.found, "local_show"));
	assert_null(find(&b->scan.found, "local2_show"));
	assert_null(find(&b->scan.rejected, "local2_show"));
	assert_null(eo_model_call(b->model, "refresh"));
}

static void what_was_not_seen_is_said(void **state)
{
	struct box *b = *state;

	scan(b, NULL, 0);
	is_gap(b, "kernel/off.c", EO_GAP_CONFIGURED_OUT,
	       "line 8: the call to tally_flush()");
	assert_null(find(&b->scan.found, "off_show"));
	is_gap(b, "kernel/broken.c", EO_GAP_PARSE_ERROR, "broken.c:1:");
	assert_non_null(find(&b->scan.found, "broken_show"));
	is_gap(b, "kernel/binary.c", EO_GAP_NOT_C, "");
	assert_null(gap_of(b, "kernel/words.c"));
	assert_null(gap_of(b, "kernel/not_it.c"));
	assert_int_equal(b->scan.outside, 1); /* tools/ */
	assert_null(find(&b->scan.found, "tool_show"));
}

static void nothing_is_written_to_the_tree(void **state)
{
	struct box *b = *state;
	EO_CLEANUP(eo_freep) char *kernel = eo_path_join(b->dir, "kernel");

	assert_int_equal(chmod(kernel, 0555), 0);
	assert_int_equal(chmod(b->dir, 0555), 0);
	scan(b, NULL, 0);
	assert_int_equal(chmod(b->dir, 0755), 0);
	assert_int_equal(chmod(kernel, 0755), 0);
	assert_non_null(find(&b->scan.found, "direct_show"));
}

static void one_file_alone_knows_the_wrappers_of_others(void **state)
{
	struct box *b = *state;

	scan(b, "kernel/user2.c", 0);
	assert_non_null(find(&b->scan.found, "user2_show"));
	assert_null(find(&b->scan.found, "direct_show"));
	assert_int_equal(b->scan.candidates, 1);
	assert_int_equal(b->scan.analyzed, 1);
	assert_null(gap_of(b, "kernel/broken.c"));
}

/* Macros that double: more than anybody waits for. */
static char *slow_text(void)
{
	struct eo_str s = { 0 };

	eo_str_add(&s, "#define A0 +1\n");
	for (int i = 1; i < 40; i++)
		eo_str_addf(&s, "#define A%d A%d A%d\n", i, i - 1, i - 1);
	eo_str_add(&s, "void tally_flush(void *g);\n"
		       "int slow(void) { tally_flush(0); return A39; }\n");
	return eo_str_take(&s);
}

/* An expression so deep that following it needs more than the stack has. */
static char *deep_text(void)
{
	struct eo_str s = { 0 };

	eo_str_add(&s, "void tally_flush(void *g);\n"
		       "int deep(int q) { tally_flush(0); return q");
	for (int i = 0; i < 300000; i++)
		eo_str_add(&s, " + q");
	eo_str_add(&s, "; }\n");
	return eo_str_take(&s);
}

/* Files that cost their worker, among the others. */
static void a_file_may_hang_or_crash(void **state)
{
	static const char *const names[] = { "kernel/slow.c", "kernel/deep.c" };
	EO_CLEANUP(eo_freep) char *slow = slow_text(), *deep = deep_text();
	EO_CLEANUP(eo_str_release) struct eo_str json = { 0 };
	struct box *b = *state;
	const struct eo_gap *g;

	put(b, names[0], slow, strlen(slow));
	put(b, names[1], deep, strlen(deep));
	eo_str_add(&json, "[");
	command(&json, b, names[0]);
	command(&json, b, names[1]);
	command(&json, b, "kernel/direct.c");
	eo_str_add(&json, "]");
	put(b, "compile_commands.json", json.s, json.len);
	scan(b, NULL, 3000);
	is_gap(b, names[0], EO_GAP_TIMEOUT, "longer than 3 s");
	g = gap_of(b, names[1]);
	assert_non_null(g);
	assert_true(g->reason == EO_GAP_CRASHED || g->reason == EO_GAP_TIMEOUT);
	assert_non_null(find(&b->scan.found, "direct_show"));
}

/* Of this machine's architecture, in a database of another's. */
static void a_file_without_flags_is_one_gap(void **state)
{
	EO_CLEANUP(eo_freep) char *far = NULL;
	EO_CLEANUP(eo_str_release) struct eo_str json = { 0 };
	static const char text[] = SHOW("far_show", "tally_flush");
	struct box *b = *state;
	const struct eo_gap *g;
	int n = 0;

	far = eo_asprintf("arch/%s/far.c", eo_arch_of_host());
	put(b, "arch/frog/near.c", text, strlen(text));
	put(b, far, text, strlen(text));
	eo_str_add(&json, "[");
	command(&json, b, "arch/frog/near.c");
	command(&json, b, "kernel/direct.c");
	eo_str_add(&json, "]");
	put(b, "compile_commands.json", json.s, json.len);
	scan(b, NULL, 0);
	is_gap(b, far, EO_GAP_NO_FLAGS, "has nothing of arch/");
	eo_vec_for_each(g, &b->scan.gaps)
		n += strcmp(g->file, far) == 0;
	assert_int_equal(n, 1);
	assert_non_null(find(&b->scan.found, "direct_show"));
}

static void no_flags_for_anything_is_an_error(void **state)
{
	struct box *b = *state;
	struct eo_scan_options opts = { .jobs = 1,
					.compile_commands = "/no/such.json" };
	struct eo_error *err;

	err = eo_scan_run(b->tree, b->model, &opts, &b->scan);
	assert_non_null(err);
	assert_non_null(strstr(eo_error_message(err), "/no/such.json"));
	eo_error_free(err);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(the_whole_tree),
		TEST(wrappers_are_found_across_files),
		TEST(static_wrappers_stay_in_their_file),
		TEST(what_was_not_seen_is_said),
		TEST(nothing_is_written_to_the_tree),
		TEST(one_file_alone_knows_the_wrappers_of_others),
		TEST(a_file_may_hang_or_crash),
		TEST(a_file_without_flags_is_one_gap),
		TEST(no_flags_for_anything_is_an_error),
	};

	setenv("EARLYOUT_DATA", TESTDIR "/..", 1);
	return cmocka_run_group_tests_name("scan", tests, NULL, NULL);
}
