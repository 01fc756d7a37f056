/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Our own syntax tree of one function: what libclang says, without casts,
 * parentheses and what nothing evaluates, with fixed places for children.
 * Built once, never changed; lives in the arena of its eo_func.
 */
#ifndef EO_FACTS_AST_H
#define EO_FACTS_AST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/mem.h"
#include "tu/unit.h"

struct eo_error;
struct eo_model;
struct eo_model_walk;

/* Kinds, and what kid[] holds; "?" may be NULL. */
#define EO_NODE_KINDS(X)                                                      \
	X(COMPOUND) /* statements */                                          \
	X(DECL) /* VARs */                                                    \
	X(VAR) /* 0 initialiser? */                                           \
	X(IF) /* 0 condition, 1 then, 2 else? */                              \
	X(FOR) /* 0 init?, 1 condition?, 2 increment?, 3 body */              \
	X(WHILE) /* 0 condition, 1 body */                                    \
	X(DO) /* 0 body, 1 condition */                                       \
	X(SWITCH) /* 0 value, 1 body */                                       \
	X(CASE) /* 0 statement? */                                            \
	X(DEFAULT) /* 0 statement? */                                         \
	X(LABEL) /* name; 0 statement? */                                     \
	X(GOTO) /* name; NULL name: computed */                               \
	X(BREAK)                                                              \
	X(CONTINUE)                                                           \
	X(RETURN) /* 0 value? */                                              \
	X(EMPTY)                                                              \
	X(ASM) /* operands */                                                 \
	X(CALL) /* 0 callee, 1.. arguments; name when direct */               \
	X(ASSIGN) /* 0 target, 1 value; compound: reads the target too */     \
	X(INCDEC) /* 0 target */                                              \
	X(AND) /* 0 && 1 */                                                   \
	X(OR) /* 0 || 1 */                                                    \
	X(NOT) /* ! 0 */                                                      \
	X(COND) /* 0 condition, 1 if true?, 2 if false; ?: has no 1 */        \
	X(BINARY) /* name is the operator; 0, 1 */                            \
	X(UNARY) /* name is the operator; 0 */                                \
	X(ADDR) /* & 0 */                                                     \
	X(DEREF) /* * 0 */                                                    \
	X(MEMBER) /* name, record; 0 the object, or with arrow its pointer */ \
	X(SUBSCRIPT) /* 0 array, 1 index */                                   \
	X(NAME) /* var */                                                     \
	X(FUNCTION) /* name */                                                \
	X(LITERAL) /* value when has_value */                                 \
	X(STMTEXPR) /* 0 compound */                                          \
	X(LIST) /* all evaluated, in order */                                 \
	X(UNEVALUATED) /* operand of sizeof, offsetof and the like: none */

enum eo_node_kind {
#define X(name) EO_N_##name,
	EO_NODE_KINDS(X)
#undef X
};

enum eo_var_scope { EO_VAR_LOCAL, EO_VAR_PARAM, EO_VAR_STATIC, EO_VAR_GLOBAL };

struct eo_var {
	const char *name;
	unsigned index; /* of func->vars */
	enum eo_var_scope scope;
	bool addressed; /* its address is taken somewhere */
	bool aggregate; /* an array, struct or union */
	const char *cleanup; /* function of __attribute__((cleanup)), or NULL */
	struct eo_pos pos; /* of its declaration */
};

/* A walk: a for that an iterator macro of the model made. */
struct eo_walk {
	const struct eo_model_walk *model;
	const char *head; /* source text of the collection: "&x->list" */
	const struct eo_node *head_node; /* its tree, or NULL if not found */
	const char *empty; /* the test, spelt out: "list_empty(&x->list)" */
};

struct eo_node {
	enum eo_node_kind kind;
	const char *name;
	const char *record;
	struct eo_var *var;
	long long value;
	bool has_value;
	bool arrow;
	bool compound;
	bool aggregate; /* of array, struct or function type: not loaded */
	bool noreturn; /* CALL: control does not come back */
	bool raw; /* DEREF, SUBSCRIPT: a number that a pointer leads to */
	/* Tags of structs, NULL-terminated, or NULL: */
	const char *const *copies; /* whole in what is read or set here */
	const char *const *points_to; /* an argument leads to, where only the
				       * model knows the function */
	struct eo_pos pos, end; /* where it was expanded to */
	struct eo_pos spell, spell_end; /* where its characters stand */
	const struct eo_walk *walk; /* FOR only */
	struct eo_node **kid;
	size_t n_kids;
};

struct eo_func {
	const char *name;
	const char *file; /* of the unit; the function may be a header's */
	bool in_main;
	unsigned line, end_line;
	bool is_void;
	struct eo_node *body;
	struct {
		struct eo_var **items;
		size_t n, cap;
	} vars;
	const char *unsupported; /* what we could not follow, or NULL */
	struct eo_cfg *cfg; /* see cfg.h */
	struct eo_arena arena;
};

/* Builds the tree of @uf and its control-flow graph. */
struct eo_func *eo_func_build(const struct eo_unit *u,
			      const struct eo_model *model,
			      const struct eo_unit_function *uf);
void eo_func_free(struct eo_func *f);

/* Source text of an expression, white space squeezed; in @a. */
const char *eo_node_text(const struct eo_unit *u, const struct eo_node *n,
			 struct eo_arena *a);
/* The constant value of an expression, false when it is none. */
bool eo_node_constant(const struct eo_node *n, long long *value);
const char *eo_node_kind_name(enum eo_node_kind k);
/* Whether both are the same expression over the same variables. */
bool eo_node_equal(const struct eo_node *a, const struct eo_node *b);

/* Whether kid @i of @n is a statement, not a value that @n uses. */
bool eo_node_is_statement_place(const struct eo_node *n, size_t i);

/* Calls @fn for @n and all below it, parents first; NULL is fine. */
void eo_node_visit(const struct eo_node *n,
		   void (*fn)(const struct eo_node *n, void *data), void *data);

#endif
