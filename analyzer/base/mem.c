// SPDX-License-Identifier: GPL-2.0-only
#include "base/mem.h"

#include <stdarg.h>
#include <stdalign.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"

#define ARENA_BLOCK (64 * 1024)

void *eo_alloc(size_t size)
{
	void *p = malloc(size ? size : 1);

	if (!p)
		eo_oom();
	return p;
}

void *eo_zalloc(size_t size)
{
	return memset(eo_alloc(size), 0, size);
}

void *eo_realloc(void *p, size_t size)
{
	p = realloc(p, size ? size : 1);
	if (!p)
		eo_oom();
	return p;
}

char *eo_strdup(const char *s)
{
	return eo_strndup(s, strlen(s));
}

char *eo_strndup(const char *s, size_t n)
{
	char *p = eo_alloc(n + 1);

	memcpy(p, s, n);
	p[n] = '\0';
	return p;
}

char *eo_asprintf(const char *fmt, ...)
{
	va_list ap;
	char *s;
	int n;

	va_start(ap, fmt);
	n = vasprintf(&s, fmt, ap);
	va_end(ap);
	if (n < 0)
		eo_oom();
	return s;
}

void eo_freep(void *pp)
{
	free(*(void **)pp);
}

void *eo_vec_grow(void *items, size_t n, size_t *cap, size_t size)
{
	if (n == *cap) {
		*cap = n ? n * 2 : 8;
		items = eo_realloc(items, *cap * size);
	}
	memset((char *)items + n * size, 0, size);
	return items;
}

struct eo_arena_block {
	struct eo_arena_block *next;
	size_t used, size;
	alignas(max_align_t) char data[];
};

void eo_arena_init(struct eo_arena *a)
{
	a->head = NULL;
}

void eo_arena_release(struct eo_arena *a)
{
	struct eo_arena_block *b = a->head;

	while (b) {
		struct eo_arena_block *next = b->next;

		free(b);
		b = next;
	}
	a->head = NULL;
}

void *eo_arena_alloc(struct eo_arena *a, size_t size)
{
	const size_t align = alignof(max_align_t);
	struct eo_arena_block *b = a->head;
	void *p;

	size = (size + align - 1) & ~(align - 1);
	if (!b || b->size - b->used < size) {
		size_t room = size > ARENA_BLOCK ? size : ARENA_BLOCK;

		b = eo_alloc(sizeof(*b) + room);
		b->next = a->head;
		b->used = 0;
		b->size = room;
		a->head = b;
	}
	p = b->data + b->used;
	b->used += size;
	return memset(p, 0, size);
}

char *eo_arena_strndup(struct eo_arena *a, const char *s, size_t n)
{
	char *p = eo_arena_alloc(a, n + 1);

	memcpy(p, s, n);
	return p;
}

char *eo_arena_strdup(struct eo_arena *a, const char *s)
{
	return eo_arena_strndup(a, s, strlen(s));
}

char *eo_arena_printf(struct eo_arena *a, const char *fmt, ...)
{
	va_list ap;
	char *s, *p;
	int n;

	va_start(ap, fmt);
	n = vasprintf(&s, fmt, ap);
	va_end(ap);
	if (n < 0)
		eo_oom();
	p = eo_arena_strndup(a, s, (size_t)n);
	free(s);
	return p;
}
