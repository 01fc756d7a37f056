// SPDX-License-Identifier: GPL-2.0-only
#include "verify/order.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "verify/input.h"

/* "v2", "2/5" among the words of a tag. */
static void read_word(const char *w, size_t n, struct eo_mail *m)
{
	unsigned a, b;
	char word[32], more;

	if (n >= sizeof(word))
		return;
	memcpy(word, w, n);
	word[n] = '\0';
	if (sscanf(word, "%u/%u%c", &a, &b, &more) == 2 && b) {
		m->number = a;
		m->total = b;
	} else if ((*word == 'v' || *word == 'V') &&
		   sscanf(word + 1, "%u%c", &a, &more) == 1 && a) {
		m->version = a;
	} else {
		/* "PATCHv3" */
		const char *v = strcasestr(word, "patchv");

		if (v && sscanf(v + 6, "%u%c", &a, &more) == 1 && a)
			m->version = a;
	}
}

static void read_tag(const char *p, size_t n, struct eo_mail *m)
{
	for (size_t i = 0; i < n;) {
		size_t len;

		while (i < n && (p[i] == ' ' || p[i] == ','))
			i++;
		for (len = 0;
		     i + len < n && p[i + len] != ' ' && p[i + len] != ',';)
			len++;
		read_word(p + i, len, m);
		i += len;
	}
}

void eo_order_subject(struct eo_arena *a, const char *subject,
		      struct eo_mail *m)
{
	const char *tags = "";

	m->version = 1;
	for (;;) {
		const char *end;

		while (*subject == ' ')
			subject++;
		if (!strncasecmp(subject, "re:", 3)) {
			subject += 3;
			continue;
		}
		end = *subject == '[' ? strchr(subject, ']') : NULL;
		if (!end)
			break;
		read_tag(subject + 1, (size_t)(end - subject) - 1, m);
		tags = eo_arena_printf(a, "%s%s%.*s", tags, *tags ? " " : "",
				       (int)(end - subject) - 1, subject + 1);
		subject = end + 1;
	}
	m->tags = tags;
	m->subject = eo_arena_strdup(a, subject);
}

static bool is_series(const struct eo_mail *a, const struct eo_mail *b)
{
	return a->set == b->set || (a->total > 1 && a->total == b->total &&
				    a->version == b->version);
}

static void leave_out(struct eo_input *in, const struct eo_mail *m,
		      const char *why)
{
	eo_str_addf(&in->notes, "\"%s\" left out: %s\n", m->subject, why);
}

/*
 * Of each patch the newest version: "v2 2/5" alone may have been sent as a
 * reply to the 2/5 of a series that is otherwise as it was.
 */
static bool is_outdated(const struct eo_input *in, const struct eo_mail *first,
			const struct eo_mail *m)
{
	const struct eo_mail *it;

	eo_vec_for_each(it, in)
		if (is_series(first, it) && it->version > m->version &&
		    (it->total != m->total || it->number == m->number))
			return true;
	return false;
}

static bool is_there(const struct eo_mail *kept, size_t n,
		     const struct eo_mail *m)
{
	for (size_t i = 0; i < n; i++)
		if ((m->total && kept[i].number == m->number) ||
		    !strcmp(kept[i].diff, m->diff))
			return true;
	return false;
}

static int by_number(const void *a, const void *b)
{
	const struct eo_mail *x = a, *y = b;

	return (int)x->number - (int)y->number;
}

static bool all_numbered(const struct eo_input *in)
{
	const struct eo_mail *m;

	eo_vec_for_each(m, in)
		if (!m->total)
			return false;
	return true;
}

static void note_missing(struct eo_input *in)
{
	unsigned next = 1, total = in->items[0].total;

	for (size_t i = 0; i < in->n; i++, next++)
		for (; next < in->items[i].number; next++)
			eo_str_addf(&in->notes,
				    "patch %u of %u is not in the input\n",
				    next, total);
	for (; next <= total; next++)
		eo_str_addf(&in->notes, "patch %u of %u is not in the input\n",
			    next, total);
}

/* Of several versions: which patch is of which, when it is not of the newest. */
static void note_versions(struct eo_input *in)
{
	const struct eo_mail *m;
	unsigned newest = 0;

	eo_vec_for_each(m, in)
		newest = m->version > newest ? m->version : newest;
	eo_vec_for_each(m, in)
		if (m->version < newest)
			eo_str_addf(
				&in->notes,
				"patch %u of %u is of version %u, others are of version %u\n",
				m->number, m->total, m->version, newest);
}

void eo_order(struct eo_input *in)
{
	const struct eo_mail first = in->items[0];
	struct eo_input all = *in;

	in->n = 0;
	in->cap = 0;
	in->items = NULL;
	for (size_t i = 0; i < all.n; i++) {
		const struct eo_mail *m = &all.items[i];

		if (!is_series(&first, m))
			leave_out(
				in, m,
				"it was sent apart from the first; give it alone to verify it");
		else if (is_outdated(&all, &first, m))
			leave_out(in, m, "there is a newer version");
		else if (is_there(in->items, in->n, m))
			leave_out(in, m, "it is there twice");
		else
			*eo_vec_push(in) = *m;
	}
	free(all.items);
	if (!all_numbered(in))
		return;
	/* few, and never two of the same number: any sort is stable */
	qsort(in->items, in->n, sizeof(*in->items), by_number);
	note_missing(in);
	note_versions(in);
}
