// SPDX-License-Identifier: GPL-2.0-only
#include "verify/archive.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "verify/mime.h"

#define NO_SUBJECT "[PATCH] (the archive's text shows no subject)"

static size_t line_len(const char *p)
{
	return strcspn(p, "\n");
}

static const char *next_line(const char *p)
{
	p += line_len(p);
	return *p ? p + 1 : p;
}

static bool starts(const char *p, const char *word)
{
	return strncmp(p, word, strlen(word)) == 0;
}

static bool is_header(const char *p)
{
	size_t n = 0;

	while (isalnum((unsigned char)p[n]) || p[n] == '-')
		n++;
	return n > 1 && p[n] == ':' && (p[n + 1] == ' ' || p[n + 1] == '\t');
}

/* "From 0123… Mon Sep 17 00:00:00 2001": git format-patch's first line. */
static bool is_format_patch(const char *p)
{
	size_t n = 0;

	if (!starts(p, "From "))
		return false;
	while (isxdigit((unsigned char)p[5 + n]))
		n++;
	return n >= 12 && p[5 + n] == ' ';
}

bool eo_archive_is(const char *text)
{
	const char *p = text;

	while (*p == '\n')
		p = next_line(p);
	if (starts(p, "From ") || (is_header(p) && is_header(next_line(p))))
		return false;
	/* a bare diff is one part without a message */
	return true;
}

bool eo_archive_has_diff(const char *text)
{
	for (const char *p = text; *p; p = next_line(p))
		if (starts(p, "diff --git ") ||
		    (starts(p, "--- ") && starts(next_line(p), "+++ ")))
			return true;
	return false;
}

/* A subject that stands alone: "[PATCH v2] x: y", "Re: [PATCH] x: y". */
static bool is_heading(const char *p, bool after_empty)
{
	size_t n = line_len(p);
	const char *tag = memmem(p, n, "[PATCH", 6);
	const char *rfc = memmem(p, n, "[RFC", 4);
	const char *next = next_line(p);

	if (!tag || (rfc && rfc < tag))
		tag = rfc;
	if (!tag || !after_empty || (*next && *next != '\n'))
		return false;
	return tag == p || starts(p, "Re: ") || starts(p, "RE: ") ||
	       starts(p, "Fwd: ") || *p == '[';
}

struct split {
	struct eo_archive *out;
	const char *heading; /* of the message we are in, or NULL */
	const char *who; /* "[A. Developer]": the name, or NULL */
	const char *begin; /* of the part */
	unsigned set;
};

/* The address that signed the patch off under @name; any, when it is NULL. */
static const char *signer(struct eo_arena *a, const char *text,
			  const char *name)
{
	for (const char *p = text; *p; p = next_line(p)) {
		const char *who = p + strlen("Signed-off-by: ");

		if (starts(p, "Signed-off-by: ") &&
		    (!name || starts(who, name)))
			return eo_arena_strndup(a, who, line_len(who));
	}
	return NULL;
}

/* Takes "[Name]" lines and empty ones from the begin of a part. */
static const char *skip_head(struct split *s, const char *p)
{
	for (;; p = next_line(p)) {
		size_t n = line_len(p);

		if (n > 2 && *p == '[' && p[n - 1] == ']' && !s->who &&
		    s->heading && !starts(p, "[-- "))
			s->who = eo_arena_strndup(&s->out->arena, p + 1, n - 2);
		else if (n || !*p)
			return p;
	}
}

static void add_part(struct split *s, const char *end)
{
	struct eo_arena *a = &s->out->arena;
	const char *body = skip_head(s, s->begin), *from;
	struct eo_archive_mail *m;
	bool whole;

	if (body >= end)
		return;
	whole = is_format_patch(body) ||
		(is_header(body) && is_header(next_line(body)));
	body = eo_arena_strndup(a, body, (size_t)(end - body));
	m = eo_vec_push(s->out);
	m->set = s->set;
	m->text = body;
	if (whole && (!s->heading || eo_mime_header(a, body, "Subject")))
		return;
	if (whole) {
		/* a format-patch without one: the heading above is it */
		if (is_format_patch(body))
			body = next_line(body);
		m->text =
			eo_arena_printf(a, "Subject: %s\n%s", s->heading, body);
		return;
	}
	from = signer(a, body, s->who);
	if (!from)
		from = s->who ? eo_arena_printf(a, "%s <unknown@invalid>",
						s->who) :
				signer(a, body, NULL);
	m->no_subject = !s->heading;
	m->text = eo_arena_printf(a, "From: %s\nSubject: %s\n\n%s",
				  from ? from : "unknown <unknown@invalid>",
				  s->heading ? s->heading : NO_SUBJECT, body);
}

/* "[-- Attachment #2: name --]" and the line on its type. */
static bool is_attachment(const char *p)
{
	return starts(p, "[-- Attachment #") || starts(p, "[-- Type: ");
}

/* "On Monday, A wrote:" */
static bool is_attribution(const char *p)
{
	size_t n = line_len(p);

	return n > 8 && (memcmp(p + n - 6, "wrote:", 6) == 0 ||
			 memcmp(p + n - 7, "writes:", 7) == 0);
}

static void begin_part(struct split *s, const char *at, const char *next)
{
	add_part(s, at);
	s->begin = next;
}

void eo_archive_split(const char *text, struct eo_archive *out)
{
	struct split s = { .out = out, .begin = text, .set = 1 };
	bool after_empty = true, signature = false;
	const char *p = text;

	for (; *p; p = next_line(p)) {
		if (is_heading(p, after_empty)) {
			begin_part(&s, p, next_line(p));
			s.heading =
				eo_arena_strndup(&out->arena, p, line_len(p));
			s.who = NULL;
			s.set++;
		} else if (is_attachment(p)) {
			begin_part(&s, p, next_line(p));
		} else if (is_format_patch(p) || is_attribution(p)) {
			begin_part(&s, p, p);
		} else if (signature) {
			begin_part(&s, p, p);
		}
		/* the version of git below "-- " is the end of a mail */
		signature = starts(p, "-- \n") && isdigit((unsigned char)p[3]);
		if (signature)
			p = next_line(p);
		after_empty = *p == '\n';
	}
	add_part(&s, p);
}

void eo_archive_release(struct eo_archive *a)
{
	free(a->items);
	eo_arena_release(&a->arena);
	*a = (struct eo_archive){ 0 };
}
