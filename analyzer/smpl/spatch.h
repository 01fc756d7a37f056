/* SPDX-License-Identifier: GPL-2.0-only */
/* One run of spatch, and the scratch folder that several runs share. */
#ifndef EO_SMPL_SPATCH_H
#define EO_SMPL_SPATCH_H

struct eo_error;
struct eo_model;
struct eo_proc_result;

/* Zeroed to begin with; removed, with all in it, by the release. */
struct eo_spatch {
	char *dir; /* ours, and $TMPDIR of spatch */
	char *cocci; /* the rule's semantic patch, made for the model */
	char *macros; /* the file for --macro-file */
	char *python; /* the interpreter for --python, or NULL */
	unsigned timeout_ms;
};

struct eo_error *eo_spatch_init(struct eo_spatch *s, const char *rule,
				const struct eo_model *model,
				unsigned timeout_ms);
void eo_spatch_release(struct eo_spatch *s);

/*
 * Runs it on @file (relative to @cwd) in the mode @mode of the semantic
 * patch: a diff without context in mode patch. As eo_proc_run(); may be called
 * in several threads at once.
 */
struct eo_error *eo_spatch_run(const struct eo_spatch *s, const char *mode,
			       const char *cwd, const char *file,
			       struct eo_proc_result *r);

#endif
