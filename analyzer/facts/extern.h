/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What one unit says of its functions to the others: their summaries, by
 * name. Of functions with external linkage only; a name that two units define
 * is nobody's, since which of them is linked is not in the source.
 */
#ifndef EO_FACTS_EXTERN_H
#define EO_FACTS_EXTERN_H

#include <stdbool.h>

#include "base/map.h"
#include "base/mem.h"

struct eo_str;
struct eo_summary;
struct eo_wire;

/* Zeroed to begin with. */
struct eo_externs {
	struct eo_map known; /* name → struct eo_summary; NULL: defined twice */
	struct eo_arena arena;
};

void eo_externs_release(struct eo_externs *x);
/* NULL when nobody has spoken of it, or more than one; @x may be NULL. */
const struct eo_summary *eo_externs_find(const struct eo_externs *x,
					 const char *name);

/* From a worker to its parent, and there into @x; false: the bytes are bad. */
void eo_summary_put(struct eo_str *to, const struct eo_summary *s);
bool eo_externs_get(struct eo_wire *w, struct eo_externs *x);

#endif
