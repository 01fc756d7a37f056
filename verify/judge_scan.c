// SPDX-License-Identifier: GPL-2.0-only
/* Is a finding gone, and if so: by proof, or by shape only? */
#include <ctype.h>
#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "finding/finding.h"
#include "verify/apply.h"
#include "verify/checks.h"
#include "verify/input.h"
#include "verify/judge.h"
#include "verify/state.h"

enum fate {
	STAYS,
	GONE, /* and there is a proof */
	HIDDEN, /* the same work is there under another name */
	BY_SHAPE, /* gone, but what came cannot be followed */
};

struct verdict {
	enum fate fate;
	struct eo_str why;
};

/* The source has a macro raw_x() for what is called _raw_x(). */
static const char *as_written(const char *name)
{
	return name + strspn(name, "_");
}

static const char *work_of(const struct eo_finding *f)
{
	return f->ends_in ? f->ends_in : f->call;
}

static const struct eo_finding *find_id(const struct eo_findings *list,
					const char *id)
{
	const struct eo_finding *f;

	eo_vec_for_each(f, list)
		if (!strcmp(f->id, id))
			return f;
	return NULL;
}

static bool same_place(const struct eo_finding *a, const struct eo_finding *b)
{
	return eo_streq(a->file, b->file) &&
	       eo_streq(a->function, b->function) &&
	       eo_streq(work_of(a), work_of(b));
}

/* A new finding of the same work in the same function, or in a new function
 * of the file. */
static const struct eo_finding *heir(const struct eo_finding *f,
				     const struct eo_state *before,
				     const struct eo_state *after)
{
	const struct eo_finding *it;

	eo_vec_for_each(it, &after->scan.found)
		if (!find_id(&before->scan.found, it->id) &&
		    eo_streq(it->file, f->file) &&
		    eo_streq(work_of(it), work_of(f)) &&
		    (same_place(it, f) || eo_streq(it->rule, f->rule)))
			return it;
	return NULL;
}

/* The analysis looked at the call and says why it is none any more. */
static const struct eo_obligation *proof(const struct eo_finding *f,
					 const struct eo_state *after)
{
	const struct eo_finding *r;

	eo_vec_for_each(r, &after->scan.rejected) {
		if (!same_place(r, f) || !eo_streq(r->rule, f->rule))
			continue;
		for (size_t i = 0; i < r->obligations.n; i++)
			if (r->obligations.items[i].state == EO_PROOF_FAILED)
				return &r->obligations.items[i];
	}
	return NULL;
}

/* The body of @function in @text: the kernel's style has its closing brace
 * alone in the first column. NULL: not there. */
static char *body_of(const char *text, const char *function)
{
	size_t n = strlen(function);

	for (const char *p = text; (p = strstr(p, function)); p += n) {
		const char *end, *open = strstr(p, "\n{");
		const char *semi = strchr(p, ';');

		if ((p > text && eo_is_ident(p[-1])) || p[n] != '(' || !open ||
		    (semi && semi < open))
			continue;
		end = strstr(open, "\n}");
		return eo_strndup(open,
				  end ? (size_t)(end - open) : strlen(open));
	}
	return NULL;
}

static void add_calls(const char *body, struct eo_map *out)
{
	for (const char *p = body; *p;) {
		size_t n = 0;

		while (eo_is_ident(p[n]))
			n++;
		if (n && p[n] == '(' && !isdigit((unsigned char)*p)) {
			EO_CLEANUP(eo_freep) char *name = eo_strndup(p, n);

			eo_set_add(out, name);
		}
		p += n ? n : 1;
	}
}

static const char *new_text(const struct eo_applied *patch, const char *file)
{
	const struct eo_touched *t;

	eo_vec_for_each(t, &patch->files)
		if (eo_streq(t->file, file))
			return t->text;
	return NULL;
}

