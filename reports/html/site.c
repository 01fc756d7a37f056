// SPDX-License-Identifier: GPL-2.0-only
#include "reports/html/site.h"

#include <nettle/base64.h>
#include <nettle/sha2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/data.h"
#include "base/err.h"
#include "base/file.h"
#include "base/progress.h"
#include "reports/escape.h"
#include "reports/report.h"

/* A single page takes no more findings from this size on: mails have limits. */
#define EO_HTML_SINGLE (16 << 20)

/* As a Content-Security-Policy names what is in a page (CSP 3, 2.3.1). */
static void set_hash(struct eo_html_asset *a)
{
	uint8_t digest[SHA256_DIGEST_SIZE];
	char text[BASE64_ENCODE_RAW_LENGTH(SHA256_DIGEST_SIZE) + 1] = "";
	struct sha256_ctx ctx;

	sha256_init(&ctx);
	sha256_update(&ctx, a->text.len, (const uint8_t *)eo_str_get(&a->text));
	sha256_digest(&ctx, sizeof(digest), digest);
	base64_encode_raw(text, sizeof(digest), digest);
	snprintf(a->hash, sizeof(a->hash), "'sha256-%s'", text);
}

/* @names ends with NULL; later ones refine, or use, what is before them. */
static struct eo_error *load_asset(const char *const *names,
				   struct eo_html_asset *a)
{
	for (; *names; names++) {
		EO_CLEANUP(eo_freep)
		char *name = eo_path_join("reports/assets", *names);
		EO_CLEANUP(eo_freep) char *path = NULL;

		eo_try(eo_data_path(name, &path));
		eo_try(eo_file_read(path, &a->text));
	}
	set_hash(a);
	return NULL;
}

static struct eo_error *load_assets(struct eo_html *h)
{
	static const char *const css[] = { "report.css", "code.css",
					   "review.css", "media.css", NULL };
	static const char *const list[] = { "core.js", "keys.js", "decide.js",
					    "list.js", NULL };
	static const char *const finding[] = { "core.js", "keys.js",
					       "decide.js", "finding.js",
					       NULL };

	eo_try(load_asset(css, &h->css));
	eo_try(load_asset(list, &h->list_js));
	return load_asset(finding, &h->finding_js);
}

static void map_patches(struct eo_html *h)
{
	struct eo_series *s;

	eo_vec_for_each(s, &h->writing.series)
		for (size_t i = 0; i < s->n; i++) {
			struct eo_patch *p = &s->items[i];

			eo_map_set(&h->patches, p->finding, p);
			for (size_t k = 0; k < p->n_also; k++)
				eo_map_set(&h->patches, p->also[k], p);
		}
}

struct eo_error *eo_html_load(struct eo_db *db, int64_t run, struct eo_html *h)
{
	struct eo_row *r;

	h->db = db;
	eo_try(load_assets(h));
	eo_try(eo_db_get_run(db, run, &h->arena, &h->run));
	eo_try(eo_db_get_rows(db, h->run.id, &h->rows));
	eo_try(eo_db_get_standings(db, h->run.id, &h->standings));
	eo_try(eo_db_get_gaps(db, h->run.id, &h->gaps));
	eo_try(eo_db_get_writing(db, h->run.id, &h->arena, &h->writing));
	eo_vec_for_each(r, &h->rows)
		eo_map_set(&h->ids, r->id, r);
	map_patches(h);
	return NULL;
}

void eo_html_release(struct eo_html *h)
{
	eo_map_release(&h->ids);
	eo_map_release(&h->patches);
	eo_rows_release(&h->rows);
	eo_standings_release(&h->standings);
	eo_gaps_release(&h->gaps);
	eo_arena_release(&h->arena);
	eo_str_release(&h->css.text);
	eo_str_release(&h->list_js.text);
	eo_str_release(&h->finding_js.text);
}

/* Its page, or what a single page has of it. */
static struct eo_error *add_finding(const struct eo_html *h,
				    struct eo_html_one *one, struct eo_str *to)
{
	return h->single ? eo_html_article(h, one, to) :
			   eo_html_finding(h, one, to);
}

static struct eo_error *finding_page(const struct eo_html *h, const char *id,
				     const char *ids, struct eo_str *to,
				     bool *found)
{
	EO_CLEANUP(eo_findings_release) struct eo_findings f = { 0 };
	EO_CLEANUP(eo_standings_release) struct eo_standings s = { 0 };
	struct eo_html_one one = { .row = eo_map_get(&h->ids, id), .ids = ids };
	struct eo_error *err;

	*found = one.row != NULL;
	if (!*found)
		return NULL;
	eo_try(eo_db_get_finding(h->db, h->run.id, id, &f));
	eo_try(eo_db_get_standing(h->db, h->run.id, id, &s));
	*found = f.n == 1 && s.n == 1;
	if (!*found)
		return NULL;
	one.f = f.items;
	one.standing = s.items;
	err = eo_db_get_reviews(h->db, id, &one.reviews);
	if (!err)
		err = add_finding(h, &one, to);
	eo_reviews_release(&one.reviews);
	return err;
}

/* "list.html" is 0, "list-2.html" is 1. */
static bool list_number(const struct eo_html *h, const char *name, size_t *n)
{
	size_t pages = (h->rows.n + EO_HTML_PAGE - 1) / EO_HTML_PAGE;
	char *end;

	*n = 0;
	if (eo_streq(name, "list.html"))
		return true;
	if (!eo_starts_with(name, "list-") || name[5] < '1' || name[5] > '9')
		return false;
	*n = strtoul(name + 5, &end, 10) - 1;
	return eo_streq(end, ".html") && *n >= 1 && *n < pages;
}

