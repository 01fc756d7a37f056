// SPDX-License-Identifier: GPL-2.0-only
#include "base/proc.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"

#define DEFAULT_MAX_OUTPUT (64u << 20)
#define POLL_MS 100

static volatile sig_atomic_t interrupted;

static void on_interrupt(int sig)
{
	interrupted = 1;
	signal(sig, SIG_DFL);
}

void eo_interrupt_init(void)
{
	struct sigaction sa = { .sa_handler = on_interrupt };

	sigaction(SIGINT, &sa, NULL);
	sigaction(SIGTERM, &sa, NULL);
	/* Both are errors of write(2) as well, and those are reported. */
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
}

bool eo_interrupted(void)
{
	return interrupted;
}

struct eo_error *eo_interrupt_error(void)
{
	return eo_error_new(EO_ERR_INTERRUPTED, "interrupted");
}

void eo_proc_result_release(struct eo_proc_result *r)
{
	eo_str_release(&r->out);
	eo_str_release(&r->err);
}

/* Our ends of the child's pipes: in, out, err; -1 when closed. */
struct pipes {
	int fd[3];
	int child[3];
	int exec_fd[2]; /* carries errno when exec fails */
};

static void close_all(int *fd, int n)
{
	for (int i = 0; i < n; i++) {
		if (fd[i] >= 0)
			close(fd[i]);
		fd[i] = -1;
	}
}

static void pipes_release(struct pipes *p)
{
	close_all(p->fd, 3);
	close_all(p->child, 3);
	close_all(p->exec_fd, 2);
}

static struct eo_error *pipes_init(struct pipes *p, bool has_input)
{
	for (int i = 0; i < 3; i++) {
		int fd[2];

		if (i == 0 && !has_input) {
			p->child[0] = open("/dev/null", O_RDONLY | O_CLOEXEC);
			continue;
		}
		if (pipe2(fd, O_CLOEXEC))
			return eo_error_errno(errno, "cannot make a pipe");
		p->fd[i] = i == 0 ? fd[1] : fd[0];
		p->child[i] = i == 0 ? fd[0] : fd[1];
		fcntl(p->fd[i], F_SETFL, O_NONBLOCK);
	}
	if (pipe2(p->exec_fd, O_CLOEXEC))
		return eo_error_errno(errno, "cannot make a pipe");
	return NULL;
}

/* A group that cannot be joined is a limit less: the watcher sees to it. */
static void join_groups(const char *const *files)
{
	for (; files && *files; files++) {
		int fd = open(*files, O_WRONLY | O_CLOEXEC);

		if (fd < 0)
			continue;
		if (write(fd, "0", 1) < 0)
			errno = 0;
		close(fd);
	}
}

static void __attribute__((noreturn)) child_exec(const struct eo_proc *p,
						 struct pipes *pipes)
{
	int err;

	setpgid(0, 0);
	join_groups(p->join);
	signal(SIGINT, SIG_DFL);
	signal(SIGTERM, SIG_DFL);
	signal(SIGPIPE, SIG_DFL);
	signal(SIGXFSZ, SIG_DFL);
	for (int i = 0; i < 3; i++)
		dup2(pipes->child[i], i);
	for (int i = 0; p->env && p->env[i]; i++)
		putenv((char *)p->env[i]);
	if (!p->cwd || chdir(p->cwd) == 0)
		execvp(p->argv[0], (char *const *)p->argv);
	err = errno;
	if (write(pipes->exec_fd[1], &err, sizeof(err)) < 0)
		_exit(126);
	_exit(127);
}

/* Waits until the child has become its program; its errno when it cannot. */
static struct eo_error *await_exec(const struct eo_proc *p, int fd, pid_t pid)
{
	int err;

	if (read(fd, &err, sizeof(err)) != sizeof(err))
		return NULL;
	waitpid(pid, NULL, 0);
	if (err == ENOENT && !(p->cwd && access(p->cwd, X_OK)))
		return eo_error_new(
			EO_ERR_ENV,
			"%s: not found in PATH; `make deps` installs what earlyout needs",
			p->argv[0]);
	return eo_error_errno(err, "cannot run %s", p->argv[0]);
}

static void take_output(struct pipes *pipes, int i, struct eo_str *to,
			size_t max, bool *truncated)
{
	char buf[65536];
	ssize_t n = read(pipes->fd[i], buf, sizeof(buf));

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (n <= 0) {
		close_all(&pipes->fd[i], 1);
		return;
	}
	if (to->len + (size_t)n > max) {
		*truncated = true;
		n = (ssize_t)(max - to->len);
	}
	eo_str_addn(to, buf, (size_t)n);
}