static bool is_keyword(const char *name)
{
	static const char *const words[] = { "if",     "for",	 "while",
					     "switch", "return", "sizeof" };

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (!strcmp(words[i], name))
			return true;
	return false;
}

/* No call of the kind is left in the function: what came in its place? */
static void follow(const struct eo_finding *f, const struct eo_applied *patch,
		   struct verdict *v)
{
	EO_CLEANUP(eo_map_release) struct eo_map old = { 0 }, now = { 0 };
	const char *text = new_text(patch, f->file);
	EO_CLEANUP(eo_freep)
	char *body = text ? body_of(text, f->function) : NULL;
	const struct eo_map_entry *e;

	v->fate = GONE;
	if (!body) {
		eo_str_addf(&v->why, "%s() is gone", f->function);
		return;
	}
	add_calls(f->source ? f->source : "", &old);
	add_calls(body, &now);
	/* behind a false #if, say: not seen is not gone */
	if (eo_map_has(&now, f->call) ||
	    eo_map_has(&now, as_written(f->call))) {
		v->fate = BY_SHAPE;
		eo_str_addf(&v->why,
			    "%s() still has the call, where it was not judged",
			    f->function);
		return;
	}
	eo_map_for_each(e, &now) {
		EO_CLEANUP(eo_freep) char *inner = NULL;

		if (eo_map_has(&old, e->key) || is_keyword(e->key))
			continue;
		inner = body_of(text, e->key);
		if (inner && !strstr(inner, as_written(work_of(f))))
			continue;
		v->fate = inner ? HIDDEN : BY_SHAPE;
		eo_str_addf(
			&v->why,
			inner ? "%s() now does it for %s()" :
				"%s(), which %s() now calls, could not be followed",
			e->key, f->function);
		return;
	}
	eo_str_addf(&v->why,
		    "%s() no longer calls %s(), nor anything that does",
		    f->function, f->call);
}

static void decide(const struct eo_finding *f, const struct eo_applied *patch,
		   const struct eo_state *before, const struct eo_state *after,
		   struct verdict *v)
{
	const struct eo_obligation *o;
	const struct eo_finding *other;

	if (find_id(&after->scan.found, f->id)) {
		v->fate = STAYS;
		return;
	}
	o = proof(f, after);
	if (o) {
		v->fate = GONE;
		eo_str_addf(&v->why, "%s", o->detail);
		return;
	}
	other = heir(f, before, after);
	if (other) {
		v->fate = HIDDEN;
		eo_str_addf(&v->why,
			    "%s() at line %u does the same work for nothing",
			    other->call, other->line);
		return;
	}
	follow(f, patch, v);
}

static bool touches(const struct eo_applied *patch, const struct eo_finding *f)
{
	/* by the text: lines have moved */
	const char *text = new_text(patch, f->file);
	EO_CLEANUP(eo_freep)
	char *body = text ? body_of(text, f->function) : NULL;

	return body && f->source && !strstr(f->source, body);
}

/* What a message says of a finding's work. */
enum claim {
	NO_CLAIM,
	VAGUE, /* that something is saved */
	CLEAR, /* that this is: one sentence names it, or where it is */
};

static enum claim claim_in(const char *sentence, const struct eo_finding *f)
{
	static const char *const saves[] = {
		"early",     "skip",	   "avoid",	"needless",
		"unneeded",  "unnecessar", "redundant", "for nothing",
		"even when", "even if",
	};

	bool named = strstr(sentence, f->function) ||
		     strstr(sentence, as_written(f->call));

	for (size_t i = 0; i < sizeof(saves) / sizeof(saves[0]); i++)
		if (eo_find_word(sentence, saves[i]))
			return named ? CLEAR : VAGUE;
	return NO_CLAIM;
}

static bool ends_sentence(const char *p)
{
	return eo_starts_with(p, "\n\n") ||
	       (*p == '.' && isspace((unsigned char)p[1]));
}

