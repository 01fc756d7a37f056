/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A turn of a loop without end that takes a sample: where it is taken, the one
 * call that uses it, where the turn's work starts and where it is done.
 */
#ifndef EO_REWRITE_TURN_H
#define EO_REWRITE_TURN_H

#include <stdbool.h>

#include "rewrite/code.h"
#include "rewrite/works.h"

struct eo_var;

struct eo_turn {
	struct eo_code *c;
	const struct eo_site *site;
	const struct eo_var *var; /* the sample */
	const char *type; /* of it: "u64", "struct usage" */
	const struct eo_node *decl, *loop, *body;
	struct eo_place sample; /* its statement, in the loop's body */
	const struct eo_node *use; /* the call that uses it */
	struct eo_place use_at; /* its statement */
	struct eo_place top; /* the statement of the body that has it */
	size_t arg; /* of the use */
	bool by_address; /* it is given &sample */
	struct eo_func *consumer; /* the function that is called */
	struct eo_starts starts;
};

/*
 * Fills @t, zeroed by the caller, who releases it on an error too; an error
 * says what is not as it has to be.
 */
struct eo_error *eo_turn_find(struct eo_code *c, const struct eo_site *site,
			      const struct eo_finding *f, struct eo_turn *t);
void eo_turn_release(struct eo_turn *t);

/* Parameter number @arg, from 1; NULL when there is none. */
const struct eo_var *eo_turn_param(const struct eo_func *f, size_t arg);
/* How often an identifier stands in the file, comments left out. */
size_t eo_turn_count(const struct eo_code *c, const char *word);

#endif
