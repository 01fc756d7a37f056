/* SPDX-License-Identifier: GPL-2.0-only */
/* One line on stderr that says how far long work is; only on a terminal. */
#ifndef EO_BASE_PROGRESS_H
#define EO_BASE_PROGRESS_H

#include <stddef.h>

/* Off for good, as --quiet wants it. */
void eo_progress_disable(void);
/* "WHAT 3/12 detail", drawn at most ten times a second. @total 0: unknown. */
void eo_progress(const char *what, size_t done, size_t total,
		 const char *detail);
/* Clears the line. Call before anything else is printed. */
void eo_progress_end(void);

#endif
