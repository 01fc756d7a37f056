/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Questions about what happens on some of a function's paths: the building
 * blocks of the rules' proofs.
 */
#ifndef EO_RULES_PATH_H
#define EO_RULES_PATH_H

#include <stdbool.h>

#include "facts/summary.h"

struct eo_arena;
struct eo_atom;
struct eo_loop;
struct eo_node;
struct eo_site;

/* A sentence about what decides, and the line where it stands. */
struct eo_reason {
	const char *text; /* NULL: nothing of the kind */
	unsigned line;
};

/* What the atoms of a set do, taken together. */
struct eo_trace {
	enum eo_answer reads; /* what the site's call writes */
	struct eo_reason reader; /* who, when YES or PERHAPS */
	bool cleanup_reads; /* a cleanup is among them, or may be */
	struct eo_reason effect; /* the first effect others can see */
	struct eo_reason unknown; /* the first thing that may be one */
	struct eo_reason leak; /* a release of what was held at the call */
};

/* @set: a bit an atom of the site's function; texts in @a. */
void eo_path_trace(const struct eo_site *site, const bool *set,
		   struct eo_arena *a, struct eo_trace *out);

/* Whether the code below @n reads what the site's call writes. */
enum eo_answer eo_path_reads_below(const struct eo_site *site,
				   const struct eo_node *n, struct eo_arena *a,
				   struct eo_reason *reader);

/*
 * The value that the function returns on the paths of @set, as text that
 * means the same before the site's call: "" for void. NULL, and @why, when
 * there is no such text.
 */
const char *eo_path_result(const struct eo_site *site, const bool *set,
			   struct eo_arena *a, struct eo_reason *why);

/*
 * Whether @expr, which stands behind the site's call, has the same value
 * before it; @between holds the atoms in between. EO_PERHAPS, and @why, when
 * that depends on something unknown.
 */
enum eo_answer eo_path_same_before(const struct eo_site *site,
				   const struct eo_node *expr,
				   const bool *between, struct eo_arena *a,
				   struct eo_reason *why);

/* Stores behind the call whose values could be made before it just as well. */
struct eo_moved {
	const struct eo_atom *items[4];
	size_t n;
};

/*
 * The same for the test of branch @at, where what makes its variables may
 * move along with it: those stores go to @moved.
 */
enum eo_answer eo_path_same_moved(const struct eo_site *site, unsigned at,
				  const bool *between, struct eo_arena *a,
				  struct eo_moved *moved,
				  struct eo_reason *why);

/*
 * Whether the atoms of @between may change what is in the collection that
 * @loop walks. EO_NO when all of them are known not to; never EO_YES.
 */
enum eo_answer eo_path_may_fill(const struct eo_site *site,
				const struct eo_loop *loop, const bool *between,
				struct eo_arena *a, struct eo_reason *why);

/*
 * Whether the site's call is a statement by itself, and is not given a
 * variable to put a result in: nobody uses a value of it.
 */
bool eo_path_is_statement(const struct eo_site *site);
/*
 * That, and its arguments have no effects: then what stands before the call
 * can leave without it. If not, @why.
 */
bool eo_path_stands_alone(const struct eo_site *site, struct eo_arena *a,
			  struct eo_reason *why);

/*
 * Whether a macro that stands where @cond does has the whole statement that
 * @cond decides: then its text is no expression.
 */
bool eo_path_in_macro(const struct eo_site *site, const struct eo_node *cond);

/* The record that @expr reads a field of and the site's call writes. */
const char *eo_path_depends(const struct eo_site *site,
			    const struct eo_node *expr);

#endif
