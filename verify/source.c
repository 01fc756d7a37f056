// SPDX-License-Identifier: GPL-2.0-only
#include "verify/source.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/proc.h"
#include "base/progress.h"
#include "base/str.h"
#include "tree/lockfile.h"
#include "tree/tree.h"

/* What is no source, wherever it stands. */
static bool is_product(const char *name)
{
	static const char *const suffixes[] = { ".o",	  ".ko",  ".a",
						".cmd",	  ".mod", ".order",
						".mod.c", ".o.d", ".symvers",
						".orig",  ".rej" };

	if (eo_streq(name, ".git") || eo_streq(name, ".config") ||
	    eo_streq(name, ".config.old"))
		return true;
	for (size_t i = 0; i < sizeof(suffixes) / sizeof(suffixes[0]); i++)
		if (eo_ends_with(name, suffixes[i]))
			return true;
	return false;
}

/* "include/generated", "arch/x86/include/generated", "include/config" */
static bool is_generated(const char *path)
{
	return eo_streq(path, "include/config") ||
	       eo_streq(path, "include/generated") ||
	       (eo_starts_with(path, "arch/") &&
		eo_ends_with(path, "/include/generated"));
}

static char *below(const char *sub, const char *name)
{
	return *sub ? eo_path_join(sub, name) : eo_strdup(name);
}

/* The entries of a folder, name → dirent's type; none when there is none. */
static void list(const char *dir, struct eo_map *out)
{
	DIR *d = opendir(dir);
	struct dirent *de;

	while (d && (de = readdir(d)))
		if (strcmp(de->d_name, ".") && strcmp(de->d_name, ".."))
			eo_set_add(out, de->d_name);
	if (d)
		closedir(d);
}

static struct eo_error *copy_symlink(const char *from, const char *to)
{
	char target[4096];
	ssize_t n = readlink(from, target, sizeof(target) - 1);

	if (n < 0)
		return eo_error_errno(errno, "cannot read the link %s", from);
	target[n] = '\0';
	if (symlink(target, to))
		return eo_error_errno(errno, "cannot make the link %s", to);
	return NULL;
}

/* Across file systems, and of files that we may read only. */
static struct eo_error *copy_bytes(const char *from, const char *to,
				   const struct stat *st)
{
	const struct timespec times[2] = { st->st_mtim, st->st_mtim };
	EO_CLEANUP(eo_str_release) struct eo_str text = { 0 };

	eo_try(eo_file_read(from, &text));
	eo_try(eo_file_write(to, eo_str_get(&text), text.len));
	if (chmod(to, (st->st_mode & 0755) | 0444) ||
	    utimensat(AT_FDCWD, to, times, 0))
		return eo_error_errno(errno, "%s", to);
	return NULL;
}

static struct eo_error *copy_file(const char *from, const char *to,
				  const struct stat *st)
{
	if (S_ISLNK(st->st_mode))
		return copy_symlink(from, to);
	if (!S_ISREG(st->st_mode))
		return NULL; /* a socket or a device is no source */
	if (link(from, to) == 0)
		return NULL;
	if (errno == EXDEV || errno == EPERM || errno == EMLINK)
		return copy_bytes(from, to, st);
	return eo_error_errno(errno, "cannot make the link %s", to);
}

