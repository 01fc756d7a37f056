// SPDX-License-Identifier: GPL-2.0-only
#include "reports/mail.h"

#include <ctype.h>
#include <string.h>

#include "base/err.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/str.h"
#include "finding/finding.h"
#include "model/model.h"
#include "reports/fill.h"
#include "reports/subject.h"
#include "rewrite/rewrite.h"

#define PARAGRAPH "\n\n"

static const struct eo_finding *first(const struct eo_mail *m)
{
	return m->step->items[0];
}

/* Our scan's line numbers mean nothing in a mail. */
static bool names_a_line(const char *s)
{
	for (const char *p = s; (p = strstr(p, "line ")); p++)
		if (isdigit((unsigned char)p[5]) &&
		    (p == s || !eo_is_ident(p[-1])))
			return true;
	return false;
}

/* A word of English, which begins a sentence with a capital letter. */
static bool is_plain_word(const char *s)
{
	size_t n = 0;

	while (islower((unsigned char)s[n]))
		n++;
	return n && (s[n] == ' ' || s[n] == ',' || s[n] == '\0');
}

/* How much of @s can be said: clauses, until one that names a line. */
static size_t sayable(const char *s)
{
	size_t n = 0;

	while (s[n]) {
		const char *end = strstr(s + n + (n > 0), "; ");
		size_t to = end ? (size_t)(end - s) : strlen(s);
		EO_CLEANUP(eo_freep) char *clause = eo_strndup(s + n, to - n);

		if (names_a_line(clause))
			break;
		n = to;
	}
	return n;
}

void eo_mail_sentence(struct eo_str *s, const char *text)
{
	const char *rest;
	size_t n;
	char c;

	if (!text || !*text)
		return;
	if (eo_starts_with(text, "line ")) {
		rest = text + 5 + strspn(text + 5, "0123456789");
		if (eo_starts_with(rest, ": "))
			text = rest + 2;
	}
	n = sayable(text);
	if (!n)
		return;
	c = is_plain_word(text) ? (char)toupper((unsigned char)*text) : *text;
	eo_str_addc(s, c);
	eo_str_addn(s, text + 1, n - 1);
	eo_str_add(s, text[n - 1] == '.' ? " " : ". ");
}

/* A paragraph of what is in @part, when there is something. */
static void add_paragraph(struct eo_str *s, const struct eo_str *part)
{
	if (part->len)
		eo_str_addf(s, PARAGRAPH "%s", part->s);
}

/* Whoever made the change knows it best. */
static bool add_notes(const struct eo_mail *m, enum eo_note_kind kind,
		      struct eo_str *s)
{
	size_t before = s->len;

	for (size_t i = 0; m->change && i < m->change->notes.n; i++)
		if (m->change->notes.items[i].kind == kind)
			eo_mail_sentence(s, m->change->notes.items[i].text);
	return s->len > before;
}

/* Early returns before a walk have words of their own. */
static bool is_walk(const struct eo_mail *m)
{
	const struct eo_finding *f = first(m);

	return eo_streq(f->rule, "flush-before-walk") && f->guard && f->head &&
	       f->walk && f->result && m->step->n == 1;
}

static void add_early_return(const struct eo_finding *f, struct eo_str *s)
{
	bool value = *f->result != '\0';

	eo_str_addf(s, "Return %s%sbefore the call when %s says so. ",
		    f->result, value ? " " : "", f->guard);
	if (value)
		eo_str_add(s, "A walk that finds nothing ends in the same "
			      "return value, and has no effect either: ");
	else
		eo_str_add(s, "A walk that finds nothing has no effect: ");
	eo_str_addf(s, "the early return skips the call%s, nothing else. ",
		    eo_mail_has_step(f, "lock") ?
			    " and the lock around the walk" :
			    "");
}

static void add_change(const struct eo_mail *m, struct eo_str *s)
{
	EO_CLEANUP(eo_str_release) struct eo_str part = { 0 };

	if (!add_notes(m, EO_NOTE_CHANGE, &part)) {
		if (is_walk(m))
			add_early_return(first(m), &part);
		else if (m->step->strategy)
			eo_mail_sentence(&part, m->step->strategy->what);
	}
	add_paragraph(s, &part);
}

/* What the obligations are called in a sentence; NULL: as their detail says. */
static const struct {
	const char *name, *words;
} obligation_words[] = {
	/* These are said elsewhere. */
	{ "deferrable", "" },
	{ "unused-turn", "" },
	{ "one-field", "" },
	{ "old-counts", "" },
	{ "independent", "the test reads nothing that the call writes" },
	{ "available", "the test means the same before the call" },
	{ "known-before", "the condition means the same before the call" },
	{ "same-subject", "both calls are for the same thing" },
	{ "nothing-between", "nothing between the two gives it new work" },
};

static const char *words_of(const struct eo_obligation *o)
{
	for (size_t i = 0;
	     i < sizeof(obligation_words) / sizeof(obligation_words[0]); i++)
		if (eo_streq(obligation_words[i].name, o->name))
			return obligation_words[i].words;
	/* What that means was said at first. */
	if (eo_streq(o->name, "idle-path") && o->detail &&
	    strchr(o->detail, '('))
		return "";
	return o->detail;
}

