/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What is said of a scan's findings beside the analysis: the name one had
 * before its file was renamed, whether somebody suppressed it, whether it is
 * in the baseline.
 */
#ifndef EO_CLI_MARKS_H
#define EO_CLI_MARKS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/mem.h"
#include "base/str.h"
#include "db/history.h"
#include "finding/suppress.h"

struct eo_db;
struct eo_error;
struct eo_findings;
struct eo_gaps;
struct eo_mark;
struct eo_tree;

struct eo_marks {
	struct eo_mark *items; /* one a finding */
	struct eo_ignores ignores;
	struct eo_baseline baseline;
	bool has_baseline;
	struct eo_str warnings; /* lines for stderr */
	struct {
		const char **items;
		size_t n, cap;
	} scope; /* room for eo_run.scope_files */
	struct eo_arena arena;
};

/*
 * Before the scan: reads .earlyoutignore beside the database, and the
 * baseline if one is given, so that what is wrong in them is said at once.
 */
struct eo_error *eo_marks_prepare(struct eo_db *db, const char *baseline,
				  struct eo_marks *m);
/* After it. The strings are @m's. */
struct eo_error *eo_marks_set(struct eo_db *db, const struct eo_tree *tree,
			      const struct eo_findings *found,
			      struct eo_marks *m);
/*
 * After that, when the whole tree was looked at: a line in @m->warnings for
 * each suppression that suppresses nothing, in the files of @found and of
 * @rejected and in .earlyoutignore; none where @gaps says that not all was
 * looked at.
 */
struct eo_error *eo_marks_stale(const struct eo_tree *tree,
				const struct eo_findings *found,
				const struct eo_findings *rejected,
				const struct eo_gaps *gaps, struct eo_marks *m);
void eo_marks_release(struct eo_marks *m);

/*
 * Sets origin in the marks of those findings that the database knows under
 * another file's name: git says that the file was renamed, or the old file is
 * gone, and rule, function and call are the same.
 */
struct eo_error *eo_moves_find(struct eo_db *db, const struct eo_tree *tree,
			       const struct eo_findings *found,
			       struct eo_marks *m);

#endif
