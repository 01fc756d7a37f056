/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A map from strings to pointers, open addressing, kept in order of insertion.
 * Zeroed to begin with. Keys are copied; values are the caller's.
 */
#ifndef EO_BASE_MAP_H
#define EO_BASE_MAP_H

#include <stdbool.h>
#include <stddef.h>

struct eo_map_entry {
	char *key;
	void *value;
};

struct eo_map {
	struct eo_map_entry *items; /* in order of insertion */
	size_t n, cap;
	size_t *slots; /* index + 1 into items, 0 is free */
	size_t n_slots;
};

/* Frees the map and its keys, not the values. */
void eo_map_release(struct eo_map *m);
/* NULL when there is no such key. */
void *eo_map_get(const struct eo_map *m, const char *key);
bool eo_map_has(const struct eo_map *m, const char *key);
/* Sets or replaces. Returns false when the key was there already. */
bool eo_map_set(struct eo_map *m, const char *key, void *value);

/* A set is a map whose values are NULL. */
#define eo_set_add(m, key) eo_map_set((m), (key), NULL)

#define eo_map_for_each(e, m) \
	for ((e) = (m)->items; (e) < (m)->items + (m)->n; (e)++)

#endif
