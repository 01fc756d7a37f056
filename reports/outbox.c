// SPDX-License-Identifier: GPL-2.0-only
#include "reports/outbox.h"

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/str.h"

static void close_dir(DIR **d)
{
	if (*d)
		closedir(*d);
}

/* A symlink leads out of what is ours to look at. */
static bool is_folder(const char *path)
{
	struct stat st;

	return lstat(path, &st) == 0 && S_ISDIR(st.st_mode) &&
	       access(path, R_OK | X_OK) == 0;
}

/* "0001-name.patch", "v2-0001-name.patch", as git format-patch names them. */
static bool is_mail_name(const char *s)
{
	if (*s == 'v' && s[1] != '-' &&
	    s[1 + strspn(s + 1, "0123456789")] == '-')
		s = strchr(s, '-') + 1;
	return strspn(s, "0123456789") >= 4 &&
	       s[strspn(s, "0123456789")] == '-' && eo_ends_with(s, ".patch");
}

static bool is_proposal_name(const char *s)
{
	return eo_starts_with(s, "proposal-") && eo_ends_with(s, ".txt");
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* Whether a mail's headers, or a proposal's first lines, have our mark. */
static struct eo_error *is_ours(const char *path, bool *ours)
{
	EO_CLEANUP(eo_str_release) struct eo_str mail = { 0 };
	const char *mark, *end;

	eo_try(eo_file_read(path, &mail));
	end = strstr(eo_str_get(&mail), "\n\n");
	mark = strstr(eo_str_get(&mail), "\n" EO_MAIL_MARK ": ");
	*ours = mark && end && mark < end;
	return NULL;
}

typedef struct eo_error *visit_fn(const char *path, void *arg);

/* Calls @fn for what could be of ours in @dir. */
static struct eo_error *each_file(const char *dir, visit_fn *fn, void *arg)
{
	EO_CLEANUP(close_dir) DIR *d = opendir(dir);
	struct dirent *e;

	if (!d)
		return eo_error_errno(errno, "cannot read %s", dir);
	while ((e = readdir(d))) {
		EO_CLEANUP(eo_freep) char *path = eo_path_join(dir, e->d_name);

		if (is_mail_name(e->d_name) || is_proposal_name(e->d_name))
			eo_try(fn(path, arg));
	}
	return NULL;
}

static struct eo_error *find_mark(const char *path, void *arg)
{
	EO_CLEANUP(eo_freep)
	char *dir = eo_strndup(path, (size_t)(base_name(path) - path) - 1);
	EO_CLEANUP(eo_freep)
	char *mark = eo_asprintf("\n" EO_MAIL_MARK_COVER ", folder %s\n",
				 base_name(dir));
	EO_CLEANUP(eo_str_release) struct eo_str mail = { 0 };
	bool *found = arg;

	eo_try(eo_file_read(path, &mail));
	*found |= strstr(eo_str_get(&mail), mark) != NULL;
	return NULL;
}

/*
 * The same for the folders below @dir that hold a part of what was written to
 * @dir: not for what was written to them by themselves.
 */
static struct eo_error *each_part(const char *dir, visit_fn *fn, void *arg)
{
	EO_CLEANUP(close_dir) DIR *d = opendir(dir);
	struct dirent *e;

	if (!d)
		return eo_error_errno(errno, "cannot read %s", dir);
	while ((e = readdir(d))) {
		EO_CLEANUP(eo_freep) char *path = eo_path_join(dir, e->d_name);
		bool part = false;

		if (*e->d_name == '.' || !is_folder(path))
			continue;
		eo_try(each_file(path, find_mark, &part));
		if (part)
			eo_try(each_file(path, fn, arg));
	}
	return NULL;
}

static struct eo_error *refuse_foreign(const char *path, void *arg)
{
	bool ours = false;

	(void)arg;
	eo_try(is_ours(path, &ours));
	if (ours || is_proposal_name(base_name(path)))
		return NULL;
	return eo_error_new(
		EO_ERR_USAGE,
		"%s was not written by earlyout: give an empty folder with -o, or move it away",
		path);
}

struct eo_error *eo_outbox_open(const char *dir, struct eo_outbox *box)
{
	if (access(dir, F_OK) == 0)
		eo_try(each_file(dir, refuse_foreign, NULL));
	box->dir = eo_strdup(dir);
	return NULL;
}

void eo_outbox_release(struct eo_outbox *box)
{
	if (box->stage)
		eo_error_free(eo_remove_tree(box->stage));
	for (size_t i = 0; i < box->n; i++) {
		free(box->items[i].name);
		free(box->items[i].text);
	}
	free(box->items);
	free(box->stage);
	free(box->dir);
	*box = (struct eo_outbox){ 0 };
}

void eo_outbox_add(struct eo_outbox *box, const char *name, char *text)
{
	struct eo_mail_file *m = eo_vec_push(box);

	m->name = eo_strdup(name);
	m->text = text;
}

/* The folder of a part, if there is one already. */
static struct eo_error *refuse_foreign_in(const struct eo_outbox *box,
					  const char *name)
{
	EO_CLEANUP(eo_freep) char *to = eo_path_join(box->dir, name);
	EO_CLEANUP(eo_freep)
	char *dir = eo_strndup(to, (size_t)(base_name(to) - to) - 1);

	return eo_is_dir(dir) ? each_file(dir, refuse_foreign, NULL) : NULL;
}

static struct eo_error *make_parent(const char *path)
{
	EO_CLEANUP(eo_freep)
	char *dir = eo_strndup(path, (size_t)(base_name(path) - path));

	return eo_mkdirs(dir);
}

struct eo_error *eo_outbox_stage(struct eo_outbox *box)
{
	char *stage;

	for (size_t i = 0; i < box->n; i++)
		eo_try(refuse_foreign_in(box, box->items[i].name));
	eo_try(eo_mkdirs(box->dir));
	stage = eo_asprintf("%s/.earlyout-XXXXXX", box->dir);
	if (!mkdtemp(stage)) {
		free(stage);
		return eo_error_errno(errno, "cannot write to %s", box->dir);
	}
	box->stage = stage;
	for (size_t i = 0; i < box->n; i++) {
		EO_CLEANUP(eo_freep)
		char *path = eo_path_join(stage, box->items[i].name);

		eo_try(make_parent(path));
		eo_try(eo_file_write(path, box->items[i].text,
				     strlen(box->items[i].text)));
	}
	return NULL;
}

static struct eo_error *remove_old(const char *path, void *arg)
{
	EO_CLEANUP(eo_freep)
	char *dir = eo_strndup(path, (size_t)(base_name(path) - path));
	bool ours = false;
	unsigned *n = arg;

	eo_try(is_ours(path, &ours));
	if (!ours)
		return NULL;
	if (unlink(path))
		return eo_error_errno(errno, "cannot remove %s", path);
	rmdir(dir); /* when it was the last one in there */
	++*n;
	return NULL;
}

struct eo_error *eo_outbox_publish(struct eo_outbox *box, struct eo_str *notes)
{
	unsigned removed = 0;

	eo_try(each_file(box->dir, remove_old, &removed));
	eo_try(each_part(box->dir, remove_old, &removed));
	if (removed)
		eo_str_addf(notes, "%s: replaced an earlier series of ours\n",
			    box->dir);
	for (size_t i = 0; i < box->n; i++) {
		const char *name = box->items[i].name;
		EO_CLEANUP(eo_freep)
		char *from = eo_path_join(box->stage, name);
		EO_CLEANUP(eo_freep) char *to = eo_path_join(box->dir, name);

		eo_try(make_parent(to));
		if (rename(from, to))
			return eo_error_errno(errno, "cannot write %s", to);
	}
	return NULL;
}
