/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The code that is being rewritten: where its statements stand in the text,
 * and the edits that move them. What cannot be moved without harm (a macro's
 * inside, code around an #if) is refused with a reason.
 */
#ifndef EO_REWRITE_CODE_H
#define EO_REWRITE_CODE_H

#include <stdbool.h>
#include <stddef.h>

#include "rewrite/edit.h"
#include "rewrite/rewrite.h"

struct eo_finding;
struct eo_func;
struct eo_model;
struct eo_node;
struct eo_overlay;
struct eo_site;
struct eo_helper;
struct eo_unit;
struct eo_var;

/* A file under work. Texts for the edits and notes live in @arena. */
struct eo_code {
	const struct eo_unit *u;
	struct eo_helper *helper; /* what the files of a change share */
	const char *s; /* its text */
	size_t n;
	struct eo_edits edits;
	struct eo_change *out; /* notes, subject */
	struct eo_arena *arena;
};

struct eo_span {
	size_t start, end; /* empty: there is none */
};

/* An error that says why no automatic fix is made, at @line if not 0. */
struct eo_error *eo_code_refuse(const struct eo_code *c, unsigned line,
				const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
void eo_code_note(struct eo_code *c, enum eo_note_kind kind, const char *fmt,
		  ...) __attribute__((format(printf, 3, 4)));

/* A statement and what it stands in. */
struct eo_place {
	const struct eo_node *stmt, *parent; /* parent is no COMPOUND where
					      * the statement has no braces */
	size_t index; /* of parent->kid */
};

/* The innermost statement below @body that has @n in it. */
bool eo_code_place(const struct eo_node *body, const struct eo_node *n,
		   struct eo_place *out);
/* Whether @n is @of or below it. */
bool eo_code_has(const struct eo_node *of, const struct eo_node *n);
/* The node below @root at the first step of that kind, or NULL. */
const struct eo_node *eo_code_step(const struct eo_node *root,
				   const struct eo_finding *f,
				   const char *kind);
/* Where the site's call is: a statement of a block that has others, on lines
 * of its own. */
struct eo_error *eo_code_call_place(struct eo_code *c,
				    const struct eo_site *site,
				    struct eo_place *out);
/* Whether @var is named below @n; whether it is set there. */
bool eo_code_mentions(const struct eo_node *n, const struct eo_var *var);
bool eo_code_sets(const struct eo_node *n, const struct eo_var *var);
/* Whether the last that the statement does is to leave: return, goto, … */
bool eo_code_leaves(const struct eo_node *n);

/* First byte of the line of @i, and the first one of the next line. */
size_t eo_code_line(const struct eo_code *c, size_t i);
size_t eo_code_next_line(const struct eo_code *c, size_t i);
/* First byte of the lines with no empty one between them and that of @i. */
size_t eo_code_block(const struct eo_code *c, size_t i);
/* The white space before the line of @i, copied. */
const char *eo_code_indent(const struct eo_code *c, size_t i);
const char *eo_code_text(const struct eo_code *c, struct eo_span s);
/* An expression, as its characters stand in the file; empty in a macro. */
struct eo_span eo_code_expr(const struct eo_code *c, const struct eo_node *n);
/* Past the semicolon or brace that ends the statement; empty if a macro
 * makes it. */
struct eo_span eo_code_stmt(const struct eo_code *c, const struct eo_node *n);
/* The whole lines of a statement that has them for itself, a comment behind it
 * included; empty when it shares one. */
struct eo_span eo_code_lines(const struct eo_code *c, const struct eo_node *n);
/* The same, with the comment right above that speaks of it. */
struct eo_span eo_code_with_comment(const struct eo_code *c,
				    const struct eo_node *n);
/* How many #if are open at byte @at of @s. */
unsigned eo_code_if_depth(const char *s, size_t at);
/* Whether an #if, #else or #endif stands in it. */
bool eo_code_has_directive(const struct eo_code *c, struct eo_span s);

/*
 * Takes the lines @s out; an empty line goes too when two would be left, or
 * one at the start or the end of a block.
 */
void eo_code_remove_lines(struct eo_code *c, struct eo_span s);
/*
 * Puts @text, whole lines, before the statement @n and the comment above it,
 * with braces around both when it has none (@parent, @index: see eo_place).
 */
struct eo_error *eo_code_insert_before(struct eo_code *c,
				       const struct eo_place *p,
				       const char *text);
/*
 * @text, whole lines, behind the if whose lines are @test, with an empty line
 * between them.
 */
void eo_code_put_behind(struct eo_code *c, struct eo_span test,
			const char *text);
/*
 * @text at the head of branch @branch (1, 2: else) of @test, behind its
 * declarations; @decls, or "", before those. Both indented as @test is.
 */
struct eo_error *eo_code_put_inside(struct eo_code *c,
				    const struct eo_node *test, size_t branch,
				    const char *decls, const char *text);
/* @text, lines, moved from @from's indentation to @to's. */
const char *eo_code_reindent(const struct eo_code *c, const char *text,
			     const char *from, const char *to);

/* The rewriters, by rule. @f is the finding as the analysis has just made it;
 * @site as in struct eo_analyzed. */
typedef struct eo_error *(*eo_rewrite_fn)(struct eo_code *c,
					  const struct eo_site *site,
					  const struct eo_finding *f);

#endif
