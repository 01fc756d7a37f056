// SPDX-License-Identifier: GPL-2.0-only
/* Reviews: their history, ids that are shortened, the listing. */
#include "db_box.h"

#include "db/history.h"

#define A "1111111111111111"
#define B "1111222222222222"

static void run(struct box *b, const char *id)
{
	EO_CLEANUP(eo_findings_release) struct eo_findings in = { 0 };

	if (id)
		add(&in, id);
	put(b->db, &in);
}

static void say(struct box *b, const char *id, const char *status,
		const char *note)
{
	const struct eo_review r = { .status = status,
				     .note = note,
				     .who = "A B <a@example.org>",
				     .made = 7 };

	assert_null(eo_db_put_review(b->db, id, &r));
}

static void history_is_kept(void **state)
{
	EO_CLEANUP(eo_reviews_release) struct eo_reviews all = { 0 };
	struct box *b = *state;

	run(b, A);
	say(b, A, "confirmed", NULL);
	say(b, A, "sent", "to the list: 'x'; DROP TABLE review; --");
	reopen(b);
	run(b, A);
	say(b, A, "merged", "caf\xe9");
	assert_null(eo_db_get_reviews(b->db, A, &all));
	assert_int_equal(all.n, 3);
	assert_string_equal(all.items[0].status, "confirmed");
	assert_null(all.items[0].note);
	assert_string_equal(all.items[1].note,
			    "to the list: 'x'; DROP TABLE review; --");
	assert_string_equal(all.items[2].status, "merged");
	assert_string_equal(all.items[2].who, "A B <a@example.org>");
	assert_int_equal(all.items[2].made, 7);
}

static void ids_are_shortened(void **state)
{
	struct box *b = *state;
	char id[17];

	run(b, A);
	assert_null(eo_db_find_id(b->db, "1111", id));
	assert_string_equal(id, A);
	run(b, B);
	assert_error(eo_db_find_id(b->db, "1111", id), EO_ERR_INPUT, "1111",
		     "several");
	assert_null(eo_db_find_id(b->db, "11112", id));
	assert_string_equal(id, B);
	assert_null(eo_db_find_id(b->db, A, id));
	assert_string_equal(id, A);
	assert_error(eo_db_find_id(b->db, "2222", id), EO_ERR_INPUT, "2222",
		     "no finding");
	assert_error(eo_db_find_id(b->db, "111", id), EO_ERR_USAGE, "111",
		     "too short");
	assert_error(eo_db_find_id(b->db, "", id), EO_ERR_USAGE, "",
		     "too short");
	assert_error(eo_db_find_id(b->db, "11%1", id), EO_ERR_USAGE, "11%1",
		     "no finding's id");
	assert_error(eo_db_find_id(b->db, A "1", id), EO_ERR_USAGE, A,
		     "no finding's id");
}

static void listing(void **state)
{
	EO_CLEANUP(eo_listing_release) struct eo_listing before = { 0 };
	EO_CLEANUP(eo_listing_release) struct eo_listing all = { 0 };
	struct box *b = *state;

	assert_error(eo_db_get_listing(b->db, &before), EO_ERR_INPUT, b->path,
		     "earlyout scan");
	run(b, A);
	say(b, A, "wont-fix", "old");
	run(b, B);
	run(b, B);
	assert_null(eo_db_get_listing(b->db, &all));
	/* A was resolved two runs ago, and is listed for its review. */
	assert_int_equal(all.n, 2);
	assert_string_equal(all.items[0].id, A);
	assert_string_equal(all.items[0].review, "wont-fix");
	assert_string_equal(all.items[0].state, "gone");
	assert_string_equal(all.items[1].id, B);
	assert_null(all.items[1].review);
	assert_string_equal(all.items[1].state, "unchanged");
}

static void words(void **state)
{
	(void)state;
	assert_true(eo_review_is_status("confirmed"));
	assert_true(eo_review_is_status("false-positive"));
	assert_true(eo_review_is_status("wont-fix"));
	assert_true(eo_review_is_status("sent"));
	assert_true(eo_review_is_status("merged"));
	assert_false(eo_review_is_status("Merged"));
	assert_false(eo_review_is_status(""));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(history_is_kept),
		TEST(ids_are_shortened),
		TEST(listing),
		TEST(words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
