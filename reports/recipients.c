// SPDX-License-Identifier: GPL-2.0-only
#include "reports/recipients.h"

#include <stdbool.h>
#include <string.h>

#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/proc.h"
#include "base/str.h"
#include "tree/tree.h"

#define SCRIPT "scripts/get_maintainer.pl"
#define SCRIPT_TIMEOUT_MS 60000

void eo_recipients_release(struct eo_recipients *r)
{
	eo_map_release(&r->to);
	eo_map_release(&r->cc);
}

static void add_one(struct eo_recipients *r, const char *mailbox,
		    bool maintainer)
{
	EO_CLEANUP(eo_freep) char *box = eo_mailbox_encode(mailbox);

	if (!strchr(box, '@') || eo_map_has(&r->to, box) ||
	    eo_map_has(&r->cc, box))
		return;
	eo_set_add(maintainer ? &r->to : &r->cc, box);
}

/* "maintainer", "supporter", "odd fixer", "unknown"; not lists, reviewers. */
static bool is_maintainer(const char *roles)
{
	size_t n = strcspn(roles, ":)");

	return !eo_starts_with(roles, "reviewer") &&
	       !memmem(roles, n, "list", strlen("list"));
}

/* The roles are the last brackets: a name may have brackets too. */
void eo_recipients_parse(struct eo_recipients *r, const char *text)
{
	while (*text) {
		size_t n = strcspn(text, "\n");
		EO_CLEANUP(eo_freep) char *line = eo_strndup(text, n);
		char *from = strrchr(line, '>');
		char *roles = strstr(from ? from : line, " (");

		if (roles)
			*roles = '\0';
		add_one(r, line, roles && is_maintainer(roles + 2));
		text += n + (text[n] == '\n');
	}
}

void eo_recipients_add(struct eo_recipients *r,
		       const struct eo_recipients *from)
{
	struct eo_map_entry *e;

	eo_map_for_each(e, &from->to)
		if (!eo_map_has(&r->cc, e->key))
			eo_set_add(&r->to, e->key);
	eo_map_for_each(e, &from->cc)
		if (!eo_map_has(&r->to, e->key))
			eo_set_add(&r->cc, e->key);
}

static void add_header(struct eo_str *out, const char *name,
		       const struct eo_map *boxes)
{
	struct eo_map_entry *e;

	eo_map_for_each(e, boxes)
		eo_str_addf(out, "%s%s%s", e == boxes->items ? name : "\t",
			    e->key,
			    e + 1 < boxes->items + boxes->n ? ",\n" : "\n");
}

void eo_recipients_headers(const struct eo_recipients *r, struct eo_str *out)
{
	/* A mail goes to somebody: to the lists, when nobody maintains. */
	if (!r->to.n) {
		add_header(out, "To: ", &r->cc);
		return;
	}
	add_header(out, "To: ", &r->to);
	add_header(out, "Cc: ", &r->cc);
}

static void warn_once(struct eo_str *warnings, const char *what)
{
	EO_CLEANUP(eo_freep)
	char *line = eo_asprintf(
		"%s: the mails have no recipients, add To: and Cc: yourself\n",
		what);

	if (!strstr(eo_str_get(warnings), line))
		eo_str_add(warnings, line);
}

struct eo_error *eo_recipients_ask(const struct eo_tree *tree, const char *diff,
				   struct eo_recipients *r,
				   struct eo_str *warnings)
{
	/* On a diff, from stdin: so that its keyword patterns (K:) count. */
	static const char *const argv[] = { "perl",
					    SCRIPT,
					    "--no-tree",
					    "--no-git",
					    "--no-git-fallback",
					    "--no-git-blame",
					    "--roles",
					    "--no-rolestats",
					    "--multiline",
					    NULL };
	const struct eo_proc p = {
		.argv = argv,
		.cwd = tree->root,
		.input = diff,
		.input_len = strlen(diff),
		.timeout_ms = SCRIPT_TIMEOUT_MS,
	};
	EO_CLEANUP(eo_freep) char *script = eo_path_join(tree->root, SCRIPT);
	EO_CLEANUP(eo_proc_result_release) struct eo_proc_result res = { 0 };
	struct eo_error *err;

	if (!eo_is_file(script)) {
		warn_once(warnings, "the tree has no " SCRIPT);
		return NULL;
	}
	err = eo_proc_check(&p, &res);
	if (err && eo_error_kind(err) == EO_ERR_INTERRUPTED)
		return err;
	if (err) {
		err = eo_error_wrap(err, SCRIPT);
		warn_once(warnings, eo_error_message(err));
		eo_error_free(err);
		return NULL;
	}
	eo_recipients_parse(r, eo_str_get(&res.out));
	if (!r->to.n && !r->cc.n)
		warn_once(warnings, SCRIPT " names nobody");
	return NULL;
}

/* Of what the script prints: the first line that is a section's title. */
static char *title_in(const char *text)
{
	while (*text) {
		size_t n = strcspn(text, "\n");
		EO_CLEANUP(eo_freep) char *line = eo_squeeze(text, n);

		if (*line && !strchr(line, '@') && strcmp(line, "THE REST"))
			return eo_strdup(line);
		text += n + (text[n] == '\n');
	}
	return NULL;
}

struct eo_error *eo_recipients_subsystem(const struct eo_tree *tree,
					 const char *file, char **out)
{
	const char *const argv[] = { "perl",
				     SCRIPT,
				     "--no-tree",
				     "--no-git",
				     "--no-git-fallback",
				     "--no-git-blame",
				     "--no-email",
				     "--no-roles",
				     "--no-rolestats",
				     "--multiline",
				     "--subsystem",
				     "-f",
				     file,
				     NULL };
	const struct eo_proc p = {
		.argv = argv,
		.cwd = tree->root,
		.timeout_ms = SCRIPT_TIMEOUT_MS,
	};
	EO_CLEANUP(eo_freep) char *script = eo_path_join(tree->root, SCRIPT);
	EO_CLEANUP(eo_proc_result_release) struct eo_proc_result r = { 0 };
	struct eo_error *err;

	*out = NULL;
	if (!eo_is_file(script))
		return NULL;
	err = eo_proc_run(&p, &r);
	if (err && eo_error_kind(err) == EO_ERR_INTERRUPTED)
		return err;
	if (!err && !r.status)
		*out = title_in(eo_str_get(&r.out));
	eo_error_free(err);
	return NULL;
}
