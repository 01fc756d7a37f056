/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Errors are objects: a function that can fail returns one, or NULL for
 * success, and gives its result through the last argument. The caller owns
 * what it gets back and frees it, or hands it on. Library code never exits
 * and never prints; only cli/ does.
 *
 * One exception: out of memory ends the process (eo_oom()). The database is
 * safe then (SQLite's journal) and a worker that dies costs one unit.
 */
#ifndef EO_BASE_ERR_H
#define EO_BASE_ERR_H

/* What the caller can do about it; cli/ maps all but INCOMPLETE to exit 2. */
enum eo_error_kind {
	EO_ERR_USAGE, /* the command line is wrong */
	EO_ERR_ENV, /* this machine lacks something: a tool, a right, room */
	EO_ERR_INPUT, /* what we were given is not what it should be */
	EO_ERR_TIMEOUT, /* it took longer than it may */
	EO_ERR_INTERRUPTED, /* the user pressed Ctrl-C */
	EO_ERR_INTERNAL, /* a broken assumption of ours */
};

struct eo_error;

/* A new error. The message says what, where, and what to do; no newline. */
struct eo_error *eo_error_new(enum eo_error_kind kind, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* "WHAT: strerror(ERRNUM)", of kind EO_ERR_ENV. */
struct eo_error *eo_error_errno(int errnum, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* The same error with "prefix: " before its message. Takes @err over. */
struct eo_error *eo_error_wrap(struct eo_error *err, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* Valid as long as @err is. */
const char *eo_error_message(const struct eo_error *err);
enum eo_error_kind eo_error_kind(const struct eo_error *err);

/* NULL is fine. */
void eo_error_free(struct eo_error *err);

/* Ends the process with a line on stderr: the one exit in library code. */
void eo_oom(void) __attribute__((noreturn));

/* Returns from the enclosing function when @expr gives an error. */
#define eo_try(expr)                                  \
	do {                                          \
		struct eo_error *eo_try_err = (expr); \
		if (eo_try_err)                       \
			return eo_try_err;            \
	} while (0)

/* Scope guard: EO_CLEANUP(eo_str_release) struct eo_str s = { 0 }; */
#define EO_CLEANUP(fn) __attribute__((cleanup(fn)))

#endif
