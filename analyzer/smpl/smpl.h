/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The SmPL engine: runs spatch with a rule's semantic patch on the candidate
 * files and reads what it says. It sees code under any #ifdef and needs no
 * compiler; it does not see types or values.
 */
#ifndef EO_SMPL_SMPL_H
#define EO_SMPL_SMPL_H

#include <stdbool.h>
#include <stddef.h>

struct eo_error;
struct eo_tree;
struct eo_model;
struct eo_findings;
struct eo_finding;
struct eo_gaps;
struct eo_str;
struct eo_overlay;

struct eo_smpl_options {
	unsigned jobs; /* spatch processes at a time; at least 1 */
	unsigned timeout_ms; /* a file */
	const struct eo_overlay *overlay; /* on top of the tree; for a fix */
};

/* Whether there is a semantic patch for the rule: SmPL cannot say them all. */
bool eo_smpl_has_rule(const char *rule);

/*
 * The semantic patch of @rule made for @model: the .cocci of
 * semantic-patches/ with the model's calls (found wrappers too) and walks in
 * place of those it lists. Appended to @out.
 */
struct eo_error *eo_smpl_specialise(const char *rule,
				    const struct eo_model *model,
				    struct eo_str *out);

/*
 * Runs it in mode report on each of @files (relative to the tree); what it
 * finds is appended to @found with engines EO_ENGINE_SMPL and rule, file,
 * line, column, function, call, call_text, guard filled in. A file on which
 * spatch fails, dies or takes too long goes to @gaps and the rest goes on;
 * spatch missing is one gap with file "". An error is for Ctrl-C and for
 * what breaks the whole (no room for temporary files).
 */
struct eo_error *eo_smpl_scan(const struct eo_tree *tree,
			      const struct eo_model *model,
			      const char *const *files, size_t n_files,
			      const struct eo_smpl_options *opts,
			      struct eo_findings *found, struct eo_gaps *gaps);

/*
 * The fix of @f: its rule's semantic patch in mode patch on f->file, only the
 * hunks inside f's function kept, what it touched brought into the kernel's
 * style, every other byte as it was (CRLF and a missing last newline too).
 * Where the function is need not be known (function_line 0): then it is the
 * one of that name with that call.
 * Gives the new text of the file in @text; the file itself is not written. An
 * error says that the semantic patch changed nothing there.
 */
struct eo_error *eo_smpl_fix(const struct eo_tree *tree,
			     const struct eo_model *model,
			     const struct eo_finding *f,
			     const struct eo_smpl_options *opts,
			     struct eo_str *text);

#endif
