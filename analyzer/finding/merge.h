/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Both engines' findings made one list. Same rule, file, function, callee and
 * line are the same finding; clang's word, which has the proof, is kept, and
 * engines says who saw it. What one engine saw in a function that the other
 * looked at too, and did not find, is a disagreement: kept, at confidence
 * low, with the reason in dissent.
 */
#ifndef EO_FINDING_MERGE_H
#define EO_FINDING_MERGE_H

#include <stdbool.h>

struct eo_findings;
struct eo_finding;
struct eo_gaps;
struct eo_map;

/*
 * Appends to @out (empty, zeroed) the union of @clang and @smpl, sorted by
 * file, line, column, rule, and gives each its fingerprint. @gaps tells what
 * an engine did not look at, so that silence there is not taken for dissent;
 * nor is silence on a rule that is not in @smpl_rules, a set: smpl has no
 * semantic patch for it, or was not run.
 */
void eo_findings_merge(const struct eo_findings *clang,
		       const struct eo_findings *smpl,
		       const struct eo_gaps *gaps,
		       const struct eo_map *smpl_rules,
		       struct eo_findings *out);

/*
 * The fingerprint: XXH3 of rule, file, function and call with its white space
 * squeezed; no line and no column, so that it survives edits elsewhere.
 * @nth tells apart identical calls in one function, from 0 in their order.
 */
void eo_finding_fingerprint(struct eo_finding *f, unsigned nth);

#endif
