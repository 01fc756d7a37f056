// SPDX-License-Identifier: GPL-2.0-only
#include <stdbool.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "reports/recipients.h"

/* An encoded word has at most 75 characters, of which this is the frame. */
#define ENCODED_FRAME (strlen("=?UTF-8?q?") + strlen("?="))
#define ENCODED_MAX 75

/* What may stand in a name without quotes: RFC 5322's atext and spaces. */
static bool is_plain(const char *s)
{
	for (; *s; s++)
		if (!eo_is_ident(*s) && !strchr(" !#$%&'*+-/=?^`{|}~", *s))
			return false;
	return true;
}

static bool is_ascii(const char *s)
{
	for (; *s; s++)
		if ((unsigned char)*s >= 0x80)
			return false;
	return true;
}

static void add_quoted(struct eo_str *out, const char *name)
{
	eo_str_addc(out, '"');
	for (; *name; name++) {
		if (*name == '"' || *name == '\\')
			eo_str_addc(out, '\\');
		eo_str_addc(out, *name);
	}
	eo_str_addc(out, '"');
}

/* RFC 2047's "Q" encoding for a phrase; no character is split. */
static void add_encoded(struct eo_str *out, const char *name)
{
	EO_CLEANUP(eo_str_release) struct eo_str word = { 0 };

	while (*name) {
		EO_CLEANUP(eo_str_release) struct eo_str one = { 0 };

		do {
			unsigned char c = (unsigned char)*name++;

			if (c == ' ')
				eo_str_addc(&one, '_');
			else if (c < 0x80 && c != '_' && eo_is_ident((char)c))
				eo_str_addc(&one, (char)c);
			else
				eo_str_addf(&one, "=%02X", c);
		} while (((unsigned char)*name & 0xc0) == 0x80);
		if (word.len + one.len + ENCODED_FRAME > ENCODED_MAX) {
			eo_str_addf(out, "=?UTF-8?q?%s?=\n ", word.s);
			eo_str_clear(&word);
		}
		eo_str_add(&word, one.s);
	}
	eo_str_addf(out, "=?UTF-8?q?%s?=", eo_str_get(&word));
}

/* The name without the quotes that it may stand in. Caller frees. */
static char *bare_name(const char *s, size_t n)
{
	EO_CLEANUP(eo_freep) char *name = eo_squeeze(s, n);
	EO_CLEANUP(eo_str_release) struct eo_str out = { 0 };
	size_t len = strlen(name);
	bool quoted = len >= 2 && name[0] == '"' && name[len - 1] == '"';

	for (size_t i = quoted; i < len - quoted; i++) {
		if (quoted && name[i] == '\\' && i + 1 < len - 1)
			i++;
		eo_str_addc(&out, name[i]);
	}
	return eo_str_take(&out);
}

char *eo_mailbox_encode(const char *mailbox)
{
	const char *open = strrchr(mailbox, '<');
	EO_CLEANUP(eo_str_release) struct eo_str out = { 0 };
	EO_CLEANUP(eo_freep) char *name = NULL;

	if (!open)
		return eo_squeeze(mailbox, strlen(mailbox));
	name = bare_name(mailbox, (size_t)(open - mailbox));
	if (!is_ascii(name))
		add_encoded(&out, name);
	else if (is_plain(name))
		eo_str_add(&out, name);
	else
		add_quoted(&out, name);
	eo_str_addf(&out, "%s%s", out.len ? " " : "", open);
	return eo_str_take(&out);
}
