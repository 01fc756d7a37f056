// SPDX-License-Identifier: GPL-2.0-only
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"

static void close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
}

struct eo_error *eo_file_read(const char *path, struct eo_str *out)
{
	EO_CLEANUP(close_fd) int fd = open(path, O_RDONLY | O_CLOEXEC);
	char buf[65536];
	ssize_t n;

	if (fd < 0)
		return eo_error_errno(errno, "cannot open %s", path);
	while ((n = read(fd, buf, sizeof(buf))) != 0) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return eo_error_errno(errno, "cannot read %s", path);
		eo_str_addn(out, buf, (size_t)n);
	}
	return NULL;
}

static int write_all(int fd, const char *p, size_t n)
{
	while (n) {
		ssize_t w = write(fd, p, n);

		if (w < 0 && errno == EINTR)
			continue;
		if (w < 0)
			return -1;
		p += w;
		n -= (size_t)w;
	}
	return 0;
}

static struct eo_error *replace(const char *path, const void *p, size_t n,
				bool sync)
{
	EO_CLEANUP(eo_freep) char *tmp = eo_asprintf("%s.tmp-XXXXXX", path);
	EO_CLEANUP(close_fd) int fd = mkostemp(tmp, O_CLOEXEC);
	struct eo_error *err;

	if (fd < 0)
		return eo_error_errno(errno, "cannot write %s", path);
	if (fchmod(fd, 0644) || write_all(fd, p, n) || (sync && fsync(fd)) ||
	    rename(tmp, path)) {
		err = eo_error_errno(errno, "cannot write %s", path);
		unlink(tmp);
		return err;
	}
	return NULL;
}

struct eo_error *eo_file_write(const char *path, const void *p, size_t n)
{
	return replace(path, p, n, true);
}

struct eo_error *eo_file_write_again(const char *path, const void *p, size_t n)
{
	return replace(path, p, n, false);
}

struct eo_error *eo_mkdirs(const char *path)
{
	EO_CLEANUP(eo_freep) char *p = eo_strdup(path);

	for (char *s = p + 1; *p && *s; s++) {
		if (*s != '/')
			continue;
		*s = '\0';
		if (mkdir(p, 0777) && errno != EEXIST)
			return eo_error_errno(errno, "cannot create %s", p);
		*s = '/';
	}
	if (mkdir(p, 0777) && errno != EEXIST)
		return eo_error_errno(errno, "cannot create %s", p);
	if (!eo_is_dir(p))
		return eo_error_errno(ENOTDIR, "cannot create %s", p);
	return NULL;
}

bool eo_is_dir(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

bool eo_is_file(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

static int remove_one(const char *path, const struct stat *st, int type,
		      struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

struct eo_error *eo_remove_tree(const char *path)
{
	if (nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS) && errno != ENOENT)
		return eo_error_errno(errno, "cannot remove %s", path);
	return NULL;
}

struct eo_error *eo_temp_dir(char **path)
{
	const char *tmp = getenv("TMPDIR");
	char *p = eo_asprintf("%s/earlyout-XXXXXX", tmp && *tmp ? tmp : "/tmp");

	if (!mkdtemp(p)) {
		struct eo_error *err =
			eo_error_errno(errno, "cannot create %s", p);

		free(p);
		return err;
	}
	*path = p;
	return NULL;
}

char *eo_path_join(const char *a, const char *b)
{
	return eo_asprintf("%s%s%s", a, eo_ends_with(a, "/") ? "" : "/", b);
}

struct eo_error *eo_path_real(const char *path, char **out)
{
	*out = realpath(path, NULL);
	if (!*out)
		return eo_error_errno(errno, "cannot find %s", path);
	return NULL;
}

/* The XDG base directory specification; a relative value is to be ignored. */
static struct eo_error *xdg_dir(const char *var, const char *below_home,
				char **out)
{
	const char *dir = getenv(var), *home = getenv("HOME");

	if (dir && *dir == '/')
		*out = eo_path_join(dir, "earlyout");
	else if (home && *home == '/')
		*out = eo_asprintf("%s/%s/earlyout", home, below_home);
	else
		return eo_error_new(EO_ERR_ENV,
				    "neither %s nor HOME is set: set one", var);
	return eo_mkdirs(*out);
}

struct eo_error *eo_cache_dir(char **out)
{
	return xdg_dir("XDG_CACHE_HOME", ".cache", out);
}

struct eo_error *eo_state_dir(char **out)
{
	return xdg_dir("XDG_STATE_HOME", ".local/state", out);
}
