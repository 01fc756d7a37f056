// SPDX-License-Identifier: GPL-2.0-only
#include "rewrite/helper.h"

#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "finding/finding.h"
#include "model/model.h"
#include "rewrite/code.h"
#include "rewrite/make.h"
#include "smpl/ctext.h"
#include "tree/overlay.h"
#include "tree/tree.h"
#include "tu/unit.h"

void eo_helper_release(struct eo_helper *h)
{
	eo_map_release(&h->done);
	eo_map_release(&h->shared);
	eo_arena_release(&h->arena);
}

static const char *base_name(const char *file)
{
	const char *slash = strrchr(file, '/');

	return slash ? slash + 1 : file;
}

/* The file with the most of the findings, the first of them in doubt. */
static void choose_home(struct eo_helper *h)
{
	size_t most = 0;

	for (size_t i = 0; i < h->step->n; i++) {
		const char *file = h->step->items[i]->file;
		size_t n = 0;

		eo_set_add(&h->shared, file);
		for (size_t k = 0; k < h->step->n; k++)
			n += eo_streq(file, h->step->items[k]->file);
		if (n > most) {
			most = n;
			h->home = file;
		}
	}
}

/*
 * What the names of the functions in the home file that are mended begin
 * with, to the last "_"; of one alone, without its last word.
 */
static void choose_prefix(struct eo_helper *h)
{
	const char *first = NULL;
	size_t n = 0;

	for (size_t i = 0; i < h->step->n; i++) {
		const struct eo_finding *f = h->step->items[i];
		const char *name = f->function + strspn(f->function, "_");
		size_t same = 0;

		if (!eo_streq(f->file, h->home))
			continue;
		if (!first) {
			first = name;
			n = strlen(name);
		}
		while (same < n && name[same] == first[same])
			same++;
		n = same;
	}
	while (n && first[n - 1] != '_')
		n--;
	h->prefix = eo_arena_strndup(&h->arena, first, n);
}

static struct eo_error *read_text(const struct eo_helper *h, const char *file,
				  struct eo_str *out)
{
	return eo_overlay_read(h->overlay, h->src->tree, file, out);
}

/* Whether a line of @text includes "@name". */
static bool includes(const char *text, const char *name)
{
	EO_CLEANUP(eo_freep) char *quoted = eo_asprintf("\"%s\"", name);

	for (const char *p = text; (p = strstr(p, quoted)); p++) {
		const char *line = p;

		while (line > text && line[-1] != '\n')
			line--;
		line += strspn(line, " \t");
		if (*line == '#' && strstr(line, "include") < p)
			return true;
	}
	return false;
}

/* The header of the home file's own name, which all files include. */
static struct eo_error *choose_header(struct eo_helper *h)
{
	EO_CLEANUP(eo_freep) char *name = eo_strdup(base_name(h->home));
	size_t dir = (size_t)(base_name(h->home) - h->home);
	struct eo_map_entry *e;

	name[strlen(name) - 1] = 'h';
	eo_map_for_each(e, &h->shared) {
		EO_CLEANUP(eo_str_release) struct eo_str text = { 0 };

		eo_try(read_text(h, e->key, &text));
		if (!includes(eo_str_get(&text), name))
			return eo_error_new(
				EO_ERR_INPUT,
				"%s: does not include %s, where a helper for it and %s would be declared",
				e->key, name, h->home);
	}
	h->header =
		eo_arena_printf(&h->arena, "%.*s%s", (int)dir, h->home, name);
	return NULL;
}

struct eo_error *eo_helper_plan(struct eo_helper *h,
				const struct eo_source *src,
				const struct eo_overlay *overlay,
				const struct eo_plan_step *step)
{
	h->src = src;
	h->overlay = overlay;
	h->step = step;
	choose_home(h);
	choose_prefix(h);
	if (h->shared.n > 1 && *h->prefix)
		return choose_header(h);
	return NULL;
}

struct eo_error *eo_helper_use(struct eo_code *c,
			       const struct eo_model_call *call,
			       const char *field)
{
	struct eo_helper *h = c->helper;
	const struct eo_model_field *f = call->fields;

	while (f && strcmp(f->name, field))
		f = f->next;
	if (!f || !call->param || !call->to_micros)
		return eo_code_refuse(
			c, 0, "the model knows no cheaper source of %s", field);
	if (h->field && h->field != f)
		return eo_code_refuse(
			c, 0, "one patch would need two helpers: for %s and %s",
			h->field->name, f->name);
	h->call = call;
	h->field = f;
	h->name = eo_arena_printf(&h->arena, "%s%s_usec", h->prefix, f->value);
	return NULL;
}

/* "u64 foo_stime_usec(struct task *t)" */
static const char *signature(const struct eo_helper *h, struct eo_arena *a)
{
	return eo_arena_printf(a, "u64 %s(%s)", h->name, h->call->param);
}

/* The last identifier of "struct task *t". */
static const char *param_name(const char *param)
{
	const char *p = param + strlen(param);

	while (p > param && eo_is_ident(p[-1]))
		p--;
	return p;
}

