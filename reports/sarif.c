// SPDX-License-Identifier: GPL-2.0-only
/*
 * SARIF 2.1.0 (OASIS, Static Analysis Results Interchange Format), one run a
 * log. A result's partialFingerprints are the finding's id, which survives
 * edits elsewhere in the file; its code flow is the path from the call to
 * where its work turns out unused.
 */
#include "reports/report.h"

#include <string.h>
#include <time.h>

#include "base/err.h"
#include "base/str.h"
#include "reports/escape.h"
#include "reports/jsonw.h"
#include "reports/shown.h"
#include "rules/rule.h"

#define SCHEMA \
	"https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

static void put_message(struct eo_jsonw *w, const char *key, const char *text)
{
	eo_jsonw_begin_object(w, key);
	eo_jsonw_text(w, "text", text ? text : "");
	eo_jsonw_end(w);
}

static void put_time(struct eo_jsonw *w, const char *key, int64_t ms)
{
	time_t t = (time_t)(ms / 1000);
	struct tm tm = { 0 };
	char iso[40] = "";

	gmtime_r(&t, &tm);
	strftime(iso, sizeof(iso), "%Y-%m-%dT%H:%M:%SZ", &tm);
	eo_jsonw_text(w, key, iso);
}

static void put_file(struct eo_jsonw *w, const char *file)
{
	EO_CLEANUP(eo_str_release) struct eo_str uri = { 0 };

	eo_add_uri(&uri, file);
	eo_jsonw_begin_object(w, "artifactLocation");
	eo_jsonw_text(w, "uri", eo_str_get(&uri));
	eo_jsonw_text(w, "uriBaseId", "SRCROOT");
	eo_jsonw_end(w);
}

/* The start of line @line in the finding's text, or NULL. */
static const char *line_text(const struct eo_finding *f, unsigned line)
{
	const char *s = f->source;

	if (!s || line < f->function_line || line > f->function_end)
		return NULL;
	for (unsigned i = f->function_line; s && i < line; i++) {
		s = strchr(s, '\n');
		s += s != NULL;
	}
	return s;
}

/* Our columns count bytes, SARIF's here characters. */
static unsigned characters(const struct eo_finding *f, unsigned line,
			   unsigned column)
{
	const char *s = line_text(f, line);
	unsigned n = 1;

	if (!s || column > strcspn(s, "\n") + 1)
		return column;
	for (const char *end = s + column - 1; s < end; n++) {
		size_t len = eo_utf8_len(s);

		s += len ? len : 1;
	}
	return n;
}

/* "physicalLocation"; @line 0 is the file as a whole. */
static void put_place(struct eo_jsonw *w, const char *file, unsigned line,
		      unsigned column, unsigned end_column)
{
	eo_jsonw_begin_object(w, "physicalLocation");
	put_file(w, file);
	if (line) {
		eo_jsonw_begin_object(w, "region");
		eo_jsonw_number(w, "startLine", line);
		if (column)
			eo_jsonw_number(w, "startColumn", column);
		if (end_column)
			eo_jsonw_number(w, "endColumn", end_column);
		eo_jsonw_end(w);
	}
	eo_jsonw_end(w);
}

static void put_function(struct eo_jsonw *w, const char *function)
{
	if (!function || !*function)
		return;
	eo_jsonw_begin_array(w, "logicalLocations");
	eo_jsonw_begin_object(w, NULL);
	eo_jsonw_text(w, "name", function);
	eo_jsonw_text(w, "kind", "function");
	eo_jsonw_end(w);
	eo_jsonw_end(w);
}

static void put_locations(struct eo_jsonw *w, const struct eo_finding *f)
{
	unsigned column = characters(f, f->line, f->column);

	eo_jsonw_begin_array(w, "locations");
	eo_jsonw_begin_object(w, NULL);
	put_place(w, f->file, f->line, column,
		  column ? column + (unsigned)eo_characters(f->call) : 0);
	put_function(w, f->function);
	eo_jsonw_end(w);
	eo_jsonw_end(w);
}