static void give_input(const struct eo_proc *p, struct pipes *pipes,
		       size_t *given)
{
	ssize_t n =
		write(pipes->fd[0], p->input + *given, p->input_len - *given);

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (n > 0)
		*given += (size_t)n;
	if (n < 0 || *given == p->input_len)
		close_all(&pipes->fd[0], 1);
}

static long long now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000LL + ts.tv_nsec / 1000000;
}

/* Whether it has to end now; @end is in now_ms()'s time, 0: no limit. */
static struct eo_error *check_limits(const struct eo_proc *p, pid_t pid,
				     long long end, long long *watched)
{
	long long now = now_ms();

	if (interrupted)
		return eo_interrupt_error();
	if (end && now > end)
		return eo_error_new(EO_ERR_TIMEOUT, "%s took longer than %g s",
				    p->argv[0], p->timeout_ms / 1000.0);
	if (!p->watch || now < *watched + POLL_MS)
		return NULL;
	*watched = now;
	return p->watch(pid, p->watch_data);
}

/* Moves input and output until the child has closed both of its outputs. */
static struct eo_error *converse(const struct eo_proc *p, pid_t pid,
				 struct pipes *pipes, struct eo_proc_result *r,
				 long long end)
{
	size_t max = p->max_output ? p->max_output : DEFAULT_MAX_OUTPUT;
	long long watched = 0;
	size_t given = 0;

	while (pipes->fd[1] >= 0 || pipes->fd[2] >= 0) {
		struct pollfd pf[3] = {
			{ .fd = pipes->fd[0], .events = POLLOUT },
			{ .fd = pipes->fd[1], .events = POLLIN },
			{ .fd = pipes->fd[2], .events = POLLIN },
		};

		if (poll(pf, 3, POLL_MS) < 0 && errno != EINTR)
			return eo_error_errno(errno, "poll");
		eo_try(check_limits(p, pid, end, &watched));
		if (pf[0].fd >= 0 && pf[0].revents)
			give_input(p, pipes, &given);
		if (pf[1].fd >= 0 && pf[1].revents)
			take_output(pipes, 1, &r->out, max, &r->truncated);
		if (pf[2].fd >= 0 && pf[2].revents)
			take_output(pipes, 2, &r->err, max, &r->truncated);
	}
	return NULL;
}

/* Waits for the end of a child that may have closed its outputs and go on. */
static struct eo_error *await_end(const struct eo_proc *p, pid_t pid,
				  int *wstatus, long long end)
{
	struct timespec pause = { .tv_nsec = 1000000 };
	long long watched = 0;
	pid_t got;

	while ((got = waitpid(pid, wstatus, WNOHANG)) == 0 ||
	       (got < 0 && errno == EINTR)) {
		eo_try(check_limits(p, pid, end, &watched));
		nanosleep(&pause, NULL);
	}
	return NULL;
}

struct eo_error *eo_proc_run(const struct eo_proc *p, struct eo_proc_result *r)
{
	long long end = p->timeout_ms ? now_ms() + p->timeout_ms : 0;
	EO_CLEANUP(pipes_release)
	struct pipes pipes = { { -1, -1, -1 }, { -1, -1, -1 }, { -1, -1 } };
	struct eo_error *err;
	int wstatus = 0;
	pid_t pid;

	eo_try(pipes_init(&pipes, p->input != NULL));
	pid = fork();
	if (pid < 0)
		return eo_error_errno(errno, "cannot start %s", p->argv[0]);
	if (pid == 0)
		child_exec(p, &pipes);
	close_all(pipes.child, 3);
	close_all(&pipes.exec_fd[1], 1);
	eo_try(await_exec(p, pipes.exec_fd[0], pid));
	err = converse(p, pid, &pipes, r, end);
	if (!err)
		err = await_end(p, pid, &wstatus, end);
	if (err) {
		kill(-pid, SIGKILL);
		while (waitpid(pid, &wstatus, 0) < 0 && errno == EINTR)
			;
	}
	r->status = WIFEXITED(wstatus) ? WEXITSTATUS(wstatus) :
					 128 + WTERMSIG(wstatus);
	return err;
}

/* The last lines of what a program said, for an error message. */
static const char *tail(const struct eo_str *s, size_t max)
{
	const char *p = eo_str_get(s);

	if (s->len <= max)
		return p;
	p += s->len - max;
	while (*p && *p != '\n')
		p++;
	return *p ? p + 1 : p;
}

struct eo_error *eo_proc_check(const struct eo_proc *p,
			       struct eo_proc_result *r)
{
	eo_try(eo_proc_run(p, r));
	if (r->status == 0)
		return NULL;
	while (r->err.len && r->err.s[r->err.len - 1] == '\n')
		r->err.s[--r->err.len] = '\0';
	return eo_error_new(EO_ERR_ENV, "%s failed with status %d: %s",
			    p->argv[0], r->status,
			    tail(r->err.len ? &r->err : &r->out, 1000));
}
