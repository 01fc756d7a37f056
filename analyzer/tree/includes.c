// SPDX-License-Identifier: GPL-2.0-only
#include "tree/includes.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/file.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/str.h"

/* A file, and those that it includes. */
struct node {
	bool hit;
	struct {
		struct node **items;
		size_t n, cap;
	} to;
};

struct graph {
	const char *root;
	struct eo_map nodes; /* path → struct node; grows while it is read */
	struct eo_map dirs; /* a set: where <…> is sought */
	const struct eo_map *changed;
};

static void graph_release(struct graph *g)
{
	struct eo_map_entry *e;

	eo_map_for_each(e, &g->nodes) {
		free(((struct node *)e->value)->to.items);
		free(e->value);
	}
	eo_map_release(&g->nodes);
	eo_map_release(&g->dirs);
}

static struct node *node_of(struct graph *g, const char *path)
{
	struct node *n = eo_map_get(&g->nodes, path);

	if (n)
		return n;
	n = eo_zalloc(sizeof(*n));
	n->hit = eo_map_has(g->changed, path);
	eo_map_set(&g->nodes, path, n);
	return n;
}

static void link_to(struct graph *g, struct node *from, const char *dir,
		    const char *name)
{
	EO_CLEANUP(eo_freep)
	char *path = *dir ? eo_path_join(dir, name) : eo_strdup(name);
	EO_CLEANUP(eo_freep) char *full = NULL;

	if (!eo_map_has(&g->nodes, path)) {
		full = eo_path_join(g->root, path);
		/* what was removed hits as well */
		if (!eo_is_file(full) && !eo_map_has(g->changed, path))
			return;
	}
	*eo_vec_push(&from->to) = node_of(g, path);
}

/* "a/b" and "../c" is "a/c". */
static char *beside(const char *file, const char **name)
{
	const char *slash = strrchr(file, '/');
	char *dir = eo_strndup(file, slash ? (size_t)(slash - file) : 0);

	for (;;) {
		if (eo_starts_with(*name, "./")) {
			*name += 2;
		} else if (eo_starts_with(*name, "../") && *dir) {
			char *last = strrchr(dir, '/');

			*(last ? last : dir) = '\0';
			*name += 3;
		} else {
			return dir;
		}
	}
}

/* A changed header whose path ends so: it may come by some -I. */
static bool ends_a_changed(const struct graph *g, const char *name)
{
	EO_CLEANUP(eo_freep) char *tail = NULL;
	const struct eo_map_entry *e;

	while (eo_starts_with(name, "../"))
		name += 3;
	tail = eo_asprintf("/%s", name);
	eo_map_for_each(e, g->changed)
		if (eo_ends_with(e->key, tail))
			return true;
	return false;
}

static void add_include(struct graph *g, struct node *from, const char *file,
			const char *name)
{
	EO_CLEANUP(eo_freep) char *dir = NULL;
	const struct eo_map_entry *e;
	const char *rest = name;

	dir = beside(file, &rest);
	link_to(g, from, dir, rest);
	eo_map_for_each(e, &g->dirs)
		link_to(g, from, e->key, name);
	/* an architecture that has none gets the generic one */
	if (eo_starts_with(name, "asm/"))
		link_to(g, from, "include/asm-generic", name + 4);
	if (ends_a_changed(g, name))
		from->hit = true;
}

/* The name between quotes or brackets of an #include line; NULL: none. */
static char *included(const char *p, const char *stop)
{
	const char *close;

	while (p < stop && (*p == ' ' || *p == '\t'))
		p++;
	if (p == stop || *p++ != '#')
		return NULL;
	while (p < stop && (*p == ' ' || *p == '\t'))
		p++;
	if (stop - p < 9 || memcmp(p, "include", 7))
		return NULL;
	for (p += 7; p < stop && (*p == ' ' || *p == '\t'); p++)
		;
	if (p == stop || (*p != '"' && *p != '<'))
		return NULL;
	close = memchr(p + 1, *p == '"' ? '"' : '>', (size_t)(stop - p - 1));
	return close ? eo_strndup(p + 1, (size_t)(close - p - 1)) : NULL;
}

static void read_file(struct graph *g, const char *file, struct node *node)
{
	EO_CLEANUP(eo_freep) char *path = eo_path_join(g->root, file);
	EO_CLEANUP(eo_str_release) struct eo_str text = { 0 };
	struct eo_error *err = eo_file_read(path, &text);
	const char *p = eo_str_get(&text), *end = p + text.len;

	/* The ledger tells of what cannot be read. */
	eo_error_free(err);
	while (p < end) {
		const char *nl = memchr(p, '\n', (size_t)(end - p));
		const char *stop = nl ? nl : end;
		EO_CLEANUP(eo_freep) char *name = included(p, stop);

		if (name)
			add_include(g, node, file, name);
		p = stop + 1;
	}
}

static void list_dirs(struct graph *g)
{
	EO_CLEANUP(eo_freep) char *arch = eo_path_join(g->root, "arch");
	DIR *d = opendir(arch);
	struct dirent *e;

	eo_set_add(&g->dirs, "include");
	eo_set_add(&g->dirs, "include/uapi");
	while (d && (e = readdir(d))) {
		EO_CLEANUP(eo_freep) char *dir = NULL, *uapi = NULL;
		EO_CLEANUP(eo_freep) char *full = NULL;

		dir = eo_asprintf("arch/%s/include", e->d_name);
		full = eo_path_join(g->root, dir);
		if (*e->d_name == '.' || !eo_is_dir(full))
			continue;
		uapi = eo_path_join(dir, "uapi");
		eo_set_add(&g->dirs, dir);
		eo_set_add(&g->dirs, uapi);
	}
	if (d)
		closedir(d);
}

/* Whoever includes a hit is one, until nothing changes any more. */
static void spread(struct graph *g)
{
	struct eo_map_entry *e;
	bool again = true;

	while (again) {
		again = false;
		eo_map_for_each(e, &g->nodes) {
			struct node *n = e->value;

			for (size_t i = 0; !n->hit && i < n->to.n; i++)
				again |= n->hit = n->to.items[i]->hit;
		}
	}
}

void eo_includes_reach(const char *root, const char *const *files, size_t n,
		       const struct eo_map *changed, struct eo_map *out)
{
	EO_CLEANUP(graph_release)
	struct graph g = { .root = root, .changed = changed };

	list_dirs(&g);
	for (size_t i = 0; i < n; i++)
		node_of(&g, files[i]);
	for (size_t i = 0; i < g.nodes.n; i++) {
		/* the map moves while it grows; its keys and values do not */
		char *key = g.nodes.items[i].key;

		read_file(&g, key, g.nodes.items[i].value);
	}
	spread(&g);
	for (size_t i = 0; i < n; i++)
		if (node_of(&g, files[i])->hit)
			eo_set_add(out, files[i]);
}
