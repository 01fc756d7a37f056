// SPDX-License-Identifier: GPL-2.0-only
#include "scan/profile.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/map.h"
#include "base/str.h"
#include "scan/profile_lines.h"

#define KERNEL_MARK "_[k]"

struct symbol {
	double self, total;
	size_t last; /* the stack that it was counted in last */
	bool kernel; /* a stack says so */
};

struct reader {
	const char *name, *p, *end;
	size_t line;
	struct eo_map symbols; /* name → struct symbol */
	double sum; /* of all stacks' counts */
	size_t rows;
	unsigned events; /* whose tables have begun */
	bool has_total, has_kernel_marks;
};

static void reader_release(struct reader *r)
{
	struct eo_map_entry *e;

	eo_map_for_each(e, &r->symbols)
		free(e->value);
	eo_map_release(&r->symbols);
}

static bool next_line(struct reader *r, struct eo_piece *line)
{
	const char *nl;

	if (r->p >= r->end)
		return false;
	nl = memchr(r->p, '\n', (size_t)(r->end - r->p));
	line->s = r->p;
	line->n = (size_t)((nl ? nl : r->end) - r->p);
	r->p += line->n + (nl != NULL);
	r->line++;
	while (line->n && strchr(" \t\r", line->s[line->n - 1]))
		line->n--;
	return true;
}

static void rewind_to(struct reader *r, const char *text)
{
	r->p = text;
	r->line = 0;
}

static struct eo_error *bad(const struct reader *r, const char *why)
{
	return eo_error_new(EO_ERR_INPUT, "%s:%zu: the line %s", r->name,
			    r->line, why);
}

static struct symbol *symbol_of(struct reader *r, struct eo_piece name)
{
	EO_CLEANUP(eo_freep) char *copy = eo_strndup(name.s, name.n);
	struct symbol *s = eo_map_get(&r->symbols, copy);

	if (!s) {
		s = eo_zalloc(sizeof(*s));
		eo_map_set(&r->symbols, copy, s);
	}
	return s;
}

static bool has(struct eo_piece p, const char *word)
{
	return memmem(p.s, p.n, word, strlen(word)) != NULL;
}

static void add_row(struct reader *r, const struct eo_profile_row_line *row)
{
	struct eo_piece name = eo_profile_function(row->symbol);
	struct symbol *s;

	r->rows++;
	if (!row->kernel || !name.n || r->events > 1)
		return;
	s = symbol_of(r, name);
	if (row->second < 0) {
		s->self += row->first / 100;
	} else {
		r->has_total = true;
		s->total += row->first / 100;
		s->self += row->second / 100;
	}
}

static struct eo_error *read_table(struct reader *r)
{
	struct eo_profile_row_line row;
	struct eo_piece line;
	const char *why;

	while (next_line(r, &line)) {
		switch (eo_profile_table_line(line, &row, &why)) {
		case EO_LINE_BAD:
			return bad(r, why);
		case EO_LINE_OK:
			add_row(r, &row);
			break;
		case EO_LINE_DECORATION:
			/* "# Samples: 10K of event 'cycles'" */
			r->events += line.n && *line.s == '#' &&
				     has(line, " of event ");
		}
	}
	return NULL;
}

static void add_frame(struct reader *r, struct eo_piece frame, double count,
		      bool leaf)
{
	size_t mark = strlen(KERNEL_MARK);
	bool kernel = frame.n > mark &&
		      !memcmp(frame.s + frame.n - mark, KERNEL_MARK, mark);
	struct symbol *s;

	if (kernel)
		frame.n -= mark;
	frame = eo_profile_function(frame);
	if (!frame.n)
		return;
	s = symbol_of(r, frame);
	s->kernel |= kernel;
	r->has_kernel_marks |= kernel;
	/* a function that calls itself counts once a stack */
	if (s->last != r->line)
		s->total += count;
	s->last = r->line;
	if (leaf)
		s->self += count;
}

