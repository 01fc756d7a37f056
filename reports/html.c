// SPDX-License-Identifier: GPL-2.0-only
#include "reports/html.h"

#include <string.h>
#include <time.h>

#include "base/data.h"
#include "base/err.h"
#include "base/file.h"
#include "reports/escape.h"
#include "reports/report.h"

/*
 * No script, no network, no form: what a page may do if some text got past
 * the escaping after all. The style is in the page itself.
 */
#define POLICY                                            \
	"default-src 'none'; style-src 'unsafe-inline'; " \
	"base-uri 'none'; form-action 'none'"

void eo_html_begin(const struct eo_html *h, struct eo_str *to,
		   const char *title)
{
	eo_str_add(to, "<!doctype html>\n<html lang=\"en\">\n<head>\n"
		       "<meta charset=\"utf-8\">\n"
		       "<meta http-equiv=\"Content-Security-Policy\""
		       " content=\"" POLICY "\">\n"
		       "<meta name=\"viewport\""
		       " content=\"width=device-width, initial-scale=1\">\n"
		       "<meta name=\"color-scheme\" content=\"light dark\">\n"
		       "<meta name=\"referrer\" content=\"no-referrer\">\n"
		       "<title>");
	eo_add_html(to, title);
	eo_str_add(to, "</title>\n<style>\n");
	eo_str_add(to, eo_str_get(&h->css));
	eo_str_add(to, "</style>\n</head>\n<body>\n"
		       "<a class=\"skip\" href=\"#main\">Skip to content</a>\n"
		       "<header class=\"top\"><nav aria-label=\"Report\">"
		       "<a class=\"brand\" href=\"index.html\">earlyout</a>"
		       "<span class=\"tree\">");
	eo_html_tree_name(h, to);
	eo_str_add(to, "</span></nav></header>\n<main id=\"main\">\n");
}

void eo_html_end(const struct eo_html *h, struct eo_str *to)
{
	eo_str_addf(to, "</main>\n<footer><p>earlyout ");
	eo_add_html(to, h->run.tool_version);
	eo_str_addf(to, ", run %lld of ", (long long)h->run.id);
	eo_html_time(to, h->run.started);
	eo_str_add(to, "</p></footer>\n</body>\n</html>\n");
}

void eo_html_term(struct eo_str *to, const char *name)
{
	eo_str_add(to, "<div><dt>");
	eo_add_html(to, name);
	eo_str_add(to, "</dt><dd>");
}

void eo_html_fact(struct eo_str *to, const char *name, const char *value)
{
	if (!value)
		return;
	eo_html_term(to, name);
	eo_add_html(to, value);
	eo_str_add(to, "</dd></div>\n");
}

void eo_html_code_fact(struct eo_str *to, const char *name, const char *value)
{
	if (!value)
		return;
	eo_html_term(to, name);
	eo_str_add(to, "<code>");
	eo_add_html(to, value);
	eo_str_add(to, "</code></dd></div>\n");
}

void eo_html_time(struct eo_str *to, int64_t seconds)
{
	time_t t = (time_t)seconds;
	struct tm tm = { 0 };
	char iso[40] = "", human[40] = "";

	gmtime_r(&t, &tm);
	strftime(iso, sizeof(iso), "%Y-%m-%dT%H:%M:%SZ", &tm);
	strftime(human, sizeof(human), "%Y-%m-%d %H:%M UTC", &tm);
	eo_str_addf(to, "<time datetime=\"%s\">%s</time>", iso, human);
}

void eo_html_duration(struct eo_str *to, int64_t ms)
{
	if (ms < 60000)
		eo_str_addf(to, "%.1f s", (double)ms / 1000);
	else
		eo_str_addf(to, "%lld min %lld s", (long long)ms / 60000,
			    (long long)ms / 1000 % 60);
}

void eo_html_engines(struct eo_str *to, unsigned engines)
{
	const char *clang = eo_engine_name(EO_ENGINE_CLANG);
	const char *smpl = eo_engine_name(EO_ENGINE_SMPL);
	const char *both = engines & EO_ENGINE_CLANG ? ", " : "";

	if (engines & EO_ENGINE_CLANG)
		eo_str_add(to, clang);
	if (engines & EO_ENGINE_SMPL)
		eo_str_addf(to, "%s%s", both, smpl);
}

