/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The control-flow graph of a function. A node of it, an atom, is one thing
 * that happens: a load, a store, a call, a decision, a return, a cleanup.
 * Short-circuit operators, ?:, statement expressions and the scopes of
 * cleanup variables are edges here; constant decisions are decided.
 */
#ifndef EO_FACTS_CFG_H
#define EO_FACTS_CFG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/mem.h"

struct eo_func;
struct eo_node;
struct eo_unit;
struct eo_var;

#define EO_ATOM_KINDS(X)                                                 \
	X(ENTRY) /* atom 0; no predecessor */                            \
	X(EXIT) /* atom 1; no successor */                               \
	X(JOIN) /* nothing happens: paths meet */                        \
	X(LOAD) /* node: NAME, MEMBER, DEREF, SUBSCRIPT */               \
	X(STORE) /* node: the target; value: what is stored, if known */ \
	X(CALL) /* node: CALL */                                         \
	X(BRANCH) /* node: the condition; succ 0 true, 1 false */        \
	X(SWITCH) /* node: SWITCH; a successor a case */                 \
	X(RETURN) /* node: RETURN */                                     \
	X(CLEANUP) /* var goes out of scope: its function is called */   \
	X(ASM) /* node: ASM */

enum eo_atom_kind {
#define X(name) EO_A_##name,
	EO_ATOM_KINDS(X)
#undef X
};

struct eo_links {
	unsigned *items;
	size_t n, cap;
};

struct eo_atom {
	enum eo_atom_kind kind;
	const struct eo_node *node;
	const struct eo_node *value; /* STORE: the right-hand side, or NULL */
	const struct eo_var *var; /* CLEANUP, STORE by a declaration */
	/* BRANCH: bit i: successor i is what unlikely() and likely() leave */
	unsigned unlikely;
	struct eo_links succ, pred;
};

enum { EO_CFG_ENTRY = 0, EO_CFG_EXIT = 1 };

/* A loop: the atoms that control passes on the way in and on the way out. */
struct eo_loop {
	const struct eo_node *node; /* FOR, WHILE, DO */
	unsigned head; /* before the condition */
	unsigned body; /* the start of the body: no body when never passed */
	unsigned out; /* behind it */
};

struct eo_cfg {
	struct eo_atom *items;
	size_t n, cap;
	struct {
		struct eo_loop *items;
		size_t n, cap;
	} loops;
};

/* Builds f->cfg. Sets f->unsupported on what cannot be followed. */
void eo_cfg_build(struct eo_func *f);
void eo_cfg_free(struct eo_cfg *cfg);

/* A sentence about the first broken invariant, or NULL; in @a. */
const char *eo_cfg_validate(const struct eo_func *f, struct eo_arena *a);
/* For --dump=cfg: one line an atom. */
void eo_cfg_dump(const struct eo_func *f, const struct eo_unit *u, FILE *to);
const char *eo_atom_kind_name(enum eo_atom_kind k);

/*
 * Atoms that can be reached from @from (itself only if on a cycle, unless
 * @with_start), not going along any edge for which @skip says true. A bit an
 * atom; the caller frees. Backward: against the edges.
 */
typedef bool (*eo_edge_skip)(const struct eo_cfg *cfg, unsigned from,
			     size_t nth, void *data);
bool *eo_cfg_reach(const struct eo_cfg *cfg, unsigned from, bool with_start,
		   eo_edge_skip skip, void *data);
bool *eo_cfg_reach_back(const struct eo_cfg *cfg, unsigned from);

#endif
