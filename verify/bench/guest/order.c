// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>

#include "verify/bench/guest/guest.h"

static int by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

double guest_median(double *v, unsigned n)
{
	qsort(v, n, sizeof(*v), by_size);
	return v[n / 2];
}
