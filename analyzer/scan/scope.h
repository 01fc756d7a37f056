/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a range of commits can affect, of the files with modelled calls:
 *
 * - those that it changes;
 * - those that include a header that it changes, directly or not;
 * - those that name a function of a .c file that it changes, adds or removes;
 * - those that name a wrapper of a modelled call that one of these defines,
 *   and so on.
 *
 * It goes by names and by text, so it takes in rather too many files than too
 * few. What is reached through a pointer to a function is not followed.
 */
#ifndef EO_SCAN_SCOPE_H
#define EO_SCAN_SCOPE_H

struct eo_changes;
struct eo_error;
struct eo_map;
struct eo_tree;

/*
 * @analysed: file → struct eo_analysis. Adds to the set @out; also the .c
 * files that the range changes or removes and that have no modelled call.
 */
struct eo_error *eo_scope_find(const struct eo_tree *tree,
			       const struct eo_changes *changes,
			       const struct eo_map *analysed, unsigned jobs,
			       struct eo_map *out);

#endif