static struct eo_error *add_stack(struct reader *r, struct eo_piece frames,
				  double count)
{
	const char *end = frames.s + frames.n;

	for (const char *p = frames.s; p <= end;) {
		const char *semi = memchr(p, ';', (size_t)(end - p));
		struct eo_piece frame = { p,
					  (size_t)((semi ? semi : end) - p) };

		if (!frame.n)
			return bad(r, "has an empty frame");
		add_frame(r, frame, count, !semi);
		p = (semi ? semi : end) + 1;
	}
	r->sum += count;
	r->rows++;
	return NULL;
}

static struct eo_error *read_stacks(struct reader *r)
{
	struct eo_piece line, frames;
	const char *why;
	double count;

	r->has_total = true;
	while (next_line(r, &line)) {
		switch (eo_profile_stack_line(line, &frames, &count, &why)) {
		case EO_LINE_BAD:
			return bad(r, why);
		case EO_LINE_OK:
			eo_try(add_stack(r, frames, count));
			break;
		case EO_LINE_DECORATION:
			break;
		}
	}
	if (r->sum <= 0)
		return eo_error_new(EO_ERR_INPUT, "%s: all its counts are 0",
				    r->name);
	return NULL;
}

/* The first line with something in it tells. NULL: neither format. */
static const char *recognise(struct reader *r)
{
	struct eo_piece rest = { r->p, (size_t)(r->end - r->p) };
	struct eo_profile_row_line row;
	struct eo_piece line, frames;
	const char *why;
	double count;

	while (next_line(r, &line)) {
		enum eo_line_kind kind =
			eo_profile_table_line(line, &row, &why);

		if (kind == EO_LINE_OK || row.symbol.n || row.first > 0)
			return "perf-report";
		if (kind == EO_LINE_DECORATION)
			continue;
		kind = eo_profile_stack_line(line, &frames, &count, &why);
		return kind == EO_LINE_OK && has(rest, ";") ? "folded" : NULL;
	}
	return NULL;
}

static struct eo_error *check_bytes(struct reader *r, const char *text,
				    size_t n)
{
	if (n >= 7 && !memcmp(text, "PERFILE", 7))
		return eo_error_new(
			EO_ERR_INPUT,
			"%s is perf's own data: import what `perf report --stdio -i FILE` prints of it",
			r->name);
	if (!n || !memchr(text, '\0', n))
		return NULL;
	r->line = 1;
	for (const char *p = text; *p; p++)
		r->line += *p == '\n';
	return bad(r, "has a NUL byte: this is no text");
}

static void give(struct reader *r, struct eo_profile *out)
{
	struct eo_map_entry *e;
	double whole = r->sum > 0 ? r->sum : 1;

	eo_map_for_each(e, &r->symbols) {
		const struct symbol *s = e->value;
		struct eo_share *share;

		if (r->has_kernel_marks && !s->kernel)
			continue;
		share = eo_vec_push(out);
		share->symbol = eo_arena_strdup(&out->arena, e->key);
		share->self = s->self / whole;
		share->total = r->has_total ? s->total / whole : -1;
	}
}

struct eo_error *eo_profile_parse(const char *name, const char *text, size_t n,
				  struct eo_profile *out)
{
	EO_CLEANUP(reader_release)
	struct reader r = { .name = name, .p = text, .end = text + n };

	eo_try(check_bytes(&r, text, n));
	out->format = recognise(&r);
	if (!out->format)
		return eo_error_new(
			EO_ERR_INPUT,
			"%s is neither what `perf report --stdio` prints nor folded stacks (`a;b;c 123` a line, as stackcollapse-perf.pl makes of `perf script`)%s",
			name, n ? "" : ": it is empty");
	rewind_to(&r, text);
	eo_try(*out->format == 'f' ? read_stacks(&r) : read_table(&r));
	give(&r, out);
	if (out->n)
		return NULL;
	return eo_error_new(
		EO_ERR_INPUT,
		"%s has no function of the kernel: record with rights to see it (kernel.perf_event_paranoid, kernel.kptr_restrict), for the whole system or the kernel's side of a program",
		name);
}

void eo_profile_release(struct eo_profile *p)
{
	free(p->items);
	eo_arena_release(&p->arena);
	*p = (struct eo_profile){ 0 };
}
