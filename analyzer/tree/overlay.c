// SPDX-License-Identifier: GPL-2.0-only
#include "tree/overlay.h"

#include <stdlib.h>

#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/str.h"
#include "tree/tree.h"

void eo_overlay_release(struct eo_overlay *o)
{
	struct eo_map_entry *e;

	eo_map_for_each(e, &o->files) {
		eo_str_release(e->value);
		free(e->value);
	}
	eo_map_release(&o->files);
}

void eo_overlay_put(struct eo_overlay *o, const char *file, const char *text,
		    size_t n)
{
	struct eo_str *s = eo_map_get(&o->files, file);

	if (!s) {
		s = eo_zalloc(sizeof(*s));
		eo_map_set(&o->files, file, s);
	}
	eo_str_clear(s);
	eo_str_addn(s, text, n);
}

const struct eo_str *eo_overlay_get(const struct eo_overlay *o,
				    const char *file)
{
	return o ? eo_map_get(&o->files, file) : NULL;
}

struct eo_error *eo_overlay_read(const struct eo_overlay *o,
				 const struct eo_tree *tree, const char *file,
				 struct eo_str *out)
{
	const struct eo_str *s = eo_overlay_get(o, file);
	EO_CLEANUP(eo_freep) char *path = NULL;

	if (s) {
		eo_str_addn(out, eo_str_get(s), s->len);
		return NULL;
	}
	path = eo_path_join(tree->root, file);
	return eo_file_read(path, out);
}
