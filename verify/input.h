/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What there is to verify: the patches of a series, in order, from a folder of
 * mails, an mbox, a mail, a range of commits, or the text of mails as a web
 * archive shows it. Cover letters and replies are told from patches; what is
 * left out is said.
 */
#ifndef EO_VERIFY_INPUT_H
#define EO_VERIFY_INPUT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/mem.h"
#include "base/str.h"

struct eo_error;
struct eo_tree;

struct eo_mail {
	const char *subject; /* without "[PATCH …]" */
	const char *tags; /* what stood in the brackets, "" */
	const char *message; /* of the commit, below the subject */
	const char *author, *email, *date; /* "" where not known */
	const char *diff;
	const char *text; /* the mail, decoded: for checkpatch.pl */
	const char *to; /* To and Cc, or "" when the input does not say */
	unsigned number, total, version; /* "v2 2/5"; 0, 0, 1 without */
	bool no_subject; /* the archive's text begins below it */
	unsigned set; /* those that were sent together have the same */
};

struct eo_input {
	struct eo_mail *items; /* in the order in which they apply */
	size_t n, cap;
	const char *cover; /* the cover letter's text, or NULL */
	const char *base; /* "base-commit:", or the range's begin; or NULL */
	bool of_range; /* base is a commit of the tree */
	struct eo_str notes; /* lines: what was left out, what is missing */
	struct eo_arena arena;
};

/*
 * @what: a folder, a file, "-" for standard input, or "A..B", a range of
 * @tree. No patch in it is an EO_ERR_INPUT that says what was there instead.
 * @out is zeroed by the caller and released by it.
 */
struct eo_error *eo_input_read(const struct eo_tree *tree, const char *what,
			       struct eo_input *out);
/* The same of a text that is there already; @name is for messages. */
struct eo_error *eo_input_text(const char *name, const char *text,
			       struct eo_input *out);
void eo_input_release(struct eo_input *in);

#endif
