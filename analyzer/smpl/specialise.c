// SPDX-License-Identifier: GPL-2.0-only
/*
 * Fills the marked blocks of a semantic patch from the model:
 *
 *	// earlyout: model calls
 *	…
 *	// earlyout: end
 *
 * What stands outside of them is copied as it is.
 */
#include "smpl/smpl.h"

#include <stdint.h>
#include <string.h>

#include "base/data.h"
#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/str.h"
#include "model/model.h"

#define WIDTH 80
#define TAB 8

/* A list of names, separated by commas, in lines of at most 80 columns. */
struct names {
	struct eo_str *out;
	size_t column; /* 0: nothing written yet */
};

static void add_name(struct names *n, const char *name)
{
	size_t len = strlen(name);

	if (!n->column) {
		eo_str_addc(n->out, '\t');
		n->column = TAB;
	} else if (n->column + 1 + 1 + len + 1 > WIDTH) {
		eo_str_add(n->out, ",\n\t");
		n->column = TAB;
	} else {
		eo_str_add(n->out, ", ");
		n->column += 2;
	}
	eo_str_add(n->out, name);
	n->column += len;
}

static void end_names(struct names *n, const char *end)
{
	if (n->column)
		eo_str_add(n->out, end);
}

static void put_calls(const struct eo_model *model, struct eo_str *out)
{
	struct names names = { .out = out };
	const struct eo_map_entry *e;

	eo_map_for_each(e, &model->calls) {
		const struct eo_model_call *call = e->value;

		if (call->kind == EO_CALL_DEFERRABLE && !call->holds)
			add_name(&names, call->name);
	}
	end_names(&names, "\n");
}

/* Calls that write what the caller points to; a wrapper's are not known. */
static void put_sample_names(const struct eo_model *model, bool records,
			     struct eo_str *out)
{
	struct names names = { .out = out };
	const struct eo_map_entry *e;

	eo_map_for_each(e, &model->calls) {
		const struct eo_model_call *call = e->value;

		if (call->kind == EO_CALL_SAMPLE && call->outs &&
		    !call->ends_in && (call->record || !records))
			add_name(&names, call->name);
	}
	end_names(&names, "\n");
}

static void put_samples(const struct eo_model *model, struct eo_str *out)
{
	put_sample_names(model, false, out);
}

static void put_records(const struct eo_model *model, struct eo_str *out)
{
	put_sample_names(model, true, out);
}

/* "CHEAPER" of the script: what to ask for one field. */
static void put_cheaper(const struct eo_model *model, struct eo_str *out)
{
	const struct eo_map_entry *e;

	eo_map_for_each(e, &model->calls) {
		const struct eo_model_call *call = e->value;

		if (call->record && call->cheaper && !call->ends_in)
			eo_str_addf(out, "\t\"%s\": \"%s\",\n", call->name,
				    call->cheaper);
	}
}

static void add_trait(const struct eo_model *model, enum eo_trait trait,
		      struct names *names)
{
	const struct eo_map_entry *e;

	eo_map_for_each(e, &model->traits)
		if ((enum eo_trait)(intptr_t)e->value == trait)
			add_name(names, e->key);
}

static void put_acquires(const struct eo_model *model, struct eo_str *out)
{
	struct names names = { .out = out };

	add_trait(model, EO_TRAIT_ACQUIRE, &names);
	end_names(&names, "\n");
}

static void put_releases(const struct eo_model *model, struct eo_str *out)
{
	struct names names = { .out = out };

	add_trait(model, EO_TRAIT_RELEASE, &names);
	end_names(&names, "\n");
}

/* Where others get their turn. */
static void put_waits(const struct eo_model *model, struct eo_str *out)
{
	struct names names = { .out = out };

	add_trait(model, EO_TRAIT_ACQUIRE, &names);
	add_trait(model, EO_TRAIT_WAIT, &names);
	end_names(&names, "\n");
}

static void put_quiet(const struct eo_model *model, struct eo_str *out)
{
	struct names names = { .out = out };

	add_trait(model, EO_TRAIT_ACQUIRE, &names);
	add_trait(model, EO_TRAIT_RELEASE, &names);
	add_trait(model, EO_TRAIT_NEUTRAL, &names);
	add_trait(model, EO_TRAIT_WAIT, &names);
	add_trait(model, EO_TRAIT_PURE, &names);
	end_names(&names, "\n");
}

