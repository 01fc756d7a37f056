// SPDX-License-Identifier: GPL-2.0-only
#include "reports/escape.h"

#include <stdio.h>
#include <stdint.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"

#define REPLACEMENT "\xef\xbf\xbd"

/*
 * The character at @s, and its length in @n: 1 and U+FFFD for a byte that is
 * no UTF-8. @end bounds it.
 */
static uint32_t decode(const char *s, size_t left, size_t *n)
{
	static const unsigned char lead[] = { 0, 0x7f, 0x1f, 0x0f, 0x07 };
	char one[5] = { 0 };
	uint32_t c;

	memcpy(one, s, left < 4 ? left : 4);
	*n = eo_utf8_len(one);
	if (!*n) {
		*n = 1;
		return *s ? 0xfffd : 0;
	}
	c = (unsigned char)one[0] & lead[*n];
	for (size_t i = 1; i < *n; i++)
		c = c << 6 | ((unsigned char)one[i] & 0x3f);
	return c;
}

/* C0 and C1 controls, and what makes text look other than it is. */
static bool is_hidden(uint32_t c)
{
	return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x061c ||
	       (c >= 0x200b && c <= 0x200f) || (c >= 0x2028 && c <= 0x202e) ||
	       (c >= 0x2060 && c <= 0x2069) || c == 0xfeff;
}

void eo_add_utf8(struct eo_str *to, const char *s)
{
	size_t left = strlen(s), n;

	for (; left; s += n, left -= n) {
		if (decode(s, left, &n) == 0xfffd)
			eo_str_add(to, REPLACEMENT);
		else
			eo_str_addn(to, s, n);
	}
}

void eo_add_line(struct eo_str *to, const char *s)
{
	size_t left = s ? strlen(s) : 0, n;

	for (; left; s += n, left -= n) {
		uint32_t c = decode(s, left, &n);

		if (c == '\n')
			eo_str_add(to, "\\n");
		else if (c == '\t')
			eo_str_add(to, "\\t");
		else if (c == 0xfffd && n == 1)
			eo_str_addf(to, "\\x%02x", (unsigned char)*s);
		else if (is_hidden(c))
			eo_str_addf(to, c < 0x80 ? "\\x%02x" : "\\u%04x",
				    (unsigned)c);
		else
			eo_str_addn(to, s, n);
	}
}

static void add_html_char(struct eo_str *to, uint32_t c, const char *s,
			  size_t n)
{
	switch (c) {
	case '&':
		eo_str_add(to, "&amp;");
		break;
	case '<':
		eo_str_add(to, "&lt;");
		break;
	case '>':
		eo_str_add(to, "&gt;");
		break;
	case '"':
		eo_str_add(to, "&quot;");
		break;
	case '\'':
		eo_str_add(to, "&#39;");
		break;
	case '\n':
	case '\t':
		eo_str_addc(to, (char)c);
		break;
	case 0xfffd:
		eo_str_add(to, REPLACEMENT);
		break;
	default:
		if (is_hidden(c))
			eo_str_addf(to, "[U+%04X]", (unsigned)c);
		else
			eo_str_addn(to, s, n);
	}
}

void eo_add_html_n(struct eo_str *to, const char *s, size_t left)
{
	size_t n;

	for (; left; s += n, left -= n) {
		uint32_t c = decode(s, left, &n);

		add_html_char(to, c, s, n);
	}
}

void eo_add_html(struct eo_str *to, const char *s)
{
	if (s)
		eo_add_html_n(to, s, strlen(s));
}

void eo_add_shell(struct eo_str *to, const char *s)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyz"
				    "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789@%+=:,./_-";

	if (*s && strspn(s, plain) == strlen(s)) {
		eo_str_add(to, s);
		return;
	}
	eo_str_addc(to, '\'');
	for (; *s; s++) {
		if (*s == '\'')
			eo_str_add(to, "'\\''");
		else
			eo_str_addc(to, *s);
	}
	eo_str_addc(to, '\'');
}

void eo_add_uri(struct eo_str *to, const char *path)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyz"
				    "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789-._~/";

	for (; *path; path++) {
		if (strchr(plain, *path))
			eo_str_addc(to, *path);
		else
			eo_str_addf(to, "%%%02X", (unsigned char)*path);
	}
}

/*
 * Whether it could be markup there: "a_b" and "a->b" read better as they are,
 * and mean the same.
 */
static bool is_markup(const char *start, const char *p)
{
	static const char word[] = "abcdefghijklmnopqrstuvwxyz"
				   "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789#";

	if (*p == '_')
		return p == start || !eo_is_ident(p[-1]) || !eo_is_ident(p[1]);
	if (*p == '&')
		return p[1 + strspn(p + 1, word)] == ';';
	if (strchr("#>+-=", *p))
		return p == start;
	return strchr("\\`*[]<|~", *p);
}

void eo_add_markdown(struct eo_str *to, const char *s)
{
	EO_CLEANUP(eo_str_release) struct eo_str line = { 0 };
	const char *start;

	eo_add_line(&line, s);
	start = eo_str_get(&line);
	for (const char *p = start; *p; p++) {
		if (is_markup(start, p))
			eo_str_addc(to, '\\');
		eo_str_addc(to, *p);
	}
}

size_t eo_characters(const char *s)
{
	size_t n = 0, len;

	for (; *s; s += len ? len : 1, n++)
		len = eo_utf8_len(s);
	return n;
}

void eo_add_count(struct eo_str *to, size_t n)
{
	char digits[32];
	int len = snprintf(digits, sizeof(digits), "%zu", n);

	for (int i = 0; i < len; i++) {
		if (i && (len - i) % 3 == 0)
			eo_str_addc(to, ',');
		eo_str_addc(to, digits[i]);
	}
}

void eo_add_plural(struct eo_str *to, size_t n, const char *one,
		   const char *many)
{
	eo_add_count(to, n);
	eo_str_addf(to, " %s", n == 1 ? one : many);
}
