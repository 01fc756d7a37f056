/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Wrappers are found, not listed: a function that is there to make a modelled
 * call, always or under a condition of its own, and does nothing else that
 * others can see but keep its books (a time stamp, say).
 */
#ifndef EO_FACTS_WRAPPER_H
#define EO_FACTS_WRAPPER_H

#include <stdbool.h>

#include "model/model.h"

struct eo_arena;
struct eo_func;
struct eo_summaries;

/*
 * Whether @f is a wrapper; then @out says of what: name, ends_in, always,
 * also, subject, returns; its strings live in @a or in the model.
 */
bool eo_wrapper_find(struct eo_summaries *s, const struct eo_func *f,
		     struct eo_arena *a, struct eo_model_call *out);

#endif
