// SPDX-License-Identifier: GPL-2.0-only
/* Reading .model files: README.md in this folder describes the format. */
#include <dirent.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/data.h"
#include "base/err.h"
#include "base/file.h"
#include "base/str.h"
#include "model/model.h"

struct parser {
	struct eo_model *m;
	const char *file;
	unsigned line;
	struct eo_model_call *call; /* that indented lines speak of, or */
	struct eo_model_effect *effect;
	char *rest; /* of the line, behind the words taken so far */
};

static struct eo_error *bad(const struct parser *p, const char *what,
			    const char *word)
{
	return eo_error_new(EO_ERR_INPUT, "%s:%u: %s%s%s", p->file, p->line,
			    what, word ? ": " : "", word ? word : "");
}

/* The next word of the line, copied, or NULL at its end. */
static const char *word(struct parser *p)
{
	char *s = p->rest + strspn(p->rest, " \t");
	size_t n = strcspn(s, " \t");

	p->rest = s + n;
	return n ? eo_arena_strndup(&p->m->arena, s, n) : NULL;
}

/* All that is left of the line, as a phrase; NULL when nothing is. */
static const char *phrase(struct parser *p)
{
	char *s = p->rest + strspn(p->rest, " \t");
	size_t n = strlen(s);

	p->rest = s + n;
	while (n && strchr(" \t\r", s[n - 1]))
		n--;
	return n ? eo_arena_strndup(&p->m->arena, s, n) : NULL;
}

static struct eo_error *number(struct parser *p, unsigned *out)
{
	const char *w = word(p);
	char *end;
	unsigned long v = w ? strtoul(w, &end, 10) : 0;

	if (!w || *end || v < 1 || v > 16)
		return bad(p, "the number of an argument, from 1, is expected",
			   w);
	*out = (unsigned)v;
	return NULL;
}

static struct eo_error *names(struct parser *p, struct eo_names *to)
{
	const char *w = word(p);

	if (!w)
		return bad(p, "a name is expected at the end", NULL);
	for (; w; w = word(p))
		*eo_vec_push(to) = w;
	return NULL;
}

static struct eo_error *begin_call(struct parser *p)
{
	const char *name = word(p), *kind = word(p);

	if (!kind)
		return bad(p, "expected: call NAME deferrable|sample", NULL);
	if (eo_map_has(&p->m->calls, name))
		return bad(p, "this call is in the model already", name);
	p->call = eo_arena_new(&p->m->arena, struct eo_model_call);
	p->call->name = name;
	p->call->always = true;
	if (strcmp(kind, "sample") == 0)
		p->call->kind = EO_CALL_SAMPLE;
	else if (strcmp(kind, "deferrable"))
		return bad(p, "deferrable or sample is expected", kind);
	eo_map_set(&p->m->calls, name, p->call);
	return NULL;
}

/* An effect may be spoken of in several places: a model can add to it. */
static struct eo_error *begin_effect(struct parser *p)
{
	const char *name = word(p);

	if (!name)
		return bad(p, "expected: effect NAME", NULL);
	p->effect = eo_map_get(&p->m->effects, name);
	if (p->effect)
		return NULL;
	p->effect = eo_arena_new(&p->m->arena, struct eo_model_effect);
	p->effect->name = name;
	eo_map_set(&p->m->effects, name, p->effect);
	return NULL;
}

static struct eo_error *keyword(struct parser *p, const char *expected)
{
	const char *w = word(p);

	return w && strcmp(w, expected) == 0 ?
		       NULL :
		       bad(p, "this word is expected here", expected);
}

static struct eo_error *parse_walk(struct parser *p)
{
	struct eo_model_walk *w =
		eo_arena_new(&p->m->arena, struct eo_model_walk);

	w->name = word(p);
	eo_try(keyword(p, "head"));
	eo_try(number(p, &w->head));
	eo_try(keyword(p, "empty"));
	w->empty = word(p);
	if (!w->empty)
		return bad(p, "expected: walk NAME head N empty TEST", NULL);
	eo_map_set(&p->m->walks, w->name, w);
	return NULL;
}

static struct eo_error *parse_descent(struct parser *p)
{
	struct eo_model_descent *d =
		eo_arena_new(&p->m->arena, struct eo_model_descent);

	d->name = word(p);
	eo_try(keyword(p, "pos"));
	eo_try(number(p, &d->pos));
	eo_try(keyword(p, "root"));
	eo_try(number(p, &d->root));
	eo_map_set(&p->m->descents, d->name, d);
	return NULL;
}

static struct eo_error *parse_phrased(struct parser *p, struct eo_map *to)
{
	const char *name = word(p), *why = phrase(p);

