// SPDX-License-Identifier: GPL-2.0-only
#include "smpl/spatch.h"

#include <stdlib.h>

#include "base/data.h"
#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/proc.h"
#include "base/str.h"
#include "smpl/smpl.h"

#define MAX_OUTPUT (8u << 20)

struct eo_error *eo_spatch_init(struct eo_spatch *s, const char *rule,
				const struct eo_model *model,
				unsigned timeout_ms)
{
	EO_CLEANUP(eo_str_release) struct eo_str text = { 0 };
	EO_CLEANUP(eo_freep) char *macros = NULL;
	EO_CLEANUP(eo_freep) char *dir = NULL;

	s->timeout_ms = timeout_ms;
	eo_try(eo_data_path("semantic-patches/earlyout-macros.h", &macros));
	eo_try(eo_smpl_specialise(rule, model, &text));
	eo_try(eo_temp_dir(&dir));
	/* spatch runs in another folder: no path may be relative to ours. */
	eo_try(eo_path_real(macros, &s->macros));
	eo_try(eo_path_real(dir, &s->dir));
	s->cocci = eo_path_join(s->dir, "rule.cocci");
	return eo_file_write(s->cocci, text.s, text.len);
}

void eo_spatch_release(struct eo_spatch *s)
{
	if (s->dir)
		eo_error_free(eo_remove_tree(s->dir));
	free(s->dir);
	free(s->cocci);
	free(s->macros);
}

/*
 * The quiet modes of spatch hide what it could not parse. Lines that it adds
 * are not to be broken by it: where they end up, the style pass decides.
 */
struct eo_error *eo_spatch_run(const struct eo_spatch *s, const char *mode,
			       const char *cwd, const char *file,
			       struct eo_proc_result *r)
{
	EO_CLEANUP(eo_freep) char *path = eo_path_join(".", file);
	EO_CLEANUP(eo_freep) char *tmp = eo_asprintf("TMPDIR=%s", s->dir);
	const char *env[] = { tmp, "LC_ALL=C", NULL };
	const char *argv[] = {
		"spatch",
		"--sp-file",
		s->cocci,
		"-D",
		mode,
		"--macro-file",
		s->macros,
		"--no-includes",
		"--include-headers",
		"--parse-error-msg",
		"--max-width",
		"1000",
		"-U",
		"0",
		path,
		NULL,
	};
	struct eo_proc p = {
		.argv = argv,
		.cwd = cwd,
		.env = env,
		.timeout_ms = s->timeout_ms,
		.max_output = MAX_OUTPUT,
	};

	return eo_proc_run(&p, r);
}
