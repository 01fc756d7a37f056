// SPDX-License-Identifier: GPL-2.0-only
/*
 * What debugging leaves to be seen of a kernel whose configuration is not
 * known: files, and functions that are there for it alone.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "verify/bench/guest/guest.h"

static const struct {
	const char *path, *option;
} files[] = {
	{ "/proc/lockdep", "lockdep" },
	{ "/proc/lock_stat", "LOCK_STAT" },
	{ "/sys/kernel/debug/kcsan", "KCSAN" },
	{ "/sys/kernel/debug/kcov", "KCOV" },
	{ "/sys/kernel/debug/kmemleak", "DEBUG_KMEMLEAK" },
	{ "/sys/kernel/debug/page_owner", "PAGE_OWNER" },
};

/* None that a kernel has built in and turned off, as distributions do. */
static const struct {
	const char *function, *option;
} functions[] = {
	{ "kasan_report", "KASAN" },
	{ "__kcsan_check_access", "KCSAN" },
	{ "kmsan_report", "KMSAN" },
	{ "lock_acquire", "lockdep" },
	{ "do_raw_spin_lock", "DEBUG_SPINLOCK" },
	{ "debug_mutex_lock_common", "DEBUG_MUTEXES" },
	{ "__might_sleep", "DEBUG_ATOMIC_SLEEP" },
	{ "debug_object_activate", "DEBUG_OBJECTS" },
	{ "__sanitizer_cov_trace_pc", "KCOV" },
	{ "__gcov_init", "GCOV_KERNEL" },
};

static char found[400];

static void add(const char *option)
{
	size_t n = strlen(option);

	for (const char *p = found; (p = strstr(p, option)); p += n)
		if (p[n] == '\0' || p[n] == ',')
			return;
	if (strlen(found) + n + 3 > sizeof(found))
		return;
	strcat(found, *found ? ", " : "");
	strcat(found, option);
}

void guest_say_distorting(void)
{
	FILE *f = fopen(guest_text("kallsyms", "/proc/kallsyms"), "r");
	char line[600], name[512], type;

	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
		if (!access(files[i].path, F_OK))
			add(files[i].option);
	/* "ffffffff81000000 T name	[module]" */
	while (f && fgets(line, sizeof(line), f)) {
		if (sscanf(line, "%*s %c %511s", &type, name) != 2 ||
		    type != 'T')
			continue;
		for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]);
		     i++)
			if (!strcmp(name, functions[i].function))
				add(functions[i].option);
	}
	if (f)
		fclose(f);
	if (*found)
		guest_env("distorting", "%s", found);
}
