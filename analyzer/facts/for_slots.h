/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which of init, condition and increment a for statement has. libclang gives
 * its children without saying which is missing, and macros hide the
 * semicolons. Where the source itself has the header, it is read there; where a
 * macro has it, libclang can help after all: it prints a function's body with
 * every macro expanded.
 */
#ifndef EO_FACTS_FOR_SLOTS_H
#define EO_FACTS_FOR_SLOTS_H

#include <stdbool.h>
#include <stddef.h>

#include <clang-c/Index.h>

struct eo_for_slots {
	struct eo_for_header {
		bool init, cond, inc;
	} *items;
	size_t n, cap;
};

/*
 * The headers of all for statements in @text, in order, strings and
 * character constants skipped.
 */
void eo_for_slots_parse(const char *text, struct eo_for_slots *out);

/* That of the for statement that @text starts with; false if with none, or
 * when its semicolons are not there to be seen. */
bool eo_for_slots_at(const char *text, struct eo_for_header *out);

/*
 * Those of function @fn, and in *@cursors (freed by the caller) its for
 * statements in the same order. out->n is 0 when the two do not agree.
 */
void eo_for_slots_of(CXCursor fn, struct eo_for_slots *out, CXCursor **cursors);

#endif
