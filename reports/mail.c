// SPDX-License-Identifier: GPL-2.0-only
#include "reports/mail.h"

#include <stdbool.h>
#include <string.h>

#include "base/err.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/str.h"
#include "db/db.h"
#include "finding/finding.h"
#include "model/model.h"
#include "reports/fill.h"
#include "reports/subject.h"

#define PARAGRAPH "\n\n"
#define INDENT "      "

static bool has_step(const struct eo_finding *f, const char *kind)
{
	for (size_t i = 0; i < f->steps.n; i++)
		if (eo_streq(f->steps.items[i].kind, kind))
			return true;
	return false;
}

/* The modelled call whose cost @f is about: f->call, or what it ends in. */
static const struct eo_model_call *costly_call(const struct eo_model *model,
					       const struct eo_finding *f)
{
	const struct eo_model_call *call = eo_model_call(model, f->call);

	if (!call || call->ends_in)
		call = eo_model_call(model, f->ends_in);
	return call;
}

static void add_needless_work(const struct eo_finding *f,
			      const struct eo_model_call *call,
			      const char *head, struct eo_str *s)
{
	eo_str_addf(s, "%s() calls %s() and then walks %s with %s()",
		    f->function, f->call, head, f->walk);
	eo_str_add(s, ". The walk is all that uses what the call brings up to "
		      "date. ");
	if (!call || !call->cost)
		eo_str_addf(s, "%s() is called", f->call);
	else if (eo_streq(call->name, f->call))
		eo_str_addf(s, "%s() %s", f->call, call->cost);
	else
		eo_str_addf(s, "%s() ends in %s(), which %s", f->call,
			    call->name, call->cost);
	eo_str_addf(s, ", even when %s is empty and there is nothing to walk.",
		    head);
}

static void add_fix(const struct eo_finding *f, struct eo_str *s)
{
	bool value = *f->result != '\0';

	eo_str_addf(s, PARAGRAPH "Return %s%sbefore the call when %s says so. ",
		    f->result, value ? " " : "", f->guard);
	if (value)
		eo_str_add(s, "A walk that finds nothing ends in the same "
			      "return value, and has no effect either: ");
	else
		eo_str_add(s, "A walk that finds nothing has no effect: ");
	eo_str_addf(s, "the early return skips the call%s, nothing else.",
		    has_step(f, "lock") ? " and the lock around the walk" : "");
}

static void add_race(const struct eo_model *model, const struct eo_finding *f,
		     const struct eo_model_call *call, const char *head,
		     struct eo_str *s)
{
	EO_CLEANUP(eo_freep)
	char *test = eo_strndup(f->guard, strcspn(f->guard, "("));
	const char *safe = eo_map_get(&model->tests, test);

	eo_str_add(s, PARAGRAPH);
	if (has_step(f, "lock") && safe)
		eo_str_addf(s, "The test takes no lock: %s() %s. ", test, safe);
	eo_str_addf(s,
		    "An entry that is added to %s after the test is seen by "
		    "the next reader, as if it had been added right after the "
		    "walk.",
		    head);
	if (call && call->lost)
		eo_str_addf(s, " No update is lost: %s.", call->lost);
}

bool eo_mail_can_tell(const struct eo_finding *f)
{
	return f->guard && f->head && f->walk && f->result;
}

void eo_mail_body(const struct eo_model *model, const struct eo_finding *f,
		  struct eo_str *out)
{
	const struct eo_model_call *call = costly_call(model, f);
	EO_CLEANUP(eo_freep) char *head = eo_head_name(f->head);
	EO_CLEANUP(eo_str_release) struct eo_str s = { 0 };

	add_needless_work(f, call, head, &s);
	add_fix(f, &s);
	add_race(model, f, call, head, &s);
	eo_str_addf(&s,
		    PARAGRAPH "When %s is not empty, the test costs one load "
			      "and one branch.",
		    head);
	eo_fill(out, eo_str_get(&s), EO_MAIL_WIDTH);
}

static void add_cover_subject(const struct eo_cover_entry *list, size_t n,
			      struct eo_str *out)
{
	bool same = true;

