/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A finding: a call that does expensive work which a path after it never
 * uses; with the proof, and with what both engines said of it. And its
 * opposite, a gap: something that could not be looked at. Gaps make up the
 * coverage ledger.
 *
 * All strings of a list are owned by the list's arena.
 */
#ifndef EO_FINDING_FINDING_H
#define EO_FINDING_FINDING_H

#include <stdbool.h>
#include <stddef.h>

#include "base/map.h"
#include "base/mem.h"

struct eo_str;
struct eo_wire;

enum eo_confidence { EO_LOW, EO_MEDIUM, EO_HIGH };
enum eo_fix { EO_FIX_NONE, EO_FIX_MANUAL, EO_FIX_AUTO };
enum eo_engine { EO_ENGINE_CLANG = 1, EO_ENGINE_SMPL = 2 };

/* How an obligation of the proof came out. */
enum eo_proof {
	EO_PROOF_PROVED, /* from the code and the model's word on the call */
	EO_PROOF_ASSUMED, /* rests on the model's word on something else */
	EO_PROOF_UNKNOWN, /* could not be decided: an unknown callee, say */
	EO_PROOF_FAILED, /* shown to be false */
};

struct eo_obligation {
	const char *name; /* as doc/ and the rule list it: "independent" */
	enum eo_proof state;
	const char *detail; /* a sentence: what was looked at, what decided */
};

/* One step of the path from the call to where its work turns out unused. */
struct eo_step {
	const char *kind; /* "test", "call", "lock", "walk", "return", … */
	unsigned line, column; /* in the finding's file, from 1 */
	const char *text; /* a sentence for the reader */
};

struct eo_finding {
	char id[17]; /* fingerprint, 16 hexadecimal digits */
	const char *rule; /* "flush-before-walk" */
	const char *file; /* relative to the tree's root */
	unsigned line, column; /* of the call, from 1, columns in bytes */
	const char *function; /* that has the call */
	unsigned function_line, function_end; /* first and last line of it */
	const char *call; /* the callee's name */
	const char *call_text; /* "cgroup_rstat_flush(x->css.cgroup)" */
	const char *ends_in; /* the modelled call behind a wrapper, or NULL */
	const char *guard; /* the test: "list_empty(&x->list)", or NULL */
	const char *head; /* what the guard looks at: "&x->list", or NULL */
	unsigned walk_line; /* where the product is read; 0: not known */
	const char *walk; /* "list_for_each_entry", or NULL */
	const char *result; /* the early return's value; "" in a void
			     * function; NULL: no early return possible */
	const char *message; /* one line */
	enum eo_confidence confidence;
	enum eo_fix fix;
	unsigned engines; /* of enum eo_engine */
	const char *dissent; /* what the other engine holds against it */
	struct {
		const char **items;
		size_t n, cap;
	} hot; /* evidence that the site is hot */
	struct {
		struct eo_obligation *items;
		size_t n, cap;
	} obligations;
	struct {
		struct eo_step *items;
		size_t n, cap;
	} steps;
	const char *source; /* text of lines function_line..function_end */
};

struct eo_findings {
	struct eo_finding *items;
	size_t n, cap;
	struct eo_arena arena;
};

void eo_findings_release(struct eo_findings *list);
/* A new, zeroed finding at the end; good until the next call. */
struct eo_finding *eo_findings_add(struct eo_findings *list);
/* These copy their strings into @list's arena. */
void eo_finding_add_obligation(struct eo_findings *list, struct eo_finding *f,
			       const char *name, enum eo_proof state,
			       const char *detail);
void eo_finding_add_step(struct eo_findings *list, struct eo_finding *f,
			 const char *kind, unsigned line, unsigned column,
			 const char *text);
void eo_finding_add_hot(struct eo_findings *list, struct eo_finding *f,
			const char *evidence);
/* A copy of @f, strings and all, at the end of @to. */
struct eo_finding *eo_findings_copy(struct eo_findings *to,
				    const struct eo_finding *f);

/* To and from a worker process. get appends; false when the bytes are bad. */
void eo_finding_put(struct eo_str *to, const struct eo_finding *f);
bool eo_finding_get(struct eo_wire *w, struct eo_findings *list);

/* "high", "auto", "proved"; and back, false when there is no such word. */
const char *eo_confidence_name(enum eo_confidence c);
const char *eo_fix_name(enum eo_fix f);
const char *eo_proof_name(enum eo_proof p);
bool eo_confidence_parse(const char *s, enum eo_confidence *out);
bool eo_fix_parse(const char *s, enum eo_fix *out);
bool eo_proof_parse(const char *s, enum eo_proof *out);

/* Why something was not looked at. Names as the ledger shows them. */
#define EO_GAP_REASONS(X)                                             \
	X(UNREADABLE, "unreadable") /* no right to read it */         \
	X(NOT_C, "not-c") /* does not look like C source */           \
	X(NO_FLAGS, "no-flags") /* Kbuild does not build it here */   \
	X(CONFIGURED_OUT, "configured-out") /* behind a false #if */  \
	X(PARSE_ERROR, "parse-error") /* clang gave errors */         \
	X(TIMEOUT, "timeout") /* a worker or spatch took too long */  \
	X(CRASHED, "crashed") /* a worker or spatch died */           \
	X(TOOL_MISSING, "tool-missing") /* spatch is not installed */ \
	X(UNSUPPORTED, "unsupported") /* a construct we do not follow */

enum eo_gap_reason {
#define X(id, name) EO_GAP_##id,
	EO_GAP_REASONS(X)
#undef X
};

struct eo_gap {
	const char *file; /* relative to the tree; "" for the whole scan */
	const char *function; /* or NULL for all of the file */
	unsigned engine; /* one of enum eo_engine */
	enum eo_gap_reason reason;
	const char *detail; /* a sentence, and what to do */
};

struct eo_gaps {
	struct eo_gap *items;
	size_t n, cap;
	struct eo_map seen; /* hashes of what is in it */
	struct eo_arena arena;
};

void eo_gaps_release(struct eo_gaps *list);
/*
 * Copies its strings. A gap that is there already, with all that it says, is
 * not added twice.
 */
void eo_gaps_add(struct eo_gaps *list, const struct eo_gap *gap);
/*
 * Why @engine did not look at @function of @file: the narrowest gap that says
 * so, NULL when it did look. Gaps of the whole scan and of the file count.
 */
const struct eo_gap *eo_gaps_find(const struct eo_gaps *list,
				  enum eo_engine engine, const char *file,
				  const char *function);
void eo_gap_put(struct eo_str *to, const struct eo_gap *g);
bool eo_gap_get(struct eo_wire *w, struct eo_gaps *list);
const char *eo_gap_reason_name(enum eo_gap_reason r);
bool eo_gap_reason_parse(const char *s, enum eo_gap_reason *out);
const char *eo_engine_name(enum eo_engine e); /* "clang", "smpl" */

#endif
