/* SPDX-License-Identifier: GPL-2.0-only */
/* Who gets a patch, as the tree's own scripts/get_maintainer.pl says. */
#ifndef EO_REPORTS_RECIPIENTS_H
#define EO_REPORTS_RECIPIENTS_H

#include "base/map.h"

struct eo_error;
struct eo_str;
struct eo_tree;

/* Zeroed to begin with. Keys are mailboxes as they stand in a header. */
struct eo_recipients {
	struct eo_map to; /* maintainers */
	struct eo_map cc; /* reviewers and lists */
};

void eo_recipients_release(struct eo_recipients *r);

/*
 * Asks the script about @diff and adds its answer to @r. A tree without the
 * script, a machine without perl and a script that fails give a line in
 * @warnings, which is not repeated, and no recipients; an error is for
 * Ctrl-C.
 */
struct eo_error *eo_recipients_ask(const struct eo_tree *tree, const char *diff,
				   struct eo_recipients *r,
				   struct eo_str *warnings);

/*
 * The name in MAINTAINERS of what @file belongs to, the most specific one:
 * "BLOCK LAYER". *out is NULL where there is none, or nothing to ask. The
 * caller frees. An error is for Ctrl-C.
 */
struct eo_error *eo_recipients_subsystem(const struct eo_tree *tree,
					 const char *file, char **out);

/* Adds what the script prints with --roles: "Name <address> (role:…)". */
void eo_recipients_parse(struct eo_recipients *r, const char *text);

/* Adds all of @from to @r. */
void eo_recipients_add(struct eo_recipients *r,
		       const struct eo_recipients *from);

/* "To: …\nCc: …\n", one mailbox a line, appended to @out. */
void eo_recipients_headers(const struct eo_recipients *r, struct eo_str *out);

/*
 * "Name <address>" as RFC 5322 and 2047 want it in a header: quoted where the
 * name has special characters, encoded where it is not ASCII. The caller
 * frees.
 */
char *eo_mailbox_encode(const char *mailbox);

#endif
