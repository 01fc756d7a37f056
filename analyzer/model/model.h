/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The cost and effect model: which calls are expensive, what they write, who
 * reads that, which macros walk a collection, what is pure, what locks. Data,
 * read from the .model files of analyzer/model/; the format is described in
 * analyzer/model/README.md.
 */
#ifndef EO_MODEL_MODEL_H
#define EO_MODEL_MODEL_H

#include <stdbool.h>
#include <stddef.h>

#include "base/map.h"
#include "base/mem.h"

struct eo_error;

enum eo_call_kind {
	EO_CALL_DEFERRABLE, /* skipping it loses nothing: a later one will do */
	EO_CALL_SAMPLE, /* its value depends on when it runs */
};

struct eo_names {
	const char **items;
	size_t n, cap;
};

/* How to ask for one field of a sample's record alone, as nanoseconds. */
struct eo_model_field {
	const char *name; /* of the field: "ru_stime" */
	const char *value; /* that of outs which is it: "stime" */
	const char *from; /* the call to make */
	struct eo_names outs; /* names for what its out arguments point to */
	const char *include; /* the header that has it: "linux/x.h" */
	struct eo_model_field *next;
};

struct eo_model_call {
	const char *name;
	enum eo_call_kind kind;
	const char *cost; /* a phrase: "takes the global rstat lock and …" */
	const char *lost; /* what becomes of what it would have done, a phrase:
			   * "pending updates stay queued for the next flush" */
	unsigned subject; /* number of the argument it works on, from 1; 0 */
	bool holds; /* returns with a lock held: never to be skipped alone */
	unsigned outs; /* bit i: argument i, from 1, points to a result */
	const char *record; /* struct that its results are fields of, or NULL */
	const char *cheaper; /* what to call for one field of it, or NULL */
	struct eo_model_field *fields; /* the same, spelt out for a rewriter */
	const char *seconds, *micros; /* members of such a field, or NULL */
	const char *param; /* its subject as a parameter: "struct x *y" */
	const char *to_micros; /* from nanoseconds, "@": an expression */
	struct eo_names writes; /* names of effects */
	/* A wrapper that was found, not listed: */
	const char *ends_in; /* the modelled call it ends in, or NULL */
	bool always; /* it calls that on every path */
	bool returns; /* its value is (made of) the sample that it takes */
	const char *also; /* what else it writes ("flush_time"), or NULL */
	bool own_books; /* which only wrappers of that call have to do with */
	bool more_books; /* it writes something else besides */
};

/* State that a call writes: fields of records, and functions that read it. */
struct eo_model_effect {
	const char *name;
	struct eo_names records; /* "blkg_iostat_set": a struct's tag */
	struct eo_names readers; /* functions */
};

/* An iterator macro, and the test that its collection is empty. */
struct eo_model_walk {
	const char *name;
	unsigned head; /* number of the argument that is the collection */
	const char *empty; /* "list_empty" */
};

/* What the model says of a function that is no call of interest. */
enum eo_trait {
	EO_TRAIT_NONE,
	EO_TRAIT_PURE, /* no effect but its value */
	EO_TRAIT_NEUTRAL, /* waits, asserts, traces: nobody's result changes */
	EO_TRAIT_WAIT, /* the same, and others get their turn meanwhile */
	EO_TRAIT_ACQUIRE, /* takes a lock, a reference, a read section */
	EO_TRAIT_RELEASE, /* gives it back */
	EO_TRAIT_OUTPUT, /* prints its arguments: an effect, reads no state */
};

/* An iterator over a tree: every descendant of a root. */
struct eo_model_descent {
	const char *name;
	unsigned pos, root; /* numbers of its arguments, from 1 */
};

struct eo_model {
	struct eo_map calls; /* name → struct eo_model_call */
	struct eo_map local; /* the same, wrappers of the unit at hand only */
	struct eo_map effects; /* name → struct eo_model_effect */
	struct eo_map walks; /* name → struct eo_model_walk */
	struct eo_map descents; /* name → struct eo_model_descent */
	struct eo_map visits; /* macros that visit each CPU or node: name →
			       * phrase ("every possible CPU") */
	struct eo_map idle; /* "record.field" that is NULL or 0 when nothing is
			     * pending: → phrase */
	struct eo_map tests; /* emptiness tests that are safe without the
			      * lock: name → phrase that says why */
	struct eo_map traits; /* name → (void *)(intptr_t)enum eo_trait */
	struct eo_map families; /* the same for "prefix*", without the "*" */
	const char *self; /* the expression that is the running task, or NULL */
	struct eo_map hot; /* hot roots: member of an operations struct →
			    * phrase ("read of a cgroup file") */
	struct eo_map roots; /* hot roots: function → phrase ("reclaim") */
	struct eo_map root_families; /* the same for "prefix*" */
	struct eo_map sleeps; /* set: functions that may sleep */
	struct eo_map stops; /* set: what a thread asks to know whether to end:
			      * a loop until it says so has no end of its own */
	struct eo_arena arena;
};

/* The files of analyzer/model/, then @extra if not NULL. */
struct eo_error *eo_model_load(const char *extra, struct eo_model **out);
/* An empty model. */
struct eo_model *eo_model_new(void);
/* Adds one text; @name is for messages ("FILE:LINE: …"). */
struct eo_error *eo_model_parse(struct eo_model *m, const char *name,
				const char *text);
void eo_model_free(struct eo_model *m);

const struct eo_model_call *eo_model_call(const struct eo_model *m,
					  const char *name);
/*
 * A wrapper that was found becomes a call of the model, with the effects, the
 * cost and the kind of the call it ends in. Copies. False: it was known. A
 * @local one is known until eo_model_forget_local(): a static function's name
 * means nothing to another unit.
 */
bool eo_model_add_wrapper(struct eo_model *m, const struct eo_model_call *w,
			  bool local);
void eo_model_forget_local(struct eo_model *m);

enum eo_trait eo_model_trait(const struct eo_model *m, const char *name);
/* What makes function @name a hot root, a phrase; NULL when it is none. */
const char *eo_model_root(const struct eo_model *m, const char *name);
/* Whether a call that writes @effects changes fields of struct @record. */
bool eo_model_writes_record(const struct eo_model *m,
			    const struct eo_names *effects, const char *record);
/* Whether function @name reads what is written under @effects. */
bool eo_model_is_reader(const struct eo_model *m,
			const struct eo_names *effects, const char *name);
/* XXH3 of all that was parsed, as 16 digits. */
void eo_model_hash(const struct eo_model *m, char out[17]);

#endif