struct eo_error *eo_html_page(const struct eo_html *h, const char *name,
			      struct eo_str *to, bool *found,
			      const struct eo_html_asset **script)
{
	char id[17] = "";
	size_t n;
	int end = 0;

	*found = true;
	*script = NULL;
	if (eo_streq(name, "index.html"))
		return eo_html_index(h, to);
	*script = &h->list_js;
	if (list_number(h, name, &n)) {
		*script = n ? NULL : *script;
		eo_html_list(h, n, to);
		return NULL;
	}
	*script = &h->finding_js;
	*found = sscanf(name, "finding-%16[0-9a-f].html%n", id, &end) == 1 &&
		 end && !name[end];
	return *found ? finding_page(h, id, "", to, found) : NULL;
}

static struct eo_error *write_page(const struct eo_html *h, const char *dir,
				   const char *name)
{
	EO_CLEANUP(eo_freep) char *path = eo_path_join(dir, name);
	EO_CLEANUP(eo_str_release) struct eo_str page = { 0 };
	const struct eo_html_asset *script;
	bool found;

	eo_try(eo_html_page(h, name, &page, &found, &script));
	if (!found)
		return eo_error_new(EO_ERR_INTERNAL, "%s: no such page", name);
	return eo_file_write_again(path, page.s, page.len);
}

static struct eo_error *write_findings(const struct eo_html *h, const char *dir)
{
	const struct eo_row *r;

	eo_vec_for_each(r, &h->rows) {
		EO_CLEANUP(eo_freep)
		char *name = eo_asprintf("finding-%s.html", r->id);

		eo_progress("writing pages", (size_t)(r - h->rows.items),
			    h->rows.n, r->file);
		eo_try(write_page(h, dir, name));
	}
	eo_progress_end();
	return NULL;
}

struct eo_error *eo_report_html(struct eo_db *db, int64_t run, const char *dir)
{
	EO_CLEANUP(eo_html_release) struct eo_html h = { 0 };

	eo_try(eo_html_load(db, run, &h));
	eo_try(eo_mkdirs(dir));
	/* What a page links to is there before it. */
	eo_try(write_findings(&h, dir));
	for (size_t n = 1; n * EO_HTML_PAGE < h.rows.n; n++) {
		EO_CLEANUP(eo_freep)
		char *name = eo_asprintf("list-%zu.html", n + 1);

		eo_try(write_page(&h, dir, name));
	}
	eo_try(write_page(&h, dir, "list.html"));
	return write_page(&h, dir, "index.html");
}

static struct eo_error *add_article(const struct eo_html *h, const char *id,
				    struct eo_str *to)
{
	EO_CLEANUP(eo_freep) char *ids = eo_asprintf("%s-", id);
	bool found;

	eo_str_addf(to, "<article id=\"%s\">\n", id);
	eo_try(finding_page(h, id, ids, to, &found));
	eo_str_add(to, "</article>\n");
	return NULL;
}

/* Those that rank first; what a mail would not carry is said to be left out. */
static struct eo_error *add_articles(const struct eo_html *h, struct eo_str *to)
{
	const struct eo_row *r = h->rows.items;

	for (; r < h->rows.items + h->rows.n && to->len < EO_HTML_SINGLE; r++) {
		eo_progress("writing findings", (size_t)(r - h->rows.items),
			    h->rows.n, r->file);
		eo_try(add_article(h, r->id, to));
	}
	eo_progress_end();
	if (r == h->rows.items + h->rows.n)
		return NULL;
	eo_str_add(to, "<p class=\"note\">");
	eo_add_plural(to, (size_t)(h->rows.items + h->rows.n - r),
		      "further finding is", "further findings are");
	eo_str_add(to, " in the list alone, to keep this page small: "
		       "<code>earlyout report -o DIR</code> writes a page "
		       "each.</p>\n");
	return NULL;
}

static struct eo_error *single_page(const struct eo_html *h, struct eo_str *to)
{
	EO_CLEANUP(eo_str_release) struct eo_str title = { 0 }, data = { 0 };
	struct eo_html_frame frame = { .script = &h->list_js };

	eo_str_addf(&title, "earlyout: Linux %s", h->run.version);
	eo_html_list_data(h, &data);
	frame.title = title.s;
	frame.data = data.s;
	eo_html_begin(h, to, &frame);
	eo_try(eo_html_overview(h, to));
	eo_str_add(to, "<section aria-labelledby=\"list\">\n"
		       "<h2 id=\"list\">All findings</h2>\n");
	eo_html_list_body(h, 0, h->rows.n, true, to);
	eo_str_add(to, "</section>\n");
	eo_try(add_articles(h, to));
	eo_html_end(h, to, &frame);
	return NULL;
}

struct eo_error *eo_report_html_file(struct eo_db *db, int64_t run,
				     const char *path)
{
	EO_CLEANUP(eo_html_release) struct eo_html h = { .single = true };
	EO_CLEANUP(eo_str_release) struct eo_str page = { 0 };

	eo_try(eo_html_load(db, run, &h));
	eo_try(single_page(&h, &page));
	return eo_file_write(path, page.s, page.len);
}
