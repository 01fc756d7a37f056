/* SPDX-License-Identifier: GPL-2.0-only */
/* What "[PATCH v2 2/5]" says, and which patches make up a series by it. */
#ifndef EO_VERIFY_ORDER_H
#define EO_VERIFY_ORDER_H

struct eo_arena;
struct eo_input;
struct eo_mail;

/* Sets subject, tags, number, total and version of @m. */
void eo_order_subject(struct eo_arena *a, const char *subject,
		      struct eo_mail *m);

/*
 * Keeps of @in->items the series that the first patch belongs to, in its
 * newest version, each patch once, and puts them in order. What is left out,
 * and what is missing, becomes a note.
 */
void eo_order(struct eo_input *in);

#endif
