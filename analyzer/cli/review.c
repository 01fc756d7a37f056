// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/str.h"
#include "cli/cli.h"
#include "cli/who.h"
#include "db/decisions.h"
#include "db/history.h"
#include "reports/escape.h"

static struct eo_error *add_review(struct eo_session *s,
				   const struct eo_args *args, const char *id)
{
	struct eo_review r = { .status = args->status,
			       .note = args->note,
			       .made = time(NULL) };
	EO_CLEANUP(eo_freep) char *who = NULL;

	if (!args->status)
		return eo_error_new(EO_ERR_USAGE, "--note needs --status: %s",
				    eo_review_statuses());
	if (!eo_review_is_status(args->status))
		return eo_error_new(EO_ERR_USAGE, "--status takes %s, not %s",
				    eo_review_statuses(), args->status);
	eo_try(eo_who_am_i(s->tree, &who));
	r.who = who;
	return eo_db_put_review(s->db, id, &r);
}

static void add_time(struct eo_str *to, int64_t seconds)
{
	time_t t = (time_t)seconds;
	struct tm tm = { 0 };
	char buf[40] = "";

	gmtime_r(&t, &tm);
	strftime(buf, sizeof(buf), "%Y-%m-%d %H:%M UTC", &tm);
	eo_str_add(to, buf);
}

static void add_listed(struct eo_str *to, const struct eo_listed *l)
{
	eo_str_addf(to, "%s ", l->id);
	eo_str_addf(to, "%-14s %-9s ", l->review ? l->review : "-", l->state);
	eo_add_line(to, l->file);
	eo_str_addf(to, ":%u: ", l->line);
	eo_add_line(to, l->function);
	eo_str_add(to, ": ");
	eo_add_line(to, l->rule);
	eo_str_add(to, ": ");
	eo_add_line(to, l->call);
	eo_str_addc(to, '\n');
}

static void put(const struct eo_str *s)
{
	fputs(eo_str_get(s), stdout);
}

/* id, review, state in the last run, place. */
static struct eo_error *list(struct eo_session *s, enum eo_format format)
{
	EO_CLEANUP(eo_listing_release) struct eo_listing all = { 0 };
	EO_CLEANUP(eo_str_release) struct eo_str out = { 0 };
	const struct eo_listed *l;

	if (format == EO_FORMAT_JSON)
		return eo_report_reviews_json(s->db, stdout);
	eo_try(eo_db_get_listing(s->db, &all));
	eo_vec_for_each(l, &all)
		add_listed(&out, l);
	put(&out);
	return NULL;
}

static void add_place(struct eo_session *s, const char *id, struct eo_str *to)
{
	EO_CLEANUP(eo_listing_release) struct eo_listing all = { 0 };
	const struct eo_listed *l;
	struct eo_error *err = eo_db_get_listing(s->db, &all);

	eo_vec_for_each(l, &all) {
		if (!strcmp(l->id, id))
			add_listed(to, l);
	}
	eo_error_free(err);
}

static struct eo_error *show(struct eo_session *s, const char *id)
{
	EO_CLEANUP(eo_reviews_release) struct eo_reviews all = { 0 };
	EO_CLEANUP(eo_str_release) struct eo_str out = { 0 };
	const struct eo_review *r;

	eo_try(eo_db_get_reviews(s->db, id, &all));
	add_place(s, id, &out);
	eo_vec_for_each(r, &all) {
		eo_str_add(&out, "  ");
		add_time(&out, r->made);
		eo_str_addf(&out, "  %s, by ", r->status);
		eo_add_line(&out, r->who);
		if (r->note) {
			eo_str_add(&out, ": ");
			eo_add_line(&out, r->note);
		}
		if (r->undone_by) {
			eo_str_add(&out, "; taken back ");
			add_time(&out, r->undone);
			eo_str_add(&out, " by ");
			eo_add_line(&out, r->undone_by);
		}
		eo_str_addc(&out, '\n');
	}
	if (!all.n)
		eo_str_add(&out, "  no review yet\n");
	put(&out);
	return NULL;
}

static struct eo_error *undo(struct eo_session *s, const char *id)
{
	struct eo_decision one = { .id = id, .expect = -1, .made = time(NULL) };
	struct eo_decisions all = { .items = &one, .n = 1 };
	EO_CLEANUP(eo_freep) char *who = NULL;

