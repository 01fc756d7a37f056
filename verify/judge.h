/* SPDX-License-Identifier: GPL-2.0-only */
/* From two states and the patch between them to checks. */
#ifndef EO_VERIFY_JUDGE_H
#define EO_VERIFY_JUDGE_H

#include <stddef.h>

struct eo_checks;
struct eo_finding;
struct eo_mail;
struct eo_state;
struct eo_applied;
struct eo_what;

/* What compilers and checkers say that they did not say before. */
void eo_judge_builds(const struct eo_what *w, size_t step,
		     const struct eo_applied *patch,
		     const struct eo_state *before,
		     const struct eo_state *after, struct eo_checks *out);

/* What scripts/bloat-o-meter prints, of the touched objects. */
void eo_judge_size(size_t step, const struct eo_state *before,
		   const struct eo_state *after, struct eo_checks *out);

/*
 * An early return that the patch adds in front of @finding returns what the
 * function returned there; another value is a failure.
 */
void eo_judge_return(size_t step, const struct eo_finding *finding,
		     const struct eo_applied *patch, struct eo_checks *out);

/*
 * Our findings. One that goes is gone by proof when the analysis shows why
 * the call is no case any more, or when the call and all that ends in it are
 * gone from the function; it is hidden when the same work turns up under
 * another name; it is gone by shape alone when the function calls something
 * new that cannot be followed.
 */
void eo_judge_scan(const struct eo_what *w, size_t step,
		   const struct eo_mail *mail, const struct eo_applied *patch,
		   const struct eo_state *before, const struct eo_state *after,
		   struct eo_checks *out);

/*
 * What only a reviewer would ask, from the diff: for a flag that userspace has
 * to set, whether it is needed; for a reference, whether it is; for one
 * condition under two names, why.
 */
void eo_judge_asks(size_t step, const struct eo_applied *patch,
		   struct eo_checks *out);

/*
 * @word in @text, in either case, where a word begins: "latency" is none of
 * "iolatency". Or NULL.
 */
const char *eo_find_word(const char *text, const char *word);

/* That, and what the message leaves open: numbers, and from which kernel. */
void eo_judge_words(size_t step, const struct eo_mail *mail,
		    const struct eo_applied *patch, struct eo_checks *out);

#endif
