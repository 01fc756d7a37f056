// SPDX-License-Identifier: GPL-2.0-only
/* Which patch goes into which series. */
#include <ctype.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "finding/finding.h"
#include "reports/draft.h"

static const char *file_of(const struct eo_plan_step *p)
{
	return p->items[0]->file;
}

/*
 * A title of MAINTAINERS as a folder: its short form when it has one behind
 * it, "MEMORY RESOURCE CONTROLLER (MEMCG)" is "memcg". The caller frees.
 */
static char *folder_of(const char *title)
{
	const char *open = strrchr(title, '(');
	const char *close = open ? strchr(open, ')') : NULL;
	struct eo_str out = { 0 };

	if (close && close > open + 1 && !close[1])
		title = open + 1;
	for (; *title && title != close; title++) {
		if (isalnum((unsigned char)*title) || *title == '_')
			eo_str_addc(&out, (char)tolower((unsigned char)*title));
		else if (out.len && out.s[out.len - 1] != '-')
			eo_str_addc(&out, '-');
	}
	while (out.len && out.s[out.len - 1] == '-')
		out.s[--out.len] = '\0';
	if (!out.len)
		eo_str_add(&out, "rest");
	return eo_str_take(&out);
}

/* Where MAINTAINERS knows nothing, the folder of the file says most. */
static struct eo_error *subsystem(const struct eo_writer *w, const char *file,
				  char **name, char **title)
{
	EO_CLEANUP(eo_freep) char *dir = NULL;

	eo_try(eo_recipients_subsystem(w->tree, file, title));
	if (*title) {
		*name = folder_of(*title);
		return NULL;
	}
	dir = eo_strndup(file, strcspn(file, "/"));
	*name = folder_of(strchr(file, '/') ? dir : "rest");
	return NULL;
}

static struct eo_draft *by_name(struct eo_drafts *list, const char *name)
{
	struct eo_draft *d;

	eo_vec_for_each(d, list)
		if (eo_streq(d->name, name))
			return d;
	return NULL;
}

/* Sorts the patches by subsystem; all into one when there is no splitting. */
static struct eo_error *sort_out(const struct eo_writer *w,
				 const struct eo_plan *plan, bool split,
				 struct eo_drafts *out)
{
	for (size_t i = 0; i < plan->n; i++) {
		EO_CLEANUP(eo_freep) char *name = NULL, *title = NULL;
		struct eo_draft *d;

		if (split)
			eo_try(subsystem(w, file_of(&plan->items[i]), &name,
					 &title));
		else
			name = eo_strdup("");
		d = by_name(out, name);
		if (!d) {
			d = eo_vec_push(out);
			d->name = name;
			d->title = title;
			name = title = NULL;
		}
		*eo_vec_push(&d->plan) = &plan->items[i];
	}
	return NULL;
}

static bool shares_file(const struct eo_plan_step *a,
			const struct eo_plan_step *b)
{
	for (size_t i = 0; i < a->n; i++)
		for (size_t k = 0; k < b->n; k++)
			if (eo_streq(a->items[i]->file, b->items[k]->file))
				return true;
	return false;
}

/*
 * Brings together what touches the same files: each patch, in order, followed
 * by those that share a file with it or with one of those.
 */
static void bring_together(struct eo_draft *d, bool *begins)
{
	const struct eo_plan_step **all = d->plan.items;
	size_t n = d->plan.n;
	const struct eo_plan_step **sorted =
		eo_alloc((n + 1) * sizeof(*sorted));
	bool *taken = eo_zalloc(n + 1);
	size_t done = 0;

	for (size_t i = 0; i < n; i++) {
		size_t first = done;

		if (taken[i])
			continue;
		begins[done] = true;
		sorted[done++] = all[i];
		taken[i] = true;
		for (size_t k = first; k < done; k++)
			for (size_t j = 0; j < n; j++)
				if (!taken[j] &&
				    shares_file(sorted[k], all[j])) {
					taken[j] = true;
					sorted[done++] = all[j];
				}
	}
	memcpy(all, sorted, n * sizeof(*all));
	eo_freep(&sorted);
	eo_freep(&taken);
}

/* How many of the patches from @at on go into one series. */
static size_t take(const bool *begins, size_t at, size_t n)
{
	size_t end = at;

	while (end < n) {
		size_t next = end + 1;

		while (next < n && !begins[next])
			next++;
		if (next - at > EO_SERIES_MAX)
			break;
		end = next;
	}
	if (end == at)
		end = n - at > EO_SERIES_MAX ? at + EO_SERIES_MAX : n;
	return end - at;
}

/* @whole is what part @nth of a series that was too long is made of. */
static void add_part(const struct eo_draft *whole, size_t at, size_t n,
		     unsigned nth, bool on_top, struct eo_drafts *out)
{
	struct eo_draft *d = eo_vec_push(out);

	d->name = *whole->name ? eo_asprintf("%s-%u", whole->name, nth) :
				 eo_asprintf("part-%u", nth);
	d->title = whole->title ? eo_strdup(whole->title) : NULL;
	d->on_top = on_top;
	for (size_t i = at; i < at + n; i++)
		*eo_vec_push(&d->plan) = whole->plan.items[i];
}

static void cut_one(struct eo_draft *whole, struct eo_drafts *out)
{
	bool *begins = eo_zalloc(whole->plan.n + 1);
	unsigned nth = 0;
	size_t n;

	bring_together(whole, begins);
	for (size_t at = 0; at < whole->plan.n; at += n) {
		n = take(begins, at, whole->plan.n);
		add_part(whole, at, n, ++nth, !begins[at], out);
	}
	eo_freep(&begins);
}

struct eo_error *eo_draft_cut(const struct eo_writer *w,
			      const struct eo_plan *plan, bool split,
			      struct eo_drafts *out)
{
	struct eo_drafts whole = { 0 };
	struct eo_error *err = sort_out(w, plan, split, &whole);
	struct eo_draft *d;

	eo_vec_for_each(d, &whole) {
		if (!err && d->plan.n > EO_SERIES_MAX) {
			cut_one(d, out);
			eo_draft_release(d);
		} else {
			*(struct eo_draft *)eo_vec_push(out) = *d;
		}
	}
	eo_freep(&whole.items);
	eo_vec_for_each(d, out)
		if (d->on_top)
			d->after = d - 1;
	return err;
}
