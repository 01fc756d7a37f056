/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a function does to the world, as far as its body in this unit and the
 * model tell: what it writes, what it reads of modelled state, whether it
 * locks, prints, or calls something nobody knows. Made once a function, on
 * demand; unknown stays unknown.
 */
#ifndef EO_FACTS_SUMMARY_H
#define EO_FACTS_SUMMARY_H

#include <stdbool.h>

#include "base/map.h"
#include "base/mem.h"

struct eo_externs;
struct eo_model;
struct eo_names;
struct eo_node;
struct eo_unit;

/* What is unknown of a function that does nothing but run an instruction. */
#define EO_UNKNOWN_ASM "an asm statement"

struct eo_summary {
	const char *name;
	/* What we could not look into: "foo()", "an indirect call", … or NULL */
	const char *unknown;
	const char *opaque; /* of that, what no other unit's word could mend */
	struct eo_map lacks; /* set: functions of other units that it needs to
			      * be known for it to be known */
	/* The first thing it writes that is neither local to it nor reached
	 * through one of its parameters: "a global", "x->field"; or NULL. */
	const char *writes;
	bool writes_memory; /* that, or more, is behind a pointer: not a variable
			     * of the file or the kernel by its name */
	unsigned writes_params; /* bit i: what parameter i points to */
	unsigned writes_beyond; /* bit i: something that is reached from there */
	unsigned reassigned; /* bit i: parameter i is set to something else */
	bool outputs; /* prints */
	bool acquires, releases; /* locks, references, read sections */
	bool sleeps; /* calls what may sleep */
	bool calls_model; /* a modelled call is among what it does */
	bool reads_raw; /* numbers that a pointer leads to: of any record */
	struct eo_map records; /* set: records whose fields it loads or sets */
	struct eo_map callees; /* set: functions it calls, and they in turn */
};

struct eo_summaries {
	const struct eo_unit *u;
	const struct eo_model *model;
	struct eo_map done; /* name → struct eo_summary */
	struct eo_map open; /* set: being made (recursion) */
	const struct eo_externs *externs; /* what other units say, or NULL */
	struct eo_map wanted; /* set: what was asked for and is lacking; the
			       * caller may empty it */
	struct eo_arena arena;
};

void eo_summaries_init(struct eo_summaries *s, const struct eo_unit *u,
		       const struct eo_model *model,
		       const struct eo_externs *externs);
void eo_summaries_release(struct eo_summaries *s);

/* Never NULL; lives as long as @s. */
const struct eo_summary *eo_summary_of(struct eo_summaries *s,
				       const char *name);
/* What one call does to its caller's world. */
struct eo_call_effect {
	const char *unknown; /* as in the summary */
	const char *writes; /* something that is not local to the caller */
	bool writes_memory; /* as in the summary */
	bool outputs, acquires, releases;
	const struct eo_summary *summary; /* NULL for an indirect call */
};

/* @call: a CALL node. */
void eo_call_effect(struct eo_summaries *s, const struct eo_node *call,
		    struct eo_call_effect *out);

/* Answers that may be unknown. */
enum eo_answer { EO_NO, EO_YES, EO_PERHAPS };

/* Whether the function reads what is written under @effects. */
enum eo_answer eo_summary_reads(const struct eo_summaries *s,
				const struct eo_summary *sum,
				const struct eo_names *effects);

#endif
