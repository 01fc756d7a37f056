/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Brings what spatch wrote into the kernel's style. Only touched lines are
 * looked at, and the branches that belong to a brace on one of them.
 */
#ifndef EO_SMPL_STYLE_H
#define EO_SMPL_STYLE_H

struct eo_lines;

/*
 * On touched lines: a space before an opening brace; "} else {" on one line;
 * the statement of an if on a line of its own; tabs, as deep as the code
 * that follows; a comment wrapped at 80 columns; what was put between a
 * comment and its statement goes before the comment. Then, when one branch
 * of an if got braces, the others get them.
 */
void eo_style_lines(struct eo_lines *lines);

/* The last step alone. */
void eo_style_braces(struct eo_lines *lines);

#endif
