/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A growing string. Zeroed to begin with; s is NULL until something is added,
 * and NUL-terminated from then on (len does not count the NUL).
 */
#ifndef EO_BASE_STR_H
#define EO_BASE_STR_H

#include <stdbool.h>
#include <stddef.h>

struct eo_str {
	char *s;
	size_t len, cap;
};

void eo_str_release(struct eo_str *b);
void eo_str_clear(struct eo_str *b);
void eo_str_addn(struct eo_str *b, const void *p, size_t n);
void eo_str_add(struct eo_str *b, const char *s);
void eo_str_addc(struct eo_str *b, char c);
void eo_str_addf(struct eo_str *b, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
/* The text, "" when nothing was added yet. Valid until the next change. */
const char *eo_str_get(const struct eo_str *b);
/* Gives the text to the caller, who frees it, and empties @b. Never NULL. */
char *eo_str_take(struct eo_str *b);

bool eo_starts_with(const char *s, const char *prefix);
bool eo_ends_with(const char *s, const char *suffix);
/* NULL equals NULL. */
bool eo_streq(const char *a, const char *b);
/* Runs of white space become one space, none at the ends. Caller frees. */
char *eo_squeeze(const char *s, size_t n);
/* A character of a C identifier. */
bool eo_is_ident(char c);

/* Length of the well-formed UTF-8 sequence at @s (RFC 3629), 0 if none. */
size_t eo_utf8_len(const char *s);
/* A string as a JSON literal, quotes included; bad UTF-8 becomes U+FFFD. */
void eo_str_add_json(struct eo_str *b, const char *s);
/* XXH3, 64 bits, as 16 hexadecimal digits and a NUL. */
void eo_hash_hex(const void *p, size_t n, char out[17]);

#endif
