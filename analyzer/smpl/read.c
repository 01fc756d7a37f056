// SPDX-License-Identifier: GPL-2.0-only
#include "smpl/read.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/proc.h"
#include "base/str.h"
#include "finding/finding.h"
#include "model/model.h"
#include "smpl/ctext.h"

#define MATCH "earlyout-match "
#define CALL "earlyout-call "
#define END "earlyout-end"

/*
 * A line of mode earlyout: lines from 1, columns from 0, as spatch counts.
 * MATCH is of a call and a walk, CALL of a call alone.
 */
struct match {
	unsigned line, column;
	unsigned walk_line, walk_column;
	unsigned first, last; /* lines of the function */
	char *function, *call;
	const char *rest; /* within the line: "return 0", or the message */
};

static void match_release(struct match *m)
{
	free(m->function);
	free(m->call);
}

static bool parse_match(const char *line, struct match *m)
{
	int end = 0;

	line += strlen(MATCH);
	if (sscanf(line, "%u %u %u %u %u %u %ms %ms %n", &m->line, &m->column,
		   &m->walk_line, &m->walk_column, &m->first, &m->last,
		   &m->function, &m->call, &end) < 8 ||
	    !eo_starts_with(line + end, "return"))
		return false;
	m->rest = line + end;
	return true;
}

static bool parse_call(const char *line, struct match *m)
{
	int end = 0;

	line += strlen(CALL);
	if (sscanf(line, "%u %u %u %u %ms %ms %n", &m->line, &m->column,
		   &m->first, &m->last, &m->function, &m->call, &end) < 6 ||
	    !line[end])
		return false;
	m->rest = line + end;
	return true;
}

/* Lines @first to @last of @text, or NULL. */
static const char *function_source(struct eo_arena *arena,
				   const struct eo_str *text, unsigned first,
				   unsigned last)
{
	const char *s = eo_str_get(text);
	size_t from = eo_ctext_at(s, text->len, first, 1);
	size_t to = eo_ctext_at(s, text->len, last + 1, 1);

	return from < to ? eo_arena_strndup(arena, s + from, to - from) : NULL;
}

/* The walk's macro, its head and the test, as the file spells them. */
static bool set_walk(const struct eo_spatch_file *file,
		     const struct eo_model *model, const struct match *m,
		     struct eo_findings *found, struct eo_finding *f)
{
	EO_CLEANUP(eo_str_release) struct eo_str head = { 0 };
	const char *s = eo_str_get(file->text);
	size_t n = file->text->len;
	size_t at = eo_ctext_at(s, n, m->walk_line, m->walk_column + 1);
	const struct eo_model_walk *walk;

	f->walk = eo_arena_strndup(&found->arena, s + at,
				   eo_ctext_next(s, n, at) - at);
	walk = eo_map_get(&model->walks, f->walk);
	if (!walk || !eo_ctext_call(s, n, at, walk->head, &head))
		return false;
	f->walk_line = m->walk_line;
	f->head = eo_arena_strdup(&found->arena, eo_str_get(&head));
	f->guard =
		eo_arena_printf(&found->arena, "%s(%s)", walk->empty, f->head);
	return true;
}

static bool set_call(const struct eo_spatch_file *file,
		     const struct eo_model *model, const struct match *m,
		     struct eo_findings *found, struct eo_finding *f)
{
	EO_CLEANUP(eo_str_release) struct eo_str text = { 0 };
	const struct eo_model_call *call = eo_model_call(model, m->call);
	const char *s = eo_str_get(file->text);
	size_t n = file->text->len;
	size_t at = eo_ctext_at(s, n, m->line, m->column + 1);

	if (!call || !eo_ctext_is_word(s, n, at, m->call) ||
	    !eo_ctext_call(s, n, at, 0, &text))
		return false;
	f->call = eo_arena_strdup(&found->arena, m->call);
	f->call_text = eo_arena_strdup(&found->arena, eo_str_get(&text));
	if (call->ends_in)
		f->ends_in = eo_arena_strdup(&found->arena, call->ends_in);
	return true;
}

/* "return 0" → "0", "return" → "" */
static const char *returned(const char *leave)
{
	leave += strlen("return");
	return *leave == ' ' ? leave + 1 : leave;
}

/* A finding of what every match has, or NULL when it does not fit the file. */
static struct eo_finding *add_finding(const struct eo_spatch_file *file,
				      const struct eo_model *model,
				      const struct match *m,
				      struct eo_findings *found)
{
	struct eo_finding *f = eo_findings_add(found);
	struct eo_arena *arena = &found->arena;

	if (!set_call(file, model, m, found, f))
		return NULL;
	f->rule = eo_arena_strdup(arena, file->rule);
	f->file = eo_arena_strdup(arena, file->name);
	f->line = m->line;
	f->column = m->column + 1;
	f->function = eo_arena_strdup(arena, m->function);
	f->function_line = m->first;
	f->function_end = m->last;
	f->source = function_source(arena, file->text, m->first, m->last);
	f->confidence = EO_LOW;
	f->fix = EO_FIX_MANUAL;
	f->engines = EO_ENGINE_SMPL;
	return f;
}