	if (!why)
		return bad(p, "a name and a phrase are expected", name);
	eo_map_set(to, name, (void *)why);
	return NULL;
}

/* "name" is put into @names, "prefix*" without the "*" into @families. */
static void set_name(struct parser *p, struct eo_map *names,
		     struct eo_map *families, const char *w, void *value)
{
	size_t n = strlen(w);

	if (n > 1 && w[n - 1] == '*')
		eo_map_set(families, eo_arena_strndup(&p->m->arena, w, n - 1),
			   value);
	else
		eo_map_set(names, w, value);
}

static struct eo_error *parse_root(struct parser *p)
{
	const char *name = word(p), *why = phrase(p);

	if (!why)
		return bad(p, "a name and a phrase are expected", name);
	set_name(p, &p->m->roots, &p->m->root_families, name, (void *)why);
	return NULL;
}

static struct eo_error *parse_set(struct parser *p, struct eo_map *to)
{
	const char *w = word(p);

	if (!w)
		return bad(p, "a name is expected at the end", NULL);
	for (; w; w = word(p))
		eo_set_add(to, w);
	return NULL;
}

static struct eo_error *parse_trait(struct parser *p, enum eo_trait trait)
{
	const char *w = word(p);

	if (!w)
		return bad(p, "a name is expected at the end", NULL);
	for (; w; w = word(p))
		set_name(p, &p->m->traits, &p->m->families, w,
			 (void *)(intptr_t)trait);
	return NULL;
}

static struct eo_error *parse_top(struct parser *p, const char *w)
{
	static const struct {
		const char *word;
		enum eo_trait trait;
	} traits[] = {
		{ "pure", EO_TRAIT_PURE },
		{ "neutral", EO_TRAIT_NEUTRAL },
		{ "wait", EO_TRAIT_WAIT },
		{ "acquire", EO_TRAIT_ACQUIRE },
		{ "release", EO_TRAIT_RELEASE },
		{ "output", EO_TRAIT_OUTPUT },
	};

	p->call = NULL;
	p->effect = NULL;
	if (strcmp(w, "call") == 0)
		return begin_call(p);
	if (strcmp(w, "effect") == 0)
		return begin_effect(p);
	if (strcmp(w, "walk") == 0)
		return parse_walk(p);
	if (strcmp(w, "descent") == 0)
		return parse_descent(p);
	if (strcmp(w, "visit") == 0)
		return parse_phrased(p, &p->m->visits);
	if (strcmp(w, "idle") == 0)
		return parse_phrased(p, &p->m->idle);
	if (strcmp(w, "test") == 0)
		return parse_phrased(p, &p->m->tests);
	if (strcmp(w, "hot") == 0)
		return parse_phrased(p, &p->m->hot);
	if (strcmp(w, "root") == 0)
		return parse_root(p);
	if (strcmp(w, "sleep") == 0)
		return parse_set(p, &p->m->sleeps);
	if (strcmp(w, "stop") == 0)
		return parse_set(p, &p->m->stops);
	if (strcmp(w, "self") == 0) {
		p->m->self = phrase(p);
		return p->m->self ? NULL :
				    bad(p, "an expression is expected", NULL);
	}
	for (size_t i = 0; i < sizeof(traits) / sizeof(traits[0]); i++)
		if (strcmp(w, traits[i].word) == 0)
			return parse_trait(p, traits[i].trait);
	return bad(p, "unknown word at the start of a line", w);
}

/* One or more numbers of arguments. */
static struct eo_error *outs(struct parser *p)
{
	unsigned n;

	do {
		eo_try(number(p, &n));
		p->call->outs |= 1U << n;
	} while (p->rest[strspn(p->rest, " \t")]);
	return NULL;
}

static struct eo_error *field(struct parser *p)
{
	struct eo_model_field *f =
		eo_arena_new(&p->m->arena, struct eo_model_field);
	const char *w;

	f->name = word(p);
	f->value = word(p);
	eo_try(keyword(p, "from"));
	f->from = word(p);
	while ((w = word(p)) && strcmp(w, "include"))
		*eo_vec_push(&f->outs) = w;
	f->include = word(p);
	f->next = p->call->fields;
	p->call->fields = f;
	return f->include ?
		       NULL :
		       bad(p,
			   "expected: field NAME VALUE from CALL OUT… include HEADER",
			   NULL);
}

/* The names of seconds and microseconds in a field. */
static struct eo_error *parts(struct parser *p)
{
	p->call->seconds = word(p);
	p->call->micros = word(p);
	return p->call->micros ?
		       NULL :
		       bad(p, "expected: parts SECONDS MICROSECONDS", NULL);
}

