/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The configuration of a kernel to measure: small, so that it builds in
 * minutes and boots in seconds, with what the workloads need, optimised as
 * distributions do, and without anything that distorts.
 */
#ifndef EO_VERIFY_BENCH_FRAGMENT_H
#define EO_VERIFY_BENCH_FRAGMENT_H

#include <stddef.h>

struct eo_error;
struct eo_map;
struct eo_str;

/* What is said of such, with the options as the only argument. */
#define EO_DISTORTED                                                   \
	"the kernel has debugging options that distort (%s): what is " \
	"measured with them is no evidence; with --allow-debug it is " \
	"measured, and everything says so"

/* Lines of a .config, on top of "allnoconfig". */
extern const char eo_bench_fragment[];
/* The same in words, for whoever reads the numbers. */
extern const char eo_bench_fragment_words[];

/*
 * The options of the .config text at @path that distort what is measured,
 * with commas, appended to @out: lockdep, KASAN and such, each once. Nothing
 * is appended when there is none. EO_ERR_ENV when the file cannot be read.
 */
struct eo_error *eo_config_distorting(const char *path, struct eo_str *out);
/* What people call the @i-th such option; NULL behind the last. */
const char *eo_distorting_name(size_t i);
/* The same of a kernel's command line: slub_debug and such. */
void eo_cmdline_distorting(const char *cmdline, struct eo_str *out);

#endif
