// SPDX-License-Identifier: GPL-2.0-only
#include "verify/input.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/file.h"
#include "base/proc.h"
#include "tree/tree.h"
#include "verify/archive.h"
#include "verify/git.h"
#include "verify/mime.h"
#include "verify/order.h"

/* A series is text for people to read: more than this is something else. */
#define MAX_TEXT ((size_t)16 << 20)

struct reading {
	struct eo_input *in;
	char *tmp; /* for git's files */
	unsigned set;
	size_t replies;
};

static void reading_release(struct reading *r)
{
	if (r->tmp)
		eo_error_free(eo_remove_tree(r->tmp));
	free(r->tmp);
}

static const char *read_tmp(struct reading *r, const char *name)
{
	EO_CLEANUP(eo_freep) char *path = eo_path_join(r->tmp, name);
	EO_CLEANUP(eo_str_release) struct eo_str text = { 0 };

	eo_error_free(eo_file_read(path, &text));
	return eo_arena_strdup(&r->in->arena, eo_str_get(&text));
}

/* "Subject: x" of what mailinfo printed; "" when it is not there. */
static const char *info(struct reading *r, const char *said, const char *name)
{
	const char *v = eo_mime_header(&r->in->arena, said, name);

	return v ? v : "";
}

static void note_base(struct eo_input *in, const char *text)
{
	const char *p = strstr(text, "\nbase-commit: ");
	size_t n;

	if (!p || in->base)
		return;
	p += strlen("\nbase-commit: ");
	n = strspn(p, "0123456789abcdef");
	if (n >= 12)
		in->base = eo_arena_strndup(&in->arena, p, n);
}

/* A diff in a reply is a proposal of another patch, or a part of this one. */
static bool is_reply(const char *subject, const char *message)
{
	return (!strncasecmp(subject, "re:", 3) ||
		!strncasecmp(subject, "re :", 4)) &&
	       (strstr(message, "\n> ") || strstr(message, "\n>\n") ||
		*message == '>');
}

static const char *recipients(struct reading *r, const char *mail)
{
	const char *to = eo_mime_header(&r->in->arena, mail, "To");
	const char *cc = eo_mime_header(&r->in->arena, mail, "Cc");

	return eo_arena_printf(&r->in->arena, "%s%s%s", to ? to : "",
			       to && cc ? ", " : "", cc ? cc : "");
}

/* The headers again, and all that was decoded: what checkpatch.pl reads. */
static const char *plain_mail(struct reading *r, const struct eo_mail *m)
{
	return eo_arena_printf(&r->in->arena,
			       "From: %s <%s>\nDate: %s\n"
			       "Subject: [PATCH] %s\n\n%s%s",
			       m->author, m->email, m->date, m->subject,
			       m->message, m->diff);
}

/* One mail that git can decode: a patch, a cover letter, or neither. */
static struct eo_error *add_mail(struct reading *r, const char *text,
				 unsigned set, bool no_subject)
{
	EO_CLEANUP(eo_proc_result_release) struct eo_proc_result res = { 0 };
	const struct eo_git git = { .dir = r->tmp,
				    .input = text,
				    .input_len = strlen(text) };
	struct eo_mail m = { .set = set, .no_subject = no_subject };
	const char *subject;

	eo_try(EO_GIT(&git, &res, "mailinfo", "-k", "msg", "diff"));
	/* --encoding=UTF-8, the default, would leave names as they are */
	subject = info(r, eo_str_get(&res.out), "Subject");
	m.author = info(r, eo_str_get(&res.out), "Author");
	m.email = info(r, eo_str_get(&res.out), "Email");
	m.date = info(r, eo_str_get(&res.out), "Date");
	m.message = read_tmp(r, "msg");
	m.diff = read_tmp(r, "diff");
	m.to = recipients(r, text);
	eo_order_subject(&r->in->arena, subject, &m);
	note_base(r->in, m.diff);
	note_base(r->in, m.message);
	if (is_reply(subject, m.message) || !eo_archive_has_diff(m.diff)) {
		if (m.total && !m.number && !eo_archive_has_diff(m.diff))
			r->in->cover = m.message;
		else
			r->replies++;
		return NULL;
	}
	m.text = plain_mail(r, &m);
	*eo_vec_push(r->in) = m;
	return NULL;
}

