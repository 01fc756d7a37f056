// SPDX-License-Identifier: GPL-2.0-only
#include "tree/walk.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/proc.h"
#include "base/str.h"

#define MAX_THREADS 64
#define FIRST_BUFFER (128 * 1024) /* most files fit, and it stays in cache */

/* Folders that wait; shared by all threads. */
struct walk {
	const struct eo_walk_ops *ops;
	int root;
	pthread_mutex_t lock;
	pthread_cond_t more;
	struct {
		char **items; /* relative to root, "" is root itself */
		size_t n, cap;
	} folders;
	size_t busy; /* threads that may find more folders */
};

struct worker {
	struct walk *walk;
	void *ctx;
	pthread_t thread;
	char *buf;
	size_t cap;
	struct eo_str path;
};

unsigned eo_walk_threads(unsigned jobs)
{
	if (jobs < 1)
		return 1;
	return jobs < MAX_THREADS ? jobs : MAX_THREADS;
}

static void push(struct walk *w, const char *folder)
{
	char *copy = eo_strdup(folder);

	pthread_mutex_lock(&w->lock);
	*eo_vec_push(&w->folders) = copy;
	pthread_cond_signal(&w->more);
	pthread_mutex_unlock(&w->lock);
}

/* The next folder, which the caller frees; NULL when all is done. */
static char *pop(struct walk *w)
{
	char *folder = NULL;

	pthread_mutex_lock(&w->lock);
	w->busy--;
	while (!w->folders.n && w->busy && !eo_interrupted())
		pthread_cond_wait(&w->more, &w->lock);
	if (w->folders.n && !eo_interrupted()) {
		folder = w->folders.items[--w->folders.n];
		w->busy++;
	} else {
		pthread_cond_broadcast(&w->more);
	}
	pthread_mutex_unlock(&w->lock);
	return folder;
}

/*
 * The whole file in wk->buf, its length in *len. A regular file's read is
 * short only at its end, which saves asking for its size, or reading again.
 */
static int read_whole(struct worker *wk, int fd, size_t *len)
{
	*len = 0;
	for (;;) {
		size_t room = wk->cap - *len;
		ssize_t n = read(fd, wk->buf + *len, room);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return errno;
		*len += (size_t)n;
		if ((size_t)n < room)
			return 0;
		wk->cap *= 2;
		wk->buf = eo_realloc(wk->buf, wk->cap);
	}
}

static void look_at_file(struct worker *wk, int dir, const char *name)
{
	const struct eo_walk_ops *ops = wk->walk->ops;
	const char *path = eo_str_get(&wk->path);
	int fd = openat(dir, name,
			O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	int err = fd < 0 ? errno : 0;
	size_t len = 0;

	if (!err)
		err = read_whole(wk, fd, &len);
	if (fd >= 0)
		close(fd);
	if (err == ENOENT || err == ELOOP)
		return; /* went, or became a link, since we read the folder */
	if (err)
		ops->unreadable(wk->ctx, path, false, strerror(err));
	else
		ops->text(wk->ctx, path, wk->buf, len);
}

static unsigned char type_of(int dir, const struct dirent *de)
{
	struct stat st;

	if (de->d_type != DT_UNKNOWN)
		return de->d_type;
	if (fstatat(dir, de->d_name, &st, AT_SYMLINK_NOFOLLOW))
		return DT_UNKNOWN;
	return S_ISDIR(st.st_mode) ? DT_DIR :
	       S_ISREG(st.st_mode) ? DT_REG :
				     DT_LNK;
}

static void look_at_entry(struct worker *wk, const char *folder, int dir,
			  const struct dirent *de)
{
	bool source = eo_ends_with(de->d_name, ".c");
	unsigned char type;

	if (*de->d_name == '.' || (!source && de->d_type == DT_REG))
		return;
	type = type_of(dir, de);
	eo_str_clear(&wk->path);
	if (*folder) {
		eo_str_add(&wk->path, folder);
		eo_str_addc(&wk->path, '/');
	}
	eo_str_add(&wk->path, de->d_name);
	if (type == DT_DIR)
		push(wk->walk, eo_str_get(&wk->path));
	else if (type == DT_REG && source)
		look_at_file(wk, dir, de->d_name);
}

static void look_at_folder(struct worker *wk, const char *folder)
{
	int fd = openat(wk->walk->root, *folder ? folder : ".",
			O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
	DIR *d = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *de;

	if (!d) {
		if (errno != ENOENT)
			wk->walk->ops->unreadable(wk->ctx, folder, true,
						  strerror(errno));
		if (fd >= 0)
			close(fd);
		return;
	}
	while (!eo_interrupted() && (de = readdir(d)))
		look_at_entry(wk, folder, fd, de);
	closedir(d);
}

static void *work(void *arg)
{
	struct worker *wk = arg;
	char *folder;

	wk->cap = FIRST_BUFFER;
	wk->buf = eo_alloc(wk->cap);
	while ((folder = pop(wk->walk))) {
		look_at_folder(wk, folder);
		free(folder);
	}
	free(wk->buf);
	eo_str_release(&wk->path);
	return NULL;
}

/* The calling thread is the first worker; the others are help. */
static void run(struct walk *w, void **ctx, unsigned threads)
{
	struct worker *wk = eo_zalloc(threads * sizeof(*wk));
	unsigned started = 1;

	w->busy = threads;
	for (unsigned i = 0; i < threads; i++)
		wk[i] = (struct worker){ .walk = w, .ctx = ctx[i] };
	while (started < threads &&
	       !pthread_create(&wk[started].thread, NULL, work, &wk[started]))
		started++;
	pthread_mutex_lock(&w->lock);
	w->busy -= threads - started;
	pthread_mutex_unlock(&w->lock);
	work(&wk[0]);
	for (unsigned i = 1; i < started; i++)
		pthread_join(wk[i].thread, NULL);
	free(wk);
}

struct eo_error *eo_walk_sources(const char *root,
				 const struct eo_walk_ops *ops, void **ctx,
				 unsigned threads)
{
	struct walk w = { .ops = ops,
			  .lock = PTHREAD_MUTEX_INITIALIZER,
			  .more = PTHREAD_COND_INITIALIZER };

	w.root = open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (w.root < 0)
		return eo_error_errno(errno, "cannot open %s", root);
	push(&w, "");
	run(&w, ctx, threads);
	close(w.root);
	for (size_t i = 0; i < w.folders.n; i++)
		free(w.folders.items[i]);
	free(w.folders.items);
	return eo_interrupted() ? eo_interrupt_error() : NULL;
}
