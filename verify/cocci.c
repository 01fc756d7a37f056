// SPDX-License-Identifier: GPL-2.0-only
#include "verify/cocci.h"

#include <fts.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/file.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/proc.h"
#include "base/str.h"
#include "verify/complaints.h"
#include "verify/kbuild.h"
#include "verify/source.h"

#define SCRIPT_TIMEOUT_MS 20000

static int by_name(const FTSENT **a, const FTSENT **b)
{
	return strcmp((*a)->fts_name, (*b)->fts_name);
}

/* Those of the tree with a mode report, relative to it. */
static void find_scripts(const struct eo_kbuild *k, struct eo_map *out)
{
	EO_CLEANUP(eo_freep)
	char *dir = eo_path_join(k->source->dir, "scripts/coccinelle");
	char *paths[] = { dir, NULL };
	size_t root = strlen(k->source->dir) + 1;
	FTS *fts = fts_open(paths, FTS_PHYSICAL | FTS_NOCHDIR, by_name);
	FTSENT *e;

	while (fts && (e = fts_read(fts))) {
		EO_CLEANUP(eo_str_release) struct eo_str text = { 0 };

		if (e->fts_info != FTS_F ||
		    !eo_ends_with(e->fts_name, ".cocci"))
			continue;
		eo_error_free(eo_file_read(e->fts_path, &text));
		if (strstr(eo_str_get(&text), "virtual report"))
			eo_set_add(out, e->fts_path + root);
	}
	if (fts)
		fts_close(fts);
}

/* Of what is looked for, and in what: the answer's name in the cache. */
static void key_of(const char *script, const struct eo_str *file, char out[17])
{
	EO_CLEANUP(eo_str_release) struct eo_str all = { 0 };

	eo_str_addf(&all, "%s\n", script);
	eo_str_addn(&all, eo_str_get(file), file->len);
	eo_hash_hex(all.s, all.len, out);
}

/* Runs it; a semantic patch that fails or is slow says nothing. */
static struct eo_error *ask(const struct eo_kbuild *k, const char *script,
			    const char *file, struct eo_str *answer,
			    struct eo_str *log)
{
	EO_CLEANUP(eo_proc_result_release) struct eo_proc_result r = { 0 };
	EO_CLEANUP(eo_freep)
	char *cocci = eo_asprintf("%s/%s", eo_kbuild_source(k), script);
	EO_CLEANUP(eo_freep)
	char *path = eo_asprintf("%s/%s", eo_kbuild_source(k), file);
	const char *const argv[] = { "spatch",
				     "-D",
				     "report",
				     "--very-quiet",
				     "--no-show-diff",
				     "--no-includes",
				     "--cocci-file",
				     cocci,
				     path,
				     NULL };
	struct eo_kbuild own = *k;
	struct eo_error *err;

	own.limits.timeout_ms = SCRIPT_TIMEOUT_MS;
	err = eo_kbuild_run(&own, argv, &r);
	if (err && eo_error_kind(err) != EO_ERR_TIMEOUT)
		return err;
	if (err || r.status)
		eo_str_addf(log, "%s: no answer on %s\n", script, file);
	else
		eo_str_add(answer, eo_str_get(&r.out));
	eo_error_free(err);
	return NULL;
}

static struct eo_error *one(const struct eo_kbuild *k, const char *script,
			    const char *file, const struct eo_str *text,
			    const char *cache, struct eo_complaints *out,
			    struct eo_str *log)
{
	EO_CLEANUP(eo_str_release) struct eo_str answer = { 0 };
	EO_CLEANUP(eo_freep) char *path = NULL;
	char key[17];

	if (eo_interrupted())
		return eo_interrupt_error();
	key_of(script, text, key);
	path = eo_path_join(cache, key);
	if (eo_is_file(path)) {
		eo_try(eo_file_read(path, &answer));
	} else {
		eo_try(ask(k, script, file, &answer, log));
		eo_error_free(
			eo_file_write(path, eo_str_get(&answer), answer.len));
	}
	eo_complaints_read(out, eo_str_get(&answer), eo_kbuild_source(k),
			   EO_BY_COCCI);
	eo_str_add(log, eo_str_get(&answer));
	return NULL;
}

struct eo_error *eo_cocci_run(const struct eo_kbuild *k,
			      const struct eo_map *files, const char *cache,
			      struct eo_complaints *out, struct eo_str *log,
			      size_t *scripts)
{
	EO_CLEANUP(eo_map_release) struct eo_map all = { 0 };
	const struct eo_map_entry *s, *f;

	eo_try(eo_mkdirs(cache));
	find_scripts(k, &all);
	*scripts = all.n;
	eo_map_for_each(f, files) {
		EO_CLEANUP(eo_str_release) struct eo_str text = { 0 };
		bool there;

		eo_try(eo_source_read(k->source, f->key, &text, &there));
		if (!there)
			continue;
		eo_map_for_each(s, &all)
			eo_try(one(k, s->key, f->key, &text, cache, out, log));
	}
	return NULL;
}
