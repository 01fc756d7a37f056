// SPDX-License-Identifier: GPL-2.0-only
#include "tree/dryrun.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/proc.h"
#include "base/str.h"
#include "tree/flags.h"
#include "tree/kmake.h"
#include "tree/shellwords.h"

/* The names must fit into one argument of a shell (128 KiB), twice over. */
#define BATCH 400

/* "./mm/a.o", "mm/.tmp_a.o" → "mm/a.c" */
static const char *file_of(struct eo_arena *a, const char *object)
{
	const char *slash, *name;

	if (eo_starts_with(object, "./"))
		object += 2;
	if (!eo_ends_with(object, ".o"))
		return NULL;
	slash = strrchr(object, '/');
	name = slash ? slash + 1 : object;
	return eo_arena_printf(a, "%.*s%.*sc", (int)(name - object), object,
			       (int)strlen(name) - 1 -
				       (eo_starts_with(name, ".tmp_") ? 5 : 0),
			       name + (eo_starts_with(name, ".tmp_") ? 5 : 0));
}

static void take_command(const struct eo_words *command, struct eo_arena *a,
			 struct eo_map *flags)
{
	const char *object, *file;

	if (!eo_flags_is_compile(command))
		return;
	object = eo_flags_output(command);
	file = object ? file_of(a, object) : NULL;
	if (file)
		eo_map_set(flags, file,
			   (void *)eo_flags_for_clang(a, command, NULL));
}

void eo_dryrun_read(const char *output, struct eo_arena *a,
		    struct eo_map *flags)
{
	EO_CLEANUP(eo_words_release) struct eo_words command = { 0 };

	/*
	 * Line by line: a lone quote in one of make's own messages must not
	 * swallow the commands after it.
	 */
	while (*output) {
		EO_CLEANUP(eo_str_release) struct eo_str line = { 0 };
		const char *p;
		size_t n;

		for (;;) {
			n = strcspn(output, "\n");
			eo_str_addn(&line, output, n);
			output += n + (output[n] == '\n');
			if (!n || output[-1] != '\n' || output[-2] != '\\')
				break;
			line.s[--line.len] = '\0';
		}
		/* most lines are of no interest, and long */
		if (!line.len || !strstr(line.s, " -c -o "))
			continue;
		for (p = line.s; eo_shell_next(&p, a, &command);)
			take_command(&command, a, flags);
	}
}

static struct eo_error *run_batch(const struct eo_kmake *k,
				  const char *const *objects, size_t n,
				  struct eo_arena *a, struct eo_map *flags)
{
	for (int direct = 1; direct >= 0; direct--) {
		EO_CLEANUP(eo_proc_result_release)
		struct eo_proc_result r = { 0 };
		size_t before = flags->n;

		eo_try(eo_kmake_dry(k, direct, objects, n, &r));
		eo_dryrun_read(eo_str_get(&r.out), a, flags);
		if (flags->n > before)
			break; /* else this kernel wants the long way */
	}
	return NULL;
}

struct eo_error *eo_dryrun(const struct eo_kmake *k, const char *const *files,
			   size_t n, struct eo_arena *a, struct eo_map *flags)
{
	const char **objects = eo_zalloc((n + 1) * sizeof(*objects));
	struct eo_error *err = NULL;

	for (size_t i = 0; i < n; i++)
		objects[i] = eo_arena_printf(
			a, "%.*so", (int)strlen(files[i]) - 1, files[i]);
	for (size_t i = 0; i < n && !err; i += BATCH)
		err = run_batch(k, objects + i, n - i < BATCH ? n - i : BATCH,
				a, flags);
	free(objects);
	return err;
}
