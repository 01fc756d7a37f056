// SPDX-License-Identifier: GPL-2.0-only
#include "scan/scan.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/file.h"
#include "base/map.h"
#include "base/str.h"
#include "finding/merge.h"
#include "rules/rule.h"
#include "scan/analyze.h"
#include "scan/rounds.h"
#include "scan/scope.h"
#include "smpl/smpl.h"
#include "tree/arch.h"
#include "tree/build.h"
#include "tree/tree.h"
#include "tu/unit.h"

static bool wanted(const struct eo_rounds *s, const char *file)
{
	if (s->opts->only && strcmp(s->opts->only, file))
		return false;
	return !s->opts->changes || eo_map_has(&s->out->scope, file);
}

static struct eo_error *run_smpl(struct eo_rounds *s, struct eo_findings *found)
{
	struct eo_smpl_options opts = {
		.jobs = s->opts->jobs, .timeout_ms = eo_scan_timeout(s->opts)
	};
	struct eo_names files = { 0 };
	struct eo_map_entry *e;
	struct eo_error *err;

	eo_map_for_each(e, &s->results)
		if (wanted(s, e->key))
			*eo_vec_push(&files) = e->key;
	err = eo_smpl_scan(s->tree, s->model, files.items, files.n, &opts,
			   found, &s->out->gaps);
	free(files.items);
	return err;
}

/* A file of another architecture is as far outside as tools/ is. */
static bool is_foreign(const char *file, const struct eo_analysis *a)
{
	char arch[32];

	return eo_analysis_has_gap(a, EO_GAP_NO_FLAGS) &&
	       eo_arch_is_foreign(file, eo_arch_of_host(), arch, sizeof(arch));
}

/* The chain of calls that makes it hot, unless it is a hot root itself. */
static void heat(const struct eo_rounds *s, struct eo_findings *list,
		 struct eo_finding *f)
{
	const char *chain =
		f->hot.n ?
			NULL :
			eo_callgraph_chain(&s->context.graph, s->model, f->file,
					   f->function, &list->arena);

	if (chain)
		eo_finding_add_hot(list, f, chain);
}

/* Puts together what the units said. */
static void collect(struct eo_rounds *s, struct eo_findings *clang)
{
	struct eo_map_entry *e;

	eo_map_for_each(e, &s->results) {
		const struct eo_analysis *a = e->value;
		bool looked = true;

		if (!wanted(s, e->key)) {
			s->out->left_out++;
			continue;
		}
		if (is_foreign(e->key, a)) {
			s->out->outside++;
			continue;
		}
		for (size_t i = 0; i < a->found.n; i++)
			heat(s, clang,
			     eo_findings_copy(clang, &a->found.items[i]));
		for (size_t i = 0; i < a->rejected.n; i++)
			eo_findings_copy(&s->out->rejected,
					 &a->rejected.items[i]);
		for (size_t i = 0; i < a->gaps.n; i++) {
			eo_gaps_add(&s->out->gaps, &a->gaps.items[i]);
			looked = false;
		}
		s->out->candidates++;
		s->out->analyzed += looked;
	}
}

static void note_build(struct eo_rounds *s)
{
	EO_CLEANUP(eo_str_release) struct eo_str text = { 0 };
	const char *config;
	char hash[17];

	if (!s->build)
		return;
	s->out->build_origin = eo_strdup(eo_build_origin(s->build));
	config = eo_build_config(s->build);
	if (!config)
		return;
	struct eo_error *err = eo_file_read(config, &text);

	if (!err) {
		eo_hash_hex(eo_str_get(&text), text.len, hash);
		s->out->config_hash = eo_strdup(hash);
	}
	eo_error_free(err);
}

static void add_smpl_rules(struct eo_map *set)
{
	size_t n;
	const struct eo_rule *rules = eo_rules_all(&n);

	for (size_t i = 0; i < n; i++)
		if (eo_smpl_has_rule(rules[i].name))
			eo_set_add(set, rules[i].name);
}

struct eo_error *eo_scan_run(const struct eo_tree *tree, struct eo_model *model,
			     const struct eo_scan_options *opts,
			     struct eo_scan *out)
{
	EO_CLEANUP(eo_rounds_release)
	struct eo_rounds s = {
		.tree = tree, .model = model, .opts = opts, .out = out
	};
	struct eo_findings clang = { 0 }, smpl = { 0 };
	struct eo_map smpl_rules = { 0 };
	struct eo_error *err = eo_rounds_run(&s);

	if (!err && !opts->within)
		err = eo_context_learn(&s);
	if (!err && !opts->within)
		err = eo_context_heat(&s);
	if (!err && opts->changes)
		err = eo_scope_find(tree, opts->changes, &s.results, opts->jobs,
				    &out->scope);
	if (!err && opts->smpl)
		err = run_smpl(&s, &smpl);
	if (!err) {
		note_build(&s);
		collect(&s, &clang);
		if (opts->smpl)
			add_smpl_rules(&smpl_rules);
		eo_findings_merge(&clang, &smpl, &out->gaps, &smpl_rules,
				  &out->found);
	}
	eo_map_release(&smpl_rules);
	eo_findings_release(&clang);
	eo_findings_release(&smpl);
	return err;
}

/*
 * In this process: a dump is for us developers, who want to see a crash. It
 * knows the wrappers of the file itself, not those of others.
 */
struct eo_error *eo_scan_dump(const struct eo_tree *tree,
			      struct eo_model *model,
			      const struct eo_scan_options *opts,
			      enum eo_dump what, const char *function, FILE *to)
{
	EO_CLEANUP(eo_freep) char *path = eo_path_join(tree->root, opts->only);
	EO_CLEANUP(eo_rounds_release)
	struct eo_rounds s = { .tree = tree, .model = model, .opts = opts };
	const char *const *flags;
	const char *why = NULL;
	struct eo_unit *u;

	*eo_vec_push(&s.batch) = opts->only;
	eo_try(eo_rounds_open_build(&s, &(struct eo_names){ 0 }));
	flags = eo_build_flags(s.build, opts->only, &why);
	if (!flags)
		return eo_error_new(EO_ERR_INPUT, "%s: %s", opts->only, why);
	if (chdir(eo_build_dir(s.build)))
		return eo_error_errno(errno, "%s", eo_build_dir(s.build));
	eo_try(eo_unit_parse(opts->only, path, flags, &u));
	eo_analyze_dump(u, model, what, function, to);
	eo_unit_free(u);
	return NULL;
}

void eo_scan_release(struct eo_scan *s)
{
	eo_findings_release(&s->found);
	eo_findings_release(&s->rejected);
	eo_gaps_release(&s->gaps);
	eo_map_release(&s->scope);
	free(s->build_origin);
	free(s->config_hash);
}