void eo_html_tree_name(const struct eo_html *h, struct eo_str *to)
{
	eo_str_add(to, "Linux ");
	eo_add_html(to, h->run.version);
}

void eo_html_folded(struct eo_str *to, const char *summary, const char *text)
{
	eo_str_add(to, "<details><summary>");
	eo_add_html(to, summary);
	eo_str_add(to, "</summary>\n<pre class=\"mail\" tabindex=\"0\">");
	eo_add_html(to, text);
	eo_str_add(to, "</pre></details>\n");
}

void eo_html_command(const struct eo_html *h, struct eo_str *to,
		     const char *words, const char *last)
{
	EO_CLEANUP(eo_str_release) struct eo_str line = { 0 };

	eo_str_addf(&line, "earlyout %s --tree ", words);
	eo_add_shell(&line, h->run.root);
	eo_str_add(&line, " --db ");
	eo_add_shell(&line, h->db_path);
	if (last) {
		eo_str_addc(&line, ' ');
		eo_add_shell(&line, last);
	}
	eo_add_html(to, line.s);
	eo_str_addc(to, '\n');
}

const struct eo_patch *eo_html_patch(const struct eo_html *h,
				     const struct eo_finding *f)
{
	const struct eo_patch *p;

	eo_vec_for_each(p, &h->series) {
		if (eo_streq(p->finding, f->id))
			return p;
	}
	return NULL;
}

static void release(struct eo_html *h)
{
	eo_html_release_standing(h);
	eo_findings_release(&h->findings);
	eo_gaps_release(&h->gaps);
	eo_arena_release(&h->arena);
	eo_str_release(&h->css);
}

static struct eo_error *load_style(struct eo_str *css)
{
	/* In this order: later ones refine. */
	static const char *const names[] = { "reports/assets/report.css",
					     "reports/assets/code.css",
					     "reports/assets/media.css" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		EO_CLEANUP(eo_freep) char *path = NULL;

		eo_try(eo_data_path(names[i], &path));
		eo_try(eo_file_read(path, css));
	}
	return NULL;
}

static struct eo_error *load(struct eo_db *db, int64_t run, struct eo_html *h)
{
	h->db_path = eo_db_path(db);
	eo_try(load_style(&h->css));
	eo_try(eo_db_get_run(db, run, &h->arena, &h->run));
	eo_try(eo_db_get_findings(db, h->run.id, &h->findings));
	eo_try(eo_html_load_standing(db, h));
	eo_try(eo_db_get_gaps(db, h->run.id, &h->gaps));
	return eo_db_get_series(db, h->run.id, &h->arena, &h->series);
}

static struct eo_error *write_page(const char *dir, const char *name,
				   const struct eo_str *page)
{
	EO_CLEANUP(eo_freep) char *path = eo_path_join(dir, name);

	return eo_file_write(path, page->s, page->len);
}

static struct eo_error *write_finding(const struct eo_html *h,
				      const struct eo_finding *f,
				      const char *dir)
{
	EO_CLEANUP(eo_freep) char *name = eo_asprintf("finding-%s.html", f->id);
	EO_CLEANUP(eo_str_release) struct eo_str page = { 0 };

	eo_html_finding(h, f, &page);
	return write_page(dir, name, &page);
}

struct eo_error *eo_report_html(struct eo_db *db, int64_t run, const char *dir)
{
	EO_CLEANUP(release) struct eo_html h = { 0 };
	EO_CLEANUP(eo_str_release) struct eo_str page = { 0 };
	const struct eo_finding *f;

	eo_try(load(db, run, &h));
	eo_try(eo_mkdirs(dir));
	eo_vec_for_each(f, &h.findings)
		eo_try(write_finding(&h, f, dir));
	/* Last: what it links to is there. */
	eo_html_index(&h, &page);
	return write_page(dir, "index.html", &page);
}
