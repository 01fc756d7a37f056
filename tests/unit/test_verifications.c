// SPDX-License-Identifier: GPL-2.0-only
/* Verifications in the database, and what links them to series. */
#include "db_box.h"

#include "db/series.h"
#include "db/verifications.h"
#include "tree/tree.h"
#include "verify/checks.h"
#include "verify/diffid.h"
#include "verify/input.h"
#include "verify/store.h"

#define ID1 "1111111111111111"

static const char diff[] = "diff --git a/lib/shelf.c b/lib/shelf.c\n"
			   "index 111..222 100644\n"
			   "--- a/lib/shelf.c\n"
			   "+++ b/lib/shelf.c\n"
			   "@@ -3,3 +3,4 @@ int a(void)\n"
			   " one\n"
			   "+two\n"
			   " three\n"
			   " four\n";
/* Elsewhere in the file, with other lines around, in a mail. */
static const char moved[] = " lib/shelf.c | 1 +\n\n"
			    "diff --git a/lib/shelf.c b/lib/shelf.c\n"
			    "index 333..444 100644\n"
			    "--- a/lib/shelf.c\n"
			    "+++ b/lib/shelf.c\n"
			    "@@ -12,2 +12,3 @@\n"
			    " uno\n"
			    "+two\n"
			    " tre\n"
			    "-- \n"
			    "2.39.5\n\n";

static void same_change_has_the_same_id(void **state)
{
	char a[17], b[17];

	(void)state;
	eo_diff_id(diff, a);
	eo_diff_id(moved, b);
	assert_string_equal(a, b);
	eo_diff_id(strstr(diff, "--- a"), b);
	assert_string_equal(a, b);
}

static void check_differs(const char *old, const char *new)
{
	const char *at = strstr(diff, old);
	EO_CLEANUP(eo_freep)
	char *other = eo_asprintf("%.*s%s%s", (int)(at - diff), diff, new,
				  at + strlen(old));
	char a[17], b[17];

	eo_diff_id(diff, a);
	eo_diff_id(other, b);
	assert_string_not_equal(a, b);
}

static void another_change_has_another_id(void **state)
{
	(void)state;
	check_differs("+two", "+twos");
	check_differs("+two", "-two");
	check_differs("+++ b/lib/shelf.c", "+++ b/lib/book.c");
}

static void put_ours(struct box *b, struct eo_series *s)
{
	EO_CLEANUP(eo_findings_release) struct eo_findings list = { 0 };
	static struct eo_patch patch = { .finding = ID1,
					 .file = "lib/shelf.c",
					 .subject = "shelf: x",
					 .diff = diff };

	add(&list, ID1);
	*s = (struct eo_series){ .items = &patch, .n = 1, .cover = "c" };
	s->run = put(b->db, &list);
	assert_null(eo_db_put_series(b->db, s));
}

/* As `verify` stores it: the patch of a mail, its checks. */
static void store(struct box *b, enum eo_outcome build, const char *change)
{
	EO_CLEANUP(eo_checks_release) struct eo_checks c = { 0 };
	struct eo_mail mail = { .subject = "shelf: x",
				.author = "A",
				.version = 2,
				.diff = change };
	const struct eo_input in = { .items = &mail, .n = 1 };
	struct eo_tree tree = { .root = (char *)a_run.root,
				.version = (char *)"6.99.1" };
	const struct eo_verify_run run = { "-", true, 7, 8 };
	struct eo_finding f = { .rule = "r", .file = "lib/shelf.c" };

	strcpy(f.id, ID1);
	eo_checks_add(&c, 1, "applies", EO_PASS, "", "cleanly");
	eo_checks_add(&c, 1, "build", build, "a log", "1 object");
	eo_checks_took(&c, 42);
	eo_checks_add(&c, 1, "fixes", EO_SKIPPED, "", "none");
	eo_checks_say(&c, 1, "sparse", true, "a b c", "lib/shelf.c:1: x");
	eo_checks_became(&c, 1, &f, "proved", "because");
	assert_null(eo_verify_store(b->db, &tree, &in, &c, &run));
}

