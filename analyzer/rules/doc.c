// SPDX-License-Identifier: GPL-2.0-only
#include "rules/doc.h"

#include <stdlib.h>
#include <string.h>

#include "base/data.h"
#include "base/err.h"
#include "base/file.h"
#include "base/str.h"
#include "rules/rule.h"

/* The part that a line at the margin names, or NULL. */
static const char **part(struct eo_rule_doc *d, const char *name)
{
	const struct {
		const char *name;
		const char **text;
	} parts[] = {
		{ "why", &d->why },	{ "before", &d->before },
		{ "after", &d->after }, { "confidence", &d->confidence },
		{ "fix", &d->fix },	{ "smpl", &d->smpl },
	};

	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		if (strcmp(parts[i].name, name) == 0)
			return parts[i].text;
	return NULL;
}

/* "name  meaning". False when there is no meaning. */
static bool add_duty(struct eo_rule_doc *d, char *line)
{
	char *gap = strstr(line, "  ");
	struct eo_rule_duty *duty;

	if (!gap)
		return false;
	*gap = '\0';
	duty = eo_vec_push(&d->duties);
	duty->name = line;
	duty->meaning = gap + 2;
	return true;
}

static void add_line(struct eo_rule_doc *d, const char **text, const char *line)
{
	*text = eo_arena_printf(&d->arena, "%s%s\n", *text ? *text : "", line);
}

static bool parse(struct eo_rule_doc *d, char *text)
{
	const char **to = NULL;
	bool duties = false;
	char *line;

	while ((line = strsep(&text, "\n"))) {
		if (*line == '\t' && duties && add_duty(d, line + 1))
			continue;
		if (*line == '\t' && to) {
			add_line(d, to, line + 1);
			continue;
		}
		if (!*line)
			continue;
		duties = strcmp(line, "obligations") == 0;
		to = duties ? NULL : part(d, line);
		if (!duties && !to)
			return false;
	}
	return d->why && d->before && d->after && d->confidence && d->fix &&
	       d->duties.n;
}

struct eo_error *eo_rule_doc_load(const struct eo_rule *rule,
				  struct eo_rule_doc *out)
{
	EO_CLEANUP(eo_freep)
	char *name = eo_asprintf("analyzer/rules/doc/%s.txt", rule->name);
	EO_CLEANUP(eo_freep) char *path = NULL;
	EO_CLEANUP(eo_str_release) struct eo_str text = { 0 };

	eo_try(eo_data_path(name, &path));
	eo_try(eo_file_read(path, &text));
	if (!parse(out, eo_arena_strdup(&out->arena, eo_str_get(&text))))
		return eo_error_new(EO_ERR_INPUT,
				    "%s: not as the README.md beside it says",
				    path);
	return NULL;
}

void eo_rule_doc_release(struct eo_rule_doc *d)
{
	free(d->duties.items);
	eo_arena_release(&d->arena);
	*d = (struct eo_rule_doc){ 0 };
}
