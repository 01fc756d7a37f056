// SPDX-License-Identifier: GPL-2.0-only
#include "finding/merge.h"

#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "finding/finding.h"

/*
 * A call's text as the fingerprint takes it: without white space, but for what
 * keeps two words or two equal signs apart, so that both engines' spelling and
 * a line broken elsewhere give the same.
 */
static void add_normalised(struct eo_str *to, const char *s)
{
	char last = '\0';

	for (bool space = false; *s; s++) {
		if (isspace((unsigned char)*s)) {
			space = true;
			continue;
		}
		if (space && last &&
		    ((eo_is_ident(last) && eo_is_ident(*s)) || last == *s))
			eo_str_addc(to, ' ');
		eo_str_addc(to, *s);
		last = *s;
		space = false;
	}
}

static void add_part(struct eo_str *to, const char *s)
{
	eo_str_add(to, s ? s : "");
	eo_str_addc(to, '\n');
}

/* What is hashed, but for the ordinal. */
static void add_identity(struct eo_str *to, const struct eo_finding *f)
{
	add_part(to, f->rule);
	add_part(to, f->file);
	add_part(to, f->function);
	add_normalised(to, f->call_text ? f->call_text :
			   f->call	? f->call :
					  "");
	eo_str_addc(to, '\n');
}

void eo_finding_fingerprint(struct eo_finding *f, unsigned nth)
{
	EO_CLEANUP(eo_str_release) struct eo_str key = { 0 };

	add_identity(&key, f);
	eo_str_addf(&key, "%u", nth);
	eo_hash_hex(key.s, key.len, f->id);
}

static int compare(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "");
}

static int by_place(const void *pa, const void *pb)
{
	const struct eo_finding *a = pa, *b = pb;
	int d = compare(a->file, b->file);

	if (!d)
		d = (a->line > b->line) - (a->line < b->line);
	if (!d)
		d = (a->column > b->column) - (a->column < b->column);
	return d ? d : compare(a->rule, b->rule);
}

/* Whether both are the same call; a macro may make the columns differ. */
static bool same_call(const struct eo_finding *a, const struct eo_finding *b)
{
	return a->line == b->line && eo_streq(a->rule, b->rule) &&
	       eo_streq(a->file, b->file) &&
	       eo_streq(a->function, b->function) && eo_streq(a->call, b->call);
}

static void free_parts(struct eo_finding *f)
{
	free(f->hot.items);
	free(f->obligations.items);
	free(f->steps.items);
}

/* The finding of the same engine that @f repeats, or NULL. */
static struct eo_finding *repeated(const struct eo_finding *items, size_t n,
				   const struct eo_finding *f)
{
	for (size_t i = 0; i < n; i++) {
		if (same_call(&items[i], f) && items[i].column == f->column)
			return (struct eo_finding *)&items[i];
	}
	return NULL;
}

/*
 * Several units may include the file that has the call, and what is not sure
 * in one of them is not sure: the weakest is kept.
 */
static void add_clang(struct eo_findings *out, const struct eo_finding *f)
{
	struct eo_finding *old = repeated(out->items, out->n, f);
	struct eo_finding *copy;

	if (!old) {
		eo_findings_copy(out, f)->engines |= EO_ENGINE_CLANG;
		return;
	}
	if (f->confidence >= old->confidence && f->fix >= old->fix)
		return;
	copy = eo_findings_copy(out, f);
	copy->engines |= EO_ENGINE_CLANG;
	old = repeated(out->items, out->n - 1, f);
	free_parts(old);
	*old = *copy;
	out->n--;
}

/*
 * clang's finding that @f is too and that no other of smpl's was yet; a call
 * that comes out of a macro may have another column there, unless @exact.
 */
static struct eo_finding *match(struct eo_findings *out,
				const struct eo_finding *f, bool exact)
{
	struct eo_finding *o;

	eo_vec_for_each(o, out) {
		if (!(o->engines & EO_ENGINE_SMPL) && same_call(o, f) &&
		    (!exact || o->column == f->column))
			return o;
	}
	return NULL;
}

static bool same_text(const char *a, const char *b)
{
	EO_CLEANUP(eo_str_release) struct eo_str na = { 0 }, nb = { 0 };

	add_normalised(&na, a);
	add_normalised(&nb, b);
	return strcmp(eo_str_get(&na), eo_str_get(&nb)) == 0;
}

