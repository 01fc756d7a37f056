/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Takes a shell command apart into words, as a shell would, without running
 * anything: quotes and backslashes go, nothing is expanded.
 */
#ifndef EO_TREE_SHELLWORDS_H
#define EO_TREE_SHELLWORDS_H

#include <stdbool.h>
#include <stddef.h>

struct eo_arena;

struct eo_words {
	const char **items;
	size_t n, cap;
};

void eo_words_release(struct eo_words *w);

/*
 * The words of the simple command at *p (it ends at ; & | and the end of a
 * line), which moves on past it. @out is emptied first; the words live in
 * @a. False when the text is at its end.
 */
bool eo_shell_next(const char **p, struct eo_arena *a, struct eo_words *out);

#endif
