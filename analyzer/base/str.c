// SPDX-License-Identifier: GPL-2.0-only
#include "base/str.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "base/err.h"
#include "base/mem.h"

void eo_str_release(struct eo_str *b)
{
	free(b->s);
	*b = (struct eo_str){ 0 };
}

void eo_str_clear(struct eo_str *b)
{
	b->len = 0;
	if (b->s)
		b->s[0] = '\0';
}

void eo_str_addn(struct eo_str *b, const void *p, size_t n)
{
	if (b->len + n + 1 > b->cap) {
		size_t cap = b->cap ? b->cap : 64;

		while (cap < b->len + n + 1)
			cap *= 2;
		b->s = eo_realloc(b->s, cap);
		b->cap = cap;
	}
	if (n)
		memcpy(b->s + b->len, p, n);
	b->len += n;
	b->s[b->len] = '\0';
}

void eo_str_add(struct eo_str *b, const char *s)
{
	eo_str_addn(b, s, strlen(s));
}

void eo_str_addc(struct eo_str *b, char c)
{
	eo_str_addn(b, &c, 1);
}

void eo_str_addf(struct eo_str *b, const char *fmt, ...)
{
	va_list ap;
	char *s;
	int n;

	va_start(ap, fmt);
	n = vasprintf(&s, fmt, ap);
	va_end(ap);
	if (n < 0)
		eo_oom();
	eo_str_addn(b, s, (size_t)n);
	free(s);
}

const char *eo_str_get(const struct eo_str *b)
{
	return b->s ? b->s : "";
}

char *eo_str_take(struct eo_str *b)
{
	char *s = b->s ? b->s : eo_strdup("");

	*b = (struct eo_str){ 0 };
	return s;
}

bool eo_starts_with(const char *s, const char *prefix)
{
	return strncmp(s, prefix, strlen(prefix)) == 0;
}

bool eo_ends_with(const char *s, const char *suffix)
{
	size_t n = strlen(s), m = strlen(suffix);

	return n >= m && strcmp(s + n - m, suffix) == 0;
}

bool eo_streq(const char *a, const char *b)
{
	if (!a || !b)
		return a == b;
	return strcmp(a, b) == 0;
}

char *eo_squeeze(const char *s, size_t n)
{
	char *out = eo_alloc(n + 1);
	size_t len = 0;

	for (size_t i = 0; i < n; i++) {
		if (!isspace((unsigned char)s[i]))
			out[len++] = s[i];
		else if (len && out[len - 1] != ' ')
			out[len++] = ' ';
	}
	if (len && out[len - 1] == ' ')
		len--;
	out[len] = '\0';
	return out;
}

bool eo_is_ident(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

size_t eo_utf8_len(const char *text)
{
	static const struct {
		unsigned char mask, lead, lo, hi; /* bounds of byte two */
		size_t len;
	} forms[] = {
		{ 0x80, 0x00, 0x00, 0xff, 1 }, { 0xff, 0xe0, 0xa0, 0xbf, 3 },
		{ 0xff, 0xed, 0x80, 0x9f, 3 }, { 0xf0, 0xe0, 0x80, 0xbf, 3 },
		{ 0xff, 0xf0, 0x90, 0xbf, 4 }, { 0xff, 0xf4, 0x80, 0x8f, 4 },
		{ 0xfc, 0xf0, 0x80, 0xbf, 4 }, { 0xe0, 0xc0, 0x80, 0xbf, 2 },
	};
	const unsigned char *s = (const unsigned char *)text;

	if (s[0] == 0xc0 || s[0] == 0xc1)
		return 0;
	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		size_t n = 1;

		if ((s[0] & forms[i].mask) != forms[i].lead)
			continue;
		if (forms[i].len == 1)
			return 1;
		if (s[1] < forms[i].lo || s[1] > forms[i].hi)
			return 0;
		while (n < forms[i].len && (s[n] & 0xc0) == 0x80)
			n++;
		return n == forms[i].len ? n : 0;
	}
	return 0;
}

void eo_str_add_json(struct eo_str *b, const char *s)
{
	const unsigned char *p = (const unsigned char *)s;

	eo_str_addc(b, '"');
	while (*p) {
		size_t n = eo_utf8_len((const char *)p);

		if (!n) {
			eo_str_add(b, "\\ufffd");
			n = 1;
		} else if (*p == '"' || *p == '\\') {
			eo_str_addf(b, "\\%c", *p);
		} else if (*p == '\n') {
			eo_str_add(b, "\\n");
		} else if (*p == '\t') {
			eo_str_add(b, "\\t");
		} else if (*p < 0x20 || *p == 0x7f) {
			eo_str_addf(b, "\\u%04x", *p);
		} else {
			eo_str_addn(b, p, n);
		}
		p += n;
	}
	eo_str_addc(b, '"');
}

void eo_hash_hex(const void *p, size_t n, char out[17])
{
	snprintf(out, 17, "%016llx", (unsigned long long)XXH3_64bits(p, n));
}
