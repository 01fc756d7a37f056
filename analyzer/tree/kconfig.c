// SPDX-License-Identifier: GPL-2.0-only
#include "tree/kconfig.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/file.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/str.h"
#include "tree/expr.h"

#define MAX_NESTING 32 /* files that source files */

struct eo_kconfig {
	struct eo_map symbols; /* name → struct eo_kconfig_symbol */
	struct eo_arena arena;
};

/* An open menu, choice or if, or the entry that the lines are of. */
struct scope {
	const struct eo_expr *depends;
};

struct reader {
	struct eo_kconfig *k;
	const char *root, *arch;
	unsigned nesting;
	struct {
		struct scope *items; /* [0] is the whole */
		size_t n, cap;
	} open;
	struct eo_kconfig_symbol *sym; /* of the entry, or NULL */
	const struct eo_expr *entry; /* its own depends, so far */
	const struct eo_expr *visible; /* of its prompt, so far; or NULL */
	bool in_menu; /* "depends on" is of the scope just opened */
	int help; /* 0: none; -1: just begun; else its indentation */
};

static const struct eo_expr *truth(struct reader *r)
{
	return eo_expr_parse_cpp(&r->k->arena, "1", 1);
}

static const struct eo_expr *parse(struct reader *r, const char *s)
{
	return eo_expr_parse_kconfig(&r->k->arena, s, strcspn(s, "#"));
}

/* The rest of @s after @word and blanks, or NULL. */
static const char *after(const char *s, const char *word)
{
	size_t n = strlen(word);

	if (strncmp(s, word, n) || (s[n] && !isspace((unsigned char)s[n]) &&
				    s[n] != '"' && s[n] != '\''))
		return NULL;
	return s + n + strspn(s + n, " \t");
}

/* Past a quoted string at the beginning of @s. */
static const char *skip_quoted(const char *s)
{
	char quote = *s;

	if (quote != '"' && quote != '\'')
		return s;
	for (s++; *s && *s != quote; s++)
		if (*s == '\\' && s[1])
			s++;
	return *s ? s + 1 : s;
}

static struct eo_kconfig_symbol *get_symbol(struct reader *r, const char *s,
					    size_t n)
{
	EO_CLEANUP(eo_freep) char *name = eo_strndup(s, n);
	struct eo_kconfig_symbol *sym = eo_map_get(&r->k->symbols, name);

	if (sym)
		return sym;
	sym = eo_arena_new(&r->k->arena, struct eo_kconfig_symbol);
	sym->name = eo_arena_strdup(&r->k->arena, name);
	eo_map_set(&r->k->symbols, name, sym);
	return sym;
}

/* The entry ends here: what it said goes to its symbol. */
static void finish_entry(struct reader *r)
{
	struct eo_kconfig_symbol *sym = r->sym;
	const struct eo_expr *e = r->entry;

	r->sym = NULL;
	r->in_menu = false;
	if (!sym)
		return;
	for (size_t i = 0; i < r->open.n; i++)
		e = eo_expr_and(&r->k->arena, r->open.items[i].depends, e);
	/* Of several definitions, the one that a user can set counts. */
	if (!sym->depends || (r->visible && !sym->prompt))
		sym->depends = e;
	else if (!r->visible == !sym->prompt)
		sym->depends = eo_expr_or(&r->k->arena, sym->depends, e);
	if (r->visible && !sym->prompt) {
		sym->prompt = true;
		sym->visible = r->visible;
	}
}

static void begin_entry(struct reader *r, const char *name)
{
	size_t n = 0;

	finish_entry(r);
	while (eo_is_ident(name[n]))
		n++;
	r->sym = get_symbol(r, name, n);
	r->entry = truth(r);
	r->visible = NULL;
}

static void open_scope(struct reader *r, const struct eo_expr *e, bool menu)
{
	finish_entry(r);
	eo_vec_push(&r->open)->depends = e;
	r->in_menu = menu;
}

static void close_scope(struct reader *r)
{
	finish_entry(r);
	r->open.n -= r->open.n > 1;
}

/* "depends on EXPR" of the entry, or of the menu or choice just opened. */
static void take_depends(struct reader *r, const char *s)
{
	const struct eo_expr *e = parse(r, s);
	struct scope *top = &r->open.items[r->open.n - 1];

	if (r->in_menu)
		top->depends = eo_expr_and(&r->k->arena, top->depends, e);
	else if (r->sym)
		r->entry = eo_expr_and(&r->k->arena, r->entry, e);
}

/* "text" if EXPR; without a text there is no prompt. */
static void take_prompt(struct reader *r, const char *s)
{
	const char *rest = skip_quoted(s), *cond;

	if (rest == s || !r->sym)
		return;
	rest += strspn(rest, " \t");
	cond = after(rest, "if");
	r->visible = cond ? parse(r, cond) : truth(r);
}

static void take_select(struct reader *r, const char *s)
{
	struct eo_kconfig_symbol *to;
	size_t n = 0;

	while (eo_is_ident(s[n]))
		n++;
	if (!r->sym || !n)
		return;
	to = get_symbol(r, s, n);
	*eo_vec_push(&to->selected_by) = r->sym->name;
}

/* The type of an entry, and whatever stands on the same line. */
static bool take_type(struct reader *r, const char *line)
{
	static const char *const types[] = { "bool", "tristate", "def_bool",
					     "def_tristate" };
	const char *s;

	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		s = after(line, types[i]);
		if (!s)
			continue;
		if (r->sym)
			r->sym->boolean = true;
		if (i < 2)
			take_prompt(r, s);
		return true;
	}
	if ((s = after(line, "prompt")) || (s = after(line, "int")) ||
	    (s = after(line, "hex")) || (s = after(line, "string")))
		take_prompt(r, s);
	return s != NULL;
}