static void what_is_stored_comes_back(void **state)
{
	struct box *b = *state;

	store(b, EO_FAIL, diff);
	reopen(b);
	assert_asked(b->db,
		     "SELECT root || version || verdict || passed || warned"
		     " || failed || skipped || patches || (series IS NULL)"
		     " || sandbox || started || duration_ms"
		     " FROM report_verification",
		     "/trees/one 'two'6.99.1fail101111178");
	assert_asked(b->db,
		     "SELECT group_concat(name || verdict || reason || log ||"
		     " duration_ms) FROM report_verification_check"
		     " WHERE name = 'build'",
		     "buildfail1 objecta log42");
	assert_asked(b->db,
		     "SELECT tool || comes || fingerprint || text"
		     " FROM report_verification_warning",
		     "sparse1a b clib/shelf.c:1: x");
	assert_asked(b->db,
		     "SELECT patch || finding || fate || why"
		     " FROM report_verification_finding",
		     "1" ID1 "provedbecause");
}

/* A patch of ours is known by its change, and the cover letter is told. */
static void ours_is_linked(void **state)
{
	EO_CLEANUP(eo_str_release) struct eo_str said = { 0 };
	struct box *b = *state;
	struct eo_series s;
	char id[17];

	put_ours(b, &s);
	store(b, EO_FAIL, moved);
	store(b, EO_PASS, moved);
	assert_asked(b->db,
		     "SELECT count(*) || group_concat(DISTINCT p.finding)"
		     " FROM report_verification_patch AS p"
		     " JOIN report_series AS s ON s.series = p.series"
		     " JOIN report_verification AS v"
		     "  ON v.verification = p.verification"
		     "  AND v.series = s.series WHERE p.series_n = 0",
		     "2" ID1);
	eo_diff_id(diff, id);
	assert_null(eo_db_get_verified(b->db, a_run.root, id, &said));
	assert_string_equal(eo_str_get(&said),
			    "pass on Linux 6.99.1: applies, build\n");
	/* another tree's is not this one's */
	assert_null(eo_db_get_verified(b->db, "/else", id, &said));
	assert_string_equal(said.s, "pass on Linux 6.99.1: applies, build\n");
}

static void a_strangers_has_no_series(void **state)
{
	EO_CLEANUP(eo_freep) char *other = eo_strdup(diff);
	struct box *b = *state;
	struct eo_series s;

	put_ours(b, &s);
	strstr(other, "+two")[1] = 'T';
	store(b, EO_PASS, other);
	assert_asked(b->db,
		     "SELECT count(*) FROM report_verification_patch"
		     " WHERE series IS NULL AND finding IS NULL",
		     "1");
}

/* All or nothing: a word that the schema does not have stores nothing. */
static void one_transaction(void **state)
{
	struct box *b = *state;
	struct eo_verified_patch patch = { .subject = "s", .diff_id = "d" };
	struct eo_verified_check check = {
		.patch = 1, .name = "n", .verdict = "perhaps", .reason = "r"
	};
	struct eo_verification v = { .root = "/x",
				     .input = "-",
				     .title = "t",
				     .version = "6",
				     .tool_version = "1",
				     .verdict = "pass",
				     .patches = { &patch, 1, 1 },
				     .checks = { &check, 1, 1 } };
	struct eo_error *err = eo_db_put_verification(b->db, &v);

	assert_non_null(err);
	eo_error_free(err);
	assert_int_equal(v.id, 0);
	assert_asked(b->db, "SELECT count(*) FROM report_verification", "0");
	assert_asked(b->db, "SELECT count(*) FROM tree", "0");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(same_change_has_the_same_id),
		cmocka_unit_test(another_change_has_another_id),
		TEST(what_is_stored_comes_back),
		TEST(ours_is_linked),
		TEST(a_strangers_has_no_series),
		TEST(one_transaction),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
