/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Who in the main file uses a function of it: calls, and operations structs
 * that it is put into.
 */
#ifndef EO_FACTS_CALLERS_H
#define EO_FACTS_CALLERS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/map.h"
#include "model/model.h"

struct eo_unit;

struct eo_use {
	struct eo_names callees; /* functions that its body calls or names */
	struct eo_names callers; /* functions of this file that call or name
				  * it, itself left out */
	struct eo_names called_by; /* of those, the ones that call it */
	unsigned mentions; /* how often a function of this file mentions it */
	unsigned assigned; /* of those, as a value of one of the slots */
	struct eo_names slots; /* members that it is the value of */
	bool is_static;
	bool in_main; /* defined in the main file */
};

struct eo_callers {
	struct eo_map uses; /* function → struct eo_use */
	struct eo_map statics; /* variable of the file that no other file can
				* name → struct eo_names: the functions of
				* this one that do */
	struct eo_arena arena;
};

void eo_callers_build(struct eo_unit *u, struct eo_callers *out);
void eo_callers_release(struct eo_callers *c);
/* NULL for a function that the main file does not mention. */
const struct eo_use *eo_callers_use(const struct eo_callers *c,
				    const char *function);
/* The functions that mention the file's own variable @name; NULL when it is
 * none, or a function's. */
const struct eo_names *eo_callers_of_static(const struct eo_callers *c,
					    const char *name);
/* Whether @function's body mentions @callee. */
bool eo_callers_mentions(const struct eo_callers *c, const char *function,
			 const char *callee);

#endif
