// SPDX-License-Identifier: GPL-2.0-only
/* Statements that come to stand behind an if, or at the head of a branch. */
#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "facts/ast.h"
#include "rewrite/code.h"

void eo_code_put_behind(struct eo_code *c, struct eo_span test,
			const char *text)
{
	size_t next = test.end + strspn(c->s + test.end, " \t\r");

	if (next < c->n && c->s[next] == '\n')
		eo_edits_insert(&c->edits, next + 1, "%s", text);
	else
		eo_edits_insert(&c->edits, test.end, "\n%s", text);
}

/* Past the declarations at the head of a block. */
static struct eo_place behind_decls(const struct eo_node *block, bool *any)
{
	struct eo_place at = { block->kid[0], block, 0 };

	*any = false;
	while (at.stmt->kind == EO_N_DECL && at.index + 1 < block->n_kids) {
		*any = true;
		at.stmt = block->kid[++at.index];
	}
	return at;
}

/* Declarations before those that the block has. */
static struct eo_error *put_decls(struct eo_code *c,
				  const struct eo_node *block, const char *text)
{
	const struct eo_place at = { block->kid[0], block, 0 };

	return *text ? eo_code_insert_before(c, &at, text) : NULL;
}

struct eo_error *eo_code_put_inside(struct eo_code *c,
				    const struct eo_node *test, size_t branch,
				    const char *decls, const char *text)
{
	const struct eo_node *block = test->kid[branch];
	const char *indent = eo_code_indent(c, test->pos.offset);
	EO_CLEANUP(eo_freep) char *deeper = eo_asprintf("%s\t", indent);
	struct eo_place at = { block, test, branch };
	bool any = false;

	if (block->kind == EO_N_COMPOUND && !block->n_kids)
		return eo_code_refuse(c, test->pos.line, "the branch is empty");
	decls = eo_code_reindent(c, decls, indent, deeper);
	text = eo_code_reindent(c, text, indent, deeper);
	if (block->kind == EO_N_COMPOUND) {
		at = behind_decls(block, &any);
		if (any)
			eo_try(put_decls(c, block, decls));
	}
	return eo_code_insert_before(c, &at,
				     eo_arena_printf(c->arena, "%s%s%s%s",
						     any ? "" : decls,
						     !any && *decls ? "\n" : "",
						     text, any ? "\n" : ""));
}
