// SPDX-License-Identifier: GPL-2.0-only
#include "verify/bench/machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/err.h"
#include "base/proc.h"
#include "base/str.h"

void eo_machine_release(struct eo_machine *m)
{
	free(m->items);
	eo_arena_release(&m->arena);
	*m = (struct eo_machine){ 0 };
}

void eo_machine_add(struct eo_machine *m, const char *name, const char *value)
{
	struct eo_machine_fact *f;

	eo_vec_for_each(f, m) {
		if (!strcmp(f->name, name))
			return;
	}
	f = eo_vec_push(m);
	f->name = eo_arena_strdup(&m->arena, name);
	f->value = eo_arena_strdup(&m->arena, value);
}

static void trim(char *line)
{
	line[strcspn(line, "\n")] = '\0';
}

/* The first line of a file. */
static void add_file(struct eo_machine *m, const char *name, const char *path)
{
	char line[4096] = "";
	FILE *f = fopen(path, "re");

	if (f && fgets(line, sizeof(line), f)) {
		trim(line);
		eo_machine_add(m, name, line);
	}
	if (f)
		fclose(f);
}

/* "model name	: X" of the first CPU, and its fellows. */
static void add_cpuinfo(struct eo_machine *m)
{
	static const struct {
		const char *key, *name;
	} keys[] = {
		{ "model name", "cpu" },
		{ "microcode", "microcode" },
	};
	FILE *f = fopen("/proc/cpuinfo", "re");
	char line[8192];

	while (f && fgets(line, sizeof(line), f)) {
		char *colon = strchr(line, ':');

		trim(line);
		for (size_t i = 0; colon && i < 2; i++)
			if (eo_starts_with(line, keys[i].key))
				eo_machine_add(m, keys[i].name, colon + 2);
	}
	if (f)
		fclose(f);
}

/* The first line that a program prints; nothing when it is not there. */
static void add_said(struct eo_machine *m, const char *name,
		     const char *const *argv)
{
	EO_CLEANUP(eo_proc_result_release) struct eo_proc_result r = { 0 };
	const struct eo_proc p = { .argv = argv, .timeout_ms = 10000 };

	eo_error_free(eo_proc_run(&p, &r));
	if (!r.out.len)
		return;
	trim(r.out.s);
	eo_machine_add(m, name, r.out.s);
}

void eo_machine_look(struct eo_machine *m)
{
	static const char *const gcc[] = { "gcc", "--version", NULL };
	static const char *const virt[] = { "systemd-detect-virt", NULL };
	static const char *const qemu[] = { "qemu-system-x86_64", "--version",
					    NULL };
	struct utsname u;
	char words[40];

	add_cpuinfo(m);
	snprintf(words, sizeof(words), "%ld online of %ld",
		 sysconf(_SC_NPROCESSORS_ONLN), sysconf(_SC_NPROCESSORS_CONF));
	eo_machine_add(m, "host cpus", words);
	add_file(m, "governor",
		 "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
	add_file(m, "load before", "/proc/loadavg");
	add_file(m, "host command line", "/proc/cmdline");
	add_said(m, "virtualisation", virt);
	add_said(m, "compiler", gcc);
	add_said(m, "qemu", qemu);
	if (uname(&u) == 0)
		eo_machine_add(m, "host kernel", u.release);
}
