// SPDX-License-Identifier: GPL-2.0-only
#include "reports/proposal.h"

#include <ctype.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "finding/finding.h"
#include "reports/escape.h"
#include "reports/fill.h"
#include "reports/mail.h"
#include "reports/outbox.h"
#include "rewrite/rewrite.h"

#define PARAGRAPH "\n\n"
/* As long as git makes its file names. */
#define NAME_MAX_LEN 52
/* Lines around a step that are shown of a long function. */
#define AROUND 6

char *eo_proposal_name(const char *subject, size_t nth)
{
	struct eo_str out = { 0 };
	size_t start;

	eo_str_addf(&out, "proposal-%04zu-", nth);
	start = out.len;
	for (const char *p = subject; *p && out.len - start < NAME_MAX_LEN; p++)
		if (isalnum((unsigned char)*p) || *p == '_')
			eo_str_addc(&out, *p);
		else if (out.s[out.len - 1] != '-')
			eo_str_addc(&out, '-');
	while (out.s[out.len - 1] == '-')
		out.s[--out.len] = '\0';
	eo_str_add(&out, ".txt");
	return eo_str_take(&out);
}

static void add_head(const struct eo_finding *f, const char *subject,
		     struct eo_str *out)
{
	eo_str_addf(out, "Proposal: %s\n", subject);
	eo_str_addf(out, "Where: %s:%u, %s()\n", f->file, f->line, f->function);
	eo_str_addf(out, "Confidence: %s\n", eo_confidence_name(f->confidence));
	eo_str_addf(out, EO_MAIL_MARK ": %s %s\n\n", f->rule, f->id);
}

static void add_strategies(const struct eo_finding *f, struct eo_str *s)
{
	size_t n;
	const struct eo_strategy *list = eo_rewrite_strategies(f->rule, &n);
	const char *why;

	for (size_t i = 0; i < n; i++) {
		if (!eo_rewrite_offers(&list[i], f, &why)) {
			if (why)
				eo_str_addf(s, PARAGRAPH "Not %s: %s.",
					    list[i].name, why);
			continue;
		}
		eo_str_addf(s, PARAGRAPH "%s%s: %s.", i ? "Or " : "",
			    list[i].name, list[i].what);
		eo_str_addf(s, " For it: %s Against it: %s", list[i].pros,
			    list[i].cons);
		if (list[i].on_word)
			eo_str_addf(
				s,
				" `earlyout patch --strategy %s` makes it, where %s is all that is not proved.",
				list[i].name, list[i].on_word);
	}
}

/* What decides is at the end of the list: what is not proved. */
static void add_obligations(const struct eo_finding *f, struct eo_str *s)
{
	eo_str_add(s, PARAGRAPH "No patch was made, because not all of this "
				"is proved:" PARAGRAPH);
	for (int state = EO_PROOF_PROVED; state <= EO_PROOF_FAILED; state++) {
		const struct eo_obligation *o;

		eo_vec_for_each(o, &f->obligations) {
			if ((int)o->state != state)
				continue;
			eo_str_addf(s, PARAGRAPH "%s: %s",
				    eo_proof_name(o->state), o->name);
			if (o->detail)
				eo_str_addf(s, ": %s", o->detail);
		}
	}
}

/* How far @line is from the next line that matters. */
static unsigned distance(const struct eo_finding *f, unsigned line)
{
	unsigned best = line - f->function_line;
	const struct eo_step *step;

	eo_vec_for_each(step, &f->steps) {
		unsigned d = line > step->line ? line - step->line :
						 step->line - line;

		best = d < best ? d : best;
	}
	if (line <= f->function_end && f->function_end - line < best)
		best = f->function_end - line;
	return best;
}

static void add_steps_at(const struct eo_finding *f, unsigned line,
			 struct eo_str *out)
{
	const struct eo_step *step;

	eo_vec_for_each(step, &f->steps) {
		EO_CLEANUP(eo_str_release) struct eo_str text = { 0 };

		if (step->line != line)
			continue;
		eo_add_line(&text, step->text);
		eo_str_addf(out, "        ^ %s: %s\n", step->kind,
			    eo_str_get(&text));
	}
}

/* The function with its line numbers, the steps below the lines they are of. */
static void add_source(const struct eo_finding *f, struct eo_str *out)
{
	const char *p = f->source ? f->source : "";
	unsigned line = f->function_line;
	bool gap = false;

	if (*p)
		eo_str_addf(out, "\n%s, from line %u:\n\n", f->file, line);
	for (; *p; line++) {
		size_t n = strcspn(p, "\n");
		bool far = distance(f, line) > AROUND;

		if (!far)
			eo_str_addf(out, "%c%6u\t%.*s\n",
				    line == f->line ? '>' : ' ', line, (int)n,
				    p);
		else if (!gap)
			eo_str_add(out, "        [...]\n");
		gap = far;
		add_steps_at(f, line, out);
		p += n + (p[n] == '\n');
	}
}

void eo_proposal_text(const struct eo_model *model, const struct eo_finding *f,
		      const char *subject, struct eo_str *out)
{
	const struct eo_finding *items[] = { f };
	const struct eo_plan_step step = {
		.items = items,
		.n = 1,
		.strategy = eo_rewrite_strategy(f->rule, NULL),
	};
	const struct eo_mail mail = { .model = model, .step = &step };
	EO_CLEANUP(eo_str_release) struct eo_str s = { 0 };

	add_head(f, subject, out);
	eo_mail_today(&mail, &s);
	add_strategies(f, &s);
	add_obligations(f, &s);
	eo_fill(out, eo_str_get(&s), EO_MAIL_WIDTH);
	add_source(f, out);
}
