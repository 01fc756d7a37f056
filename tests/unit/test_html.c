// SPDX-License-Identifier: GPL-2.0-only
#include "report_box.h"

static struct eo_str page(struct box *b, const char *name)
{
	EO_CLEANUP(eo_freep) char *path = eo_path_join(b->dir, name);
	struct eo_str text = { 0 };

	assert_null(eo_file_read(path, &text));
	return text;
}

static void assert_has(const struct eo_str *text, const char *part)
{
	if (!strstr(text->s, part))
		fail_msg("no \"%s\" in the page", part);
}

static void assert_lacks(const struct eo_str *text, const char *part)
{
	if (strstr(text->s, part))
		fail_msg("\"%s\" is in the page", part);
}

static void html_shows_the_finding(void **state)
{
	struct box *b = *state;
	struct eo_str p;

	add(b);
	put(b);
	assert_null(eo_report_html(b->db, 0, b->dir));
	p = page(b, "index.html");
	assert_has(&p, "1 finding in Linux 6.99.1");
	assert_has(&p, "Everything was looked at");
	assert_has(&p, "href=\"finding-" ID ".html\"");
	assert_has(&p, "list_empty(&amp;s-&gt;books)");
	assert_has(&p, "34,663");
	assert_has(&p, "2026-09-21 14:13 UTC");
	assert_has(&p, "1 min 5 s");
	assert_has(&p, "--tree &#39;/src/linux one&#39;");
	eo_str_release(&p);

	p = page(b, "finding-" ID ".html");
	/* The call at its line, the test before it, indented alike. */
	assert_has(&p, "<ins>\tif (list_empty(&amp;s-&gt;books))</ins>");
	assert_has(&p, "<ins>\t\treturn 0;</ins>");
	assert_has(
		&p,
		"<tr id=\"L12\" class=\"call\"><td class=\"no\">12</td>"
		"<td class=\"code\"><code>\t<span class=\"tf\">shelf_sync</span>(s);</code>");
	assert_true(strstr(p.s, "<ins>") < strstr(p.s, "id=\"L12\""));
	assert_has(&p, "<a href=\"#L13\">line 13</a>");
	assert_has(&p, "href=\"#step-2\"");
	assert_has(&p, "proved</span>");
	assert_has(&p, "explain --tree");
	assert_has(&p, "lib/shelf.c:12\n");
	eo_str_release(&p);
}

static void html_has_the_patch(void **state)
{
	struct eo_patch patch = { .finding = ID, .file = "lib/shelf.c" };
	struct eo_series series = {
		.cover = "The cover", .created = 1, .items = &patch, .n = 1
	};
	struct box *b = *state;
	struct eo_str p;

	add(b);
	put(b);
	series.run = b->run.id;
	patch.subject = "lib: shelf: test first";
	patch.diff = "--- a/lib/shelf.c\n+++ b/lib/shelf.c\n"
		     "@@ -1,2 +1,2 @@\n ctx\n--- gone\n+<new>\n";
	patch.mail = "From: x\n";
	assert_null(eo_db_put_series(b->db, &series));
	assert_null(eo_report_html(b->db, 0, b->dir));
	p = page(b, "index.html");
	assert_has(&p, "lib: shelf: test first");
	assert_has(&p, "The cover");
	eo_str_release(&p);
	p = page(b, "finding-" ID ".html");
	assert_has(&p, "<span class=\"meta\">--- a/lib/shelf.c\n</span>");
	assert_has(&p, "<span class=\"del\">--- gone\n</span>");
	assert_has(&p, "<span class=\"add\">+&lt;new&gt;\n</span>");
	assert_has(&p, "<span class=\"same\"> ctx\n</span>");
	assert_has(&p, "From: x\n");
	eo_str_release(&p);
}

