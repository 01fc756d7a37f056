// SPDX-License-Identifier: GPL-2.0-only
#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "verify/verify.h"

static size_t count(const struct eo_checks *c, enum eo_outcome v)
{
	const struct eo_check *it;
	size_t n = 0;

	eo_vec_for_each(it, c)
		n += it->verdict == v;
	return n;
}

/* A log's lines, indented; at most @most of them. */
static void print_log(const char *log, size_t most, FILE *to)
{
	for (const char *p = log; *p && most; most--) {
		size_t n = strcspn(p, "\n");

		fprintf(to, "             | %.*s\n", (int)n, p);
		p += n + (p[n] == '\n');
	}
}

void eo_verify_text(const struct eo_input *in, const struct eo_checks *c,
		    bool verbose, FILE *to)
{
	const struct eo_check *it;
	size_t step = 0;

	if (in->notes.len)
		fprintf(to, "%s", in->notes.s);
	eo_vec_for_each(it, c) {
		if (it->step != step) {
			step = it->step;
			fprintf(to, "%zu/%zu %s\n", step, in->n,
				in->items[step - 1].subject);
		}
		fprintf(to, "  %-7s %-11s %s\n", eo_outcome_name(it->verdict),
			it->name, it->reason);
		if (verbose || it->verdict == EO_FAIL)
			print_log(it->log, verbose ? 1000 : 12, to);
	}
	fprintf(to, "%zu passed, %zu %s, %zu failed, %zu skipped\n",
		count(c, EO_PASS), count(c, EO_WARN),
		count(c, EO_WARN) == 1 ? "warning" : "warnings",
		count(c, EO_FAIL), count(c, EO_SKIPPED));
}

static void member(struct eo_str *s, const char *name, const char *value)
{
	eo_str_addf(s, ",\"%s\":", name);
	eo_str_add_json(s, value);
}

static void add_patches(struct eo_str *s, const struct eo_input *in)
{
	const struct eo_mail *m;

	eo_vec_for_each(m, in) {
		eo_str_addf(s, "%s{\"number\":%zu", m == in->items ? "" : ",",
			    (size_t)(m - in->items) + 1);
		member(s, "subject", m->subject);
		member(s, "author", m->author);
		eo_str_addf(s, ",\"version\":%u}", m->version);
	}
}

/* What tools say after a patch and not before, or the other way round. */
static void add_warnings(struct eo_str *s, const struct eo_checks *c)
{
	const struct eo_said *it;

	eo_str_add(s, ",\"warnings\":[");
	eo_vec_for_each(it, &c->said) {
		eo_str_addf(s, "%s{\"patch\":%zu",
			    it == c->said.items ? "" : ",", it->step);
		member(s, "tool", it->tool);
		eo_str_addf(s, ",\"comes\":%s", it->comes ? "true" : "false");
		member(s, "text", it->text);
		eo_str_addc(s, '}');
	}
	eo_str_addc(s, ']');
}

static void add_findings(struct eo_str *s, const struct eo_checks *c)
{
	const struct eo_became *it;

	eo_str_add(s, ",\"findings\":[");
	eo_vec_for_each(it, &c->became) {
		eo_str_addf(s, "%s{\"patch\":%zu",
			    it == c->became.items ? "" : ",", it->step);
		member(s, "id", it->finding);
		member(s, "rule", it->rule);
		member(s, "file", it->file);
		member(s, "function", it->function);
		member(s, "fate", it->fate);
		member(s, "why", it->why);
		eo_str_addc(s, '}');
	}
	eo_str_addc(s, ']');
}

void eo_verify_json(const struct eo_input *in, const struct eo_checks *c,
		    FILE *to)
{
	EO_CLEANUP(eo_str_release) struct eo_str s = { 0 };
	const struct eo_check *it;

	eo_str_add(&s, "{\"schema\":\"earlyout-verify/1\",\"patches\":[");
	add_patches(&s, in);
	eo_str_add(&s, "],\"notes\":");
	eo_str_add_json(&s, eo_str_get(&in->notes));
	eo_str_add(&s, ",\"checks\":[");
	eo_vec_for_each(it, c) {
		eo_str_addf(&s, "%s{\"patch\":%zu", it == c->items ? "" : ",",
			    it->step);
		member(&s, "check", it->name);
		member(&s, "verdict", eo_outcome_name(it->verdict));
		member(&s, "reason", it->reason);
		member(&s, "log", it->log);
		eo_str_addf(&s, ",\"duration_ms\":%lld}",
			    (long long)it->duration_ms);
	}
	eo_str_addc(&s, ']');
	add_warnings(&s, c);
	add_findings(&s, c);
	fprintf(to, "%s}\n", s.s);
}

void eo_verify_b4(const struct eo_checks *c, FILE *to)
{
	EO_CLEANUP(eo_str_release) struct eo_str s = { 0 };
	const struct eo_check *it;

	eo_vec_for_each(it, c) {
		EO_CLEANUP(eo_freep) char *tool = NULL;

		/* b4 knows no "skipped": what was not checked is not shown */
		if (it->verdict == EO_SKIPPED)
			continue;
		tool = eo_asprintf("earlyout %s", it->name);
		eo_str_add(&s, s.len ? ",{\"tool\":" : "{\"tool\":");
		eo_str_add_json(&s, tool);
		member(&s, "status", eo_outcome_name(it->verdict));
		member(&s, "summary", it->reason);
		member(&s, "details", it->log);
		eo_str_addc(&s, '}');
	}
	fprintf(to, "[%s]\n", eo_str_get(&s));
}
