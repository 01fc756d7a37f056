// SPDX-License-Identifier: GPL-2.0-only
/* Pages of what was written and verified; all in one page. */
#include "report_box.h"

#include "db/verifications.h"
#include "verify/diffid.h"

#define OTHER "fedcba9876543210"
#define DIFF "--- a/lib/shelf.c\n+++ b/lib/shelf.c\n@@ -1 +1 @@\n-a\n+b\n"

static struct eo_str page(struct box *b, const char *name)
{
	EO_CLEANUP(eo_freep) char *path = eo_path_join(b->dir, name);
	struct eo_str text = { 0 };

	assert_null(eo_file_read(path, &text));
	return text;
}

static void assert_page(struct box *b, const char *name, const char *part,
			bool has)
{
	EO_CLEANUP(eo_str_release) struct eo_str p = page(b, name);

	if (!strstr(p.s, part) == has)
		fail_msg("%s: \"%s\" is%s in it", name, part,
			 has ? " not" : "");
}

/* Two findings, a series of which the second version mends both at once. */
static void fill(struct box *b)
{
	static const char *const also[] = { OTHER };
	struct eo_patch patch = { .finding = ID,
				  .file = "lib/shelf.c",
				  .subject = "lib: shelf: test first",
				  .diff = DIFF,
				  .mail = "From: x\n",
				  .number = 1,
				  .total = 1,
				  .strategy = "early-return" };
	struct eo_series s = {
		.created = 1790000000, .items = &patch, .n = 1, .cover = "c"
	};
	struct eo_finding *f = add(b);

	f = add(b);
	strcpy(f->id, OTHER);
	f->function = "hide_shelf";
	put(b);
	s.run = b->run.id;
	assert_null(eo_db_put_series(b->db, &s));
	patch.also = also;
	patch.n_also = 1;
	s.rerolls = s.id;
	s.version = 2;
	s.changes = "- the second <shelf>, too\n";
	assert_null(eo_db_put_series(b->db, &s));
}

static void versions_and_others(void **state)
{
	struct box *b = *state;

	fill(b);
	assert_null(eo_report_html(b->db, 0, b->dir));
	assert_page(b, "index.html", "This is version 2, written after:", true);
	assert_page(b, "index.html", "<li>v1, <time", true);
	assert_page(b, "index.html", "- the second &lt;shelf&gt;, too", true);
	/* The other one's page has the patch, and each names the other. */
	assert_page(b, "finding-" OTHER ".html", "lib: shelf: test first",
		    true);
	assert_page(b, "finding-" OTHER ".html",
		    "It mends <a href=\"finding-" ID ".html\"><code>"
		    "show_shelf</code>, line 12</a>, too.",
		    true);
	assert_page(b, "finding-" ID ".html",
		    "It mends <a href=\"finding-" OTHER ".html\">", true);
	assert_page(b, "finding-" ID ".html", "the patch above", true);
}

static void proposals(void **state)
{
	struct box *b = *state;
	struct eo_proposal p = { ID, "proposal-0001-x.txt", "Think <twice>." };
	struct eo_writing w = { .created = 1 };

	add(b)->fix = EO_FIX_MANUAL;
	put(b);
	w.run = b->run.id;
	assert_null(eo_report_html(b->db, 0, b->dir));
	assert_page(b, "finding-" ID ".html", "patch --proposals -o", true);
	*eo_vec_push(&w.proposals) = p;
	assert_null(eo_db_put_writing(b->db, &w));
	free(w.proposals.items);
	assert_null(eo_report_html(b->db, 0, b->dir));
	assert_page(b, "finding-" ID ".html", "Think &lt;twice&gt;.", true);
	assert_page(b, "index.html", "finding-" ID ".html#ways\"", true);
}

/* A stranger's subject, author, compiler and log. */
static void verified(void **state)
{
	struct box *b = *state;
	char id[17];
	struct eo_verified_patch ours = {
		.subject = EVIL, .author = EVIL, .version = 1, .diff_id = id
	};
	struct eo_verified_check checks[] = {
		{ 1, "applies", "pass", "cleanly", "", 12 },
		{ 1, "build", "fail", EVIL, "make: " EVIL, 3400 },
	};
	struct eo_verified_warning warning = { 1, "compiler", "f", EVIL, true };
	struct eo_verified_finding gone = { 1,	  ID,	"flush-before-walk",
					    EVIL, EVIL, "proved",
					    EVIL };
	struct eo_verification v = { .root = "/src/linux one",
				     .input = "patches",
				     .title = EVIL,
				     .version = "6.99.1",
				     .tool_version = "0.1",
				     .notes = "",
				     .verdict = "fail",
				     .sandbox = true,
				     .started = 1790000000,
				     .duration_ms = 4000 };

	fill(b);
	eo_diff_id(DIFF, id);
	assert_null(eo_report_html(b->db, 0, b->dir));
	assert_page(b, "finding-" ID ".html", "is not verified yet", true);
	assert_page(b, "index.html", "not verified", true);
	v.patches.items = &ours;
	v.checks.items = checks;
	v.warnings.items = &warning;
	v.findings.items = &gone;
	v.patches.n = v.warnings.n = v.findings.n = 1;
	v.checks.n = 2;
	assert_null(eo_db_put_verification(b->db, &v));
	assert_null(eo_report_html(b->db, 0, b->dir));
	assert_page(b, "finding-" ID ".html", "is not verified yet", false);
	assert_page(b, "finding-" ID ".html", "The patch above, on Linux",
		    true);
	assert_page(b, "finding-" ID ".html", "gone, by a proof", true);
	assert_page(b, "finding-" ID ".html", "<summary>Log</summary>", true);
	assert_page(b, "finding-" ID ".html", "<script>alert", false);
	assert_page(b, "index.html", "</span> fail</span>: ", true);
	assert_page(b, "index.html", "<script>alert", false);

	/* Another patch that makes it go is said to be another's. */
	ours.diff_id = "0000000000000000";
	ours.subject = "lib: shelf: mine";
	ours.author = "A. N. Other";
	assert_null(eo_db_put_verification(b->db, &v));
	assert_null(eo_report_html(b->db, 0, b->dir));
	assert_page(b, "finding-" ID ".html",
		    "Another patch that makes it go: <strong>"
		    "lib: shelf: mine</strong>, by A. N. Other",
		    true);
}

static void one_page(void **state)
{
	struct box *b = *state;
	EO_CLEANUP(eo_freep) char *path = eo_path_join(b->dir, "one.html");

	fill(b);
	assert_null(eo_report_html_file(b->db, 0, path));
	assert_page(b, "one.html", "<article id=\"" ID "\">", true);
	assert_page(b, "one.html", "<article id=\"" OTHER "\">", true);
	assert_page(b, "one.html", "<tr id=\"" ID "-L12\"", true);
	assert_page(b, "one.html", "href=\"#" OTHER "-step-2\"", true);
	assert_page(b, "one.html", "href=\"#" ID "-patch\"", true);
	/* No other page is there to be linked. */
	assert_page(b, "one.html", "href=\"finding-", false);
	assert_page(b, "one.html", "href=\"index", false);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(versions_and_others),
		TEST(proposals),
		TEST(verified),
		TEST(one_page),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
