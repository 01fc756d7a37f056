/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Who calls whom, across the units that were looked at: as far as the main
 * files' bodies tell, by name. From it come the call chains that make a
 * function hot.
 */
#ifndef EO_FACTS_CALLGRAPH_H
#define EO_FACTS_CALLGRAPH_H

#include <stdbool.h>

#include "base/map.h"
#include "base/mem.h"

struct eo_callers;
struct eo_model;
struct eo_str;
struct eo_wire;

/* Zeroed to begin with. */
struct eo_callgraph {
	struct eo_map nodes; /* see callgraph.c for the keys */
	struct eo_arena arena;
};

void eo_callgraph_release(struct eo_callgraph *g);

/* One unit's share, from its worker; of slots, those that @model calls hot. */
void eo_callgraph_put(struct eo_str *to, const struct eo_callers *callers,
		      const struct eo_model *model);
/* Adds it to @g; @file is the unit's. What is there already is not added
 * twice. False: the bytes are bad. */
bool eo_callgraph_get(struct eo_wire *w, const char *file,
		      struct eo_callgraph *g);

/*
 * The shortest chain of calls by which a hot root of @model reaches
 * @function, defined in @file: "seq_show: a_show() > a_format() > f()", or
 * "reclaim: shrink_a() > f()"; in @a. NULL when no root is known to.
 */
const char *eo_callgraph_chain(const struct eo_callgraph *g,
			       const struct eo_model *model, const char *file,
			       const char *function, struct eo_arena *a);

/*
 * Adds to the set @names the functions with external linkage that reach
 * @function and whose callers may be in files nobody has looked at.
 */
void eo_callgraph_open_ends(const struct eo_callgraph *g, const char *file,
			    const char *function, struct eo_map *names);

#endif
