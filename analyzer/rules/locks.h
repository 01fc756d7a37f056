/* SPDX-License-Identifier: GPL-2.0-only */
/* What is locked on some of a function's paths, and whether it is given back. */
#ifndef EO_RULES_LOCKS_H
#define EO_RULES_LOCKS_H

#include <stdbool.h>

struct eo_arena;
struct eo_atom;
struct eo_reason;
struct eo_site;

/* Whether the variable of a CLEANUP atom was in scope at the call already. */
bool eo_locks_cleaned_anyway(const struct eo_site *site,
			     const struct eo_atom *at);

/*
 * Whether the atoms of @set, those behind the site's call on some path, take
 * and give back in pairs. If not, to leave before the call would keep a lock
 * that is held there, or not take one that the caller counts on: @leak.
 */
void eo_locks_trace(const struct eo_site *site, const bool *set,
		    struct eo_arena *a, struct eo_reason *leak);

#endif