/* The next walk from @e on whose test may be made without the list's lock. */
static const struct eo_model_walk *next_walk(const struct eo_model *model,
					     const struct eo_map_entry **e)
{
	const struct eo_map_entry *end = model->walks.items + model->walks.n;

	for (*e = *e ? *e + 1 : model->walks.items; *e < end; (*e)++) {
		const struct eo_model_walk *walk = (*e)->value;

		if (eo_map_has(&model->tests, walk->empty))
			return walk;
	}
	return NULL;
}

#define for_each_walk(walk, e, model) \
	for ((e) = NULL; ((walk) = next_walk((model), &(e)));)

static void put_empty(const struct eo_model *model, struct eo_str *out)
{
	struct names names = { .out = out };
	const struct eo_map_entry *e;

	eo_map_for_each(e, &model->tests)
		add_name(&names, e->key);
	end_names(&names, "\n");
}

/* "EMPTY" of the script: the test of each walk. */
static void put_tests(const struct eo_model *model, struct eo_str *out)
{
	const struct eo_model_walk *walk;
	const struct eo_map_entry *e;

	for_each_walk(walk, e, model) eo_str_addf(out, "\t\"%s\": \"%s\",\n",
						  walk->name, walk->empty);
}

/* The macros, and metavariables for the arguments before the head. */
static void put_walk_names(const struct eo_model *model, struct eo_str *out)
{
	struct names names = { .out = out };
	const struct eo_model_walk *walk;
	const struct eo_map_entry *e;
	unsigned most = 1;

	if (!model->walks.n)
		return;
	eo_str_add(out, "iterator name\n");
	for_each_walk(walk, e, model)
	{
		add_name(&names, walk->name);
		if (walk->head > most)
			most = walk->head;
	}
	end_names(&names, ";\n");
	for (unsigned i = 1; i < most; i++)
		eo_str_addf(out, "%sa%u", i > 1 ? ", " : "expression ", i);
	if (most > 1)
		eo_str_add(out, ";\n");
}

static void put_walks(const struct eo_model *model, struct eo_str *out)
{
	const struct eo_model_walk *walk;
	const struct eo_map_entry *e;
	const char *or = "";

	for_each_walk(walk, e, model)
	{
		eo_str_addf(out, "%s%s@w(", or, walk->name);
		for (unsigned i = 1; i < walk->head; i++)
			eo_str_addf(out, "a%u, ", i);
		eo_str_add(out, "head, ...) S\n");
		or = "|\n";
	}
}

/* "EMPTY" of another script: the tests. */
static void put_empty_names(const struct eo_model *model, struct eo_str *out)
{
	const struct eo_map_entry *e;

	eo_map_for_each(e, &model->tests)
		eo_str_addf(out, "\t\"%s\",\n", e->key);
}

static void put_readers(const struct eo_model *model, struct eo_str *out)
{
	struct names names = { .out = out };
	const struct eo_map_entry *e;

	eo_map_for_each(e, &model->effects) {
		const struct eo_model_effect *effect = e->value;

		for (size_t i = 0; i < effect->readers.n; i++)
			add_name(&names, effect->readers.items[i]);
	}
	add_trait(model, EO_TRAIT_OUTPUT, &names);
	end_names(&names, "\n");
}

/* "WRITTEN" of the script: structs with fields that a call writes. */
static void put_written(const struct eo_model *model, struct eo_str *out)
{
	const struct eo_map_entry *e;

	eo_map_for_each(e, &model->effects) {
		const struct eo_model_effect *effect = e->value;

		for (size_t i = 0; i < effect->records.n; i++)
			eo_str_addf(out, "\t\"struct %s\",\n",
				    effect->records.items[i]);
	}
}