static void agree(struct eo_findings *out, struct eo_finding *o,
		  const struct eo_finding *smpl)
{
	o->engines |= EO_ENGINE_SMPL;
	if (!o->call_text && smpl->call_text)
		o->call_text = eo_arena_strdup(&out->arena, smpl->call_text);
	if (o->guard && smpl->guard && !same_text(o->guard, smpl->guard))
		o->dissent = eo_arena_printf(
			&out->arena, "smpl would test %s instead", smpl->guard);
}

/* "clang could not look: timeout: detail", or NULL when it did look. */
static const char *blind(struct eo_findings *out, const struct eo_finding *f,
			 const struct eo_gaps *gaps, enum eo_engine engine)
{
	const struct eo_gap *g =
		eo_gaps_find(gaps, engine, f->file, f->function);

	if (!g)
		return NULL;
	return eo_arena_printf(&out->arena, "%s could not look: %s%s%s",
			       eo_engine_name(engine),
			       eo_gap_reason_name(g->reason),
			       g->detail ? ": " : "",
			       g->detail ? g->detail : "");
}

/* Without clang there is no proof, and so no fix that goes in by itself. */
static void add_smpl(struct eo_findings *out, const struct eo_finding *f,
		     const struct eo_gaps *gaps)
{
	struct eo_finding *o = eo_findings_copy(out, f);

	o->engines |= EO_ENGINE_SMPL;
	o->confidence = EO_LOW;
	if (o->fix == EO_FIX_AUTO)
		o->fix = EO_FIX_MANUAL;
	o->dissent = blind(out, f, gaps, EO_ENGINE_CLANG);
	if (!o->dissent) {
		o->fix = EO_FIX_MANUAL;
		o->dissent =
			"clang looked at this function and does not find it";
	}
	if (!o->message)
		o->message = eo_arena_printf(&out->arena,
					     "%s() may be work for nothing%s%s",
					     o->call ? o->call : "",
					     o->guard ? " when " : "",
					     o->guard ? o->guard : "");
}

/* Says of what clang alone found why smpl did not, if it looked for it. */
static void note_silence(struct eo_findings *out, const struct eo_gaps *gaps,
			 const struct eo_map *smpl_rules)
{
	struct eo_finding *o;

	eo_vec_for_each(o, out) {
		if (o->engines & EO_ENGINE_SMPL ||
		    !eo_map_has(smpl_rules, o->rule))
			continue;
		o->dissent = blind(out, o, gaps, EO_ENGINE_SMPL);
		if (!o->dissent)
			o->dissent = "smpl does not see it";
	}
}

static void give_ids(struct eo_findings *out)
{
	struct eo_map nth = { 0 };
	struct eo_finding *o;

	eo_vec_for_each(o, out) {
		EO_CLEANUP(eo_str_release) struct eo_str key = { 0 };
		uintptr_t n;

		add_identity(&key, o);
		n = (uintptr_t)eo_map_get(&nth, key.s);
		eo_finding_fingerprint(o, (unsigned)n);
		eo_map_set(&nth, key.s, (void *)(n + 1));
	}
	eo_map_release(&nth);
}

/* What smpl found and clang did too; done[i] is set for those. */
static void match_smpl(const struct eo_findings *smpl, bool exact, bool *done,
		       struct eo_findings *out)
{
	for (size_t i = 0; i < smpl->n; i++) {
		struct eo_finding *o;

		if (done[i])
			continue;
		o = match(out, &smpl->items[i], exact);
		if (!o)
			continue;
		agree(out, o, &smpl->items[i]);
		done[i] = true;
	}
}

void eo_findings_merge(const struct eo_findings *clang,
		       const struct eo_findings *smpl,
		       const struct eo_gaps *gaps,
		       const struct eo_map *smpl_rules, struct eo_findings *out)
{
	EO_CLEANUP(eo_freep) bool *done = eo_zalloc(smpl->n + 1);
	const struct eo_finding *f;

	eo_vec_for_each(f, clang)
		add_clang(out, f);
	for (size_t i = 0; i < smpl->n; i++)
		done[i] = repeated(smpl->items, i, &smpl->items[i]);
	match_smpl(smpl, true, done, out);
	match_smpl(smpl, false, done, out);
	note_silence(out, gaps, smpl_rules);
	for (size_t i = 0; i < smpl->n; i++) {
		if (!done[i])
			add_smpl(out, &smpl->items[i], gaps);
	}
	if (out->n)
		qsort(out->items, out->n, sizeof(*out->items), by_place);
	give_ids(out);
}