/* Each proof is told once, though several findings have it. */
static void add_proofs(const struct eo_mail *m, enum eo_proof state,
		       struct eo_map *told, struct eo_str *s)
{
	for (size_t i = 0; i < m->step->n; i++) {
		const struct eo_obligation *o;

		eo_vec_for_each(o, &m->step->items[i]->obligations) {
			const char *words = state == EO_PROOF_PROVED ?
						    words_of(o) :
						    o->detail;

			if (o->state == state && words && *words &&
			    eo_set_add(told, words))
				eo_mail_sentence(s, words);
		}
	}
}

/* The obligations, in words; what is not proved is for the reader to judge. */
static void add_why_safe(const struct eo_mail *m, struct eo_str *s)
{
	EO_CLEANUP(eo_map_release) struct eo_map told = { 0 };
	EO_CLEANUP(eo_str_release) struct eo_str part = { 0 };
	EO_CLEANUP(eo_str_release) struct eo_str open = { 0 };

	if (!is_walk(m))
		add_proofs(m, EO_PROOF_PROVED, &told, &part);
	add_notes(m, EO_NOTE_SAFE, &part);
	add_paragraph(s, &part);
	add_proofs(m, EO_PROOF_ASSUMED, &told, &open);
	add_proofs(m, EO_PROOF_UNKNOWN, &told, &open);
	if (open.len)
		eo_str_addf(s,
			    PARAGRAPH "Not proved, for a reviewer to judge: %s",
			    open.s);
}

/* What becomes of the work that is not done. */
static const char *lost(const struct eo_mail *m)
{
	const struct eo_finding *f = first(m);
	const struct eo_model_call *call = eo_model_call(m->model, f->call);

	if ((!call || call->ends_in) && f->ends_in)
		call = eo_model_call(m->model, f->ends_in);
	return call && call->kind == EO_CALL_DEFERRABLE ? call->lost : NULL;
}

static void add_walk_race(const struct eo_mail *m, struct eo_str *s)
{
	const struct eo_finding *f = first(m);
	EO_CLEANUP(eo_freep) char *head = eo_head_name(f->head);
	EO_CLEANUP(eo_freep)
	char *test = eo_strndup(f->guard, strcspn(f->guard, "("));
	const char *safe = eo_map_get(&m->model->tests, test);

	if (eo_mail_has_step(f, "lock") && safe)
		eo_str_addf(s, "The test takes no lock: %s() %s. ", test, safe);
	eo_str_addf(s,
		    "An entry that is added to %s after the test is seen by "
		    "the next reader, as if it had been added right after the "
		    "walk. ",
		    head);
}

/* True of every fix of the rule, whoever makes it. */
static const char *race_of_rule(const char *rule)
{
	static const char *const races[][2] = {
		{ "flush-before-check",
		  "What the test looks at may change between the call's old place and its new one: then it decides as if all had run a moment earlier." },
		{ "work-before-check",
		  "What the test looks at may change between the call's old place and its new one: then it decides as if all had run a moment earlier." },
		{ "flush-repeated",
		  "What comes in between the two calls waits for the next one." },
		{ "flush-in-loop",
		  "What comes in while the loop runs waits for the next call." },
	};

	for (size_t i = 0; i < sizeof(races) / sizeof(races[0]); i++)
		if (eo_streq(races[i][0], rule))
			return races[i][1];
	return NULL;
}

static void add_race(const struct eo_mail *m, struct eo_str *s)
{
	EO_CLEANUP(eo_str_release) struct eo_str part = { 0 };

	if (!add_notes(m, EO_NOTE_RACE, &part)) {
		if (is_walk(m))
			add_walk_race(m, &part);
		else
			eo_mail_sentence(&part, race_of_rule(first(m)->rule));
	}
	if (lost(m))
		eo_str_addf(&part, "No update is lost: %s.", lost(m));
	add_paragraph(s, &part);
}

/* What is otherwise than before, and what it costs where it does not help. */
static void add_price(const struct eo_mail *m, struct eo_str *s)
{
	EO_CLEANUP(eo_str_release) struct eo_str part = { 0 };

	add_notes(m, EO_NOTE_VALUE, &part);
	if (is_walk(m)) {
		EO_CLEANUP(eo_freep) char *head = eo_head_name(first(m)->head);

		eo_str_addf(&part,
			    "When %s is not empty, the test costs one load "
			    "and one branch.",
			    head);
	} else if (!part.len && m->step->strategy) {
		eo_mail_sentence(&part, m->step->strategy->cons);
	}
	add_paragraph(s, &part);
}

void eo_mail_body(const struct eo_mail *m, struct eo_str *out)
{
	EO_CLEANUP(eo_str_release) struct eo_str s = { 0 };

	eo_mail_today(m, &s);
	add_change(m, &s);
	add_why_safe(m, &s);
	add_race(m, &s);
	add_price(m, &s);
	if (m->evidence)
		eo_mail_numbers(m->evidence, &s);
	eo_fill(out, eo_str_get(&s), EO_MAIL_WIDTH);
}
