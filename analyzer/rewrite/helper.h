/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A function that a change brings with it: it asks for one field of a sample
 * alone. Static where one file needs it; where several do, it is in one of
 * them and declared in the header that all include.
 */
#ifndef EO_REWRITE_HELPER_H
#define EO_REWRITE_HELPER_H

#include <stdbool.h>

#include "base/map.h"
#include "base/mem.h"

struct eo_change;
struct eo_code;
struct eo_error;
struct eo_model_call;
struct eo_model_field;
struct eo_overlay;
struct eo_plan_step;
struct eo_source;

struct eo_helper {
	const struct eo_source *src;
	const struct eo_overlay *overlay;
	const struct eo_plan_step *step;
	const struct eo_model_call *call; /* that it stands in for */
	const struct eo_model_field *field; /* NULL: not known yet */
	const char *home; /* the file that has it */
	const char *header; /* declares it; NULL: it is static */
	const char *prefix, *name;
	bool defined;
	struct eo_map done; /* set: "file:function" that was rewritten */
	struct eo_map shared; /* files of the step: path → NULL */
	struct eo_arena arena;
};

void eo_helper_release(struct eo_helper *h);
/* Decides on home and header by the step's findings. */
struct eo_error *eo_helper_plan(struct eo_helper *h,
				const struct eo_source *src,
				const struct eo_overlay *overlay,
				const struct eo_plan_step *step);
/*
 * From now on the helper gives @field of what @call samples; all of a change
 * have to agree on that.
 */
struct eo_error *eo_helper_use(struct eo_code *c,
			       const struct eo_model_call *call,
			       const char *field);
/* In the home file: defines it before line @line, with what it includes. */
struct eo_error *eo_helper_define(struct eo_code *c, unsigned line);
/* At the end: the header that declares it becomes a changed file. */
struct eo_error *eo_helper_declare(struct eo_helper *h, struct eo_change *out);

#endif
