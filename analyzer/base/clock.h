/* SPDX-License-Identifier: GPL-2.0-only */
/* How long something takes. */
#ifndef EO_BASE_CLOCK_H
#define EO_BASE_CLOCK_H

#include <stdint.h>

/* Milliseconds of a clock that only goes forward, from no certain begin. */
int64_t eo_clock_ms(void);

#endif
