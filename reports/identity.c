// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/proc.h"
#include "base/str.h"
#include "reports/scratch.h"
#include "tree/tree.h"

void eo_identity_release(struct eo_identity *id)
{
	free(id->name);
	free(id->address);
	*id = (struct eo_identity){ 0 };
}

static struct eo_error *parse(const char *s, struct eo_identity *out)
{
	const char *open = strrchr(s, '<');
	const char *close = open ? strchr(open, '>') : NULL;
	EO_CLEANUP(eo_freep) char *name = NULL;

	if (open)
		name = eo_squeeze(s, (size_t)(open - s));
	if (!close || !*name || close == open + 1 || strpbrk(s, "\r\n") ||
	    !memchr(open, '@', (size_t)(close - open)))
		return eo_error_new(
			EO_ERR_USAGE,
			"\"%s\" is no sender: write \"Name <address>\"", s);
	out->name = eo_strdup(name);
	out->address = eo_strndup(open + 1, (size_t)(close - open - 1));
	return NULL;
}

struct eo_error *eo_identity_get(const char *from, const struct eo_tree *tree,
				 struct eo_identity *out)
{
	/* Rather nobody than an address made up from the host's name. */
	static const char *const argv[] = { "git",
					    "-c",
					    "user.useConfigOnly=true",
					    "var",
					    "GIT_AUTHOR_IDENT",
					    NULL };
	const struct eo_proc p = {
		.argv = argv,
		.cwd = tree->revision ? tree->root : NULL,
	};
	EO_CLEANUP(eo_proc_result_release) struct eo_proc_result r = { 0 };

	if (from)
		return parse(from, out);
	eo_try(eo_proc_run(&p, &r));
	if (r.status || !r.out.len)
		return eo_error_new(
			EO_ERR_ENV,
			"git does not know who you are, and a patch needs a sender: set it with `git config --global user.name` and user.email, or give --from \"Name <address>\"");
	r.out.s[strcspn(r.out.s, "\n")] = '\0';
	return parse(r.out.s, out);
}
