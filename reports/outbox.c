// SPDX-License-Identifier: GPL-2.0-only
#include "reports/outbox.h"

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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

/* "0001-name.patch", as git format-patch names its files. */
static bool is_mail_name(const char *s)
{
	return strspn(s, "0123456789") >= 4 &&
	       s[strspn(s, "0123456789")] == '-' && eo_ends_with(s, ".patch");
}

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

/* Calls @fn for the path of every mail in the folder. */
static struct eo_error *
each_mail(const char *dir, struct eo_error *(*fn)(const char *path, void *arg),
	  void *arg)
{
	EO_CLEANUP(close_dir) DIR *d = opendir(dir);
	struct dirent *e;

	if (!d)
		return eo_error_errno(errno, "cannot read %s", dir);
	while ((e = readdir(d))) {
		EO_CLEANUP(eo_freep) char *path = eo_path_join(dir, e->d_name);

		if (is_mail_name(e->d_name))
			eo_try(fn(path, arg));
	}
	return NULL;
}

static struct eo_error *refuse_foreign(const char *path, void *arg)
{
	bool ours = false;

	(void)arg;
	eo_try(is_ours(path, &ours));
	if (ours)
		return NULL;
	return eo_error_new(
		EO_ERR_USAGE,
		"%s was not written by earlyout: give an empty folder with -o, or move it away",
		path);
}

struct eo_error *eo_outbox_open(const char *dir, struct eo_outbox *box)
{
	if (access(dir, F_OK) == 0)
		eo_try(each_mail(dir, refuse_foreign, NULL));
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

struct eo_error *eo_outbox_stage(struct eo_outbox *box)
{
	char *stage;

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

		eo_try(eo_file_write(path, box->items[i].text,
				     strlen(box->items[i].text)));
	}
	return NULL;
}

static struct eo_error *remove_mail(const char *path, void *arg)
{
	unsigned *n = arg;

	if (unlink(path))
		return eo_error_errno(errno, "cannot remove %s", path);
	++*n;
	return NULL;
}

struct eo_error *eo_outbox_publish(struct eo_outbox *box, struct eo_str *notes)
{
	unsigned removed = 0;

	eo_try(each_mail(box->dir, remove_mail, &removed));
	if (removed)
		eo_str_addf(notes, "%s: replaced an earlier series of ours\n",
			    box->dir);
	for (size_t i = 0; i < box->n; i++) {
		const char *name = box->items[i].name;
		EO_CLEANUP(eo_freep)
		char *from = eo_path_join(box->stage, name);
		EO_CLEANUP(eo_freep) char *to = eo_path_join(box->dir, name);

		if (rename(from, to))
			return eo_error_errno(errno, "cannot write %s", to);
	}
	return NULL;
}
