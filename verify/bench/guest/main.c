// SPDX-License-Identifier: GPL-2.0-only
/*
 * earlyout-guest WORKLOAD [NAME=VALUE]…
 * As init of a guest the same words stand behind "-- earlyout" on the
 * kernel's command line; before that come those that it did not know.
 */
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <termios.h>
#include <unistd.h>

#include "verify/bench/guest/guest.h"

static const struct guest_workload *const workloads[] = {
	&guest_io_stat,
	&guest_cgroup_stat,
	&guest_sqpoll,
	&guest_flush_storm,
};

#define N_WORKLOADS (sizeof(workloads) / sizeof(workloads[0]))

static struct {
	int n;
	char **words;
	bool is_init;
} given;

const char *guest_text(const char *name, const char *fallback)
{
	size_t len = strlen(name);

	for (int i = 0; i < given.n; i++)
		if (!strncmp(given.words[i], name, len) &&
		    given.words[i][len] == '=')
			return given.words[i] + len + 1;
	return fallback;
}

long guest_number(const char *name, long fallback)
{
	const char *text = guest_text(name, NULL);
	char *end;
	long v;

	if (!text)
		return fallback;
	v = strtol(text, &end, 10);
	if (!*text || *end || v < 0)
		guest_fail("%s=%s: not a number", name, text);
	return v;
}

bool guest_wants(const char *name)
{
	const char *only = guest_text("only", "");

	return !strncmp(name, only, strlen(only));
}

static void mount_or_die(const char *type, const char *where)
{
	mkdir(where, 0755);
	if (mount(type, where, type, 0, NULL))
		guest_fail("cannot mount %s: %m", type);
}

static void init_machine(void)
{
	int fd;

	mount_or_die("devtmpfs", "/dev");
	mount_or_die("proc", "/proc");
	mount_or_die("sysfs", "/sys");
	mount_or_die("cgroup2", "/sys/fs/cgroup");
	fd = open("/dev/console", O_RDWR);
	for (int i = 0; fd >= 0 && i < 3; i++)
		dup2(fd, i);
}

/* The port for the results, as bytes. */
static int open_port(void)
{
	int fd = open("/dev/ttyS1", O_WRONLY | O_NOCTTY);
	struct termios t;

	if (fd < 0)
		return STDOUT_FILENO;
	if (tcgetattr(fd, &t) == 0) {
		cfmakeraw(&t);
		tcsetattr(fd, TCSANOW, &t);
	}
	return fd;
}

static void __attribute__((noreturn)) end(int status)
{
	int fd = given.is_init ? open_port() : STDOUT_FILENO;

	guest_flush(fd, given.is_init);
	if (given.is_init) {
		tcdrain(fd);
		reboot(RB_AUTOBOOT); /* ends QEMU, by -no-reboot */
	}
	exit(status);
}

static void one_line(const char *name, const char *path)
{
	char line[2000] = "";
	FILE *f = fopen(path, "r");

	if (f && fgets(line, sizeof(line), f))
		line[strcspn(line, "\n")] = '\0';
	if (f)
		fclose(f);
	guest_env(name, "%s", line);
}

static void say_environment(void)
{
	struct utsname u;

	uname(&u);
	guest_env("kernel", "%s %s", u.release, u.version);
	guest_env("online cpus", "%d", guest_cpus());
	guest_env("possible cpus", "%ld", sysconf(_SC_NPROCESSORS_CONF));
	one_line("possible", "/sys/devices/system/cpu/possible");
	one_line("command line", "/proc/cmdline");
	one_line("clock", "/sys/devices/system/clocksource/clocksource0/"
			  "current_clocksource");
	guest_say_distorting();
}

static void usage(void)
{
	puts("usage: earlyout-guest WORKLOAD [NAME=VALUE]…\n");
	for (size_t i = 0; i < N_WORKLOADS; i++)
		printf("%s: %s\n\t%s\n", workloads[i]->name,
		       workloads[i]->stands_for, workloads[i]->params);
}

void guest_fail(const char *fmt, ...)
{
	char words[500];
	va_list args;

	va_start(args, fmt);
	vsnprintf(words, sizeof(words), fmt, args);
	va_end(args);
	fprintf(stderr, "earlyout-guest: %s\n", words);
	guest_say_failure(words);
	end(1);
}

int main(int argc, char **argv)
{
	const struct guest_workload *w = NULL;
	const struct rlimit files = { 16384, 16384 };

	given.is_init = getpid() == 1;
	while (given.is_init && argc > 1 && strcmp(argv[0], "earlyout") != 0) {
		argv++;
		argc--;
	}
	given.words = argv + 1;
	given.n = argc - 1;
	if (given.is_init)
		init_machine();
	setrlimit(RLIMIT_NOFILE, &files);
	for (size_t i = 0; argc > 1 && i < N_WORKLOADS; i++)
		if (!strcmp(workloads[i]->name, argv[1]))
			w = workloads[i];
	if (!w && given.is_init)
		guest_fail("no workload %s", argc > 1 ? argv[1] : "");
	if (!w) {
		usage();
		return argc > 1 ? 2 : 0;
	}
	guest_say_hello(w->name);
	say_environment();
	w->run();
	end(0);
}
