/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How a worker process tells its parent what it found: numbers and strings,
 * one after the other, in a message of known length. Both ends are the same
 * program, but the worker may die half-way: every read is checked.
 */
#ifndef EO_BASE_WIRE_H
#define EO_BASE_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"
#include "base/str.h"

void eo_wire_put_u32(struct eo_str *to, uint32_t v);
/* NULL is kept apart from "". */
void eo_wire_put_str(struct eo_str *to, const char *s);

/* Reads from @p; after the first thing that is not there, bad stays true. */
struct eo_wire {
	const char *p;
	size_t left;
	bool bad;
};

uint32_t eo_wire_get_u32(struct eo_wire *w); /* 0 when bad */
char *eo_wire_get_str(struct eo_wire *w, struct eo_arena *a); /* NULL if bad */

#endif