/* A part of a mail may be a mail itself, as git format-patch writes it. */
static struct eo_error *add_attachment(struct reading *r, const char *mail,
				       const char *part)
{
	EO_CLEANUP(eo_freep) char *made = NULL;
	const char *subject, *from;

	while (*part == '\n')
		part++;
	if (!eo_archive_is(part))
		return add_mail(r, part, r->set, false);
	subject = eo_mime_header(&r->in->arena, mail, "Subject");
	from = eo_mime_header(&r->in->arena, mail, "From");
	made = eo_asprintf("From: %s\nSubject: %s\n\n%s",
			   from ? from : "unknown <unknown@invalid>",
			   subject ? subject : "[PATCH]", part);
	return add_mail(r, made, r->set, !subject);
}

static bool is_own_mail(const char *part)
{
	while (*part == '\n')
		part++;
	return !eo_archive_is(part);
}

static struct eo_error *add_message(struct reading *r, const char *mail)
{
	EO_CLEANUP(eo_mime_parts_release) struct eo_mime_parts parts = { 0 };
	struct eo_error *err = NULL;
	size_t diffs = 0, own = 0;

	eo_mime_split(mail, &parts);
	for (size_t i = 0; i < parts.n; i++) {
		if (!eo_archive_has_diff(parts.items[i]))
			continue;
		diffs++;
		own += is_own_mail(parts.items[i]);
	}
	if (diffs < 2 && !own)
		return add_mail(r, mail, 0, false);
	r->set++;
	for (size_t i = 0; i < parts.n && !err; i++)
		if (eo_archive_has_diff(parts.items[i]))
			err = add_attachment(r, mail, parts.items[i]);
	return err;
}

/* An mbox, or one mail: each of its mails. */
static struct eo_error *add_mbox(struct reading *r, const char *text)
{
	EO_CLEANUP(eo_proc_result_release) struct eo_proc_result res = { 0 };
	const struct eo_git git = { .dir = r->tmp };
	EO_CLEANUP(eo_freep) char *path = eo_path_join(r->tmp, "mbox");
	EO_CLEANUP(eo_freep) char *dir = eo_path_join(r->tmp, "mails");
	long n;

	eo_try(eo_remove_tree(dir));
	eo_try(eo_mkdirs(dir));
	eo_try(eo_file_write(path, text, strlen(text)));
	eo_try(EO_GIT(&git, &res, "mailsplit", "-b", "-d5", "-omails", "--",
		      "mbox"));
	n = strtol(eo_str_get(&res.out), NULL, 10);
	for (long i = 1; i <= n; i++) {
		EO_CLEANUP(eo_freep) char *name = eo_asprintf("mails/%05ld", i);

		eo_try(add_message(r, read_tmp(r, name)));
	}
	return NULL;
}

static struct eo_error *add_archive(struct reading *r, const char *text)
{
	EO_CLEANUP(eo_archive_release) struct eo_archive a = { 0 };
	struct eo_archive_mail *m;
	struct eo_error *err = NULL;

	eo_archive_split(text, &a);
	for (m = a.items; m < a.items + a.n && !err; m++) {
		if (eo_archive_has_diff(m->text))
			err = add_mail(r, m->text, r->set + m->set,
				       m->no_subject);
		else
			note_base(r->in, m->text);
	}
	return err;
}

static struct eo_error *add_text(struct reading *r, const char *name,
				 const char *text, size_t len)
{
	if (len > MAX_TEXT)
		return eo_error_new(
			EO_ERR_INPUT,
			"%s has %zu MiB: more than the %zu that a series of patches may have",
			name, len >> 20, MAX_TEXT >> 20);
	if (memchr(text, '\0', len))
		return eo_error_new(
			EO_ERR_INPUT,
			"%s has a NUL byte: it is no mail and no patch", name);
	return eo_archive_is(text) ? add_archive(r, text) : add_mbox(r, text);
}

static struct eo_error *add_file(struct reading *r, const char *path)
{
	EO_CLEANUP(eo_str_release) struct eo_str text = { 0 };

