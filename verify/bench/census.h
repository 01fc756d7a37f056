/* SPDX-License-Identifier: GPL-2.0-only */
/* How common a case is: how many files of a name are empty below a folder. */
#ifndef EO_VERIFY_BENCH_CENSUS_H
#define EO_VERIFY_BENCH_CENSUS_H

#include <stddef.h>

struct eo_error;

struct eo_census_count {
	size_t files; /* that could be read */
	size_t empty; /* of them */
	size_t unread; /* that could not */
};

/*
 * Reads every file @name below @root, not following symlinks. EO_ERR_INPUT
 * when there is none.
 */
struct eo_error *eo_census_take(const char *root, const char *name,
				struct eo_census_count *out);

#endif
