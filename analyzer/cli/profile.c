// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/err.h"
#include "base/file.h"
#include "base/str.h"
#include "cli/cli.h"
#include "db/profiles.h"
#include "reports/escape.h"
#include "tree/tree.h"

/* "/a/b.txt" → "b.txt" */
static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

static struct eo_error *import(struct eo_session *s, const struct eo_args *args,
			       const char *path)
{
	EO_CLEANUP(eo_profile_release) struct eo_profile profile = { 0 };
	EO_CLEANUP(eo_str_release) struct eo_str text = { 0 };
	EO_CLEANUP(eo_str_release) struct eo_str out = { 0 };
	struct eo_stored_profile p = { .root = s->tree->root,
				       .name = args->name ? args->name :
							    base_name(path),
				       .imported = time(NULL) };

	eo_try(eo_file_read(path, &text));
	eo_try(eo_profile_parse(path, eo_str_get(&text), text.len, &profile));
	p.format = profile.format;
	p.items = profile.items;
	p.n = profile.n;
	eo_try(eo_db_put_profile(s->db, &p));
	if (args->quiet)
		return NULL;
	eo_add_line(&out, p.name);
	eo_str_addf(&out, ": %s, ", p.format);
	eo_add_plural(&out, p.n, "kernel function", "kernel functions");
	eo_str_add(&out, "; scans and reports rank by it now\n");
	fputs(out.s, stdout);
	return NULL;
}

static struct eo_error *list(struct eo_session *s)
{
	EO_CLEANUP(eo_profile_rows_release) struct eo_profile_rows rows = { 0 };
	EO_CLEANUP(eo_str_release) struct eo_str out = { 0 };
	const struct eo_profile_row *r;

	eo_try(eo_db_get_profiles(s->db, s->tree->root, &rows));
	eo_vec_for_each(r, &rows) {
		eo_str_add(&out, r == rows.items ? "* " : "  ");
		eo_add_line(&out, r->name);
		eo_str_addf(&out, ": %s, ", r->format);
		eo_add_plural(&out, r->symbols, "kernel function",
			      "kernel functions");
		eo_str_addc(&out, '\n');
	}
	fputs(eo_str_get(&out), stdout);
	return NULL;
}

static struct eo_error *profile_main(const struct eo_args *args, int *exit_code)
{
	EO_CLEANUP(eo_session_close) struct eo_session s = { 0 };
	const char *what = args->n_words ? args->words[0] : "list";
	bool imports = !strcmp(what, "import"), lists = !strcmp(what, "list");

	(void)exit_code;
	if (lists ? args->n_words > 1 :
		    args->n_words != 2 ||
			    (!imports && strcmp(what, "forget") != 0))
		return eo_error_new(
			EO_ERR_USAGE,
			"profile takes `import FILE`, `list` or `forget NAME`: see `earlyout profile --help`");
	eo_try(eo_session_open(args, &s));
	if (lists)
		return list(&s);
	if (imports)
		return import(&s, args, args->words[1]);
	return eo_db_forget_profile(s.db, s.tree->root, args->words[1]);
}

const struct eo_command eo_cmd_profile = {
	.allowed = "tdpqv",
	.usage = "[OPTION…] import FILE | list | forget NAME",
	.help = "Takes in what `perf report --stdio` prints, or folded stacks (`a;b;c 123` a\n"
		"line). From then on findings come with their function's share of the profile,\n"
		"or the called function's, the heaviest first. Of several profiles the last\n"
		"import counts (* in the list).\n\n"
		"examples:\n"
		"  perf report --stdio >sqpoll.txt && earlyout profile import sqpoll.txt\n"
		"  perf script | stackcollapse-perf.pl >stacks && earlyout profile import stacks\n",
	.main = profile_main,
};
