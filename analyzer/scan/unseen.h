/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Calls that stand in the text and that the compiler did not see: behind an
 * #if that is false in this configuration. For the coverage ledger.
 */
#ifndef EO_SCAN_UNSEEN_H
#define EO_SCAN_UNSEEN_H

struct eo_gaps;
struct eo_map;
struct eo_model;
struct eo_unit;

/*
 * @funcs: name → struct eo_func, every function of the main file with a call
 * that was seen. Adds a gap for each line with one that was not.
 */
void eo_unseen_calls(const struct eo_unit *u, const struct eo_model *model,
		     const struct eo_map *funcs, struct eo_gaps *gaps);

#endif
