/* SPDX-License-Identifier: GPL-2.0-only */
/* Memory: allocations that cannot fail, growing arrays, an arena. */
#ifndef EO_BASE_MEM_H
#define EO_BASE_MEM_H

#include <stddef.h>

/* As malloc/calloc/realloc/strdup, but out of memory is eo_oom(). */
void *eo_alloc(size_t size);
void *eo_zalloc(size_t size);
void *eo_realloc(void *p, size_t size);
char *eo_strdup(const char *s);
char *eo_strndup(const char *s, size_t n);
char *eo_asprintf(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* Scope guard for a pointer from these: EO_CLEANUP(eo_freep) char *s; */
void eo_freep(void *pp);

/*
 * Growing arrays. A struct holds `T *items; size_t n, cap;`, zeroed to begin
 * with and freed by free(v.items). eo_vec_push() gives a pointer to a new,
 * zeroed last item, good until the next push.
 */
void *eo_vec_grow(void *items, size_t n, size_t *cap, size_t size);
#define eo_vec_push(v)                                           \
	((v)->items = eo_vec_grow((v)->items, (v)->n, &(v)->cap, \
				  sizeof(*(v)->items)),          \
	 &(v)->items[(v)->n++])
#define eo_vec_for_each(it, v) \
	for ((it) = (v)->items; (it) < (v)->items + (v)->n; (it)++)

/*
 * An arena holds what dies together. Zero it (or eo_arena_init()) to begin
 * with; everything it gave is gone after eo_arena_release().
 */
struct eo_arena {
	struct eo_arena_block *head;
};

void eo_arena_init(struct eo_arena *a);
void eo_arena_release(struct eo_arena *a);
/* Zeroed, aligned for any type. */
void *eo_arena_alloc(struct eo_arena *a, size_t size);
char *eo_arena_strdup(struct eo_arena *a, const char *s);
char *eo_arena_strndup(struct eo_arena *a, const char *s, size_t n);
char *eo_arena_printf(struct eo_arena *a, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
#define eo_arena_new(a, type) ((type *)eo_arena_alloc((a), sizeof(type)))

#endif
