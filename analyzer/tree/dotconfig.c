// SPDX-License-Identifier: GPL-2.0-only
#include "tree/dotconfig.h"

#include <string.h>

#include "base/err.h"
#include "base/file.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/str.h"

/* What a line is about: its symbol's name, or NULL; the caller frees it. */
static char *symbol_of(const char *line, size_t len)
{
	static const char prefix[] = "CONFIG_";
	size_t n = 0;

	if (len > 2 && line[0] == '#' && line[1] == ' ') {
		line += 2;
		len -= 2;
	}
	if (len < sizeof(prefix) || memcmp(line, prefix, sizeof(prefix) - 1))
		return NULL;
	line += sizeof(prefix) - 1;
	len -= sizeof(prefix) - 1;
	while (n < len && eo_is_ident(line[n]))
		n++;
	return eo_strndup(line, n);
}

struct eo_error *eo_dotconfig_read(const char *path, struct eo_map *values)
{
	EO_CLEANUP(eo_str_release) struct eo_str text = { 0 };
	const char *p;

	eo_try(eo_file_read(path, &text));
	for (p = eo_str_get(&text); *p; p += *p == '\n') {
		size_t len = strcspn(p, "\n");
		EO_CLEANUP(eo_freep) char *name = symbol_of(p, len);
		const char *value = memchr(p, '=', len);

		if (name && *p != '#' && value)
			eo_map_set(values, name,
				   (void *)(value[1] == 'y' ? "y" :
					    value[1] == 'm' ? "m" :
							      ""));
		p += len;
	}
	return NULL;
}

bool eo_dotconfig_on(const struct eo_map *values, const char *symbol)
{
	const char *v = eo_map_get(values, symbol);

	return v && *v;
}

bool eo_dotconfig_yes(const struct eo_map *values, const char *symbol)
{
	return eo_streq(eo_map_get(values, symbol), "y");
}

struct eo_error *eo_dotconfig_change(const char *path, const struct eo_map *on,
				     const struct eo_map *off)
{
	EO_CLEANUP(eo_str_release) struct eo_str text = { 0 }, out = { 0 };
	const struct eo_map_entry *e;
	const char *p;

	eo_try(eo_file_read(path, &text));
	for (p = eo_str_get(&text); *p; p += *p == '\n') {
		size_t len = strcspn(p, "\n");
		EO_CLEANUP(eo_freep) char *name = symbol_of(p, len);

		if (!name ||
		    (!eo_map_has(on, name) && !eo_map_has(off, name))) {
			eo_str_addn(&out, p, len);
			eo_str_addc(&out, '\n');
		}
		p += len;
	}
	eo_map_for_each(e, on)
		eo_str_addf(&out, "CONFIG_%s=y\n", e->key);
	eo_map_for_each(e, off)
		if (!eo_map_has(on, e->key))
			eo_str_addf(&out, "# CONFIG_%s is not set\n", e->key);
	return eo_file_write(path, eo_str_get(&out), out.len);
}