	for (size_t i = 1; i < n; i++)
		same = same && eo_streq(list[i].prefix, list[0].prefix);
	if (same)
		eo_str_addf(out, "%s: skip ", list[0].prefix);
	else
		eo_str_add(out, "Skip ");
	eo_str_addf(out, "%s that nothing uses" PARAGRAPH,
		    n == 1 ? "an expensive call" : "expensive calls");
}

/* "      proved: independent, early-path": a line for each state there is. */
static void add_proof(const struct eo_finding *f, struct eo_str *out)
{
	for (int state = EO_PROOF_PROVED; state <= EO_PROOF_FAILED; state++) {
		const char *name = eo_proof_name((enum eo_proof)state);
		size_t column = 0;
		struct eo_obligation *o;

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

static void add_table(const struct eo_cover_entry *list, size_t n,
		      struct eo_str *out)
{
	for (size_t i = 0; i < n; i++) {
		const struct eo_finding *f = list[i].finding;

		eo_str_addf(out, "  %zu/%zu %s: %s()\n", i + 1, n, f->file,
			    f->function);
		eo_str_addf(out, INDENT "%s: %s()\n", f->rule, f->call);
		eo_str_addf(out, INDENT "test: %s\n", f->guard);
		add_proof(f, out);
	}
	eo_str_addc(out, '\n');
}

static void add_how_found(const struct eo_run *run,
			  const struct eo_cover_entry *list, size_t n,
			  struct eo_str *s)
{
	unsigned engines = ~0u;

	for (size_t i = 0; i < n; i++)
		engines &= list[i].finding->engines;
	eo_str_addf(s, "Found with earlyout %s in a scan of Linux %s",
		    run->tool_version, run->version);
	if (run->revision)
		eo_str_addf(s, " (%.12s)", run->revision);
	eo_str_addf(s,
		    ", which looks for calls whose result a path never uses");
	if (engines == (EO_ENGINE_CLANG | EO_ENGINE_SMPL))
		eo_str_add(s, "; an analysis of the control flow and a "
			      "semantic patch both report each site");
	eo_str_add(s, ". ");
	eo_str_addf(
		s,
		"%s made by a semantic patch, and not measured yet." PARAGRAPH,
		n == 1 ? "The patch was" : "The patches were");
}

/* The objects that the patches change, each once. */
static void add_how_to_check(const struct eo_cover_entry *list, size_t n,
			     struct eo_str *s)
{
	struct eo_map files = { 0 };
	struct eo_map_entry *e;

	for (size_t i = 0; i < n; i++)
		eo_set_add(&files, list[i].finding->file);
	eo_str_addf(s, "To check %s:" PARAGRAPH, n == 1 ? "it" : "them");
	for (size_t i = 0; i < 2; i++)
		eo_str_addf(s, "  %s %s\n",
			    i ? "scripts/checkpatch.pl --strict" : "git am",
			    n == 1 ? "0001-*.patch" :
				     "$(ls 0*.patch | grep -v cover-letter)");
	eo_map_for_each(e, &files)
		eo_str_addf(s, "  make W=1 %.*so\n", (int)strlen(e->key) - 1,
			    e->key);
	eo_str_add(s, "  earlyout scan        # no longer reports:");
	for (size_t i = 0; i < n; i++)
		eo_str_addf(s, "%s%s", i % 3 ? " " : "\n    ",
			    list[i].finding->id);
	eo_str_addc(s, '\n');
	eo_map_release(&files);
}

void eo_mail_cover(const struct eo_run *run, const struct eo_cover_entry *list,
		   size_t n, struct eo_str *out)
{
	EO_CLEANUP(eo_str_release) struct eo_str s = { 0 };

	add_cover_subject(list, n, out);
	if (n == 1)
		eo_str_addf(&s, "%s() makes", list[0].finding->function);
	else
		eo_str_add(&s, "Each of the functions below makes");
	eo_str_addf(&s,
		    " an expensive call for the sake of a walk over a list, "
		    "even when the list is empty and the call is for nothing. "
		    "%s tests for that first and returns early." PARAGRAPH,
		    n == 1 ? "The patch" : "Each patch");
	add_table(list, n, &s);
	add_how_found(run, list, n, &s);
	add_how_to_check(list, n, &s);
	eo_fill(out, eo_str_get(&s), EO_MAIL_WIDTH);
}
