// SPDX-License-Identifier: GPL-2.0-only
/* The cover letter. */
#include <string.h>

#include "base/err.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/str.h"
#include "db/db.h"
#include "db/evidence.h"
#include "finding/finding.h"
#include "reports/fill.h"
#include "reports/mail.h"
#include "rewrite/rewrite.h"

#define PARAGRAPH "\n\n"
#define INDENT "      "

static const struct eo_finding *first(const struct eo_cover_entry *e)
{
	return e->mail.step->items[0];
}

static bool all_walks(const struct eo_cover *c)
{
	for (size_t i = 0; i < c->n; i++)
		if (!eo_streq(first(&c->items[i])->rule, "flush-before-walk"))
			return false;
	return true;
}

static void add_subject(const struct eo_cover *c, struct eo_str *out)
{
	bool same = true;

	for (size_t i = 1; i < c->n; i++)
		same = same && eo_streq(c->items[i].prefix, c->items[0].prefix);
	if (c->n == 1 && !all_walks(c)) {
		eo_str_addf(out, "%s" PARAGRAPH, c->items[0].subject);
		return;
	}
	if (same)
		eo_str_addf(out, "%s: skip ", c->items[0].prefix);
	else
		eo_str_add(out, "Skip ");
	eo_str_addf(out, "%s" PARAGRAPH,
		    !all_walks(c) ? "work that nothing uses" :
		    c->n == 1	  ? "an expensive call that nothing uses" :
				    "expensive calls that nothing uses");
}

static void add_what(const struct eo_cover *c, struct eo_str *s)
{
	bool one = c->n == 1;

	if (!all_walks(c)) {
		eo_str_addf(s,
			    "%s expensive work that not every path behind it "
			    "uses. %s it away from the paths that do not, and "
			    "leaves the others as they are.",
			    one ? "The function below does" :
				  "Each of the functions below does",
			    one ? "The patch takes" : "Each patch takes");
		return;
	}
	if (one)
		eo_str_addf(s, "%s() makes", first(c->items)->function);
	else
		eo_str_add(s, "Each of the functions below makes");
	eo_str_addf(s,
		    " an expensive call for the sake of a walk over a list, "
		    "even when the list is empty and the call is for nothing. "
		    "%s tests for that first and returns early.",
		    one ? "The patch" : "Each patch");
}

/* "      proved: independent, early-path": a line for each state there is. */
static void add_proof(const struct eo_finding *f, struct eo_str *out)
{
	for (int state = EO_PROOF_PROVED; state <= EO_PROOF_FAILED; state++) {
		const char *name = eo_proof_name((enum eo_proof)state);
		size_t column = 0;
		const struct eo_obligation *o;

		eo_vec_for_each(o, &f->obligations) {
			if ((int)o->state != state)
				continue;
			if (!column)
				eo_str_addf(out, INDENT "%s: ", name);
			else if (column + strlen(o->name) + 2 > EO_MAIL_WIDTH)
				eo_str_add(out, ",\n" INDENT "  "), column = 0;
			else
				eo_str_add(out, ", ");
			column = column ? column + 2 :
					  strlen(INDENT) + strlen(name) + 2;
			eo_str_add(out, o->name);
			column += strlen(o->name);
		}
		if (column)
			eo_str_addc(out, '\n');
	}
}

/* One line of the table, whatever is in @text. */
static void add_cell(struct eo_str *out, const char *name, const char *text)
{
	EO_CLEANUP(eo_freep)
	char *line = text ? eo_squeeze(text, strlen(text)) : NULL;

	if (line && *line)
		eo_str_addf(out, INDENT "%s: %s\n", name, line);
}

static void add_finding(const struct eo_finding *f, struct eo_str *out)
{
	eo_str_addf(out, INDENT "%s: %s()\n", f->rule, f->call);
	add_cell(out, "test", f->guard);
	add_proof(f, out);
}

/* What is in the table of each patch, in one line. */
static void add_numbers(const struct eo_evidences *list, struct eo_str *out)
{
	const struct eo_evidence *e;

	eo_vec_for_each(e, list) {
		bool both = e->low <= 0 && e->high >= 0;

		if (e->distorting || !e->workload)
			continue;
		eo_str_addf(out, INDENT "%s:\n" INDENT "  ", e->workload);
		if (both)
			eo_str_add(out, "no consistent change");
		else
			eo_str_addf(out, "%+.1f%%", 100 * e->change);
		eo_str_addf(out, " (%+.1f%% to %+.1f%%, %u pairs)\n",
			    100 * e->low, 100 * e->high, e->n);
	}
}

static void add_table(const struct eo_cover *c, struct eo_str *out)
{
	for (size_t i = 0; i < c->n; i++) {
		const struct eo_cover_entry *e = &c->items[i];
		const struct eo_plan_step *step = e->mail.step;

		for (size_t k = 0; k < step->n; k++) {
			const struct eo_finding *f = step->items[k];

			if (!k)
				eo_str_addf(out, "  %zu/%zu %s: %s()\n", i + 1,
					    c->n, f->file, f->function);
			else
				eo_str_addf(out, "      %s: %s()\n", f->file,
					    f->function);
			add_finding(f, out);
		}
		if (e->builds_on)
			eo_str_addf(out, INDENT "builds on: %u/%zu\n",
				    e->builds_on, c->n);
		add_cell(out, "checked", e->checked);
		if (e->mail.evidence)
			add_numbers(e->mail.evidence, out);
	}
	eo_str_addc(out, '\n');
}

