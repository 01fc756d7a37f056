// SPDX-License-Identifier: GPL-2.0-only
#include "base/clock.h"

#include <time.h>

int64_t eo_clock_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (int64_t)ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}
