// SPDX-License-Identifier: GPL-2.0-only
/* What is never applied, and which files a patch names. */
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/file.h"
#include "base/proc.h"
#include "verify/apply.h"
#include "verify/diffid.h"
#include "verify/git.h"
#include "verify/input.h"
#include "verify/source.h"

#define MAX_DIFF ((size_t)4 << 20)
#define MAX_FILES 500

static const char *next_line(const char *p)
{
	p += strcspn(p, "\n");
	return *p ? p + 1 : p;
}

static struct eo_error *refuse(const struct eo_mail *m, const char *why)
{
	return eo_error_new(EO_ERR_INPUT, "\"%s\" is refused: %s", m->subject,
			    why);
}

/* Modes of what is no plain file: a symbolic link, a submodule. */
static struct eo_error *check_mode(const struct eo_mail *m, const char *p)
{
	static const char *const before[] = { "new file mode ", "new mode ",
					      "old mode ",
					      "deleted file mode " };
	size_t n = strcspn(p, "\n");
	const char *mode = NULL;

	for (size_t i = 0; i < sizeof(before) / sizeof(before[0]); i++)
		if (eo_starts_with(p, before[i]))
			mode = p + strlen(before[i]);
	if (eo_starts_with(p, "index ") && n > 7 && p[n - 7] == ' ')
		mode = p + n - 6;
	if (mode && !strncmp(mode, "120000", 6))
		return refuse(m, "it changes a symbolic link");
	if (mode && !strncmp(mode, "160000", 6))
		return refuse(m, "it changes a submodule");
	return NULL;
}

/* "--- a/x", "rename from x": the name in it, or NULL; the caller frees. */
static char *name_in(const char *p)
{
	static const char *const heads[] = { "--- a/",	     "+++ b/",
					     "rename from ", "rename to ",
					     "copy from ",   "copy to " };

	for (size_t i = 0; i < sizeof(heads) / sizeof(heads[0]); i++)
		if (eo_starts_with(p, heads[i]))
			return eo_strndup(p + strlen(heads[i]),
					  strcspn(p + strlen(heads[i]),
						  "\t\r\n"));
	if (eo_starts_with(p, "--- ") || eo_starts_with(p, "+++ "))
		return eo_strndup(p + 4, strcspn(p + 4, "\t\r\n"));
	return NULL;
}

static struct eo_error *check_name(const struct eo_mail *m, const char *name,
				   struct eo_map *out)
{
	EO_CLEANUP(eo_freep) char *why = NULL;

	if (eo_streq(name, "/dev/null") || !*name)
		return NULL;
	if (eo_source_is_path(name)) {
		eo_set_add(out, name);
		return NULL;
	}
	why = eo_asprintf("%s is no file of a kernel tree", name);
	return refuse(m, why);
}

/* Skips a hunk, whose lines may look like anything. */
static const char *skip_hunk(const char *p)
{
	unsigned long old, new;

	eo_diff_hunk(p, &old, &new);
	for (p = next_line(p); *p && (old || new); p = next_line(p)) {
		if (*p != '+' && *p != '\\')
			old -= old > 0;
		if (*p != '-' && *p != '\\')
			new -= new > 0;
	}
	return p;
}

static struct eo_error *check_text(const struct eo_mail *m, struct eo_map *out)
{
	const char *p = m->diff;

	while (*p) {
		EO_CLEANUP(eo_freep) char *name = NULL;

		if (eo_starts_with(p, "@@ -")) {
			p = skip_hunk(p);
			continue;
		}
		if (eo_starts_with(p, "GIT binary patch") ||
		    eo_starts_with(p, "Binary files "))
			return refuse(m, "it is binary");
		eo_try(check_mode(m, p));
		name = name_in(p);
		if (name)
			eo_try(check_name(m, name, out));
		p = next_line(p);
	}
	return NULL;
}

/* What git itself makes of it: it must see the same, and no more. */
static struct eo_error *check_git(const struct eo_mail *m, struct eo_map *out)
{
	EO_CLEANUP(eo_proc_result_release) struct eo_proc_result r = { 0 };
	const struct eo_git git = { .dir = "/",
				    .input = m->diff,
				    .input_len = strlen(m->diff) };
	EO_CLEANUP(eo_freep) char *why = NULL;
	static const char *const args[] = { "apply", "--numstat", "-z", "-",
					    NULL };

	eo_try(eo_git_run(&git, args, &r));
	if (r.status) {
		EO_CLEANUP(eo_freep)
		char *said = eo_squeeze(eo_str_get(&r.err), r.err.len);

		why = eo_asprintf("git says: %s", said);
		return refuse(m, why);
	}
	for (const char *p = eo_str_get(&r.out); p < r.out.s + r.out.len;
	     p += strlen(p) + 1) {
		const char *tab = strrchr(p, '\t');

		if (eo_starts_with(p, "-\t-\t"))
			return refuse(m, "it is binary");
		eo_try(check_name(m, tab ? tab + 1 : p, out));
	}
	return NULL;
}

struct eo_error *eo_apply_files(const struct eo_input *input,
				struct eo_map *out)
{
	const struct eo_mail *m;

	eo_vec_for_each(m, input) {
		if (strlen(m->diff) > MAX_DIFF)
			return refuse(m, "it is huge: more than 4 MiB");
		eo_try(check_text(m, out));
		eo_try(check_git(m, out));
		if (out->n > MAX_FILES)
			return refuse(m, "it is huge: more than 500 files");
	}
	return NULL;
}