static const char *definition(const struct eo_helper *h, struct eo_arena *a)
{
	EO_CLEANUP(eo_str_release) struct eo_str s = { 0 };
	const struct eo_names *outs = &h->field->outs;
	const char *at = strchr(h->call->to_micros, '@');

	eo_str_addf(&s, "%s%s\n{\n\tu64 ", h->header ? "" : "static ",
		    signature(h, a));
	for (size_t i = 0; i < outs->n; i++)
		eo_str_addf(&s, "%s%s", i ? ", " : "", outs->items[i]);
	eo_str_addf(&s, ";\n\n\t%s(%s", h->field->from,
		    param_name(h->call->param));
	for (size_t i = 0; i < outs->n; i++)
		eo_str_addf(&s, ", &%s", outs->items[i]);
	eo_str_addf(&s, ");\n\treturn %.*s%s%s;\n}\n\n",
		    at ? (int)(at - h->call->to_micros) : 0, h->call->to_micros,
		    h->field->value, at ? at + 1 : "");
	return eo_arena_strdup(a, eo_str_get(&s));
}

/* Behind the last #include of its folder, in order where they are. */
static struct eo_error *add_include(struct eo_code *c, const char *header)
{
	EO_CLEANUP(eo_freep)
	char *line = eo_asprintf("#include <%s>", header);
	size_t dir = strcspn(header, "/"), at = 0, in_order = 0;
	EO_CLEANUP(eo_freep)
	char *start = eo_asprintf("#include <%.*s/", (int)dir, header);
	const char *last = NULL;
	bool sorted = true;

	if (strstr(c->s, line))
		return NULL;
	for (const char *p = c->s; (p = strstr(p, start)); p++) {
		size_t i = (size_t)(p - c->s), n = strcspn(p, ">");

		if (eo_code_line(c, i) != i || eo_code_if_depth(c->s, i))
			continue;
		if (last && strncmp(last, p, n) > 0)
			sorted = false;
		last = p;
		at = eo_code_next_line(c, i);
		if (strncmp(p, line, n) < 0)
			in_order = at;
	}
	if (!at)
		return eo_code_refuse(c, 0, "there is no place to include %s",
				      header);
	eo_edits_insert(&c->edits, sorted && in_order ? in_order : at, "%s\n",
			line);
	return NULL;
}

struct eo_error *eo_helper_define(struct eo_code *c, unsigned line)
{
	struct eo_helper *h = c->helper;
	size_t at = eo_ctext_at(c->s, c->n, line, 1);

	if (h->defined || !eo_streq(c->u->file, h->home))
		return NULL;
	h->defined = true;
	for (const char *p = c->s; (p = strstr(p, h->name)); p++)
		if (eo_ctext_is_word(c->s, c->n, (size_t)(p - c->s), h->name))
			return eo_code_refuse(c, 0, "there is a %s already",
					      h->name);
	if (h->header && eo_code_if_depth(c->s, at))
		return eo_code_refuse(
			c, line,
			"the helper would be behind an #if here, and is needed elsewhere");
	/* Before the comment on the function, too. */
	at = eo_code_block(c, at);
	eo_edits_insert(&c->edits, at, "%s", definition(h, c->arena));
	return add_include(c, h->field->include);
}

/* Past the last prototype that is behind no #if but the header's own. */
static size_t declaration_place(const char *s, size_t n)
{
	const char *first = strstr(s, "#ifndef");
	unsigned own = first && strstr(first, "#define") &&
				       eo_code_if_depth(s, n) == 0 &&
				       !memchr(s, ';', (size_t)(first - s)) ?
			       1 :
			       0;
	size_t place = 0;

	for (size_t i = 0; i < n;) {
		size_t end = i, line = i;

		if (eo_is_ident(s[i]) && !eo_starts_with(s + i, "static") &&
		    !eo_starts_with(s + i, "struct ") &&
		    !eo_starts_with(s + i, "typedef") &&
		    eo_code_if_depth(s, i) == own)
			end = eo_ctext_statement(s, n, i);
		if (end > i && s[end - 1] == ';' && end > 1 &&
		    s[end - 2] == ')') {
			while (end < n && s[end] != '\n')
				end++;
			place = end < n ? end + 1 : end;
		}
		while (line < n && s[line] != '\n')
			line++;
		i = end > line ? end : line + 1;
	}
	return place;
}

struct eo_error *eo_helper_declare(struct eo_helper *h, struct eo_change *out)
{
	EO_CLEANUP(eo_str_release) struct eo_str text = { 0 };
	EO_CLEANUP(eo_edits_release) struct eo_edits edits = { 0 };
	struct eo_changed_file *file;
	size_t at;

	if (!h->header || !h->defined)
		return NULL;
	eo_try(read_text(h, h->header, &text));
	at = declaration_place(eo_str_get(&text), text.len);
	if (!at)
		return eo_error_new(
			EO_ERR_INPUT,
			"%s: has no prototypes to declare the helper behind",
			h->header);
	eo_edits_insert(&edits, at, "%s;\n", signature(h, &out->arena));
	file = eo_vec_push(&out->files);
	file->file = eo_arena_strdup(&out->arena, h->header);
	eo_edits_apply(&edits, eo_str_get(&text), text.len, &file->text);
	return NULL;
}
