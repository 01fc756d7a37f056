// SPDX-License-Identifier: GPL-2.0-only
/*
 * What one file says of a function decides a finding in another, and the
 * chain of calls that makes a function hot goes from file to file.
 */
#include "scan_box.h"

/* Between the flush and the walk, a call to a function of another file. */
#define SHOW(name, call)                                             \
	"#include <linux/tally.h>\n"                                 \
	"int " call "(struct group *g);\n"                           \
	"static int " name "(struct seq_file *m, void *v)\n"         \
	"{\n"                                                        \
	"	struct group *g = m->private;\n"                           \
	"	struct member *p;\n"                                       \
	"	int level;\n"                                              \
	"\n"                                                         \
	"	tally_flush(g);\n"                                         \
	"	level = " call "(g);\n"                              \
	"	list_for_each_entry(p, &g->members, node)\n"               \
	"		seq_printf(m, \"%llu %d\\n\", p->tally.events, level);\n" \
	"	return 0;\n"                                               \
	"}\n"                                                        \
	"static const struct file_ops ops_" name " = {\n"            \
	"	.seq_show = " name ",\n"                             \
	"};\n"

static const struct box_file files[] = {
	BOX_TREE_FILES,
	/* It looks at a field, by way of a third file. */
	{ "kernel/level.c", SHOW("level_show", "group_level"), true },
	{ "lib/level.c",
	  "#include <linux/tally.h>\n"
	  "int group_state(struct group *g);\n"
	  "int group_level(struct group *g);\n"
	  "int group_level(struct group *g)\n{\n"
	  "	return group_state(g) + 1;\n}\n",
	  true },
	{ "lib/state.c",
	  "#include <linux/tally.h>\n"
	  "int group_state(struct group *g);\n"
	  "int group_state(struct group *g)\n{\n	return g->state;\n}\n",
	  true },
	/* It reads what the flush writes. */
	{ "kernel/sum.c", SHOW("sum_show", "group_sum"), true },
	{ "lib/sum.c",
	  "#include <linux/tally.h>\n"
	  "int group_sum(struct group *g);\n"
	  "int group_sum(struct group *g)\n{\n"
	  "	return g->total.events > 1;\n}\n",
	  true },
	/* What clang cannot read says nothing. */
	{ "kernel/broken.c", SHOW("broken_show", "group_broken"), true },
	{ "lib/broken.c",
	  "#include <linux/tally.h>\n"
	  "int group_broken(struct group *g);\n"
	  "int group_broken(struct group *g)\n{\n"
	  "	return g->nothing.of_the_kind;\n}\n",
	  true },
	/* Nobody has it. */
	{ "kernel/lost.c", SHOW("lost_show", "group_lost"), true },
	/* Two have it: which one is linked? */
	{ "kernel/two.c", SHOW("two_show", "group_two"), true },
	{ "lib/two_a.c",
	  "#include <linux/tally.h>\n"
	  "int group_two(struct group *g);\n"
	  "int group_two(struct group *g)\n{\n	return g->state;\n}\n",
	  true },
	{ "lib/two_b.c",
	  "#include <linux/tally.h>\n"
	  "int group_two(struct group *g);\n"
	  "int group_two(struct group *g)\n{\n	return 2;\n}\n",
	  true },
	/* Another may stand in for it. */
	{ "kernel/weak.c", SHOW("weak_show", "group_weak"), true },
	{ "lib/weak.c",
	  "#include <linux/tally.h>\n"
	  "int group_weak(struct group *g);\n"
	  "__attribute__((weak)) int group_weak(struct group *g)\n{\n"
	  "	return g->state;\n}\n",
	  true },
	/* A static one of that name is another function. */
	{ "kernel/static.c", SHOW("static_show", "group_static"), true },
	{ "lib/static.c",
	  "#include <linux/tally.h>\n"
	  "static int group_static(struct group *g)\n{\n	return 1;\n}\n"
	  "int use_static(struct group *g);\n"
	  "int use_static(struct group *g)\n{\n	return group_static(g);\n}\n",
	  true },
	/* Two calls away from the file that a reader of a file gets to. */
	{ "kernel/print.c",
	  "#include <linux/tally.h>\n"
	  "void group_print(struct seq_file *m, struct group *g);\n"
	  "void group_print(struct seq_file *m, struct group *g)\n{\n"
	  "	struct member *p;\n\n"
	  "	tally_flush(g);\n"
	  "	list_for_each_entry(p, &g->members, node)\n"
	  "		seq_printf(m, \"%llu\\n\", p->tally.events);\n}\n",
	  true },
	{ "fs/middle.c",
	  "#include <linux/tally.h>\n"
	  "void group_print(struct seq_file *m, struct group *g);\n"
	  "void group_middle(struct seq_file *m);\n"
	  "void group_middle(struct seq_file *m)\n{\n"
	  "	group_print(m, m->private);\n}\n",
	  true },
	{ "fs/top.c",
	  "#include <linux/tally.h>\n"
	  "void group_middle(struct seq_file *m);\n"
	  "static int top_show(struct seq_file *m, void *v)\n{\n"
	  "	group_middle(m);\n	return 0;\n}\n"
	  "void fill(struct file_ops *ops);\n"
	  "void fill(struct file_ops *ops)\n{\n	ops->seq_show = top_show;\n}\n",
	  true },
};

