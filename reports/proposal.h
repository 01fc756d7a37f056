/* SPDX-License-Identifier: GPL-2.0-only */
/* A finding that people have to decide on, written up: no mail, no diff. */
#ifndef EO_REPORTS_PROPOSAL_H
#define EO_REPORTS_PROPOSAL_H

#include <stddef.h>

struct eo_finding;
struct eo_model;
struct eo_str;

/*
 * "proposal-0001-mm-memcontrol-call-x-only-where-it-is-used.txt"; @nth is from
 * 1. The caller frees.
 */
char *eo_proposal_name(const char *subject, size_t nth);

/*
 * The text: what happens today, what could be done (each strategy with what
 * speaks for and against it), what is proved and what is not, and the
 * function with the steps of the path written between its lines.
 */
void eo_proposal_text(const struct eo_model *model, const struct eo_finding *f,
		      const char *subject, struct eo_str *out);

#endif