/* What differs inside of a line is marked, by whole words, on both sides. */
static void html_marks_what_changes(void **state)
{
	struct box *b = *state;
	struct eo_patch patch = {
		.finding = ID,
		.file = "lib/shelf.c",
		.subject = "s",
		.diff = "--- a/lib/shelf.c\n+++ b/lib/shelf.c\n"
			"@@ -12,3 +12,3 @@ x\n ctx\n"
			"-\tif (book_list)\n+\tif (book_lists && <x>)\n"
			"-\tabc();\n+\txyz = 1;\n end\n",
		.mail = "m",
		.number = 1,
		.total = 1,
	};
	struct eo_series series = { .created = 1, .items = &patch, .n = 1 };
	struct eo_str p;

	add(b);
	put(b);
	series.run = b->run.id;
	assert_null(eo_db_put_series(b->db, &series));
	assert_null(eo_report_html(b->db, 0, b->dir));
	p = page(b, "finding-" ID ".html");
	assert_has(&p, "<span class=\"del\">-\tif (<mark>book_list</mark>)");
	assert_has(&p, "<span class=\"add\">+\tif (<mark>book_lists &amp;&amp; "
		       "&lt;x&gt;</mark>)");
	/* Nothing alike: all of it is new. */
	assert_has(&p, "<span class=\"del\">-\tabc();\n</span>");
	assert_has(&p, "<tr><td class=\"no\">13</td><td class=\"del\"><code>"
		       "\tif (<mark>book_list</mark>)</code></td>"
		       "<td class=\"no\">13</td><td class=\"add\"><code>");
	assert_has(&p, "<td class=\"no\">15</td><td class=\"same\"><code>end"
		       "</code></td></tr>");
	eo_str_release(&p);
}

/* Keywords, calls, text in quotes, as libclang's lexer tells them apart. */
static void html_colours_tokens(void **state)
{
	struct box *b = *state;
	struct eo_str p;

	add(b)->source = "int f(void)\n{\n\tsay(\"<b>\"); /* x\n y */\n}\n";
	put(b);
	assert_null(eo_report_html(b->db, 0, b->dir));
	p = page(b, "finding-" ID ".html");
	assert_has(&p, "<code><span class=\"tk\">int</span> "
		       "<span class=\"tf\">f</span>(");
	assert_has(&p, "<span class=\"tl\">&quot;&lt;b&gt;&quot;</span>);"
		       " <span class=\"tc\">/* x</span></code>");
	assert_has(&p, "<code><span class=\"tc\"> y */</span></code>");
	eo_str_release(&p);
}

static void html_has_the_ledger(void **state)
{
	struct box *b = *state;
	struct eo_str p;

	add_gap(b);
	put(b);
	assert_null(eo_report_html(b->db, 0, b->dir));
	p = page(b, "index.html");
	assert_has(&p, "Nothing found");
	assert_has(&p, "The scan is incomplete");
	assert_has(&p, "took too long");
	assert_has(&p, "the whole scan");
	assert_lacks(&p, "Everything was looked at");
	eo_str_release(&p);
}

static void fill_with_evil(struct box *b, struct eo_patch *patch)
{
	const struct eo_gap gap = { EVIL, EVIL, EO_ENGINE_CLANG, EO_GAP_TIMEOUT,
				    EVIL };
	struct eo_finding *f = add(b);

	f->rule = f->file = f->function = f->call = f->call_text = EVIL;
	f->ends_in = f->guard = f->head = f->walk = f->result = EVIL;
	f->message = f->dissent = EVIL;
	f->source = EVIL "\n" EVIL "\n" EVIL "\n" EVIL;
	eo_finding_add_hot(&b->findings, f, EVIL);
	eo_finding_add_obligation(&b->findings, f, EVIL, EO_PROOF_FAILED, EVIL);
	eo_finding_add_step(&b->findings, f, EVIL, 13, 1, EVIL);
	eo_gaps_add(&b->gaps, &gap);
	b->run.root = b->run.version = b->run.revision = EVIL;
	b->run.command = b->run.build_origin = b->run.config_hash = EVIL;
	b->run.tool_version = b->run.model_hash = EVIL;
	*patch = (struct eo_patch){ .finding = ID, .number = 1, .total = 1 };
	patch->file = patch->subject = patch->body = EVIL;
	patch->diff = patch->mail = EVIL;
}

/*
 * Takes out the data, which may hold no "<", and our own script, which names
 * the schemas of what it fetches and no more.
 */
static void cut_scripts(struct eo_str *p)
{
	static const char open[] = "<script type=\"application/json\""
				   " id=\"data\">";
	char *data = strstr(p->s, open), *end, *script;

	if (!data)
		return;
	end = strstr(data, "</script>\n<script>");
	assert_non_null(end);
	*end = '\0';
	assert_null(strchr(data + sizeof(open) - 1, '<'));
	script = strstr(end + 1, "<script>") + 8;
	script = strstr(script, "</script>\n</body>");
	assert_non_null(script);
	memmove(data, script, strlen(script) + 1);
}

