// SPDX-License-Identifier: GPL-2.0-only
/* The next version of a series: what has changed since the last one. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "reports/draft.h"
#include "reports/series.h"

/* A line of range-diff: "1:  0123abc ! 2:  4567def subject", 0 for "-". */
struct pair {
	unsigned old, new;
	char how; /* '=', '!', '<', '>' */
	char *subject;
};

static const char *read_number(const char *p, unsigned *out)
{
	char *end = (char *)p + 1;

	*out = 0;
	if (*p != '-')
		*out = (unsigned)strtoul(p, &end, 10);
	return *end == ':' ? end + 1 : NULL;
}

static const char *skip_word(const char *p)
{
	p += strspn(p, " ");
	return p + strcspn(p, " \n");
}

static bool read_pair(const char *line, struct pair *out)
{
	const char *p = read_number(line + strspn(line, " "), &out->old);

	if (!p)
		return false;
	p = skip_word(p);
	p += strspn(p, " ");
	out->how = *p;
	if (!strchr("=!<>", *p) || p[1] != ' ')
		return false;
	p = read_number(p + 1 + strspn(p + 1, " "), &out->new);
	if (!p)
		return false;
	p = skip_word(p);
	p += strspn(p, " ");
	out->subject = eo_strndup(p, strcspn(p, "\n"));
	return true;
}

/* A diff without what depends on the rest of the file. The caller frees. */
static char *changed_lines(const char *diff)
{
	struct eo_str out = { 0 };

	while (diff && *diff) {
		size_t n = strcspn(diff, "\n");

		if (*diff == '+' || *diff == '-')
			eo_str_addf(&out, "%.*s\n", (int)n, diff);
		diff += n + (diff[n] == '\n');
	}
	return eo_str_take(&out);
}

/* Of a patch that was there before: what about it is another. */
static const char *how_changed(const struct eo_series *old,
			       const struct pair *p,
			       const struct eo_draft_step *s)
{
	EO_CLEANUP(eo_freep) char *before = NULL, *after = NULL;

	if (p->how == '=')
		return "no change";
	if (!p->old || p->old > old->n)
		return "changed";
	before = changed_lines(old->items[p->old - 1].diff);
	after = changed_lines(s->diff);
	return eo_streq(before, after) ? "only the message has changed" :
					 "the code has changed";
}

static void add_pair(const struct eo_series *old, struct eo_draft *d,
		     const struct pair *p, struct eo_str *s)
{
	struct eo_draft_step *step =
		p->new && p->new <= d->n ? &d->items[p->new - 1] : NULL;
	const char *how;

	if (!step) {
		eo_str_addf(s, "  dropped: %s\n", p->subject);
		return;
	}
	how = p->how == '>' ? "new" : how_changed(old, p, step);
	step->since = eo_strdup(how);
	eo_str_addf(s, "  %u/%zu: %s\n", p->new, d->n, how);
}

/* "Changes since v1:", then a line for each patch, and what people say. */
static void describe(struct eo_draft *d, const struct eo_series *old,
		     const char *summary, const char *note, struct eo_str *s)
{
	eo_str_addf(s, "Changes since v%u:\n\n", d->version - 1);
	if (note)
		eo_str_addf(s, "%s\n\n", note);
	while (*summary) {
		struct pair p = { 0 };

		if (read_pair(summary, &p))
			add_pair(old, d, &p, s);
		free(p.subject);
		summary += strcspn(summary, "\n");
		summary += *summary == '\n';
	}
	if (d->base && old->base && !eo_streq(d->base, old->base))
		eo_str_addf(s, "  rebased from %.12s to %.12s\n", old->base,
			    d->base);
	if (old->changes)
		eo_str_addf(s, "\n%s", old->changes);
}

/* The old commits beside the new ones; and what git says of both. */
static struct eo_error *compare(struct eo_writer *w, struct eo_draft *d,
				const struct eo_series *old)
{
	EO_CLEANUP(eo_str_release) struct eo_str summary = { 0 }, full = { 0 };
	EO_CLEANUP(eo_str_release) struct eo_str changes = { 0 };

	if (old->bundle) {
		eo_try(eo_scratch_unpack(&d->scratch, old->bundle,
					 old->bundle_len));
		eo_try(eo_scratch_range_diff(&d->scratch, false, &summary));
		eo_try(eo_scratch_range_diff(&d->scratch, true, &full));
		d->range_diff = eo_str_take(&full);
		d->has_range = true;
	} else {
		eo_str_addf(
			w->warnings,
			"v%u is from an older earlyout, which did not keep its commits: no range-diff\n",
			old->version);
	}
	describe(d, old, eo_str_get(&summary), w->opts->note, &changes);
	d->changes = eo_str_take(&changes);
	return NULL;
}

struct eo_error *eo_draft_reroll(struct eo_writer *w, struct eo_draft *d)
{
	EO_CLEANUP(eo_arena_release) struct eo_arena arena = { 0 };
	struct eo_series old;

	d->version = 1;
	if (!w->opts->reroll)
		return NULL;
	eo_try(eo_db_get_last_version(w->db, w->run->root, d->name, &arena,
				      &old));
	if (!old.id) {
		eo_str_addf(
			w->warnings,
			"no series%s%s was written before: this is its first version\n",
			*d->name ? " " : "", d->name);
		return NULL;
	}
	d->version = old.version + 1;
	d->rerolls = old.id;
	return compare(w, d, &old);
}
