// SPDX-License-Identifier: GPL-2.0-only
#include "verify/includers.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/file.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/proc.h"
#include "base/str.h"
#include "tree/arch.h"
#include "tree/tree.h"

struct search {
	const char *root;
	char *name; /* "linux/list.h": between the < and > */
	char *short_name; /* of "uapi/linux/x.h": without "uapi/" */
	char *base; /* "list.h": between quotes, in the header's folder */
	size_t most, found;
	struct eo_map *out;
	struct eo_map seen; /* folders */
	struct {
		char **items;
		size_t n, cap;
	} folders; /* to look into, in this order; relative */
};

static void search_release(struct search *s)
{
	for (size_t i = 0; i < s->folders.n; i++)
		free(s->folders.items[i]);
	free(s->folders.items);
	eo_map_release(&s->seen);
	free(s->name);
	free(s->short_name);
	free(s->base);
}

static void add_folder(struct search *s, const char *dir)
{
	if (eo_set_add(&s->seen, dir))
		*eo_vec_push(&s->folders) = eo_strdup(dir);
}

static char *folder_of(const char *file)
{
	const char *slash = strrchr(file, '/');

	return slash ? eo_strndup(file, (size_t)(slash - file)) : eo_strdup("");
}

static bool includes(const struct search *s, const char *text)
{
	EO_CLEANUP(eo_freep) char *angled = eo_asprintf("<%s>", s->name);
	EO_CLEANUP(eo_freep) char *other = eo_asprintf("<%s>", s->short_name);
	EO_CLEANUP(eo_freep) char *quoted = eo_asprintf("\"%s\"", s->base);

	for (const char *p = text; (p = strstr(p, "#include")); p++) {
		EO_CLEANUP(eo_freep)
		char *line = eo_strndup(p, strcspn(p, "\n"));

		if (strstr(line, angled) || strstr(line, other) ||
		    strstr(line, quoted))
			return true;
	}
	return false;
}

static struct eo_error *look_at(struct search *s, const char *file)
{
	EO_CLEANUP(eo_freep) char *path = eo_path_join(s->root, file);
	EO_CLEANUP(eo_str_release) struct eo_str text = { 0 };

	if (eo_map_has(s->out, file) || !eo_tree_is_kernel_path(file))
		return NULL;
	eo_try(eo_file_read(path, &text));
	if (includes(s, eo_str_get(&text)) && eo_set_add(s->out, file))
		s->found++;
	return NULL;
}

/* Other machines' code is not built here. */
static bool is_elsewhere(const char *dir)
{
	EO_CLEANUP(eo_freep)
	char *ours = eo_asprintf("arch/%s", eo_arch_of_host());

	return eo_starts_with(dir, "arch/") && !eo_starts_with(dir, ours);
}

/* The .c files of a folder; its folders come last. */
static struct eo_error *look_into(struct search *s, const char *dir)
{
	EO_CLEANUP(eo_freep)
	char *path = *dir ? eo_path_join(s->root, dir) : eo_strdup(s->root);
	struct dirent **names;
	struct eo_error *err = NULL;
	int n = scandir(path, &names, NULL, alphasort);

	for (int i = 0; i < n; i++) {
		EO_CLEANUP(eo_freep)
		char *sub = *dir ? eo_path_join(dir, names[i]->d_name) :
				   eo_strdup(names[i]->d_name);

		if (*names[i]->d_name == '.' || err || s->found >= s->most)
			;
		else if (names[i]->d_type == DT_DIR && !is_elsewhere(sub))
			add_folder(s, sub);
		else if (names[i]->d_type == DT_REG && eo_ends_with(sub, ".c"))
			err = look_at(s, sub);
		free(names[i]);
	}
	if (n >= 0)
		free(names);
	return err;
}

struct eo_error *eo_includers(const char *root, const char *header, size_t most,
			      struct eo_map *out)
{
	const char *in = strstr(header, "include/");
	const char *name = in ? in + strlen("include/") : header;
	const char *uapi = eo_starts_with(name, "uapi/") ? name + 5 : name;
	const char *slash = strrchr(header, '/');
	EO_CLEANUP(search_release)
	struct search s = { .root = root,
			    .name = eo_strdup(name),
			    .short_name = eo_strdup(uapi),
			    .base = eo_strdup(slash ? slash + 1 : header),
			    .most = most,
			    .out = out };
	EO_CLEANUP(eo_freep) char *beside = folder_of(header);
	const struct eo_map_entry *e;

	add_folder(&s, beside);
	eo_map_for_each(e, out) {
		EO_CLEANUP(eo_freep) char *dir = folder_of(e->key);

		add_folder(&s, dir);
	}
	add_folder(&s, "");
	for (size_t i = 0; i < s.folders.n && s.found < most; i++) {
		if (eo_interrupted())
			return eo_interrupt_error();
		eo_try(look_into(&s, s.folders.items[i]));
	}
	return NULL;
}