/* In which order they can be applied. */
static void add_order(const struct eo_cover *c, struct eo_str *s)
{
	bool any = false;

	for (size_t i = 0; i < c->n; i++)
		any |= c->items[i].builds_on != 0;
	if (c->part_of)
		eo_str_addf(s, "%s ", c->part_of);
	if (c->n > 1)
		eo_str_add(s, any ? "Apart from those that build on another, "
				    "the patches apply in any order." :
				    "The patches do not depend on each other "
				    "and apply in any order.");
	if (c->n > 1 || c->part_of)
		eo_str_add(s, PARAGRAPH);
}

static bool is_measured(const struct eo_cover_entry *e)
{
	const struct eo_evidence *row;

	if (e->mail.evidence)
		eo_vec_for_each(row, e->mail.evidence)
			if (!row->distorting)
				return true;
	return false;
}

static void add_how_found(const struct eo_cover *c, struct eo_str *s)
{
	unsigned engines = ~0u;
	size_t measured = 0;

	for (size_t i = 0; i < c->n; i++) {
		engines &= first(&c->items[i])->engines;
		measured += is_measured(&c->items[i]);
	}
	eo_str_addf(s, "Found with earlyout %s in a scan of Linux %s",
		    c->run->tool_version, c->run->version);
	if (c->run->revision)
		eo_str_addf(s, " (%.12s)", c->run->revision);
	eo_str_add(s, ", which looks for calls whose result a path never uses");
	if (engines == (EO_ENGINE_CLANG | EO_ENGINE_SMPL))
		eo_str_add(s, "; an analysis of the control flow and a "
			      "semantic patch both report each site");
	eo_str_addf(s, ". %s made by a program",
		    c->n == 1 ? "The patch was" : "The patches were");
	if (!measured)
		eo_str_add(s, ", and not measured yet");
	else if (measured < c->n)
		eo_str_add(s, "; those without numbers were not measured yet");
	eo_str_add(s, "." PARAGRAPH);
}

/* The files that the patches change; those of the findings, without them. */
static void collect_files(const struct eo_cover *c, struct eo_map *files)
{
	for (size_t i = 0; i < c->n; i++) {
		const struct eo_mail *m = &c->items[i].mail;

		for (size_t k = 0; m->change && k < m->change->files.n; k++)
			eo_set_add(files, m->change->files.items[k].file);
		if (!m->change)
			eo_set_add(files, first(&c->items[i])->file);
	}
}

static void add_ids(const struct eo_cover *c, struct eo_str *s)
{
	size_t n = 0;

	for (size_t i = 0; i < c->n; i++) {
		const struct eo_plan_step *step = c->items[i].mail.step;

		for (size_t k = 0; k < step->n; k++, n++)
			eo_str_addf(s, "%s%s", n % 3 ? " " : "\n    ",
				    step->items[k]->id);
	}
	eo_str_addc(s, '\n');
}

/* The objects that the patches change, each once. */
static void add_how_to_check(const struct eo_cover *c, struct eo_str *s)
{
	EO_CLEANUP(eo_map_release) struct eo_map files = { 0 };
	EO_CLEANUP(eo_freep)
	char *v = c->version > 1 ? eo_asprintf("v%u-", c->version) :
				   eo_strdup("");
	struct eo_map_entry *e;

	collect_files(c, &files);
	eo_str_addf(s, "To check %s:" PARAGRAPH, c->n == 1 ? "it" : "them");
	for (size_t i = 0; i < 2; i++) {
		eo_str_addf(s, "  %s ",
			    i ? "scripts/checkpatch.pl --strict" : "git am");
		if (c->n == 1)
			eo_str_addf(s, "%s0001-*.patch\n", v);
		else
			eo_str_addf(s,
				    "$(ls %s0*.patch | grep -v cover-letter)\n",
				    v);
	}
	eo_map_for_each(e, &files)
		if (eo_ends_with(e->key, ".c"))
			eo_str_addf(s, "  make W=1 %.*so\n",
				    (int)strlen(e->key) - 1, e->key);
	eo_str_add(s, "  earlyout scan        # no longer reports:");
	add_ids(c, s);
}

void eo_mail_cover(const struct eo_cover *c, struct eo_str *out)
{
	EO_CLEANUP(eo_str_release) struct eo_str s = { 0 };

	add_subject(c, out);
	add_what(c, &s);
	eo_str_add(&s, PARAGRAPH);
	if (c->changes)
		eo_str_addf(&s, "%s" PARAGRAPH, c->changes);
	add_table(c, &s);
	add_order(c, &s);
	add_how_found(c, &s);
	add_how_to_check(c, &s);
	eo_fill(out, eo_str_get(&s), EO_MAIL_WIDTH);
}
