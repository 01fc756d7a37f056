/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a measurement says, in lines, as the guest's programs and hooks print
 * it; verify/bench/guest/guest.h has the format. Whoever printed it is not
 * trusted: it may be cut off, garbled by the kernel's own output, or made up.
 */
#ifndef EO_VERIFY_BENCH_RECORD_H
#define EO_VERIFY_BENCH_RECORD_H

#include <stdbool.h>
#include <stddef.h>

#include "base/mem.h"

struct eo_error;

struct eo_metric {
	const char *name; /* [a-z0-9._-]+ */
	const char *unit; /* "ns", "1/s", … */
	const char *words; /* for people */
	bool higher_is_better;
};

struct eo_sample {
	const char *metric;
	unsigned batch; /* 0 is the warm-up */
	double value; /* finite and not negative */
};

struct eo_env {
	const char *name, *value;
};

struct eo_record {
	const char *workload;
	struct {
		struct eo_metric *items;
		size_t n, cap;
	} metrics;
	struct {
		struct eo_sample *items;
		size_t n, cap;
	} samples;
	struct {
		struct eo_env *items;
		size_t n, cap;
	} env;
	struct eo_arena arena;
};

/* Where one record ends when several stand one behind the other. */
#define EO_RECORD_END "\nend\n"

void eo_record_release(struct eo_record *l);
/* NULL when there is none of that name. */
const struct eo_metric *eo_record_metric(const struct eo_record *l,
					 const char *name);

/*
 * Reads all of it, into a zeroed @out. EO_ERR_INPUT, with @from and the line,
 * when it does not end in "end", when a line is none of the format, a sample
 * has no metric, a metric no sample behind the warm-up; when it says "fail",
 * the message is that. With @framed each line has its number and checksum in
 * front, and what is lost or damaged is an error.
 */
struct eo_error *eo_record_parse(const char *from, const char *text, size_t n,
				 bool framed, struct eo_record *out);

/*
 * The median of a metric's samples without the warm-up: what one measurement
 * says. There is one, or parsing had failed.
 */
double eo_record_value(const struct eo_record *l, const char *metric);

#endif