/* The clearest that the message has; it may be about something else in the
 * same function, or move the work. */
static enum claim claim_of(const struct eo_mail *m, const struct eo_finding *f)
{
	enum claim best = claim_in(m->subject, f);
	const char *end;

	for (const char *p = m->message; *p; p = *end ? end + 1 : end) {
		EO_CLEANUP(eo_freep) char *sentence = NULL;
		enum claim c;

		for (end = p; *end && !ends_sentence(end);)
			end++;
		sentence = eo_strndup(p, (size_t)(end - p));
		c = claim_in(sentence, f);
		best = c > best ? c : best;
	}
	return best;
}

/* Whether a line of @diff that is not new has @name: it was there before. */
static bool was_there(const char *diff, const char *name)
{
	for (const char *p = diff; (p = eo_find_word(p, name)); p++) {
		const char *line = p;

		while (line > diff && line[-1] != '\n')
			line--;
		if (*line != '+')
			return true;
	}
	return false;
}

/*
 * The finding's function went into one that was there before: whoever says so
 * names it, and claims nothing of its work.
 */
static bool is_inlined(const struct eo_finding *f,
		       const struct eo_finding *heir,
		       const struct eo_applied *patch)
{
	const char *text = heir ? new_text(patch, f->file) : NULL;
	EO_CLEANUP(eo_freep)
	char *body = text ? body_of(text, f->function) : NULL;

	return text && !body && !eo_streq(heir->function, f->function) &&
	       was_there(patch->diff, heir->function);
}

/* What the scan before looked at and the one after did not, or NULL. */
static const struct eo_gap *new_gap(const struct eo_state *before,
				    const struct eo_state *after,
				    const char *file)
{
	const struct eo_gap *g;

	eo_vec_for_each(g, &after->scan.gaps)
		if ((!file || !*g->file || eo_streq(g->file, file)) &&
		    !eo_gaps_find(&before->scan.gaps, g->engine, g->file,
				  g->function))
			return g;
	return NULL;
}

/* A touched file that was not looked at, neither before nor after, or NULL. */
static const struct eo_gap *blind(const struct eo_what *w,
				  const struct eo_state *s)
{
	const struct eo_gap *g;

	eo_vec_for_each(g, &s->scan.gaps)
		if (!g->function && eo_map_has(w->touched, g->file))
			return g;
	return NULL;
}

struct tally {
	size_t gone, hidden, shape, new;
	size_t doubtful; /* hidden where nothing clear was claimed */
	struct eo_map heirs; /* ids: new, but of work that may only move */
	struct eo_str log;
};

/*
 * What is left of it, or hidden, breaks a clear promise. Without one it is said
 * all the same: by the words alone, who moves work and who hides it look alike.
 */
static void count_left(const struct eo_finding *f, enum claim claim,
		       const struct eo_state *before,
		       const struct eo_state *after, struct tally *t)
{
	const struct eo_finding *h = heir(f, before, after);

	t->hidden += claim == CLEAR;
	t->doubtful += claim != CLEAR;
	if (h && claim != CLEAR)
		eo_set_add(&t->heirs, h->id);
}

static const char *words_for(enum fate fate, enum claim claim)
{
	switch (fate) {
	case GONE:
		return "gone, by proof";
	case BY_SHAPE:
		return "gone by shape only";
	case HIDDEN:
		return claim == CLEAR ? "hidden, not fixed" :
					"hidden, not fixed, or only moved";
	default:
		return claim == CLEAR ?
			       "still there although the patch is about it: hidden, not fixed" :
			       "still there, and the patch may be about it";
	}
}

static void count(const struct eo_finding *f, const struct eo_mail *mail,
		  const struct eo_applied *patch, const struct eo_state *before,
		  const struct eo_state *after, size_t step,
		  struct eo_checks *out, struct tally *t)
{
	static const char *const fates[] = { "stays", "proved", "hidden",
					     "shape" };
	struct verdict v = { 0 };
	enum claim claim = claim_of(mail, f);

