/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * For spatch --macro-file: macros of the kernel without which spatch 1.1.1
 * does not parse a function and passes over it in silence. What follows
 * scoped_guard() is a statement that runs once, so nothing is what it takes
 * to read it as one. scoped_cond_guard() holds a statement that may leave the
 * function, which must not be lost: it stays unparsed, and is told.
 */
#define scoped_guard(kind, args...)
