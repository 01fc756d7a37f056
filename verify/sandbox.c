// SPDX-License-Identifier: GPL-2.0-only
#include "verify/sandbox.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/proc.h"
#include "base/str.h"
#include "verify/cgroup.h"
#include "verify/usage.h"

#define GIB ((size_t)1 << 30)
#define DEFAULT_TIMEOUT_MS (10 * 60 * 1000)
#define DEFAULT_MEMORY (4 * GIB)
#define DEFAULT_PROCESSES 256
#define DEFAULT_DISK (4 * GIB)
#define CHECK_TIMEOUT_MS 10000
#define DISK_EVERY 10 /* looks at processes for one at the disk */
/* bwrap itself, its init and prlimit's exec are none of the program's. */
#define OWN_PROCESSES 4

struct words {
	struct eo_arena arena;
	const char **items;
	size_t n, cap;
};

static void words_release(struct words *w)
{
	free(w->items);
	eo_arena_release(&w->arena);
}

#define ADD(w, ...) add_all((w), (const char *const[]){ __VA_ARGS__, NULL })

static void add_all(struct words *w, const char *const *list)
{
	for (; *list; list++)
		*eo_vec_push(w) = *list;
}

static const char *number(struct words *w, const char *fmt, size_t v)
{
	return eo_arena_printf(&w->arena, fmt, v);
}

/* /bin and the like: links into /usr on merged systems, else folders. */
static void add_system(struct words *w)
{
	static const char *const dirs[] = { "/bin", "/sbin", "/lib", "/lib64",
					    "/lib32" };
	static const char *const etc[] = { "/etc/alternatives",
					   "/etc/ld.so.cache",
					   "/etc/ld.so.conf",
					   "/etc/ld.so.conf.d", "/etc/perl" };

	ADD(w, "--ro-bind", "/usr", "/usr");
	for (size_t i = 0; i < sizeof(dirs) / sizeof(dirs[0]); i++) {
		char to[256];
		ssize_t n = readlink(dirs[i], to, sizeof(to) - 1);

		if (n > 0)
			ADD(w, "--symlink",
			    eo_arena_strndup(&w->arena, to, (size_t)n),
			    dirs[i]);
		else
			ADD(w, "--ro-bind-try", dirs[i], dirs[i]);
	}
	for (size_t i = 0; i < sizeof(etc) / sizeof(etc[0]); i++)
		ADD(w, "--ro-bind-try", etc[i], etc[i]);
}

static void add_env(struct words *w, const struct eo_proc *p)
{
	ADD(w, "--clearenv", "--setenv", "PATH", "/usr/local/bin:/usr/bin:/bin",
	    "--setenv", "HOME", "/tmp", "--setenv", "LC_ALL", "C");
	for (size_t i = 0; p->env && p->env[i]; i++) {
		const char *eq = strchr(p->env[i], '=');

		ADD(w, "--setenv",
		    eo_arena_strndup(&w->arena, p->env[i],
				     (size_t)(eq - p->env[i])),
		    eq + 1);
	}
}

static void add_bwrap(struct words *w, const struct eo_sandbox *s,
		      const struct eo_proc *p, size_t disk)
{
	const char *size = number(w, "%zu", disk);

	ADD(w, "bwrap", "--unshare-all", "--die-with-parent", "--new-session",
	    "--cap-drop", "ALL");
	add_system(w);
	ADD(w, "--proc", "/proc", "--dev", "/dev", "--size", size, "--tmpfs",
	    "/tmp", "--size", size, "--tmpfs", "/dev/shm");
	for (size_t i = 0; i < s->n_binds; i++)
		ADD(w, s->binds[i].writable ? "--bind" : "--ro-bind",
		    s->binds[i].from, s->binds[i].to);
	/* what bwrap made to mount on is memory that nobody counts */
	ADD(w, "--remount-ro", "/dev", "--remount-ro", "/");
	add_env(w, p);
	ADD(w, "--chdir", p->cwd ? p->cwd : "/tmp", "--");
}

static void add_limits(struct words *w, const struct eo_limits *l)
{
	ADD(w, "prlimit", "--core=0", number(w, "--fsize=%zu", l->disk),
	    number(w, "--as=%zu", l->memory));
	/*
	 * Counted by user in this namespace alone since Linux 5.14; not at
	 * all for the machine's root.
	 */
	if (getuid())
		ADD(w, number(w, "--nproc=%zu", l->processes));
	ADD(w, "--");
}