	if (eo_streq(path, "-"))
		path = "/dev/stdin";
	eo_try(eo_file_read(path, &text));
	return add_text(r, path, eo_str_get(&text), text.len);
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static struct eo_error *add_folder(struct reading *r, const char *dir)
{
	struct {
		char **items;
		size_t n, cap;
	} names = { 0 };
	struct eo_error *err = NULL;
	DIR *d = opendir(dir);
	struct dirent *de;

	if (!d)
		return eo_error_errno(errno, "cannot read %s", dir);
	while ((de = readdir(d))) {
		const char *dot = strrchr(de->d_name, '.');

		if (*de->d_name != '.' && dot &&
		    (!strcmp(dot, ".patch") || !strcmp(dot, ".mbox") ||
		     !strcmp(dot, ".eml") || !strcmp(dot, ".diff")))
			*eo_vec_push(&names) = eo_path_join(dir, de->d_name);
	}
	closedir(d);
	if (names.n)
		qsort(names.items, names.n, sizeof(*names.items), by_name);
	for (size_t i = 0; i < names.n; i++) {
		if (!err)
			err = add_file(r, names.items[i]);
		free(names.items[i]);
	}
	if (!err && !names.n)
		err = eo_error_new(
			EO_ERR_INPUT,
			"%s: no .patch, .mbox, .eml or .diff file in that folder",
			dir);
	free(names.items);
	return err;
}

static struct eo_error *add_range(struct reading *r, const struct eo_tree *tree,
				  const char *range)
{
	EO_CLEANUP(eo_proc_result_release)
	struct eo_proc_result mails = { 0 }, base = { 0 };
	const struct eo_git git = { .dir = tree->root };
	const char *dots = strstr(range, "..");
	EO_CLEANUP(eo_freep)
	char *from = eo_asprintf("%.*s^{commit}", (int)(dots - range), range);

	if (*range == '-' || !tree->revision)
		return eo_error_new(EO_ERR_USAGE, "%s: %s has no git history",
				    range, tree->root);
	eo_try(EO_GIT(&git, &base, "rev-parse", "--verify", "--quiet",
		      dots > range ? from : "HEAD^{commit}"));
	eo_try(EO_GIT(&git, &mails, "format-patch", "--stdout",
		      "--no-signature", "--no-attach", "--no-renames",
		      "--no-ext-diff", "-U3", "--numbered", range, "--"));
	r->in->base = eo_arena_strndup(&r->in->arena, eo_str_get(&base.out),
				       strcspn(eo_str_get(&base.out), "\n"));
	r->in->of_range = true;
	if (!mails.out.len)
		return eo_error_new(EO_ERR_INPUT, "%s: no commit in it", range);
	return add_text(r, range, mails.out.s, mails.out.len);
}

static struct eo_error *finish(struct reading *r, const char *name)
{
	if (r->in->n) {
		if (r->replies)
			eo_str_addf(&r->in->notes,
				    "%zu %s left out: no patch, or a reply\n",
				    r->replies,
				    r->replies == 1 ? "mail" : "mails");
		eo_order(r->in);
		return NULL;
	}
	return eo_error_new(
		EO_ERR_INPUT, "%s: there is no patch in it%s", name,
		r->in->cover ?
			", only a cover letter" :
		r->replies ?
			"; a reply with its own diff is left out: save the diff to a file to verify it" :
			"");
}

struct eo_error *eo_input_read(const struct eo_tree *tree, const char *what,
			       struct eo_input *out)
{
	EO_CLEANUP(reading_release) struct reading r = { .in = out };

	eo_try(eo_temp_dir(&r.tmp));
	if (eo_is_dir(what))
		eo_try(add_folder(&r, what));
	else if (strcmp(what, "-") && access(what, F_OK) && strstr(what, ".."))
		eo_try(add_range(&r, tree, what));
	else
		eo_try(add_file(&r, what));
	return finish(&r, what);
}

struct eo_error *eo_input_text(const char *name, const char *text,
			       struct eo_input *out)
{
	EO_CLEANUP(reading_release) struct reading r = { .in = out };

	eo_try(eo_temp_dir(&r.tmp));
	eo_try(add_text(&r, name, text, strlen(text)));
	return finish(&r, name);
}

void eo_input_release(struct eo_input *in)
{
	free(in->items);
	eo_str_release(&in->notes);
	eo_arena_release(&in->arena);
	*in = (struct eo_input){ 0 };
}
