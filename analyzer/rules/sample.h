/* SPDX-License-Identifier: GPL-2.0-only */
/* What becomes of a sample: the results of a call through its pointers. */
#ifndef EO_RULES_SAMPLE_H
#define EO_RULES_SAMPLE_H

#include <stdbool.h>
#include <stddef.h>

#include "rules/path.h"

struct eo_arena;
struct eo_atom;
struct eo_map;
struct eo_site;
struct eo_var;

#define EO_MAX_OUTS 4

/* The variables that a sample's results are put into. */
struct eo_outs {
	struct eo_var *vars[EO_MAX_OUTS];
	size_t n;
	bool local; /* all are variables of the function, by their address */
};

void eo_sample_outs(const struct eo_site *site, struct eo_outs *out);

/* Whether the atom uses one of the results; the sample itself does not. */
bool eo_sample_uses(const struct eo_site *site, const struct eo_outs *outs,
		    const struct eo_atom *a);
/* A bit an atom: where a result is used. The caller frees. */
bool *eo_sample_use_set(const struct eo_site *site, const struct eo_outs *outs);

/*
 * Whether nobody got the address of a result before the sample who may use it
 * behind the function's back; if not, @why.
 */
bool eo_sample_private(const struct eo_site *site, const struct eo_outs *outs,
		       struct eo_arena *a, struct eo_reason *why);

/*
 * The fields of @var, a struct, that are used in the function and in what it
 * hands a pointer to it to, as far as their bodies are in the unit; @fields is
 * a set of names. EO_NO when it gets out of sight: then any field may be used.
 * EO_PERHAPS when the address of a field does, at line @near, from which the
 * others may be reached.
 */
enum eo_answer eo_sample_fields(const struct eo_site *site,
				const struct eo_var *var, struct eo_map *fields,
				unsigned *near);

#endif
