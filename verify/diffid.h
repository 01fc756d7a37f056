/* SPDX-License-Identifier: GPL-2.0-only */
/* The same change by the same name, wherever its diff was made. */
#ifndef EO_VERIFY_DIFFID_H
#define EO_VERIFY_DIFFID_H

/*
 * 16 digits of the files' names and the lines that are added and removed, as
 * `git patch-id` does it: line numbers, context, index lines and what stands
 * around the diff do not count.
 */
void eo_diff_id(const char *diff, char out[17]);

/* The lines of a hunk before and after, from its "@@ -1,2 +3,4 @@". */
void eo_diff_hunk(const char *head, unsigned long *before,
		  unsigned long *after);

#endif
