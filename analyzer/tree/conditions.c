// SPDX-License-Identifier: GPL-2.0-only
#include "tree/conditions.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/str.h"
#include "tree/arch.h"
#include "tree/clex.h"
#include "tree/expr.h"
#include "tree/kbuild.h"
#include "tree/kconfig.h"
#include "tree/search.h"
#include "tree/tree.h"

/* An open #if: what holds in the branch that we are in. */
struct branch {
	const struct eo_expr *not_before; /* the earlier branches were false */
	const struct eo_expr *here;
};

struct scan {
	struct eo_search names;
	struct eo_arena arena;
	struct {
		struct branch *items;
		size_t n, cap;
	} open;
	struct eo_map *on, *off;
};

static bool is_keyword(const char **p, const char *end, const char *word)
{
	size_t n = strlen(word);

	if ((size_t)(end - *p) < n || memcmp(*p, word, n) ||
	    (*p + n < end && eo_is_ident((*p)[n])))
		return false;
	*p += n;
	return true;
}

static const struct eo_expr *if_defined(struct scan *s, const char *p,
					const char *end)
{
	const char *name;

	while (p < end && !eo_is_ident(*p))
		p++;
	for (name = p; p < end && eo_is_ident(*p); p++)
		;
	return eo_expr_macro(&s->arena, name, (size_t)(p - name));
}

static void open_branch(struct scan *s, const struct eo_expr *e)
{
	const struct eo_expr *truth = eo_expr_parse_cpp(&s->arena, "1", 1);

	*eo_vec_push(&s->open) = (struct branch){ truth, e };
}

/* #elif and #else: what was true before is false from here on. */
static void next_branch(struct scan *s, const struct eo_expr *e)
{
	struct branch *b;

	if (!s->open.n)
		return;
	b = &s->open.items[s->open.n - 1];
	b->not_before = eo_expr_and(&s->arena, b->not_before,
				    eo_expr_not(&s->arena, b->here));
	b->here = e;
}

static void on_name(struct scan *s)
{
	struct branch *b;

	eo_vec_for_each(b, &s->open) {
		eo_expr_require(b->not_before, true, s->on, s->off);
		eo_expr_require(b->here, true, s->on, s->off);
	}
}

static void look_for_names(struct scan *s, const char *p, const char *end)
{
	struct eo_clex lx = { .p = p, .end = end };
	const char *tok;
	size_t n;

	while (s->names.n && eo_clex_next(&lx, &tok, &n) != EO_CLEX_END)
		if (eo_search_index(&s->names, tok, n) >= 0)
			on_name(s);
}

static void on_directive(struct scan *s, const char *p, size_t len)
{
	const char *end = p + len;
	struct eo_arena *a = &s->arena;

	while (p < end && isblank((unsigned char)*p))
		p++;
	if (is_keyword(&p, end, "if"))
		open_branch(s, eo_expr_parse_cpp(a, p, (size_t)(end - p)));
	else if (is_keyword(&p, end, "ifdef"))
		open_branch(s, if_defined(s, p, end));
	else if (is_keyword(&p, end, "ifndef"))
		open_branch(s, eo_expr_not(a, if_defined(s, p, end)));
	else if (is_keyword(&p, end, "elif"))
		next_branch(s, eo_expr_parse_cpp(a, p, (size_t)(end - p)));
	else if (is_keyword(&p, end, "elifdef"))
		next_branch(s, if_defined(s, p, end));
	else if (is_keyword(&p, end, "elifndef"))
		next_branch(s, eo_expr_not(a, if_defined(s, p, end)));
	else if (is_keyword(&p, end, "else"))
		next_branch(s, eo_expr_parse_cpp(a, "1", 1));
	else if (is_keyword(&p, end, "endif"))
		s->open.n -= s->open.n > 0;
	else
		look_for_names(s, p, end); /* a #define's body, say */
}

void eo_conditions_in_text(const char *text, const char *const *names,
			   size_t n_names, struct eo_map *on,
			   struct eo_map *off)
{
	struct scan s = { .on = on, .off = off };
	struct eo_clex lx = { .p = text,
			      .end = text + strlen(text),
			      .directives = true };
	enum eo_clex_kind kind;
	const char *tok;
	size_t n;

	eo_search_init(&s.names, names, n_names);
	while ((kind = eo_clex_next(&lx, &tok, &n)) != EO_CLEX_END) {
		if (kind == EO_CLEX_DIRECTIVE)
			on_directive(&s, tok, n);
		else if (eo_search_index(&s.names, tok, n) >= 0)
			on_name(&s);
	}
	eo_search_release(&s.names);
	free(s.open.items);
	eo_arena_release(&s.arena);
}

static bool is_in(unsigned line, const unsigned (*lines)[2], size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (line >= lines[i][0] && line <= lines[i][1])
			return true;
	return false;
}

void eo_conditions_at_lines(const char *text, const unsigned (*lines)[2],
			    size_t n, struct eo_map *on, struct eo_map *off)
{
	struct scan s = { .on = on, .off = off };
	struct eo_clex lx = { .p = text,
			      .end = text + strlen(text),
			      .directives = true };
	enum eo_clex_kind kind;
	const char *tok, *counted = text;
	unsigned line = 1;
	size_t len;

	while ((kind = eo_clex_next(&lx, &tok, &len)) != EO_CLEX_END) {
		for (; counted < tok; counted++)
			line += *counted == '\n';
		if (is_in(line, lines, n))
			on_name(&s);
		if (kind == EO_CLEX_DIRECTIVE)
			on_directive(&s, tok, len);
	}
	free(s.open.items);
	eo_arena_release(&s.arena);
}

struct eo_error *eo_conditions_of_file(const struct eo_tree *tree,
				       const char *file, struct eo_map *on)
{
	bool found;

	return eo_kbuild_conditions(tree->root, eo_arch_of_host(), file, on,
				    &found);
}

struct eo_error *eo_conditions_of_symbol(const struct eo_tree *tree,
					 const char *symbol, struct eo_map *on)
{
	struct eo_kconfig *k;
	const struct eo_kconfig_symbol *sym;

	eo_try(eo_kconfig_open(tree->root, eo_arch_of_host(), &k));
	sym = eo_kconfig_find(k, symbol);
	if (sym)
		eo_expr_require(sym->depends, true, on, NULL);
	eo_kconfig_free(k);
	return NULL;
}
