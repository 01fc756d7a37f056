/* SPDX-License-Identifier: GPL-2.0-only */
/* What the server answers to a request that the guards let through. */
#ifndef EO_REPORTS_SERVE_ANSWER_H
#define EO_REPORTS_SERVE_ANSWER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"
#include "reports/html/site.h"

struct eo_answer {
	unsigned status; /* of HTTP */
	const char *type; /* media type */
	struct eo_str body;
	struct eo_str policy; /* Content-Security-Policy */
	const char *location; /* of a redirect, or NULL */
};

/* The pages, and what they were read from. */
struct eo_site {
	struct eo_db *db;
	int64_t run; /* that was asked for; 0 is the last */
	const char *who;
	struct eo_html html;
	bool loaded;
	int64_t clock, version; /* of the database, when it was loaded */
};

void eo_site_release(struct eo_site *s);

/* A page; @path begins with "/". */
struct eo_error *eo_answer_page(struct eo_site *s, const char *path,
				struct eo_answer *a);
/* {"clock", "state"}: "state" is empty when nothing was said since @since. */
struct eo_error *eo_answer_state(struct eo_site *s, const char *since,
				 struct eo_answer *a);
/*
 * Stores the decisions in @body and answers {"clock", "changes":[{"id",
 * "outcome"}], "state"}. What is wrong in @body is an EO_ERR_INPUT.
 */
struct eo_error *eo_answer_review(struct eo_site *s, const char *body,
				  struct eo_answer *a);

#endif
