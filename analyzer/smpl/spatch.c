// SPDX-License-Identifier: GPL-2.0-only
#include "smpl/spatch.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/data.h"
#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/proc.h"
#include "base/str.h"
#include "smpl/smpl.h"

#define MAX_OUTPUT (8u << 20)

/*
 * spatch asks the python3 in PATH where it is, each time that it runs. Where
 * that is a shell script in front of the real one (pyenv, conda), the asking
 * takes ten times as long as the work on a file: so ask once. NULL leaves it
 * to spatch.
 */
static char *find_python(unsigned timeout_ms)
{
	static const char *const argv[] = { "python3", "-c",
					    "import sys; print(sys.executable)",
					    NULL };
	EO_CLEANUP(eo_proc_result_release) struct eo_proc_result r = { 0 };
	struct eo_proc p = { .argv = argv,
			     .timeout_ms = timeout_ms,
			     .max_output = 4096 };
	struct eo_error *err = eo_proc_run(&p, &r);
	bool ok = !err && r.status == 0 && r.out.len > 1 && *r.out.s == '/' &&
		  !r.truncated;

	eo_error_free(err);
	return ok ? eo_strndup(r.out.s, r.out.len - 1) : NULL;
}

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
	s->python = find_python(timeout_ms);
	return eo_file_write(s->cocci, text.s, text.len);
}

void eo_spatch_release(struct eo_spatch *s)
{
	if (s->dir)
		eo_error_free(eo_remove_tree(s->dir));
	free(s->dir);
	free(s->cocci);
	free(s->macros);
	free(s->python);
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
		s->python ? "--python" : path,
		s->python ? s->python : NULL,
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