	/* what is not found where nobody looked is not gone */
	if (!find_id(&after->scan.found, f->id) &&
	    new_gap(before, after, f->file))
		return;
	decide(f, patch, before, after, &v);
	if (v.fate == HIDDEN && claim == CLEAR &&
	    is_inlined(f, heir(f, before, after), patch))
		claim = VAGUE;
	if (v.fate == STAYS && (claim == NO_CLAIM || !touches(patch, f)))
		return; /* it is about something else */
	t->gone += v.fate == GONE;
	t->shape += v.fate == BY_SHAPE;
	if (v.fate == STAYS || v.fate == HIDDEN)
		count_left(f, claim, before, after, t);
	eo_checks_became(out, step, f, fates[v.fate], eo_str_get(&v.why));
	eo_str_addf(&t->log, "%s: %s: %s %s: %s%s%s\n", f->file, f->function,
		    f->rule, f->id, words_for(v.fate, claim),
		    v.why.len ? ": " : "", eo_str_get(&v.why));
	eo_str_release(&v.why);
}

/* "1 gone by proof, 0 by shape only, …: the first line of the log" */
static void say(const struct tally *t, size_t step, enum eo_outcome v,
		struct eo_checks *out)
{
	EO_CLEANUP(eo_str_release) struct eo_str text = { 0 };
	const char *log = eo_str_get(&t->log);

	eo_str_addf(
		&text,
		"%zu gone by proof, %zu by shape only, %zu hidden and not fixed, ",
		t->gone, t->shape, t->hidden);
	if (t->doubtful)
		eo_str_addf(&text, "%zu perhaps, ", t->doubtful);
	eo_str_addf(&text, "%zu new%s%.*s", t->new, *log ? ": " : "",
		    (int)strcspn(log, "\n"), log);
	eo_checks_add(out, step, "scan", v, log, "%s", text.s);
}

void eo_judge_scan(const struct eo_what *w, size_t step,
		   const struct eo_mail *mail, const struct eo_applied *patch,
		   const struct eo_state *before, const struct eo_state *after,
		   struct eo_checks *out)
{
	struct tally t = { 0 };
	const struct eo_finding *f;
	const struct eo_gap *gap;
	enum eo_outcome v = EO_PASS;

	if (before->scan_problem || after->scan_problem) {
		eo_checks_add(out, step, "scan", EO_SKIPPED, "", "%s",
			      after->scan_problem ? after->scan_problem :
						    before->scan_problem);
		return;
	}
	eo_vec_for_each(f, &before->scan.found)
		eo_judge_return(step, f, patch, out);
	eo_vec_for_each(f, &before->scan.found)
		count(f, mail, patch, before, after, step, out, &t);
	eo_vec_for_each(f, &after->scan.found)
		if (!find_id(&before->scan.found, f->id) &&
		    !eo_map_has(&t.heirs, f->id) && f->confidence != EO_LOW) {
			t.new ++;
			eo_checks_became(out, step, f, "new", f->message);
			eo_str_addf(&t.log, "%s:%u: %s: new: %s\n", f->file,
				    f->line, f->rule, f->message);
		}
	gap = new_gap(before, after, NULL);
	if (!gap)
		gap = blind(w, before);
	if (t.hidden || t.new)
		v = EO_FAIL;
	else if (gap)
		v = EO_SKIPPED;
	else if (t.shape || t.doubtful)
		v = EO_WARN;
	if (v == EO_SKIPPED)
		eo_checks_add(out, step, "scan", v, eo_str_get(&t.log),
			      "%s was not looked at: %s: %s",
			      *gap->file ? gap->file : "all of it",
			      eo_gap_reason_name(gap->reason), gap->detail);
	else
		say(&t, step, v, out);
	eo_map_release(&t.heirs);
	eo_str_release(&t.log);
}
