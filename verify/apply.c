// SPDX-License-Identifier: GPL-2.0-only
#include "verify/apply.h"

#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/file.h"
#include "base/proc.h"
#include "verify/git.h"
#include "verify/input.h"
#include "verify/source.h"

static struct eo_error *commit(struct eo_apply *a, const struct eo_mail *m)
{
	EO_CLEANUP(eo_proc_result_release) struct eo_proc_result r = { 0 };
	EO_CLEANUP(eo_freep)
	char *text = eo_asprintf("%s\n\n%s", m ? m->subject : "base",
				 m ? m->message : "");
	struct eo_git g = { .dir = a->repo,
			    .input = text,
			    .input_len = strlen(text),
			    .author = m ? m->author : NULL,
			    .email = m ? m->email : NULL };

	return EO_GIT(&g, &r, "commit", "-q", "--allow-empty", "--no-verify",
		      "--cleanup=verbatim", "--allow-empty-message", "-F", "-");
}

static struct eo_error *take_file(struct eo_apply *a, const char *file)
{
	EO_CLEANUP(eo_freep) char *path = eo_path_join(a->repo, file);
	EO_CLEANUP(eo_freep) char *from = eo_path_join(a->source->dir, file);
	EO_CLEANUP(eo_freep) char *dir = eo_strdup(path);
	EO_CLEANUP(eo_str_release) struct eo_str text = { 0 };
	struct stat st;

	if (lstat(from, &st) || !S_ISREG(st.st_mode))
		return NULL; /* git says what it misses */
	eo_try(eo_file_read(from, &text));
	eo_try(eo_mkdirs(dirname(dir)));
	eo_try(eo_file_write(path, eo_str_get(&text), text.len));
	if (chmod(path, st.st_mode & 0100 ? 0755 : 0644))
		return eo_error_errno(1, "%s", path);
	return NULL;
}

static struct eo_error *set_up(struct eo_apply *a)
{
	EO_CLEANUP(eo_proc_result_release)
	struct eo_proc_result r = { 0 }, s = { 0 };
	EO_CLEANUP(eo_map_release) struct eo_map files = { 0 };
	struct eo_git g = { .dir = a->repo };
	const struct eo_map_entry *e;

	eo_try(eo_apply_files(a->input, &files));
	eo_try(EO_GIT(&g, &r, "init", "-q", "--template=", "."));
	eo_map_for_each(e, &files)
		eo_try(take_file(a, e->key));
	eo_try(EO_GIT(&g, &s, "add", "-A", "-f", "."));
	return commit(a, NULL);
}

struct eo_error *eo_apply_open(struct eo_source *source,
			       const struct eo_input *input, struct eo_apply *a)
{
	a->source = source;
	a->input = input;
	a->n = input->n;
	a->steps = eo_zalloc((a->n + 1) * sizeof(*a->steps));
	for (size_t i = 0; i < a->n; i++)
		a->steps[i].how = a->steps[i].log = a->steps[i].diff = "";
	eo_try(eo_temp_dir(&a->repo));
	return set_up(a);
}

void eo_apply_release(struct eo_apply *a)
{
	for (size_t i = 0; i < a->n; i++) {
		for (size_t j = 0; j < a->steps[i].files.n; j++)
			free(a->steps[i].files.items[j].lines.items);
		free(a->steps[i].files.items);
	}
	free(a->steps);
	if (a->repo)
		eo_error_free(eo_remove_tree(a->repo));
	free(a->repo);
	eo_arena_release(&a->arena);
	*a = (struct eo_apply){ 0 };
}

/* The largest offset that git tells of, "" when there is none. */
static const char *offset_in(struct eo_apply *a, const char *said)
{
	long most = 0;

	for (const char *p = said; (p = strstr(p, "(offset ")); p++) {
		long n = labs(strtol(p + 8, NULL, 10));

		most = n > most ? n : most;
	}
	return most ? eo_arena_printf(&a->arena, "with offsets of up to %ld %s",
				      most, most == 1 ? "line" : "lines") :
		      "";
}

/* The line that says what did not fit; not the first of what was looked for. */
static const char *reason_in(struct eo_apply *a, const char *said)
{
	const char *p = strstr(said, "error: patch failed: ");

	if (!p)
		p = strstr(said, "error: ");
	return p ? eo_arena_strndup(&a->arena, p + 7, strcspn(p + 7, "\n")) :
		   "git gives no reason";
}

/* Whether the tree has the patch's lines already. */
static struct eo_error *is_in(const struct eo_git *g, bool *yes)
{
	EO_CLEANUP(eo_proc_result_release) struct eo_proc_result r = { 0 };
	static const char *const args[] = { "apply", "-R", "--check", "-",
					    NULL };

	eo_try(eo_git_run(g, args, &r));
	*yes = r.status == 0;
	return NULL;
}

/* With as little less context as it takes: what patch(1) calls fuzz. */
static struct eo_error *git_apply(struct eo_apply *a, size_t i)
{
	static const char *const context[] = { "-C3", "-C2", "-C1" };
	static const char *const fuzz[] = {
		NULL, "with fuzz: 2 lines of context fit",
		"with fuzz: 1 line of context fits"
	};
	struct eo_applied *s = &a->steps[i];
	const char *diff = a->input->items[i].diff;
	struct eo_git g = { .dir = a->repo,
			    .input = diff,
			    .input_len = strlen(diff) };
	const char *first = NULL;

