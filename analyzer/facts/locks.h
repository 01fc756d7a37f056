/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How many locks (references, read sections, …) a call holds more when it
 * returns than when it was made: the least and the most over its paths, by
 * counting what the model calls acquire and release. A function that tries a
 * lock, gives up the interrupt flag and then takes both comes out at what it
 * returns with, however often it took and gave back on the way.
 */
#ifndef EO_FACTS_LOCKS_H
#define EO_FACTS_LOCKS_H

struct eo_model;
struct eo_unit;

struct eo_lock_net {
	int least, most; /* within -4..4, where counting ends */
};

/* That of function @name: 0 and 0 when its body is not in the unit. */
struct eo_lock_net eo_lock_net_of(const struct eo_unit *u,
				  const struct eo_model *model,
				  const char *name);

#endif
