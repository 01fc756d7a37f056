/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a function computes of samples: it adds up their seconds and
 * microseconds, or subtracts those of one from another's. Each such expression
 * is a sum of whole samples, or else nothing is known about it.
 */
#ifndef EO_REWRITE_SUMS_H
#define EO_REWRITE_SUMS_H

#include <stdbool.h>
#include <stddef.h>

#include "rewrite/code.h"

struct eo_model_call;
struct eo_var;

#define EO_MAX_SAMPLES 4

/* A variable that holds a sample, or a parameter that points to one. */
struct eo_sampled {
	struct eo_var *var;
	const struct eo_node *call; /* that takes it; NULL: a parameter */
	const struct eo_sampled *minus; /* is subtracted from it, part by part */
	unsigned minus_parts;
	size_t n_sums; /* expressions that use it */
	bool handed; /* a function is given its address */
	bool is_inlined; /* it needs no variable */
};

/* A sum of parts: the largest expression around them. */
struct eo_sum {
	const struct eo_node *expr;
	struct eo_place at;
	long long sec[EO_MAX_SAMPLES], usec[EO_MAX_SAMPLES];
};

/* One function under work. */
struct eo_sums {
	struct eo_code *c;
	const struct eo_site *site;
	const struct eo_func *f;
	const struct eo_model_call *call;
	const char *field;
	struct eo_sampled all[EO_MAX_SAMPLES];
	size_t n_all;
	struct {
		struct eo_sum *items;
		size_t n, cap;
	} sums;
	struct {
		struct eo_span *items;
		size_t n, cap;
	} gone; /* lines */
	struct {
		const struct eo_node **items;
		size_t n, cap;
	} dropped; /* statements that subtract */
	struct eo_error *err;
};

/*
 * Looks for samples that @w->call takes and the sums of them in @w->f; of each
 * the field @w->field alone is used. What is not understood sets w->err.
 */
void eo_sums_find(struct eo_sums *w);
void eo_sums_release(struct eo_sums *w);
void eo_sums_fail(struct eo_sums *w, const struct eo_node *n, const char *why);

/* Whether @n is a sample's call; @var: where it goes. */
bool eo_sums_is_sample(const struct eo_sums *w, const struct eo_node *n,
		       struct eo_var **var);
/* The sample whose address an argument is, or NULL. */
struct eo_sampled *eo_sums_handed(struct eo_sums *w, const struct eo_node *arg);
/* Whether @n only subtracts one sample from another: it goes. */
bool eo_sums_is_dropped(const struct eo_sums *w, const struct eo_node *n);

#endif