static void html_lets_nothing_through(void **state)
{
	static const char *const names[] = { "index.html",
					     "finding-" ID ".html" };
	struct eo_patch patch;
	struct eo_series series = {
		.cover = EVIL, .created = 1, .items = &patch, .n = 1
	};
	struct box *b = *state;

	fill_with_evil(b, &patch);
	put(b);
	series.run = b->run.id;
	assert_null(eo_db_put_series(b->db, &series));
	assert_null(eo_report_html(b->db, 0, b->dir));
	for (size_t i = 0; i < 2; i++) {
		struct eo_str p = page(b, names[i]);

		cut_scripts(&p);
		assert_lacks(&p, "<script");
		assert_lacks(&p, "alert(\"");
		assert_lacks(&p, "' onload");
		assert_has(&p, "&lt;script&gt;alert(&quot;1&quot;)&lt;/script"
			       "&gt;&#39; onload=&#39;x&amp;amp;");
		assert_has(&p, "default-src 'none'");
		assert_lacks(&p, "http:");
		assert_lacks(&p, "https:");
		eo_str_release(&p);
	}
}

static void html_makes_hidden_text_visible(void **state)
{
	struct box *b = *state;
	struct eo_str p;

	add(b)->source = "a \xe2\x80\xae\x1b[0m \xff b\n";
	put(b);
	assert_null(eo_report_html(b->db, 0, b->dir));
	p = page(b, "finding-" ID ".html");
	assert_has(&p, "a [U+202E][U+001B][");
	assert_has(&p, "0m");
	assert_has(&p, "\xef\xbf\xbd b");
	for (const char *s = p.s; *s;) {
		size_t n = eo_utf8_len(s);

		assert_true(n > 0);
		s += n;
	}
	eo_str_release(&p);
}

/* What smpl alone found has no proof, no source, no early return. */
static void html_of_little(void **state)
{
	struct box *b = *state;
	struct eo_finding *f = eo_findings_add(&b->findings);
	struct eo_str p;

	strcpy(f->id, ID);
	f->rule = "r";
	f->file = "f.c";
	f->function = f->call = f->message = "x";
	f->engines = EO_ENGINE_SMPL;
	put(b);
	assert_null(eo_report_html(b->db, 0, b->dir));
	p = page(b, "finding-" ID ".html");
	assert_has(&p, "not recorded");
	assert_has(&p, "looked, and does not find it");
	assert_lacks(&p, "<ins>");
	assert_lacks(&p, "(null)");
	eo_str_release(&p);
}

/* A long function is shown around what matters, and says what is left out. */
static void html_of_a_long_function(void **state)
{
	struct box *b = *state;
	struct eo_finding *f = add(b);
	struct eo_str source = { 0 }, p;

	for (int i = 10; i <= 300; i++)
		eo_str_addf(&source, "line%d;\n", i);
	f->source = source.s;
	f->function_end = 300;
	f->line = 100;
	f->walk_line = 200;
	put(b);
	assert_null(eo_report_html(b->db, 0, b->dir));
	p = page(b, "finding-" ID ".html");
	assert_has(&p, "line10;");
	assert_has(&p, "line94;");
	assert_has(&p, "line206;");
	assert_has(&p, "line300;");
	assert_lacks(&p, "line93;");
	assert_lacks(&p, "line207;");
	/* 13 is a step's, 200 the walk's; 6 lines of context each way. */
	assert_has(&p, "lines 20 to 93 are not shown");
	assert_has(&p, "lines 107 to 193 are not shown");
	assert_has(&p, "lines 207 to 293 are not shown");
	eo_str_release(&p);
	eo_str_release(&source);
}

static void html_where_it_cannot_be_written(void **state)
{
	struct box *b = *state;
	EO_CLEANUP(eo_freep) char *file = eo_path_join(b->dir, "file");
	struct eo_error *err;

	put(b);
	assert_null(eo_file_write(file, "x", 1));
	err = eo_report_html(b->db, 0, file);
	assert_non_null(err);
	assert_int_equal(eo_error_kind(err), EO_ERR_ENV);
	assert_non_null(strstr(eo_error_message(err), file));
	eo_error_free(err);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(html_shows_the_finding),
		TEST(html_has_the_patch),
		TEST(html_marks_what_changes),
		TEST(html_colours_tokens),
		TEST(html_has_the_ledger),
		TEST(html_lets_nothing_through),
		TEST(html_makes_hidden_text_visible),
		TEST(html_of_little),
		TEST(html_of_a_long_function),
		TEST(html_where_it_cannot_be_written),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