static void put_flow(struct eo_jsonw *w, const struct eo_finding *f)
{
	const struct eo_step *s;

	if (!f->steps.n)
		return;
	eo_jsonw_begin_array(w, "codeFlows");
	eo_jsonw_begin_object(w, NULL);
	eo_jsonw_begin_array(w, "threadFlows");
	eo_jsonw_begin_object(w, NULL);
	eo_jsonw_begin_array(w, "locations");
	eo_vec_for_each(s, &f->steps) {
		eo_jsonw_begin_object(w, NULL);
		eo_jsonw_begin_object(w, "location");
		put_place(w, f->file, s->line,
			  characters(f, s->line, s->column), 0);
		put_message(w, "message", s->text);
		eo_jsonw_end(w);
		eo_jsonw_begin_array(w, "kinds");
		eo_jsonw_text(w, NULL, s->kind);
		eo_jsonw_end(w);
		eo_jsonw_end(w);
	}
	for (int i = 0; i < 5; i++)
		eo_jsonw_end(w);
}

/* A person's word against it: in the code, in a file, in a review. */
static void put_suppressions(struct eo_jsonw *w, const struct eo_standing *s)
{
	bool aside = eo_streq(s->review, "false-positive") ||
		     eo_streq(s->review, "wont-fix");

	eo_jsonw_begin_array(w, "suppressions");
	if (s->suppressed_by) {
		eo_jsonw_begin_object(w, NULL);
		eo_jsonw_text(w, "kind",
			      eo_streq(s->suppressed_by, "comment") ?
				      "inSource" :
				      "external");
		eo_jsonw_text(w, "justification", s->suppressed_reason);
		eo_jsonw_begin_object(w, "properties");
		eo_jsonw_text(w, "at", s->suppressed_at);
		eo_jsonw_end(w);
		eo_jsonw_end(w);
	}
	if (aside) {
		eo_jsonw_begin_object(w, NULL);
		eo_jsonw_text(w, "kind", "external");
		eo_jsonw_text(w, "status", "accepted");
		eo_jsonw_text(w, "justification", s->review_note);
		eo_jsonw_begin_object(w, "properties");
		eo_jsonw_text(w, "review", s->review);
		eo_jsonw_end(w);
		eo_jsonw_end(w);
	}
	eo_jsonw_end(w);
}

/* SARIF knows no "reopened": it is new to whoever reads the log. */
static void put_baseline_state(struct eo_jsonw *w, const struct eo_run *run,
			       const struct eo_standing *s)
{
	bool known = s->has_baseline ? s->known :
				       eo_streq(s->status, "unchanged");

	if (s->has_baseline || run->compared_to)
		eo_jsonw_text(w, "baselineState", known ? "unchanged" : "new");
}

static void put_obligations(struct eo_jsonw *w, const struct eo_finding *f)
{
	const struct eo_obligation *o;

	eo_jsonw_begin_array(w, "obligations");
	eo_vec_for_each(o, &f->obligations) {
		eo_jsonw_begin_object(w, NULL);
		eo_jsonw_text(w, "name", o->name);
		eo_jsonw_text(w, "state", eo_proof_name(o->state));
		eo_jsonw_text(w, "detail", o->detail);
		eo_jsonw_end(w);
	}
	eo_jsonw_end(w);
}

static void put_properties(struct eo_jsonw *w, const struct eo_finding *f,
			   const struct eo_standing *s)
{
	const char **hot;

	eo_jsonw_begin_object(w, "properties");
	eo_jsonw_text(w, "confidence", eo_confidence_name(f->confidence));
	eo_jsonw_text(w, "fix", eo_fix_name(f->fix));
	eo_jsonw_text(w, "status", s->status);
	eo_jsonw_text(w, "review", s->review);
	eo_jsonw_text(w, "guard", f->guard);
	eo_jsonw_text(w, "dissent", f->dissent);
	eo_jsonw_begin_array(w, "engines");
	if (f->engines & EO_ENGINE_CLANG)
		eo_jsonw_text(w, NULL, eo_engine_name(EO_ENGINE_CLANG));
	if (f->engines & EO_ENGINE_SMPL)
		eo_jsonw_text(w, NULL, eo_engine_name(EO_ENGINE_SMPL));
	eo_jsonw_end(w);
	eo_jsonw_begin_array(w, "hot");
	eo_vec_for_each(hot, &f->hot)
		eo_jsonw_text(w, NULL, *hot);
	eo_jsonw_end(w);
	put_obligations(w, f);
	eo_jsonw_end(w);
}