static struct eo_error *read_file(struct reader *r, const char *name);

/* "$(SRCARCH)" and "$SRCARCH" in the name of a file to source. */
static struct eo_error *take_source(struct reader *r, const char *s)
{
	const char *end = skip_quoted(s);
	EO_CLEANUP(eo_freep) char *name = NULL;
	EO_CLEANUP(eo_str_release) struct eo_str path = { 0 };

	finish_entry(r);
	if (end > s)
		name = eo_strndup(s + 1, (size_t)(end - s - 2));
	else
		name = eo_strndup(s, strcspn(s, " \t"));
	for (const char *p = name; *p;) {
		static const char *const forms[] = { "$(SRCARCH)", "$SRCARCH",
						     "$(srctree)/" };
		size_t i = 0;

		while (i < 3 && !eo_starts_with(p, forms[i]))
			i++;
		if (i < 2)
			eo_str_add(&path, r->arch);
		if (i < 3)
			p += strlen(forms[i]);
		else
			eo_str_addc(&path, *p++);
	}
	return read_file(r, eo_str_get(&path));
}

/* True when @line opens or closes something. */
static bool take_block(struct reader *r, const char *line)
{
	const char *s;

	if ((s = after(line, "config")) || (s = after(line, "menuconfig")))
		begin_entry(r, s);
	else if (after(line, "menu") || after(line, "choice"))
		open_scope(r, truth(r), true);
	else if ((s = after(line, "if")))
		open_scope(r, parse(r, s), false);
	else if (after(line, "endmenu") || after(line, "endchoice") ||
		 after(line, "endif"))
		close_scope(r);
	else if (after(line, "comment"))
		finish_entry(r);
	else
		return false;
	return true;
}

/* True while the lines are those of a help text. */
static bool in_help(struct reader *r, const char *line, int indent)
{
	if (!r->help)
		return false;
	if (!line[strspn(line, " \t")])
		return true;
	if (r->help < 0)
		r->help = indent;
	if (indent && indent >= r->help)
		return true;
	r->help = 0;
	return false;
}

static int indentation(const char *line)
{
	int n = 0;

	for (; *line == ' ' || *line == '\t'; line++)
		n = *line == '\t' ? (n | 7) + 1 : n + 1;
	return n;
}

static struct eo_error *take_line(struct reader *r, const char *line)
{
	const char *s;

	if (in_help(r, line, indentation(line)))
		return NULL;
	line += strspn(line, " \t");
	if (!*line || *line == '#')
		return NULL;
	if (after(line, "help") || after(line, "---help---"))
		r->help = -1;
	else if ((s = after(line, "source")))
		return take_source(r, s);
	else if (take_block(r, line) || take_type(r, line))
		return NULL;
	else if ((s = after(line, "depends on")))
		take_depends(r, s);
	else if ((s = after(line, "select")))
		take_select(r, s);
	return NULL;
}

/* The logical line at *p, continuations joined. */
static char *next_line(const char **p)
{
	struct eo_str line = { 0 };
	const char *s = *p;

	for (; *s && *s != '\n'; s++) {
		if (s[0] == '\\' && s[1] == '\n')
			s++;
		else
			eo_str_addc(&line, *s);
	}
	*p = s + (*s == '\n');
	return eo_str_take(&line);
}

static struct eo_error *read_file(struct reader *r, const char *name)
{
	EO_CLEANUP(eo_str_release) struct eo_str text = { 0 };
	EO_CLEANUP(eo_freep) char *path = eo_path_join(r->root, name);
	const char *p;

	if (r->nesting >= MAX_NESTING)
		return eo_error_new(
			EO_ERR_INPUT,
			"%s: more than %d Kconfig files source each other",
			path, MAX_NESTING);
	if (!eo_is_file(path))
		return NULL; /* a tree may come without some driver's folder */
	eo_try(eo_file_read(path, &text));
	r->nesting++;
	for (p = eo_str_get(&text); *p;) {
		EO_CLEANUP(eo_freep) char *line = next_line(&p);

		eo_try(take_line(r, line));
	}
	finish_entry(r);
	r->help = 0;
	r->nesting--;
	return NULL;
}

struct eo_error *eo_kconfig_open(const char *root, const char *arch,
				 struct eo_kconfig **out)
{
	struct eo_kconfig *k = eo_zalloc(sizeof(*k));
	struct reader r = { .k = k, .root = root, .arch = arch };
	struct eo_map_entry *e;
	struct eo_error *err;

	open_scope(&r, truth(&r), false);
	err = read_file(&r, "Kconfig");
	eo_map_for_each(e, &k->symbols) {
		struct eo_kconfig_symbol *sym = e->value;

		if (!sym->depends) /* selected, but nowhere defined */
			sym->depends = eo_expr_parse_cpp(&k->arena, "0", 1);
	}
	free(r.open.items);
	if (err) {
		eo_kconfig_free(k);
		return err;
	}
	*out = k;
	return NULL;
}

void eo_kconfig_free(struct eo_kconfig *k)
{
	struct eo_map_entry *e;

	if (!k)
		return;
	eo_map_for_each(e, &k->symbols)
		free(((struct eo_kconfig_symbol *)e->value)->selected_by.items);
	eo_map_release(&k->symbols);
	eo_arena_release(&k->arena);
	free(k);
}

const struct eo_kconfig_symbol *eo_kconfig_find(const struct eo_kconfig *k,
						const char *name)
{
	return eo_map_get(&k->symbols, name);
}