static struct eo_limits with_defaults(const struct eo_limits *l)
{
	return (struct eo_limits){
		.timeout_ms = l->timeout_ms ? l->timeout_ms :
					      DEFAULT_TIMEOUT_MS,
		.memory = l->memory ? l->memory : DEFAULT_MEMORY,
		.processes = l->processes ? l->processes : DEFAULT_PROCESSES,
		.disk = l->disk ? l->disk : DEFAULT_DISK,
	};
}

struct watch {
	const struct eo_sandbox *s;
	const struct eo_proc *p;
	struct eo_limits limits;
	size_t disk; /* in what is writable, at the start */
	unsigned looks;
};

static size_t writable_bytes(const struct eo_sandbox *s)
{
	size_t sum = 0;

	for (size_t i = 0; i < s->n_binds; i++)
		if (s->binds[i].writable)
			sum += eo_usage_of_dir(s->binds[i].from);
	return sum;
}

static struct eo_error *over_disk(const struct watch *w)
{
	size_t now = writable_bytes(w->s);

	if (now <= w->disk + w->limits.disk)
		return NULL;
	return eo_error_new(EO_ERR_INPUT,
			    "it wrote more than the %zu MiB that it may",
			    w->limits.disk >> 20);
}

static struct eo_error *look(pid_t pid, void *data)
{
	struct watch *w = data;
	struct eo_usage u;

	if (w->p->watch)
		eo_try(w->p->watch(pid, w->p->watch_data));
	eo_usage_of(pid, &u);
	if (u.processes > w->limits.processes + OWN_PROCESSES)
		return eo_error_new(
			EO_ERR_INPUT,
			"it started more than the %u processes that it may",
			w->limits.processes);
	if (u.memory > w->limits.memory)
		return eo_error_new(
			EO_ERR_INPUT,
			"it used more than the %zu MiB of memory that it may",
			w->limits.memory >> 20);
	return w->looks++ % DISK_EVERY ? NULL : over_disk(w);
}

/* The error of a time-out names the program, not bwrap. */
static struct eo_error *name_it(struct eo_error *err, const char *name,
				const struct eo_limits *l)
{
	if (!err || eo_error_kind(err) != EO_ERR_TIMEOUT)
		return err;
	eo_error_free(err);
	return eo_error_new(EO_ERR_TIMEOUT, "%s took longer than %g s", name,
			    l->timeout_ms / 1000.0);
}

struct eo_error *eo_sandbox_run(const struct eo_sandbox *s,
				const struct eo_proc *p,
				struct eo_proc_result *r)
{
	EO_CLEANUP(words_release) struct words w = { 0 };
	EO_CLEANUP(eo_cgroup_release) struct eo_cgroup group = { 0 };
	struct watch watch = { .s = s,
			       .p = p,
			       .limits = with_defaults(&s->limits) };
	struct eo_proc run = *p;
	struct eo_error *err;

	if (!s->off)
		add_bwrap(&w, s, p, watch.limits.disk);
	add_limits(&w, &watch.limits);
	add_all(&w, p->argv);
	*eo_vec_push(&w) = NULL;
	run.argv = w.items;
	run.timeout_ms = watch.limits.timeout_ms;
	if (!s->off) {
		run.cwd = NULL;
		run.env = NULL;
	}
	watch.disk = writable_bytes(s);
	eo_cgroup_make(&group, watch.limits.processes + OWN_PROCESSES,
		       watch.limits.memory);
	run.join = group.join;
	run.watch = look;
	run.watch_data = &watch;
	err = eo_proc_run(&run, r);
	/* what it wrote between the last look and its end counts, too */
	if (!err)
		err = over_disk(&watch);
	return name_it(err, p->argv[0], &watch.limits);
}

struct eo_error *eo_sandbox_check(void)
{
	static const char *const argv[] = { "true", NULL };
	EO_CLEANUP(eo_proc_result_release) struct eo_proc_result r = { 0 };
	const struct eo_sandbox s = { .limits.timeout_ms = CHECK_TIMEOUT_MS };
	const struct eo_proc p = { .argv = argv };
	EO_CLEANUP(eo_freep) char *said = NULL;

	eo_try(eo_sandbox_run(&s, &p, &r));
	if (r.status == 0)
		return NULL;
	said = eo_squeeze(eo_str_get(&r.err), r.err.len);
	return eo_error_new(
		EO_ERR_ENV,
		"bubblewrap does not work here (%s): are user namespaces switched off? (sysctl kernel.unprivileged_userns_clone, user.max_user_namespaces)",
		said);
}