static void put_id(struct eo_jsonw *w, const char *rule, const char *id)
{
	eo_jsonw_text(w, "ruleId", rule);
	eo_jsonw_begin_object(w, "partialFingerprints");
	eo_jsonw_text(w, "earlyout/v1", id);
	eo_jsonw_end(w);
}

static void put_result(struct eo_jsonw *w, const struct eo_shown *shown,
		       const struct eo_finding *f, const struct eo_standing *s)
{
	eo_jsonw_begin_object(w, NULL);
	put_id(w, f->rule, f->id);
	eo_jsonw_text(w, "level", f->confidence == EO_LOW ? "note" : "warning");
	put_message(w, "message", f->message);
	put_locations(w, f);
	put_flow(w, f);
	put_suppressions(w, s);
	put_baseline_state(w, &shown->run, s);
	if (s->weight >= 0)
		eo_jsonw_real(w, "rank", 100 * s->weight);
	put_properties(w, f, s);
	eo_jsonw_end(w);
}

/* What an earlier run had; what was not looked at again is not absent. */
static void put_absent(struct eo_jsonw *w, const struct eo_absent *a)
{
	EO_CLEANUP(eo_freep)
	char *text =
		eo_asprintf("%s(): the call to %s() is no finding any more",
			    a->function, a->call);

	if (!eo_streq(a->status, "resolved"))
		return;
	eo_jsonw_begin_object(w, NULL);
	put_id(w, a->rule, a->id);
	eo_jsonw_text(w, "level", "none");
	eo_jsonw_text(w, "kind", "pass");
	put_message(w, "message", text);
	eo_jsonw_begin_array(w, "locations");
	eo_jsonw_begin_object(w, NULL);
	put_place(w, a->file, a->line, 0, 0);
	put_function(w, a->function);
	eo_jsonw_end(w);
	eo_jsonw_end(w);
	eo_jsonw_text(w, "baselineState", "absent");
	eo_jsonw_end(w);
}

static void put_rules(struct eo_jsonw *w)
{
	size_t n;
	const struct eo_rule *rules = eo_rules_all(&n);

	eo_jsonw_begin_array(w, "rules");
	for (size_t i = 0; i < n; i++) {
		EO_CLEANUP(eo_freep)
		char *what = eo_asprintf("A call of the model, and %s.",
					 rules[i].what);
		EO_CLEANUP(eo_freep)
		char *fix = eo_asprintf("The safe fix: %s.", rules[i].fix);

		eo_jsonw_begin_object(w, NULL);
		eo_jsonw_text(w, "id", rules[i].name);
		put_message(w, "shortDescription", what);
		put_message(w, "help", fix);
		eo_jsonw_end(w);
	}
	eo_jsonw_end(w);
}

static void put_tool(struct eo_jsonw *w, const struct eo_run *run)
{
	eo_jsonw_begin_object(w, "tool");
	eo_jsonw_begin_object(w, "driver");
	eo_jsonw_text(w, "name", "earlyout");
	eo_jsonw_text(w, "version", run->tool_version);
	put_rules(w);
	eo_jsonw_end(w);
	eo_jsonw_end(w);
}

