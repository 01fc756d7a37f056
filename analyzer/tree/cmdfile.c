// SPDX-License-Identifier: GPL-2.0-only
#include "tree/cmdfile.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/str.h"
#include "tree/flags.h"
#include "tree/shellwords.h"

/*
 * The value of a "savedcmd_X := …" line (Linux 6.2 and later; before, it was
 * "cmd_X"), with what Kbuild escaped for make undone. The caller frees it.
 */
static char *saved_command(const char *text)
{
	static const char pound[] = "$(pound)";
	struct eo_str out = { 0 };
	const char *p = text;

	while (*p && !eo_starts_with(p, "savedcmd_") &&
	       !eo_starts_with(p, "cmd_")) {
		p += strcspn(p, "\n");
		p += *p == '\n';
	}
	p = strstr(p, ":= ");
	if (!p)
		return NULL;
	for (p += 3; *p && *p != '\n'; p++) {
		if (p[0] == '$' && p[1] == '$') {
			eo_str_addc(&out, *++p);
		} else if (eo_starts_with(p, pound)) {
			eo_str_addc(&out, '#');
			p += sizeof(pound) - 2;
		} else if (p[0] == '\\' && p[1] == '#') {
			eo_str_addc(&out, *++p);
		} else {
			eo_str_addc(&out, *p);
		}
	}
	return eo_str_take(&out);
}

/* The compiler's command in a .cmd file; other steps come before or after. */
static bool read_cmd(const char *path, struct eo_arena *a,
		     struct eo_words *command)
{
	EO_CLEANUP(eo_str_release) struct eo_str text = { 0 };
	EO_CLEANUP(eo_freep) char *line = NULL;
	struct eo_error *err;
	const char *p;

	if (!eo_is_file(path))
		return false;
	err = eo_file_read(path, &text);
	eo_error_free(err); /* one without a right to read it is as none */
	if (err)
		return false;
	line = saved_command(eo_str_get(&text));
	for (p = line; p && eo_shell_next(&p, a, command);)
		if (eo_flags_is_compile(command))
			return true;
	return false;
}

bool eo_cmdfile_get(const char *dir, const char *file, struct eo_arena *a,
		    struct eo_words *command)
{
	const char *slash = strrchr(file, '/');
	const char *name = slash ? slash + 1 : file;
	EO_CLEANUP(eo_freep) char *path = NULL;

	if (!eo_ends_with(name, ".c"))
		return false;
	path = eo_asprintf("%s/%.*s.%.*so.cmd", dir, (int)(name - file), file,
			   (int)strlen(name) - 1, name);
	return read_cmd(path, a, command);
}

static int is_object_cmd(const struct dirent *de)
{
	return *de->d_name == '.' && eo_ends_with(de->d_name, ".o.cmd") &&
	       !eo_ends_with(de->d_name, ".mod.o.cmd");
}

/* The first object's command in the folder @sub ("mm/", or ""). */
static bool any_in(const char *dir, const char *sub, struct eo_arena *a,
		   struct eo_words *command, const char **of)
{
	EO_CLEANUP(eo_freep) char *folder = eo_asprintf("%s/%s", dir, sub);
	struct dirent **list;
	int n = scandir(folder, &list, is_object_cmd, alphasort);
	bool found = false;

	for (int i = 0; i < n; i++) {
		const char *name = list[i]->d_name;
		EO_CLEANUP(eo_freep) char *path = eo_path_join(folder, name);

		if (!found && read_cmd(path, a, command)) {
			*of = eo_arena_printf(a, "%s%.*s", sub,
					      (int)strlen(name) - 5, name + 1);
			found = true;
		}
		free(list[i]);
	}
	if (n >= 0)
		free(list);
	return found;
}

bool eo_cmdfile_nearest(const char *dir, const char *file, struct eo_arena *a,
			struct eo_words *command, const char **of)
{
	/* "make prepare" compiles these to learn the sizes of structures */
	static const char *const always[][2] = {
		{ "kernel/.bounds.s.cmd", "kernel/bounds.s" },
		{ "init/.main.o.cmd", "init/main.o" },
	};
	EO_CLEANUP(eo_freep) char *sub = eo_strdup(file);

	for (char *slash; (slash = strrchr(sub, '/'));) {
		slash[1] = '\0';
		if (any_in(dir, sub, a, command, of))
			return true;
		*slash = '\0';
	}
	for (size_t i = 0; i < sizeof(always) / sizeof(always[0]); i++) {
		EO_CLEANUP(eo_freep)
		char *path = eo_path_join(dir, always[i][0]);

		*of = always[i][1];
		if (read_cmd(path, a, command))
			return true;
	}
	return false;
}