	eo_try(eo_who_am_i(s->tree, &who));
	eo_try(eo_db_put_decisions(s->db, &all, who, false));
	if (one.outcome == EO_STORED)
		return NULL;
	return eo_error_new(EO_ERR_INPUT, "%s has no review to take back", id);
}

/* What was not stored, and why; stale ones with what holds now. */
static struct eo_error *say_outcome(struct eo_session *s,
				    const struct eo_decision *d)
{
	EO_CLEANUP(eo_str_release) struct eo_str out = { 0 };

	if (d->outcome == EO_UNKNOWN) {
		printf("unknown: %s: no finding has this id\n", d->id);
		return NULL;
	}
	if (d->outcome != EO_STALE)
		return NULL;
	eo_str_addf(&out, "stale: %s: %s", d->id, d->status);
	if (d->note) {
		eo_str_add(&out, ": ");
		eo_add_line(&out, d->note);
	}
	eo_str_add(&out, "\n  is not stored, others have said since:\n");
	put(&out);
	return show(s, d->id);
}

static struct eo_error *import(struct eo_session *s, const struct eo_args *args,
			       int *exit_code)
{
	EO_CLEANUP(eo_str_release) struct eo_str text = { 0 };
	EO_CLEANUP(eo_decisions_release) struct eo_decisions d = { 0 };
	EO_CLEANUP(eo_freep) char *who = NULL;
	const struct eo_decision *it;
	size_t n[EO_UNKNOWN + 1] = { 0 };

	eo_try(eo_file_read(args->import, &text));
	eo_try(eo_db_read_decisions(s->db, eo_str_get(&text), time(NULL), &d));
	eo_try(eo_who_am_i(s->tree, &who));
	eo_try(eo_db_put_decisions(s->db, &d, d.who ? d.who : who,
				   args->force));
	eo_vec_for_each(it, &d) {
		n[it->outcome]++;
		eo_try(say_outcome(s, it));
	}
	printf("%zu stored, %zu were stored before, %zu stale, %zu unknown\n",
	       n[EO_STORED], n[EO_REPEATED], n[EO_STALE], n[EO_UNKNOWN]);
	if (n[EO_STALE])
		printf("to store the stale ones on top: the same with --force\n");
	if (n[EO_STALE] || n[EO_UNKNOWN])
		*exit_code = EO_EXIT_FINDINGS;
	return NULL;
}

static struct eo_error *review_main(const struct eo_args *args, int *exit_code)
{
	EO_CLEANUP(eo_session_close) struct eo_session s = { 0 };
	bool adds = args->status || args->note;
	bool one = !args->list && !args->import;
	char id[17];

	if (args->n_words != one || (args->list && args->import) ||
	    adds + args->undo > one || (args->force && !args->import))
		return eo_error_new(
			EO_ERR_USAGE,
			"review takes one ID, --list or --import FILE: see `earlyout review --help`");
	if (args->format > EO_FORMAT_JSON || (args->format && !args->list))
		return eo_error_new(
			EO_ERR_USAGE,
			"review takes --format text or json, with --list");
	eo_try(eo_session_open(args, &s));
	if (args->list)
		return list(&s, args->format);
	if (args->import)
		return import(&s, args, exit_code);
	eo_try(eo_db_find_id(s.db, args->words[0], id));
	if (adds)
		eo_try(add_review(&s, args, id));
	if (args->undo)
		eo_try(undo(&s, id));
	if ((adds || args->undo) && args->quiet)
		return NULL;
	return show(&s, id);
}

const struct eo_command eo_cmd_review = {
	.allowed = "tdsNlFiuZqv",
	.usage = "[OPTION…] ID | --list | --import FILE",
	.help = "Says what is to become of a finding, and keeps the history of it: confirmed,\n"
		"false-positive, wont-fix, sent, merged. It stays with the finding when lines\n"
		"move and files are renamed. One that is a false-positive or wont-fix is shown\n"
		"as such and does not make a scan fail. An ID may be shortened while it is\n"
		"the only one that begins so. --import takes what the pages of a report save;\n"
		"what others have overtaken is shown and not stored.\n\n"
		"examples:\n"
		"  earlyout review --list\n"
		"  earlyout review --list --format json | jq '.findings[].id'\n"
		"  earlyout review 1f3a --status confirmed --note 'seen with perf, too'\n"
		"  earlyout review 1f3a                   the history\n"
		"  earlyout review 1f3a --undo            the last one does not hold\n"
		"  earlyout review --import earlyout-review.json\n",
	.main = review_main,
};
