/* SPDX-License-Identifier: GPL-2.0-only */
/* The pages by their names, for whoever writes or serves them. */
#ifndef EO_REPORTS_HTML_SITE_H
#define EO_REPORTS_HTML_SITE_H

#include <stdbool.h>
#include <stdint.h>

#include "reports/html/html.h"

/*
 * Reads what all pages share. @h is zeroed by the caller, but for live and
 * who, and released by it. @run 0 is the last.
 */
struct eo_error *eo_html_load(struct eo_db *db, int64_t run, struct eo_html *h);
void eo_html_release(struct eo_html *h);

/*
 * The page called @name: "index.html", "list.html", "list-2.html" and on,
 * "finding-<id>.html". *found is false when there is no such page, and then
 * nothing is added to @to. *script is what the page's policy has to allow.
 */
struct eo_error *eo_html_page(const struct eo_html *h, const char *name,
			      struct eo_str *to, bool *found,
			      const struct eo_html_asset **script);

/* The Content-Security-Policy of a page with @script (or NULL). */
void eo_html_policy(const struct eo_html *h, const struct eo_html_asset *script,
		    struct eo_str *to);

#endif