	for (int c = 0; c < 3 && !s->applied; c++) {
		EO_CLEANUP(eo_proc_result_release)
		struct eo_proc_result r = { 0 };
		const char *const args[] = { "apply",
					     "-v",
					     "--index",
					     context[c],
					     "--whitespace=nowarn",
					     "-",
					     NULL };

		eo_try(eo_git_run(&g, args, &r));
		s->applied = r.status == 0;
		s->log = eo_arena_strdup(&a->arena, eo_str_get(&r.err));
		if (!first)
			first = s->log;
		if (s->applied)
			s->how = fuzz[c] ? fuzz[c] : offset_in(a, s->log);
	}
	if (!s->applied) {
		bool there = false;

		eo_try(is_in(&g, &there));
		s->log = first;
		s->how = there ? "the tree has it already" :
				 reason_in(a, first);
	}
	return NULL;
}

static void add_lines(struct eo_touched *t, const char *hunk)
{
	const char *plus = strchr(hunk, '+');
	unsigned first, n = 1;
	struct eo_lines *l;

	if (!plus || sscanf(plus, "+%u,%u", &first, &n) < 1)
		return;
	l = eo_vec_push(&t->lines);
	/* only deletions: the lines around */
	l->first = n ? first : (first ? first : 1);
	l->last = n ? first + n - 1 : first + 1;
}

static struct eo_touched *find_file(struct eo_applied *s, const char *file)
{
	struct eo_touched *t;

	eo_vec_for_each(t, &s->files)
		if (eo_streq(t->file, file))
			return t;
	return NULL;
}

/* The hunks of the diff with no context, as git makes it. */
static void read_lines(struct eo_applied *s, const char *diff)
{
	struct eo_touched *t = NULL;

	for (const char *p = diff; *p; p += *p == '\n') {
		size_t n = strcspn(p, "\n");

		if (eo_starts_with(p, "+++ ")) {
			EO_CLEANUP(eo_freep)
			char *name = eo_strndup(p + 6, strcspn(p + 6, "\t\n"));

			t = find_file(s, name);
		} else if (eo_starts_with(p, "@@ ") && t) {
			add_lines(t, p);
		}
		p += n;
	}
}

/* The commit as git has it: what was really changed, and how. */
static struct eo_error *read_commit(struct eo_apply *a, struct eo_applied *s)
{
	EO_CLEANUP(eo_proc_result_release)
	struct eo_proc_result raw = { 0 }, zero = { 0 }, diff = { 0 };
	struct eo_git g = { .dir = a->repo };
	const char *p, *end;

	eo_try(EO_GIT(&g, &raw, "diff-tree", "-r", "-z", "--no-renames",
		      "--no-commit-id", "HEAD"));
	eo_try(EO_GIT(&g, &zero, "diff-tree", "-p", "-U0", "--no-renames",
		      "--no-commit-id", "--no-ext-diff", "HEAD"));
	eo_try(EO_GIT(&g, &diff, "diff-tree", "-p", "--no-renames",
		      "--no-commit-id", "--no-ext-diff", "HEAD"));
	s->diff = eo_arena_strdup(&a->arena, eo_str_get(&diff.out));
	/* ":100644 100644 sha sha M\0path\0" */
	for (p = eo_str_get(&raw.out), end = p + raw.out.len; p < end;) {
		size_t n = strlen(p);
		struct eo_touched *t = eo_vec_push(&s->files);

		t->added = p[n - 1] == 'A';
		t->removed = p[n - 1] == 'D';
		t->file = eo_arena_strdup(&a->arena, p + n + 1);
		if (strncmp(p + 8, "100", 3) && strncmp(p + 8, "000", 3))
			return eo_error_new(EO_ERR_INPUT,
					    "%s is no plain file any more",
					    t->file);
		p += n + 1 + strlen(t->file) + 1;
	}
	read_lines(s, eo_str_get(&zero.out));
	return NULL;
}

static struct eo_error *read_file(struct eo_apply *a, struct eo_touched *t)
{
	EO_CLEANUP(eo_freep) char *path = eo_path_join(a->repo, t->file);
	EO_CLEANUP(eo_str_release) struct eo_str text = { 0 };

	if (t->removed)
		return NULL;
	eo_try(eo_file_read(path, &text));
	t->text = eo_arena_strndup(&a->arena, eo_str_get(&text), text.len);
	t->len = text.len;
	t->executable = access(path, X_OK) == 0;
	return NULL;
}

static struct eo_error *apply_one(struct eo_apply *a, size_t i)
{
	struct eo_applied *s = &a->steps[i];
	struct eo_touched *t;

	eo_try(git_apply(a, i));
	if (!s->applied)
		return NULL;
	eo_try(commit(a, &a->input->items[i]));
	eo_try(read_commit(a, s));
	eo_vec_for_each(t, &s->files)
		eo_try(read_file(a, t));
	return NULL;
}

struct eo_error *eo_apply_all(struct eo_apply *a)
{
	for (size_t i = 0; i < a->n; i++) {
		eo_try(apply_one(a, i));
		if (!a->steps[i].applied)
			break;
	}
	return NULL;
}

struct eo_error *eo_apply_give(struct eo_apply *a, size_t i)
{
	const struct eo_touched *t;

	eo_vec_for_each(t, &a->steps[i].files) {
		if (t->removed)
			eo_try(eo_source_remove(a->source, t->file));
		else
			eo_try(eo_source_put(a->source, t->file, t->text,
					     t->len, t->executable));
	}
	return NULL;
}