/* The coverage ledger: what the log's readers may not take for clean. */
static void put_gap(struct eo_jsonw *w, const struct eo_gap *g)
{
	EO_CLEANUP(eo_freep)
	char *text = eo_asprintf("%s did not look at %s: %s%s%s",
				 eo_engine_name((enum eo_engine)g->engine),
				 *g->file ? g->file : "the tree",
				 eo_gap_reason_name(g->reason),
				 g->detail ? "; " : "",
				 g->detail ? g->detail : "");

	eo_jsonw_begin_object(w, NULL);
	eo_jsonw_text(w, "level", "warning");
	eo_jsonw_begin_object(w, "descriptor");
	eo_jsonw_text(w, "id", eo_gap_reason_name(g->reason));
	eo_jsonw_end(w);
	put_message(w, "message", text);
	if (*g->file) {
		eo_jsonw_begin_array(w, "locations");
		eo_jsonw_begin_object(w, NULL);
		put_place(w, g->file, 0, 0, 0);
		put_function(w, g->function);
		eo_jsonw_end(w);
		eo_jsonw_end(w);
	}
	eo_jsonw_end(w);
}

static void put_invocation(struct eo_jsonw *w, const struct eo_shown *s)
{
	const struct eo_gap *g;

	eo_jsonw_begin_array(w, "invocations");
	eo_jsonw_begin_object(w, NULL);
	eo_jsonw_text(w, "commandLine", s->run.command);
	put_time(w, "startTimeUtc", s->run.started * 1000);
	put_time(w, "endTimeUtc", s->run.started * 1000 + s->run.duration_ms);
	eo_jsonw_bool(w, "executionSuccessful", true);
	eo_jsonw_begin_array(w, "toolExecutionNotifications");
	eo_vec_for_each(g, &s->gaps)
		put_gap(w, g);
	for (int i = 0; i < 3; i++)
		eo_jsonw_end(w);
}

static void put_root(struct eo_jsonw *w, const struct eo_run *run)
{
	EO_CLEANUP(eo_str_release) struct eo_str uri = { 0 };

	eo_str_add(&uri, "file://");
	eo_add_uri(&uri, run->root);
	eo_str_addc(&uri, '/');
	eo_jsonw_begin_object(w, "originalUriBaseIds");
	eo_jsonw_begin_object(w, "SRCROOT");
	eo_jsonw_text(w, "uri", uri.s);
	eo_jsonw_end(w);
	eo_jsonw_end(w);
	eo_jsonw_begin_object(w, "properties");
	eo_jsonw_text(w, "treeVersion", run->version);
	eo_jsonw_text(w, "treeRevision", run->revision);
	eo_jsonw_text(w, "model", run->model_hash);
	eo_jsonw_text(w, "config", run->config_hash);
	eo_jsonw_text(w, "scope", run->scope);
	eo_jsonw_end(w);
}

static void put_run(struct eo_jsonw *w, const struct eo_shown *s)
{
	const struct eo_absent *a;

	eo_jsonw_begin_object(w, NULL);
	put_tool(w, &s->run);
	put_invocation(w, s);
	put_root(w, &s->run);
	eo_jsonw_text(w, "columnKind", "unicodeCodePoints");
	eo_jsonw_begin_array(w, "results");
	for (size_t i = 0; i < s->findings.n; i++)
		put_result(w, s, &s->findings.items[i], &s->standings.items[i]);
	eo_vec_for_each(a, &s->standings.absent)
		put_absent(w, a);
	eo_jsonw_end(w);
	eo_jsonw_end(w);
}

struct eo_error *eo_report_sarif(struct eo_db *db, int64_t run, FILE *to)
{
	EO_CLEANUP(eo_shown_release) struct eo_shown s = { 0 };
	EO_CLEANUP(eo_str_release) struct eo_str out = { 0 };
	struct eo_jsonw w = { .to = &out };

	eo_try(eo_shown_load(db, run, &s));
	eo_jsonw_begin_object(&w, NULL);
	eo_jsonw_text(&w, "$schema", SCHEMA);
	eo_jsonw_text(&w, "version", "2.1.0");
	eo_jsonw_begin_array(&w, "runs");
	put_run(&w, &s);
	eo_jsonw_end(&w);
	eo_jsonw_end(&w);
	eo_str_addc(&out, '\n');
	return eo_write_findings(&out, to);
}
