/* SPDX-License-Identifier: GPL-2.0-only */
/* What is asked of the mail: its style, its trailers, whom it goes to; and the
 * state of the tree that a range begins at. */
#ifndef EO_VERIFY_MAILCHECKS_H
#define EO_VERIFY_MAILCHECKS_H

#include <stddef.h>

struct eo_applied;
struct eo_checks;
struct eo_error;
struct eo_kbuild;
struct eo_mail;
struct eo_source;
struct eo_tree;

/* checkpatch.pl --strict of the scratch tree, in the sandbox, by type. */
struct eo_error *eo_check_checkpatch(const struct eo_kbuild *k, size_t step,
				     const struct eo_mail *m,
				     struct eo_checks *out);
/* Fixes: of 12 digits, of a commit that there is; Cc: of the maintainers. */
void eo_check_trailers(const struct eo_tree *tree, const struct eo_kbuild *k,
		       size_t step, const struct eo_mail *m,
		       const struct eo_applied *patch, struct eo_checks *out);

/* Makes the scratch tree what @tree was at commit @base. */
struct eo_error *eo_source_at(const struct eo_tree *tree, const char *base,
			      struct eo_source *s);

#endif
