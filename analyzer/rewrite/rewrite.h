/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * From findings to changed source. A plan says which findings one patch mends
 * and in which order the patches come; a change is the new text of the files
 * that such a patch touches. Coccinelle makes those that SmPL can say, our own
 * rewriter the rest; callers need not know which.
 *
 * A change is made from an overlay: the tree with the patches before it. The
 * code is analysed anew there, so findings need no line numbers of that state:
 * give them as the scan stored them.
 */
#ifndef EO_REWRITE_REWRITE_H
#define EO_REWRITE_REWRITE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/mem.h"
#include "base/str.h"

struct eo_error;
struct eo_finding;
struct eo_gaps;
struct eo_findings;
struct eo_model;
struct eo_overlay;
struct eo_tree;

/* One way to mend a finding, and what speaks for and against it. */
struct eo_strategy {
	const char *name; /* "lazy-start", what --strategy takes */
	const char *what; /* one line */
	const char *pros, *cons; /* sentences */
	bool is_default; /* is taken when nobody names one */
	bool is_made; /* there is a diff for it; else a decision for people */
	/*
	 * The obligation that is never proved, and that whoever names the
	 * strategy vouches for: then a diff is made where all others are.
	 * NULL: it is for automatic fixes.
	 */
	const char *on_word;
	/*
	 * It is for findings with this obligation, and for no others; one
	 * with the obligation @unless says there why not. Or both are NULL.
	 */
	const char *needs, *unless;
};

/*
 * The alternatives for a finding of @rule, the default first; *n of them, at
 * least one for every rule that has a fix. Static: nothing to free.
 */
const struct eo_strategy *eo_rewrite_strategies(const char *rule, size_t *n);
/* The one called @name (NULL: the default), or NULL. */
const struct eo_strategy *eo_rewrite_strategy(const char *rule,
					      const char *name);

/*
 * Whether @s, of @f's rule, can be taken for @f. If not, *why is the sentence
 * that says why, NULL where there is nothing to be said; @f's.
 */
bool eo_rewrite_offers(const struct eo_strategy *s, const struct eo_finding *f,
		       const char **why);

/* Findings that one patch mends: one logical change. */
struct eo_plan_step {
	const struct eo_finding **items; /* the first tells file and rule */
	size_t n, cap;
	const struct eo_strategy *strategy;
};

struct eo_plan {
	struct eo_plan_step *items;
	size_t n, cap;
};

/*
 * The patches to make of the findings that are @wanted (called once each), in
 * the order in which they build on each other. A finding whose fix is manual
 * goes along where one with an automatic fix needs it: two files that use the
 * same helper, two numbers that are shown beside each other. @strategy: a name
 * for all that have it, or NULL; one that is made on somebody's word takes the
 * findings that lack no other proof. The plan points into @findings.
 */
void eo_rewrite_plan(const struct eo_findings *findings,
		     bool (*wanted)(const struct eo_finding *f, void *data),
		     void *data, const char *strategy, struct eo_plan *out);
void eo_plan_release(struct eo_plan *p);

struct eo_rewriter_options {
	const char *build_dir; /* --build, or NULL */
	const char *compile_commands; /* or NULL */
	/* The compiler's arguments for every file, instead of those that a
	 * build would have; to be used in the current folder. Or NULL. */
	const char *const *args;
	unsigned jobs; /* at least 1 */
	unsigned timeout_ms; /* for one file; 0: a default */
};

struct eo_rewriter;

/*
 * @tree and @model have to outlive it; @model has the wrappers that the scan
 * found. Cheap: flags are asked for when the first change needs them.
 */
void eo_rewriter_open(const struct eo_tree *tree, struct eo_model *model,
		      const struct eo_rewriter_options *opts,
		      struct eo_rewriter **out);
void eo_rewriter_close(struct eo_rewriter *r);

/*
 * Sentences for the message of the patch. Each is a whole one, wrapped by
 * nobody yet; its kind says where it belongs.
 */
enum eo_note_kind {
	EO_NOTE_CHANGE, /* what the patch does: "The call moves below the test
			 * of line 12." */
	EO_NOTE_SAFE, /* why that is right */
	EO_NOTE_RACE, /* what can happen meanwhile, and why it does not matter */
	EO_NOTE_VALUE, /* what a reader sees differently than before */
};

struct eo_note {
	enum eo_note_kind kind;
	const char *text;
};

struct eo_changed_file {
	const char *file; /* relative to the tree */
	struct eo_str text; /* all of it */
};

/* Zeroed to begin with. */
struct eo_change {
	struct {
		struct eo_changed_file *items;
		size_t n, cap;
	} files;
	const char *strategy; /* its name */
	/* For the subject, without prefix: "start the sample when work
	 * starts"; NULL where the rule's own words will do. */
	const char *subject;
	struct {
		struct eo_note *items;
		size_t n, cap;
	} notes;
	struct eo_arena arena;
};

void eo_change_release(struct eo_change *c);

/*
 * Makes the change of @step on top of @overlay (NULL: the tree itself).
 * Nothing is written anywhere. An error says in a sentence why no automatic
 * fix is made (EO_ERR_INPUT: the others may still be), or that it cannot go
 * on (EO_ERR_INTERRUPTED).
 */
struct eo_error *eo_rewrite_make(struct eo_rewriter *r,
				 const struct eo_overlay *overlay,
				 const struct eo_plan_step *step,
				 struct eo_change *out);

/*
 * A fix is automatic when a patch can be made: tries each finding by itself,
 * on the tree as it is, and makes it manual when none can, with the obligation
 * EO_PATCH, failed, that says why. @smpl: the ledger of a scan with spatch, so
 * that those that Coccinelle makes are tried too, where it looked; or NULL.
 */
#define EO_PATCH "patch"
struct eo_error *eo_rewrite_settle(struct eo_rewriter *r,
				   struct eo_findings *findings,
				   const struct eo_gaps *smpl);

#endif
