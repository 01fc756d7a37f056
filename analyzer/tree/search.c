// SPDX-License-Identifier: GPL-2.0-only
#include "tree/search.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"

#define BLOCKS 65536 /* all pairs of bytes */
#define BLOCK 2

static inline unsigned block(const char *p)
{
	uint16_t v;

	memcpy(&v, p, sizeof(v));
	return v;
}

static void fill(struct eo_search *s)
{
	size_t far = s->window - BLOCK + 1;

	memset(s->shift, (int)(far < 255 ? far : 255), BLOCKS);
	for (size_t i = 0; i < s->n; i++) {
		for (size_t at = 0; at + BLOCK <= s->window; at++) {
			unsigned char *to = &s->shift[block(s->names[i] + at)];
			size_t left = s->window - BLOCK - at;

			if (left < *to)
				*to = (unsigned char)left;
		}
	}
	for (size_t i = 0; i < s->n; i++) {
		unsigned b = block(s->names[i] + s->window - BLOCK);

		s->next[i] = s->first[b];
		s->first[b] = (uint32_t)i + 1;
	}
}

void eo_search_init(struct eo_search *s, const char *const *names, size_t n)
{
	*s = (struct eo_search){ .names = names, .n = n };
	s->lens = eo_zalloc(n * sizeof(*s->lens));
	for (size_t i = 0; i < n; i++) {
		s->lens[i] = strlen(names[i]);
		if (i == 0 || s->lens[i] < s->window)
			s->window = s->lens[i];
	}
	if (s->window < BLOCK)
		return;
	s->next = eo_zalloc(n * sizeof(*s->next));
	s->first = eo_zalloc(BLOCKS * sizeof(*s->first));
	s->shift = eo_alloc(BLOCKS);
	fill(s);
}

void eo_search_release(struct eo_search *s)
{
	free(s->lens);
	free(s->next);
	free(s->first);
	free(s->shift);
	*s = (struct eo_search){ 0 };
}

/* Whether a name starts at @p, whose window's last block is @b. */
static bool match(const struct eo_search *s, unsigned b, const char *text,
		  const char *p, const char *end)
{
	if (p > text && eo_is_ident(p[-1]))
		return false;
	for (uint32_t i = s->first[b]; i; i = s->next[i - 1]) {
		size_t n = s->lens[i - 1];

		if ((size_t)(end - p) < n || memcmp(p, s->names[i - 1], n))
			continue;
		if (p + n == end || !eo_is_ident(p[n]))
			return true;
	}
	return false;
}

bool eo_search_hit(const struct eo_search *s, const char *text, size_t len)
{
	const char *end = text + len, *p = text;
	size_t back = s->window - BLOCK;

	if (s->window < BLOCK)
		return s->n > 0; /* one-letter names: look at every file */
	if (len < s->window)
		return false;
	for (p += back; p + 1 < end;) {
		unsigned b = block(p);
		unsigned shift = s->shift[b];

		if (!shift && match(s, b, text, p - back, end))
			return true;
		p += shift ? shift : 1;
	}
	return false;
}

long eo_search_index(const struct eo_search *s, const char *id, size_t len)
{
	if (len < s->window)
		return -1;
	for (size_t i = 0; i < s->n; i++)
		if (s->lens[i] == len && memcmp(s->names[i], id, len) == 0)
			return (long)i;
	return -1;
}
