/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One parsed translation unit. Everything that comes from it dies with it.
 * A unit is parsed in a worker process (pool.h): libclang may crash or hang
 * on what people write.
 */
#ifndef EO_TU_UNIT_H
#define EO_TU_UNIT_H

#include <stdbool.h>
#include <stddef.h>

#include <clang-c/Index.h>

#include "base/map.h"
#include "base/mem.h"
#include "base/str.h"

struct eo_error;
struct eo_overlay;

struct eo_unit {
	CXIndex index;
	CXTranslationUnit tu;
	CXFile main; /* the .c file */
	struct eo_str text; /* its bytes */
	const char *file; /* relative to the tree, as given */
	struct eo_map functions; /* name → struct eo_unit_function: every
				  * definition, the headers' inlines too */
	unsigned errors; /* diagnostics of severity error and worse */
	char *first_error; /* the first of them, or NULL */
	unsigned warnings; /* diagnostics of severity warning */
	char *last_warning; /* the last of them, or NULL */
	struct eo_arena arena;
};

struct eo_unit_function {
	const char *name;
	CXCursor cursor;
	bool in_main; /* defined in the .c file itself */
	unsigned line, end_line; /* there; 0 otherwise */
};

/*
 * Parses @path (absolute) with @args in the current directory. An error is
 * for what gives no unit at all; source with errors gives a unit with errors
 * counted, since what clang recovered may still be of use.
 */
struct eo_error *eo_unit_parse(const char *file, const char *path,
			       const char *const *args, struct eo_unit **out);
/*
 * The same for a .c file that is compiled as a part of @unit, an absolute path
 * too, which includes it: the main file is @path all the same.
 */
struct eo_error *eo_unit_parse_in(const char *unit, const char *file,
				  const char *path, const char *const *args,
				  struct eo_unit **out);
/* The same, of the tree at @root as @overlay has it. */
struct eo_error *eo_unit_parse_over(const char *root,
				    const struct eo_overlay *overlay,
				    const char *file, const char *const *args,
				    struct eo_unit **out);
void eo_unit_free(struct eo_unit *u);

const struct eo_unit_function *eo_unit_function(const struct eo_unit *u,
						const char *name);

/* Whether another definition may stand in for this one when it is linked. */
bool eo_unit_is_weak(const struct eo_unit_function *f);

/*
 * Calls @visit for every member of a struct that the main file sets to a
 * function: ".seq_show = foo_show" → ("seq_show", "foo_show"); @assigned: by
 * a function of it, not in an initialiser.
 */
void eo_unit_slots(struct eo_unit *u,
		   void (*visit)(const char *member, const char *function,
				 bool assigned, void *data),
		   void *data);

/* Where something stands: in the main file, or nowhere we can show. */
struct eo_pos {
	unsigned line, column, offset; /* from 1, 1, 0 */
	bool in_main;
};

/* Where a location was expanded to: the use of a macro, not its body. */
struct eo_pos eo_unit_expansion(const struct eo_unit *u, CXSourceLocation loc);
/* Where its characters stand: for a macro's argument, the argument itself. */
struct eo_pos eo_unit_spelling(const struct eo_unit *u, CXSourceLocation loc);

/* The identifier that stands at @pos of the main file: the name of the macro
 * that was expanded there. NULL outside of it; the caller frees. */
char *eo_unit_macro_at(const struct eo_unit *u, const struct eo_pos *pos);

/* A CXString's text in the arena, which disposes of the CXString. */
char *eo_unit_string(struct eo_arena *a, CXString s);

#endif
