/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Kbuild on a scratch source tree, in the sandbox: the source is read-only at
 * /src, the build folder is at /out and alone writable. So builds of two
 * states of the source are at the same paths, and what compilers say of them
 * can be compared. With --no-sandbox the paths are the real ones.
 */
#ifndef EO_VERIFY_KBUILD_H
#define EO_VERIFY_KBUILD_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/str.h"
#include "verify/sandbox.h"

struct eo_arena;
struct eo_error;
struct eo_proc_result;
struct eo_source;
struct eo_wants;

struct eo_kbuild {
	const struct eo_source *source;
	const char *out; /* the build folder; made when not there */
	const char *cc; /* "gcc"; NULL: that */
	unsigned jobs;
	bool no_sandbox;
	bool read_only; /* the build folder, too: for what only looks */
	struct eo_limits limits;
	/* NULL, or as in struct eo_proc: what make has printed is in r->out */
	struct eo_error *(*watch)(pid_t pid, void *data);
	void *watch_data;
};

/* As the programs see them: "/src", "/out", or the real ones. */
const char *eo_kbuild_source(const struct eo_kbuild *k);
const char *eo_kbuild_out(const struct eo_kbuild *k);

/*
 * make ARGS, targets and NAME=VALUE, a list that ends with NULL. A status
 * other than 0 is for the caller to judge. @r as for eo_proc_run().
 */
struct eo_error *eo_kbuild_make(const struct eo_kbuild *k,
				const char *const *args,
				struct eo_proc_result *r);
/* Any other program that sees the same, in the folder /out. */
struct eo_error *eo_kbuild_run(const struct eo_kbuild *k,
			       const char *const *argv,
			       struct eo_proc_result *r);

/*
 * A configuration from nothing: all off ("allnoconfig"), but for @fragment
 * (lines of a .config; NULL: none), for what @wants (NULL: nothing) has, and
 * for what that needs. The last word is Kconfig's: what it took back of
 * @wants is appended to @missing, a line each with the reason. An error quotes
 * make.
 */
struct eo_error *eo_kbuild_configure(const struct eo_kbuild *k,
				     const char *fragment,
				     const struct eo_wants *wants,
				     struct eo_str *missing);
/* "make prepare": all that single objects need. An error quotes make. */
struct eo_error *eo_kbuild_prepare(const struct eo_kbuild *k);

/*
 * A name for a build folder of this configuration of this tree, compiler and
 * time stamps of its makefiles included: 16 digits.
 */
void eo_kbuild_key(const struct eo_kbuild *k, const char *fragment,
		   const struct eo_wants *wants, char out[17]);
/*
 * The build folder configured and prepared so, in the tree's cache; made when
 * not there, from the source as it is now: as in the checkout. @missing as
 * above. k->out is not used. The caller frees *dir and does not write to it.
 */
struct eo_error *eo_kbuild_template(const struct eo_kbuild *k,
				    const char *fragment,
				    const struct eo_wants *wants, char **dir,
				    struct eo_str *missing);
/* A copy of a build folder, time stamps and all. @to must not be there. */
struct eo_error *eo_kbuild_copy(const char *from, const char *to);

#endif