/* The same file by another name, or an unchanged copy of it. */
static bool is_same(const char *from, const struct stat *a, const char *to,
		    const struct stat *b)
{
	char x[4096], y[4096];
	ssize_t n;

	if (a->st_ino == b->st_ino && a->st_dev == b->st_dev)
		return true;
	if ((a->st_mode & S_IFMT) != (b->st_mode & S_IFMT))
		return false;
	if (S_ISLNK(a->st_mode)) {
		n = readlink(from, x, sizeof(x));
		return n > 0 && readlink(to, y, sizeof(y)) == n &&
		       memcmp(x, y, (size_t)n) == 0;
	}
	return b->st_nlink == 1 && a->st_size == b->st_size &&
	       a->st_mtim.tv_sec == b->st_mtim.tv_sec &&
	       a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

/* Makes the file @path of the copy what it is in the checkout, or not there. */
static struct eo_error *sync_file(const struct eo_source *s, const char *path,
				  const struct stat *st)
{
	EO_CLEANUP(eo_freep) char *from = eo_path_join(s->root, path);
	EO_CLEANUP(eo_freep) char *to = eo_path_join(s->dir, path);
	struct stat old;

	if (lstat(to, &old) == 0) {
		if (st && is_same(from, st, to, &old))
			return NULL;
		if (S_ISDIR(old.st_mode))
			eo_try(eo_remove_tree(to));
		else if (unlink(to))
			return eo_error_errno(errno, "cannot remove %s", to);
	}
	return st ? copy_file(from, to, st) : NULL;
}

static struct eo_error *sync_folder(const struct eo_source *s, const char *sub);

static struct eo_error *sync_entry(const struct eo_source *s, const char *path)
{
	EO_CLEANUP(eo_freep) char *from = eo_path_join(s->root, path);
	struct stat st;

	if (lstat(from, &st))
		return errno == ENOENT ? NULL :
					 eo_error_errno(errno, "%s", from);
	return S_ISDIR(st.st_mode) ? sync_folder(s, path) :
				     sync_file(s, path, &st);
}

static struct eo_error *make_folder(const char *to)
{
	struct stat st;

	if (lstat(to, &st) == 0) {
		if (S_ISDIR(st.st_mode))
			return NULL;
		if (unlink(to))
			return eo_error_errno(errno, "cannot remove %s", to);
	}
	return eo_mkdirs(to);
}

static struct eo_error *sync_folder(const struct eo_source *s, const char *sub)
{
	EO_CLEANUP(eo_freep) char *from = eo_path_join(s->root, sub);
	EO_CLEANUP(eo_freep) char *to = eo_path_join(s->dir, sub);
	EO_CLEANUP(eo_map_release) struct eo_map want = { 0 }, have = { 0 };
	const struct eo_map_entry *e;

	if (eo_interrupted())
		return eo_interrupt_error();
	eo_try(make_folder(to));
	list(from, &want);
	list(to, &have);
	eo_map_for_each(e, &have) {
		EO_CLEANUP(eo_freep) char *path = below(sub, e->key);

		if (!eo_map_has(&want, e->key))
			eo_try(sync_file(s, path, NULL));
	}
	eo_map_for_each(e, &want) {
		EO_CLEANUP(eo_freep) char *path = below(sub, e->key);

		if (!is_product(e->key) && !is_generated(path))
			eo_try(sync_entry(s, path));
	}
	return NULL;
}

/* Says where the copy is, and locks it. */
static struct eo_error *take(const struct eo_tree *tree, const char *name,
			     struct eo_source *s)
{
	EO_CLEANUP(eo_freep) char *dir = eo_asprintf("scratch-%s", name);
	EO_CLEANUP(eo_freep) char *lock = eo_asprintf("scratch-%s.lock", name);
	EO_CLEANUP(eo_freep) char *lock_path = NULL;

	s->lock = -1;
	s->root = eo_strdup(tree->root);
	eo_try(eo_tree_cache_path(tree, dir, &s->dir));
	eo_try(eo_tree_cache_path(tree, lock, &lock_path));
	eo_try(eo_lockfile_open(lock_path, &s->lock));
	return eo_lockfile_lock(s->lock, true);
}

struct eo_error *eo_source_open(const struct eo_tree *tree, const char *name,
				struct eo_source *s)
{
	eo_try(take(tree, name, s));
	eo_progress("copying the tree", 0, 0, s->dir);
	return sync_folder(s, "");
}

void eo_source_release(struct eo_source *s)
{
	/* what cannot be put back is, when it is opened the next time */
	if (s->dir && s->changed.n)
		eo_error_free(eo_source_restore(s));
	eo_map_release(&s->changed);
	if (s->dir && s->lock >= 0)
		close(s->lock);
	free(s->root);
	free(s->dir);
	*s = (struct eo_source){ .lock = -1 };
}

struct eo_error *eo_source_discard(const struct eo_tree *tree, const char *name)
{
	EO_CLEANUP(eo_source_release) struct eo_source s = { 0 };

	eo_try(take(tree, name, &s));
	return eo_remove_tree(s.dir);
}

bool eo_source_is_path(const char *file)
{
	EO_CLEANUP(eo_freep) char *copy = eo_strdup(file);
	char *save = NULL;

	if (!*file || *file == '/' || eo_ends_with(file, "/"))
		return false;
	for (char *part = strtok_r(copy, "/", &save); part;
	     part = strtok_r(NULL, "/", &save))
		if (!strcmp(part, ".") || !strcmp(part, "..") ||
		    !strcasecmp(part, ".git"))
			return false;
	return true;
}

/* No folder on the way may be a link that leads out. */
static struct eo_error *check_folders(const struct eo_source *s,
				      const char *file)
{
	EO_CLEANUP(eo_freep) char *path = eo_path_join(s->dir, file);
	size_t n = strlen(s->dir) + 1;

	if (!eo_source_is_path(file))
		return eo_error_new(EO_ERR_INPUT,
				    "%s: no path in a kernel tree", file);
	for (char *slash = strchr(path + n, '/'); slash;
	     slash = strchr(slash + 1, '/')) {
		struct stat st;

		*slash = '\0';
		if (lstat(path, &st) == 0 && !S_ISDIR(st.st_mode))
			return eo_error_new(EO_ERR_INPUT, "%s is no folder",
					    path + n);
		*slash = '/';
	}
	return NULL;
}

struct eo_error *eo_source_put(struct eo_source *s, const char *file,
			       const void *p, size_t n, bool executable)
{
	EO_CLEANUP(eo_freep) char *path = eo_path_join(s->dir, file);
	EO_CLEANUP(eo_freep) char *dir = eo_strdup(path);

	eo_try(check_folders(s, file));
	eo_set_add(&s->changed, file);
	eo_try(eo_mkdirs(dirname(dir)));
	/* by rename(2): the other name of the old file keeps its bytes */
	eo_try(eo_file_write(path, p, n));
	if (chmod(path, executable ? 0755 : 0644))
		return eo_error_errno(errno, "%s", path);
	return NULL;
}

struct eo_error *eo_source_remove(struct eo_source *s, const char *file)
{
	EO_CLEANUP(eo_freep) char *path = eo_path_join(s->dir, file);

	eo_try(check_folders(s, file));
	eo_set_add(&s->changed, file);
	if (unlink(path) && errno != ENOENT)
		return eo_error_errno(errno, "cannot remove %s", path);
	return NULL;
}

/* Folders that only a new file had needed. */
static void remove_empty(const struct eo_source *s, const char *file)
{
	EO_CLEANUP(eo_freep) char *path = eo_strdup(file);

	for (char *slash; (slash = strrchr(path, '/'));) {
		EO_CLEANUP(eo_freep) char *from = NULL;
		EO_CLEANUP(eo_freep) char *to = NULL;

		*slash = '\0';
		from = eo_path_join(s->root, path);
		to = eo_path_join(s->dir, path);
		if (eo_is_dir(from) || rmdir(to))
			return;
	}
}

struct eo_error *eo_source_restore(struct eo_source *s)
{
	const struct eo_map_entry *e;

	eo_map_for_each(e, &s->changed) {
		EO_CLEANUP(eo_freep) char *from = eo_path_join(s->root, e->key);
		struct stat st;

		eo_try(sync_file(s, e->key, lstat(from, &st) ? NULL : &st));
		remove_empty(s, e->key);
	}
	eo_map_release(&s->changed);
	s->changed = (struct eo_map){ 0 };
	return NULL;
}

struct eo_error *eo_source_read(const struct eo_source *s, const char *file,
				struct eo_str *out, bool *there)
{
	EO_CLEANUP(eo_freep) char *path = eo_path_join(s->dir, file);

	*there = eo_is_file(path);
	return *there ? eo_file_read(path, out) : NULL;
}
