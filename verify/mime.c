// SPDX-License-Identifier: GPL-2.0-only
#include "verify/mime.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/err.h"
#include "base/str.h"

#define MAX_DEPTH 4

static const char *next_line(const char *p)
{
	p += strcspn(p, "\n");
	return *p ? p + 1 : p;
}

static bool is_empty_line(const char *p)
{
	return *p == '\n' || (*p == '\r' && p[1] == '\n');
}

const char *eo_mime_body(const char *mail)
{
	const char *p = mail;

	while (*p && !is_empty_line(p))
		p = next_line(p);
	return next_line(p);
}

const char *eo_mime_header(struct eo_arena *a, const char *mail,
			   const char *name)
{
	size_t n = strlen(name);

	for (const char *p = mail; *p && !is_empty_line(p); p = next_line(p)) {
		const char *end = next_line(p);
		char *text;

		if (strncasecmp(p, name, n) || p[n] != ':')
			continue;
		while (*end == ' ' || *end == '\t')
			end = next_line(end);
		text = eo_squeeze(p + n + 1, (size_t)(end - p) - n - 1);
		p = eo_arena_strdup(a, text);
		free(text);
		return p;
	}
	return NULL;
}

/* The value of boundary="…" in a Content-Type, or NULL. */
static const char *boundary_of(struct eo_arena *a, const char *type)
{
	const char *p = strcasestr(type, "boundary=");
	size_t n;

	if (!p)
		return NULL;
	p += strlen("boundary=");
	n = *p == '"' ? strcspn(++p, "\"") : strcspn(p, "; \t");
	return n ? eo_arena_strndup(a, p, n) : NULL;
}

static int hex(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c = (char)toupper((unsigned char)c);
	return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

static void decode_quoted(const char *p, size_t n, struct eo_str *to)
{
	for (size_t i = 0; i < n; i++) {
		if (p[i] != '=') {
			eo_str_addc(to, p[i]);
		} else if (i + 1 < n && p[i + 1] == '\n') {
			i++;
		} else if (i + 2 < n && p[i + 1] == '\r' && p[i + 2] == '\n') {
			i += 2;
		} else if (i + 2 < n && hex(p[i + 1]) >= 0 &&
			   hex(p[i + 2]) >= 0) {
			eo_str_addc(to,
				    (char)(hex(p[i + 1]) << 4 | hex(p[i + 2])));
			i += 2;
		} else {
			eo_str_addc(to, '=');
		}
	}
}

static void decode_base64(const char *p, size_t n, struct eo_str *to)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	unsigned bits = 0, have = 0;

	for (size_t i = 0; i < n && p[i] != '='; i++) {
		const char *at = p[i] ? strchr(digits, p[i]) : NULL;

		if (!at)
			continue;
		bits = bits << 6 | (unsigned)(at - digits);
		have += 6;
		if (have < 8)
			continue;
		have -= 8;
		eo_str_addc(to, (char)(bits >> have));
		bits &= (1u << have) - 1;
	}
}

/* CRLF is how mails travel; a patch of ours has none. */
static void drop_cr(struct eo_str *s)
{
	size_t n = 0;

	for (size_t i = 0; i < s->len; i++)
		if (s->s[i] != '\r' || i + 1 == s->len || s->s[i + 1] != '\n')
			s->s[n++] = s->s[i];
	if (s->s)
		s->s[n] = '\0';
	s->len = n;
}

static void add_leaf(const char *part, size_t n, struct eo_mime_parts *out)
{
	EO_CLEANUP(eo_freep) char *copy = eo_strndup(part, n);
	EO_CLEANUP(eo_str_release) struct eo_str text = { 0 };
	const char *body = eo_mime_body(copy);
	const char *type = eo_mime_header(&out->arena, copy, "Content-Type");
	const char *coding =
		eo_mime_header(&out->arena, copy, "Content-Transfer-Encoding");

	if (type && strncasecmp(type, "text/", 5) &&
	    strncasecmp(type, "application/octet-stream", 24) &&
	    strncasecmp(type, "application/x-", 14))
		return;
	if (coding && !strcasecmp(coding, "base64"))
		decode_base64(body, strlen(body), &text);
	else if (coding && !strcasecmp(coding, "quoted-printable"))
		decode_quoted(body, strlen(body), &text);
	else
		eo_str_add(&text, body);
	drop_cr(&text);
	*eo_vec_push(out) = eo_arena_strdup(&out->arena, eo_str_get(&text));
}

static void split(const char *mail, size_t len, int depth,
		  struct eo_mime_parts *out);

/* @p: behind a boundary line; @end: at the next. */
static void add_part(const char *p, const char *end, int depth,
		     struct eo_mime_parts *out)
{
	EO_CLEANUP(eo_freep) char *copy = eo_strndup(p, (size_t)(end - p));
	const char *type = eo_mime_header(&out->arena, copy, "Content-Type");

	if (type && !strncasecmp(type, "multipart/", 10))
		split(copy, strlen(copy), depth + 1, out);
	else
		add_leaf(copy, strlen(copy), out);
}

static void split(const char *mail, size_t len, int depth,
		  struct eo_mime_parts *out)
{
	const char *type = eo_mime_header(&out->arena, mail, "Content-Type");
	const char *mark = NULL, *part = NULL, *end = mail + len;
	size_t n;

	if (type && !strncasecmp(type, "multipart/", 10))
		mark = boundary_of(&out->arena, type);
	if (!mark || depth > MAX_DEPTH)
		return;
	n = strlen(mark);
	for (const char *p = eo_mime_body(mail); p < end; p = next_line(p)) {
		if (strncmp(p, "--", 2) || strncmp(p + 2, mark, n))
			continue;
		if (part)
			add_part(part, p, depth, out);
		part = next_line(p);
		if (strncmp(p + 2 + n, "--", 2) == 0)
			return;
	}
	if (part)
		add_part(part, end, depth, out);
}

void eo_mime_split(const char *mail, struct eo_mime_parts *out)
{
	split(mail, strlen(mail), 0, out);
}

void eo_mime_parts_release(struct eo_mime_parts *p)
{
	free(p->items);
	eo_arena_release(&p->arena);
	*p = (struct eo_mime_parts){ 0 };
}