/* The macros, and metavariables for the arguments that are neither. */
static void put_descent_names(const struct eo_model *model, struct eo_str *out)
{
	struct names names = { .out = out };
	const struct eo_map_entry *e;
	unsigned others = 0;
	const char *comma = "expression ";

	if (!model->descents.n)
		return;
	eo_str_add(out, "iterator name\n");
	eo_map_for_each(e, &model->descents) {
		const struct eo_model_descent *d = e->value;

		add_name(&names, d->name);
		for (unsigned i = 1; i < d->pos || i < d->root; i++)
			if (i != d->pos && i != d->root)
				others |= 1U << i;
	}
	end_names(&names, ";\n");
	for (unsigned i = 1; others >> i; i++) {
		if (!(others >> i & 1))
			continue;
		eo_str_addf(out, "%sa%u", comma, i);
		comma = ", ";
	}
	if (others)
		eo_str_add(out, ";\n");
}

static void put_descents(const struct eo_model *model, struct eo_str *out)
{
	const struct eo_map_entry *e;
	const char *or = "";

	eo_map_for_each(e, &model->descents) {
		const struct eo_model_descent *d = e->value;
		unsigned last = d->root > d->pos ? d->root : d->pos;

		eo_str_addf(out, "%s%s@w(", or, d->name);
		for (unsigned i = 1; i <= last; i++)
			if (i == d->pos)
				eo_str_add(out, "pos, ");
			else if (i == d->root)
				eo_str_add(out, "root, ");
			else
				eo_str_addf(out, "a%u, ", i);
		eo_str_add(out, "...) S\n");
		or = "|\n";
	}
}

static const struct block {
	const char *name;
	void (*put)(const struct eo_model *model, struct eo_str *out);
} blocks[] = {
	{ "calls", put_calls },
	{ "quiet", put_quiet },
	{ "acquires", put_acquires },
	{ "releases", put_releases },
	{ "waits", put_waits },
	{ "tests", put_tests },
	{ "walk-names", put_walk_names },
	{ "walks", put_walks },
	{ "empty", put_empty },
	{ "samples", put_samples },
	{ "records", put_records },
	{ "cheaper", put_cheaper },
	{ "descents", put_descents },
	{ "descent-names", put_descent_names },
	{ "empty-names", put_empty_names },
	{ "readers", put_readers },
	{ "written", put_written },
};

/* What stands on the line at @p after the comment sign and @mark, or NULL. */
static const char *marked(const char *p, const char *mark)
{
	p += *p == '#' ? 1 : 2 * eo_starts_with(p, "//");
	while (*p == ' ')
		p++;
	return eo_starts_with(p, mark) ? p + strlen(mark) : NULL;
}

static const char *next_line(const char *p)
{
	p += strcspn(p, "\n");
	return *p ? p + 1 : p;
}

static struct eo_error *put_block(const char *rule, const char *name,
				  const struct eo_model *model,
				  struct eo_str *out)
{
	size_t len = strcspn(name, "\n"), before = out->len;

	for (size_t i = 0; i < sizeof(blocks) / sizeof(blocks[0]); i++) {
		if (strlen(blocks[i].name) != len ||
		    strncmp(blocks[i].name, name, len))
			continue;
		blocks[i].put(model, out);
		if (out->len > before)
			return NULL;
		return eo_error_new(
			EO_ERR_INPUT,
			"%s.cocci: the model has nothing for the block \"%s\"",
			rule, blocks[i].name);
	}
	return eo_error_new(
		EO_ERR_INPUT,
		"%s.cocci: there is no block \"%.*s\" to be made from the model",
		rule, (int)len, name);
}

struct eo_error *eo_smpl_specialise(const char *rule,
				    const struct eo_model *model,
				    struct eo_str *out)
{
	EO_CLEANUP(eo_freep)
	char *name = eo_asprintf("semantic-patches/%s.cocci", rule);
	EO_CLEANUP(eo_freep) char *path = NULL;
	EO_CLEANUP(eo_str_release) struct eo_str text = { 0 };
	const char *p, *next, *block;

	eo_try(eo_data_path(name, &path));
	eo_try(eo_file_read(path, &text));
	for (p = eo_str_get(&text); *p; p = next) {
		next = next_line(p);
		eo_str_addn(out, p, (size_t)(next - p));
		block = marked(p, "earlyout: model ");
		if (!block)
			continue;
		eo_try(put_block(rule, block, model, out));
		while (*next && !marked(next, "earlyout: end"))
			next = next_line(next);
		if (!*next)
			return eo_error_new(EO_ERR_INPUT,
					    "%s: the block \"%.*s\" has no end",
					    path, (int)strcspn(block, "\n"),
					    block);
	}
	return NULL;
}
