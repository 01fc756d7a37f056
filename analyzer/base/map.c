// SPDX-License-Identifier: GPL-2.0-only
#include "base/map.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "base/mem.h"

void eo_map_release(struct eo_map *m)
{
	for (size_t i = 0; i < m->n; i++)
		free(m->items[i].key);
	free(m->items);
	free(m->slots);
	*m = (struct eo_map){ 0 };
}

/* The slot that holds @key, or the free one where it belongs. */
static size_t *find(const struct eo_map *m, const char *key)
{
	size_t i = XXH3_64bits(key, strlen(key)) & (m->n_slots - 1);

	while (m->slots[i] && strcmp(m->items[m->slots[i] - 1].key, key))
		i = (i + 1) & (m->n_slots - 1);
	return &m->slots[i];
}

static void rehash(struct eo_map *m)
{
	m->n_slots = m->n_slots ? m->n_slots * 2 : 16;
	free(m->slots);
	m->slots = eo_zalloc(m->n_slots * sizeof(*m->slots));
	for (size_t i = 0; i < m->n; i++)
		*find(m, m->items[i].key) = i + 1;
}

static struct eo_map_entry *lookup(const struct eo_map *m, const char *key)
{
	size_t slot = m->n_slots ? *find(m, key) : 0;

	return slot ? &m->items[slot - 1] : NULL;
}

void *eo_map_get(const struct eo_map *m, const char *key)
{
	struct eo_map_entry *e = lookup(m, key);

	return e ? e->value : NULL;
}

bool eo_map_has(const struct eo_map *m, const char *key)
{
	return lookup(m, key) != NULL;
}

bool eo_map_set(struct eo_map *m, const char *key, void *value)
{
	struct eo_map_entry *e = lookup(m, key);

	if (e) {
		e->value = value;
		return false;
	}
	if ((m->n + 1) * 2 > m->n_slots)
		rehash(m);
	e = eo_vec_push(m);
	e->key = eo_strdup(key);
	e->value = value;
	*find(m, key) = m->n;
	return true;
}
