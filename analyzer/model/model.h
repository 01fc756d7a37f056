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

struct eo_model_call {
	const char *name;
	enum eo_call_kind kind;
	const char *cost; /* a phrase: "takes the global rstat lock and …" */
	const char *lost; /* what skipping it leaves undone, a phrase */
	unsigned subject; /* number of the argument it works on, from 1; 0 */
	bool holds; /* returns with a lock held: never to be skipped alone */
	struct eo_names writes; /* names of effects */
	/* A wrapper that was found, not listed: */
	const char *ends_in; /* the modelled call it ends in, or NULL */
	bool always; /* it calls that on every path */
	const char *also; /* what else it writes ("flush_time"), or NULL */
};

/* State that a call writes: fields of records, and functions that read it. */
struct eo_model_effect {
	const char *name;
	struct eo_names records; /* "struct blkg_iostat_set", without struct */
	struct eo_names readers; /* functions */
};

/* An iterator macro, and the test that its collection is empty. */
struct eo_model_walk {
	const char *name;
	unsigned head; /* number of the argument that is the collection */
	const char *empty; /* "list_empty" */
};

struct eo_model {
	struct eo_map calls; /* name → struct eo_model_call */
	struct eo_map effects; /* name → struct eo_model_effect */
	struct eo_map walks; /* name → struct eo_model_walk */
	struct eo_map tests; /* emptiness tests safe without the lock */
	struct eo_map pure; /* functions without effects */
	struct eo_map neutral; /* locks and their kin: acquire, release */
	struct eo_map hot; /* hot roots: struct field → phrase */
	struct eo_arena arena;
};

/* The files of analyzer/model/, then @extra if not NULL. */
struct eo_error *eo_model_load(const char *extra, struct eo_model **out);
/* Adds one text; @name is for messages ("FILE:LINE: …"). */
struct eo_error *eo_model_parse(struct eo_model *m, const char *name,
				const char *text);
void eo_model_free(struct eo_model *m);

const struct eo_model_call *eo_model_call(const struct eo_model *m,
					  const char *name);
/* A wrapper that was found becomes a call of the model. False: known. */
bool eo_model_add_wrapper(struct eo_model *m, const struct eo_model_call *w);

/* Whether @effect (a name) touches fields of the record @record. */
bool eo_model_effect_has_record(const struct eo_model *m, const char *effect,
				const char *record);

#endif
