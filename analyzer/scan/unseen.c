// SPDX-License-Identifier: GPL-2.0-only
#include "scan/unseen.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "facts/ast.h"
#include "facts/cfg.h"
#include "finding/finding.h"
#include "model/model.h"
#include "tree/clex.h"
#include "tu/unit.h"

/* Whether clang saw a call where the name stands at @offset of the text. */
static bool seen(const struct eo_map *funcs, unsigned line)
{
	struct eo_map_entry *e;

	eo_map_for_each(e, funcs) {
		const struct eo_func *f = e->value;

		if (line < f->line || line > f->end_line)
			continue;
		for (size_t i = 0; i < f->cfg->n; i++) {
			const struct eo_atom *a = &f->cfg->items[i];

			if (a->kind == EO_A_CALL && a->node->pos.line <= line &&
			    a->node->end.line >= line)
				return true;
		}
	}
	return false;
}

static bool is_keyword(const char *s, size_t n)
{
	static const char *const words[] = { "return", "else", "do", "case" };

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strlen(words[i]) == n && memcmp(s, words[i], n) == 0)
			return true;
	return false;
}

/*
 * Whether the name at @tok is called there: "(" behind it, and before it
 * neither "." nor "->" (a member of that name), nor a type or "*" (its
 * declaration), nor the start of the line (its definition, a macro's use).
 */
static bool is_call(const char *text, const char *tok, size_t len)
{
	const char *after = tok + len, *before = tok, *word;

	after += strspn(after, " \t");
	if (*after != '(' || tok == text || tok[-1] == '\n')
		return false;
	while (before > text && isspace((unsigned char)before[-1]))
		before--;
	if (before == text)
		return false;
	if (!eo_is_ident(before[-1]))
		return !strchr("*.>", before[-1]);
	word = before;
	while (word > text && eo_is_ident(word[-1]))
		word--;
	return is_keyword(word, (size_t)(before - word));
}

static unsigned line_of(const char *text, const char *p)
{
	unsigned line = 1;

	for (; text < p; text++)
		line += *text == '\n';
	return line;
}

static void add_gap(const struct eo_unit *u, const char *name, unsigned line,
		    struct eo_gaps *gaps)
{
	char *detail = eo_asprintf(
		"line %u: the call to %s() is behind an #if that is false in this configuration",
		line, name);

	eo_gaps_add(gaps, &(struct eo_gap){ .file = u->file,
					    .engine = EO_ENGINE_CLANG,
					    .reason = EO_GAP_CONFIGURED_OUT,
					    .detail = detail });
	free(detail);
}

void eo_unseen_calls(const struct eo_unit *u, const struct eo_model *model,
		     const struct eo_map *funcs, struct eo_gaps *gaps)
{
	const char *text = eo_str_get(&u->text), *tok;
	struct eo_clex lx = { .p = text,
			      .end = text + u->text.len,
			      .directives = true };
	enum eo_clex_kind kind;
	size_t len;

	while ((kind = eo_clex_next(&lx, &tok, &len)) != EO_CLEX_END) {
		unsigned line;
		char *name;

		if (kind != EO_CLEX_IDENT || !is_call(text, tok, len))
			continue;
		name = eo_strndup(tok, len);
		if (eo_model_call(model, name)) {
			line = line_of(text, tok);
			if (!seen(funcs, line))
				add_gap(u, name, line, gaps);
		}
		free(name);
	}
}