static struct eo_error *parse_property(struct parser *p, const char *w)
{
	if (p->effect && strcmp(w, "record") == 0)
		return names(p, &p->effect->records);
	if (p->effect && strcmp(w, "reader") == 0)
		return names(p, &p->effect->readers);
	if (p->call && strcmp(w, "writes") == 0)
		return names(p, &p->call->writes);
	if (p->call && strcmp(w, "subject") == 0)
		return number(p, &p->call->subject);
	if (p->call && strcmp(w, "holds") == 0) {
		p->call->holds = true;
		return NULL;
	}
	if (p->call && strcmp(w, "out") == 0)
		return outs(p);
	if (p->call && strcmp(w, "record") == 0) {
		p->call->record = word(p);
		return p->call->record ?
			       NULL :
			       bad(p, "a struct's tag is expected", NULL);
	}
	if (p->call && strcmp(w, "field") == 0)
		return field(p);
	if (p->call && strcmp(w, "parts") == 0)
		return parts(p);
	if (p->call && strcmp(w, "param") == 0)
		p->call->param = phrase(p);
	else if (p->call && strcmp(w, "micro") == 0)
		p->call->to_micros = phrase(p);
	else if (p->call && strcmp(w, "cheaper") == 0)
		p->call->cheaper = phrase(p);
	else if (p->call && strcmp(w, "cost") == 0)
		p->call->cost = phrase(p);
	else if (p->call && strcmp(w, "lost") == 0)
		p->call->lost = phrase(p);
	else
		return bad(p, "unknown property", w);
	return NULL;
}

static struct eo_error *parse_line(struct parser *p, char *line)
{
	char *hash = strchr(line, '#');
	const char *w;

	if (hash)
		*hash = '\0';
	p->rest = line;
	w = word(p);
	if (!w)
		return NULL;
	eo_try(*line == ' ' || *line == '\t' ? parse_property(p, w) :
					       parse_top(p, w));
	w = word(p);
	return w ? bad(p, "more than was expected on this line", w) : NULL;
}

/* What one part of a model names, another has to define. */
static struct eo_error *check(const struct parser *p)
{
	struct eo_map_entry *e;

	eo_map_for_each(e, &p->m->calls) {
		const struct eo_model_call *c = e->value;

		if (!c->cost || !c->lost)
			return eo_error_new(EO_ERR_INPUT,
					    "%s: call %s needs cost and lost",
					    p->file, c->name);
		for (size_t i = 0; i < c->writes.n; i++)
			if (!eo_map_has(&p->m->effects, c->writes.items[i]))
				return eo_error_new(
					EO_ERR_INPUT,
					"%s: call %s writes %s, which is no effect of the model",
					p->file, c->name, c->writes.items[i]);
	}
	return NULL;
}

struct eo_error *eo_model_parse(struct eo_model *m, const char *name,
				const char *text)
{
	struct parser p = { .m = m, .file = name };
	EO_CLEANUP(eo_freep) char *buf = eo_strdup(text);
	char *next = buf, *line;

	while ((line = strsep(&next, "\n"))) {
		p.line++;
		eo_try(parse_line(&p, line));
	}
	return check(&p);
}

static int is_model(const struct dirent *d)
{
	return eo_ends_with(d->d_name, ".model");
}

static struct eo_error *parse_file(struct eo_model *m, const char *path)
{
	EO_CLEANUP(eo_str_release) struct eo_str text = { 0 };

	eo_try(eo_file_read(path, &text));
	if (strlen(eo_str_get(&text)) != text.len)
		return eo_error_new(EO_ERR_INPUT, "%s: not a text file", path);
	return eo_model_parse(m, path, eo_str_get(&text));
}

/* In the order of their names, so that messages do not depend on the disk. */
static struct eo_error *parse_dir(struct eo_model *m, const char *dir)
{
	struct eo_error *err = NULL;
	struct dirent **list;
	int n = scandir(dir, &list, is_model, alphasort);

	if (n < 0)
		return eo_error_errno(errno, "cannot read %s", dir);
	if (n == 0) {
		free(list);
		return eo_error_new(EO_ERR_ENV, "%s: no *.model file in it",
				    dir);
	}
	for (int i = 0; i < n; i++) {
		char *path = eo_path_join(dir, list[i]->d_name);

		if (!err)
			err = parse_file(m, path);
		free(path);
		free(list[i]);
	}
	free(list);
	return err;
}

struct eo_error *eo_model_load(const char *extra, struct eo_model **out)
{
	EO_CLEANUP(eo_freep) char *dir = NULL;
	struct eo_model *m = eo_model_new();
	struct eo_error *err = eo_data_path("analyzer/model", &dir);

	if (!err)
		err = parse_dir(m, dir);
	if (!err && extra)
		err = parse_file(m, extra);
	if (err)
		eo_model_free(m);
	else
		*out = m;
	return err;
}
