// SPDX-License-Identifier: GPL-2.0-only
/* The frame of a page, and the small parts that pages are made of. */
#include "reports/html/html.h"

#include <string.h>
#include <time.h>

#include "base/err.h"
#include "reports/escape.h"
#include "reports/html/site.h"

/*
 * Nothing is loaded, and what runs is what was written here: style and script
 * are in the page, allowed by their hash. Text that got past the escaping
 * after all is neither. A page that is served may ask its own server.
 */
void eo_html_policy(const struct eo_html *h, const struct eo_html_asset *script,
		    struct eo_str *to)
{
	eo_str_addf(to,
		    "default-src 'none'; style-src %s; script-src %s;"
		    " img-src data:; connect-src %s; base-uri 'none';"
		    " form-action 'none'; require-trusted-types-for 'script';"
		    " trusted-types 'none'",
		    h->css.hash, script ? script->hash : "'none'",
		    h->live ? "'self'" : "'none'");
}

void eo_html_href(const struct eo_html *h, struct eo_str *to, const char *page,
		  const char *id, const char *part)
{
	const char *sign = id ? "-" : "";

	id = id ? id : "";
	if (!h->single)
		eo_str_addf(to, " href=\"%s%s%s%s%s%s\"", page, sign, id,
			    *sign ? ".html" : "", part ? "#" : "",
			    part ? part : "");
	else if (*sign)
		eo_str_addf(to, " href=\"#%s%s%s\"", id, part ? "-" : "",
			    part ? part : "");
	else
		eo_str_addf(to, " href=\"#%s\"",
			    eo_streq(page, "index.html") ? "main" : "list");
}

void eo_html_section(const struct eo_html_one *one, struct eo_str *to,
		     const char *id, const char *title)
{
	int level = *one->ids ? 3 : 2;

	eo_str_addf(to,
		    "<section aria-labelledby=\"%s%s\">\n"
		    "<h%d id=\"%s%s\">%s</h%d>\n",
		    one->ids, id, level, one->ids, id, title, level);
}

void eo_html_table(struct eo_str *to, const char *attributes,
		   const char *const *heads, size_t n)
{
	eo_str_addf(to, "<table %s><thead><tr>", attributes);
	for (size_t i = 0; i < n; i++)
		eo_str_addf(to, "<th scope=\"col\">%s</th>", heads[i]);
	eo_str_add(to, "</tr></thead>\n<tbody>\n");
}

static void add_link(const struct eo_html *h, struct eo_str *to,
		     const char *page, const char *text, const char *here)
{
	eo_str_add(to, "<a");
	eo_html_href(h, to, page, NULL, NULL);
	eo_str_addf(to, "%s>%s</a>",
		    eo_streq(page, here) ? " aria-current=\"page\"" : "", text);
}

void eo_html_begin(const struct eo_html *h, struct eo_str *to,
		   const struct eo_html_frame *frame)
{
	eo_str_add(to, "<!doctype html>\n<html lang=\"en\">\n<head>\n"
		       "<meta charset=\"utf-8\">\n"
		       "<meta http-equiv=\"Content-Security-Policy\""
		       " content=\"");
	eo_html_policy(h, frame->script, to);
	eo_str_add(to, "\">\n<meta name=\"viewport\""
		       " content=\"width=device-width, initial-scale=1\">\n"
		       "<meta name=\"color-scheme\" content=\"light dark\">\n"
		       "<meta name=\"referrer\" content=\"no-referrer\">\n"
		       "<link rel=\"icon\" href=\"data:,\">\n"
		       "<title>");
	eo_add_html(to, frame->title);
	eo_str_add(to, "</title>\n<style>");
	eo_str_add(to, eo_str_get(&h->css.text));
	eo_str_add(to, "</style>\n</head>\n<body>\n"
		       "<a class=\"skip\" href=\"#main\">Skip to content</a>\n"
		       "<header class=\"top\"><nav aria-label=\"Report\">"
		       "<span class=\"brand\">earlyout</span>"
		       "<span class=\"tree\">");
	eo_html_tree_name(h, to);
	eo_str_add(to, "</span><span class=\"menu\">");
	add_link(h, to, "index.html", "Overview", frame->here);
	add_link(h, to, "list.html", "Findings", frame->here);
	eo_str_add(to, "</span></nav></header>\n<main id=\"main\">\n");
}

/* In a script element "</script" would end it, and "<!--" change its mode. */
void eo_html_json(struct eo_str *to, const char *attribute, const char *json)
{
	eo_str_addf(to, "<script type=\"application/json\" %s>", attribute);
	for (const char *s = json; *s;) {
		size_t n = strcspn(s, "<");

		eo_str_addn(to, s, n);
		s += n;
		if (*s) {
			eo_str_add(to, "\\u003c");
			s++;
		}
	}
	eo_str_add(to, "</script>\n");
}

void eo_html_end(const struct eo_html *h, struct eo_str *to,
		 const struct eo_html_frame *frame)
{
	eo_str_addf(to, "</main>\n<footer><p>earlyout ");
	eo_add_html(to, h->run.tool_version);
	eo_str_addf(to, ", run %lld of ", (long long)h->run.id);
	eo_html_time(to, h->run.started);
	eo_str_add(to, "</p></footer>\n");
	if (frame->data)
		eo_html_json(to, "id=\"data\"", frame->data);
	if (frame->script) {
		eo_str_add(to, "<script>");
		eo_str_add(to, eo_str_get(&frame->script->text));
		eo_str_add(to, "</script>\n");
	}
	eo_str_add(to, "</body>\n</html>\n");
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
	eo_add_shell(&line, eo_db_path(h->db));
	if (last) {
		eo_str_addc(&line, ' ');
		eo_add_shell(&line, last);
	}
	eo_add_html(to, line.s);
	eo_str_addc(to, '\n');
}
