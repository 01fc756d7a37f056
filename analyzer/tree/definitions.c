// SPDX-License-Identifier: GPL-2.0-only
#include "tree/definitions.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/file.h"
#include "base/map.h"
#include "base/str.h"
#include "finding/finding.h"
#include "tree/arch.h"
#include "tree/candidates.h"
#include "tree/clex.h"
#include "tree/tree.h"

#define MAX_DEFINERS 3

/* The files that define one name. */
struct definers {
	const char *files[MAX_DEFINERS];
	size_t n; /* may be more than there is room for */
};

/* Behind the ")" that closes the "(" at @p; @end when there is none. */
static const char *skip_parens(const char *p, const char *end)
{
	int depth = 0;

	for (; p < end; p++) {
		depth += *p == '(';
		depth -= *p == ')';
		if (!depth)
			return p + 1;
	}
	return end;
}

/*
 * A definition begins at the left edge of a line, has its parameters behind
 * the name, then words at most (attributes, annotations of sparse), and a "{".
 */
static bool is_definition(const char *text, const char *end, const char *tok,
			  size_t len)
{
	const char *p = tok + len, *line = tok;

	while (line > text && line[-1] != '\n')
		line--;
	if (!eo_is_ident(*line))
		return false;
	while (p < end && isspace((unsigned char)*p))
		p++;
	if (p == end || *p != '(')
		return false;
	p = skip_parens(p, end);
	while (p < end && (isspace((unsigned char)*p) || eo_is_ident(*p)))
		p++;
	if (p < end && *p == '(') /* __must_hold(x) */
		p = skip_parens(p, end);
	while (p < end && isspace((unsigned char)*p))
		p++;
	return p < end && *p == '{';
}

bool eo_text_defines(const char *text, size_t len, const char *name)
{
	struct eo_clex lx = { .p = text, .end = text + len };
	size_t n = strlen(name), tok_len;
	const char *tok;

	while (eo_clex_next(&lx, &tok, &tok_len) != EO_CLEX_END)
		if (tok_len == n && memcmp(tok, name, n) == 0 &&
		    is_definition(text, text + len, tok, n))
			return true;
	return false;
}

static bool is_foreign(const char *file)
{
	char arch[32];

	return eo_arch_is_foreign(file, eo_arch_of_host(), arch, sizeof(arch));
}

/* Files that cannot be read define nothing; the ledger has them already. */
static void look(const struct eo_tree *tree, const struct eo_candidate *c,
		 const char *const *names, size_t n_names,
		 struct definers *definers)
{
	EO_CLEANUP(eo_freep) char *path = eo_path_join(tree->root, c->file);
	EO_CLEANUP(eo_str_release) struct eo_str text = { 0 };
	struct eo_error *err = eo_file_read(path, &text);

	for (size_t i = 0; !err && i < n_names; i++) {
		struct definers *d = &definers[i];

		if (!(c->names >> i % 64 & 1) ||
		    !eo_text_defines(eo_str_get(&text), text.len, names[i]))
			continue;
		if (d->n < MAX_DEFINERS)
			d->files[d->n] = c->file;
		d->n++;
	}
	eo_error_free(err);
}

struct eo_error *eo_definitions_find(const struct eo_tree *tree,
				     const char *const *names, size_t n_names,
				     unsigned jobs, struct eo_map *files)
{
	EO_CLEANUP(eo_freep)
	struct definers *definers = eo_zalloc(n_names * sizeof(*definers));
	EO_CLEANUP(eo_candidates_release) struct eo_candidates c = { 0 };
	struct eo_candidate *it;
	struct eo_gaps gaps = { 0 };
	struct eo_error *err =
		eo_candidates_find(tree, names, n_names, jobs, &gaps, &c);

	eo_gaps_release(&gaps);
	if (err)
		return err;
	eo_vec_for_each(it, &c)
		if (!is_foreign(it->file))
			look(tree, it, names, n_names, definers);
	for (size_t i = 0; i < n_names; i++)
		for (size_t k = 0;
		     definers[i].n <= MAX_DEFINERS && k < definers[i].n; k++)
			eo_set_add(files, definers[i].files[k]);
	return NULL;
}