static int setup(void **state)
{
	*state = box_new(files, sizeof(files) / sizeof(files[0]));
	return 0;
}

static const struct eo_finding *found_in(struct box *b, const char *function)
{
	if (!b->scan.files)
		scan(b, NULL, 0);
	return find(&b->scan.found, function);
}

static enum eo_proof proof_of(const struct eo_finding *f, const char *name)
{
	const struct eo_obligation *o;

	eo_vec_for_each(o, &f->obligations)
		if (strcmp(o->name, name) == 0)
			return o->state;
	fail_msg("%s: no obligation %s", f->function, name);
	return EO_PROOF_FAILED;
}

static void what_another_file_says_is_proof(void **state)
{
	const struct eo_finding *f = found_in(*state, "level_show");

	assert_non_null(f);
	assert_int_equal(proof_of(f, "only-consumer"), EO_PROOF_PROVED);
	assert_int_equal(f->confidence, EO_HIGH);
}

static void a_reader_in_another_file_refutes(void **state)
{
	struct box *b = *state;

	assert_null(found_in(b, "sum_show"));
	assert_non_null(find(&b->scan.rejected, "sum_show"));
}

static void unknown_stays_unknown(void **state)
{
	static const char *const functions[] = { "lost_show", "two_show",
						 "weak_show", "static_show",
						 "broken_show" };

	for (size_t i = 0; i < 5; i++) {
		const struct eo_finding *f = found_in(*state, functions[i]);

		if (!f)
			fail_msg("%s: nothing found", functions[i]);
		assert_int_equal(proof_of(f, "only-consumer"),
				 EO_PROOF_UNKNOWN);
		assert_int_equal(f->confidence, EO_LOW);
		assert_int_equal(f->fix, EO_FIX_MANUAL);
	}
}

static void a_hot_root_is_found_across_files(void **state)
{
	const struct eo_finding *f = found_in(*state, "group_print");

	assert_non_null(f);
	assert_int_equal(f->hot.n, 1);
	assert_string_equal(
		f->hot.items[0],
		"seq_show: top_show() > group_middle() > group_print()");
}

static void a_root_itself_needs_no_chain(void **state)
{
	const struct eo_finding *f = found_in(*state, "level_show");

	assert_int_equal(f->hot.n, 1);
	assert_string_equal(f->hot.items[0], "seq_show");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_another_file_says_is_proof),
		cmocka_unit_test(a_reader_in_another_file_refutes),
		cmocka_unit_test(unknown_stays_unknown),
		cmocka_unit_test(a_hot_root_is_found_across_files),
		cmocka_unit_test(a_root_itself_needs_no_chain),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