static bool add_match(const struct eo_spatch_file *file,
		      const struct eo_model *model, const char *line,
		      struct eo_findings *found)
{
	EO_CLEANUP(match_release) struct match m = { 0 };
	struct eo_arena *arena = &found->arena;
	struct eo_finding *f;

	if (!parse_match(line, &m))
		return false;
	f = add_finding(file, model, &m, found);
	if (!f || !set_walk(file, model, &m, found, f))
		return false;
	f->result = eo_arena_strdup(arena, returned(m.rest));
	f->message = eo_arena_printf(
		arena,
		"%s() is needed only by the %s() on line %u, which may have nothing to walk: test %s first",
		f->call, f->walk, f->walk_line, f->guard);
	return true;
}

static bool add_call(const struct eo_spatch_file *file,
		     const struct eo_model *model, const char *line,
		     struct eo_findings *found)
{
	EO_CLEANUP(match_release) struct match m = { 0 };
	struct eo_finding *f;

	if (!parse_call(line, &m))
		return false;
	f = add_finding(file, model, &m, found);
	if (!f)
		return false;
	f->message = eo_arena_strdup(&found->arena, m.rest);
	return true;
}

/* Calls @fn for each line of @text, without its newline, until it is false. */
static bool each_line(const struct eo_str *text,
		      bool (*fn)(const char *line, void *data), void *data)
{
	const char *p = eo_str_get(text);

	while (*p) {
		size_t len = strcspn(p, "\n");
		EO_CLEANUP(eo_freep) char *line = eo_strndup(p, len);

		if (!fn(line, data))
			return false;
		p += len + (p[len] == '\n');
	}
	return true;
}

struct reader {
	const struct eo_spatch_file *file;
	const struct eo_model *model;
	struct eo_findings *found;
	struct eo_gaps *gaps;
	char *function; /* whose unparsed lines these are */
	bool ended;
};

static bool read_out(const char *line, void *data)
{
	struct reader *r = data;

	if (strcmp(line, END) == 0)
		r->ended = true;
	if (eo_starts_with(line, MATCH))
		return add_match(r->file, r->model, line, r->found);
	if (eo_starts_with(line, CALL))
		return add_call(r->file, r->model, line, r->found);
	return true;
}

static void add_gap(const struct reader *r, const char *call)
{
	EO_CLEANUP(eo_freep)
	char *detail = eo_asprintf(
		"spatch could not parse this function, which calls %s(); a macro in it may need a line in semantic-patches/earlyout-macros.h",
		call);
	const struct eo_gap gap = {
		.file = r->file->name,
		.function = r->function,
		.engine = EO_ENGINE_SMPL,
		.reason = EO_GAP_PARSE_ERROR,
		.detail = detail,
	};

	eo_gaps_add(r->gaps, &gap);
}

/* A line at the left edge that opens a function: remembers its name. */
static bool take_header(struct reader *r, const char *line)
{
	const char *open = strchr(line, '('), *name = open;

	if (!open || !eo_is_ident(*line) || strchr(open, ';'))
		return false;
	while (name > line && eo_is_ident(name[-1]))
		name--;
	free(r->function);
	r->function = eo_strndup(name, (size_t)(open - name));
	return true;
}

/* spatch writes the lines that it did not parse behind these words. */
static bool read_err(const char *line, void *data)
{
	static const char *const bad[] = { "bad: ", "BAD:!!!!! " };
	const char *text =
		eo_starts_with(line, bad[0]) ? line + strlen(bad[0]) :
		eo_starts_with(line, bad[1]) ? line + strlen(bad[1]) :
					       NULL;
	struct reader *r = data;
	size_t n, next;

	if (!text) {
		free(r->function);
		r->function = NULL;
		return true;
	}
	if (take_header(r, text))
		return true;
	n = strlen(text);
	for (size_t i = 0; i < n; i = next) {
		EO_CLEANUP(eo_freep) char *name = NULL;

		next = eo_ctext_next(text, n, i);
		name = eo_strndup(text + i, next - i);
		if (eo_model_call(r->model, name))
			add_gap(r, name);
	}
	return true;
}

bool eo_spatch_read(const struct eo_spatch_file *file,
		    const struct eo_model *model,
		    const struct eo_proc_result *result,
		    struct eo_findings *found, struct eo_gaps *gaps)
{
	struct reader r = {
		.file = file, .model = model, .found = found, .gaps = gaps
	};
	size_t before = found->n;

	if (!each_line(&result->out, read_out, &r) || !r.ended) {
		found->n = before;
		return false;
	}
	each_line(&result->err, read_err, &r);
	free(r.function);
	return true;
}
